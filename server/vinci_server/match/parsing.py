"""Checks and decodes the contents of requests. All functions raise ServiceError."""

import re
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from vinci.v1 import analysis_pb2, game_pb2, lobby_pb2, match_pb2
from vinci_codec import actions
from vinci_rules.actions import Action
from vinci_rules.board import Board, load_board
from vinci_rules.state import State

from ..errors import ServiceError, refusing
from .match import Match
from .planning import refusal
from .seats.seating import Nonce

MOST_ACTIONS: Final = 64
LONGEST_ACTION: Final = 4096
"""In bytes, several times what the longest reorganisation needs."""
SHORTEST_SECRET_ID: Final = 16
LONGEST_REQUEST_ID: Final = 64
LONGEST_NONCE: Final = 64
HASH: Final = re.compile("[0-9a-f]{64}")

_WithNonce: TypeAlias = lobby_pb2.JoinMatchRequest | lobby_pb2.JoinRematchRequest | lobby_pb2.RevealNonceRequest


def parse_actions(messages: Sequence[game_pb2.Action], match: Match) -> list[Action]:
    """Return the actions of a request to a match."""
    return actions_on(load_board(match.ledger.setup.board), messages)


def actions_on(board: Board, messages: Sequence[game_pb2.Action]) -> list[Action]:
    """Return the actions of a request, on a board."""
    if not messages:
        raise ServiceError("BAD_ACTION", "NONE")
    if len(messages) > MOST_ACTIONS:
        raise ServiceError("TOO_MANY_ACTIONS", number=len(messages), most=MOST_ACTIONS)
    for message in messages:
        if message.ByteSize() > LONGEST_ACTION:
            raise ServiceError("BAD_ACTION", "LONG", most=LONGEST_ACTION)
    with refusing():
        return [actions.from_message(message, board) for message in messages]


def asked_about(request: match_pb2.SuggestRequest | analysis_pb2.SuggestActionRequest, state: State) -> Action | None:
    """Return the legal action that a request for a suggestion wants compared, or None."""
    if not request.HasField("compare"):
        return None
    (action,) = actions_on(state.board, [request.compare])
    refused = refusal(state, state.actor, action)
    if refused is not None:
        raise refused
    return action


def request_id(text: str) -> str:
    """Return the id of a request that must not be played twice."""
    if not 1 <= len(text) <= LONGEST_REQUEST_ID or not text.isascii() or not text.isprintable() or "#" in text:
        raise ServiceError("BAD_REQUEST_ID", "FORM")
    return text


def secret_id(text: str) -> str:
    """Return the id of a request that is answered with a token, empty for none."""
    if text and len(text) < SHORTEST_SECRET_ID:
        raise ServiceError("BAD_REQUEST_ID", "SHORT", least=SHORTEST_SECRET_ID)
    return request_id(text) if text else ""


def nonce(text: str) -> str:
    """Return a player's share of a secret seed."""
    if len(text) > LONGEST_NONCE or not text.isascii() or not text.isprintable() or "|" in text:
        raise ServiceError("BAD_SEED", "NONCE", most=LONGEST_NONCE)
    return text


def promised(text: str) -> str:
    """Return the hash of a nonce; empty for none."""
    if text and not HASH.fullmatch(text):
        raise ServiceError("BAD_NONCE", "HASH")
    return text


def given_nonce(request: _WithNonce) -> Nonce:
    """Return the nonce of a request, or its hash."""
    given = Nonce(nonce(request.nonce), promised(request.nonce_hash))
    if given.text and given.promised:
        raise ServiceError("BAD_NONCE", "BOTH")
    return given


def bearer(context: Any) -> str:
    """Return the token in the metadata of a call; empty for none."""
    for key, value in context.invocation_metadata() or ():
        if key == "authorization" and isinstance(value, str):
            scheme, _, token = value.partition(" ")
            return token.strip() if scheme.lower() == "bearer" else ""
    return ""


def required_bearer(context: Any) -> str:
    """Return the token in the metadata of a call."""
    if token := bearer(context):
        return token
    raise ServiceError("NO_TOKEN")
