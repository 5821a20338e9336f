"""The counters of a server for Prometheus. Values that can be looked up on request are in `exposition`."""

import asyncio
from collections.abc import Callable, Iterable
from functools import cache
from time import perf_counter
from typing import Any, Final, final

import grpc
from google.protobuf.descriptor import MethodDescriptor
from prometheus_client import CollectorRegistry, Counter, Histogram

ACTORS: Final = ("player", "bot", "dummy", "substitute", "default")
"""Kinds of actors whose counters exist from the start."""
CALL_SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
COMMIT_SECONDS: Final = (0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
LAG_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
BATCH_SIZES: Final = (1, 2, 4, 8, 16, 32, 64, 128)


@final
class Metrics:
    """Counters and histograms in a registry of their own; any thread may count.

    No label grows with matches, seats or players. Names of calls are those that dashboards for gRPC servers expect.
    """

    def __init__(self) -> None:
        self.registry: Final = CollectorRegistry()
        actions = Counter(
            "vinci_actions", "Actions played and stored, by who made them.", ["by"], registry=self.registry
        )
        self._actions: Final[Callable[[str], Counter]] = cache(actions.labels)
        for actor in ACTORS:
            self._actions(actor)
        self._refusals: Final = Counter(
            "vinci_refusals", "Requests and answers of bots that were refused.", ["reason"], registry=self.registry
        )
        self._lag: Final = Histogram(
            "vinci_event_loop_lag_seconds",
            "Delay of the event loop in seconds, measured ten times a second.",
            registry=self.registry,
            buckets=LAG_SECONDS,
        )
        self._charged: Final = Counter(
            "vinci_charged_cpu_seconds", "CPU time that was charged to hosts.", registry=self.registry
        )
        self._commit: Final = Histogram(
            "vinci_store_commit_seconds",
            "Duration of one transaction of the log, sync to disk included.",
            registry=self.registry,
            buckets=COMMIT_SECONDS,
        )
        self._batch: Final = Histogram(
            "vinci_store_commit_jobs", "Jobs done in one transaction.", registry=self.registry, buckets=BATCH_SIZES
        )
        call = ["grpc_type", "grpc_service", "grpc_method"]
        self._started: Final = Counter("grpc_server_started", "Streams begun.", call, registry=self.registry)
        self._handled: Final = Counter(
            "grpc_server_handled", "Calls ended, by status.", [*call, "grpc_code"], registry=self.registry
        )
        self._handling: Final = Histogram(
            "grpc_server_handling_seconds",
            "Duration of calls that are no streams.",
            call,
            registry=self.registry,
            buckets=CALL_SECONDS,
        )

    def acted(self, actors: Iterable[str]) -> None:
        """Actions were stored; who made each."""
        for actor in actors:
            self._actions(actor).inc()

    def refused(self, reason: str) -> None:
        """Count a refusal by its reason."""
        self._refusals.labels(reason).inc()

    def lagged(self, seconds: float) -> None:
        """Record a lag of the event loop, in seconds."""
        self._lag.observe(seconds)

    def charged(self, seconds: float) -> None:
        """Count CPU time charged to hosts, in seconds."""
        self._charged.inc(seconds)

    def committed(self, seconds: float, jobs: int) -> None:
        """Count one sync of the log and the jobs in it."""
        self._commit.observe(seconds)
        self._batch.observe(jobs)

    def unary(self, method: MethodDescriptor, handle: Callable[..., Any]) -> Callable[..., Any]:
        """The handler of a call with one answer, counted and timed."""
        call = ("unary", method.containing_service.full_name, method.name)
        handling = self._handling.labels(*call)
        well = self._handled.labels(*call, "OK")

        async def counted(request: Any, context: Any) -> Any:
            begin = perf_counter()
            try:
                answer = await handle(request, context)
            except BaseException as error:
                self._handled.labels(*call, _code(error, context)).inc()
                raise
            else:
                well.inc()
                return answer
            finally:
                handling.observe(perf_counter() - begin)

        return counted

    def stream(self, method: MethodDescriptor, handle: Callable[..., Any]) -> Callable[..., Any]:
        """The handler of a stream of answers, counted when it begins and when it ends."""
        kind = "bidi_stream" if method.client_streaming else "server_stream"
        call = (kind, method.containing_service.full_name, method.name)
        started = self._started.labels(*call)
        well = self._handled.labels(*call, "OK")

        async def counted(request: Any, context: Any) -> None:
            started.inc()
            try:
                await handle(request, context)
            except BaseException as error:
                self._handled.labels(*call, _code(error, context)).inc()
                raise
            well.inc()

        return counted


def _code(error: BaseException, context: Any) -> str:
    """The status with which a call ended that did not end well."""
    if isinstance(error, asyncio.CancelledError):
        return "CANCELLED"
    status = context.code()
    return str(status.name) if isinstance(status, grpc.StatusCode) else "UNKNOWN"
