"""Leagues: games a second with all that is kept of them, beside the same games played plainly.

Plain play is what a league adds to: of dummies what `vinci selfplay --records` does, of `greedy` one game after the
other at local servers, both in as many processes that are at work already. On one core everything has to share it,
whoever writes results too. `verify` is compared with plain replays of the same records.
"""

import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from time import sleep
from typing import Any

from vinci_bots.builtin import selfplay
from vinci_bots.seeds import bot_seed
from vinci_client.processes import COMMAND
from vinci_rules import record
from vinci_rules.board import load_board
from vinci_tournament import verify
from vinci_tournament.definition import configuration
from vinci_tournament.definition.league import League
from vinci_tournament.definition.schedule import ScheduledGame, games
from vinci_tournament.play import runner, worker
from vinci_tournament.play.folder import Folder
from vinci_tournament.play.worker_pool import Processes

from . import confined, large_leagues
from .figures import Figure, Target, rates

DUMMY_GAMES = 400
GREEDY_GAMES = 4
AT_ONCE = 10
"""Games of dummies that plain play gives a process in one go."""
OVERHEAD = Target(0.95, of_ratio=True)
VERIFICATION = Target(0.65, of_ratio=True)
"""Above what two replays of each record can reach; dummies choose every action again in both."""


def figures() -> Iterator[Figure]:
    """Games a second of dummies in process and of `greedy` through the server, on one core and on two."""
    dummies = _league([{"name": f"dummy{seat}", "bot": "dummy"} for seat in range(4)], DUMMY_GAMES)
    command = [*COMMAND, "bot", "greedy"]
    greedy = _league([{"name": f"greedy{seat}", "command": command} for seat in range(4)], GREEDY_GAMES)
    for name, league, rounds in (("dummies", dummies, 5), ("greedy", greedy, 3)):
        for cores in (1, 2):
            with _only(cores) as executor, TemporaryDirectory() as place:
                works = (
                    partial(_played, league, executor, cores, Path(place)),
                    partial(_plain, league, executor, Path(place)),
                )
                rate, plain = rates(*works, rounds=rounds)
            yield Figure(f"league.{name}.{cores}core", rate, "games/s", plain, OVERHEAD)
    yield from _verification(dummies)
    yield from large_leagues.figures()
    yield from confined.figures()


def _verification(league: League) -> Iterator[Figure]:
    """Yield games a second that are verified, beside replays of their records in as many processes."""
    with TemporaryDirectory() as place:
        folder = Folder(Path(place))
        folder.begin(league)
        runner.run(folder, lambda: Processes(2), 2)
        for cores in (1, 2):
            with _only(cores) as executor:
                rate, plain = rates(partial(_verified, folder, executor), partial(_replayed, folder, executor))
            yield Figure(f"league.verify.{cores}core", rate, "games/s", plain, VERIFICATION)


def _verified(folder: Folder, executor: Executor) -> int:
    """Verify a league and return its number of games."""
    faults = [finding.text for finding in verify.check(folder, 0, spread=executor.map) if finding.is_fault]
    if faults:
        raise RuntimeError(f"the league of the benchmark is not verified: {faults}")
    return len(folder.results())


def _replayed(folder: Folder, executor: Executor) -> int:
    """Replay all records of a league and return their number."""
    keys = [game.key for game in games(folder.league())]
    parts = [keys[first : first + verify.AT_ONCE] for first in range(0, len(keys), verify.AT_ONCE)]
    return sum(executor.map(partial(_replay, folder.path), parts))


def _replay(path: Path, keys: Sequence[str]) -> int:
    for key in keys:
        deque(record.replay(Folder(path).lines(key)), maxlen=0)
    return len(keys)


def _league(bots: Sequence[dict[str, Any]], number: int) -> League:
    return configuration.league({"bots": bots, "seats": 4, "games": number, "seed": "bench"})


@contextmanager
def _only(cores: int) -> Iterator[Executor]:
    """So many worker processes, at work already, on as many cores; whoever asks them is there, too."""
    all_of_them = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(all_of_them)[:cores])
    try:
        with Processes(cores) as executor:
            list(executor.map(sleep, [0.5] * cores))
            yield executor
    finally:
        os.sched_setaffinity(0, all_of_them)


def _played(league: League, executor: Executor, cores: int, place: Path) -> int:
    """The games of a league, and how many they are."""
    folder = Folder(place / token_hex(8))
    folder.begin(league)
    runner.run(folder, lambda: _Kept(executor), cores)
    return league.blocks * league.rotations


class _Kept(Executor):
    """An executor that outlives a league."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        """Have something done."""
        return self._executor.submit(function, *arguments, **named)


def _plain(league: League, executor: Executor, place: Path) -> int:
    """The same games without the league, and how many they are."""
    several = games(league)
    size = AT_ONCE if league.is_local(several[0].bots) else 1
    parts = [several[first : first + size] for first in range(0, len(several), size)]
    return sum(executor.map(partial(_one_after_the_other, league, place), parts))


def _one_after_the_other(league: League, place: Path, several: Sequence[ScheduledGame]) -> int:
    for game in several:
        if league.is_local(game.bots):
            policies = [league.bot(name).policy for name in game.bots]
            seeds = [bot_seed(game.seed, name) for name in game.bots]
            played = selfplay.play(policies, load_board(league.board), league.rules(game.bots), game.seed, seeds)
            (place / f"{game.key}.jsonl").write_text("".join(f"{line}\n" for line in played.lines), encoding="utf-8")
        else:
            worker.play_at_server(league, game)
    return len(several)
