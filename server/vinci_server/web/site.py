"""The page with one value as JSON, served by a thread of its own, for a command that is no server."""

import asyncio
import threading
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, final

from .answers import answer, answer_json, header
from .connection import Connections
from .context import Receive, Scope, Send
from .hosts import Hosts
from .listening import Uvicorn, bound
from .static import PAGE, SECURITY, Static

MOST_CONNECTIONS: Final = 64
"""Most connections of one host."""


@final
class Site:
    """Serves the page at `place`, and at `place`.json what `value` returns, until it is stopped.

    Attributes:
        port: the port at which it listens.
    """

    def __init__(self, host: str, port: int, place: str, value: Callable[[], Any], page: Path = PAGE) -> None:
        """Listen at a port, 0 for a free one. Raises AddressError or PageMissing."""
        application = _Application(place, value, Static(page))
        listening = bound(host, port)
        listening.listen()  # connections wait until the thread runs
        self.port: Final[int] = listening.getsockname()[1]
        self._server: Final = Uvicorn(application, listening, Connections(MOST_CONNECTIONS, frozenset()))
        self._thread: Final = threading.Thread(target=self._serve, name="web", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        asyncio.run(self._server.serve(sockets=[self._server.socket]))

    def stop(self) -> None:
        """Stop listening and end the thread."""
        self._server.should_exit = True
        self._thread.join()


@final
class _Application:
    """Answers requests that come under a name of this machine and from no other site."""

    def __init__(self, place: str, value: Callable[[], Any], static: Static) -> None:
        self._place: Final = place
        self._value: Final = value
        self._static: Final = static
        self._hosts: Final = Hosts(())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        path = scope["path"]
        problem = self._hosts.problem(header(scope, b"host"), header(scope, b"origin"), scope["scheme"])
        if problem:
            await _answer_text(send, HTTPStatus.FORBIDDEN, problem)
        elif path == f"{self._place}.json":
            if scope["method"] not in ("GET", "HEAD"):
                await _answer_text(send, HTTPStatus.METHOD_NOT_ALLOWED, "send it by GET", (b"allow", b"GET, HEAD"))
            else:
                await answer_json(send, HTTPStatus.OK, self._value())
        elif path == "/":
            await _answer_text(send, HTTPStatus.FOUND, self._place, (b"location", self._place.encode()))
        else:
            await self._static(scope, receive, send)


async def _answer_text(send: Send, status: int, text: str, *headers: tuple[bytes, bytes]) -> None:
    await answer(
        send, status, f"{text}\n".encode(), (b"content-type", b"text/plain; charset=utf-8"), *headers, *SECURITY
    )
