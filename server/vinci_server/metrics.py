"""The counters of a server for Prometheus. Values that are read on request are in `exposition`."""

import asyncio
from collections.abc import Callable, Iterable
from functools import cache, partial
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
    """Counters and histograms, usable from any thread. Dashboards for gRPC servers expect the names of call metrics."""

    def __init__(self) -> None:
        self.registry: Final = CollectorRegistry()
        counter, histogram = partial(Counter, registry=self.registry), partial(Histogram, registry=self.registry)
        actions = counter("vinci_actions", "Actions played and stored, by actor.", ["by"])
        self._actions: Final[Callable[[str], Counter]] = cache(actions.labels)
        for actor in ACTORS:
            self._actions(actor)
        self._refusals: Final = counter(
            "vinci_refusals", "Refused requests and answers of bots, by reason.", ["reason"]
        )
        self._charged: Final = counter("vinci_charged_cpu_seconds", "CPU time charged to hosts, in seconds.")
        self._shut_out: Final = counter("vinci_hosts_shut_out", "Times that a host was shut out for abuse.")
        self._lag: Final = histogram(
            "vinci_event_loop_lag_seconds",
            "Lag of the event loop in seconds, measured ten times a second.",
            buckets=LAG_SECONDS,
        )
        self._commit: Final = histogram(
            "vinci_store_commit_seconds",
            "Duration of a transaction of the log in seconds, including the sync to disk.",
            buckets=COMMIT_SECONDS,
        )
        self._batch: Final = histogram("vinci_store_commit_jobs", "Jobs in a transaction.", buckets=BATCH_SIZES)
        call = ["grpc_type", "grpc_service", "grpc_method"]
        self._started: Final = counter("grpc_server_started", "Streams opened.", call)
        self._handled: Final = counter("grpc_server_handled", "Calls ended, by status.", [*call, "grpc_code"])
        self._handling: Final = histogram(
            "grpc_server_handling_seconds", "Duration of unary calls in seconds.", call, buckets=CALL_SECONDS
        )

    def acted(self, actors: Iterable[str]) -> None:
        """Count stored actions by actor."""
        for actor in actors:
            self._actions(actor).inc()

    def refused(self, reason: str) -> None:
        """Count a refusal by its reason."""
        self._refusals.labels(reason).inc()

    def shut_out(self) -> None:
        """Count that a host was shut out."""
        self._shut_out.inc()

    def lagged(self, seconds: float) -> None:
        """Record a lag of the event loop, in seconds."""
        self._lag.observe(seconds)

    def charged(self, seconds: float) -> None:
        """Count CPU time charged to hosts, in seconds."""
        self._charged.inc(seconds)

    def committed(self, seconds: float, jobs: int) -> None:
        """Count a transaction of the log and the jobs in it."""
        self._commit.observe(seconds)
        self._batch.observe(jobs)

    def counted(self, method: MethodDescriptor, handle: Callable[..., Any]) -> Callable[..., Any]:
        """Return the handler of a call that counts it by its status. Streams are counted when opened, others timed."""
        kind = "bidi_stream" if method.client_streaming else "server_stream" if method.server_streaming else "unary"
        call = (kind, method.containing_service.full_name, method.name)
        started = None if kind == "unary" else self._started.labels(*call)
        handling = self._handling.labels(*call) if kind == "unary" else None
        succeeded = self._handled.labels(*call, "OK")

        async def count(request: Any, context: Any) -> Any:
            begin = perf_counter()
            if started is not None:
                started.inc()
            try:
                answer = await handle(request, context)
            except BaseException as error:
                self._handled.labels(*call, _code(error, context)).inc()
                raise
            else:
                succeeded.inc()
                return answer
            finally:
                if handling is not None:
                    handling.observe(perf_counter() - begin)

        return count


def _code(error: BaseException, context: Any) -> str:
    """Return the status of a call that failed."""
    if isinstance(error, asyncio.CancelledError):
        return "CANCELLED"
    status = context.code()
    return str(status.name) if isinstance(status, grpc.StatusCode) else "UNKNOWN"
