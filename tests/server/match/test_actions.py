"""Act over gRPC: played actions, refusals with facts, and idempotent requests."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
from pathlib import Path

import grpc
import pytest

from tests.support.server.in_process import (
    EASY,
    HUMAN,
    LAST_TURN,
    SOON,
    Table,
    bearer,
    create,
    join,
    refused,
    serving,
    table,
    updates,
    within,
)
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_rules import notation, position, record
from vinci_rules.state import Seat
from vinci_server.lobby import Lobby
from vinci_server.match.audience import presence
from vinci_server.match.audience.watchers import Detail, Revision
from vinci_server.match.seats import seating
from vinci_server.storage.store import Store

INVALID = grpc.StatusCode.INVALID_ARGUMENT
FAILED = grpc.StatusCode.FAILED_PRECONDITION


def texts(response: match_pb2.ActResponse) -> list[str]:
    """Return the actions that were played."""
    return [update.notation for update in response.updates]


async def test_legal_action_is_answered_with_state_and_events(session: Session) -> None:
    at = await table(session)
    response = await at.act(1, "x FEN")
    (update,) = response.updates
    assert (response.revision, update.revision, update.seat, update.by) == (1, 1, 1, "player")
    assert update.action.conquer.province == "FEN"
    assert update.events[0].conquered == game_pb2.Conquered(
        seat=1, province="FEN", cost=2, held=game_pb2.HOLDING_NEUTRAL, lost=1
    )
    assert update.state.owners[list(update.state.provinces).index("FEN")] == 1
    assert (await at.get()).revision == 1


async def test_structured_and_textual_actions_are_equal(session: Session) -> None:
    typed, text = await table(session), await table(session)
    await session.act(typed.match_id, typed.tokens[0], [game_pb2.Action(conquer=game_pb2.Conquer(province="FEN"))])
    await text.act(1, "x fen")
    histories = [await updates(at.watch(1, position=True), 1) for at in (typed, text)]
    assert histories[0] == histories[1]


async def test_actions_of_a_turn_are_played_in_order(session: Session) -> None:
    at = await table(session)
    response = await at.act(1, "x FEN", "x BOS", "hold ARA=4 BOS=3 FEN=3")
    assert texts(response) == ["x FEN", "x BOS", "hold ARA=4 BOS=3 FEN=3"]
    assert not response.HasField("refusal")
    assert response.updates[-1].state.seat_to_act == 2


async def test_actions_are_played_until_the_first_refused_one(session: Session) -> None:
    at = await table(session)
    response = await at.act(1, "x FEN", "x GOR", "x BOS")
    assert texts(response) == ["x FEN"]
    assert (response.revision, response.refusal.rule, response.refusal.reason) == (1, "R-CONQ-1", "OutOfReach")
    assert (await at.get()).revision == 1


@pytest.mark.parametrize(
    ("action", "rule", "violation", "facts"),
    [
        ("x GOR", "R-CONQ-1", "OutOfReach", {"province": "GOR", "reachable": "BOS COL FEN"}),
        ("x ARA", "R-CONQ-8", "OwnProvince", {"province": "ARA"}),
        ("x FEN spy", "R-CONQ-7", "NoSpies", {"copies": "0"}),
        ("hold ARA=9", "R-REORG-1", "WrongNumberOfPawns", {"placed": "9", "least": "10", "most": "10"}),
        ("peace 2", "R-PEACE-1", "NoMorePeace", {"copies": "0"}),
        ("take 1", "R-MOB-5", "NotNow", {"phase": "start", "legal": "decline peace abandon x hold"}),
    ],
)
async def test_illegal_action_is_refused_with_rule_and_facts(
    session: Session, action: str, rule: str, violation: str, facts: dict[str, str]
) -> None:
    at = await table(session)
    error = await refused(at.act(1, action))
    assert (error.code, error.reason) == (FAILED, "ILLEGAL_ACTION")
    error_facts = dict(error.facts)
    if violation == "NotNow":
        assert set(error_facts.pop("legal").split()) == set(facts["legal"].split())
        facts = {"phase": "start"}
    assert error_facts == {"rule": rule, "violation": violation} | facts
    assert rule in error.message
    assert (await at.get()).revision == 0


async def test_refusal_for_lack_of_pawns_has_needed_and_available(session: Session) -> None:
    at = await table(session, EASY.replace("reserve=9", "reserve=1"))
    error = await refused(at.act(1, "x BOS"))
    assert error.facts == {
        "rule": "R-CONQ-3",
        "violation": "NotEnoughPawns",
        "province": "BOS",
        "needed": "3",
        "available": "1",
    }


async def test_acting_out_of_turn_is_refused(session: Session) -> None:
    at = await table(session)
    error = await refused(at.act(2, "x FEN"))
    assert (error.code, error.reason) == (FAILED, "NOT_YOUR_TURN")
    assert "seat 1" in error.message


async def test_seat_forfeits_itself_out_of_turn(session: Session) -> None:
    at = await table(session)
    error = await refused(at.act(2, "forfeit 3"))
    assert (error.code, error.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOUR_SEAT")
    assert texts(await at.act(2, "forfeit 2")) == ["forfeit 2"]
    assert (await refused(at.act(2, "forfeit 2", request_id="again"))).facts["violation"] == "NoSuchSeat"


@pytest.mark.parametrize(
    "action", ["", "fly ALP", "x", "x ZZZ", "x FEN now", "take two", "hold ARA", "hold ARA=", "stay 1"]
)
async def test_malformed_notation_is_refused_before_the_rules(session: Session, action: str) -> None:
    at = await table(session)
    error = await refused(at.act(1, action))
    assert (error.code, error.reason) == (INVALID, "BAD_ACTION")


@pytest.mark.parametrize(
    "action",
    [
        game_pb2.Action(),
        game_pb2.Action(conquer=game_pb2.Conquer()),
        game_pb2.Action(abandon=game_pb2.Abandon(province="ZZZ")),
        game_pb2.Action(hold=game_pb2.Hold(provinces=["ARA"], pawns=[1, 2])),
        game_pb2.Action(hold=game_pb2.Hold(forts=["ZZZ"])),
        game_pb2.Action(redeploy=game_pb2.Redeploy(provinces=["ARA"])),
    ],
)
async def test_malformed_structured_action_is_refused_before_the_rules(
    session: Session, action: game_pb2.Action
) -> None:
    at = await table(session)
    error = await refused(
        session.match.Act(
            match_pb2.ActRequest(match_id=at.match_id, request_id="1", actions=[action]),
            metadata=bearer(at.tokens[0]),
        )
    )
    assert (error.code, error.reason) == (INVALID, "BAD_ACTION")


@pytest.mark.parametrize(
    "action",
    [
        game_pb2.Action(take=game_pb2.Take(slot=0)),
        game_pb2.Action(take=game_pb2.Take(slot=7)),
        game_pb2.Action(take=game_pb2.Take(slot=2**32 - 1)),
        game_pb2.Action(peace=game_pb2.Peace(seat=0)),
        game_pb2.Action(peace=game_pb2.Peace(seat=2**32 - 1)),
        game_pb2.Action(hold=game_pb2.Hold()),
        game_pb2.Action(hold=game_pb2.Hold(provinces=["ARA", "ARA"], pawns=[5, 5])),
        game_pb2.Action(hold=game_pb2.Hold(provinces=["ARA", "FEN"], pawns=[10, 0])),
        game_pb2.Action(hold=game_pb2.Hold(provinces=["ARA"], pawns=[2**32 - 1])),
        game_pb2.Action(hold=game_pb2.Hold(provinces=["ARA"], pawns=[10], forts=["ARA", "ARA"])),
        game_pb2.Action(redeploy=game_pb2.Redeploy()),
    ],
)
@pytest.mark.parametrize("at_draft", [False, True])
async def test_out_of_range_numbers_are_refused_by_a_rule(
    session: Session, action: game_pb2.Action, at_draft: bool
) -> None:
    at = await table(session)
    if at_draft:
        await at.act(1, "decline", request_id="decline")
    error = await refused(session.act(at.match_id, at.tokens[0], [action]))
    assert (error.code, error.reason) == (FAILED, "ILLEGAL_ACTION")


async def test_number_of_actions_is_1_to_64(session: Session) -> None:
    at = await table(session)
    error = await refused(at.act(1))
    assert (error.code, error.reason) == (INVALID, "BAD_ACTION")
    error = await refused(at.act(1, *["x FEN"] * 65))
    assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_ACTIONS")


async def test_very_long_text_is_refused_with_a_short_answer(session: Session) -> None:
    at = await table(session)
    error = await refused(at.act(1, "x " + "A" * 900_000))
    assert (error.code, error.reason) == (INVALID, "BAD_ACTION")
    assert len(error.message) < 2000


async def test_message_above_the_size_limit_is_refused(session: Session) -> None:
    at = await table(session)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await at.act(1, "x " + "A" * (1 << 20))
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert (await at.act(1, "x FEN")).revision == 1


async def test_action_needs_a_seat_token(session: Session) -> None:
    at, other = await table(session), await table(session)
    request = match_pb2.ActRequest(match_id=at.match_id, request_id="1", actions=[game_pb2.Action(notation="x FEN")])
    for metadata, reason in (
        ((), "NO_TOKEN"),
        ((("authorization", f"Basic {at.tokens[0]}"),), "NO_TOKEN"),
        (bearer(""), "NO_TOKEN"),
        (bearer("wrong"), "BAD_TOKEN"),
        (bearer(at.host), "BAD_TOKEN"),
        (bearer(other.tokens[0]), "BAD_TOKEN"),
        (bearer(at.tokens[0][:-1]), "BAD_TOKEN"),
    ):
        error = await refused(session.match.Act(request, metadata=metadata))
        assert (error.code, error.reason) == (grpc.StatusCode.UNAUTHENTICATED, reason)
    assert (await at.get()).revision == 0


async def test_action_before_the_start_or_after_the_end_is_refused(session: Session) -> None:
    made = await create(session, HUMAN, HUMAN, HUMAN)
    token = (await join(session, made.match.match_id)).seat_token
    waiting = Table(session, made.match.match_id, made.host_token, (token,))
    error = await refused(waiting.act(1, "take 1"))
    assert (error.code, error.reason) == (FAILED, "NOT_STARTED")
    ended = await table(session, LAST_TURN)
    await ended.act(3, "hold HAM=5")
    error = await refused(ended.act(3, "hold HAM=5", request_id="again"))
    assert (error.code, error.reason) == (FAILED, "GAME_OVER")


async def test_other_revisions_are_refused_with_the_latest(session: Session) -> None:
    at = await table(session)
    await at.act(1, "x FEN")
    for revision in (0, 2, 2**63):
        error = await refused(at.act(1, "x BOS", request_id="2", revision=revision))
        assert (error.code, error.reason) == (grpc.StatusCode.ABORTED, "STALE_REVISION")
        assert error.facts["revision"] == "1"
    assert (await at.act(1, "x BOS", request_id="2", revision=1)).revision == 2


@pytest.mark.parametrize("request_id", ["", "x" * 65, "é", "a\nb", "a#2"])
async def test_invalid_request_id_is_refused(session: Session, request_id: str) -> None:
    at = await table(session)
    error = await refused(at.act(1, "x FEN", request_id=request_id))
    assert (error.code, error.reason) == (INVALID, "BAD_REQUEST_ID")


async def test_repeated_request_gets_the_first_answer(session: Session) -> None:
    at = await table(session)
    first = await at.act(1, "x FEN", "x BOS", revision=0)
    await at.act(1, "x COL", request_id="other")
    again = await at.act(1, "x FEN", "x BOS", revision=0)
    assert again.repeated_request
    assert not first.repeated_request
    again.repeated_request = False
    assert again == first
    assert (await at.get()).revision == 3


async def test_id_of_a_refused_request_can_be_used_again(session: Session) -> None:
    at = await table(session)
    await refused(at.act(1, "x GOR"))
    assert (await at.act(1, "x FEN")).revision == 1


async def test_concurrent_equal_requests_happen_once(session: Session) -> None:
    at = await table(session)
    answers = await asyncio.gather(*(at.act(1, "x FEN", revision=0) for _ in range(10)))
    assert [answer.revision for answer in answers] == [1] * 10
    assert sum(not answer.repeated_request for answer in answers) == 1
    assert (await at.get()).revision == 1


async def test_one_of_concurrent_requests_for_a_revision_wins(session: Session) -> None:
    at = await table(session)
    wanted = ["x FEN", "x BOS", "x COL"] * 4
    answers = await asyncio.gather(
        *(at.act(1, text, request_id=str(number), revision=0) for number, text in enumerate(wanted)),
        return_exceptions=True,
    )
    won = [answer for answer in answers if isinstance(answer, match_pb2.ActResponse)]
    lost = [answer for answer in answers if isinstance(answer, grpc.aio.AioRpcError)]
    assert (len(won), len(lost)) == (1, 11)
    assert {answer.code() for answer in lost} == {grpc.StatusCode.ABORTED}
    assert (await at.get()).revision == 1


async def test_request_ids_of_seats_are_independent(session: Session) -> None:
    at = await table(session)
    await at.act(1, "hold ARA=10", request_id="1")
    error = await refused(at.act(3, "x FEN", request_id="1"))
    assert error.reason in ("NOT_YOUR_TURN", "BAD_REQUEST_ID")


async def test_preview_has_cost_and_events_and_plays_nothing(session: Session) -> None:
    at = await table(session)
    preview = await at.act(1, "x BOS", validate_only=True, request_id="")
    assert {item.source: item.pawns for item in preview.cost} == {"terrain": 3, "pawns": 1, "weapons": -1}
    assert preview.updates[0].events[0].conquered.cost == 3
    assert (preview.revision, (await at.get()).revision) == (1, 0)
    assert list(preview.updates[0].legal.hold.parts[0].provinces) == ["ARA", "BOS"]
    preview.updates[0].ClearField("legal")  # which watchers get with every update
    done = await at.act(1, "x BOS")
    assert list(done.updates) == list(preview.updates)


async def test_preview_of_an_illegal_action_has_the_reason(session: Session) -> None:
    at = await table(session)
    preview = await at.act(1, "x FEN", "x GOR", validate_only=True)
    assert texts(preview) == ["x FEN"]
    assert (preview.refusal.rule, preview.refusal.reason) == ("R-CONQ-1", "OutOfReach")
    other = await at.act(2, "x FEN", validate_only=True)
    assert (other.refusal.rule, other.refusal.reason, len(other.updates)) == ("", "NOT_YOUR_TURN", 0)
    assert other.refusal.facts["message"]


async def test_preview_in_every_phase(session: Session) -> None:
    at = await table(session)
    await at.act(1, "decline")
    for text in ("x FEN", "x FEN spy", "hold ARA=1", "take 9", "stay", "redeploy ARA=1", "abandon ARA"):
        assert (await at.act(1, text, validate_only=True)).refusal.reason in ("NotNow", "NoSuchSlot")
    over = await table(session, LAST_TURN)
    await over.act(3, "hold HAM=5")
    assert (await over.act(3, "x ERB", validate_only=True)).refusal.reason == "GAME_OVER"


async def test_suggestion_is_legal_as_message_and_text(session: Session) -> None:
    at = await table(session)
    for number in range(12):
        suggestion = await session.match.Suggest(match_pb2.SuggestRequest(match_id=at.match_id))
        assert suggestion.revision == number
        seat = (await updates(at.watch(state=True), 1))[0].state.seat_to_act
        preview = await at.act(seat, suggestion.notation, validate_only=True)
        assert not preview.HasField("refusal")
        await session.act(at.match_id, at.tokens[seat - 1], [suggestion.action], number)


async def test_no_suggestion_before_the_start_or_after_the_end(session: Session) -> None:
    waiting = (await create(session, HUMAN, HUMAN, HUMAN)).match.match_id
    error = await refused(session.match.Suggest(match_pb2.SuggestRequest(match_id=waiting)))
    assert (error.code, error.reason) == (FAILED, "NOT_STARTED")
    ended = await table(session, LAST_TURN)
    await ended.act(3, "hold HAM=5")
    error = await refused(session.match.Suggest(match_pb2.SuggestRequest(match_id=ended.match_id)))
    assert (error.code, error.reason) == (FAILED, "GAME_OVER")


async def test_unknown_match_is_not_found(session: Session) -> None:
    for call in (
        session.match.Act(match_pb2.ActRequest(match_id="nosuchid"), metadata=bearer("t")),
        session.match.Suggest(match_pb2.SuggestRequest(match_id="nosuchid")),
        session.match.GetRecord(match_pb2.GetRecordRequest(match_id="nosuchid")),
        session.match.Watch(match_pb2.WatchRequest(match_id="nosuchid")).read(),
    ):
        error = await refused(call)
        assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_MATCH")


async def test_record_of_a_running_game_replays_to_the_watched_position(session: Session) -> None:
    at = await table(session)
    await at.act(1, "x FEN", "hold ARA=5 FEN=5")
    (seen,) = await updates(at.watch(position=True), 1)
    *_, step = record.replay(await at.record())
    assert position.write(step.state) == seen.position
    waiting = (await create(session, HUMAN, HUMAN, HUMAN)).match.match_id
    assert not (await session.match.GetRecord(match_pb2.GetRecordRequest(match_id=waiting))).lines


async def test_finished_match_has_ranks_scores_and_result(session: Session) -> None:
    at = await table(session, LAST_TURN)
    await at.act(3, "hold HAM=5")
    match = await at.get()
    assert match.status == lobby_pb2.MATCH_STATUS_OVER
    assert list(match.vp) == [10, 10, 11]
    assert list(match.ranks) == [2, 2, 1]
    assert '"result"' in (await at.record())[-1]
    assert match.from_position


async def test_repeated_request_after_the_end_gets_the_first_answer(session: Session) -> None:
    at = await table(session, LAST_TURN)
    first = await at.act(3, "hold HAM=5")
    again = await at.act(3, "hold HAM=5")
    assert again.repeated_request
    assert list(again.updates) == list(first.updates)


async def test_action_is_finished_although_its_caller_disconnects(database: Path) -> None:
    store = Store(database)
    match, _ = await Lobby(store).create(lobby_pb2.CreateMatchRequest(position=EASY, start_when_full=True))
    for _ in range(3):
        await seating.join(match, None, "", seating.NO_NONCE)
    assert match.ledger.state is not None
    watcher = presence.watch(match, Detail())
    acting = asyncio.create_task(match.act(Seat(0), "player", [notation.read("x FEN", match.ledger.state.board)]))
    await asyncio.sleep(0)
    acting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await acting
    await within(match.queue.settle())
    assert match.ledger.revision == 1
    played = await watcher.get(SOON)
    assert isinstance(played, Revision)
    assert played.revision == 1
    assert len((await store.load(match.match_id)).rows) == 6
    store.close()


async def test_repeated_requests_get_equal_answers_after_a_restart(database: Path) -> None:
    async with serving(database) as (_, session):
        at = await table(session)
        first = await at.act(1, "x FEN", "x BOS", request_id="one")
    async with serving(database) as (_, session):
        at = Table(session, at.match_id, at.host, at.tokens)
        again = await at.act(1, "x FEN", "x BOS", request_id="one")
        assert again.repeated_request
        again.repeated_request = False
        assert again == first
        assert (await at.get()).revision == 2
        assert (await at.act(1, "x COL", request_id="two", revision=2)).revision == 3
