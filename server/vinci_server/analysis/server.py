"""A separate server for the analysis service; it has no database and no matches."""

from typing import Final, final

import grpc
import structlog

from vinci.v1 import analysis_pb2

from ..limits import USUAL, Limits
from ..metrics import Metrics
from ..rpc.access import OPEN, ServerAccess
from ..rpc.admission import Admission
from ..rpc.listener import GRACE_SECONDS, Health, listen, new_server, offer
from .service import AnalysisService, cores

_log = structlog.get_logger()


@final
class AnalysisServer:
    """A server that listens. Create it with `AnalysisServer.start`."""

    def __init__(self, grpc_server: grpc.aio.Server, service: AnalysisService, port: int) -> None:
        self._grpc: Final = grpc_server
        self._service: Final = service
        self._health: Final = Health()
        self.port: Final = port

    @classmethod
    async def start(
        cls, host: str, port: int, *, access: ServerAccess = OPEN, limits: Limits = USUAL, workers: int = 0
    ) -> "AnalysisServer":
        """Listen; port 0 finds a free one, and 0 workers are one for each core. Raises AddressError."""
        metrics = Metrics()
        admission = Admission(access, limits, metrics)
        grpc_server = new_server(limits)
        service = AnalysisService(admission, workers or cores())
        server = cls(grpc_server, service, listen(grpc_server, host, port, access.certificate))
        services = {analysis_pb2.DESCRIPTOR.services_by_name["AnalysisService"]: service}
        names = offer(grpc_server, services, server._health, admission, metrics)
        await grpc_server.start()
        server._health.set(("", *names), serving=True)
        _log.info("analysis started", host=host, port=server.port)
        return server

    async def stop(self) -> None:
        """Answer open calls with what is computed so far, and stop."""
        self._health.close()
        self._service.close()
        await self._grpc.stop(GRACE_SECONDS)
        await self._service.stop()
        _log.info("analysis stopped")
