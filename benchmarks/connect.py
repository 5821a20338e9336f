"""A client of the Connect protocol with bytes, as small as can be, so that a load uses little of the machine."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final, final

from google.protobuf.message import Message

UNARY: Final = "application/proto"
STREAM: Final = "application/connect+proto"
END: Final = 2
"""Flag of the message that ends a stream."""


@final
class Connection:
    """A connection with one call at a time."""

    def __init__(self, address: str) -> None:
        self._address: Final = address
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter | None = None

    async def call(self, path: str, request: Message, token: str = "") -> bytes:
        """Return the bytes of the answer of a unary call. Raises RuntimeError if it is refused."""
        status = await self._send(path, UNARY, request.SerializeToString(), token)
        body = b"".join([part async for part in self._parts()])
        if status != 200:
            raise RuntimeError(body.decode())
        return body

    async def stream(self, path: str, request: Message) -> AsyncIterator[bytes]:
        """Yield the bytes of the messages of a stream. Raises RuntimeError if it ends with an error."""
        data = request.SerializeToString()
        await self._send(path, STREAM, _head(data) + data, "")
        buffer = b""
        async for part in self._parts():
            buffer += part
            while len(buffer) >= 5 and len(buffer) >= (end := 5 + int.from_bytes(buffer[1:5])):
                message, flag, buffer = buffer[5:end], buffer[0], buffer[end:]
                if flag & END:
                    if b"error" in message:
                        raise RuntimeError(message.decode())
                    return
                yield message

    def close(self) -> None:
        """Close the connection."""
        if self._writer is not None:
            self._writer.transport.abort()

    async def _send(self, path: str, kind: str, body: bytes, token: str) -> int:
        if self._writer is None:
            host, _, port = self._address.rpartition(":")
            self._reader, self._writer = await asyncio.open_connection(host, int(port), limit=1 << 20)
        bearer = f"authorization: Bearer {token}\r\n" if token else ""
        head = f"POST {path} HTTP/1.1\r\nhost: {self._address}\r\ncontent-type: {kind}\r\n{bearer}"
        self._writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        return int(answer[9:12])

    async def _parts(self) -> AsyncIterator[Any]:
        """Yield the chunks of a body, which the server always sends in chunks."""
        while size := int(await self._reader.readuntil(b"\r\n"), 16):
            yield (await self._reader.readexactly(size + 2))[:-2]
        await self._reader.readexactly(2)


def _head(data: bytes) -> bytes:
    return b"\0" + len(data).to_bytes(4)
