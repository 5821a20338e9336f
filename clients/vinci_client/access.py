"""Access to a server: its join code or password, and TLS, which proves its identity."""

import asyncio
import base64
import hashlib
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import grpc

from vinci_refusals.wording import Refused

from .address import split
from .errors import ServerGone, ServerRefused, no_answer_from, wrong_server

HEADER: Final = "vinci-access"
"""The metadata that carries code or password."""
SYSTEM: Final = "system"
"""Instead of a file: TLS with the authorities that this machine trusts."""
LONGEST_PASSWORD: Final = 64

OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # else a minute, whatever keepalive_timeout_ms says
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),  # gRPC's own waits, which come on top of ours, go up to two minutes
)
"""gRPC options of every channel to a server."""

_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_ALIKE: Final = str.maketrans("iloILO", "110110", "- ")
_OF_BASE_32: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", _LETTERS)
_SECRET: Final = 8
_FINGERPRINT: Final = 16
_NAME: Final = "vinci"
"""Whom the certificates name that servers make themselves; they are known by their fingerprint."""
_CONNECT_SECONDS: Final = 10.0


class BadAccess(Refused, ValueError):
    """Invalid access; text and facts say what is wrong and what would be right."""


@dataclass(frozen=True, slots=True)
class Access:
    """Credentials for a server. Raises BadAccess for impossible combinations.

    A code with a fingerprint stands for TLS, too. Otherwise `tls` is empty for none, SYSTEM, or a file in PEM with the
    certificates of the authorities to trust.
    """

    code: str = ""
    password: str = ""
    tls: str = ""

    def __post_init__(self) -> None:
        if self.code and self.password:
            raise BadAccess("CODE_AND_PASSWORD")
        letters = self._letters()
        if self.code and (not set(letters) <= set(_LETTERS) or len(letters) not in (_SECRET, _SECRET + _FINGERPRINT)):
            raise BadAccess("NO_CODE", code=self.code[:80], short=_SECRET, long=_SECRET + _FINGERPRINT)
        text = self.password
        if len(text) > LONGEST_PASSWORD or not text.isascii() or not text.isprintable() or text != text.strip():
            raise BadAccess("NO_PASSWORD", most=LONGEST_PASSWORD)

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the server's certificate in the code, if it has one."""
        return self._letters()[_SECRET:]

    @property
    def secret(self) -> str:
        """The part of the code that lets clients in, for links to the page, without the fingerprint."""
        return self._letters()[:_SECRET]

    def metadata(self) -> tuple[tuple[str, Any], ...]:
        """Return the metadata of every call."""
        secret = self.secret or self.password
        return ((HEADER, secret),) if secret else ()

    def _letters(self) -> str:
        return self.code.translate(_ALIKE).lower()


OPEN: Final = Access()
"""For servers that ask for nothing and speak no TLS."""


async def open_channel(address: str, access: Access) -> grpc.aio.Channel:
    """Open a channel to a server at `host:port`.

    If the code holds a fingerprint, the server must have exactly the certificate that it belongs to. Raises
    ServerRefused if it has another one, ServerGone if nobody is there, and BadAccess for a file without certificates.
    """
    if access.fingerprint:
        certificate = await _certificate(address)
        if _fingerprint(certificate) != access.fingerprint:
            raise wrong_server(address, "OTHER_CERTIFICATE")
        named = [*OPTIONS, ("grpc.ssl_target_name_override", _NAME)]
        return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(certificate.encode()), options=named)
    if access.tls:
        roots = None if access.tls == SYSTEM else _roots(Path(access.tls))
        return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(roots), options=OPTIONS)
    return grpc.aio.insecure_channel(address, options=OPTIONS)


async def explained(failure: ServerGone, address: str, access: Access) -> ServerGone | ServerRefused:
    """Return the error for a server at `host:port` that did not answer: it may speak TLS only."""
    if access.fingerprint or access.tls:
        return failure
    try:
        await _certificate(address)
    except (ServerGone, ServerRefused):
        return failure
    return ServerRefused(grpc.StatusCode.UNAUTHENTICATED, "NEEDS_TLS", "", {"needs": "code", "address": address})


def _roots(path: Path) -> bytes:
    try:
        ssl.create_default_context(cafile=path)
        return path.read_bytes()
    except ssl.SSLError:
        raise BadAccess("NO_CERTIFICATES", path=path) from None
    except OSError as error:
        raise BadAccess("UNREADABLE", path=path, why=error.strerror or error) from None


async def _certificate(address: str) -> str:
    """Return the certificate of the server at `host:port` as PEM, unverified."""
    host, port = split(address)
    try:
        return await asyncio.to_thread(ssl.get_server_certificate, (host, int(port)), timeout=_CONNECT_SECONDS)
    except ssl.SSLError:
        raise wrong_server(address, "NO_TLS_FOR_CODE") from None
    except (OSError, ValueError, UnicodeError):
        raise no_answer_from(address) from None


def _fingerprint(certificate: str) -> str:
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(certificate)).digest()
    return base64.b32encode(digest[: _FINGERPRINT * 5 // 8]).decode().translate(_OF_BASE_32)
