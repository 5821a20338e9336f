"""Suggestions with reasons of the analysis service."""

from collections.abc import AsyncIterator
from typing import Final

import pytest

from tests.support.server.in_process import refused
from vinci.v1 import analysis_pb2 as pb
from vinci.v1 import game_pb2
from vinci_client.session import Session
from vinci_rules import notation, position
from vinci_rules.chance import FastChance
from vinci_rules.engine import apply
from vinci_server.analysis.server import AnalysisServer

LAST: Final = (
    "tiny; rules standard max_rounds=2; round 2; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA"
)
"""The last round, in which seat 1 can conquer or decline for nothing."""


@pytest.fixture
async def session() -> AsyncIterator[Session]:
    """Open a session with an analysis server."""
    server = await AnalysisServer.start("127.0.0.1", 0, workers=1)
    try:
        async with Session(f"127.0.0.1:{server.port}") as session:
            yield session
    finally:
        await server.stop()


async def test_suggestion_with_reasons(session: Session) -> None:
    """The plan is legal, begins with the suggestion, and is better than the decline asked about; equal requests agree."""
    compared = game_pb2.Action(notation="decline")
    request = pb.SuggestActionRequest(position=LAST, reasons=True, playouts=40, milliseconds=5000, compare=compared)
    answer = await session.analysis.SuggestAction(request)
    advice, state = answer.advice, position.read(LAST)
    assert (advice.seat, advice.simulations) == (1, 40)
    assert answer.notation == advice.plan[0]
    for text in advice.plan:
        apply(state, notation.read(text, state.board), FastChance(0))
    assert state.actor != 0
    assert advice.vp.mean > 10
    assert advice.rival in (2, 3)
    assert advice.margin.mean == pytest.approx(advice.vp.mean - advice.rival_vp, abs=3)
    assert advice.decline.gain.mean + advice.decline.gain.half_width < 0
    assert 1 <= advice.decline.slot <= 6
    assert advice.comparison.plan[0] == "decline"
    assert advice.comparison.margin.mean < 0
    assert advice.comparison.vp.mean < 0
    assert answer == await session.analysis.SuggestAction(request)
    quick = await session.analysis.SuggestAction(pb.SuggestActionRequest(position=LAST, compare=compared))
    assert not quick.HasField("advice")


async def test_advice_names_the_threat(session: Session) -> None:
    """Seat 3 alone can attack seat 1: the advice names it, and provinces with their shares."""
    text = "tiny; rules target=200; seat 1 | BAR+CUR BOS=1 ARA=1 COL=1; seat 2 | DIP+REN HAM=1; seat 3 | WEA+MIL FEN=12"
    request = pb.SuggestActionRequest(position=text, reasons=True, playouts=20, milliseconds=5000)
    threat = (await session.analysis.SuggestAction(request)).advice.threat
    assert (threat.seat, len(threat.provinces)) == (3, len(threat.shares))
    assert set(threat.provinces) <= {"ARA", "BOS", "COL", "DOL", "ERB", "GOR"}
    assert threat.provinces
    assert list(threat.shares) == sorted(threat.shares, reverse=True)
    assert threat.vp > 0


async def test_only_a_legal_action_is_compared(session: Session) -> None:
    """An illegal action is refused with its rule, and one that cannot be read with what would be right."""
    for typed, reason in (("x HAM", "ILLEGAL_ACTION"), ("x QQQ", "BAD_ACTION"), ("forfeit 2", "NOT_YOUR_SEAT")):
        compared = game_pb2.Action(notation=typed)
        call = session.analysis.SuggestAction(pb.SuggestActionRequest(position=LAST, reasons=True, compare=compared))
        error = await refused(call)
        assert error.reason == reason
        assert error.facts.get("rule", "R") != ""
