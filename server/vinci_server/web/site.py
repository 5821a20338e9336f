"""The page with one value as JSON and documents, served by a thread of its own, for a command that is no server."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, final

from vinci.v1 import lobby_pb2, match_pb2

from ..errors import ServiceError
from ..limits import USUAL
from ..metrics import Metrics
from ..rpc.access import OPEN
from ..rpc.admission import Admission
from ..rpc.services.lobby_service import BoardCalls
from ..rpc.services.match_service import RecordCalls
from .answers import answer, answer_json, header
from .connection import Connections
from .context import ClientGone, Receive, Scope, Send, peer_of
from .gateway import Gateway
from .hosts import Hosts
from .listening import Uvicorn, bound
from .static import PAGE, POLICY, SECURITY, Static, security

MOST_CONNECTIONS: Final = 64
"""Most connections of one host."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document with its content type, its Content-Security-Policy and the status of the answer."""

    content: bytes
    kind: str = "text/plain; charset=utf-8"
    policy: str = POLICY
    status: int = HTTPStatus.OK


Documents = Callable[[str], Document | None]
"""Returns the document at a path below the place of the page, None if there is none; called in threads."""


@final
class Site:
    """Serves the page at `place`, and at `place`.json what `value` returns, until it is stopped.

    Below `place` are documents, and the page can replay records.

    Attributes:
        port: the port at which it listens.
    """

    def __init__(
        self, host: str, port: int, place: str, value: Callable[[], Any], documents: Documents, page: Path = PAGE
    ) -> None:
        """Listen at a port, 0 for a free one. Raises AddressError or PageMissing."""
        application = _Application(place, value, documents, Static(page))
        listening = bound(host, port, "--web-host")
        listening.listen()  # connections wait until the thread runs
        self.port: Final[int] = listening.getsockname()[1]
        connections = Connections(MOST_CONNECTIONS, frozenset(), application.admission.traffic)
        self._server: Final = Uvicorn(application, listening, connections)
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

    def __init__(self, place: str, value: Callable[[], Any], documents: Documents, static: Static) -> None:
        self._place: Final = place
        self._value: Final = value
        self._documents: Final = documents
        self._static: Final = static
        self._hosts: Final = Hosts(())
        metrics = Metrics()
        self.admission: Final = Admission(OPEN, USUAL, metrics)
        services = {
            lobby_pb2.DESCRIPTOR.services_by_name["LobbyService"]: BoardCalls(),
            match_pb2.DESCRIPTOR.services_by_name["MatchService"]: RecordCalls(self.admission),
        }
        self._gateway: Final = Gateway(services, self.admission, metrics)
        self._prefixes: Final = tuple(self._gateway.prefixes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        path = scope["path"]
        problem = self._hosts.problem(header(scope, b"host"), header(scope, b"origin"), scope["scheme"])
        if path.startswith(self._prefixes) and not problem:
            with suppress(ClientGone):
                await self._gateway(scope, receive, send)
            return
        try:
            await self.admission.request(peer_of(scope))
        except ServiceError as refusal:
            await _answer_text(send, HTTPStatus.TOO_MANY_REQUESTS, refusal.message)
            return
        if problem:
            await _answer_text(send, HTTPStatus.FORBIDDEN, problem)
        else:
            await self._answer(path, scope, receive, send)

    async def _answer(self, path: str, scope: Scope, receive: Receive, send: Send) -> None:
        is_value, is_below = path == f"{self._place}.json", path.startswith(f"{self._place}/")
        if (is_value or is_below) and scope["method"] not in ("GET", "HEAD"):
            await _answer_text(send, HTTPStatus.METHOD_NOT_ALLOWED, "send it by GET", (b"allow", b"GET, HEAD"))
        elif is_value:
            await answer_json(send, HTTPStatus.OK, self._value())
        elif path == "/":
            await _answer_text(send, HTTPStatus.FOUND, self._place, (b"location", self._place.encode()))
        elif is_below and (found := await asyncio.to_thread(self._documents, path.removeprefix(f"{self._place}/"))):
            headers = (b"content-type", found.kind.encode()), (b"cache-control", b"no-cache")
            await answer(send, found.status, found.content, *headers, *security(found.policy))
        else:
            await self._static(scope, receive, send)


async def _answer_text(send: Send, status: int, text: str, *headers: tuple[bytes, bytes]) -> None:
    await answer(
        send, status, f"{text}\n".encode(), (b"content-type", b"text/plain; charset=utf-8"), *headers, *SECURITY
    )
