"""Who plays at a local table: bots as commands, and dummies of the rules."""

import os
import shlex
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from vinci_client.processes import COMMAND

from .policy import POLICIES

DUMMY: Final = "dummy"
LONGEST_NAME: Final = 32
"""Characters of a name that a server takes."""


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
    named = [_player(word) for word in words]
    bots = Counter(player.name for player in named if not player.is_dummy)
    counted: Counter[str] = Counter()

    def apart() -> Iterator[Player]:
        for player in named:
            counted[player.name] += 1
            if player.is_dummy or bots[player.name] == 1:
                yield player
            else:
                yield Player(f"{player.name}-{counted[player.name]}", player.command)

    return tuple(apart())


def _player(word: str) -> Player:
    if word == DUMMY:
        return Player(DUMMY)
    if word in POLICIES:
        return Player(word, (*COMMAND, "bot", word))
    try:
        command = tuple(shlex.split(word))
    except ValueError as error:
        raise UnusableBot(f"{word!r}: {error}") from None
    known = ", ".join(POLICIES)
    if not command:
        raise UnusableBot(f"a bot is a command, such as 'python first.py', or one of {known}")
    if shutil.which(command[0]) is None:
        raise UnusableBot(f"{word!r}: there is no command {command[0]!r}; a bot is a command, or one of {known}")
    return Player(_name(command), command)


def _name(command: Sequence[str]) -> str:
    """How a bot is called: after its own file, which is the last one named, else after the program."""
    files = [part for part in command[1:] if os.path.isfile(part)] or command[:1]
    name = Path(files[-1]).stem
    return "".join(filter(str.isprintable, name))[: LONGEST_NAME - 3] or "bot"
