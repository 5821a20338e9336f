"""Addresses of servers: a host and a port in one text, or the path of a Unix socket."""

import re
from contextlib import suppress
from ipaddress import ip_address
from typing import Final

from vinci_refusals.wording import Refused

DEFAULT_PORT: Final = 7654
HIGHEST_PORT: Final = 65535
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
"""Hosts that name this machine to itself only."""
UNIX: Final = "unix:"
"""Start of an address that is the path of a Unix socket."""

_ADDRESS: Final = re.compile(r"(\[[^\[\]\s/]+\]|[^\[\]\s/:]+)(?::(\d{1,5}))?")


class BadAddress(Refused, ValueError):
    """Invalid address; the text says what would be valid."""

    def __init__(self, address: str) -> None:
        super().__init__("BAD_ADDRESS", address=address)


def joined(host: str, port: int) -> str:
    """Join host and port: `192.168.1.5:7654` or `[::1]:7654`."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def split(address: str) -> tuple[str, str]:
    """Return host, without brackets, and port of an address, the default one if it names none.

    Of `unix:/run/vinci.sock` they are `unix` and the path. Raises BadAddress.
    """
    host, _, port = with_port(address).rpartition(":")
    return host.strip("[]"), port


def with_port(address: str) -> str:
    """Return an address, with the default port if it names none: `192.168.1.5` becomes `192.168.1.5:7654`.

    `unix:/run/vinci.sock` stays. Raises BadAddress.
    """
    text = address.strip()
    if text.startswith(UNIX):
        return text
    with suppress(ValueError):  # a name, or with a port
        return joined(str(ip_address(text)), DEFAULT_PORT)
    parts = _ADDRESS.fullmatch(text)
    if parts is None or not 1 <= int(parts[2] or DEFAULT_PORT) <= HIGHEST_PORT:
        raise BadAddress(address)
    return text if parts[2] else f"{text}:{DEFAULT_PORT}"
