"""The gRPC service for analysis. It knows positions only; workers play playouts, within a time limit."""

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, TypeVar, final

from vinci.v1 import analysis_pb2 as pb
from vinci.v1 import game_pb2
from vinci_codec import actions, events, states
from vinci_codec.events import refusal
from vinci_rules import notation, position
from vinci_rules.actions import Action, Forfeit
from vinci_rules.chance import Chance, FairChance
from vinci_rules.engine import check, explain, play
from vinci_rules.events import Event
from vinci_rules.playout import Tally
from vinci_rules.state import State

from ..errors import ServiceError, refusing
from ..limits import host_of
from ..match.parsing import actions_on, asked_about
from ..match.seats.setup import read_position
from ..rpc.admission import Admission
from ..rpc.handlers import Context
from .adviser import advised, within_quota
from .playouts import PolicyName, Question, candidates, choose
from .pool import Pool
from .tasks import AdviceQuestion

MOST_POSITIONS: Final = 64
MOST_PLAYOUTS: Final = 10_000
MOST_MILLISECONDS: Final = 5_000
USUAL_MILLISECONDS: Final = 1_000
QUICK_SECONDS: Final = 0.1
"""Seconds reserved for a call without playouts, more than most of them take."""
USUAL_SEED: Final = "analysis"
POLICIES: Final[dict[int, PolicyName]] = {
    pb.POLICY_UNSPECIFIED: "advice",
    pb.POLICY_RANDOM: "random",
    pb.POLICY_ADVICE: "advice",
}

T = TypeVar("T")


@final
class AnalysisService:
    """Legal actions, outcomes of actions, playouts, suggestions, explanations; with so many workers for playouts."""

    def __init__(self, admission: Admission, workers: int) -> None:
        self._admission: Final = admission
        self._quick: Final = ThreadPoolExecutor(1)
        self.pool: Final = Pool(workers)

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
        state = read_position(request.position)
        question = Question(request.position, policy, seed, compares=False)
        tallies = await self._played(context, question, number or MOST_PLAYOUTS, seconds)
        tally = tallies.get(0, Tally(len(state.vp)))
        return pb.RunPlayoutsResponse(playouts=tally.playouts, vp=tally.mean_vp(), wins=tally.win_shares())

    async def suggest_action(self, request: pb.SuggestActionRequest, context: Context) -> pb.SuggestActionResponse:
        """Return the action of a policy, the best one in playouts, or the first one of the best plan with reasons."""
        policy, number, seconds, seed = _wanted(request)
        state = read_position(request.position)
        if state.phase == "over":
            raise ServiceError("GAME_OVER", "NOBODY")
        seat, board = state.actor, state.board
        advice: game_pb2.Advice | None = None
        if request.reasons:
            asked = asked_about(request, state)
            question = AdviceQuestion(request.position, seed, notation.write(asked, board) if asked else "")
            if number:
                question, number = replace(question, work=number), 0
            advice = await advised(self.pool, self._admission.traffic, context.peer(), question, seconds)
        choices: list[tuple[Action, Tally]] = []
        if number:
            tried = candidates(state)
            playouts = Question(request.position, policy, seed, compares=True)
            tallies = await self._played(context, playouts, number * len(tried), seconds)
            choices = [(tried[place], tallies[place]) for place in sorted(tallies)]
            choices.sort(key=lambda choice: -choice[1].margin(seat))
        if advice is not None:
            best = notation.read(advice.plan[0], board)
        else:
            best = choices[0][0] if choices else await self._quickly(context, lambda: choose(state, policy, seed))
        return pb.SuggestActionResponse(
            action=actions.to_message(best, board),
            notation=notation.write(best, board),
            choices=[
                pb.Choice(
                    action=actions.to_message(action, board),
                    notation=notation.write(action, board),
                    playouts=tally.playouts,
                    margin=tally.margin(seat),
                    wins=tally.win_shares()[seat],
                )
                for action, tally in choices
            ],
            advice=advice,
        )

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
        """Stop all playouts: their calls return what they have."""
        self.pool.close()

    async def stop(self) -> None:
        """End the workers."""
        await self.pool.stop()

    async def _quickly(self, context: Context, work: Callable[[], T]) -> T:
        """Return the result of work without playouts, which is charged to the host's allowance."""
        reserved = self._admission.traffic.analysis(context.peer(), QUICK_SECONDS)
        taken = QUICK_SECONDS

        def timed() -> T:
            nonlocal taken
            begin = time.thread_time()
            try:
                return work()
            finally:
                taken = time.thread_time() - begin

        try:
            return await asyncio.get_running_loop().run_in_executor(self._quick, timed)
        finally:
            reserved.spend(taken)
            reserved.release()

    async def _played(self, context: Context, question: Question, number: int, seconds: float) -> dict[int, Tally]:
        """Return the tallies of playouts within their time, which is reserved from the host's allowance."""
        peer = context.peer()

        async def compute(spend: Callable[[float], bool]) -> dict[int, Tally]:
            return await self.pool.compute(host_of(peer), question, number, seconds, spend)

        return await within_quota(self._admission.traffic, peer, seconds, compute)


def cores() -> int:
    """Return the number of cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on macOS and Windows
    return len(affinity(0)) if affinity else os.cpu_count() or 1


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


def _wanted(request: pb.RunPlayoutsRequest | pb.SuggestActionRequest) -> tuple[PolicyName, int, float, str]:
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
