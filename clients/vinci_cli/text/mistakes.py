"""What becomes of a bot that answers wrongly: read from the command line, and told."""

from typing import Final

from vinci.v1 import lobby_pb2

from .i18n import _, plural
from .timing import POLICIES

TRIES: Final = 3
"""Answers to one decision that may be refused where nothing else is said."""
MOST_TRIES: Final = 100
"""More than that no server takes."""


def mistakes(tries: int | None, on_refused: str) -> lobby_pb2.Mistakes:
    """How many tries a bot has, and what happens then, from what was typed; as usual where nothing was."""
    return lobby_pb2.Mistakes(tries=tries or TRIES, after=POLICIES[on_refused or "default"])


def in_words(found: lobby_pb2.Mistakes) -> list[str]:
    """What becomes of a bot that answers wrongly, a sentence if it is not as usual."""
    if not found.tries or found == mistakes(None, ""):
        return []
    told = plural(
        "If {n} answer of a bot to a decision is refused, {then}.",
        "If {n} answers of a bot to a decision are refused, {then}.",
        found.tries,
        then=_then(found.after),
    )
    return [told]


def _then(policy: lobby_pb2.TimeoutPolicy.ValueType) -> str:
    match policy:
        case lobby_pb2.TIMEOUT_POLICY_DEFAULT_ACTION:
            return _("the default action is played")
        case lobby_pb2.TIMEOUT_POLICY_SUBSTITUTE:
            return _("a substitute plays on")
        case lobby_pb2.TIMEOUT_POLICY_FORFEIT:
            return _("the seat leaves the game")
    return _("the server acts")
