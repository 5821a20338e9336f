"""Uvicorn at a socket, in a process that has other work."""

import asyncio
import contextlib
import os
import socket
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

import uvicorn

from ..rpc.certificate import Certificate
from ..rpc.listener import GRACE_SECONDS, AddressError
from .connection import Connection, Connections

KEPT_SECONDS: Final = 60
"""Seconds for which a connection is kept between two requests."""


class Uvicorn(uvicorn.Server):
    """Uvicorn that leaves signals to the process, and tells when it listens.

    Attributes:
        socket: where it listens.
        up: set when it listens.
    """

    def __init__(
        self,
        application: Any,
        listening: socket.socket,
        connections: Connections,
        certificate: Certificate | None = None,
    ) -> None:
        connection: Any = partial(Connection, connections=connections)
        config = uvicorn.Config(
            application,
            http=connection,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=KEPT_SECONDS,
            timeout_graceful_shutdown=int(GRACE_SECONDS),
            ssl_context_factory=(lambda *_: certificate.context()) if certificate else None,
        )
        super().__init__(config)
        self.socket: Final = listening
        self.up: Final = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen."""
        await super().startup(sockets)
        self.up.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the process."""
        yield


def bound(host: str, port: int, host_option: str = "--listen") -> socket.socket:
    """Return a socket at a port. Raises AddressError, which names the option for the host."""
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, kind, protocol)  # with it asyncio sends small parts at once
        try:
            if os.name == "posix":
                found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind(place)
        except OSError:
            found.close()
            raise
    except OSError as error:
        raise AddressError.of(f"listen on {address}", error, host=host_option, port="--web") from None
    found.setblocking(False)
    return found
