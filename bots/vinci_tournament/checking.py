"""Whether a league is what it says: its rules and bots, the schedule, every record and result, the report, and replays.

Whoever has the folder can check it. Bots are needed for replays only.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from vinci_rules import record
from vinci_rules.chance import commitment

from . import again, digests, worker
from .facts import facts_of
from .files import record_file
from .folder import Folder, FolderError
from .league import Bot, League
from .proof import report_of
from .report.writing import FILES
from .results import Result
from .schedule import Game, games
from .worker import Play, result_of


class Finding(NamedTuple):
    """One thing that was found, as a sentence. A fault means that the league is not what it says."""

    told: str
    is_fault: bool = True


def check(folder: Folder, replays: int, play: Play = worker.play, *, commands: bool = True) -> Iterator[Finding]:
    """Check a folder; `replays` games of each bot with a node budget are played again. Raises FolderError.

    Whoever made the folder chose the commands in it: only with `commands` they are run, and only as far as their files
    are those with which the league began.
    """
    league = folder.league()
    yield from (Finding(f"{change[:1].upper()}{change[1:]}.", False) for change in digests.changed(league))
    planned = {game.key: game for game in games(league)}
    results = folder.results()
    yield from (Finding(f"Game {key} is none of this league.") for key in sorted(set(results) - set(planned)))
    sound: list[Game] = []
    for key, game in planned.items():
        if key in results:
            faults = list(_faults(folder, league, game, results[key]))
            yield from (Finding(f"Game {key}: {fault}.") for fault in faults)
            sound += [] if faults else [game]
        elif (folder.path / record_file(key)).exists():
            yield Finding(f"Game {key} has a record but no result; `resume` plays it again.", False)
    yield Finding(f"{len(sound)} of {len(results)} games are as their records and seeds say.", False)
    yield from _report(folder)
    idle = {bot.name: why for bot in league.bots if (why := _why_idle(bot, commands=commands))}
    yield from (Finding(f"{name} was not run again: {why}.", False) for name, why in idle.items())
    fit = [game for game in sound if idle.keys().isdisjoint(game.bots) and not results[game.key].forfeits]
    yield from _replayed(folder, league, fit, replays, play)


def _why_idle(bot: Bot, *, commands: bool) -> str:
    """Why a bot is not run again; empty if it can be: whoever made the folder chose its command."""
    if bot.command and not commands:
        return "say how many games with --replay"
    if not bot.digest or bot.digest != digests.digest(bot):
        return "its files are not known to be those of the league"
    return ""


def _faults(folder: Folder, league: League, game: Game, result: Result) -> Iterator[str]:
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


def _wrong_start(league: League, game: Game, first: Mapping[str, object]) -> Iterator[str]:
    """Where the first line of a record is not that of this game."""
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
    for key, value in wanted.items():
        if first.get(key) != value:
            yield f"its record begins with {key} {first.get(key)!r} instead of {value!r}"


def _report(folder: Folder) -> Iterator[Finding]:
    """Whether the report in the folder is what its results give."""
    kept = {name: folder.path / name for name in FILES if (folder.path / name).exists()}
    if not kept:
        yield Finding("There is no report to check.", False)
        return
    report = report_of(folder)
    changed = [name for name, path in kept.items() if path.read_bytes().decode(errors="replace") != FILES[name](report)]
    yield from (Finding(f"{name} is not what the results give.") for name in changed)
    if not changed:
        yield Finding("The report is what the results give.", False)


def _replayed(folder: Folder, league: League, sound: Sequence[Game], replays: int, play: Play) -> Iterator[Finding]:
    """Play games again; a bot that plays differently from the same seed is marked for the report."""
    notes: dict[str, str] = {}
    chosen = _chosen(league, sound, replays)
    same = 0
    for game in chosen:
        found = again.difference(league, game, folder.lines(game.key), play)
        if found is None:
            same += 1
        elif found.was == found.now:
            yield Finding(f"Game {game.key}, played again, differs {again.described(found)}.")
        elif league.bot(found.bot).budget == "nodes":
            told = f"plays differently from the same seed, as in game {game.key} {again.described(found)}"
            notes.setdefault(found.bot, told)
            yield Finding(f"{found.bot} {told}.")
    if chosen:
        yield Finding(f"{same} of {len(chosen)} games came out the same when they were played again.", False)
        folder.note(notes)


def _chosen(league: League, sound: Sequence[Game], replays: int) -> list[Game]:
    """The first so many games of each bot that should play the same again, in order."""
    left = {bot.name: replays for bot in league.bots if bot.budget == "nodes"}
    found = []
    for game in sound:
        if any(left.get(name, 0) for name in game.bots):
            found.append(game)
            left |= {name: max(left[name] - 1, 0) for name in set(game.bots) if name in left}
    return found
