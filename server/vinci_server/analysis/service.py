"""The gRPC service for analysis. It knows positions only, and computes in threads, within a time limit."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final, TypeVar, final

from vinci.v1 import analysis_pb2 as pb
from vinci.v1 import game_pb2
from vinci_codec import actions, events, states
from vinci_codec.refusals import refusal
from vinci_rules import notation, position
from vinci_rules.actions import Forfeit
from vinci_rules.chance import Chance, FairChance
from vinci_rules.engine import check, explain, play
from vinci_rules.events import Event
from vinci_rules.state import State

from ..errors import ServiceError, refusing
from ..match.parsing import actions_on
from ..match.seats.setup import read_position
from ..rpc.gate import Gate
from ..rpc.handlers import Context
from . import playouts
from .playouts import IsUp, Policy

MOST_POSITIONS: Final = 64
MOST_PLAYOUTS: Final = 10_000
MOST_MILLISECONDS: Final = 5_000
USUAL_MILLISECONDS: Final = 1_000
QUICK_SECONDS: Final = 0.1
"""Seconds reserved for a call without playouts, more than most of them take."""
THREADS: Final = 16
"""Calls with playouts that share the time of the process; more wait. Calls without playouts do not wait."""
USUAL_SEED: Final = "analysis"
POLICIES: Final[dict[int, Policy]] = {
    pb.POLICY_UNSPECIFIED: playouts.advised,
    pb.POLICY_RANDOM: playouts.at_random,
    pb.POLICY_ADVICE: playouts.advised,
}

T = TypeVar("T")


@final
class AnalysisService:
    """Legal actions, outcomes of actions, playouts, suggestions, explanations."""

    def __init__(self, gate: Gate) -> None:
        self._gate: Final = gate
        self._playouts: Final = ThreadPoolExecutor(THREADS)
        self._quick: Final = ThreadPoolExecutor(1)
        self._closing: Final = threading.Event()

    async def get_legal_actions(
        self, request: pb.GetLegalActionsRequest, context: Context
    ) -> pb.GetLegalActionsResponse:
        """Return the legal actions in some positions."""
        _check_positions(len(request.positions))

        def work() -> pb.GetLegalActionsResponse:
            answer = pb.GetLegalActionsResponse()
            for place, text in enumerate(request.positions, start=1):
                with _told_where(place):
                    state = read_position(text)
                answer.positions.add(
                    seat_to_act=0 if state.phase == "over" else state.actor + 1,
                    legal=states.legal(state),
                    state=states.state(state) if request.state else None,
                )
            return answer

        return await self._quickly(context, work)

    async def apply_actions(self, request: pb.ApplyActionsRequest, context: Context) -> pb.ApplyActionsResponse:
        """Apply actions to some positions."""
        _check_positions(len(request.lines))
        chance = FairChance(_seed(request.seed))

        def work() -> pb.ApplyActionsResponse:
            answer = pb.ApplyActionsResponse()
            for place, line in enumerate(request.lines, start=1):
                with _told_where(place):
                    state, applied = _applied(line, chance)
                if request.state:
                    applied.state.CopyFrom(states.state(state))
                if request.legal:
                    applied.legal.CopyFrom(states.legal(state))
                answer.lines.append(applied)
            return answer

        return await self._quickly(context, work)

    async def run_playouts(self, request: pb.RunPlayoutsRequest, context: Context) -> pb.RunPlayoutsResponse:
        """Play a position to the end, several times."""
        policy, number, seconds, seed = _wanted(request)

        def work(is_up: IsUp) -> pb.RunPlayoutsResponse:
            state = read_position(request.position)
            result = playouts.tally(state, policy, number or MOST_PLAYOUTS, seed, is_up)
            return pb.RunPlayoutsResponse(playouts=result.playouts, vp=result.vp(), wins=result.wins())

        return await self._computed(context, seconds, self._playouts, work)

    async def suggest_action(self, request: pb.SuggestActionRequest, context: Context) -> pb.SuggestActionResponse:
        """Return the action of a policy, or the best one in playouts."""
        policy, number, seconds, seed = _wanted(request)

        def work(is_up: IsUp) -> pb.SuggestActionResponse:
            state = read_position(request.position)
            if state.phase == "over":
                raise ServiceError("GAME_OVER", "NOBODY")
            choices = playouts.compare(state, policy, number, seed, is_up)
            best = choices[0][0] if choices else playouts.choose(state, policy, seed)
            return pb.SuggestActionResponse(
                action=actions.to_message(best, state.board),
                notation=notation.write(best, state.board),
                choices=[
                    pb.Choice(
                        action=actions.to_message(action, state.board),
                        notation=notation.write(action, state.board),
                        playouts=tally.playouts,
                        margin=tally.margin(state.actor),
                        wins=tally.wins()[state.actor],
                    )
                    for action, tally in choices
                ],
            )

        if not number:
            return await self._quickly(context, lambda: work(lambda: False))
        return await self._computed(context, seconds, self._playouts, work)

    async def explain_action(self, request: pb.ExplainActionRequest, context: Context) -> pb.ExplainActionResponse:
        """Return the cost of an action, or why it is illegal."""

        def work() -> pb.ExplainActionResponse:
            state = read_position(request.position)
            (action,) = actions_on(state.board, [request.action])
            cost = explain(state, action)
            violation = check(state, action)
            return pb.ExplainActionResponse(
                notation=notation.write(action, state.board),
                cost=[game_pb2.CostItem(source=source, pawns=pawns) for source, pawns in cost],
                pawns=max(0, sum(pawns for _, pawns in cost)),
                refusal=None if violation is None else refusal(violation, state.board),
            )

        return await self._quickly(context, work)

    def close(self) -> None:
        """Stop all computations: they return what they have."""
        self._closing.set()

    async def _quickly(self, context: Context, work: Callable[[], T]) -> T:
        """Return the result of work without playouts."""
        return await self._computed(context, QUICK_SECONDS, self._quick, lambda _: work())

    async def _computed(self, context: Context, seconds: float, threads: Executor, work: Callable[[IsUp], T]) -> T:
        """Return the result of work within its time, reserved from the host's allowance; unused time is given back."""
        settle = self._gate.traffic.analysis(context.peer(), seconds)
        end = time.monotonic() + seconds
        gone = threading.Event()
        taken = seconds

        def is_up() -> bool:
            return time.monotonic() >= end or gone.is_set() or self._closing.is_set()

        def timed() -> T:
            nonlocal taken
            begin = time.thread_time()
            try:
                return work(is_up)
            finally:
                taken = time.thread_time() - begin

        try:
            return await asyncio.get_running_loop().run_in_executor(threads, timed)
        finally:
            gone.set()
            settle(taken)


def _applied(line: pb.ActionLine, chance: Chance) -> tuple[State, pb.AppliedLine]:
    """Return the position after the actions of a line, up to the first illegal one, and the answer for the line."""
    state = read_position(line.position)
    board, applied = state.board, pb.AppliedLine()
    for number, action in enumerate(actions_on(board, line.actions), start=1):
        violation = check(state, action)
        if violation is not None:
            applied.refusal.CopyFrom(refusal(violation, board))
            break
        seat = action.seat if isinstance(action, Forfeit) else state.actor
        happened: list[Event] = []
        play(state, action, chance, happened)
        applied.updates.add(
            revision=number,
            seat=seat + 1,
            action=actions.to_message(action, board),
            notation=notation.write(action, board),
            events=[events.event(event, board) for event in happened],
        )
    applied.position = position.write(state)
    return state, applied


@contextmanager
def _told_where(place: int) -> Iterator[None]:
    """Add the number of the position, counted from 1, to a refusal."""
    try:
        yield
    except ServiceError as error:
        raise error.at_position(place) from None


def _check_positions(number: int) -> None:
    if not 1 <= number <= MOST_POSITIONS:
        raise ServiceError("BAD_ANALYSIS", "POSITIONS", number=number, most=MOST_POSITIONS)


def _wanted(request: pb.RunPlayoutsRequest | pb.SuggestActionRequest) -> tuple[Policy, int, float, str]:
    """Return the policy, number, seconds and seed of playouts."""
    if request.policy not in POLICIES:
        raise ServiceError("BAD_ANALYSIS", "POLICY", number=request.policy, most=max(POLICIES))
    for which, number, most in (
        ("PLAYOUTS", request.playouts, MOST_PLAYOUTS),
        ("MILLISECONDS", request.milliseconds, MOST_MILLISECONDS),
    ):
        if number > most:
            raise ServiceError("BAD_ANALYSIS", which, number=number, most=most)
    seconds = (request.milliseconds or USUAL_MILLISECONDS) / 1000
    return POLICIES[request.policy], request.playouts, seconds, _seed(request.seed)


def _seed(text: str) -> str:
    with refusing():
        return FairChance(text or USUAL_SEED).seed
