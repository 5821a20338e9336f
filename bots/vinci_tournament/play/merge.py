"""Merges folders of one league, each with the blocks that one machine played, into a folder like that of one run."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple

from ..definition.league import League
from ..definition.schedule import ScheduledGame, games, named_ranges
from ..results.result import Result
from .files import log_file, notes_file, record_file
from .folder import GAMES, Folder, FolderError
from .progress import LeagueProgress
from .resource_usage import Costs


class _Source(NamedTuple):
    """A result and the folder that holds its record."""

    folder: Folder
    result: Result


def merge(parts: Sequence[Folder], out: Path, *, partial_league: bool = False) -> int:
    """Write the finished games of these folders into a new folder, without a report, and return their number.

    A game that several folders hold with the same result is taken from the first of them. Raises FolderError if a
    folder has another league or another result of a game, if games are missing (unless `partial_league` is set), or if
    `out` is not empty; then nothing is written.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise FolderError(f"{out} is not empty; choose another folder for the merged league")
    leagues = [part.league() for part in parts]
    if leagues[0].is_by_results:
        raise FolderError(
            f"{parts[0].path}: a {leagues[0].format} league has no parts: its blocks depend on its results"
        )
    for part, league in zip(parts[1:], leagues[1:], strict=True):
        for difference in differences(leagues[0], league):
            raise FolderError(f"{part.path} is not a part of the league in {parts[0].path}: {difference}")
    league = leagues[0]
    sources = _sources(parts)
    planned = games(league)
    if unplanned := sources.keys() - {game.key for game in planned}:
        key = min(unplanned)
        raise FolderError(f"{sources[key].folder.path}: game {key} does not belong to this league")
    if not partial_league:
        _check_complete(league, planned, sources)
    fresh = out.with_name(f"{out.name}.part")
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        merged = Folder(fresh)
        merged.begin(league)
        played = [sources[game.key] for game in planned if game.key in sources]
        for source in played:
            _copy_games(source, fresh)
        merged.restore([source.result for source in played], list(_costs(parts, played)), _notes(parts))
        if out.exists():
            out.rmdir()
        fresh.rename(out)
    except OSError as error:
        raise FolderError(f"{error.filename or out}: {error.strerror}") from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return len(played)


def differences(one: League, other: League) -> Iterator[str]:
    """Yield in what another league differs from one, as sentences; nothing if they play the same games."""
    if one.core.engine != other.core.engine:
        yield f"its engine is {other.core.engine} and not {one.core.engine}"
    if one.core.digest != other.core.digest:
        yield "its rules have another digest: the machines have different versions of vinci"
    if one.core.board != other.core.board:
        yield f"its board {other.board} has another digest"
    names = [bot.name for bot in one.bots]
    if names != [bot.name for bot in other.bots]:
        yield f"its bots are {', '.join(bot.name for bot in other.bots)} and not {', '.join(names)}"
    else:
        for bot, theirs in zip(one.bots, other.bots, strict=True):
            if bot.digest != theirs.digest:
                yield f"its bot {bot.name} has another digest: the files of the bot differ"
            elif bot != theirs:
                yield f"its bot {bot.name} has another command, policy or budget"
    if one.seed != other.seed:
        yield "it has another seed; give all machines the same one in the file"
    compared = {"core", "bots", "seed", "workers"}
    for name in (field.name for field in fields(League) if field.name not in compared):
        if getattr(one, name) != getattr(other, name):
            yield f"its {name} is {getattr(other, name)} and not {getattr(one, name)}"


def _sources(parts: Sequence[Folder]) -> dict[str, _Source]:
    """Return the finished games of all folders by key. Raises FolderError for a game with two results."""
    sources: dict[str, _Source] = {}
    for part in parts:
        for key, result in part.results().items():
            there = sources.setdefault(key, _Source(part, result))
            if there.result != result:
                raise FolderError(f"game {key} has different results in {there.folder.path} and {part.path}")
    return sources


def _check_complete(league: League, planned: Sequence[ScheduledGame], sources: Mapping[str, _Source]) -> None:
    """Raise FolderError if games are missing that the league needs."""
    missing = sorted({game.block for game in planned if game.key not in sources})
    if missing and not LeagueProgress(league, (source.result for source in sources.values())).is_decided:
        raise FolderError(
            f"games are missing in blocks {named_ranges(missing)} of 0:{league.blocks - 1}; play them with --blocks, "
            f"or merge with --partial and continue with resume"
        )


def _copy_games(source: _Source, out: Path) -> None:
    """Copy the record of a game, the logs of its bots and their notes. Raises FolderError or OSError."""
    record = source.folder.path / record_file(source.result.key)
    if not record.is_file():
        raise FolderError(f"{record} is missing, though the game has a result")
    shutil.copyfile(record, out / GAMES / record.name)
    logs = (log_file(source.result, seat) for seat in range(len(source.result.bots)))
    for name in (notes_file(source.result.key), *logs):
        if (source.folder.path / name).is_file():
            shutil.copyfile(source.folder.path / name, out / name)


def _costs(parts: Sequence[Folder], played: Sequence[_Source]) -> Iterator[Costs]:
    """Yield the resources used in the games, in their order, as far as they are known."""
    uses = {part.path: part.uses() for part in parts}
    for source in played:
        if costs := uses[source.folder.path].get(source.result.key):
            yield costs


def _notes(parts: Sequence[Folder]) -> dict[str, str]:
    """Return the findings of `verify` about bots in all folders; the first one of each bot."""
    return {bot: note for part in reversed(parts) for bot, note in part.notes().items()}
