"""Log lines: JSON where there is no terminal, hidden secrets, levels. What a whole server logs: tests/end_to_end."""

# ruff: noqa: D103  # the name of each test says what it proves

import json
from collections.abc import Iterator

import pytest
import structlog

from vinci_server import logs


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Logging is afterwards what it was before."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


def test_a_line_is_json_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure()
    structlog.get_logger("json").info("it rained", where="ALP")
    entry = json.loads(capsys.readouterr().err)
    assert (entry["event"], entry["level"], entry["where"]) == ("it rained", "info", "ALP")
    assert entry["timestamp"].endswith("Z")


def test_a_secret_that_is_logged_by_mistake_is_hidden(capsys: pytest.CaptureFixture[str]) -> None:
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
