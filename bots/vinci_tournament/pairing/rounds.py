"""Chooses the tables of a round of Swiss and knock-out leagues, once all games of the rounds before are over."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, combinations, product

from ..definition.formats import LineUp, knock_out, swiss_tables
from ..definition.league import League
from .choice import Blocks, Choice
from .scores import Scores, meetings


def swiss(league: League, line_ups: Sequence[LineUp], blocks: Blocks) -> list[Choice]:
    """Return the tables of the next round: bots of about equal scores that met seldom.

    Bots that fill no table do not play; they are those with the fewest such rounds, then the lowest scores.
    """
    size = swiss_tables(len(league.bots), league.seats) * league.table_blocks
    number = len(line_ups) // size
    before = line_ups[: number * size]
    if len(line_ups) >= league.blocks or not all(block in blocks for block in range(len(before))):
        return []
    scores = Scores(league, chain.from_iterable(blocks[block] for block in range(len(before))))
    ordered = scores.ordered(bot.name for bot in league.bots)
    played = Counter(chain.from_iterable(before))
    order = {bot: place for place, bot in enumerate(ordered)}
    idle = sorted(ordered, key=lambda bot: (-played[bot], -order[bot]))[: len(ordered) % league.seats]
    met = meetings(before[:: league.table_blocks])
    tables = even_tables([bot for bot in ordered if bot not in idle], league.seats, met)
    return _rest_of_round(league, number, tables, scores, idle, len(line_ups) - len(before))


def even_tables(ordered: Sequence[str], seats: int, met: Mapping[tuple[str, str], int]) -> list[list[str]]:
    """Return tables of bots that are close to each other in the order and met seldom, by the best swaps of two bots.

    A meeting counts as much as a distance of a table.
    """
    place = {bot: number for number, bot in enumerate(ordered)}

    def cost(table: Sequence[str]) -> int:
        return sum(abs(place[a] - place[b]) + seats * met.get((a, b), 0) for a, b in combinations(table, 2))

    tables = [list(ordered[first : first + seats]) for first in range(0, len(ordered), seats)]
    while True:
        most = 0
        swap: tuple[tuple[int, list[str]], ...] = ()
        for one, other in combinations(range(len(tables)), 2):
            now = cost(tables[one]) + cost(tables[other])
            for here, there in product(range(seats), repeat=2):
                left, right = tables[one].copy(), tables[other].copy()
                left[here], right[there] = right[there], left[here]
                saved = now - cost(left) - cost(right)
                if saved > most:
                    most, swap = saved, ((one, left), (other, right))
        if not swap:
            return tables
        for number, table in swap:
            tables[number] = table


def knocked_out(league: League, line_ups: Sequence[LineUp], blocks: Blocks) -> list[Choice]:
    """Return the tables of the next round, which spread the bots by score.

    Bots that fill no table do not play and stay in; they are those with the fewest such rounds, then the best scores.
    """
    names = [bot.name for bot in league.bots]
    start, idle_before = 0, Counter[str]()
    for number, each in enumerate(knock_out(len(names), league.seats)):
        end = start + each.tables * league.table_blocks
        if not all(block in blocks for block in range(start)):
            return []
        scores = Scores(league, chain.from_iterable(blocks[block] for block in range(start)))
        ordered = scores.ordered(names)
        place = {bot: number for number, bot in enumerate(ordered)}
        idle = sorted(ordered, key=lambda bot: (idle_before[bot], place[bot]))[: each.byes]
        idle_before.update(idle)
        playing = [bot for bot in ordered if bot not in idle]
        tables = [_snake(playing, each.tables, table) for table in range(each.tables)]
        if len(line_ups) < end:
            return _rest_of_round(league, number, tables, scores, idle, len(line_ups) - start)
        if not all(block in blocks for block in range(start, end)):
            return []
        names = [*idle, *_left(league, tables, start, blocks, each.left - each.byes)]
        start = end
    return []


def winners(league: League, tables: Sequence[Sequence[str]], start: int, blocks: Blocks) -> list[list[str]]:
    """Return the bots of each table of a round, the best first; the round began with block `start`."""
    each = league.table_blocks
    ordered = []
    for number, table in enumerate(tables):
        played = range(start + number * each, start + (number + 1) * each)
        ordered.append(Scores(league, chain.from_iterable(blocks[block] for block in played)).ordered(table))
    return ordered


def _left(league: League, tables: Sequence[Sequence[str]], start: int, blocks: Blocks, number: int) -> list[str]:
    """Return so many bots that are left of a round: the better half of each table, then the best of the others."""
    ordered = winners(league, tables, start, blocks)
    half = league.seats // 2 if number > 1 else 1
    played = range(start, start + len(tables) * league.table_blocks)
    scores = Scores(league, chain.from_iterable(blocks[block] for block in played))
    others = scores.ordered(bot for table in ordered for bot in table[half:])
    return [*(bot for table in ordered for bot in table[:half]), *others][:number]


def _snake(ordered: Sequence[str], tables: int, table: int) -> list[str]:
    """Return the bots of a table if these are dealt from the best on, forwards and backwards in turn."""
    rows = (ordered[first : first + tables] for first in range(0, len(ordered), tables))
    return [row[table] if number % 2 == 0 else row[tables - 1 - table] for number, row in enumerate(rows)]


def _rest_of_round(
    league: League, number: int, tables: Sequence[Sequence[str]], scores: Scores, idle: Sequence[str], stored: int
) -> list[Choice]:
    """Return the blocks of a round, those of a table one after another, with bots in the order of the league.

    The first `stored` ones are left out: a runner was killed when it had stored these and not yet the others.
    """
    names = [bot.name for bot in league.bots]
    chosen = []
    for table, bots in enumerate(tables, start=1):
        line_up = tuple(sorted(bots, key=names.index))
        why = {"round": number + 1, "table": table, "scores": scores.shown(line_up), "byes": list(idle)}
        chosen += [Choice(line_up, why)] * league.table_blocks
    return chosen[stored:]
