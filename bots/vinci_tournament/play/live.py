"""Stores and reads the present state of a league that is played, in files of its folder.

Those are entrants and games under way of an open league, and the addresses of the page of any league.
"""

import json
import os
import platform
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import psutil

from ..definition.league import COMMAND, CONNECTED
from .files import replace_file
from .remote import Presence

LIVE: Final = "live.json"
PAGE: Final = "page.txt"
STARTS: Final = {CONNECTED: "when all entrants have connected", COMMAND: "with vinci tournament start"}
VALID_SECONDS: Final = 10.0
"""Age from which a file was left by a killed process, if that cannot be told otherwise."""
PROCESS: Final = "process "
"""Begins the line of the page's file that names its process."""


@dataclass(frozen=True, slots=True)
class LiveState:
    """Entrants, and the games under way with their bots, at a time in seconds since 1970.

    `start` is when the league starts, as its file says; empty if it has started. `process` plays it, see `_process`.
    """

    time: float
    entrants: tuple[Presence, ...]
    running: tuple[tuple[str, tuple[str, ...]], ...]
    start: str = ""
    process: str = ""

    @property
    def missing(self) -> list[str]:
        """Names of entrants that have never connected."""
        return [entrant.name for entrant in self.entrants if not entrant.came]


def too_few(entrant: Presence) -> str:
    """Return why an entrant that offers too few games plays none."""
    return (
        f"{entrant.name} has {entrant.needs} seats in a game, and plays none without --at-once {entrant.needs}"
        f" (VINCI_BOT_GAMES={entrant.needs}) or more"
    )


def opening(start: str, missing: Sequence[str]) -> str:
    """Return when a league starts that is open, and which entrants have never connected."""
    how = STARTS.get(start, f"at {start}")
    return f"starts {how}; " + (f"missing: {', '.join(missing)}" if missing else "all entrants have connected")


def awaited(missing: Sequence[str], running: Sequence[object], folder: Path | str) -> str:
    """Return for whom all games that are left wait, and how to go on without; empty while a game runs or all came.

    Args:
        missing: names of entrants that have never connected, and are waited for without a limit.
        running: the games that are played.
        folder: the folder of the league, as it is typed.
    """
    if running or not missing:
        return ""
    without = "; ".join(f"vinci tournament withdraw {folder} {name}" for name in missing)
    return f"waits for {', '.join(missing)}, never connected yet; to go on without: {without}"


def write_live(
    folder: Path, entrants: Sequence[Presence], running: Sequence[tuple[str, tuple[str, ...]]], start: str = ""
) -> None:
    """Store the present state of an open league."""
    state = asdict(LiveState(time.time(), (), tuple(running), start, _process()))
    state |= {"entrants": [each._asdict() for each in entrants]}
    replace_file(folder / LIVE, [json.dumps(state).encode()])


def read_live(folder: Path) -> LiveState | None:
    """Return the state of an open league; None if it is not open."""
    state = last_live(folder)
    is_present = state is not None and time.time() - state.time < VALID_SECONDS and _may_run(state.process)
    return state if is_present else None


def _process() -> str:
    """Return machine, space of processes where the system tells it, and number of this process."""
    space = ""
    with suppress(OSError):
        space = os.readlink("/proc/self/ns/pid")
    return f"{platform.node()} {space} {os.getpid()}"


def _may_run(process: str) -> bool:
    """Return whether a process may run still: not one of this machine that has ended, even if nobody waited for it."""
    place, _, pid = process.rpartition(" ")
    if place != _process().rpartition(" ")[0] or not pid.isdecimal():
        return True
    try:
        return psutil.Process(int(pid)).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def last_live(folder: Path) -> LiveState | None:
    """Return the state that was stored last, also by a killed process; None if there is none."""
    try:
        fields: Any = json.loads((folder / LIVE).read_text(encoding="utf-8"))
        return LiveState(
            float(fields["time"]),
            tuple(
                Presence(**{name: each[name] for name in Presence._fields if name in each})
                for each in fields["entrants"]
            ),
            tuple((str(key), tuple(bots)) for key, bots in fields["running"]),
            str(fields.get("start", "")),
            str(fields.get("process", "")),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def close_live(folder: Path) -> None:
    """Keep the state of a league that is stopped, no longer as the present one."""
    if (state := last_live(folder)) is not None:
        fields = asdict(state) | {"time": 0.0, "entrants": [each._asdict() for each in state.entrants]}
        replace_file(folder / LIVE, [json.dumps(fields).encode()])


def remove_live(folder: Path) -> None:
    """Remove the state of a league that is over."""
    (folder / LIVE).unlink(missing_ok=True)


def write_page(folder: Path, links: Sequence[str]) -> None:
    """Store the addresses of the page of a league; those that are stored are valid for longer. Raises OSError."""
    try:
        os.utime(folder / PAGE)
    except FileNotFoundError:
        replace_file(folder / PAGE, (f"{line}\n".encode() for line in (*links, f"{PROCESS}{_process()}")))


def read_page(folder: Path) -> list[str]:
    """Return the addresses of the page of a league; none if there is no page now."""
    with suppress(OSError, ValueError):
        if time.time() - (folder / PAGE).stat().st_mtime < VALID_SECONDS:
            lines = (folder / PAGE).read_text(encoding="utf-8").splitlines()
            if all(_may_run(line.removeprefix(PROCESS)) for line in lines if line.startswith(PROCESS)):
                return [line for line in lines if not line.startswith(PROCESS)]
    return []


def remove_page(folder: Path) -> None:
    """Remove the addresses of a page that is no longer served."""
    (folder / PAGE).unlink(missing_ok=True)
