"""Remote bots as processes, and `vinci bot check --remote` over TLS with them."""

import json
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests.support.processes.vinci_process import Vinci, environment
from vinci_bots import environment as variables
from vinci_bots.doctor.checks import MOOT, REMOTE_CHECKS

QUICK: Final = ("handshake", "game", "stays", "illegal", "games-at-once", "dropped-stream", "cut", "restart", "exit")
"""Checks for the default suite, with one that is skipped."""


@contextmanager
def started(command: list[str], settings: Mapping[str, str], home: Path) -> Iterator[None]:
    """Run the command of a remote bot, whose output is shown if the test fails."""
    with (home / "bot.log").open("wb") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**environment(home), **settings}
        )
    try:
        yield
    finally:
        process.kill()
        process.wait()
        print((home / "bot.log").read_text(encoding="utf-8", errors="replace"))  # noqa: T201


def free_address() -> str:
    """Return an address of this machine with a port that is free now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{found.getsockname()[1]}"


def checked(home: Path, command: list[str], *arguments: str) -> list[dict[str, Any]]:
    """Return the results of `vinci bot check --remote` over TLS with a bot that must pass."""
    address = free_address()
    with Vinci(home, "bot", "check", "--remote", "ann", "--listen", address, "--tls", "--json", *arguments) as doctor:
        invitation = json.loads('{"invitation": ' + doctor.line('"invitation": '))["invitation"]
        assert invitation["address"] == address
        settings = {
            variables.ADDRESS: address,
            variables.CODE: invitation["code"],
            variables.NAME: invitation["name"],
            variables.KEY: invitation["key"],
            variables.GAMES: "3",
        }
        with started(command, settings, home):
            assert doctor.ended() == 0, doctor.out
        return [json.loads(line) for line in doctor.out.splitlines()[1:]]


def passes_quickly(home: Path, command: list[str]) -> None:
    """Assert that a bot with three games at once passes quick checks over TLS."""
    only = [word for name in QUICK for word in ("--only", name)]
    *results, _summary = checked(home, command, *only)
    assert {result["check"]: result["verdict"] for result in results} == {**dict.fromkeys(QUICK, "ok"), "exit": "skip"}
    assert "it offers 3 games at once" in results[0]["told"]


def passes_all(home: Path, command: list[str]) -> None:
    """Assert that a bot passes all checks over TLS, slow ones included."""
    *_results, summary = checked(home, command, "--slow")
    assert summary["summary"] == {"ok": len(REMOTE_CHECKS) - len(MOOT), "FAIL": 0, "skip": len(MOOT)}
