"""Server of the doctor, which can be killed and started again."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, final

import grpc
from google.protobuf.message import Message

from vinci_client import processes
from vinci_client.access import Access, open_channel
from vinci_client.session import Session

from ..local.local_match import arguments
from .relay import Relay

CERTIFICATE: Final = b"-----BEGIN CERTIFICATE-----"
ADMIN_FILE: Final = "admin-token"
"""File with the admin token of a server, beside its database."""
DATABASE: Final = "check.db"
PORTS: Final = range(20_000, 32_000)
"""Ports that no system gives by itself, so that nobody has the one of a server while it is started again."""
TRIES: Final = 2
"""Ports that are tried before one that the system gives."""


@final
class Host:
    """Server that only this machine reaches, an async context manager.

    `folder` is for its files; its kind of access is `tls`, `code` or empty for an open one.
    """

    def __init__(self, folder: Path, kind: str = "") -> None:
        self.has_tls: Final = kind == "tls"
        self._database: Final = folder / DATABASE
        self._options: Final = [f"--{kind}"] if kind else []
        self._serving: processes.Serving

    async def __aenter__(self) -> "Host":
        for _ in range(TRIES):
            with suppress(processes.NotStarted):  # another process has the port
                await self._serve("--port", str(PORTS[secrets.randbelow(len(PORTS))]))
                return self
        await self._serve()
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._stop()

    @property
    def address(self) -> str:
        """Address of the server."""
        return self._serving.address

    @property
    def access(self) -> Access:
        """Access to the server."""
        return Access(code=self._serving.code)

    async def ask(self, method: str, request: Message) -> Any:
        """Return the answer of the administration of the server."""
        admin = self._database.with_name(ADMIN_FILE).read_text(encoding="ascii").strip()
        async with Session(self.address, self.access) as session:
            return await session.call(getattr(session.admin, method), request, admin)

    @asynccontextmanager
    async def behind(self, relay: Relay) -> AsyncIterator[None]:
        """Let a relay pass calls on to the server."""
        await self._open(relay)
        try:
            yield
        finally:
            await relay.close()

    async def restart(self, relay: Relay) -> None:
        """Kill the server behind a relay and start it again with the same database at the same address."""
        await relay.proxy.close()
        await relay.close()
        self._serving.process.kill()
        await self._stop()
        await self._serve("--port", self.address.rpartition(":")[2])
        await self._open(relay)
        await relay.proxy.open()

    async def _open(self, relay: Relay) -> None:
        """Open a relay, with the certificate of the server if it has one."""
        credentials = None
        if self.has_tls:
            key, mark, chain = self._database.with_suffix(".pem").read_bytes().partition(CERTIFICATE)
            credentials = grpc.ssl_server_credentials([(key, mark + chain)])
        await relay.open(await open_channel(self.address, self.access), credentials)

    async def _serve(self, *port: str) -> None:
        self._serving = await asyncio.to_thread(processes.serve, self._database, *arguments(), *self._options, *port)

    async def _stop(self) -> None:
        await asyncio.to_thread(processes.stop, [self._serving.process])
