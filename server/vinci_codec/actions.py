"""Conversion of actions to and from messages."""

from collections.abc import Sequence
from typing import assert_never

from vinci.v1 import game_pb2 as pb
from vinci_rules import notation
from vinci_rules.actions import (
    Abandon,
    Action,
    Conquer,
    Decline,
    Forfeit,
    Hold,
    Peace,
    Placement,
    Redeploy,
    Stay,
    Take,
)
from vinci_rules.board import Board
from vinci_rules.notation import NotationError
from vinci_rules.state import Seat


def to_message(action: Action, board: Board) -> pb.Action:
    """Return an action as a typed message."""
    match action:
        case Take():
            return pb.Action(take=pb.Take(slot=action.slot + 1))
        case Decline():
            return pb.Action(decline=pb.Decline())
        case Peace():
            return pb.Action(peace=pb.Peace(seat=action.seat + 1))
        case Abandon():
            return pb.Action(abandon=pb.Abandon(province=board.codes[action.province]))
        case Conquer():
            return pb.Action(conquer=pb.Conquer(province=board.codes[action.province], spies=action.spies))
        case Hold():
            message = pb.Action()
            write_hold(action, board, message.hold)
            return message
        case Stay():
            return pb.Action(stay=pb.Stay())
        case Redeploy():
            message = pb.Action()
            write_redeploy(action, board, message.redeploy)
            return message
        case Forfeit():
            return pb.Action(forfeit=pb.Forfeit(seat=action.seat + 1))
        case _:
            assert_never(action)


def write_hold(action: Hold, board: Board, message: pb.Hold) -> None:
    """Write a reorganisation into an empty message, such as a part of another."""
    message.SetInParent()  # also if it keeps nothing
    message.provinces.extend([board.codes[p] for p, _ in action.pawns])
    message.pawns.extend([pawns for _, pawns in action.pawns])
    message.forts.extend([board.codes[p] for p in action.forts])


def write_redeploy(action: Redeploy, board: Board, message: pb.Redeploy) -> None:
    """Write a redeployment into an empty message, such as a part of another."""
    message.SetInParent()
    message.provinces.extend([board.codes[p] for p, _ in action.pawns])
    message.pawns.extend([pawns for _, pawns in action.pawns])


def from_message(message: pb.Action, board: Board) -> Action:
    """Return the action of a message. Raises NotationError if it is empty or names an unknown province."""
    match message.WhichOneof("kind"):
        case "take":
            return Take(message.take.slot - 1)
        case "decline":
            return Decline()
        case "peace":
            return Peace(Seat(message.peace.seat - 1))
        case "abandon":
            return Abandon(notation.province(message.abandon.province, board))
        case "conquer":
            return Conquer(notation.province(message.conquer.province, board), message.conquer.spies)
        case "hold":
            forts = tuple(sorted(notation.province(code, board) for code in message.hold.forts))
            return Hold(_placement(message.hold.provinces, message.hold.pawns, board), forts)
        case "stay":
            return Stay()
        case "redeploy":
            return Redeploy(_placement(message.redeploy.provinces, message.redeploy.pawns, board))
        case "forfeit":
            return Forfeit(Seat(message.forfeit.seat - 1))
        case "notation":
            return notation.read(message.notation, board)
        case None:
            raise NotationError("EMPTY")


def _placement(codes: Sequence[str], pawns: Sequence[int], board: Board) -> Placement:
    if len(codes) != len(pawns):
        raise NotationError("LISTS", provinces=str(len(codes)), pawns=str(len(pawns)))
    return tuple(sorted((notation.province(code, board), number) for code, number in zip(codes, pawns, strict=True)))
