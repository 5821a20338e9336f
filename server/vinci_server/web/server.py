"""The web server: page, calls and links behind one port, in the event loop of the server."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, final

import structlog
from google.protobuf.descriptor import ServiceDescriptor
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from ..errors import ServiceError
from ..metrics import Metrics
from ..rpc.admission import Admission
from ..rpc.certificate import Certificate
from .answers import answer, answer_error, header
from .connection import Connections
from .context import ClientGone, Receive, Scope, Send, peer_of
from .gateway import Gateway
from .hosts import Hosts
from .links import PATH, Links
from .listening import Uvicorn, bound
from .static import SECURITY, Static

SERVICES: Final = frozenset({"LobbyService", "MatchService", "BotService", "PersonService"})
"""The services that are served over HTTP."""

_log = structlog.get_logger()


@final
class WebServer:
    """A web server that listens. Create it with `WebServer.start`."""

    def __init__(self, server: Uvicorn, port: int, scheme: str, base: str) -> None:
        self.port: Final = port
        self.scheme: Final = scheme
        self.base: Final = base
        """Address of the page for other machines, such as `http://192.168.1.5:8080`."""
        self._server: Final = server
        self._serving: Final = asyncio.create_task(server.serve(sockets=[server.socket]))

    @classmethod
    async def start(
        cls,
        host: str,
        port: int,
        services: Mapping[ServiceDescriptor, object],
        admission: Admission,
        metrics: Metrics,
        *,
        page: Path,
        reached_at: str = "",
        certificate: Certificate | None = None,
        names: Sequence[str] = (),
        proxies: Sequence[str] = (),
    ) -> "WebServer":
        """Listen at a port, 0 for a free one, for the page in a folder and for calls.

        `reached_at` is the host in links for others, `names` are further names of the server, and `proxies` are the
        addresses of proxies, which tell those of the clients. Raises AddressError or PageMissing.
        """
        static = Static(page)
        listening = bound(host, port)
        port = listening.getsockname()[1]
        scheme = "https" if certificate else "http"
        base = f"{scheme}://{f'[{reached_at}]' if ':' in reached_at else reached_at}:{port}"
        offered = {service: one for service, one in services.items() if service.name in SERVICES}
        known = [*names, *(certificate.names() if certificate else ())]
        application: Any = _Application(
            Gateway(offered, admission, metrics), Links(base, admission, metrics), static, Hosts(known), admission
        )
        if proxies:
            application = ProxyHeadersMiddleware(application, list(proxies))
        limits = admission.traffic.limits
        most = limits.streams_per_peer + limits.waiting_calls_per_peer
        connections = Connections(most, proxies, admission.traffic)
        admission.blocklist.exempt(connections.proxies)
        server = Uvicorn(application, listening, connections, certificate)
        found = cls(server, port, scheme, base)
        up = asyncio.create_task(server.up.wait())
        await asyncio.wait((up, found._serving), return_when=asyncio.FIRST_COMPLETED)
        up.cancel()
        if found._serving.done():
            await found._serving
        _log.info("web server started", host=host, port=port, scheme=scheme)
        return found

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return len(self._server.server_state.connections)

    async def stop(self) -> None:
        """Stop listening; requests under way have GRACE_SECONDS to end."""
        self._server.should_exit = True
        await self._serving


@final
class _Application:
    """Sends each request where it belongs, unless it comes under a wrong name or from another site."""

    def __init__(self, gateway: Gateway, links: Links, static: Static, hosts: Hosts, admission: Admission) -> None:
        self._gateway: Final = gateway
        self._links: Final = links
        self._static: Final = static
        self._hosts: Final = hosts
        self._admission: Final = admission
        self._prefixes: Final = tuple(gateway.prefixes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        try:
            await self._serve(scope, receive, send)
        except ClientGone:
            pass  # nobody is there to be answered
        except Exception as error:
            _log.error("internal error", path=scope["path"], exc_info=error)
            raise

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_call = scope["path"].startswith(self._prefixes)
        problem = self._hosts.problem(header(scope, b"host"), header(scope, b"origin"), scope["scheme"])
        if is_call and not problem:
            await self._gateway(scope, receive, send)
            return
        if scope["path"] == PATH and not problem:
            await self._links(scope, receive, send)
            return
        try:
            await self._admission.request(peer_of(scope))
        except ServiceError as refusal:
            await _answer_text(send, 429, refusal.message)
            return
        if not problem:
            await self._static(scope, receive, send)
            return
        _log.info("web request refused", problem=problem)
        if is_call:
            await answer_error(send, 403, "permission_denied", problem)
        else:
            await _answer_text(send, 403, problem)


async def _answer_text(send: Send, status: int, text: str) -> None:
    await answer(send, status, f"{text}\n".encode(), (b"content-type", b"text/plain; charset=utf-8"), *SECURITY)
