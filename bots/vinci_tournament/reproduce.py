"""Plays a game of a league again and finds the first line of its record that differs."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from vinci_rules.record import Line

from .definition.league import League
from .definition.schedule import ScheduledGame
from .play import worker
from .play.worker import Play

CLOCK: Final = "time"
"""Key of a record's line with the time of its storage, the only field that depends on when the game is played."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first action, from 1, in which two games from the same seed differ, and who played it, by seat from 0.

    `was` and `now` are actions in notation; one is empty where the other game was over. If they are the same, it was
    not the bot: either the rules made something else of it, or the record was changed, and `changed` names the keys of
    its line that differ while its hash is still the one of the game.
    """

    action: int
    seat: int
    bot: str
    was: str
    now: str
    changed: tuple[str, ...] = ()


def difference(
    league: League, game: ScheduledGame, lines: Sequence[str], play: Play = worker.play
) -> Difference | None:
    """Play a game again and compare it with its record, line by line; None if all is the same. Raises TableError."""
    before, after = ([json.loads(line) for line in one] for one in (lines, play(league, game).record.splitlines()))
    nothing: Line = {}
    for was, now in zip_longest(before, after, fillvalue=nothing):
        differ = sorted(key for key in was.keys() | now.keys() if key != CLOCK and was.get(key) != now.get(key))
        if differ:
            left = "do" not in was or str(now.get("do", "")).startswith("forfeit")
            told = now if left and "do" in now else was
            seat = int(told.get("seat", 1)) - 1
            forged = () if "hash" in differ else tuple(differ)
            return Difference(
                int(told.get("n", 0)), seat, game.bots[seat], was.get("do", ""), now.get("do", ""), forged
            )
    return None


def described(found: Difference) -> str:
    """Where and by whom, as the end of a sentence."""
    if found.changed:
        return f"at action {found.action}: its record has another {', '.join(found.changed)} than the game"
    if found.was == found.now:
        return f"at action {found.action}: {found.was or 'the start'} has other consequences with these rules"
    was, now = (repr(one) if one else "nothing any more" for one in (found.was, found.now))
    return f"at action {found.action}: {found.bot} in seat {found.seat + 1} played {was}, and now {now}"
