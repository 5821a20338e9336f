"""Conversion of violations to messages: rule, name and facts as texts."""

from vinci.v1 import game_pb2 as pb
from vinci_rules.board import Board
from vinci_rules.violations import Violation, facts


def refusal(violation: Violation, board: Board) -> pb.Refusal:
    """Return a violation as a message."""
    return pb.Refusal(rule=violation.rule, reason=type(violation).__name__, facts=facts(violation, board))
