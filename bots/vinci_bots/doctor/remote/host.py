"""Server of the doctor for remote bots: it can be reached from elsewhere, and cut off, killed and restarted."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

import grpc

from vinci.v1 import admin_pb2
from vinci_client import processes
from vinci_client.access import Access, open_channel
from vinci_client.session import Session

from ... import environment
from ...local.local_match import arguments
from ..proxy import TcpProxy
from .relay import RemoteRelay

CERTIFICATE: Final = b"-----BEGIN CERTIFICATE-----"
ADMIN_FILE: Final = "admin-token"
"""File with the admin token of a server, beside its database."""
DATABASE: Final = "check.db"


@dataclass(frozen=True, slots=True)
class Invitation:
    """Invitation for the author of a remote bot: address of the server, name of the bot and its key, join code."""

    address: str
    name: str
    key: str
    code: str

    def variables(self) -> dict[str, str]:
        """Return the environment variables for the bot."""
        access = {environment.CODE: self.code} if self.code else {}
        return {
            environment.ADDRESS: self.address,
            **access,
            environment.NAME: self.name,
            environment.KEY: self.key,
        }


@final
class Host:
    """Server for a remote bot, an async context manager.

    The bot connects to a proxy at `listen`, it to a relay with the certificate of the server, and that to the server,
    which only this machine reaches. `folder` is for its files; `access` is `tls`, `code` or empty for an open one.
    """

    def __init__(self, folder: Path, listen: tuple[str, int], access: str, name: str) -> None:
        self.proxy: Final = TcpProxy(0, *listen)
        self.relay: RemoteRelay
        self.session: Session
        self.invitation: Invitation
        self.has_tls: Final = access == "tls"
        self._name: Final = name
        self._database: Final = folder / DATABASE
        self._options: Final = [f"--{access}"] if access else []
        self._admin = ""
        self._serving: processes.Serving
        self._stack: Final = AsyncExitStack()

    async def __aenter__(self) -> "Host":
        try:
            await self._stack.enter_async_context(self.proxy)  # first: the port may be taken
            await self._serve()
            self._stack.push_async_callback(self._stop)
            self.relay = RemoteRelay(_credentials(self._database.with_suffix(".pem")) if self.has_tls else None)
            await self.relay.open(await self._channel())
            self._stack.push_async_callback(self.relay.close)
            self.proxy.target = self.relay.port
            access = Access(code=self._serving.code)
            self.session = await self._stack.enter_async_context(Session(self._serving.address, access))
            self._admin = self._database.with_name(ADMIN_FILE).read_text(encoding="ascii").strip()
            asked = admin_pb2.MakeBotKeyRequest(name=self._name)
            key = (await self.session.call(self.session.admin.MakeBotKey, asked, self._admin)).key
        except BaseException:
            await self._stack.aclose()
            raise
        self.invitation = Invitation(self.proxy.address, self._name, key, self._serving.code)
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._stack.aclose()

    async def end(self, match_id: str) -> None:
        """End a match before its game is over."""
        request = admin_pb2.EndMatchRequest(match_id=match_id, reason="the check is over")
        await self.session.call(self.session.admin.EndMatch, request, self._admin)

    async def restart(self) -> None:
        """Kill the server and start it again with the same database at the same address."""
        await self.proxy.close()
        await self.relay.close()
        self._serving.process.kill()
        await self._stop()
        await self._serve("--port", self._serving.address.rpartition(":")[2])
        await self.relay.open(await self._channel())
        await self.proxy.open()

    async def _serve(self, *port: str) -> None:
        self._serving = await asyncio.to_thread(processes.serve, self._database, *arguments(), *self._options, *port)

    async def _stop(self) -> None:
        await asyncio.to_thread(processes.stop, [self._serving.process])

    async def _channel(self) -> grpc.aio.Channel:
        return await open_channel(self._serving.address, Access(code=self._serving.code))


def _credentials(certificate: Path) -> grpc.ServerCredentials:
    """Return the credentials of a port from the file of a server with its key and certificate."""
    key, mark, chain = certificate.read_bytes().partition(CERTIFICATE)
    return grpc.ssl_server_credentials([(key, mark + chain)])
