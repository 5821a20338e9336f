"""The folder of a league: its definition and all finished games. docs/league-folder.md lists the files.

Only one runner at a time writes here. A result is synced to disk before it counts, and never changes.
"""

import gc
import json
import os
import secrets
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime
from itertools import chain, pairwise
from math import ceil
from pathlib import Path
from typing import BinaryIO, Final, TypeVar

from vinci_bots.local.process import MEGABYTE
from vinci_rules.record import read_json

from ..definition import digests
from ..definition.events import Event
from ..definition.league import GATE, League
from ..definition.schedule import BlockRange
from ..pairing.choice import Choice
from ..results.result import Result, SharedValues, beginning, outlines
from .files import log_file, notes_file, record_file, replace_file
from .resource_usage import MOST_MEASURED, Cost, Costs, by_bot, seats_of
from .worker import GameOutcome

T = TypeVar("T")

LEAGUE: Final = "league.json"
GAMES: Final = "games"
RESULTS: Final = "results.jsonl"
SCHEDULE: Final = "schedule.jsonl"
USES: Final = "uses.jsonl"
EVENTS: Final = "events.jsonl"
NOTES: Final = "notes.json"
BLOCKS: Final = "blocks.json"
OWN: Final = (LEAGUE, BLOCKS, SCHEDULE, RESULTS, USES, EVENTS, NOTES)
"""Files of a league besides its games and its report."""
LOCK: Final = "lock"
PAUSE: Final = "pause"
"""Asks the process that plays the league to release the folder for a moment."""
PAUSE_TICK: Final = 0.05
PAUSE_SECONDS: Final = 60.0
"""Maximum time that both sides wait for each other in a pause."""
ENTRANTS: Final = "entrants"
"""Folder of the bots that were handed in, with what was found about each."""
SERVER: Final = "server"
"""Folder of the server of a league with remote bots, which is secret and no part of the league."""
MOST_OPEN: Final = 64
"""Maximum number of files open at a time."""
PIECE: Final = 2**16
"""Bytes read at a time when the end of a file is looked for."""


class FolderError(Exception):
    """The folder holds no league or another league, is damaged, or is in use."""


class Folder:
    """A folder for a league."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self.games: Final = path / GAMES
        self._results: Final = path / RESULTS
        self._schedule: Final = path / SCHEDULE
        self._uses: Final = path / USES
        self._events: Final = path / EVENTS
        self._kept: set[str] | None = None

    def begin(self, league: League, blocks: BlockRange | None = None) -> League:
        """Store a league and return it, with a secret random seed if it has none; only these blocks are played here.

        If the folder has the same league and blocks already, it is continued with its seed. Raises FolderError if the
        folder holds anything else.
        """
        if (self.path / LEAGUE).exists():
            here = self.league()
            wanted = _continued(here, league)
            same = replace(wanted, seed=league.seed or here.seed, seeding=here.seeding)
            if here.digest != same.digest:
                earlier = [*_earlier(here)]
                if any(one.digest == replace(same, seed=league.seed or one.seed).digest for one in earlier):
                    how = f"vinci tournament {here.continued_by} {self.path}"
                    raise FolderError(f"the league in {self.path} was extended; continue it with: {how}")
                updated = _as_begun(same, here)
                if any(one.digest == replace(updated, seed=league.seed or one.seed).digest for one in (here, *earlier)):
                    raise FolderError(f"{self.path} holds this league, but {digests.advice(here)}")
                why = "".join(f"; {change}" for change in digests.changed(here)[:1])
                raise FolderError(f"{self.path} holds another league, {here.name}{why}; choose another folder")
            if self.blocks() != blocks:
                held = self.blocks()
                part = f"blocks {held}" if held else "all blocks"
                raise FolderError(f"{self.path} is for {part} of this league; choose another folder")
            return same.after(*here.events)
        # A process that was killed here leaves no more than these: the league is written last, so where it is, all is.
        begun = {GAMES, f"{LEAGUE}.part", BLOCKS, f"{BLOCKS}.part", ENTRANTS}
        if self.path.exists() and not {path.name for path in self.path.iterdir()} <= begun:
            raise FolderError(f"{self.path} is not empty, and holds no league; choose another folder")
        self.games.mkdir(parents=True, exist_ok=True)
        league = replace(league, seed=league.seed or secrets.token_hex(16))
        if blocks is None:
            (self.path / BLOCKS).unlink(missing_ok=True)
        else:
            replace_file(self.path / BLOCKS, [f"{json.dumps(asdict(blocks))}\n".encode()])
        replace_file(self.path / LEAGUE, [league.to_json().encode()], mode=0o600)  # its seed determines all draws
        _sync_folder(self.path)
        return league

    def league(self) -> League:
        """Read the league, with its events and the blocks that were chosen so far. Raises FolderError."""
        try:
            league = League.from_json((self.path / LEAGUE).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise FolderError(f"{self.path} holds no league: there is no {LEAGUE} in it") from None
        except (ValueError, KeyError, TypeError) as error:
            raise FolderError(f"{self.path / LEAGUE} is not as it was written: {error}") from None
        league = league.after(*(event for _, event in _lines(self._events, Event.from_json)))
        if not league.is_by_results:
            return league
        planned = tuple(choice.bots for choice in self.choices())
        names = {bot.name for bot in league.bots}
        for block, bots in enumerate(planned):
            if len(bots) != league.seats or len({*bots} & names) != league.seats:
                raise FolderError(f"{self._schedule} line {block + 1}: not {league.seats} bots of this league")
        return replace(league, planned=planned, blocks=len(planned) if league.is_open_ended else league.blocks)

    def choices(self) -> list[Choice]:
        """Read the blocks that were chosen by results. Raises FolderError."""
        choices = []
        for number, (block, choice) in _lines(self._schedule, Choice.from_json):
            if block != number - 1:
                raise FolderError(f"{self._schedule} line {number}: expected block {number - 1}")
            choices.append(choice)
        return choices

    def choose(self, first: int, chosen: Sequence[Choice]) -> None:
        """Store chosen blocks, of which this is the number of the first."""
        with self._schedule.open("a", encoding="utf-8", newline="") as file:
            file.write("".join(f"{choice.to_json(block)}\n" for block, choice in enumerate(chosen, start=first)))
            file.flush()
            # Before a game of theirs is played: after a power cut its block would be chosen again, perhaps otherwise.
            os.fsync(file.fileno())
        if not first:
            _sync_folder(self.path)  # the file is new, and its name must last, too

    def extend(self, league: League) -> None:
        """Store an extension of the league; the folder is locked."""
        replace_file(self.path / LEAGUE, [league.definition.to_json().encode()], mode=0o600)

    def note_events(self, events: Sequence[Event]) -> None:
        """Store events of the league, which happen now; the folder is locked."""
        is_new = not self._events.exists()
        time_now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._events.open("a", encoding="utf-8", newline="") as file:
            file.write("".join(f"{event._replace(time=time_now).to_json()}\n" for event in events))
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            _sync_folder(self.path)

    def blocks(self) -> BlockRange | None:
        """Read the blocks that are played in this folder; None for all. Raises FolderError."""
        path = self.path / BLOCKS
        try:
            return BlockRange(**read_json(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
        except (ValueError, TypeError) as error:
            raise FolderError(f"{path} is not as it was written: {error}") from None

    @contextmanager
    def locked(self, wait: float = 0) -> Iterator[None]:
        """Lock the folder against other runners, after `wait` seconds at most; the lock ends with the process.

        Raises FolderError.
        """
        with closing(sqlite3.connect(self.path / LOCK, timeout=wait)) as lock:
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                why = "another process runs this league" if "locked" in str(error) else str(error)
                raise FolderError(f"{self.path} is in use: {why}") from None
            self._drop_partial_lines()
            yield

    def is_in_use(self) -> bool:
        """Return whether another process has locked the folder."""
        try:
            with self.locked():
                return False
        except FolderError:
            return True

    @contextmanager
    def locked_in_pause(self) -> Iterator[None]:
        """Lock the folder of a league that another process plays, which pauses meanwhile. Raises FolderError."""
        pause = self.path / PAUSE
        try:
            pause.touch()
            with self.locked(PAUSE_SECONDS):
                # Not before: the player goes on when it is gone, and with the lock held it then waits for its release.
                pause.unlink(missing_ok=True)
                yield
        finally:
            pause.unlink(missing_ok=True)

    def is_pause_wanted(self) -> bool:
        """Return whether another process waits for the lock, to change the league."""
        return (self.path / PAUSE).exists()

    def pause(self) -> None:
        """Wait until the process that wanted a pause is done; the folder is not locked. Raises FolderError."""
        end = time.monotonic() + PAUSE_SECONDS
        while self.is_pause_wanted() and time.monotonic() < end:
            time.sleep(PAUSE_TICK)
        (self.path / PAUSE).unlink(missing_ok=True)  # of a killed process, it would pause the league again and again
        with self.locked(PAUSE_SECONDS):
            pass  # the other process writes until it releases the lock

    def _drop_partial_lines(self) -> None:
        """Remove a partial last line that a killed runner has left."""
        for path in (self._results, self._uses, self._schedule, self._events):
            with suppress(FileNotFoundError), path.open("rb+") as file:
                end = _end_of_lines(file)
                if end < file.seek(0, os.SEEK_END):
                    file.truncate(end)

    def results(self) -> dict[str, Result]:
        """Read the results of all finished games, by key. Raises FolderError."""
        results: dict[str, Result] = {}
        with collection_paused():
            for number, result in _lines(self._results, SharedValues().result):
                if (key := result.key) in results:
                    raise FolderError(f"{self._results} line {number}: game {key} is there already")
                results[key] = result
        return results

    def planned(self, league: League) -> dict[str, Result]:
        """Read the results that belong to the schedule of the league, by key. Raises FolderError."""
        return {key: result for key, result in self.results().items() if _is_planned(league, result)}

    def outlines(self, league: League) -> list[Result]:
        """Read the results of `planned` as they are stored, without what follows their forfeits. Raises FolderError."""
        with collection_paused():
            try:
                found = [result for lines in _pieces(self._results) for result in outlines(lines)]
            except (ValueError, KeyError, TypeError):
                found = list(self.results().values())  # its error names the line
        return [each for each in found if _is_planned(league, each)]

    def result(self, key: str) -> Result:
        """Read the result of a game. Raises FolderError if it is not finished, or if the file is damaged."""
        try:
            return self.results()[key]
        except KeyError:
            raise FolderError(f"{self.path} has no game {key}; finished games are in {self._results}") from None

    def used(self) -> dict[str, tuple[int, Cost]]:
        """Return the resources used in the last MOST_MEASURED games as `by_bot` does. Raises FolderError."""
        latest = deque(chain.from_iterable(_pieces(self._uses)), MOST_MEASURED)
        with collection_paused():
            try:
                return by_bot(seats_of(latest))
            except (ValueError, KeyError, TypeError):
                costs = [*self.uses().values()][-MOST_MEASURED:]  # its error names the line
                return by_bot(seat for cost in costs for seat in cost.seats)

    def uses(self) -> dict[str, Costs]:
        """Read the resources used in finished games, by key, as far as they are known. Raises FolderError."""
        return {costs.key: costs for _, costs in _lines(self._uses, Costs.from_json)}

    def lines(self, key: str) -> list[str]:
        """Read the lines of the record of a game. Raises FolderError."""
        path = self.path / record_file(key)
        try:
            return path.read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError) as error:
            raise FolderError(f"{path}: {getattr(error, 'strerror', None) or error}") from None

    def notes(self) -> dict[str, str]:
        """Read the findings of `verify` about bots, by name. Raises FolderError."""
        path = self.path / NOTES
        try:
            return {str(bot): str(note) for bot, note in read_json(path.read_text(encoding="utf-8")).items()}
        except FileNotFoundError:
            return {}
        except (ValueError, AttributeError) as error:
            raise FolderError(f"{path} is not as it was written: {error}") from None

    def note(self, notes: Mapping[str, str]) -> None:
        """Store the findings of `verify` about bots."""
        replace_file(self.path / NOTES, [f"{json.dumps(notes, indent=2, sort_keys=True)}\n".encode()])

    def keep(self, outcomes: Sequence[GameOutcome]) -> None:
        """Store finished games, many at once; games that are stored already do not change."""
        if self._kept is None:
            self._kept = set(self.results())
        new = [outcome for outcome in outcomes if outcome.result.key not in self._kept]
        for first in range(0, len(new), MOST_OPEN):
            self._keep(new[first : first + MOST_OPEN])
        self._kept.update(outcome.result.key for outcome in new)

    def _keep(self, new: Sequence[GameOutcome]) -> None:
        with ExitStack() as opened:
            files = []
            for outcome in new:
                for seat, output in outcome.logs:
                    (self.path / log_file(outcome.result, seat)).write_text(output, encoding="utf-8", newline="")
                if outcome.notes:
                    noted = self.path / notes_file(outcome.result.key)
                    noted.write_text(outcome.notes, encoding="utf-8", newline="")
                name = f"{self.path}/{record_file(outcome.result.key)}"
                files.append(opened.enter_context(open(name, "w", encoding="utf-8", newline="")))
                files[-1].write(outcome.record)
                files[-1].flush()
            # Synced after all are written, so that the disk writes them together.
            for file in files:
                os.fsync(file.fileno())
        _sync_folder(self.games)  # or the name of a record could be missing after a power cut
        if costs := [outcome.costs for outcome in new if outcome.costs is not None]:
            with self._uses.open("a", encoding="utf-8", newline="") as uses:
                uses.write("".join(f"{outcome.to_json()}\n" for outcome in costs))
        # Last, as the line of a result alone makes a game count: each one then has its record.
        with self._results.open("a", encoding="utf-8", newline="") as results:
            results.write("".join(f"{outcome.result.to_json()}\n" for outcome in new))
            results.flush()
            os.fsync(results.fileno())

    def restore(self, results: Sequence[Result], costs: Sequence[Costs], notes: Mapping[str, str]) -> None:
        """Store what other folders of the league hold about games whose records are here; the results last."""
        if costs:
            replace_file(self._uses, (f"{each.to_json()}\n".encode() for each in costs))
        if notes:
            self.note(notes)
        _sync_folder(self.games)
        replace_file(self._results, (f"{result.to_json()}\n".encode() for result in results))

    def order(self) -> None:
        """Sort the stored results by game unless they are, without checking them again. Raises FolderError."""
        lines = [line for _, line in _lines(self._results, _placed)]
        if any(later < earlier for earlier, later in pairwise(lines)):
            replace_file(self._results, (text.encode() for _, text in sorted(lines)))


@contextmanager
def collection_paused() -> Iterator[None]:
    """Pause the collection of cyclic garbage, which visits all objects again and again while many are made."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _continued(here: League, league: League) -> League:
    """Return the league with the stored rule of an old gate without hypotheses, unless another rule is requested."""
    if not here.kind.is_gate or here.stop.has_hypotheses or league.stop != replace(GATE, alpha=here.stop.alpha):
        return league
    is_usual = league.blocks == ceil(here.kind.games / league.seats)
    return replace(league, stop=here.stop, blocks=here.blocks if is_usual else league.blocks)


def _as_begun(league: League, here: League) -> League:
    """Return the league with the digests of rules and built-in bots of the stored one."""
    stored = {bot.name: bot.digest for bot in here.bots if bot.policy}
    bots = (replace(bot, digest=stored.get(bot.name, bot.digest)) for bot in league.bots)
    return replace(league, core=here.core, bots=tuple(bots))


def _earlier(league: League) -> Iterator[League]:
    """Yield a league as it was before each of its extensions, the last one first."""
    while league.extensions:
        league = league.earlier
        yield league


def _placed(text: str) -> tuple[tuple[int, int], str]:
    """Return the block and rotation of a line of results, and the line. Raises ValueError, KeyError or TypeError."""
    result = read_json(beginning(text))
    return (result["block"], result["rotation"]), text


def _lines(path: Path, parse: Callable[[str], T]) -> Iterator[tuple[int, T]]:
    """Yield line numbers and parsed lines of a file; nothing if there is no file. Raises FolderError."""
    with suppress(FileNotFoundError), path.open(encoding="utf-8", newline="") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith("\n"):
                return  # it is being written, or its writer was killed
            try:
                parsed = parse(line)
            except (ValueError, KeyError, TypeError) as error:
                raise FolderError(f"{path} line {number} is not as it was written: {error}") from None
            yield number, parsed


def _end_of_lines(file: BinaryIO) -> int:
    """Return the position after the last end of a line."""
    end = file.seek(0, os.SEEK_END)
    while end:
        start = max(end - PIECE, 0)
        file.seek(start)
        found = file.read(end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def _pieces(path: Path) -> Iterator[list[str]]:
    """Yield the whole lines of a file, some at a time; nothing if there is no file."""
    with suppress(FileNotFoundError), path.open(encoding="utf-8", newline="") as file:
        while lines := file.readlines(MEGABYTE):
            yield lines if lines[-1].endswith("\n") else lines[:-1]


def _is_planned(league: League, result: Result) -> bool:
    return 0 <= result.block < league.blocks and 0 <= result.rotation < league.rotations


def _sync_folder(path: Path) -> None:
    if os.name != "nt":  # Windows cannot open folders
        place = os.open(path, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)
