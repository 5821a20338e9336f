"""Player functions that kill their worker process, hang or fail; plain functions, as worker processes need."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from vinci_bots.local.process import BotProcess
from vinci_tournament.definition.league import League
from vinci_tournament.definition.schedule import ScheduledGame
from vinci_tournament.play import worker
from vinci_tournament.play.worker import GameOutcome

PLACE: Final = "VINCI_TEST_PLACE"
"""Environment variable: a folder in which these functions leave files."""


def always(league: League, game: ScheduledGame) -> GameOutcome:
    """Game 1-1 kills every process that plays it."""
    if game.key == "1-1":
        os.kill(os.getpid(), signal.SIGKILL)
    return worker.play(league, game)


def twice(league: League, game: ScheduledGame) -> GameOutcome:
    """Games 0-1 and 2-0 each kill the first two processes that play them."""
    if game.key in ("0-1", "2-0"):
        for number in (1, 2):
            mark = Path(os.environ[PLACE]) / f"{game.key}-{number}"
            if not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
    return worker.play(league, game)


def wrong(league: League, game: ScheduledGame) -> GameOutcome:
    """Fail in game 1-1 without killing the process."""
    if game.key == "1-1":
        raise ValueError("no server")
    return worker.play(league, game)


def endless(_league: League, game: ScheduledGame) -> GameOutcome:
    """Start a child process and a bot with a child, write their ids to a file, and never return."""
    sleeps = [sys.executable, "-c", "import time; time.sleep(1000)"]
    started = subprocess.Popen(sleeps, start_new_session=True)
    log = Path(os.environ[PLACE]) / f"{game.key}.log"
    leaves = f"import subprocess; print(subprocess.Popen({sleeps!r}).pid)"
    assert BotProcess([sys.executable, "-c", leaves], {}, log).wait(60)
    fresh = Path(os.environ[PLACE]) / f"{game.key}.new"
    fresh.write_text(f"{os.getpid()} {started.pid} {log.read_text()}")
    fresh.rename(fresh.with_suffix(".pids"))
    time.sleep(1000)
    raise AssertionError


def held(league: League, game: ScheduledGame) -> GameOutcome:
    """Game 1-0 never returns for the first process that plays it, which leaves the id of the process that started it."""
    mark = Path(os.environ[PLACE]) / "held.pid"
    if game.key == "1-0" and not mark.exists():
        fresh = mark.with_suffix(".new")
        fresh.write_text(str(os.getppid()))
        fresh.rename(mark)
        time.sleep(1000)
    return worker.play(league, game)
