"""Calls of match tests: proposals, substitutes, handover, chat, clocks."""

from typing import Any

from tests.support.server.in_process import (
    HUMAN,
    Table,
    bearer,
    bot_seat,
    create,
    join,
    within,
)
from vinci.v1 import lobby_pb2, match_pb2
from vinci_client.session import Session

SUBSTITUTE = lobby_pb2.PROPOSAL_KIND_SUBSTITUTE


async def propose(at: Table, seat: int, kind: lobby_pb2.ProposalKind.ValueType, **fields: Any) -> lobby_pb2.Match:
    """Make a proposal as a seat, counted from 1; return the match afterwards."""
    request = match_pb2.ProposeRequest(
        match_id=at.match_id, kind=kind, seat=fields.pop("about", 0), withdraw=fields.pop("withdraw", False)
    )
    response = await at.session.match.Propose(request, metadata=bearer(at.tokens[seat - 1]))
    return response.match


async def take_back(at: Table, seat: int) -> lobby_pb2.Match:
    """Take a seat back, counted from 1; return the match afterwards."""
    request = match_pb2.TakeBackRequest(match_id=at.match_id)
    return (await at.session.match.TakeBack(request, metadata=bearer(at.tokens[seat - 1]))).match


async def until_substituted(at: Table, seat: int) -> None:
    """Wait until a substitute plays a seat, counted from 1."""
    stream = at.watch()
    while True:
        response = await within(stream.read())
        if response.HasField("match") and response.match.seats[seat - 1].substituted:
            stream.cancel()
            return


async def offer(at: Table, seat: int) -> str:
    """Return a handover code for a seat, counted from 1."""
    request = lobby_pb2.OfferSeatRequest(match_id=at.match_id)
    return (await at.session.lobby.OfferSeat(request, metadata=bearer(at.tokens[seat - 1]))).code


async def take(session: Session, code: str, player: str = "") -> lobby_pb2.JoinMatchResponse:
    """Take over the seat of a code."""
    response: lobby_pb2.JoinMatchResponse = await session.lobby.JoinMatch(
        lobby_pb2.JoinMatchRequest(code=code, player=player)
    )
    return response


async def rematch(session: Session, match_id: str, token: str) -> lobby_pb2.JoinRematchResponse:
    """Request a rematch."""
    response: lobby_pb2.JoinRematchResponse = await session.lobby.JoinRematch(
        lobby_pb2.JoinRematchRequest(match_id=match_id), metadata=bearer(token)
    )
    return response


async def finished(session: Session, seed: str = "") -> Table:
    """Play a game of two people and a bot to its end, by forfeits of both people."""
    made = await create(session, HUMAN, HUMAN, bot_seat("ada"), start_when_full=True, seed=seed)
    names = ("Ann", "Ben")
    tokens = [(await join(session, made.match.match_id, player=name)).seat_token for name in names]
    at = Table(session, made.match.match_id, made.host_token, tuple(tokens))
    await at.act(1, "forfeit 1")
    await at.act(2, "forfeit 2", request_id="two")
    assert (await at.get()).status == lobby_pb2.MATCH_STATUS_OVER
    return at


async def say(at: Table, seat: int, text: str, name: str = "") -> match_pb2.ChatLine:
    """Send a chat line as a seat, counted from 1, or as a spectator."""
    metadata = bearer(at.tokens[seat - 1]) if seat else ()
    request = match_pb2.ChatRequest(match_id=at.match_id, text=text, name=name)
    line: match_pb2.ChatLine = (await at.session.match.Chat(request, metadata=metadata)).line
    return line


async def clocks(at: Table) -> match_pb2.Clocks:
    """Return the current clocks of a match."""
    stream = at.watch()
    while True:
        response = await within(stream.read())
        if response.HasField("clocks"):
            stream.cancel()
            result: match_pb2.Clocks = response.clocks
            return result
