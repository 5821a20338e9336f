"""Settings of all tests; see tests/test_rule_coverage.py for the mark `rule`. Tests run in English unless they select a language."""

import gc
import os
import signal
import socket
import sys
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import settings

from vinci_cli.text import i18n
from vinci_server.rpc.admission import Lag

# Hundreds of processes are started, which would each compile every module where the environment turns bytecode off.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# The sources are tested, also where `make fast` has compiled the rules; tests/compiled tests those.
os.environ.setdefault("VINCI_RULES", "interpreted")
# Also for fixtures of modules, which run before the fixture `english`; the command sets LANGUAGE, for click.
os.environ |= {i18n.VARIABLE: "en", "LANGUAGE": "en"}

# A shell that runs the tests with & has SIGINT ignored, which processes would inherit that a test ends by Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

if sys.platform == "win32":  # what needs pseudoterminals, signals or limits of a process
    collect_ignore = ["end_to_end", "tournament/play/test_folder.py"]

settings.register_profile("vinci", deadline=None)  # how long an example takes says nothing on a busy machine
settings.load_profile("vinci")


@pytest.fixture(autouse=True)
def own_logs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restore the logging that a test configures; loggers of modules must not keep it, as they would in a server."""
    configure = structlog.configure
    monkeypatch.setattr(
        structlog, "configure", lambda **given: configure(**{**given, "cache_logger_on_first_use": False})
    )
    yield
    structlog.reset_defaults()


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Select English for a test and the commands it starts, whatever the locale of this machine."""
    monkeypatch.setenv(i18n.VARIABLE, "en")
    monkeypatch.setenv("LANGUAGE", "en")
    i18n.choose()
    yield
    i18n.choose("en")


@pytest.fixture(autouse=True)
def no_lag(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let servers take new matches however busy the machine is; a test of lag takes this back."""
    monkeypatch.setattr(Lag, "seconds", lambda _lag: 0.0)


@pytest.fixture
def unanswered() -> Iterator[str]:
    """Return an address where nobody listens, and no server of another test or program can."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{taken.getsockname()[1]}"


def pytest_xdist_auto_num_workers() -> int:
    """Return three workers for two cores, since tests wait for a third of their time."""
    return (os.cpu_count() or 1) * 3 // 2


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark that names the rules a test covers."""
    config.addinivalue_line("markers", "rule(*ids): the rule ids of docs/rules.md that this test proves")


def pytest_collection_finish() -> None:
    """Leave the tests themselves out of garbage collection, which takes 0.2 s for each full one otherwise."""
    gc.collect()
    gc.freeze()
