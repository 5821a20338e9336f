"""Reviews a recorded game in worker processes, and yields the lines of the review.

The only part of reviews that uses the rules: clients run it by `process`.
"""

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from vinci_players import review, review_lines
from vinci_rules import record
from vinci_tournament.play.worker_pool import pool_of

from ..exceptions import Failed
from ..text.i18n import _


def lines(
    played: Sequence[str], simulations: int, seed: str, seats: Collection[int] = (), workers: int = 1
) -> Iterator[dict[str, Any]]:
    """Review a record and yield the lines of its review, those of turns in order.

    Args:
        played: the lines of the record.
        simulations: simulations of each turn played, and of each one preferred.
        seed: seed of the review.
        seats: seats whose turns are compared with others, from 1; all without any.
        workers: processes that work at most; with one it is this process.

    Raises:
        Failed: the record is wrong, has no turn or no such seat, or a worker was ended.
    """
    try:
        turns = review.turns(played)
    except record.RecordError as error:
        raise Failed(str(error)) from None
    if not turns:
        raise Failed(_("no turn was played in this game, so there is nothing to review"))
    number = len(turns[0].start.vp)
    if wrong := [seat for seat in seats if not 1 <= seat <= number]:
        raise Failed(_("there is no seat {seat}; this game has {number} seats").format(seat=wrong[0], number=number))
    try:
        with pool_of(min(workers, len(turns))) as pool:
            yield from review_lines.lines(turns, record.last_hash(played), simulations, seed, seats, pool)
    except BrokenProcessPool:
        text = _("a worker process was ended from outside, so there is no review; --workers 1 starts none")
        raise Failed(text) from None
