"""Authentication over SSH, and recognition of returning people.

A key proves an identity. A code or password does not: everybody who knows it and gives the same name is the same person
to this server.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

import asyncssh

from vinci_server.limits import Limits, Peer, Traffic
from vinci_server.rpc.access import AccessCheck, ServerAccess
from vinci_server.rpc.certificate import write_for_owner

from ...text.i18n import _

LIMITS: Final = Limits(calls_per_second=4, streams=200, streams_per_peer=20)
"""Rate limits, where calls are connections and streams are sessions."""
TRIES: Final = 3
"""Most wrong codes in one connection."""


class BadKeys(Exception):
    """The file of public keys cannot be used; the text says why."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """An authenticated person: the name, and the proof: `key SHA256:...`, `code`, `password` or `nothing`."""

    name: str
    proof: str

    @property
    def id(self) -> str:
        """The key under which seats are saved, derived from name and proof."""
        return hashlib.sha256(f"{self.name}\n{self.proof}".encode(errors="replace")).hexdigest()[:32]


@final
class SshAuthenticator:
    """Authenticates people. Raises ServiceError."""

    def __init__(self, access: ServerAccess, keys: Path | None, limits: Limits = LIMITS) -> None:
        self._keeper: Final = AccessCheck(access)
        self._keys: Final = keys
        self.traffic: Final = Traffic(limits)

    @property
    def is_open(self) -> bool:
        """Whether no access is asked for."""
        return self._keeper.is_open

    @property
    def asks_for(self) -> str:
        """The prompt for people without a known key: `join code` or `password`."""
        return self._keeper.kind

    def knock(self, host: str) -> Peer:
        """Register a connection from a host and return its limits."""
        kind = "ipv6" if ":" in host else "ipv4"
        return self.traffic.call(f"{kind}:[{host}]:0" if kind == "ipv6" else f"{kind}:{host}:0")

    def opens_with(self, secret: str, peer: Peer) -> bool:
        """Return whether this is the code or password. Raises ServiceError after too many guesses of the peer."""
        if self._keeper.can_be_guessed:
            self.traffic.try_code(peer)
        if self._keeper.knows(secret):
            return True
        self.traffic.wrong_code(peer)
        return False

    def knows(self, key: asyncssh.SSHKey, host: str) -> bool:
        """Return whether a key is accepted from this host. The file is read each time, so that keys can be added."""
        if self.is_open:
            return True
        keys = known_keys(self._keys) if self._keys is not None else None
        return keys is not None and keys.validate(key, host, host) is not None


def known_keys(path: Path) -> asyncssh.SSHAuthorizedKeys:
    """Read public keys from a file like OpenSSH's authorized_keys. Raises BadKeys."""
    try:
        return asyncssh.read_authorized_keys(str(path))
    except OSError as error:
        raise BadKeys(_("{path} cannot be read: {why}").format(path=path, why=error.strerror or error)) from None
    except (ValueError, asyncssh.KeyImportError):
        text = _("{path} holds no public keys; it has one a line, like ~/.ssh/authorized_keys")
        raise BadKeys(text.format(path=path)) from None


def host_key(database: Path) -> asyncssh.SSHKey:
    """Return the host key, created once and saved beside the database. Raises BadKeys or OSError."""
    path = database.with_suffix(".ssh")
    if not path.exists():
        write_for_owner(path, asyncssh.generate_private_key("ssh-ed25519").export_private_key())
    try:
        return asyncssh.read_private_key(str(path))
    except (asyncssh.KeyImportError, ValueError):
        text = _("{path} holds no private key; remove it, and a new one is made, at which every ssh will warn")
        raise BadKeys(text.format(path=path)) from None
