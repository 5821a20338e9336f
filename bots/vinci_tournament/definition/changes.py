"""Changes of a league that is played, as events: bots that withdraw and return, other conditions, another end."""

from collections.abc import Collection, Iterable
from typing import Final

from .configuration import NO_CPU, LeagueError, absence_of, clock_of
from .events import Event
from .league import League, cpu_seconds
from .schedule import Plan

MOST_BLOCKS: Final = 1_000_000


def withdrawn(league: League, bot: str, begun: Collection[str]) -> Event:
    """Return the withdrawal of a bot; `begun` are keys of games that are over or under way.

    Blocks with it that have not begun get line-ups of the others. Raises LeagueError if it cannot withdraw.
    """
    left = _left(league)
    if bot not in left:
        raise LeagueError(f"there is no bot {bot!r} to withdraw; in the league are {', '.join(left)}")
    if league.kind.keeps_bots:
        raise LeagueError(f"{bot} cannot withdraw: {league.kind.keeps_bots}")
    if bot in left[: league.kind.challengers]:
        raise LeagueError(f"{bot} cannot withdraw: it plays in every block; end the league instead")
    if not league.kind.repeats_bots and len(left) - 1 < league.seats:
        raise LeagueError(f"{bot} cannot withdraw: fewer bots would be left than a game has seats, {league.seats}")
    if league.line_ups and not any({bot, *league.withdrawn}.isdisjoint(line_up) for line_up in league.line_ups):
        raise LeagueError(f"{bot} cannot withdraw: no line-up would be left without a bot that has withdrawn")
    event = Event("withdrew", bot=bot, block=league.blocks if league.is_open_ended else 0)
    plan, blocks = Plan(league), _blocks(begun)
    if not league.is_open_ended:
        replaced = [block for block, line_up in enumerate(plan.line_ups) if bot in line_up and block not in blocks]
        event = event._replace(replaced=tuple(replaced))
    gone = league.after(event).withdrawn.intersection(league.remote)
    dropped = tuple(
        game.key
        for game in plan.games
        if game.block not in event.replaced and game.key not in begun and bot in game.bots
        if all(name in gone or league.bot(name).is_dummy for name in game.bots)
    )
    if dropped and league.is_open_ended:
        raise LeagueError(f"{bot} cannot withdraw now: nobody would be left to play {', '.join(dropped)}; retry later")
    return event._replace(dropped=dropped)


def dropped(league: League, missing: Iterable[str]) -> list[Event]:
    """Return the withdrawals of bots that are missing when a league starts. Raises LeagueError if too few are left."""
    events: list[Event] = []
    for bot in missing:
        events.append(withdrawn(league.after(*events), bot, ()))
    return events


def returned(league: League, bot: str, begun: Collection[str]) -> Event:
    """Return the return of a bot that withdrew; it is in blocks that have not begun, until it has caught up.

    Raises LeagueError if it has not withdrawn.
    """
    if bot not in league.withdrawn:
        known = ", ".join(sorted(league.withdrawn)) or "nobody"
        raise LeagueError(f"{bot!r} has not withdrawn; withdrawn: {known}")
    if league.is_open_ended:
        return Event("returned", bot=bot, block=league.blocks)
    blocks = _blocks(begun)
    left = tuple(block for block in range(league.blocks) if block not in blocks)
    if not left:
        raise LeagueError(f"{bot} cannot return: all blocks have begun; add some with --games")
    return Event("returned", bot=bot, replaced=left)


def changed(league: League, key: str, value: str, begun: Collection[str]) -> Event | None:
    """Return the change of a key to the value that was typed; None if it has that value.

    Raises LeagueError for a value that it cannot have.
    """
    next_block = max(_blocks(begun), default=-1) + 1
    now = league.at(next_block)
    before: int | str
    to: int | str
    if key == "blocks":
        before, to = now.blocks, (wanted := int(value))
        if league.is_by_results:
            raise LeagueError(
                f"games: results choose the blocks of a {league.format} league, so its end is not changed"
            )
        if league.stop.width is not None:
            raise LeagueError("games: the rule for the width of intervals ends this league")
        if not max(next_block, 1) <= wanted <= MOST_BLOCKS:
            least = max(next_block, 1) * league.rotations
            raise LeagueError(f"games: at least {least}, as the last block that has begun is finished")
    elif key == "clock":
        before, to = now.clock, clock_of(int(value) if value.isdecimal() else value)
        if league.remote and cpu_seconds(to):
            raise LeagueError(NO_CPU)
    else:
        before, to = now.absence, absence_of(value)
        if not league.remote:
            raise LeagueError("absence: it is for leagues with remote bots")
    return None if before == to else Event("changed", key=key, before=before, to=to, block=next_block)


def _left(league: League) -> list[str]:
    """Return the bots that have not withdrawn or left."""
    return (
        league.active(league.blocks)
        if league.is_open_ended
        else [bot.name for bot in league.bots if bot.name not in league.withdrawn]
    )


def _blocks(begun: Collection[str]) -> set[int]:
    return {int(key.partition("-")[0]) for key in begun}
