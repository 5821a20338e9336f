"""The webhook for turns: posted when a person is to act who is not there, and without holding anything up."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.support.server.in_process import DUMMY, HUMAN, bearer, create, eventually, join
from vinci.v1 import lobby_pb2
from vinci_client.session import Session
from vinci_server.app import Server
from vinci_server.operations import webhook
from vinci_server.operations.webhook import BadWebhook, Webhook


@contextmanager
def receiving(*statuses: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Receive messages at a URL and answer with these statuses, then with 204."""
    received: list[dict[str, Any]] = []
    answers = list(statuses)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(answers.pop(0) if answers else 204)
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/secret", received
        finally:
            server.shutdown()
            thread.join()


async def started(session: Session, *names: str) -> str:
    """Start a match of these people and a dummy; return its id."""
    made = await create(session, *[HUMAN] * len(names), DUMMY)
    for name in names:
        await join(session, made.match.match_id, player=name)
    host = bearer(made.host_token)
    await session.lobby.StartMatch(lobby_pb2.StartMatchRequest(match_id=made.match.match_id), metadata=host)
    return made.match.match_id


async def test_absent_person_is_told_of_a_turn_once(tmp_path: Path) -> None:
    """A message names match, seat, player and round; a server that starts again does not repeat it."""
    with receiving() as (url, received), capture_logs() as logged:
        database = tmp_path / "server.db"
        server = await Server.start("127.0.0.1", 0, database, webhook=Webhook(url))
        async with Session(f"127.0.0.1:{server.port}") as session:
            match_id = await started(session, "Ann", "Ben")
            await eventually(lambda: len(received) == 1)
            seat = received[0]["seat"]
            player = ("Ann", "Ben")[seat - 1]
            assert received[0] == {"event": "turn", "match": match_id, "seat": seat, "player": player, "round": 0}
        await server.stop()
        server = await Server.start("127.0.0.1", 0, database, webhook=Webhook(url))
        await asyncio.sleep(0.1)
        await server.stop()
        assert len(received) == 1
        assert "secret" not in str(logged)


async def test_failed_message_is_repeated_unless_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the webhook may pass, a refusal does not; the game waits for neither, and the log has no URL."""
    monkeypatch.setattr(webhook, "WAITS", (0.01,))
    with receiving(500, 204, 404) as (url, received), capture_logs() as logged:
        server = await Server.start("127.0.0.1", 0, tmp_path / "server.db", webhook=Webhook(url, "discord"))
        async with Session(f"127.0.0.1:{server.port}") as session:
            match_id = await started(session, "@everyone", "Ben")
            await eventually(lambda: len(received) == 2)
            assert received[0] == received[1]
            assert received[0]["allowed_mentions"] == {"parse": []}
            assert f"in match {match_id}, round 0." in received[0]["content"]
            await started(session, "Ann", "Ben")
            await eventually(lambda: any("not delivered" in str(line["event"]) for line in logged))
        await server.stop()
        assert len(received) == 3
        assert "secret" not in str(logged)


@pytest.mark.parametrize("url", ["", "discord.com/api", "file:///etc/passwd", "https://"])
def test_other_urls_are_refused(url: str) -> None:
    """The error does not repeat the URL."""
    with pytest.raises(BadWebhook, match="begins with https:// or http://"):
        Webhook(url)
