"""Calls over HTTP: JSON and bytes, refusals with their details, streams, and what is admitted."""

import asyncio
import json
import time
from pathlib import Path
from urllib.parse import quote

import pytest
from connectrpc.client import ConnectClient
from connectrpc.code import Code
from connectrpc.compat import google_protobuf_binary_codec
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from google.rpc import error_details_pb2

from tests.support.server.in_process import HUMAN, create, eventually
from tests.support.server.in_process import address as grpc_address
from tests.support.server.over_http import JSON, Web, bearer, web_server
from vinci.v1 import lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_server import limits
from vinci_server.limits import Limits
from vinci_server.rpc.access import ServerAccess
from vinci_server.rpc.listener import MAX_MESSAGE_BYTES

THREE_DUMMIES = {"board": "tiny", "seats": [{"kind": "SEAT_KIND_DUMMY"}] * 3, "startWhenFull": True}
HUMANS = {"board": "tiny", "seats": [{"kind": "SEAT_KIND_HUMAN"}] * 3, "startWhenFull": True}

GET_MATCH = MethodInfo(
    name="GetMatch",
    service_name="vinci.v1.LobbyService",
    input=lobby_pb2.GetMatchRequest,
    output=lobby_pb2.GetMatchResponse,
    idempotency_level=IdempotencyLevel.NO_SIDE_EFFECTS,
    stream_type=StreamType.UNARY,
)
WATCH = MethodInfo(
    name="Watch",
    service_name="vinci.v1.MatchService",
    input=match_pb2.WatchRequest,
    output=match_pb2.WatchResponse,
    idempotency_level=IdempotencyLevel.UNKNOWN,
    stream_type=StreamType.SERVER_STREAM,
)


def client(web: Web) -> ConnectClient:
    """Return a client of the Connect protocol that sends bytes, of the library."""
    return ConnectClient(f"http://127.0.0.1:{web.port}", codec=google_protobuf_binary_codec())


async def test_call_with_json(web: Web) -> None:
    """A call answers JSON with JSON, with names of fields and enums as protobuf writes them."""
    made = await web.ok("LobbyService/CreateMatch", HUMANS)
    assert made["match"]["status"] == "MATCH_STATUS_OPEN"
    joined = await web.ok("LobbyService/JoinMatch", {"matchId": made["match"]["matchId"], "player": "Ann"})
    assert joined["seatToken"]
    left = await web.ok("LobbyService/LeaveMatch", {"matchId": made["match"]["matchId"]}, **bearer(joined["seatToken"]))
    assert not left["match"]["seats"][0].get("taken")


async def test_call_with_bytes(web: Web) -> None:
    """A client of the Connect library calls with bytes, by POST and by GET."""
    match_id = (await web.ok("LobbyService/CreateMatch", HUMANS))["match"]["matchId"]
    for use_get in (False, True):
        request = lobby_pb2.GetMatchRequest(match_id=match_id)
        answer = await client(web).execute_unary(request=request, method=GET_MATCH, use_get=use_get)
        assert answer.match.match_id == match_id


async def test_get_is_for_calls_that_change_nothing(web: Web) -> None:
    """A browser can send GET from other sites without asking, so only reading is possible by it."""
    empty = quote(json.dumps({}))
    assert (await web.get(f"/vinci.v1.LobbyService/ListMatches?encoding=json&message={empty}")).status == 200
    refused = await web.get(f"/vinci.v1.LobbyService/CreateMatch?encoding=json&message={empty}")
    assert (refused.status, refused.json()["message"]) == (405, "send it by POST")


async def test_refusal_has_its_details(web: Web) -> None:
    """A refusal has status, sentence, reason and facts, readable as JSON and as messages."""
    refused = await web.call("LobbyService/GetMatch", {"matchId": "nothere"})
    assert (refused.status, refused.json()["code"], refused.reason) == (404, "not_found", "UNKNOWN_MATCH")
    assert refused.json()["details"][0]["debug"]["metadata"] == {"match": "nothere"}
    with pytest.raises(ConnectError) as caught:
        await client(web).execute_unary(request=lobby_pb2.GetMatchRequest(match_id="nothere"), method=GET_MATCH)
    info = error_details_pb2.ErrorInfo.FromString(caught.value.details[0].message_bytes)
    assert (caught.value.code, info.reason, dict(info.metadata)) == (
        Code.NOT_FOUND,
        "UNKNOWN_MATCH",
        {"match": "nothere"},
    )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{", "the JSON cannot be read"),
        (b'{"matchIdd": "x"}', 'no field named "matchIdd"'),
        (b'{"matchId": 5}', "the JSON cannot be read"),
        (b"[" * 100_000, "the JSON cannot be read"),
    ],
)
async def test_wrong_json_is_refused(web: Web, body: bytes, message: str) -> None:
    """JSON that is no message of the call is refused with what is wrong."""
    refused = await web.request("POST", "/vinci.v1.LobbyService/GetMatch", body, content_type=JSON)
    assert (refused.status, refused.reason) == (400, "MALFORMED")
    assert message in refused.json()["message"]


async def test_wrong_bytes_are_refused(web: Web) -> None:
    """Bytes that are no message of the call are refused as over gRPC."""
    path = "/vinci.v1.LobbyService/GetMatch"
    refused = await web.request("POST", path, b"\xff\xff", content_type="application/proto")
    assert (refused.status, refused.reason) == (400, "MALFORMED")


async def test_content_types_and_paths_are_named(web: Web) -> None:
    """A wrong content type, a wrong call and one that needs a stream both ways are refused with a sentence."""
    for kind in ("text/plain", "application/grpc-web+proto", "application/grpc", "application/x-www-form-urlencoded"):
        refused = await web.call("LobbyService/GetMatch", content_type=kind)
        assert refused.status == 415
        assert "application/json" in refused.json()["message"]
    for name in ("LobbyService/Nothing", "BotService/Play"):
        assert (await web.call(name)).json()["message"] == f"there is no call /vinci.v1.{name}"
    assert (await web.call("AdminService/GetServerStatus")).status == 404


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"connect_timeout_ms": "\xff"}, 400),
        ({"content_encoding": "\xff"}, 400),
        ({"connect_protocol_version": "7"}, 400),
        ({"content_encoding": "zstd"}, 501),
        ({"x_other": "\xff", "authorization": "\xff"}, 404),
    ],
)
async def test_odd_headers(web: Web, headers: dict[str, str], status: int) -> None:
    """Headers that cannot be understood are refused with a sentence, for calls and for streams; others do not matter."""
    for name in ("LobbyService/GetMatch", "MatchService/Watch"):
        answer = await web.call(name, {"matchId": "nothere"}, **headers)
        if status == 404 and name == "MatchService/Watch":
            assert json.loads(answer.body)["error"]["code"] == "not_found"
        elif "content_encoding" in headers and name == "MatchService/Watch" and status == 501:
            assert answer.status == 200  # streams have a header of their own for that
        else:
            assert (answer.status, bool(answer.json()["message"])) == (status, True)


async def test_large_bodies_are_refused(web: Web) -> None:
    """A request has at most as many bytes as over gRPC."""
    path = "/vinci.v1.LobbyService/GetMatch"
    refused = await web.request("POST", path, b" " * (MAX_MESSAGE_BYTES + 1), content_type=JSON)
    assert (refused.status, refused.json()["code"]) == (429, "resource_exhausted")
    assert str(MAX_MESSAGE_BYTES) in refused.json()["message"]
    most = await web.request("POST", path, b'{"matchId": "x"}'.ljust(MAX_MESSAGE_BYTES), content_type=JSON)
    assert most.reason == "UNKNOWN_MATCH"


async def test_watch_as_lines(web: Web) -> None:
    """A stream asked for with JSON has a line for each message and ends without an error when the game is over."""
    match_id = (await web.ok("LobbyService/CreateMatch", THREE_DUMMIES))["match"]["matchId"]
    said = [line async for line in web.lines("MatchService/Watch", {"matchId": match_id, "fromRevision": "0"})]
    revisions = [int(line["update"].get("revision", 0)) for line in said if "update" in line]
    assert revisions == list(range(len(revisions)))
    assert len(revisions) > 10
    assert not any("error" in line for line in said)


async def test_watch_that_is_refused_as_lines(web: Web) -> None:
    """The last line of a stream that is refused is its error."""
    said = [line async for line in web.lines("MatchService/Watch", {"matchId": "nothere"})]
    assert [line["error"]["code"] for line in said] == ["not_found"]


async def test_watch_with_bytes(web: Web) -> None:
    """A client of the Connect library watches, and reads why it cannot."""
    match_id = (await web.ok("LobbyService/CreateMatch", THREE_DUMMIES))["match"]["matchId"]
    request = match_pb2.WatchRequest(match_id=match_id, from_revision=0)
    first = [said async for said in client(web).execute_server_stream(request=request, method=WATCH)]
    assert first[0].match.match_id == match_id
    assert first[-1].HasField("match") or first[-1].HasField("update")
    request = match_pb2.WatchRequest(match_id=match_id, from_revision=10_000)
    with pytest.raises(ConnectError) as caught:
        await anext(aiter(client(web).execute_server_stream(request=request, method=WATCH)))
    assert error_details_pb2.ErrorInfo.FromString(caught.value.details[0].message_bytes).reason == "FUTURE_REVISION"


async def test_cut_stream_is_forgotten(database: Path) -> None:
    """A watcher that breaks its connection is no longer counted, neither in the match nor in the limits."""
    async with web_server(database) as (server, web):
        match_id = (await web.ok("LobbyService/CreateMatch", HUMANS))["match"]["matchId"]
        watching = web.lines("MatchService/Watch", {"matchId": match_id})
        await anext(watching)
        match = await server.lobby.get(match_id)
        assert (len(match.audience.watchers), server.admission.traffic.streams) == (1, 1)
        await watching.aclose()
        await eventually(lambda: not match.audience.watchers and not server.admission.traffic.streams)


async def test_server_that_stops_ends_streams(database: Path) -> None:
    """A watcher reads that the server stops."""
    async with web_server(database) as (_, web):
        match_id = (await web.ok("LobbyService/CreateMatch", HUMANS))["match"]["matchId"]
        watching = web.lines("MatchService/Watch", {"matchId": match_id})
        await anext(watching)
    last = [line async for line in watching][-1]
    assert last["error"]["details"][0]["debug"]["reason"] == "SHUTTING_DOWN"


async def test_code_is_asked_for(database: Path) -> None:
    """The join code travels as over gRPC, and wrong ones are counted for both ways together."""
    access = ServerAccess(code="k3f9-xa2m")
    async with web_server(database, access, Limits(wrong_codes_per_minute=3)) as (_, web):
        assert (await web.call("LobbyService/ListMatches")).reason == "NO_ACCESS"
        assert (await web.ok("LobbyService/ListMatches", vinci_access="k3f9xa2m")) == {}
        for reason in ("BAD_ACCESS", "BAD_ACCESS", "BAD_ACCESS", "RATE_LIMITED"):
            assert (await web.call("LobbyService/ListMatches", vinci_access="0000-0000")).reason == reason
        assert (await web.ok("LobbyService/ListMatches", vinci_access="k3f9xa2m")) == {}


async def test_host_has_one_account(database: Path) -> None:
    """Calls over gRPC and over HTTP are taken from the same allowance, and matches made are counted together."""
    async with web_server(database, limits=Limits(open_matches_per_peer=2)) as (server, web):
        async with Session(grpc_address(server)) as session:
            await create(session, HUMAN, HUMAN, HUMAN)
        await web.ok("LobbyService/CreateMatch", HUMANS)
        refused = await web.call("LobbyService/CreateMatch", HUMANS)
        assert (refused.status, refused.reason) == (429, "TOO_MANY_MATCHES")


async def test_calls_are_limited(database: Path) -> None:
    """A host with too many calls is refused before its body is read, and told when to come again."""
    async with web_server(database, limits=Limits(calls_per_second=1)) as (_, web):
        answers = [await web.call("LobbyService/ListMatches") for _ in range(7)]
        assert answers[0].status == 200
        assert answers[-1].reason == "RATE_LIMITED"
        assert answers[-1].json()["details"][1]["type"] == "google.rpc.RetryInfo"
        assert answers[-1].headers["connection"] == "close"


@pytest.mark.parametrize("path", ["/", "/qr", "/vinci.v1.LobbyService/ListMatches", "/vinci.v1.LobbyService/No"])
async def test_host_that_goes_on_is_refused_later(database: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """Requests beyond the limits are refused one after the other."""
    monkeypatch.setattr(limits, "REFUSALS_PER_SECOND", 10)
    async with web_server(database, limits=Limits(calls_per_second=1)) as (_, web):
        begin = time.monotonic()
        answers = await asyncio.gather(*(web.request("POST", path, b"{}", content_type=JSON) for _ in range(25)))
        assert sum("limited to 1 calls" in answer.body.decode() for answer in answers) >= 18
        assert time.monotonic() - begin > 0.7


async def test_streams_are_limited(database: Path) -> None:
    """A host has as many streams as over gRPC."""
    async with web_server(database, limits=Limits(streams_per_peer=2)) as (_, web):
        match_id = (await web.ok("LobbyService/CreateMatch", HUMANS))["match"]["matchId"]
        watching = [web.lines("MatchService/Watch", {"matchId": match_id}) for _ in range(3)]
        said = [await anext(one) for one in watching]
        assert ["match" in line for line in said] == [True, True, False]
        assert said[2]["error"]["details"][0]["debug"]["reason"] == "TOO_MANY_STREAMS"
        await asyncio.gather(*(one.aclose() for one in watching))


async def test_calls_are_counted_in_metrics(database: Path) -> None:
    """Calls over HTTP are in the metrics of calls, by status."""
    async with web_server(database) as (server, web):
        await web.call("LobbyService/ListMatches")
        await web.call("LobbyService/GetMatch", {"matchId": "nothere"})

        def handled(method: str, code: str) -> float | None:
            labels = {"grpc_type": "unary", "grpc_service": "vinci.v1.LobbyService", "grpc_method": method}
            return server.metrics.registry.get_sample_value("grpc_server_handled_total", {**labels, "grpc_code": code})

        assert handled("ListMatches", "OK") == 1
        assert handled("GetMatch", "NOT_FOUND") == 1
