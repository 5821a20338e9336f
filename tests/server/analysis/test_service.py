"""The analysis service: analysis of positions within a budget and a quota."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, cast

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tests.support.server.in_process import EASY, LAST_TURN, SOON, refused, within
from vinci.v1 import analysis_pb2 as pb
from vinci.v1 import game_pb2, lobby_pb2
from vinci_client.access import OPEN as ANYBODY
from vinci_client.access import Access as Key
from vinci_client.errors import ServerRefused, from_rpc
from vinci_client.session import Session
from vinci_codec import states
from vinci_rules import dummy, notation, position
from vinci_rules.board import load_board
from vinci_rules.chance import FairChance
from vinci_rules.editions import options
from vinci_rules.engine import apply, check, new_game
from vinci_server.analysis.server import AnalysisServer
from vinci_server.analysis.service import MOST_MILLISECONDS, MOST_PLAYOUTS, MOST_POSITIONS
from vinci_server.app import Server
from vinci_server.errors import ServiceError
from vinci_server.limits import USUAL, Limits, Traffic
from vinci_server.rpc import listener
from vinci_server.rpc.access import OPEN, ServerAccess

HERE: Final = "ipv4:10.0.0.1:5000"
SHORT: Final = EASY.replace("tiny;", "tiny; rules standard max_rounds=2;")
"""A game that is over after a few actions."""
OVER: Final = (
    "tiny; rules standard max_rounds=1; turn 3 over; "
    "seat 1 vp=30 | WEA+MIL ARA=9; seat 2 vp=30 | BAR+CUR COL=5; seat 3 vp=5 | AST+SLA HAM=2"
)
"""Seats 1 and 2 have won together."""
CALLS: Final = tuple(pb.DESCRIPTOR.services_by_name["AnalysisService"].methods)
REQUEST: Any = reflection_pb2.ServerReflectionRequest


@asynccontextmanager
async def analysing(
    access: ServerAccess = OPEN, limits: Limits = USUAL, key: Key = ANYBODY
) -> AsyncIterator[tuple[AnalysisServer, Session]]:
    """Start an analysis server and open a session with it."""
    server = await AnalysisServer.start("127.0.0.1", 0, access=access, limits=limits)
    try:
        async with Session(f"127.0.0.1:{server.port}", key) as session:
            yield server, session
    finally:
        await server.stop()


@pytest.fixture
async def session() -> AsyncIterator[Session]:
    """Open a session with an analysis server."""
    async with analysing() as (_, session):
        yield session


def line(text: str, *typed: str) -> pb.ActionLine:
    """Return a line of actions from a position."""
    return pb.ActionLine(position=text, actions=[game_pb2.Action(notation=one) for one in typed])


def explained(text: str, typed: str) -> pb.ExplainActionRequest:
    """Return a request to explain an action."""
    return pb.ExplainActionRequest(position=text, action=game_pb2.Action(notation=typed))


async def test_legal_actions_match_the_rules(session: Session) -> None:
    """Positions are answered in order, with costs and, on request, with their state."""
    request = pb.GetLegalActionsRequest(positions=[EASY, LAST_TURN, OVER], state=True)
    easy, last, over = (await session.analysis.GetLegalActions(request)).positions
    for answer, text in ((easy, EASY), (last, LAST_TURN), (over, OVER)):
        assert answer.legal == states.legal(position.read(text))
        assert answer.state == states.state(position.read(text))
    assert dict(zip(easy.legal.conquer, easy.legal.cost, strict=True)) == {"BOS": 3, "COL": 2, "FEN": 2}
    assert [answer.seat_to_act for answer in (easy, last, over)] == [1, 3, 0]
    plain = await session.analysis.GetLegalActions(pb.GetLegalActionsRequest(positions=[EASY]))
    assert not plain.positions[0].HasField("state")


async def test_actions_are_applied_as_in_a_match(session: Session) -> None:
    """With a seed the draws are those of a match with that seed; a line may change seats, and lines are independent."""
    state = new_game(load_board("tiny"), options((False, False, False)), FairChance("mine"))
    start = position.write(state)
    typed = []
    for _ in range(12):
        action = dummy.advise(state)
        typed.append(notation.write(action, state.board))
        apply(state, action, FairChance("mine"))
    request = pb.ApplyActionsRequest(
        lines=[line(start, *typed), line(EASY, "x COL", "hold ARA=8 COL=2")], seed="mine", state=True, legal=True
    )
    whole, short = (await session.analysis.ApplyActions(request)).lines
    assert whole.position == position.write(state)
    assert (whole.state, whole.legal) == (states.state(state), states.legal(state))
    assert [update.notation for update in whole.updates] == typed
    assert [update.revision for update in whole.updates] == list(range(1, 13))
    assert {update.seat for update in whole.updates} == {1, 2, 3}
    conquest, hold = short.updates
    assert conquest.action == game_pb2.Action(conquer=game_pb2.Conquer(province="COL"))
    assert conquest.events[0].conquered.cost == 2
    assert hold.events[-1].turn_started.seat == 2
    assert not short.HasField("refusal")


async def test_illegal_action_ends_its_line_with_rule_and_facts(session: Session) -> None:
    """A line stops at its first illegal action with rule and facts, and other lines continue."""
    request = pb.ApplyActionsRequest(lines=[line(EASY, "x COL", "x GOR", "x FEN"), line(EASY, "forfeit 2")])
    broken, forfeit = (await session.analysis.ApplyActions(request)).lines
    assert [update.notation for update in broken.updates] == ["x COL"]
    assert (broken.refusal.rule, broken.refusal.reason) == ("R-CONQ-1", "OutOfReach")
    assert broken.refusal.facts["province"] == "GOR"
    assert "COL=2" in broken.position
    assert forfeit.updates[0].seat == 2


@pytest.mark.parametrize("policy", [pb.POLICY_UNSPECIFIED, pb.POLICY_RANDOM, pb.POLICY_ADVICE])
async def test_equal_seeds_give_equal_playouts(session: Session, policy: "pb.Policy.ValueType") -> None:
    """Another seed gives other playouts."""

    async def run(seed: str) -> pb.RunPlayoutsResponse:
        request = pb.RunPlayoutsRequest(position=EASY, policy=policy, playouts=8, milliseconds=5000, seed=seed)
        return await session.analysis.RunPlayouts(request)

    first, again, other = await run("a"), await run("a"), await run("b")
    assert first == again
    assert first.playouts == 8
    assert len(first.vp) == 3
    assert sum(first.wins) == pytest.approx(1)
    assert other.vp != first.vp


async def test_playouts_of_a_finished_game(session: Session) -> None:
    """The result is that of the position: two seats share the win."""
    answer = await session.analysis.RunPlayouts(pb.RunPlayoutsRequest(position=OVER, playouts=4))
    assert (answer.playouts, list(answer.vp), list(answer.wins)) == (4, [30, 30, 5], [0.5, 0.5, 0])


async def test_playouts_end_with_their_time_budget(session: Session) -> None:
    """A millisecond is too short for one playout; more time allows more of them."""
    long = new_game(load_board("europe"), options((False,) * 6, max_rounds=1000, target=9999), FairChance("long"))
    request = pb.RunPlayoutsRequest(position=position.write(long), playouts=MOST_PLAYOUTS, milliseconds=1)
    answer = await within(session.analysis.RunPlayouts(request))
    assert (answer.playouts, list(answer.vp), list(answer.wins)) == (0, [], [])
    some = await session.analysis.RunPlayouts(pb.RunPlayoutsRequest(position=SHORT, milliseconds=300))
    assert 0 < some.playouts < MOST_PLAYOUTS


async def test_suggestion_of_a_policy(session: Session) -> None:
    """The action is that of the dummy policy; the random policy is legal and repeats itself with the same seed."""
    state = position.read(EASY)
    advised = await session.analysis.SuggestAction(pb.SuggestActionRequest(position=EASY))
    assert advised.notation == notation.write(dummy.advise(state), state.board)
    assert not advised.choices
    suggestions = set()
    for seed in "abcdefgh":
        request = pb.SuggestActionRequest(position=EASY, policy=pb.POLICY_RANDOM, seed=seed)
        answer = await session.analysis.SuggestAction(request)
        assert answer == await session.analysis.SuggestAction(request)
        assert check(state, notation.read(answer.notation, state.board)) is None
        suggestions.add(answer.notation)
    assert len(suggestions) > 1


async def test_suggestion_by_playouts(session: Session) -> None:
    """All legal actions get equally many playouts; in the last turn more land gives more VP."""
    last = "tiny; rules standard max_rounds=1; turn 3 start; seat 1 | WEA+MIL ARA=9; seat 2 | BAR+CUR; seat 3 | AST+SLA reserve=8 HAM"
    request = pb.SuggestActionRequest(position=last, playouts=3, milliseconds=5000, policy=pb.POLICY_ADVICE)
    answer = await session.analysis.SuggestAction(request)
    legal = states.legal(position.read(last))
    assert len(answer.choices) == len(legal.conquer) + len(legal.abandon) + legal.decline + legal.HasField("hold")
    assert {choice.playouts for choice in answer.choices} == {3}
    margins = [choice.margin for choice in answer.choices]
    assert margins == sorted(margins, reverse=True)
    assert answer.action == answer.choices[0].action
    assert answer.action.HasField("conquer")
    assert margins[0] > next(choice.margin for choice in answer.choices if choice.action.HasField("decline"))
    assert await session.analysis.SuggestAction(request) == answer


async def test_suggestion_without_time_for_playouts(session: Session) -> None:
    """Without time the policy's action is suggested, which is legal."""
    long = new_game(load_board("europe"), options((False,) * 6, max_rounds=1000, target=9999), FairChance("long"))
    request = pb.SuggestActionRequest(position=position.write(long), playouts=100, milliseconds=1)
    answer = await within(session.analysis.SuggestAction(request))
    assert (answer.notation, len(answer.choices)) == ("take 1", 0)


async def test_suggestion_for_an_open_decision(session: Session) -> None:
    """An open decision, of which no form is listed, has one candidate."""
    text = "tiny; turn 1 redeploy=2; seat 1 | WEA+MIL ARA=9; seat 2 survivors=3 | BAR+CUR COL=2 ERB=1; seat 3 | AST+SLA"
    answer = await session.analysis.SuggestAction(pb.SuggestActionRequest(position=text, playouts=2))
    (choice,) = answer.choices
    assert answer.notation == choice.notation
    assert answer.action.HasField("redeploy")


async def test_no_suggestion_for_a_finished_game(session: Session) -> None:
    """A finished game has no seat to act."""
    for number in (0, 1):
        call = session.analysis.SuggestAction(pb.SuggestActionRequest(position=OVER, playouts=number))
        assert (await refused(call)).reason == "GAME_OVER"


async def test_cost_is_itemised(session: Session) -> None:
    """The items add up to the cost, whether it is affordable or not."""
    answer = await session.analysis.ExplainAction(explained(EASY, "x BOS"))
    assert (answer.notation, answer.pawns, answer.HasField("refusal")) == ("x BOS", 3, False)
    assert {item.source: item.pawns for item in answer.cost} == {"terrain": 3, "pawns": 1, "weapons": -1}
    dear = await session.analysis.ExplainAction(explained(EASY.replace("reserve=9", "reserve=1"), "x BOS"))
    assert dear.cost == answer.cost
    assert (dear.refusal.rule, dict(dear.refusal.facts)) == (
        "R-CONQ-3",
        {"province": "BOS", "needed": "3", "available": "1"},
    )


async def test_illegal_action_is_explained_with_rule_and_facts(session: Session) -> None:
    """The violation has the fields of every other refusal."""
    answer = await session.analysis.ExplainAction(explained(EASY, "x GOR"))
    assert (answer.refusal.rule, answer.refusal.reason, len(answer.cost)) == ("R-CONQ-1", "OutOfReach", 0)
    assert answer.refusal.facts["reachable"] == "BOS COL FEN"


async def test_invalid_position_is_refused_with_all_faults(session: Session) -> None:
    """Every call names all faults of a position, and its place in the list."""
    wrong = "tiny; round x; turn 9 start; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+XXX; seat 3 | AST+SLA"
    for call in (
        session.analysis.RunPlayouts(pb.RunPlayoutsRequest(position=wrong)),
        session.analysis.SuggestAction(pb.SuggestActionRequest(position=wrong)),
        session.analysis.ExplainAction(explained(wrong, "stay")),
        session.analysis.GetLegalActions(pb.GetLegalActionsRequest(positions=[EASY, wrong])),
        session.analysis.ApplyActions(pb.ApplyActionsRequest(lines=[line(EASY, "x COL"), line(wrong, "stay")])),
    ):
        error = await refused(call)
        assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_POSITION")
        assert "XXX" in error.message
        assert "round" in error.message
        assert error.facts.get("place", "2") == "2"
    assert error.facts["place"] == "2"


@pytest.mark.parametrize(
    ("call", "request_", "reason", "which"),
    [
        ("GetLegalActions", pb.GetLegalActionsRequest(), "BAD_ANALYSIS", "POSITIONS"),
        ("GetLegalActions", pb.GetLegalActionsRequest(positions=[EASY] * 65), "BAD_ANALYSIS", "POSITIONS"),
        ("ApplyActions", pb.ApplyActionsRequest(), "BAD_ANALYSIS", "POSITIONS"),
        ("ApplyActions", pb.ApplyActionsRequest(lines=[line(EASY)] * 65), "BAD_ANALYSIS", "POSITIONS"),
        ("ApplyActions", pb.ApplyActionsRequest(lines=[line(EASY)]), "BAD_ACTION", "NONE"),
        ("ApplyActions", pb.ApplyActionsRequest(lines=[line(EASY, "x XYZ")]), "BAD_ACTION", "PROVINCE"),
        ("ApplyActions", pb.ApplyActionsRequest(lines=[line(EASY, *["x COL"] * 65)]), "TOO_MANY_ACTIONS", None),
        ("ApplyActions", pb.ApplyActionsRequest(lines=[line(EASY, "x COL")], seed="a b"), "BAD_SEED", "FORM"),
        ("RunPlayouts", pb.RunPlayoutsRequest(position=EASY, playouts=10_001), "BAD_ANALYSIS", "PLAYOUTS"),
        ("RunPlayouts", pb.RunPlayoutsRequest(position=EASY, milliseconds=5_001), "BAD_ANALYSIS", "MILLISECONDS"),
        ("RunPlayouts", pb.RunPlayoutsRequest(position=EASY, policy=99), "BAD_ANALYSIS", "POLICY"),  # type: ignore[arg-type]
        ("RunPlayouts", pb.RunPlayoutsRequest(position=EASY, seed="|"), "BAD_SEED", "FORM"),
        ("RunPlayouts", pb.RunPlayoutsRequest(position="x" * 4097), "BAD_POSITION", "LONG"),
        ("SuggestAction", pb.SuggestActionRequest(position=EASY, playouts=10_001), "BAD_ANALYSIS", "PLAYOUTS"),
        ("ExplainAction", pb.ExplainActionRequest(position=EASY), "BAD_ACTION", "EMPTY"),
    ],
)
async def test_invalid_requests_are_refused(
    session: Session, call: str, request_: Any, reason: str, which: str | None
) -> None:
    """Each refusal names the fault, and the service goes on."""
    error = await refused(getattr(session.analysis, call)(request_))
    assert (error.reason, error.facts.get("which")) == (reason, which)
    assert (await session.analysis.ExplainAction(explained(EASY, "x COL"))).pawns == 2


def test_limits_are_documented() -> None:
    """docs/limits.md and the comments of analysis.proto state the limits."""
    assert (MOST_POSITIONS, MOST_PLAYOUTS, MOST_MILLISECONDS) == (64, 10_000, 5_000)


@pytest.mark.parametrize("method", CALLS, ids=lambda method: method.name)
async def test_unparsable_request_is_malformed(method: Any) -> None:
    """A request that cannot be parsed is refused as in every service."""
    async with analysing() as (server, _), grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        call: Any = channel.unary_unary(f"/vinci.v1.AnalysisService/{method.name}")
        assert (await refused(call(b"\xff\xff"))).reason == "MALFORMED"
        assert (await refused(call(b""))).reason in ("BAD_ANALYSIS", "BAD_POSITION")


async def test_short_call_is_answered_during_playouts() -> None:
    """A short call does not wait for a long one, which ends when its caller cancels it."""
    async with analysing() as (_, session):
        long = session.analysis.RunPlayouts(pb.RunPlayoutsRequest(position=EASY, milliseconds=5000))
        for _ in range(5):
            assert (await within(session.analysis.ExplainAction(explained(EASY, "x COL")))).pawns == 2
        assert not long.done()
        long.cancel()


def test_cpu_quota_is_reserved_and_refunded() -> None:
    """A host that has used its seconds of a minute has to wait; another one does not."""
    traffic = Traffic(Limits(analysis_seconds_per_minute=6), lambda: 0)
    traffic.call(HERE)
    traffic.call("ipv4:10.0.0.2:1")
    reserved = traffic.analysis(HERE, 5)
    with pytest.raises(ServiceError) as caught:
        traffic.analysis(HERE, 5)
    assert (caught.value.reason, caught.value.facts["limit"]) == ("RATE_LIMITED", "analysis_seconds_per_minute")
    assert caught.value.facts["retry_after"] == "40.000"
    traffic.analysis("ipv4:10.0.0.2:1", 5)
    assert reserved.spend(1)
    reserved.release()
    traffic.analysis(HERE, 5)


def test_usage_may_exceed_the_reservation_within_the_quota() -> None:
    """Several cores use several seconds of CPU time in one second."""
    traffic = Traffic(Limits(analysis_seconds_per_minute=6), lambda: 0)
    reserved = traffic.analysis(HERE, 2)
    assert reserved.spend(1.5)
    assert reserved.spend(4)
    assert not reserved.spend(1)
    reserved.release()
    with pytest.raises(ServiceError) as caught:
        traffic.analysis(HERE, 0)
    assert caught.value.facts["retry_after"] == "5.000"


async def test_used_up_cpu_quota_is_refused_with_the_delay() -> None:
    """With a quota of one second a minute a second call during the first is refused."""
    async with analysing(limits=Limits(analysis_seconds_per_minute=1)) as (_, session):
        request = pb.RunPlayoutsRequest(position=EASY, milliseconds=1000)
        calls = [session.analysis.RunPlayouts(request) for _ in range(2)]
        answers = await asyncio.gather(*calls, return_exceptions=True)
        (answer,) = [one for one in answers if isinstance(one, pb.RunPlayoutsResponse)]
        (error,) = [from_rpc(one, "") for one in answers if isinstance(one, grpc.aio.AioRpcError)]
        assert answer.playouts > 0
        assert isinstance(error, ServerRefused)
        assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
        assert error.facts["limit"] == "analysis_seconds_per_minute"
        assert 0 < float(error.facts["retry_after"]) <= 60


async def test_calls_per_second_are_limited() -> None:
    """The limit of calls per host and second applies to this service too."""
    async with analysing(limits=Limits(calls_per_second=1)) as (_, session):
        answers = [session.analysis.ExplainAction(explained(EASY, "x COL")) for _ in range(20)]
        received = await asyncio.gather(*answers, return_exceptions=True)
        assert any(isinstance(one, grpc.aio.AioRpcError) for one in received)
        assert (await refused(session.analysis.ExplainAction(explained(EASY, "x COL")))).facts["limit"] == (
            "calls_per_second"
        )


async def test_join_code_is_required() -> None:
    """Without the join code nothing is computed."""
    async with analysing(ServerAccess(code="k3f9-xa2m"), key=Key("k3f9-xa2m")) as (server, session):
        assert (await session.call(session.analysis.ExplainAction, explained(EASY, "x COL"))).pawns == 2
        async with Session(f"127.0.0.1:{server.port}") as stranger:
            error = await refused(stranger.analysis.ExplainAction(explained(EASY, "x COL")))
            assert (error.reason, error.facts["needs"]) == ("NO_ACCESS", "code")


async def test_health_and_reflection() -> None:
    """Health and reflection know this service and no other."""
    async with analysing() as (server, _), grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        for name in ("", "vinci.v1.AnalysisService"):
            answer = await health.Check(health_pb2.HealthCheckRequest(service=name))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(cast(grpc.Channel, channel))
        (listed,) = [one async for one in stub.ServerReflectionInfo(iter([REQUEST(list_services="")]))]
        names = {service.name for service in listed.list_services_response.service}
        own = {"vinci.v1.AnalysisService", "grpc.health.v1.Health", *listener.REFLECTION_SERVICES}
        assert names == own


async def test_stop_returns_partial_results() -> None:
    """A stop of the server ends the budget of running calls, which return the playouts so far."""
    async with asyncio.timeout(SOON):
        server = await AnalysisServer.start("127.0.0.1", 0)
        async with Session(f"127.0.0.1:{server.port}") as session:
            call = session.analysis.RunPlayouts(pb.RunPlayoutsRequest(position=EASY, milliseconds=5000))
            await session.analysis.ExplainAction(explained(EASY, "x COL"))
            await server.stop()
            assert (await call).playouts < MOST_PLAYOUTS


async def test_server_info_has_the_analysis_port_only_if_served(server: Server) -> None:
    """Clients find the service by its port on the same host."""
    async with Session(f"127.0.0.1:{server.port}") as session:
        assert (await session.lobby.GetServerInfo(lobby_pb2.GetServerInfoRequest())).analysis_port == 0
        assert await session.analysis_address() == ""


async def test_server_info_has_the_analysis_port(tmp_path: Any) -> None:
    """The port belongs to the host by which the server is reached."""
    server = await Server.start("127.0.0.1", 0, tmp_path / "games.db", analysis_port=7655)
    try:
        async with Session(f"localhost:{server.port}") as session:
            assert await session.analysis_address() == "localhost:7655"
    finally:
        await server.stop()


@pytest.mark.parametrize("policy", [pb.POLICY_RANDOM, pb.POLICY_ADVICE])
async def test_every_position_of_a_game_can_be_analysed(session: Session, policy: "pb.Policy.ValueType") -> None:
    """The suggestion is always legal and leads to the next position."""
    start = new_game(load_board("tiny"), options((False, True, False), max_rounds=3), FairChance("whole"))
    text, phases = position.write(start), set()
    while True:
        (known,) = (
            await session.analysis.GetLegalActions(pb.GetLegalActionsRequest(positions=[text], state=True))
        ).positions
        phases.add(known.state.phase)
        if not known.seat_to_act:
            break
        suggested = await session.analysis.SuggestAction(
            pb.SuggestActionRequest(position=text, policy=policy, playouts=len(phases) % 2, seed="x")
        )
        played = pb.ApplyActionsRequest(lines=[pb.ActionLine(position=text, actions=[suggested.action])])
        (applied,) = (await session.analysis.ApplyActions(played)).lines
        assert not applied.HasField("refusal")
        text = applied.position
    assert {game_pb2.PHASE_DRAFT, game_pb2.PHASE_START, game_pb2.PHASE_OVER} <= phases
