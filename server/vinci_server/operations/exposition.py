"""The metrics page for Prometheus: the counters of `metrics`, and values that are read on request."""

import asyncio
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Final, final

from prometheus_client import Info, ProcessCollector, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from vinci_rules import ENGINE_VERSION

from ..lobby import Lobby
from ..match.seats.setup import STATUS_CODES
from ..metrics import Metrics
from ..rpc.bots.desk import BotDesk
from ..rpc.listener import AddressError
from ..storage.store import Store

SCRAPE_SECONDS: Final = 5.0
"""Seconds that the event loop may take to answer; Prometheus itself waits for 10."""


@final
class MetricsCollector(Collector):
    """Reads figures of matches, bots and store on request, in the event loop: Prometheus asks in a thread."""

    def __init__(self, store: Store, lobby: Lobby, desk: BotDesk) -> None:
        self._store: Final = store
        self._lobby: Final = lobby
        self._desk: Final = desk
        self._loop: Final = asyncio.get_running_loop()

    def describe(self) -> Sequence[Metric]:
        """Return nothing: the registry asks in the thread of the loop, which would wait for itself."""
        return ()

    def collect(self) -> Iterable[Metric]:
        """Return all figures; called in a thread."""
        return asyncio.run_coroutine_threadsafe(self._look(), self._loop).result(SCRAPE_SECONDS)

    async def _look(self) -> list[Metric]:
        counts = await self._store.counts()
        matches = GaugeMetricFamily("vinci_matches", "Matches in the database.", labels=["status"])
        for status in STATUS_CODES:
            matches.add_metric([status], counts.get(status, 0))
        known = self._lobby.known()
        watchers = [watcher for match in known for watcher in match.audience.watchers]
        awake = sum(match.is_awake for match in known)
        seats = sum(match.audience.connected_seats for match in known)
        watcher_queue = max((watcher.unread for watcher in watchers), default=0)
        bots = self._desk.connected
        bot_queue = max((bot.outgoing.qsize() for bot in bots), default=0)
        figures: list[tuple[str, str, float]] = [
            ("vinci_matches_awake", "Matches in memory; the others are asleep.", awake),
            ("vinci_seats_connected", "Seats with a connected player or bot.", seats),
            ("vinci_watchers", "Open streams of Watch, including those of players.", len(watchers)),
            ("vinci_watcher_queue_longest", "Longest queue of a watcher; at 1000 its stream is ended.", watcher_queue),
            ("vinci_bots_connected", "Connected bots.", len(bots)),
            ("vinci_bot_queue_longest", "Longest queue of messages to a bot.", bot_queue),
            ("vinci_store_queue", "Jobs that the writer of the log has not begun.", self._store.waiting),
            ("vinci_store_bytes", "Size of the database with its write-ahead log.", self._store.size()),
        ]
        return [matches, *(GaugeMetricFamily(name, text, value) for name, text, value in figures)]


@final
class Exposition:
    """Serves all metrics at `port` in a separate thread. Raises AddressError."""

    def __init__(self, host: str, port: int, metrics: Metrics, figures: MetricsCollector) -> None:
        registry = metrics.registry
        registry.register(figures)
        ProcessCollector(registry=registry)
        Info("vinci_build", "Versions.", registry=registry).info(
            {"version": version("vinci-server"), "engine_version": ENGINE_VERSION}
        )
        try:
            self._server, self._thread = start_http_server(port, host, registry)
        except OSError as error:
            action = f"serve metrics on {host} port {port}"
            raise AddressError.of(action, error, host="--metrics-host", port="--metrics") from None
        self.port: Final = self._server.server_port

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
