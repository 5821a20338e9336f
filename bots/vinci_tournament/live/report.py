"""The report of a league that is played, made by a process beside it when somebody asks for it."""

import json
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import Final, NamedTuple, final

from vinci_client import processes
from vinci_client.printable import printable
from vinci_html.pages import policy_with

from ..report.sections import SCRIPT

PAGE: Final = "report"
STANDINGS: Final = "standings.json"
"""Path of the standings of the report without all else, which the page of the league shows."""
FILES: Final = {
    PAGE: ("report.html", "text/html; charset=utf-8"),
    "report.json": ("report.json", "application/json"),
    "standings.csv": ("standings.csv", "text/csv; charset=utf-8"),
    "games.csv": ("games.csv", "text/csv; charset=utf-8"),
}
"""Files of the report, with their types, by their paths below the page of the league."""
POLICY: Final = f"{policy_with(SCRIPT)}; frame-ancestors 'none'"
"""Content-Security-Policy of the report: its own style, and the one script that it has if it is large."""
RESTS: Final = 9
"""Factor by which the pause after a report is longer than it took."""


class LiveFile(NamedTuple):
    """A file below the page: its content type, its Content-Security-Policy ("" for the usual one), and its status."""

    content: bytes
    kind: str = "text/plain; charset=utf-8"
    policy: str = ""
    status: int = 200


@final
class LiveReport:
    """The report of the games so far. After further games it is made anew if it is asked for, but not all the time."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder.absolute()
        self._place: Final = tempfile.TemporaryDirectory(prefix="vinci-", ignore_cleanup_errors=True)
        self._lock: Final = threading.Lock()
        self._games = -1
        self._due = 0.0
        self._why = ""
        self._told: tuple[int, bytes] | None = None
        self._process: subprocess.Popen[str] | None = None
        self._is_closed = False

    def document(self, path: str, games: int) -> LiveFile | None:
        """Return the file of the report at a path below the page, when so many games are over; None for other paths."""
        if path == STANDINGS:
            return self._standings(games)
        if path not in FILES:
            return None
        name, kind = FILES[path]
        file = Path(self._place.name, name)
        if self._lock.acquire(blocking=not file.exists()):  # while one is made, the one before is sent
            try:
                self._make(games)
            finally:
                self._lock.release()
        try:
            content = file.read_bytes()
        except OSError:
            return LiveFile(f"There is no report: {self._why}\n".encode(), status=404)
        return LiveFile(content, kind, POLICY if path == PAGE else "")

    def _standings(self, games: int) -> LiveFile | None:
        """Return the standings of the report, read from it once, since it has all games of the league."""
        whole = self.document("report.json", games)
        if whole is None or whole.status != 200:
            return whole
        if self._told is None or self._told[0] != self._games:
            self._told = self._games, json.dumps(json.loads(whole.content)["figures"]["standings"]).encode()
        return LiveFile(self._told[1], whole.kind)

    def _make(self, games: int) -> None:
        """Make the report unless it is of these games or another one was made just now."""
        began = time.monotonic()
        if games == self._games or began < self._due:
            return
        command = [*processes.COMMAND, "tournament", "report", str(self._folder), "--out", self._place.name]
        with subprocess.Popen(
            [*command, "--lang", "en"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            env=processes.environment(),
            **processes.APART,
        ) as process:
            self._process = process
            if self._is_closed:
                process.kill()
            error = process.communicate()[1].strip().rpartition("Error: ")[2]
        self._why = printable(error.removeprefix(f"{self._folder}: "))
        self._games = games
        self._due = time.monotonic() + RESTS * (time.monotonic() - began)

    def close(self) -> None:
        """End the process, if it runs, and remove the report."""
        self._is_closed = True
        if self._process is not None:
            self._process.kill()
        self._place.cleanup()
