"""Ways in which results choose the blocks of a league, and what they decide. The type checker names a forgotten one."""

from collections.abc import Sequence
from functools import partial

from ..definition.league import League
from ..results.result import Result
from .choice import Choose
from .ladder import Ladder
from .rounds import knocked_out, swiss
from .scores import Scores


def choose(league: League) -> Choose:
    """Return the function that chooses the blocks of a league by its results. Raises ValueError for another league."""
    match league.kind.pairing:
        case "swiss":
            return partial(swiss, league)
        case "knock-out":
            return partial(knocked_out, league)
        case "ladder":
            return Ladder(league).choose
        case None:
            raise ValueError(f"the blocks of a {league.format} league do not depend on its results")


def outcome(league: League, results: Sequence[Result], last: Sequence[tuple[str, float]], *, is_over: bool) -> str:
    """Return who won, or the order so far, as a sentence; empty if the ratings tell it.

    `last` are the bots of the last table with their scores there, the best first.
    """
    match league.kind.pairing:
        case "swiss":
            scores = Scores(league, results)
            ordered = scores.shown(scores.ordered(bot.name for bot in league.bots))
            order = ", ".join(f"{place} {bot} {score:.3f}" for place, (bot, score) in enumerate(ordered.items(), 1))
            return f"By Swiss score, the mean share of opponents that a bot was ahead of: {order}."
        case "knock-out":
            order = ", ".join(f"{bot} {score:.3f}" for bot, score in last)
            won = f"{last[0][0]} won the knock-out; shares of opponents ahead of in the final: {order}."
            return won if is_over else ""
        case "ladder" | None:
            return ""
