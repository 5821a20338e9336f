"""Violations as messages: the rule, which one, and the facts in words that a program can read."""

from vinci.v1 import game_pb2 as pb
from vinci_rules.board import Board
from vinci_rules.violations import Violation, facts


def refusal(violation: Violation, board: Board) -> pb.Refusal:
    """The message of a violation."""
    return pb.Refusal(rule=violation.rule, reason=type(violation).__name__, facts=facts(violation, board))
