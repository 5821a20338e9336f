"""Playing a game of a league again, and where it first comes out otherwise."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeAlias

from vinci_rules.record import Line

from . import worker
from .league import League
from .schedule import Game
from .worker import Outcome

Play: TypeAlias = Callable[[League, Game], Outcome]


@dataclass(frozen=True, slots=True)
class Difference:
    """The first action, from 1, in which two games from the same seed differ, and who played it, by seat from 0.

    `was` and `now` are actions in notation; one is empty where the other game was over. If they are the same, it
    was not the bot: the rules made something else of it.
    """

    action: int
    seat: int
    bot: str
    was: str
    now: str


def difference(league: League, game: Game, lines: Sequence[str], play: Play = worker.play) -> Difference | None:
    """Play a game again and compare it with its record; None if it is the same. Raises TableError."""
    before, after = ([json.loads(line) for line in one] for one in (lines, play(league, game).lines))
    nothing: Line = {}
    for was, now in zip_longest(before, after, fillvalue=nothing):
        if was.get("hash") != now.get("hash"):
            left = "do" not in was or str(now.get("do", "")).startswith("forfeit")
            told = now if left and "do" in now else was
            seat = int(told.get("seat", 1)) - 1
            return Difference(int(told.get("n", 0)), seat, game.bots[seat], was.get("do", ""), now.get("do", ""))
    return None


def described(found: Difference) -> str:
    """Where and by whom, as the end of a sentence."""
    if found.was == found.now:
        return f"at action {found.action}: {found.was or 'the start'} has other consequences with these rules"
    was, now = (repr(one) if one else "nothing any more" for one in (found.was, found.now))
    return f"at action {found.action}: {found.bot} in seat {found.seat + 1} played {was}, and now {now}"
