"""Who plays at a local table: bots as commands, and dummies of the rules."""

import os
import re
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from vinci_client.processes import COMMAND, SCRIPT

from ..builtin.policies import POLICIES

DUMMY: Final = "dummy"
COMMON: Final = ("bot", "main", "index", "dist", "build", "src")
"""Files and folders that say nothing about a bot; it is called after the folder around them."""
SCRIPTS: Final = (".py", ".js", ".mjs", ".ts", ".jar", ".rb", ".lua", ".sh")
"""Ends of words in a command that are files, which have to be there."""
LONGEST_NAME: Final = 24
"""Characters of a name, so that it has room in tables and names of files."""


class UnusableBot(ValueError):
    """A command that cannot be started; the text says why."""


@dataclass(frozen=True, slots=True)
class Player:
    """A bot with the command that starts it by the contract; a dummy of the rules has none."""

    name: str
    command: tuple[str, ...] = ()

    @property
    def is_dummy(self) -> bool:
        """Whether the server plays it."""
        return not self.command


def players(words: Sequence[str]) -> tuple[Player, ...]:
    """Players from `dummy`, the name of a bot of ours, or a command line; bots with names of their own each.

    Raises UnusableBot for a command that is not to be found.
    """
    names = iter(named([word for word in words if word != DUMMY]))
    return tuple(Player(DUMMY) if word == DUMMY else Player(next(names), _command(word)) for word in words)


def named(words: Sequence[str]) -> list[str]:
    """A name for each bot: its own if it is one of ours, else that of the last file in its command, or of the program.

    Further ones of the same name get a number. Raises UnusableBot.
    """
    found: list[str] = []
    for word in words:
        base = word if word in POLICIES else _named_after(parsed(word))
        found.append(next(name for number in count(1) if (name := _numbered(base, number)) not in found))
    return found


def parsed(command: str) -> tuple[str, ...]:
    """The words of a command line, or of a Python file and its arguments. Raises UnusableBot for what cannot start."""
    known = ", ".join(sorted(POLICIES))
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise UnusableBot(f"{command!r} is no command line: {error}") from None
    if not words or "\0" in command or (shutil.which(words[0]) is None and not words[0].endswith(SCRIPT)):
        raise UnusableBot(
            f"{command!r}: there is no such command; a bot is a Python file, a command line or one of {known}"
        )
    for word in words if not shutil.which(words[0]) else words[1:]:
        if word.endswith(SCRIPTS) and not any(map(str.isspace, word)) and not os.path.isfile(word):
            raise UnusableBot(f"{command!r}: there is no file {word!r} in {Path.cwd()}")
    return words


def files_in(words: Sequence[str]) -> list[Path]:
    """The files that a command names."""
    return [Path(word) for word in words if os.path.isfile(word)]  # a Path cannot be any text


def _command(word: str) -> tuple[str, ...]:
    return (*COMMAND, "bot", word) if word in POLICIES else parsed(word)


def _named_after(words: Sequence[str]) -> str:
    file = [Path(words[0]), *files_in(words[1:])][-1]
    parts = [file.stem, *reversed(file.absolute().parent.parts)]
    named = next((part for part in parts if part not in COMMON), file.stem)
    return re.sub(r"[^A-Za-z0-9._-]+|^[^A-Za-z0-9]+", "-", named).strip("-")[:LONGEST_NAME] or "bot"


def _numbered(name: str, number: int) -> str:
    """The name for the first one; for more with the same name a number behind it."""
    end = f"-{number}" if number > 1 else ""
    return name[: LONGEST_NAME - len(end)] + end
