"""Log lines: JSON unless in a terminal, hidden secrets, levels. tests/end_to_end checks the log of a whole server."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import json
from collections.abc import Iterator

import pytest
import structlog

from tests.support.server.in_process import SOON, Table, refused, table, updates
from vinci_client.session import Session
from vinci_server.operations import logs


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Restore the logging configuration."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


def test_line_is_json_without_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure()
    structlog.get_logger("json").info("it rained", where="ALP")
    entry = json.loads(capsys.readouterr().err)
    assert (entry["event"], entry["level"], entry["where"]) == ("it rained", "info", "ALP")
    assert entry["timestamp"].endswith("Z")


def test_secret_in_a_log_line_is_hidden(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure()
    names = sorted(logs.SECRET)
    structlog.get_logger("secrets").info("oops", **dict.fromkeys(names, "hush"))
    entry = json.loads(capsys.readouterr().err)
    assert [entry[name] for name in names] == ["(hidden)"] * len(names)


def test_lines_below_the_level_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("warning")
    log = structlog.get_logger("levels")
    log.info("unheard")
    log.warning("heard")
    assert [json.loads(line)["event"] for line in capsys.readouterr().err.splitlines()] == ["heard"]


async def test_lines_about_a_match_have_match_seat_and_revision(session: Session) -> None:
    """Log lines of a match, from its creation to a refused token, have match, seat and revision."""
    with structlog.testing.capture_logs() as lines:
        made = await table(session)
        stream = made.watch(token=made.tokens[1])
        await updates(stream, 1)
        await made.act(1, "x FEN")
        await refused(Table(session, made.match_id, "", ("wrong",)).act(1, "x COL"))
        stream.cancel()
        async with asyncio.timeout(SOON):
            while lines[-1]["event"] != "player disconnected":
                await asyncio.sleep(0.01)
    assert all(line["match"] == made.match_id for line in lines)
    logged = [(line["event"], line.get("seat"), line.get("revision")) for line in lines if line["log_level"] != "debug"]
    assert logged == [
        ("match created", None, None),
        ("seat taken", 1, 0),
        ("seat taken", 2, 0),
        ("seat taken", 3, 0),
        ("match started", None, 0),
        ("player connected", 2, 0),
        ("token refused", None, None),
        ("player disconnected", 2, 1),
    ]
    (refusal,) = [line for line in lines if line["log_level"] == "warning"]
    assert (refusal["call"], refusal["reason"]) == ("Act", "BAD_TOKEN")
    stored = [line for line in lines if line["event"] == "stored"]
    assert [(line["kind"], line["seat"], line["revision"], line["by"]) for line in stored[-1:]] == [
        ("act", 1, 1, "player")
    ]
