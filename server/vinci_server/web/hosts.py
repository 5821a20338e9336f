"""Checks under which name a browser reaches the server, so that no other site can use it by a name of its own."""

import socket
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import ip_address
from typing import Final, final
from urllib.parse import urlsplit

LONGEST: Final = 300
PORTS: Final = {"http": 80, "https": 443}


@final
class Hosts:
    """The names of the server: its machine's, localhost, the given ones, and all addresses."""

    def __init__(self, names: Iterable[str]) -> None:
        machine = socket.gethostname().lower()
        short = machine.partition(".")[0]
        self._names: Final = {"localhost", machine, short, f"{short}.local", *map(str.lower, names)}
        self.problem: Final = lru_cache(1024)(self._problem)

    def _problem(self, host: str, origin: str, scheme: str) -> str:
        """Return why a request with these headers is refused; empty if it is not."""
        if len(host) + len(origin) > LONGEST:
            return "the headers host and origin are too long"
        name, port = _split(f"{scheme}://{host}")
        if not self._knows(name):
            shown = "".join(filter(str.isprintable, name)) or "this name"
            if not name:
                return "the request does not say which host it is for"
            how = f"its owner can add the name with --web-name {shown}"
            return f"this server is not known as {shown}: use its address; {how}"
        if origin and _split(origin) != (name, port):
            return "the request comes from another site, which may not use this server"
        return ""

    def _knows(self, name: str) -> bool:
        if name in self._names or name.removesuffix(".") in self._names:
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True


def _split(url: str) -> tuple[str, int]:
    """Return host and port of a URL; no host if it has none."""
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        return "", 0
    return (parts.hostname or "", port) if parts.username is None else ("", 0)
