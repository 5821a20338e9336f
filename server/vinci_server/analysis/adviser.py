"""Advice for the matches of a server, computed by workers within the allowance of whoever asks."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar, final

import structlog

from vinci.v1 import game_pb2
from vinci_rules import notation, position
from vinci_rules.actions import Action
from vinci_rules.chance import FastChance
from vinci_rules.engine import play
from vinci_rules.state import State

from ..errors import ServiceError
from ..limits import Traffic, host_of
from .pool import Pool
from .tasks import AdviceQuestion

SECONDS: Final = 1.0
"""Time for an advice in a match."""
SEED: Final = "advice"
MOST_KEPT: Final = 1000
"""Positions whose advice is kept."""

T = TypeVar("T")
_log = structlog.get_logger()


async def advised(
    pool: Pool, traffic: Traffic, peer: str, question: AdviceQuestion, seconds: float
) -> game_pb2.Advice | None:
    """Return the advice that workers give within a time; None if it was up before one was free. Raises ServiceError."""

    async def compute(spend: Callable[[float], bool]) -> game_pb2.Advice | None:
        answer = await pool.advise(host_of(peer), question, seconds, spend)
        return None if answer is None else game_pb2.Advice(**answer)

    return await within_quota(traffic, peer, seconds, compute)


async def within_quota(
    traffic: Traffic, peer: str, seconds: float, work: Callable[[Callable[[float], bool]], Awaitable[T]]
) -> T:
    """Return the result of work, whose time is reserved from the host's allowance.

    Args:
        traffic: the allowances.
        peer: the address of the caller; if it cancels the call, it is charged for all of the time.
        seconds: the time.
        work: is given the function that counts CPU seconds and returns whether the host may use more.

    Raises:
        ServiceError: the allowance is used up.
    """
    reserved = traffic.analysis(peer, seconds)
    try:
        return await work(reserved.spend)
    except asyncio.CancelledError:
        reserved.spend(seconds)
        raise
    finally:
        reserved.release()


@final
class Adviser:
    """Gives advice for matches with so many workers, which start when they are needed.

    A search ends with its time, so that a second one could prefer another plan and expect another result, although
    nothing but what was planned has happened: the answer for a position is kept, also for those that its plan leads to.
    `_kept` has answers by position and action asked about, empty for none.
    """

    def __init__(self, traffic: Traffic, workers: int) -> None:
        self._traffic: Final = traffic
        self._pool: Final = Pool(workers)
        self._workers: Final = workers
        self._kept: Final[dict[str, dict[str, game_pb2.Advice]]] = {}

    async def advise(self, peer: str, state: State, asked: Action | None) -> game_pb2.Advice | None:
        """Return advice for the seat to act, or None without workers, time or allowance.

        Args:
            peer: the address of the caller.
            state: the position; it may change while this waits.
            asked: a legal action to compare with the best plan.
        """
        if not self._workers:
            return None
        place, text = position.write(state), "" if asked is None else notation.write(asked, state.board)
        kept = self._kept.get(place, {})
        if text and "" in kept and kept[""].plan[0] == text:
            _keep(kept, text, game_pb2.Advice(comparison=game_pb2.ActionComparison(plan=kept[""].plan)))
        elif text not in kept:
            question = AdviceQuestion(place, SEED, text, list(kept[""].plan) if "" in kept else ())
            found = await self._searched(peer, question)
            if found is not None:
                kept = self._kept.setdefault(place, kept)  # others may have asked, or it was forgotten, meanwhile
                if _keep(kept, text, found):
                    self._follow(position.read(place), kept[""])
        while len(self._kept) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        return kept.get(text) or kept.get("")

    def _follow(self, state: State, advice: game_pb2.Advice) -> None:
        """Keep advice with what is left of its plan at the positions that the plan leads to within the turn."""
        left = game_pb2.Advice()
        left.CopyFrom(advice)
        for field in ("decline", "next_taken"):  # of the first action
            left.ClearField(field)
        while len(left.plan) > 1:
            play(state, notation.read(left.plan.pop(0), state.board), FastChance(0))
            rest = game_pb2.Advice()
            rest.CopyFrom(left)
            self._kept[position.write(state)] = {"": rest}

    async def _searched(self, peer: str, question: AdviceQuestion) -> game_pb2.Advice | None:
        """Return what a worker finds; None without time or allowance."""
        try:
            return await advised(self._pool, self._traffic, peer, question, SECONDS)
        except ServiceError:
            return None
        except RuntimeError as error:
            _log.error("no advice", error=str(error))
            return None

    def plans(self) -> dict[str, list[str]]:
        """Return the plans that were suggested lately, by position."""
        return {place: list(kept[""].plan) for place, kept in self._kept.items() if "" in kept}

    @property
    def pids(self) -> list[int]:
        """The process ids of all workers."""
        return self._pool.pids

    def close(self) -> None:
        """End all calls: those whose search has not begun return without advice."""
        self._pool.close()

    async def stop(self) -> None:
        """End the workers."""
        await self._pool.stop()


def _keep(kept: dict[str, game_pb2.Advice], asked: str, found: game_pb2.Advice) -> bool:
    """Keep advice with the plan that was advised before, unless the action asked about is now found to be best.

    Returns whether another plan than before is advised.
    """
    if asked in kept:
        return False
    is_new = "" not in kept or found.comparison.plan == found.plan
    if is_new:
        kept.clear()
        kept[""] = game_pb2.Advice()
        kept[""].CopyFrom(found)
        kept[""].ClearField("comparison")
    if asked:
        kept[asked] = game_pb2.Advice(comparison=found.comparison)
        kept[asked].MergeFrom(kept[""])
    return is_new
