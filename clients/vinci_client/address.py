"""Addresses of servers: a host and a port in one text."""

from typing import Final

DEFAULT_PORT: Final = 7654


def joined(host: str, port: int) -> str:
    """A host with a port, `192.168.1.5:7654` or `[::1]:7654`."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def with_port(address: str) -> str:
    """An address with the usual port added if it names none: `192.168.1.5` becomes `192.168.1.5:7654`."""
    host = address.strip()
    if host.startswith("["):
        return host if "]:" in host else f"{host}:{DEFAULT_PORT}"
    return host if host.count(":") == 1 else joined(host, DEFAULT_PORT)
