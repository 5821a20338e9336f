"""The folder of a league: what it is, and every game that is done.

    league.json             the league with its seed, for its owner only; `resume` needs nothing else
    games/12-3.jsonl        the record of rotation 3 of block 12
    games/12-3.2.mine.log   what the bot `mine` wrote at seat 2, if it did or forfeited
    results.jsonl           a line for each game that is done, written when its record is on disk
    uses.jsonl              what the bots of each used: CPU, memory, time; for `status`, and no part of the report
    notes.json              what `verify` found about bots, for the report
    report.html, …          the report in all its forms

One runner at a time writes here. A result is on disk before anybody counts on it, and it is never written again.
"""

import json
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Final, TypeVar

from vinci_rules.record import read_json

from ..definition import digests
from ..definition.league import GATE, GATE_GAMES, League
from ..results.result import Result
from .files import log_file, record_file
from .resource_usage import Costs
from .worker import GameOutcome

T = TypeVar("T")

LEAGUE: Final = "league.json"
GAMES: Final = "games"
RESULTS: Final = "results.jsonl"
USES: Final = "uses.jsonl"
NOTES: Final = "notes.json"
LOCK: Final = "lock"
MOST_OPEN: Final = 64
"""Files that are open at a time."""


class FolderError(Exception):
    """The folder is not one of a league, or not for this one, or in use; the text says which."""


class Folder:
    """A folder that holds a league, or is about to."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self.games: Final = path / GAMES
        self._results: Final = path / RESULTS
        self._uses: Final = path / USES
        self._kept: set[str] | None = None

    def begin(self, league: League) -> League:
        """Write down what the league is and return it, with a secret random seed if it has none.

        If the same league is here already it goes on, with the seed that it has. Raises FolderError if something else
        is here.
        """
        if (self.path / LEAGUE).exists():
            here = self.league()
            wanted = _continued(here, league)
            same = replace(wanted, seed=league.seed or here.seed, seeding=here.seeding)
            if here.digest != same.digest:
                why = "".join(f"; {change}" for change in digests.changed(here)[:1])
                raise FolderError(f"{self.path} holds another league, {here.name}{why}; choose another folder")
            return same
        fresh = self.path / f"{LEAGUE}.part"
        if self.path.exists() and not {path.name for path in self.path.iterdir()} <= {GAMES, fresh.name}:
            raise FolderError(f"{self.path} is not empty, and holds no league; choose another folder")
        self.games.mkdir(parents=True, exist_ok=True)
        league = replace(league, seed=league.seed or secrets.token_hex(16))
        fresh.unlink(missing_ok=True)
        with open(fresh, "x", encoding="utf-8", newline="", opener=_private) as file:
            file.write(league.to_json())
        fresh.replace(self.path / LEAGUE)
        _sync_folder(self.path)
        return league

    def league(self) -> League:
        """What is played here. Raises FolderError."""
        try:
            return League.from_json((self.path / LEAGUE).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise FolderError(f"{self.path} holds no league: there is no {LEAGUE} in it") from None
        except (ValueError, KeyError, TypeError) as error:
            raise FolderError(f"{self.path / LEAGUE} is not as it was written: {error}") from None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else runs this league meanwhile; ends with the process, too. Raises FolderError."""
        with closing(sqlite3.connect(self.path / LOCK, timeout=0)) as lock:
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                why = "another process runs this league" if "locked" in str(error) else str(error)
                raise FolderError(f"{self.path} is in use: {why}") from None
            self._cut_what_was_begun()
            yield

    def _cut_what_was_begun(self) -> None:
        """Take away a last line that a killed runner has left half written."""
        for path in (self._results, self._uses):
            with suppress(FileNotFoundError), path.open("rb+") as file:
                file.truncate(file.read().rfind(b"\n") + 1)

    def results(self) -> dict[str, Result]:
        """The results of all games that are done, by key. Raises FolderError."""
        found: dict[str, Result] = {}
        for number, result in _lines(self._results, Result.from_json):
            if result.key in found:
                raise FolderError(f"{self._results} line {number}: game {result.key} is there already")
            found[result.key] = result
        return found

    def planned(self, league: League) -> dict[str, Result]:
        """Those of them that are games of the league in the folder. Raises FolderError."""
        blocks, rotations = range(league.blocks), range(league.rotations)
        return {key: one for key, one in self.results().items() if one.block in blocks and one.rotation in rotations}

    def result(self, key: str) -> Result:
        """The result of a game. Raises FolderError if it is not done, or results are not as they were written."""
        try:
            return self.results()[key]
        except KeyError:
            raise FolderError(f"{self.path} has no game {key}; those that are done are in {self._results}") from None

    def uses(self) -> dict[str, Costs]:
        """What bots used in the games that are done, by key, as far as it is known. Raises FolderError."""
        return {costs.key: costs for _, costs in _lines(self._uses, Costs.from_json)}

    def lines(self, key: str) -> list[str]:
        """The record of a game. Raises FolderError."""
        path = self.path / record_file(key)
        try:
            return path.read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError) as error:
            raise FolderError(f"{path}: {getattr(error, 'strerror', None) or error}") from None

    def notes(self) -> dict[str, str]:
        """What checking found about bots, by name. Raises FolderError."""
        path = self.path / NOTES
        try:
            return {str(bot): str(note) for bot, note in read_json(path.read_text(encoding="utf-8")).items()}
        except FileNotFoundError:
            return {}
        except (ValueError, AttributeError) as error:
            raise FolderError(f"{path} is not as it was written: {error}") from None

    def note(self, notes: Mapping[str, str]) -> None:
        """Keep what checking found about bots."""
        _write(self.path / f"{NOTES}.part", json.dumps(notes, indent=2, sort_keys=True) + "\n")
        (self.path / f"{NOTES}.part").replace(self.path / NOTES)

    def keep(self, outcomes: Sequence[GameOutcome]) -> None:
        """Write down games that were played, many in one go. What is there already stays as it is."""
        if self._kept is None:
            self._kept = set(self.results())
        new = [one for one in outcomes if one.result.key not in self._kept]
        for first in range(0, len(new), MOST_OPEN):
            self._keep(new[first : first + MOST_OPEN])
        self._kept.update(one.result.key for one in new)

    def _keep(self, new: Sequence[GameOutcome]) -> None:
        with ExitStack() as opened:
            files = []
            for one in new:
                for seat, said in one.logs:
                    _write(self.path / log_file(one.result, seat), said)
                name = f"{self.path}/{record_file(one.result.key)}"
                files.append(opened.enter_context(open(name, "w", encoding="utf-8", newline="")))
                files[-1].write(one.record)
                files[-1].flush()
            for file in files:
                os.fsync(file.fileno())
        _sync_folder(self.games)
        if costs := [one.costs for one in new if one.costs is not None]:
            with self._uses.open("a", encoding="utf-8", newline="") as uses:
                uses.write("".join(f"{one.to_json()}\n" for one in costs))
        with self._results.open("a", encoding="utf-8", newline="") as results:
            results.write("".join(f"{one.result.to_json()}\n" for one in new))
            results.flush()
            os.fsync(results.fileno())

    def order(self) -> None:
        """Sort the results by game: when each was done says nothing. Raises FolderError."""
        results = sorted(self.results().values(), key=lambda result: (result.block, result.rotation))
        fresh = self.path / f"{RESULTS}.part"
        with fresh.open("w", encoding="utf-8", newline="") as file:
            file.write("".join(f"{result.to_json()}\n" for result in results))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._results)


def _continued(here: League, league: League) -> League:
    """The league with the rule of a gate without hypotheses in the folder, unless another one was asked for."""
    if here.format != "gate" or here.stop.has_hypotheses or league.stop != replace(GATE, alpha=here.stop.alpha):
        return league
    is_usual = league.blocks == ceil(GATE_GAMES / league.seats)
    return replace(league, stop=here.stop, blocks=here.blocks if is_usual else league.blocks)


def _lines(path: Path, parse: Callable[[str], T]) -> Iterator[tuple[int, T]]:
    """What the lines of a file hold, with their numbers; nothing if there is no file. Raises FolderError."""
    with suppress(FileNotFoundError), path.open(encoding="utf-8", newline="") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith("\n"):
                return  # it is just being written, or never was to its end
            try:
                found = parse(line)
            except (ValueError, KeyError, TypeError) as error:
                raise FolderError(f"{path} line {number} is not as it was written: {error}") from None
            yield number, found


def _private(path: str, flags: int) -> int:
    """Open a file that only its owner may read: the seed of a league determines the draws of its games."""
    return os.open(path, flags, 0o600)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")


def _sync_folder(path: Path) -> None:
    if os.name != "nt":  # there a folder cannot be opened
        place = os.open(path, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)
