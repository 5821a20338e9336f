"""Lines of JSON hold messages exactly as protobuf converts them."""

import json
from typing import Any, Final

from google.protobuf.json_format import MessageToDict

from tests.support.server.random_messages import Fuzz
from vinci.v1 import bot_pb2 as pb
from vinci.v1.game_pb2 import Board
from vinci_bots.builtin import selfplay
from vinci_bots.stdio.lines import JSON
from vinci_codec import catalogue, states
from vinci_rules import position, record
from vinci_rules.board import load_board
from vinci_rules.editions import options

MESSAGES: Final = 100
"""Random messages of each kind."""


def converted(**messages: Any) -> str:
    """Return the line in which protobuf has converted the messages."""
    return json.dumps({key: MessageToDict(message) for key, message in messages.items()}, separators=(",", ":")) + "\n"


def decided(decision: pb.Decision) -> str:
    """Return the line of a decision without legal actions and advice, with nothing but the decision."""
    return JSON.decision(decision, (), "", "").replace(',"actions":[],"advice":""}', "}")


def test_random_messages_are_as_protobuf_converts_them() -> None:
    """Fields of every kind, set or not, come in the same order with the same values."""
    fuzz = Fuzz(7, {"": ["europe", "x ALP"]})
    for _ in range(MESSAGES):
        messages: list[Any] = [fuzz.message(kind.DESCRIPTOR) for kind in (pb.Decision, pb.Seated, pb.Finished, Board)]
        decision, seated, finished, board = messages
        assert decided(decision) == converted(decision=decision)
        assert JSON.seated(seated, board) == converted(seated=seated, board=board)
        assert JSON.finished(finished) == converted(finished=finished)


def test_messages_of_a_game_are_as_protobuf_converts_them() -> None:
    """So do the board and all decisions of a game."""
    board = load_board("europe")
    seated, message = pb.Seated(seat=1), catalogue.board(board)
    assert JSON.seated(seated, message) == converted(seated=seated, board=message)
    played = selfplay.play(["random"] * 3, board, options((False,) * 3, max_rounds=3), "7", ("a", "b", "c"))
    for revision, step in enumerate(record.replay(played.lines)):
        decision = pb.Decision(
            match_id="k3f9xa2m",
            seat=step.state.actor + 1,
            revision=revision,
            legal=states.legal(step.state),
            position=position.write(step.state),
            left=900,
        )
        assert decided(decision) == converted(decision=decision)
