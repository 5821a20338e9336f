"""Advice for the matches of a server, computed by workers within the allowance of whoever asks."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar, final

import structlog

from vinci.v1 import game_pb2
from vinci_rules import notation, position
from vinci_rules.actions import Action
from vinci_rules.state import State

from ..errors import ServiceError
from ..limits import Traffic, host_of
from .pool import Pool
from .tasks import AdviceQuestion

SECONDS: Final = 1.0
"""Time for an advice in a match."""
SEED: Final = "advice"

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
    """Gives advice for matches with so many workers, which start when they are needed."""

    def __init__(self, traffic: Traffic, workers: int) -> None:
        self._traffic: Final = traffic
        self._pool: Final = Pool(workers)
        self._workers: Final = workers

    async def advise(self, peer: str, state: State, asked: Action | None) -> game_pb2.Advice | None:
        """Return advice for the seat to act, or None without workers, time or allowance.

        Args:
            peer: the address of the caller.
            state: the position; it may change while this waits.
            asked: a legal action to compare with the best plan.
        """
        if not self._workers:
            return None
        text = "" if asked is None else notation.write(asked, state.board)
        question = AdviceQuestion(position.write(state), SEED, text)
        try:
            return await advised(self._pool, self._traffic, peer, question, SECONDS)
        except ServiceError:
            return None
        except RuntimeError as error:
            _log.error("no advice", error=str(error))
            return None

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
