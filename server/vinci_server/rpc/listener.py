"""Listens at a port with gRPC services, health and reflection."""

import asyncio
import contextlib
import errno
import os
import socket
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, final

import grpc
from google.protobuf import descriptor_pool, text_format
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection, reflection_pb2

from ..limits import Limits
from ..metrics import Metrics
from .admission import Admission
from .certificate import Certificate
from .handlers import handlers

_V1ALPHA: Final = "grpc.reflection.v1alpha"
_V1: Final = "grpc.reflection.v1"
_FILE: Final = "grpc/reflection/v1/reflection.proto"
REFLECTION_SERVICES: Final = tuple(f"{package}.ServerReflection" for package in (_V1, _V1ALPHA))


@final
class Health:
    """The status of each service; the empty name is the server as a whole.

    In place of that of grpcio-health-checking, in which the end of one `Watch` silences all others of its service.
    """

    def __init__(self) -> None:
        self._statuses: Final[dict[str, int]] = {}
        self._changed = asyncio.Event()

    def set(self, names: Iterable[str], *, serving: bool) -> None:
        """Set the status of services, and notify the streams that watch them."""
        status = health_pb2.HealthCheckResponse.SERVING if serving else health_pb2.HealthCheckResponse.NOT_SERVING
        self._statuses.update(dict.fromkeys(names, status))
        self._changed.set()
        self._changed = asyncio.Event()

    def close(self) -> None:
        """Set all services to not serving."""
        self.set(list(self._statuses), serving=False)

    async def check(self, request: health_pb2.HealthCheckRequest, context: Any) -> health_pb2.HealthCheckResponse:
        """Return the status of a service."""
        if request.service not in self._statuses:
            await context.abort(grpc.StatusCode.NOT_FOUND, "there is no such service")
        return health_pb2.HealthCheckResponse(status=self._status(request.service))

    async def watch(self, request: health_pb2.HealthCheckRequest, _context: Any) -> AsyncIterator[Any]:
        """Stream the status of a service, now and whenever it changes."""
        sent = None
        while True:
            changed, status = self._changed, self._status(request.service)
            if status != sent:
                yield health_pb2.HealthCheckResponse(status=status)
                sent = status
            await changed.wait()

    async def list(self, _request: Any, _context: Any) -> Any:
        """Return the status of every service, unless grpcio-health-checking is too old for this call."""
        messages: Any = health_pb2
        statuses = {name: health_pb2.HealthCheckResponse(status=self._status(name)) for name in self._statuses}
        return messages.HealthListResponse(statuses=statuses)

    def _status(self, name: str) -> Any:
        return self._statuses.get(name, health_pb2.HealthCheckResponse.SERVICE_UNKNOWN)


@final
class Reflection:
    """Serves the descriptors of the services of these names and of reflection itself; both versions share it."""

    def __init__(self, names: Sequence[str]) -> None:
        _describe_v1()
        servicer: Any = reflection.aio.ReflectionServicer([*names, *REFLECTION_SERVICES])
        self.server_reflection_info: Final = servicer.ServerReflectionInfo


def _describe_v1() -> None:
    """Add the v1 service to the descriptor pool, unless a later grpcio-reflection has done so."""
    pool = descriptor_pool.Default()
    try:
        pool.FindFileContainingSymbol(REFLECTION_SERVICES[0])
    except KeyError:
        file = FileDescriptorProto()
        reflection_pb2.DESCRIPTOR.CopyToProto(file)
        file = text_format.Parse(str(file).replace(_V1ALPHA, _V1), FileDescriptorProto())
        file.name = _FILE
        pool.AddSerializedFile(file.SerializeToString())


try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

MAX_MESSAGE_BYTES: Final = 1 << 20
GRACE_SECONDS: Final = 3.0
MOST_PENDING: Final = 1000
"""Calls of a method that may wait for the event loop, of about 12 KB each; further ones end as CANCELLED."""

OPTIONS: Final = (
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # else a minute, whatever keepalive_timeout_ms says
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    ("grpc.server.max_pending_requests", MOST_PENDING),
    ("grpc.server.max_pending_requests_hard_limit", MOST_PENDING),
)


_HEALTH: Final = health_pb2.DESCRIPTOR.services_by_name["Health"]
_REFLECTION: Final = reflection_pb2.DESCRIPTOR.services_by_name["ServerReflection"]


MOST_STREAMS: Final = 2**31 - 1
"""The largest number that gRPC takes."""
PLAY: Final = {
    "vinci.v1.BotService": ("Play", "Listen", "Send"),
    "vinci.v1.LobbyService": ("GetServerInfo", "GetBoard", "GetBoardMap", "ListTraits"),
}
"""Calls by service that need only the code of entrants on the server of a league."""


class AddressError(Exception):
    """The server cannot listen at an address; the text says why and which option to change.

    `reason` is the text without the advice, and `is_foreign` tells that the address is none of this machine.
    """

    def __init__(
        self,
        reason: str,
        *,
        is_foreign: bool = False,
        host: str = "--listen",
        port: str = "port with --listen",
        advice: str = "",
    ) -> None:
        if not advice:
            advice = f"name one of this machine with {host}" if is_foreign else f"choose another {port}, or 0 for any"
        super().__init__(f"{reason}; {advice}")
        self.reason: Final = reason
        self.is_foreign: Final = is_foreign

    @classmethod
    def of(cls, action: str, error: OSError, **options: str) -> "AddressError":
        """Return the error for an action that the system refused; `options` are those for host and port."""
        is_foreign = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
        return cls(f"cannot {action}: {error.strerror or error}", is_foreign=is_foreign, **options)


def new_server(limits: Limits) -> grpc.aio.Server:
    """Return a gRPC server without services; a connection has as many calls at once as a host may have."""
    most = min(limits.streams_per_peer + limits.waiting_calls_per_peer, MOST_STREAMS)
    return grpc.aio.server(options=(*OPTIONS, ("grpc.max_concurrent_streams", most)))


def offer(
    grpc_server: grpc.aio.Server,
    services: Mapping[ServiceDescriptor, object],
    health: Health,
    admission: Admission,
    metrics: Metrics,
    *,
    plays_only: bool = False,
) -> list[str]:
    """Add services, health and reflection to a server that has not started; returns the names of the services.

    If it `plays_only`, only the calls of `PLAY` are added.
    """
    if plays_only:
        services = {service: one for service, one in services.items() if service.full_name in PLAY}
    names = [service.full_name for service in services]
    reflection = Reflection([*names, _HEALTH.full_name])
    for_all: list[tuple[Any, object, str]] = [
        (_HEALTH, health, _HEALTH.full_name),
        *((_REFLECTION, reflection, name) for name in REFLECTION_SERVICES),
    ]
    offered = [
        *(
            handlers(service, implementation, admission, metrics, play=PLAY.get(service.full_name, ()))
            for service, implementation in services.items()
        ),
        *(
            handlers(service, implementation, admission, metrics, name=name, needs_code=False)
            for service, implementation, name in for_all
        ),
    ]
    for name, methods in offered:
        if plays_only and name in PLAY:
            methods = {method: handler for method, handler in methods.items() if method in PLAY[name]}
        grpc_server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(name, methods)])
        # gRPC takes one call of each registered method in a round of the event loop, and one of all others. In a common
        # queue, calls of one host made those of others wait or be dropped, before the server could see whose they are.
        # Up to some version after 1.72 this does nothing, and all calls wait in one queue.
        grpc_server.add_registered_method_handlers(name, methods)
    return names


def listen(grpc_server: grpc.aio.Server, host: str, port: int, certificate: Certificate | None) -> int:
    """Listen at a port, 0 for a free one; returns the port. Raises AddressError."""
    _raise_file_limit()
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    if port:
        _try_to_bind(host, port, address)
    try:
        if certificate is None:
            bound = grpc_server.add_insecure_port(address)
        else:
            bound = grpc_server.add_secure_port(address, certificate.credentials())
    except RuntimeError:
        bound = 0
    if not bound:
        raise AddressError(f"cannot listen on {address}: it may be in use")
    return bound


def listen_at(grpc_server: grpc.aio.Server, path: Path) -> None:
    """Listen at a Unix socket, which only this user can open. Raises AddressError."""
    mask = os.umask(0o077)
    try:
        path.unlink(missing_ok=True)  # left by a server that was killed
        with socket.socket(socket.AF_UNIX) as probe:
            probe.bind(str(path))  # tells the reason, which gRPC would only write to standard error
        path.unlink()
        grpc_server.add_insecure_port(f"unix:{path}")
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or error
        raise AddressError(f"cannot listen at {path}: {why}", advice="choose another path with --bot-socket") from None
    finally:
        os.umask(mask)


def _raise_file_limit() -> None:
    """Let this process open as many files as the system allows."""
    if resource is None:
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # macOS has no finite limit, and takes none
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _try_to_bind(host: str, port: int, address: str) -> None:
    """Raises AddressError with the reason, which gRPC would only write to standard error."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        if os.name == "posix":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise AddressError.of(f"listen on {address}", error) from None
