"""An open league with its organiser and its entrants as processes, which tests kill and start again."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, final

from vinci_tournament.definition.events import Event
from vinci_tournament.play.folder import RESULTS, Folder
from vinci_tournament.results.result import Result

LIMIT: Final = 240.0
"""Seconds within which anything that is waited for must happen."""
VINCI: Final = [sys.executable, "-m", "vinci_cli"]


def free_port() -> int:
    """Return a port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("0.0.0.0", 0))
        port: int = probe.getsockname()[1]
        return port


@final
class OpenLeague:
    """The processes of a league; leave the context to end them."""

    def __init__(self, place: Path, name: str, definition: str, *options: str) -> None:
        place.mkdir(exist_ok=True)
        file = place / f"{name}.toml"
        file.write_text(definition, encoding="utf-8")
        self.folder: Final = place / name
        self._place: Final = place
        self._command: Final = [*VINCI, "tournament", "open", str(file), "--out", str(self.folder), *options]
        self._entrants: Final[dict[str, tuple[Sequence[str], Mapping[str, str]]]] = {}
        self._processes: Final[dict[str, subprocess.Popen[bytes]]] = {}
        self._start("organiser", self._command, {})

    def __enter__(self) -> "OpenLeague":
        return self

    def __exit__(self, *_error: object) -> None:
        for name in self._processes:
            self.kill(name)

    @property
    def games(self) -> int:
        """Number of finished games."""
        path = self.folder / RESULTS
        return path.read_bytes().count(b"\n") if path.exists() else 0

    def invite(self, *arguments: str) -> dict[str, str]:
        """Invite a bot by its name, or otherwise; return the environment of what is printed."""
        until = time.monotonic() + LIMIT
        while True:
            command = [*VINCI, "tournament", "invite", str(self.folder), *arguments]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return dict(re.findall(r"(VINCI_\w+)=(\S+)", done.stdout))
            assert time.monotonic() < until, done.stderr
            assert self._processes["organiser"].poll() is None, self.output("organiser")

    def enter(self, name: str, command: Sequence[str], **changes: str) -> None:
        """Start an invited entrant; `changes` replace variables of its environment."""
        self.enter_as(name, command, self.invite(name) | changes)

    def enter_as(self, name: str, command: Sequence[str], variables: Mapping[str, str]) -> None:
        """Start an entrant with the environment of its invitation."""
        self._entrants[name] = command, variables
        self._start(name, *self._entrants[name])

    def connect(self, command: Sequence[str], *names: str) -> None:
        """Start invited entrants, one after the other has connected."""
        for name in names:
            self.enter(name, command)
            self.wait_for("connected", name)

    def kill(self, name: str) -> None:
        """Kill an entrant, or the "organiser"."""
        self._processes[name].kill()
        self._processes[name].wait()

    def events(self) -> list[Event]:
        """Return the events of the league so far."""
        return list(Folder(self.folder).league().events)

    def wait_for(self, kind: str, bot: str = "") -> None:
        """Wait until an event of this kind, and of this bot if one is named, is stored."""
        self._wait(lambda: any((event.event, event.bot) == (kind, bot) for event in self.events()))

    def restart(self, name: str) -> None:
        """Kill an entrant, or the "organiser", and start it again."""
        self.kill(name)
        if name == "organiser":
            self._start(name, self._command, {})
        else:
            self._start(name, *self._entrants[name])

    def play(self, until: int) -> None:
        """Wait until so many games are finished."""
        self._wait(lambda: self.games >= until)

    def end(self) -> str:
        """Wait until the league is over; return what the organiser's terminal shows."""
        status = self._processes["organiser"].wait(LIMIT)
        assert status == 0, self.output("organiser")
        return self.output("organiser")

    def results(self) -> list[Result]:
        """Return the results of all finished games."""
        return list(Folder(self.folder).results().values())

    def forfeits(self) -> list[str]:
        """Return the reasons of all forfeits."""
        return [forfeit.reason for result in self.results() for forfeit in result.forfeits]

    def output(self, name: str) -> str:
        """Return what a process has written."""
        return (self._place / f"{name}.log").read_text(encoding="utf-8", errors="replace")

    def _wait(self, is_so: Callable[[], bool]) -> None:
        limit = time.monotonic() + LIMIT
        while not is_so():
            assert self._processes["organiser"].poll() is None, self.output("organiser")
            assert time.monotonic() < limit, f"{self.games} games; {self.events()}; {self.output('organiser')}"
            time.sleep(0.02)  # nothing tells of what another process writes

    def _start(self, name: str, command: Sequence[str], variables: Mapping[str, str]) -> None:
        with (self._place / f"{name}.log").open("ab") as log:
            self._processes[name] = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, **variables}
            )
