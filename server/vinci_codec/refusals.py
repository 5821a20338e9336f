"""Violations as messages: the rule, which one, and the facts in words that a program can read."""

from dataclasses import fields
from typing import Any

from vinci.v1 import game_pb2 as pb
from vinci_rules.board import Board
from vinci_rules.violations import Violation


def refusal(violation: Violation, board: Board) -> pb.Refusal:
    """The message of a violation. Provinces become codes, sets of them codes with spaces; seats and slots from 1."""
    facts = {field.name: getattr(violation, field.name) for field in fields(violation) if field.name != "rule"}
    return pb.Refusal(
        rule=violation.rule,
        reason=type(violation).__name__,
        facts={name: _fact(name, value, board) for name, value in facts.items()},
    )


def _fact(name: str, value: Any, board: Board) -> str:
    match name:
        case "province":
            return str(board.codes[value])
        case "reachable" | "affordable" | "part" | "declined":
            return " ".join(board.codes_of(value))
        case "seat" | "slot":
            return str(value + 1)
        case "legal":
            return " ".join(value)
    return str(value)
