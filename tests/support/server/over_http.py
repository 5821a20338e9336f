"""A server with its web server in this process, and calls over HTTP with the standard library alone."""

import asyncio
import json
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.support.server.in_process import SOON
from vinci_server.app import Server
from vinci_server.limits import USUAL, Limits
from vinci_server.rpc.access import OPEN, ServerAccess
from vinci_server.web.server import WebServer

JSON: Final = "application/json"
SCRIPT: Final = "index-0123abcd.js"


@dataclass(frozen=True)
class Answer:
    """A response; names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """Return the body, which must be JSON."""
        return json.loads(self.body)

    @property
    def reason(self) -> str:
        """Return the reason of a refusal, which must have our ErrorInfo."""
        info = self.json()["details"][0]["debug"]
        assert info["domain"] == "vinci"
        return str(info["reason"])


@dataclass
class Wire:
    """A connection to a web server."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def send(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> None:
        """Send a request."""
        lines = [f"{method} {path} HTTP/1.1", *(f"{key}: {value}" for key, value in headers.items())]
        if method == "POST" and "content-length" not in headers:
            lines.append(f"content-length: {len(body)}")
        self.writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)

    async def head(self) -> tuple[int, dict[str, str]]:
        """Return the status and the headers of a response."""
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines[1:] if line)
        return int(lines[0].split()[1]), {key.lower(): value for key, value in headers.items()}

    async def parts(self) -> AsyncIterator[bytes]:
        """Yield the chunks of a body."""
        while size := int(await self.reader.readuntil(b"\r\n"), 16):
            yield (await self.reader.readexactly(size + 2))[:-2]
        await self.reader.readexactly(2)

    async def answer(self, method: str = "POST") -> Answer:
        """Return a whole response."""
        status, headers = await self.head()
        if headers.get("transfer-encoding") == "chunked":
            return Answer(status, headers, b"".join([part async for part in self.parts()]))
        length = 0 if method == "HEAD" or status == 304 else int(headers.get("content-length", 0))
        return Answer(status, headers, await self.reader.readexactly(length))

    async def ended(self) -> bytes:
        """Return what comes until the server closes the connection."""
        async with asyncio.timeout(SOON):
            try:
                return await self.reader.read()
            except ConnectionResetError:
                return b""


@dataclass
class Web:
    """A web server at a port of this machine; `context` is for TLS."""

    port: int
    host: str = "127.0.0.1"
    context: ssl.SSLContext | None = None
    front: WebServer | None = None

    @asynccontextmanager
    async def wire(self) -> AsyncIterator[Wire]:
        """Open a connection."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, ssl=self.context, limit=1 << 22)
        try:
            yield Wire(reader, writer)
        finally:
            writer.transport.abort()

    async def request(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        """Return the response to a request; `content_type="..."` is a header."""
        async with self.wire() as wire, asyncio.timeout(SOON):
            wire.send(method, path, body, self._headers(headers))
            return await wire.answer(method)

    async def get(self, path: str, **headers: str) -> Answer:
        """Return the response to a request for a file."""
        return await self.request("GET", path, b"", **headers)

    async def call(self, name: str, request: Any = None, **headers: str) -> Answer:
        """Return the response to a call with JSON, such as `LobbyService/GetMatch`."""
        body = json.dumps(request or {}).encode()
        named: dict[str, Any] = {"content_type": JSON, **headers}
        return await self.request("POST", f"/vinci.v1.{name}", body, **named)

    async def ok(self, name: str, request: Any = None, **headers: str) -> Any:
        """Return the answer to a call, which must succeed."""
        answer = await self.call(name, request, **headers)
        assert answer.status == 200, answer.body
        return answer.json()

    async def lines(self, name: str, request: Any, **headers: str) -> AsyncGenerator[Any, None]:
        """Yield the messages of a stream as lines of JSON."""
        async with self.wire() as wire:
            body = json.dumps(request).encode()
            wire.send("POST", f"/vinci.v1.{name}", body, self._headers({"content_type": JSON} | headers))
            async with asyncio.timeout(SOON):
                status, _ = await wire.head()
            assert status == 200
            parts, rest = wire.parts(), b""
            while True:
                async with asyncio.timeout(SOON):
                    part = await anext(parts, None)
                if part is None:
                    return
                *whole, rest = (rest + part).split(b"\n")
                for line in whole:
                    yield json.loads(line)

    def _headers(self, more: Mapping[str, str]) -> dict[str, str]:
        named = {key.replace("_", "-"): value for key, value in more.items()}
        return {"host": f"{self.host}:{self.port}"} | named


def bearer(token: str) -> dict[str, str]:
    """Return the header with a token."""
    return {"authorization": f"Bearer {token}"}


def page(folder: Path) -> Path:
    """Write a page of two files into a folder; return the folder."""
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(f'<!doctype html><script type="module" src="/assets/{SCRIPT}"></script>')
    (folder / "assets" / SCRIPT).write_text("export {};" * 100)
    (folder / "sources.sha256").write_text("0" * 64)
    return folder


@asynccontextmanager
async def web_server(
    database: Path, access: ServerAccess = OPEN, limits: Limits = USUAL, port: int = 0, **options: Any
) -> AsyncIterator[tuple[Server, Web]]:
    """Start a server with a web server."""
    server = await Server.start("127.0.0.1", 0, database, access=access, limits=limits)
    try:
        folder = database.parent / "page"
        front = await WebServer.start(
            "127.0.0.1",
            port,
            server.services,
            server.admission,
            server.metrics,
            page=folder if folder.exists() else page(folder),
            certificate=access.certificate,
            **{"reached_at": "192.168.1.5"} | options,
        )
        server.add(front, front.base)
        yield server, Web(front.port, front=front)
    finally:
        await server.stop()
