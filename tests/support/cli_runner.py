"""Run `vinci` in tests and compare its output with golden files.

`VINCI_UPDATE=1 pytest tests/cli` writes these files anew; what changed in them is then read in the diff.
"""

import os
import shlex
from pathlib import Path
from typing import Final, NamedTuple

import click
from click.testing import CliRunner

from tests.support.paths import DATA
from vinci_cli.commands.base import LazyCommand
from vinci_cli.main import main

UPDATE: Final = "VINCI_UPDATE"

BORDER: Final = "tiny; seat 1 | WEA+MIL reserve=9 ARA BOS; seat 2 | BAR+CUR COL=4; seat 3 | AST+SLA reserve=15"
"""Seat 1 is to conquer: COL from seat 2 for 5, the mountain DOL for 2, FEN over the strait for 2."""

SPIES: Final = (
    "tiny; turn 1 conquer; seat 1 | SPI+FOR reserve=6 ARA; seat 2 | BAR+CUR COL=4; seat 3 | AST+SLA reserve=15"
)
DIPLOMAT: Final = "tiny; seat 1 | DIP+MIL reserve=9 COL BOS; seat 2 | BAR+SPI ARA=4; seat 3 | AST+SLA DOL=4; neutral -"
RENAISSANCE: Final = "tiny; turn 1 renaissance; seat 1 | REN+MIL ARA=9; seat 2 | BAR+SPI DOL=4; seat 3 | AST+SLA COL=4"
REDEPLOY: Final = (
    "tiny; turn 1 redeploy=2; seat 1 | WEA+MIL COL=8; seat 2 survivors=3 | BAR+CUR ERB=2 HAM=1; seat 3 | AST+SLA"
)
"""Seat 1 may spy; may make peace with two seats; may decline again or not; seat 2 is to place its survivors."""


class CommandResult(NamedTuple):
    """The status that a command ended with, and all that it wrote."""

    status: int
    text: str


def vinci(*arguments: str, stdin: str = "", home: Path | None = None, charset: str = "utf-8") -> CommandResult:
    """Run `vinci` in this process with streams of a charset; return its status and output, and let exceptions through."""
    environment = {"LOGNAME": "ann"} | ({} if home is None else {"VINCI_HOME": str(home)})
    result = CliRunner(charset=charset).invoke(main, arguments, input=stdin, env=environment, prog_name="vinci")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return CommandResult(result.exit_code, result.output)


def commands_of(group: click.Command) -> dict[str, click.Command]:
    """Return the commands of a group by name, loaded; none for a command that is not a group."""
    members = group.commands if isinstance(group, click.Group) else {}
    return {name: one.load() if isinstance(one, LazyCommand) else one for name, one in members.items()}


def parsed(line: str) -> click.Context:
    """Return the command line as click parses it, without running it. Raises click.UsageError."""
    program, name, *arguments = shlex.split(line)
    assert program == "vinci"
    parent = click.Context(main, **main.context_settings)
    command = commands_of(main).get(name)
    if isinstance(command, click.Group) and not arguments[0].startswith("-"):
        name, *arguments = arguments
        command = commands_of(command).get(name) or command.get_command(parent, name)
    if command is None:
        raise click.UsageError(f"no command {name}")
    return command.make_context(name, arguments, parent=parent)


def is_kept(name: str, text: str) -> None:
    """Fail unless the text equals this file of tests/data; write the file if VINCI_UPDATE is set."""
    path = DATA / name
    if os.environ.get(UPDATE):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, f"not as in {path}; {UPDATE}=1 writes it anew"
