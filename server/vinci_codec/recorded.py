"""A recorded game in messages: the match, and its revisions as a server sends them."""

from collections.abc import Sequence

from vinci.v1 import game_pb2, lobby_pb2
from vinci_rules import notation, record
from vinci_rules.actions import Action
from vinci_rules.board import Board
from vinci_rules.events import Event
from vinci_rules.state import Seat

from . import actions, catalogue, events, states


def update(
    board: Board,
    revision: int,
    seat: Seat | None,
    by: str,
    action: Action | None,
    happened: Sequence[Event],
    undo_to: int | None,
) -> game_pb2.Update:
    """Return what happened with a revision, without the state after it."""
    message = game_pb2.Update(
        revision=revision,
        seat=0 if seat is None else seat + 1,
        by=by,
        undo_to=undo_to,
        events=[events.event(event, board) for event in happened],
    )
    if action is not None:
        message.action.CopyFrom(actions.to_message(action, board))
        message.notation = notation.write(action, board)
    return message


def step(step: record.Step, by: str) -> game_pb2.Update:
    """Return a step of a record with the state after it; `by` is who acted, fit to be shown."""
    message = update(step.state.board, step.line - 1, step.seat, by, step.action, step.events, step.undo)
    message.state.CopyFrom(states.state(step.state))
    return message


def match(
    start: record.Line, first: record.Step, players: Sequence[str], kind: lobby_pb2.SeatKind.ValueType
) -> lobby_pb2.Match:
    """Return the match of a record by its first line and step.

    `players` are the names by seat, fit to be shown, as far as there are any; a dummy without one is called so. `kind`
    is that of all other seats: a record does not tell who played.
    """
    options = first.state.options
    return lobby_pb2.Match(
        board=first.state.board.name,
        options=catalogue.options(options),
        seats=[
            lobby_pb2.MatchSeat(
                seat=seat,
                kind=lobby_pb2.SEAT_KIND_DUMMY if is_dummy else kind,
                player=(players[seat - 1] if seat <= len(players) else "") or "dummy" * is_dummy,
                taken=True,
            )
            for seat, is_dummy in enumerate(options.dummies, 1)
        ],
        sealed=bool(start.get("sealed")),
        from_position="position" in start,
    )
