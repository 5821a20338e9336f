"""Extends a league that is finished or stopped by blocks or bots; the line-ups of blocks that were played stay."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from .configuration import LeagueError
from .formats import ByResults
from .league import Extension, League, LeagueBot


def extended(
    league: League,
    bots: Sequence[LeagueBot],
    blocks: int | None,
    *,
    played: int,
    is_stopped: bool,
    seed: str = "",
    retired: Sequence[str] = (),
) -> League:
    """Return a league with further bots and blocks; by default so many that new bots play as often as others did.

    `played` is the number of first blocks that new bots do not change, `is_stopped` tells that a stopping rule ended
    the league before its last block. `seed` is for all but these blocks, by default that of the league. `retired` are
    bots that leave a ladder. Raises LeagueError if the league cannot be extended so.
    """
    _check(league, bots, is_stopped=is_stopped)
    if league.is_open_ended:
        if blocks is not None:
            raise LeagueError("a ladder has no number of games; --games of resume limits a run")
        return _with_others(league, bots, retired)
    if retired:
        raise LeagueError("bots leave a ladder only, and this league is a " + league.format)
    if blocks is not None and isinstance(league.kind, ByResults):
        size = league.kind.tables_of_a_round(len(league.bots), league.seats) * league.table_blocks
        blocks = ceil(blocks / size) * size
    planned = played if is_stopped else league.blocks
    settled = played if bots else planned
    total = planned + blocks if blocks is not None else max(planned, settled + _to_catch_up(league, len(bots), settled))
    result = replace(
        league,
        bots=(*league.bots, *bots),
        blocks=total,
        seed=seed or league.seed,
        extensions=(*league.extensions, Extension(len(league.bots), league.blocks, league.seed, settled)),
    )
    if result.rotations != league.rotations:
        raise LeagueError("bots: only dummies play in this league, a game in each block; only dummies can enter it")
    return result


def _with_others(league: League, bots: Sequence[LeagueBot], retired: Sequence[str]) -> League:
    """Return a ladder that bots enter and leave after the blocks that were chosen."""
    active = league.active(league.blocks)
    for name in retired:
        if name not in active:
            raise LeagueError(f"there is no bot {name!r} to leave; in the ladder are {', '.join(active)}")
    if len(active) + len(bots) - len(set(retired)) < league.seats:
        raise LeagueError(f"fewer bots would be left than a game has seats, {league.seats}")
    before = Extension(len(league.bots), 0, league.seed, league.blocks, len(league.retired))
    return replace(
        league,
        bots=(*league.bots, *bots),
        extensions=(*league.extensions, before),
        retired=(*league.retired, *((name, league.blocks) for name in dict.fromkeys(retired))),
    )


def _check(league: League, bots: Sequence[LeagueBot], *, is_stopped: bool) -> None:
    """Raise LeagueError for what cannot be extended."""
    kind = league.kind
    if league.is_replanned:
        raise LeagueError("bots withdrew, or its end was changed; add games with: vinci tournament change --games")
    if why := (is_stopped and kind.decided) or kind.ended or (bots and kind.closed_to_bots):
        raise LeagueError(why)
    names = [bot.name for bot in league.bots]
    for bot in bots:
        if bot.name in names:
            raise LeagueError(f"bots: there is a bot {bot.name!r} already; a new version needs a name of its own")


def _to_catch_up(league: League, number: int, settled: int) -> int:
    """Return blocks after which so many new bots have played about as often as the others have on average."""
    first = league.kind.challengers
    size = league.seats - first
    at_once = min(number, (size + 1) // 2)
    return ceil(settled * size * number / ((len(league.bots) - first) * at_once))
