"""`grpc.health.v1`, because in grpcio-health-checking the end of one `Watch` silences all others of its service."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any, Final, final

import grpc
from grpc_health.v1 import health_pb2 as pb


@final
class Health:
    """The status of each service; the empty name is the server as a whole."""

    def __init__(self) -> None:
        self._statuses: Final[dict[str, int]] = {}
        self._changed = asyncio.Event()

    def set(self, names: Iterable[str], *, serving: bool) -> None:
        """Set the status of services, and notify the streams that watch them."""
        status = pb.HealthCheckResponse.SERVING if serving else pb.HealthCheckResponse.NOT_SERVING
        self._statuses.update(dict.fromkeys(names, status))
        self._changed.set()
        self._changed = asyncio.Event()

    def close(self) -> None:
        """Set all services to not serving."""
        self.set(list(self._statuses), serving=False)

    async def check(self, request: pb.HealthCheckRequest, context: Any) -> pb.HealthCheckResponse:
        """Return the status of a service."""
        if request.service not in self._statuses:
            await context.abort(grpc.StatusCode.NOT_FOUND, "there is no such service")
        return pb.HealthCheckResponse(status=self._status(request.service))

    async def watch(self, request: pb.HealthCheckRequest, _context: Any) -> AsyncIterator[pb.HealthCheckResponse]:
        """Stream the status of a service, now and whenever it changes."""
        sent = None
        while True:
            changed, status = self._changed, self._status(request.service)
            if status != sent:
                yield pb.HealthCheckResponse(status=status)
                sent = status
            await changed.wait()

    async def list(self, _request: Any, _context: Any) -> Any:
        """Return the status of every service, unless grpcio-health-checking is too old for this call."""
        messages: Any = pb
        statuses = {name: pb.HealthCheckResponse(status=self._status(name)) for name in self._statuses}
        return messages.HealthListResponse(statuses=statuses)

    def _status(self, name: str) -> Any:
        return self._statuses.get(name, pb.HealthCheckResponse.SERVICE_UNKNOWN)
