"""Parse the players of a local match: built-in bots, commands, and dummies of the rules."""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from vinci_client.processes import COMMAND, PYTHON, SCRIPT, is_script
from vinci_players.builtin import KNOWN, is_policy
from vinci_players.names import fault

DUMMY: Final = "dummy"
COMMON: Final = ("bot", "main", "index", "dist", "build", "src")
"""File and folder names too general to name a bot; the enclosing folder names it instead."""
SCRIPTS: Final = (".py", ".js", ".mjs", ".ts", ".jar", ".rb", ".lua", ".sh")
"""Suffixes of words in a command that must be existing files."""
STDIO: Final[dict[str, tuple[str, ...]]] = {"stdio:": (), "stdio-text:": ("--text",)}
"""Beginnings of commands that play by lines of JSON or text, with the options of the adapter (`vinci_bots.stdio`)."""
LONGEST_NAME: Final = 24
"""Maximum length of a name in characters, for tables and file names."""
NAME: Final = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{LONGEST_NAME - 1}}}")
"""Names that can be given to bots."""


class UnusableBot(ValueError):
    """Command that cannot be started; the text says why."""


@dataclass(frozen=True, slots=True)
class Player:
    """Bot with the command that starts it; without a command it is a dummy of the rules, or `remote`.

    A remote bot connects to the server by itself, with its name. A command runs in its `folder`, empty for this one.
    """

    name: str
    command: tuple[str, ...] = ()
    remote: bool = False
    folder: str = ""

    @property
    def is_dummy(self) -> bool:
        """Whether it is a dummy, played by the server."""
        return not (self.command or self.remote)


def players(words: Sequence[str]) -> tuple[Player, ...]:
    """Parse players: each word is `dummy`, the name of a built-in bot, or a command line. Names are unique.

    Raises UnusableBot if a command does not exist.
    """
    names = iter(named([word for word in words if word != DUMMY]))
    return tuple(Player(DUMMY) if word == DUMMY else Player(next(names), _command(word)) for word in words)


def named(words: Sequence[str], taken: Collection[str] = ()) -> list[str]:
    """Name each bot: a built-in bot by its name, a command by its last file or its program.

    Repeated names, and those that are taken, get a number. Raises UnusableBot.
    """
    names: list[str] = []
    for word in words:
        base = re.sub("[:@]", "-", word) if is_policy(word) else _named_after(parsed(word))
        names.append(next(name for number in count(1) if (name := _numbered(base, number)) not in {*names, *taken}))
    return names


def parsed(command: str) -> tuple[str, ...]:
    """Split a command line, or a Python file and its arguments, into words. Raises UnusableBot if it cannot start."""
    known = ", ".join(sorted(KNOWN))
    if wrong := fault(command):
        raise UnusableBot(str(wrong))
    try:
        given = tuple(shlex.split(command))
    except ValueError as error:
        raise UnusableBot(f"{command!r} is no command line: {error}") from None
    words = split_kind(given)[1] or ("",)
    if "\0" in command or (shutil.which(words[0]) is None and not words[0].endswith(SCRIPT)):
        raise UnusableBot(
            f"{command!r}: there is no such command; a bot is a Python file, a command line or one of {known}"
        )
    for word in words if not shutil.which(words[0]) else words[1:]:
        if word.endswith(SCRIPTS) and not any(map(str.isspace, word)) and not os.path.isfile(word):
            raise UnusableBot(f"{command!r}: there is no file {word!r} in {Path.cwd()}")
    return given


def files_in(words: Sequence[str]) -> list[Path]:
    """Files that a command names."""
    return [Path(word) for word in split_kind(words)[1] if os.path.isfile(word)]  # a Path cannot be any text


def started_by(words: Sequence[str]) -> tuple[str, ...]:
    """Return the command that starts a bot: for one that plays by lines, that of the adapter in front of it."""
    kind, own = split_kind(words)
    if not kind:
        return tuple(words)
    own = (sys.executable, *own) if is_script(own[0]) else own
    return (*PYTHON, "-m", "vinci_bots.stdio", *STDIO[kind], "--", *own)


def split_kind(words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the beginning of STDIO that a command has, empty for none, and the command without it."""
    kind = next((kind for kind in STDIO if words and words[0].startswith(kind)), "")
    return kind, (words[0].removeprefix(kind), *words[1:]) if words else ()


def _command(word: str) -> tuple[str, ...]:
    return (*COMMAND, "bot", word) if is_policy(word) else started_by(parsed(word))


def _named_after(words: Sequence[str]) -> str:
    words = split_kind(words)[1]
    file = [Path(words[0]), *files_in(words[1:])][-1]
    parts = [file.stem, *reversed(file.absolute().parent.parts)]
    named = next((part for part in parts if part not in COMMON), file.stem)
    return re.sub(r"[^A-Za-z0-9._-]+|^[^A-Za-z0-9]+", "-", named).strip("-")[:LONGEST_NAME] or "bot"


def _numbered(name: str, number: int) -> str:
    """Append the number to a name, except for the first bot."""
    end = f"-{number}" if number > 1 else ""
    return name[: LONGEST_NAME - len(end)] + end
