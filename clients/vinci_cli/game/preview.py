"""Previews: the effect of an action before it is played, as the server computes it."""

from dataclasses import dataclass, field
from typing import final

from vinci.v1 import game_pb2
from vinci_client.session import Session

from ..text.tables import would_score
from .client_match import ClientMatch


@final
@dataclass(slots=True)
class Preview:
    """The effect of an action.

    Attributes:
        action: its notation; empty if it is refused.
        cost: its cost item by item. events: what would happen.
        worth: VP that the own empires would score before and afterwards.
        parts: the connected parts of the own empire afterwards, if it would have several; all but one are cut off.
        refusal: why it is not legal; None if it is.
    """

    action: str
    cost: list[game_pb2.CostItem] = field(default_factory=list)
    events: list[game_pb2.Event] = field(default_factory=list)
    worth: tuple[int, int] = (0, 0)
    parts: list[list[str]] = field(default_factory=list)
    refusal: game_pb2.Refusal | None = None


async def preview(session: Session, game: ClientMatch, action: game_pb2.Action) -> Preview:
    """Ask the server for the effect of an action of the seat shown. Raises ServerRefused, ServerGone."""
    response = await session.preview(game.match.match_id, game.seats[game.seat], action)
    result = Preview(response.updates[0].notation if response.updates else "", list(response.cost))
    if response.HasField("refusal"):
        result.refusal = response.refusal
    for update in response.updates:
        result.events += update.events
        if game.state is not None:
            result.worth = would_score(game.state.seats[game.seat - 1]), would_score(update.state.seats[game.seat - 1])
        hold = update.legal.hold
        if len(hold.parts) > 1 and hold.connected:
            result.parts = [list(part.provinces) for part in hold.parts]
    return result
