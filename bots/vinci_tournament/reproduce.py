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
"""Key of the time in a line of a record, the only field that depends on when the game is played."""


@dataclass(frozen=True, slots=True)
class Difference:
    """First action in which two games from the same seed differ.

    Attributes:
        action: number of the action, from 1.
        seat: seat of its player, from 0.
        bot: name of its player.
        was: the action in the record, in notation; empty if the recorded game was over.
        now: the action in the new game; empty if the new game was over. If it equals `was`, the bot plays the same, and
            either the rules differ or the record was changed.
        changed: keys of the line that differ although its hash is the same, so that the record was changed.
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
    """Play a game again and return its first difference from the record; None if it is the same. Raises GameError."""
    before, after = ([json.loads(line) for line in text] for text in (lines, play(league, game).record.splitlines()))
    nothing: Line = {}
    for was, now in zip_longest(before, after, fillvalue=nothing):
        differ = sorted(key for key in was.keys() | now.keys() if key != CLOCK and was.get(key) != now.get(key))
        if differ:
            left = "do" not in was or str(now.get("do", "")).startswith("forfeit")
            line = now if left and "do" in now else was
            seat = int(line.get("seat", 1)) - 1
            forged = () if "hash" in differ else tuple(differ)
            return Difference(
                int(line.get("n", 0)), seat, game.bots[seat], was.get("do", ""), now.get("do", ""), forged
            )
    return None


def described(difference: Difference) -> str:
    """Describe where two games differ, as the end of a sentence."""
    if difference.changed:
        return f"at action {difference.action}: its record has another {', '.join(difference.changed)} than the game"
    if difference.was == difference.now:
        return f"at action {difference.action}: {difference.was or 'the start'} has other consequences with these rules"
    was, now = (repr(action) if action else "nothing any more" for action in (difference.was, difference.now))
    return f"at action {difference.action}: {difference.bot} in seat {difference.seat + 1} played {was}, and now {now}"
