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
        figures = {
            "vinci_matches_awake": (
                "Matches in memory; the others are asleep.",
                sum(match.is_awake for match in known),
            ),
            "vinci_seats_connected": (
                "Seats for which a player or bot is connected.",
                sum(match.audience.connected_seats for match in known),
            ),
            "vinci_watchers": ("Open streams of Watch, those of players included.", len(watchers)),
            "vinci_watcher_queue_longest": (
                "Most items that a watcher has not read; at 1000 it is cut.",
                max((watcher.unread for watcher in watchers), default=0),
            ),
            "vinci_bots_connected": ("Connected bots.", len(self._desk.connected)),
            "vinci_bot_queue_longest": (
                "Most messages that a bot has not read.",
                max((bot.outgoing.qsize() for bot in self._desk.connected), default=0),
            ),
            "vinci_store_queue": ("Jobs that the writer of the log has not begun.", self._store.waiting),
            "vinci_store_bytes": ("Size of the database with its write-ahead log.", self._store.size()),
        }
        return [matches, *(GaugeMetricFamily(name, text, value) for name, (text, value) in figures.items())]


@final
class Exposition:
    """Serves all metrics at `port` in a separate thread. Raises OSError if it cannot listen there."""

    def __init__(self, host: str, port: int, metrics: Metrics, figures: MetricsCollector) -> None:
        registry = metrics.registry
        registry.register(figures)
        ProcessCollector(registry=registry)
        Info("vinci_build", "Versions.", registry=registry).info(
            {"version": version("vinci-server"), "engine_version": ENGINE_VERSION}
        )
        self._server, self._thread = start_http_server(port, host, registry)
        self.port: Final = self._server.server_port

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
