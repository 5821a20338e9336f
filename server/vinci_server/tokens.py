"""Secrets that authenticate a seat or the host of a match: 128 random bits, kept only as a hash."""

import hashlib
import hmac
import secrets
from typing import Final

ADMIN_FILE: Final = "admin-token"
"""The file beside the database with the token of whoever runs the server."""
_ID_LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH: Final = 8


def new_match_id() -> str:
    """An id that is easy to read aloud: eight letters and digits, none that look alike."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))


def new_token(match_id: str) -> str:
    """A secret for a seat or the host of a match; the match can be read from it."""
    return f"{match_id}.{secrets.token_urlsafe(16)}"


def match_of(token: str) -> str:
    """The id of the match that a token is for."""
    return token.partition(".")[0]


def digest(token: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def fits(token: str, stored: str) -> bool:
    """Whether a token is the one that was stored, in constant time."""
    return bool(stored) and hmac.compare_digest(digest(token), stored)
