"""Verifies a league: rules and bots, schedule, every record and result, the report; plays games again.

Only the folder is needed; bots are needed to play games again.
"""

import json
import random
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from vinci_rules import record
from vinci_rules.chance import commitment

from . import reproduce
from .definition import digests
from .definition.league import League, LeagueBot
from .definition.schedule import BlockRange, ScheduledGame, games
from .pairing.chooser import wrong_choice
from .play import worker
from .play.files import has_contents, log_file, notes_file, record_file
from .play.folder import EVENTS, GAMES, LEAGUE, LOCK, OWN, PAUSE, RESULTS, SCHEDULE, SERVER, Folder, FolderError
from .play.live import LIVE, PAGE
from .play.progress import LeagueProgress
from .play.worker import Play, result_of
from .report.build import extensions, report_of
from .report.writing import FILES, parts
from .reproduce import Difference
from .results.game_facts import facts_of_steps
from .results.result import Result, other_conditions

Spread: TypeAlias = Callable[..., Iterable[Any]]
"""Calls a function for each item, like `map`, or in other processes, like `Executor.map`."""
Tell: TypeAlias = Callable[[int, int], None]
"""Receives the number of games that are done, and of all games to check or play again."""

Check: TypeAlias = Literal[
    "origin", "extensions", "schedule", "events", "conditions", "records", "choices", "complete", "files", "report",
    "replays",
]  # fmt: skip
"""Names of the checks; `origin` is engine, rules, board and bots of the start of the league."""

AT_ONCE: Final = 20
"""Games whose records a worker checks before it answers, half a second of work."""

MOST_NAMED: Final = 5
"""Maximum number of missing games or stray files that a finding names."""

UNCHECKED: Final = {LOCK, f"{LOCK}-journal", PAUSE, LIVE, PAGE, SERVER}
"""Files and folders beside the league, which say nothing about it."""

REPLAYED: Final = {"vinci", "picks", "hash"}
"""Keys of the first line of a record that replaying the record checks."""


class LeagueFinding(NamedTuple):
    """A finding of a check as a sentence, with all games and files that it is about; the text may name only a few.

    A fault fails the verification. `agree` is how many of how many games or blocks passed the check, if it tells that.
    """

    check: Check
    text: str
    is_fault: bool = True
    games: Sequence[str] = ()
    files: Sequence[str] = ()
    agree: tuple[int, int] | None = None


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
    """Verify the folder of a league and yield the findings in order; a digest that differs is a fault.

    Only notes on bots that play differently are written to the folder. `replays` games of each bot with a node budget
    are played again by `play`, drawn by `seed` (random if empty). `commands` allows to run the commands of the league,
    which the author of the folder chose; `partial_league` accepts missing games because the league still runs. `spread`
    spreads games over processes, `tell` receives the progress. Raises FolderError if there is no league or its files
    cannot be read, and GameError if a game could not be played again.
    """
    league = folder.league()
    yield from (LeagueFinding("origin", f"{change[:1].upper()}{change[1:]}.") for change in digests.changed(league))
    yield from (LeagueFinding("extensions", text, False) for text in extensions(league))
    planned = {game.key: game for game in games(league)}
    results = folder.results()
    yield from (
        LeagueFinding("schedule", f"Game {key} does not belong to this league.", games=(key,))
        for key in sorted(set(results) - set(planned))
    )
    yield from _events(league, results)
    yield from _conditions(league, results)
    played = [game for key, game in planned.items() if key in results]
    pairs = [(game, results[game.key]) for game in played]
    several = [pairs[first : first + AT_ONCE] for first in range(0, len(pairs), AT_ONCE)]
    checked = chain.from_iterable(spread(partial(_faults_of, folder.path, league), several))
    sound: list[ScheduledGame] = []
    for done, (game, faults) in enumerate(zip(played, checked, strict=True), start=1):
        tell(done, len(played))
        files = (record_file(game.key), RESULTS)
        for fault in faults:
            yield LeagueFinding("records", f"Game {game.key}: {fault}.", games=(game.key,), files=files)
        sound += [] if faults else [game]
    agree = len(sound), len(results)
    text = f"{len(sound)} of {len(results)} games agree with their records and seeds."
    yield LeagueFinding("records", text, False, agree=agree)
    yield from _chosen_blocks(folder, league, planned, results)
    yield from _missing(league, folder.blocks(), planned, results, partial_league=partial_league)
    yield from _stray(folder, league, results)
    yield from _report(folder)
    idle = {bot.name: why for bot in league.bots if (why := _why_idle(bot, commands=commands))}
    yield from (LeagueFinding("replays", f"{names} not run again: {why}.", False) for names, why in _together(idle))
    fit = [game for game in sound if idle.keys().isdisjoint(game.bots) and not results[game.key].forfeits]
    yield from _replayed(folder, league, fit, replays, seed, partial(_replay, folder.path, league, play), spread, tell)


def bundle_digest(folder: Folder) -> tuple[str, int]:
    """Return the SHA-256 of all files of a league in hexadecimal, and the number of files.

    It is the digest of the output of `sha256sum` for these files, sorted by path: for each file a line with the SHA-256
    of its content, two blanks, and its path. Stray files and the lock are left out. Raises FolderError.
    """
    own = _files(folder.results())
    paths = sorted(path for path in own if (folder.path / path).is_file())
    lines = (f"{sha256((folder.path / path).read_bytes()).hexdigest()}  {path}\n" for path in paths)
    return sha256("".join(lines).encode()).hexdigest(), len(paths)


def _files(results: Mapping[str, Result]) -> set[str]:
    records = (file(key) for key in results for file in (record_file, notes_file))
    logs = (log_file(result, seat) for result in results.values() for seat in range(len(result.bots)))
    return {*OWN, *FILES, *chain(records, logs)}


def _events(league: League, results: Mapping[str, Result]) -> Iterator[LeagueFinding]:
    """Tell the events of a league, and check that it was started, and that bots that were absent had connected."""
    if not league.events:
        return
    told = [event.told for event in league.events if event.event != "connected"]
    rest = [f"And {len(told) - MOST_NAMED} more."] if len(told) > MOST_NAMED else []
    text = " ".join((f"{len(league.events)} events:", *told[:MOST_NAMED], *rest))
    yield LeagueFinding("events", text, False, files=(EVENTS,))
    if not league.is_started:  # an earlier version began it, and knew no events
        return
    early = defaultdict[str, list[str]](list)
    for key, result in results.items():
        for seat, reason, *_ in result.forfeits:
            if reason == "absent" and result.bots[seat] not in league.connected:
                early[result.bots[seat]].append(key)
    for bot, keys in early.items():
        text = f"{bot} forfeited games as absent, but no event says that it ever connected: {_named(keys)}."
        yield LeagueFinding("events", text, games=keys, files=(EVENTS, RESULTS))


def _conditions(league: League, results: Mapping[str, Result]) -> Iterator[LeagueFinding]:
    """Check that all games were played under the conditions of the league."""
    for text, keys in other_conditions(league, results.values()):
        yield LeagueFinding("conditions", f"{text[:1].upper()}{text[1:]}.", games=keys, files=(LEAGUE, RESULTS))
    if unknown := [key for key, result in results.items() if result.conditions is None]:
        text = "An earlier version played these games; their results tell no clock, tries, memory, absence or analysis"
        yield LeagueFinding("conditions", f"{text}: {_named(unknown)}.", False, games=unknown)


def _chosen_blocks(
    folder: Folder, league: League, planned: Mapping[str, ScheduledGame], results: Mapping[str, Result]
) -> Iterator[LeagueFinding]:
    """Check that blocks that were chosen by results follow from these."""
    if not league.is_by_results:
        return
    stored = folder.choices()
    own = (result for key, result in results.items() if key in planned and planned[key].bots == result.bots)
    wrong = wrong_choice(league, stored, own)
    text = wrong or f"All {len(stored)} chosen blocks follow from the results before them."
    agree = None if wrong else (len(stored), len(stored))
    yield LeagueFinding("choices", text, bool(wrong), files=(SCHEDULE,), agree=agree)


def _missing(
    league: League,
    blocks: BlockRange | None,
    planned: Mapping[str, ScheduledGame],
    results: Mapping[str, Result],
    *,
    partial_league: bool,
) -> Iterator[LeagueFinding]:
    """Report games that the league, or its blocks in this folder, needs and has no results of."""
    if blocks is not None:
        planned = {key: game for key, game in planned.items() if game.block in blocks}
        yield LeagueFinding("complete", f"This folder is for blocks {blocks} of 0:{league.blocks - 1} only.", False)
    missing = [key for key in planned if key not in results]
    if missing and not LeagueProgress(league, results.values()).is_decided:
        text = f"{len(missing)} of {len(planned)} games are missing: {_named(missing)}"
        is_fault = not (partial_league or league.is_open_ended)
        text += f"; `{league.continued_by}` plays them, --partial accepts that."
        yield LeagueFinding("complete", text, is_fault, games=missing)


def _stray(folder: Folder, league: League, results: Mapping[str, Result]) -> Iterator[LeagueFinding]:
    """Report files that do not belong to the league and were not checked; records without a result are faults.

    Files beside the league, such as the lock, are left out.
    """
    paths = (path.relative_to(folder.path) for path in folder.path.rglob("*") if not path.is_dir())
    names = {path.as_posix() for path in paths if path.parts[0] not in UNCHECKED} - _files(results)
    records = sorted(name for name in names if Path(name).parent.name == GAMES and name.endswith(".jsonl"))
    others = sorted(names.difference(records))
    if records:
        again = f"`{league.continued_by}` plays these games again"
        yield LeagueFinding("files", f"Records without a result: {_named(records)}; {again}.", files=records)
    if others:
        yield LeagueFinding("files", f"Stray files, which were not checked: {_named(others)}.", False, files=others)


def _named(names: Sequence[str]) -> str:
    rest = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{rest}"


def _why_idle(bot: LeagueBot, *, commands: bool) -> str:
    """Return why a bot is not run again; empty if it can be."""
    if bot.remote:
        return "remote bots are not on this machine"
    if bot.command and not commands:
        return "say how many games with --replay"
    if not bot.digest or bot.digest != digests.digest(bot):
        return "its files differ from those of the league, or have no digest"
    return ""


def _together(idle: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the names of bots that are not run again for the same reason, with their verb, and the reason."""
    for why in dict.fromkeys(idle.values()):
        names = [name for name in idle if idle[name] == why]
        yield f"{', '.join(names)} {'was' if len(names) == 1 else 'were'}", why


def _faults_of(path: Path, league: League, games: Sequence[tuple[ScheduledGame, Result]]) -> list[list[str]]:
    """Return the faults of each of these games."""
    return [list(_faults(Folder(path), league, game, result)) for game, result in games]


def _faults(folder: Folder, league: League, game: ScheduledGame, result: Result) -> Iterator[str]:
    if (result.seed, result.bots) != (game.seed, game.bots):
        yield "its result has a different seed or different bots than the schedule"
        return
    try:
        lines = folder.lines(game.key)
        facts = facts_of_steps(record.verified(lines))
    except (FolderError, record.RecordError) as error:
        yield f"its record: {error}"
        return
    yield from _wrong_start(league, game, json.loads(lines[0]))
    if "result" not in json.loads(lines[-1]):
        yield "its record has no result"
        return
    expected = result_of(game, lines, facts, result.forfeits, result.conditions)
    for name in Result.__slots__:
        if getattr(result, name) != getattr(expected, name):
            yield f"its result says {name} {getattr(result, name)}, its record {getattr(expected, name)}"
    forfeits = [(seat, step.line - 2, before) for step, seat, before in record.forfeits(lines)]
    if [(forfeit.seat, forfeit.action, forfeit.position) for forfeit in result.forfeits] != forfeits:
        yield "the forfeits of its result differ from those of its record"


def _wrong_start(league: League, game: ScheduledGame, first: dict[str, object]) -> Iterator[str]:
    """Yield faults for keys of the first line of a record that are wrong for this game, or must not be there."""
    rules = league.rules(game.bots)
    wanted = {
        "engine": league.core.engine,
        "board": league.board,
        "digest": league.core.board,
        "edition": league.edition,
        "options": rules.changed or None,
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
    """Compare the report in the folder with the report of its results."""
    files = {name: folder.path / name for name in FILES if (folder.path / name).exists()}
    if not files:
        yield LeagueFinding("report", "There is no report to check.", False)
        return
    report = report_of(folder)
    changed = [name for name, path in files.items() if not has_contents(path, parts(name, report))]
    for name in changed:
        yield LeagueFinding("report", f"{name} differs from the report of these results.", files=(name,))
    if not changed:
        yield LeagueFinding("report", "The report agrees with the results.", False, files=[*files])


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
    """Play games again; note bots that play differently from the same seed, for the report."""
    notes: dict[str, str] = {}
    seed = seed or secrets.token_hex(4)
    chosen = _chosen(league, sound, replays, seed)
    same = 0
    for done, (game, differs) in enumerate(zip(chosen, spread(replay, chosen), strict=True), start=1):
        assert differs is None or isinstance(differs, Difference)
        tell(done, len(chosen))
        if differs is None:
            same += 1
        elif differs.was == differs.now:
            text = f"Game {game.key}, played again, differs {reproduce.described(differs)}."
            yield LeagueFinding("replays", text, games=(game.key,), files=(record_file(game.key),))
        elif league.bot(differs.bot).budget == "nodes":
            note = f"plays differently from the same seed, as in game {game.key} {reproduce.described(differs)}"
            notes.setdefault(differs.bot, note)
            yield LeagueFinding("replays", f"{differs.bot} {note}.", games=(game.key,))
    if chosen:
        agree = same, len(chosen)
        of = f"{same} of {len(chosen)} games"
        text = f"{of} were reproduced when they were played again; --seed {seed} draws these games."
        yield LeagueFinding("replays", text, False, [game.key for game in chosen], agree=agree)
        folder.note(notes)


def _chosen(league: League, sound: Sequence[ScheduledGame], replays: int, seed: str) -> list[ScheduledGame]:
    """Draw `replays` games of each bot with a node budget, from the seed."""
    left = {bot.name: replays for bot in league.bots if bot.budget == "nodes"}
    chosen = []
    for game in random.Random(seed).sample(sound, len(sound)):
        if any(left.get(name, 0) for name in game.bots):
            chosen.append(game)
            left |= {name: max(left[name] - 1, 0) for name in set(game.bots) if name in left}
    return sorted(chosen, key=lambda game: (game.block, game.rotation))
