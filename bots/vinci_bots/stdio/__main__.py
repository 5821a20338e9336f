"""Run the adapter: `python -m vinci_bots.stdio [--text] [--many] [ADDRESS] [OPTION ...] -- COMMAND [ARGUMENT ...]`."""

import os
import sys
from pathlib import Path

from .. import runtime
from ..sdk import PATIENCE
from .adapter import Adapter
from .lines import JSON, TEXT


def main() -> None:
    """Play with a program that reads and writes lines; the options but two are those of every bot."""
    place = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options, command = sys.argv[1:place], sys.argv[place + 1 :]
    if not command:
        sys.exit("which program? As in: python -m vinci_bots.stdio localhost -- ./mybot")
    start = runtime.read(_name(command), [word for word in options if word not in ("--text", "--many")])
    adapter = Adapter(command, TEXT if "--text" in options else JSON, start, shares="--many" in options)
    runtime.finish(adapter.play(PATIENCE if start.token else None), start.name, with_stdin=bool(start.token))


def _name(command: list[str]) -> str:
    """Return the name of a bot that gets none by option or environment: its last file, else its program."""
    files = [word for word in command if os.path.isfile(word)] or command[:1]
    return Path(files[-1]).stem or "bot"


if __name__ == "__main__":
    main()
