"""Messages of a server are checked and made printable before anything else reads them."""

# ruff: noqa: D103  # the name of each test says what it checks

from typing import Any

import grpc
import pytest

from tests.support.network.forging_proxy import Refused, forging
from tests.support.server.in_process import DUMMY, address, bot_seat, create, serving
from vinci.v1 import bot_pb2, game_pb2, lobby_pb2, match_pb2
from vinci_client.bot import play
from vinci_client.errors import ServerRefused, from_rpc
from vinci_client.incoming import checked_id, clean
from vinci_client.printable import printable, printable_lines, shortened

HOSTILE = "\x1b]52;c;cHduZWQ=\x07a\x9bb\u202ec\r\n\x00d\u2028\u200b"
CLEAN = "]52;c;cHduZWQ=abcd"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann-Käthe 北京 שלום ❤️", "Ann-Käthe 北京 שלום ❤️"),
        (HOSTILE, CLEAN),
        ("a\u0301\u0302\u0303\u0304b", "a\u0301\u0302b"),
        ("\u0301\u0302\ufe0f", ""),
        ("\u3164\u2800x\u115f", "x"),
        ("a\u00a0b\u3000c", "a\u00a0b\u3000c"),
    ],
)
def test_unprintable_characters_are_removed(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable_lines(f"{text}\n{text}") == f"{printable_lines(text)}\n{printable_lines(text)}"


def test_every_text_of_a_message_is_made_printable() -> None:
    """Texts in fields, lists, maps with their keys, and nested messages are made printable."""
    board = game_pb2.Board(name=HOSTILE)
    board.provinces.add(code="ALP", region=HOSTILE, neighbours=["PYR", HOSTILE]).names["fr"] = HOSTILE
    response = match_pb2.WatchResponse(match=lobby_pb2.Match(match_id="k3f9xa2m", board=HOSTILE, seed="1", vp=[1, 2]))
    response.match.options.settings[HOSTILE] = "free"
    response.match.seats.add(seat=1, player=HOSTILE)
    for message in (board, response):
        clean(message)
    assert (board.name, board.provinces[0].region, board.provinces[0].neighbours[:]) == (CLEAN, CLEAN, ["PYR", CLEAN])
    assert board.provinces[0].names == {"fr": CLEAN}
    assert dict(response.match.options.settings) == {CLEAN: "free"}
    assert (response.match.match_id, response.match.board, response.match.vp[:]) == ("k3f9xa2m", CLEAN, [1, 2])
    assert response.match.seats[0].player == CLEAN


@pytest.mark.parametrize(
    "wrong", ["", "/etc/x", "../x", "..", "K3F9XA2M", "k3f9\n", "x" * 65, "\x1b[2J", "ü", "a.b", "a\\b"]
)
def test_invalid_id_is_refused(wrong: str) -> None:
    with pytest.raises(ServerRefused, match="an id has 1 to 64 characters of 0-9 and a-z") as caught:
        checked_id(wrong)
    assert caught.value.reason == "BAD_ANSWER"
    assert str(caught.value).isprintable()
    if wrong:
        with pytest.raises(ServerRefused):
            clean(lobby_pb2.ListMatchesResponse(matches=[lobby_pb2.Match(match_id=wrong)]))


@pytest.mark.parametrize("details", [b"\xff\xff\xff", b""])
def test_unreadable_details_of_a_refusal_are_ignored(details: bytes) -> None:
    metadata: Any = grpc.aio.Metadata(("grpc-status-details-bin", details))
    error = grpc.aio.AioRpcError(grpc.StatusCode.UNIMPLEMENTED, grpc.aio.Metadata(), metadata, HOSTILE)
    failure = from_rpc(error, "here:1")
    assert isinstance(failure, ServerRefused)
    assert str(failure) == f"here:1: {CLEAN}"


@pytest.mark.parametrize("how", ["Peer name x is not in peer certificate", "Hostname Verification Check failed."])
def test_certificate_error_is_recognised_with_every_version_of_grpcio(how: str) -> None:
    nothing = grpc.aio.Metadata()
    failure = from_rpc(grpc.aio.AioRpcError(grpc.StatusCode.UNAVAILABLE, nothing, nothing, how), "here:1")
    assert isinstance(failure, ServerRefused)
    assert (failure.reason, failure.facts["which"]) == ("WRONG_SERVER", "UNTRUSTED")


async def test_texts_for_bots_are_made_printable(database: Any) -> None:
    events: list[str] = []

    def forge(_method: str, answer: Any) -> None:
        if isinstance(answer, bot_pb2.PlayResponse) and answer.HasField("welcome"):
            answer.welcome.version = HOSTILE
            return
        raise Refused(HOSTILE, "NO_ACCESS", needs=HOSTILE)

    async with serving(database) as (server, session):
        await create(session, bot_seat("ada"), DUMMY, DUMMY)
        with forging(address(server), forge) as between, pytest.raises(ServerRefused) as caught:
            await play(between, bot_pb2.Hello(name="ada"), _never, on_event=events.append)
    assert events == [f"connected to a server of version {CLEAN}"]
    assert (caught.value.message, caught.value.facts) == (CLEAN, {"needs": CLEAN})


async def _never(_decision: bot_pb2.Decision) -> list[game_pb2.Action]:
    raise AssertionError("nothing is to be decided")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ten letters", "ten letters"),
        ("there is no province", "there is no…"),
        ("there_is_no_province", "there_is_no_p…"),
        ("a there_is_no_province", "a there_is_no…"),
    ],
)
def test_text_is_cut_between_words_if_it_can_be(text: str, shown: str) -> None:
    """A text that is too long ends in an ellipsis, and loses at most half of the room to a long word."""
    assert shortened(text, 14) == shown
