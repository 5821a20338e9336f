"""Wishes for another game: told once, by the names of those who have sat down for it."""

import asyncio
from typing import Any, Final, cast

import grpc
import pytest

from vinci.v1 import lobby_pb2
from vinci_cli.connection import seating
from vinci_cli.text.i18n import choose
from vinci_client.errors import ServerGone, ServerRefused

PEOPLE: Final = (lobby_pb2.SEAT_KIND_HUMAN, lobby_pb2.SEAT_KIND_HUMAN, lobby_pb2.SEAT_KIND_DUMMY)


def following(*taken: bool) -> lobby_pb2.Match:
    """Return a rematch in which these seats are taken."""
    names = ("Ann", "Ben", "dummy")
    rows = zip(PEOPLE, names, taken, strict=True)
    return lobby_pb2.Match(
        seats=[lobby_pb2.MatchSeat(kind=kind, player=name, taken=is_so) for kind, name, is_so in rows]
    )


@pytest.mark.parametrize(
    ("taken", "told"),
    [((False, True, True), "Ben wants another game."), ((True, True, True), "Ann and Ben want another game.")],
)
async def test_wish_for_a_rematch_is_told_once(
    taken: tuple[bool, ...], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before there is a rematch, nobody sits there, or the server is away, nothing is told."""
    choose("en")
    monkeypatch.setattr(seating, "ASK_SECONDS", 0.0)
    answers: list[lobby_pb2.Match | Exception] = [
        lobby_pb2.Match(),
        ServerGone("away"),
        ServerRefused(grpc.StatusCode.NOT_FOUND, "UNKNOWN_MATCH", "gone", {}),
        lobby_pb2.Match(rematch="next"),
        following(False, False, True),
        lobby_pb2.Match(rematch="next"),
        following(*taken),
    ]

    class Session:
        async def get(self, _match_id: str) -> lobby_pb2.Match:
            answer = answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer

    heard: list[str] = []
    await asyncio.wait_for(seating.tell_rematch(cast(Any, Session()), "over", heard.append), 10)
    assert heard == [told]
    assert not answers
