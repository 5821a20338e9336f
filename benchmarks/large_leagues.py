"""Reports of large leagues: CPU time and memory of `vinci tournament report` and `status` as a league grows."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import DEVNULL, Popen
from tempfile import TemporaryDirectory
from time import process_time

from vinci_client.processes import COMMAND
from vinci_tournament.definition.schedule import games

from . import synthetic_league
from .figures import Figure, Target

SIZES = (1_000, 10_000, 100_000)
REPORT = Target(20.0, at_most=True)
"""CPU seconds for 100,000 games."""
MEMORY = Target(500.0, at_most=True)
STATUS = Target(2.0, at_most=True)
PAGE = Target(3.0, at_most=True)
SCHEDULE = Target(1.0, at_most=True)


def figures() -> Iterator[Figure]:
    """CPU seconds, MB of memory and MB of the page; the reference is the league of a tenth of the size."""
    before: dict[str, float] = {}
    for number in SIZES:
        with TemporaryDirectory() as place:
            folder = Path(place) / "league"
            synthetic_league.write(folder, number)
            report, memory = _spent("report", folder)
            page = (folder / "report.html").stat().st_size / 1e6
            status, _ = _spent("status", folder)
        measured = {"report": report, "memory": memory, "status": status, "page": page}
        targets = {"report": REPORT, "memory": MEMORY, "status": STATUS, "page": PAGE}
        units = {"report": "s", "memory": "MB", "status": "s", "page": "MB"}
        for name, value in measured.items():
            yield Figure(f"league.{name}.{number}", value, units[name], before.get(name, value), targets[name])
        before = measured
    start = process_time()
    scheduled = games(synthetic_league.league(4000, bots=50))
    spent = process_time() - start
    yield Figure("league.schedule.50bots", spent, "s", spent, SCHEDULE)
    assert len(scheduled) == 4000


def _spent(command: str, folder: Path) -> tuple[float, float]:
    """CPU seconds and MB of memory of a command about a league."""
    process = Popen([*COMMAND, "tournament", command, str(folder)], stdout=DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        raise RuntimeError(f"vinci tournament {command} ended with {status}")
    size = used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
    return used.ru_utime + used.ru_stime, size
