"""Access to the server: open, or with a password or join code (docs/protocol.md#access)."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

from vinci_refusals.wording import Refused

from ..errors import ServiceError
from .certificate import LETTERS, Certificate, write_for_owner

SECRET_LETTERS: Final = 8
LONGEST_PASSWORD: Final = 64
HEADER: Final = "vinci-access"
"""The metadata that carries code or password."""


class UnusablePassword(Refused, ValueError):
    """A password that cannot be sent; the text says which can."""


@dataclass(frozen=True, slots=True)
class ServerAccess:
    """The password or code of the server and its TLS certificate; each may be absent.

    With a second code, `entrants`, the server is that of a league: who has this code may only play, with the key of a
    bot that is invited.
    """

    password: str = ""
    code: str = ""
    certificate: Certificate | None = None
    entrants: str = ""

    def __post_init__(self) -> None:
        text = self.password
        if len(text) > LONGEST_PASSWORD or not text.isascii() or not text.isprintable() or text != text.strip():
            raise UnusablePassword("NO_PASSWORD", most=LONGEST_PASSWORD)

    @property
    def secret(self) -> str:
        """The part of the join code that opens the server, without the fingerprint of its certificate."""
        return grouped("".join(filter(str.isalnum, self.code))[:SECRET_LETTERS])


OPEN: Final = ServerAccess()
"""Everybody may call, without TLS."""


@final
class AccessCheck:
    """Compares the code or password of calls with a keyed hash of the right one."""

    def __init__(self, access: ServerAccess) -> None:
        self._of_code: Final = bool(access.code)
        self._key: Final = secrets.token_bytes(32)
        self._hash: Final = self._hashed(access.code or access.password) if access.code or access.password else b""
        self._entrants: Final = self._hashed(access.entrants) if access.entrants else b""

    def lets_in(self, context: Any, *, is_play: bool = False) -> bool:
        """Return whether the call has the right code or password; that of entrants if it `is_play`.

        Raises ServiceError if it has none, or the code of entrants for another call.
        """
        if not self._hash:
            return True
        for key, value in context.invocation_metadata() or ():
            if key == HEADER:
                if self._entrants and hmac.compare_digest(self._hashed(value), self._entrants):
                    if not is_play:
                        raise ServiceError("PLAY_ONLY")
                    return True
                return self.knows(value)
        raise self.refusal(sent=False)

    def is_of_organiser(self, context: Any) -> bool:
        """Return whether the call has the organiser's code of a league."""
        return any(key == HEADER and self.knows(value) for key, value in context.invocation_metadata() or ())

    @property
    def is_of_league(self) -> bool:
        """Whether there is a second code, that of entrants."""
        return bool(self._entrants)

    def knows(self, secret: str) -> bool:
        """Return whether this is the code or password, in constant time."""
        return hmac.compare_digest(self._hashed(secret), self._hash)

    @property
    def is_open(self) -> bool:
        """Whether no code or password is needed."""
        return not self._hash

    @property
    def can_be_guessed(self) -> bool:
        """Whether guesses must be few: people choose passwords, while a code has 40 random bits."""
        return not self._of_code

    @property
    def kind(self) -> str:
        """The kind of secret, in words."""
        return "join code" if self._of_code else "password"

    def refusal(self, *, sent: bool) -> ServiceError:
        """Return the refusal of a call with a wrong code or password, or none."""
        return ServiceError("BAD_ACCESS" if sent else "NO_ACCESS", needs="code" if self._of_code else "password")

    def _hashed(self, text: str) -> bytes:
        if self._of_code:
            text = "".join(filter(str.isalnum, text.lower()))[:SECRET_LETTERS]
        return hmac.digest(self._key, text.encode(errors="replace"), hashlib.sha256)


def join_code(database: Path, certificate: Certificate | None) -> str:
    """Return the server's join code, stored beside its database, with any certificate's fingerprint. Raises OSError."""
    path = database.with_suffix(".code")
    try:
        secret = path.read_text(encoding="utf-8", errors="replace").strip()
    except FileNotFoundError:
        secret = ""
    if len(secret) != SECRET_LETTERS or not set(secret) <= set(LETTERS):
        secret = "".join(secrets.choice(LETTERS) for _ in range(SECRET_LETTERS))
        write_for_owner(path, f"{secret}\n".encode())
    return grouped(secret + (certificate.fingerprint() if certificate else ""))


def grouped(code: str) -> str:
    """Return a code in groups of four: `k3f9-xa2m`."""
    return "-".join(code[place : place + 4] for place in range(0, len(code), 4))
