"""Secrets of 128 bits that authenticate seats and hosts, derived from request ids and stored as hashes."""

import base64
import hashlib
import hmac
import re
import secrets
from typing import Final, Literal

ADMIN_FILE: Final = "admin-token"
"""The file beside the database with the administrator's token."""
_MATCH_ID: Final = re.compile("[0-9a-z]{1,64}")
_ID_LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH: Final = 8


def new_match_id() -> str:
    """Return a new id: eight letters and digits, none that look alike."""
    return letters(_ID_LENGTH)


def letters(number: int) -> str:
    """Return random letters and digits, none that look alike."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(number))


def is_match_id(text: str) -> bool:
    """Whether a text can be the id of a match."""
    return _MATCH_ID.fullmatch(text) is not None


def new_token(match_id: str) -> str:
    """Return a new secret; the match can be read from it."""
    return f"{match_id}.{secrets.token_urlsafe(16)}"


def request_id() -> str:
    """Return an id for a request without one."""
    return secrets.token_hex(16)


def match_id_for(request_id: str) -> str:
    """Return the id of the match that a request creates."""
    number = int.from_bytes(_derived("match", request_id))
    letters = ""
    for _ in range(_ID_LENGTH):
        number, letter = divmod(number, len(_ID_LETTERS))
        letters += _ID_LETTERS[letter]
    return letters


def token_for(role: Literal["host", "seat"], match_id: str, request_id: str) -> str:
    """Return the secret that a request asks for; the match can be read from it."""
    secret = base64.urlsafe_b64encode(_derived(role, match_id, request_id)).rstrip(b"=").decode()
    return f"{match_id}.{secret}"


def token_of_person(match_id: str, key: str, since: int) -> str:
    """Return the secret of a person's device for a seat that was taken by the row `since` of a match."""
    return token_for("seat", match_id, f"person {key} {since}")


def _derived(*parts: str) -> bytes:
    return hashlib.sha256(" ".join(parts).encode()).digest()[:16]


def match_of(token: str) -> str:
    """Return the id of the match of a token."""
    return token.partition(".")[0]


def digest(token: str) -> str:
    """Return the hash of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def fits(token: str, stored: str) -> bool:
    """Whether a token is the one that was stored, in constant time."""
    return bool(stored) and hmac.compare_digest(digest(token), stored)
