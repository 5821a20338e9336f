"""Whether a league is what it says: its rules and bots, the schedule, every record and result, the report, and replays.

The folder is all that is needed. Bots are needed for replays only.
"""

import json
import random
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from vinci_rules import record
from vinci_rules.chance import commitment

from . import reproduce
from .definition import digests
from .definition.league import League, LeagueBot
from .definition.schedule import ScheduledGame, games
from .play import worker
from .play.files import log_file, record_file
from .play.folder import GAMES, LEAGUE, LOCK, NOTES, RESULTS, USES, Folder, FolderError
from .play.progress import LeagueProgress
from .play.worker import Play, result_of
from .report.build import report_of
from .report.writing import FILES
from .reproduce import Difference
from .results.game_facts import facts_of
from .results.result import Result

Spread: TypeAlias = Callable[..., Iterable[object]]
"""Calls a function for each of many items, as `map` does; `Executor.map` does so in other processes."""
Tell: TypeAlias = Callable[[int, int], None]
"""Is told how many games are checked or played again, and of how many."""

MOST_NAMED: Final = 5
"""Missing games or stray files that are named; of more only the number is told."""


REPLAYED: Final = {"vinci", "picks", "hash"}
"""Keys of a record's first line that replaying it checks."""


class LeagueFinding(NamedTuple):
    """One thing that was found, as a sentence. A fault means that the league is not what it says."""

    told: str
    is_fault: bool = True


def check(
    folder: Folder,
    replays: int,
    play: Play = worker.play,
    *,
    commands: bool = True,
    partial_league: bool = False,
    seed: str = "",
    spread: Spread = map,
    tell: Tell = lambda _done, _of: None,
) -> Iterator[LeagueFinding]:
    """Check the folder of a league.

    Args:
        folder: the folder; nothing in it is written but notes about bots that play differently.
        replays: how many games of each bot with a node budget are played again.
        play: plays a game.
        commands: whether commands that stand in the league are run; whoever made the folder chose them.
        partial_league: whether games may be missing, because the league still runs.
        seed: draws the games that are played again; a random one if it is empty.
        spread: how games are spread over processes.
        tell: is told about progress.

    Returns:
        What was found, in order. A digest that does not fit is a fault.

    Raises:
        FolderError: there is no league, or its files cannot be read.
        TableError: a game could not be played again.
    """
    league = folder.league()
    yield from (LeagueFinding(f"{change[:1].upper()}{change[1:]}.") for change in digests.changed(league))
    planned = {game.key: game for game in games(league)}
    results = folder.results()
    yield from (LeagueFinding(f"Game {key} is none of this league.") for key in sorted(set(results) - set(planned)))
    played = [game for key, game in planned.items() if key in results]
    found = spread(partial(_faults_of, folder.path, league), played, [results[game.key] for game in played])
    sound: list[ScheduledGame] = []
    for done, (game, faults) in enumerate(zip(played, found, strict=True), start=1):
        assert isinstance(faults, list)
        tell(done, len(played))
        yield from (LeagueFinding(f"Game {game.key}: {fault}.") for fault in faults)
        sound += [] if faults else [game]
    yield LeagueFinding(f"{len(sound)} of {len(results)} games are as their records and seeds say.", False)
    yield from _missing(league, planned, results, partial_league=partial_league)
    yield from _stray(folder, results)
    yield from _report(folder)
    idle = {bot.name: why for bot in league.bots if (why := _why_idle(bot, commands=commands))}
    yield from (LeagueFinding(f"{name} was not run again: {why}.", False) for name, why in idle.items())
    fit = [game for game in sound if idle.keys().isdisjoint(game.bots) and not results[game.key].forfeits]
    yield from _replayed(folder, league, fit, replays, seed, partial(_replay, folder.path, league, play), spread, tell)


def bundle_digest(folder: Folder) -> tuple[str, int]:
    """SHA-256 of all files of a league, as hexadecimal digits, and how many these are.

    It is the digest of one line for each file, sorted by path: the SHA-256 of its content, two blanks, and its path,
    as `sha256sum` writes them. Stray files and the lock are left out. Raises FolderError.
    """
    own = _files(folder.results())
    paths = sorted(path for path in own if (folder.path / path).is_file())
    lines = (f"{sha256((folder.path / path).read_bytes()).hexdigest()}  {path}\n" for path in paths)
    return sha256("".join(lines).encode()).hexdigest(), len(paths)


def _files(results: Mapping[str, Result]) -> set[str]:
    """The files that a league with these results can have."""
    records = (record_file(key) for key in results)
    logs = (log_file(result, seat) for result in results.values() for seat in range(len(result.bots)))
    return {LEAGUE, RESULTS, USES, NOTES, *FILES, *chain(records, logs)}


def _missing(
    league: League, planned: Mapping[str, ScheduledGame], results: Mapping[str, Result], *, partial_league: bool
) -> Iterator[LeagueFinding]:
    """Games that the league needs and has no results of."""
    missing = [key for key in planned if key not in results]
    if missing and not LeagueProgress(league, results.values()).is_decided:
        told = f"{len(missing)} of {len(planned)} games are missing: {_named(missing)}"
        yield LeagueFinding(f"{told}; `resume` plays them, --partial checks what is there.", not partial_league)


def _stray(folder: Folder, results: Mapping[str, Result]) -> Iterator[LeagueFinding]:
    """Files that are no part of the league and were not checked; records without a result are faults."""
    paths = (path for path in folder.path.rglob("*") if not path.is_dir() and path.name != LOCK)
    names = {path.relative_to(folder.path).as_posix() for path in paths} - _files(results)
    records = sorted(name for name in names if Path(name).parent.name == GAMES and name.endswith(".jsonl"))
    others = sorted(names.difference(records))
    if records:
        yield LeagueFinding(f"Records without a result: {_named(records)}; `resume` plays these games again.")
    if others:
        yield LeagueFinding(f"Stray files, which were not checked: {_named(others)}.", False)


def _named(names: Sequence[str]) -> str:
    rest = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{rest}"


def _why_idle(bot: LeagueBot, *, commands: bool) -> str:
    """Why a bot is not run again; empty if it can be: whoever made the folder chose its command."""
    if bot.command and not commands:
        return "say how many games with --replay"
    if not bot.digest or bot.digest != digests.digest(bot):
        return "its files are not known to be those of the league"
    return ""


def _faults_of(path: Path, league: League, game: ScheduledGame, result: Result) -> list[str]:
    return list(_faults(Folder(path), league, game, result))


def _faults(folder: Folder, league: League, game: ScheduledGame, result: Result) -> Iterator[str]:
    """What is wrong with a game that was played."""
    if (result.seed, result.bots) != (game.seed, game.bots):
        yield "its result has another seed or other bots than the schedule"
        return
    try:
        lines = folder.lines(game.key)
        facts = facts_of(lines)
        record.verify_chance(lines)
    except (FolderError, record.RecordError) as error:
        yield f"its record: {error}"
        return
    yield from _wrong_start(league, game, json.loads(lines[0]))
    if "result" not in json.loads(lines[-1]):
        yield "its record has no result"
        return
    expected = result_of(game, lines, facts, result.forfeits)
    for name in Result.__slots__:
        if getattr(result, name) != getattr(expected, name):
            yield f"its result says {name} {getattr(result, name)}, its record {getattr(expected, name)}"
    forfeits = [(seat, step.line - 2, before) for step, seat, before in record.forfeits(lines)]
    if [(one.seat, one.action, one.position) for one in result.forfeits] != forfeits:
        yield "its result has other forfeits than its record"


def _wrong_start(league: League, game: ScheduledGame, first: dict[str, object]) -> Iterator[str]:
    """Yield the keys of a record's first line that are not those of this game, keys it must not have included."""
    rules = league.rules(game.bots)
    wanted = {
        "engine": league.core.engine,
        "board": league.board,
        "digest": league.core.board,
        "edition": league.edition,
        "options": rules.changed() or None,
        "seats": ["dummy" if is_dummy else "player" for is_dummy in rules.dummies],
        "seed": None if game.salt else game.seed,
        "commitment": commitment(game.seed, game.salt) if game.salt else None,
        "sealed": True if game.salt else None,
        "opening_seed": game.opening_seed or None,
        "names": list(game.bots),
    }
    for key in sorted((wanted | first).keys() - REPLAYED):
        value = wanted.get(key)
        if first.get(key) != value:
            yield f"its record begins with {key} {first.get(key)!r} instead of {value!r}"


def _report(folder: Folder) -> Iterator[LeagueFinding]:
    """Whether the report in the folder is what its results give."""
    kept = {name: folder.path / name for name in FILES if (folder.path / name).exists()}
    if not kept:
        yield LeagueFinding("There is no report to check.", False)
        return
    report = report_of(folder)
    changed = [name for name, path in kept.items() if path.read_bytes().decode(errors="replace") != FILES[name](report)]
    yield from (LeagueFinding(f"{name} is not what the results give.") for name in changed)
    if not changed:
        yield LeagueFinding("The report is what the results give.", False)


def _replay(path: Path, league: League, play: Play, game: ScheduledGame) -> Difference | None:
    return reproduce.difference(league, game, Folder(path).lines(game.key), play)


def _replayed(
    folder: Folder,
    league: League,
    sound: Sequence[ScheduledGame],
    replays: int,
    seed: str,
    replay: Callable[[ScheduledGame], Difference | None],
    spread: Spread,
    tell: Tell,
) -> Iterator[LeagueFinding]:
    """Play games again; a bot that plays differently from the same seed is marked for the report."""
    notes: dict[str, str] = {}
    seed = seed or secrets.token_hex(4)
    chosen = _chosen(league, sound, replays, seed)
    same = 0
    for done, (game, found) in enumerate(zip(chosen, spread(replay, chosen), strict=True), start=1):
        assert found is None or isinstance(found, Difference)
        tell(done, len(chosen))
        if found is None:
            same += 1
        elif found.was == found.now:
            yield LeagueFinding(f"Game {game.key}, played again, differs {reproduce.described(found)}.")
        elif league.bot(found.bot).budget == "nodes":
            told = f"plays differently from the same seed, as in game {game.key} {reproduce.described(found)}"
            notes.setdefault(found.bot, told)
            yield LeagueFinding(f"{found.bot} {told}.")
    if chosen:
        of = f"{same} of {len(chosen)} games"
        yield LeagueFinding(
            f"{of} came out the same when they were played again; --seed {seed} draws these games.", False
        )
        folder.note(notes)


def _chosen(league: League, sound: Sequence[ScheduledGame], replays: int, seed: str) -> list[ScheduledGame]:
    """So many games of each bot that should play the same again, drawn from the seed."""
    left = {bot.name: replays for bot in league.bots if bot.budget == "nodes"}
    found = []
    for game in random.Random(seed).sample(sound, len(sound)):
        if any(left.get(name, 0) for name in game.bots):
            found.append(game)
            left |= {name: max(left[name] - 1, 0) for name in set(game.bots) if name in left}
    return sorted(found, key=lambda game: (game.block, game.rotation))
