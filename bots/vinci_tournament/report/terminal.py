"""The report for a terminal, as bars and tables."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import inf, isfinite, isinf
from typing import Final

from vinci_html.text import GAP, fitted, printable, terminal_width, text_table

from ..play.files import log_file, record_file
from ..stats.values import Estimate, LineUpFigures, MutualAttackFigures, Standings
from .columns import AHEAD, BOTH, BY_BOT, BY_OTHER, FORFEITED, GAMES, RANK, WINS, Column
from .contents import LeagueSection, Report
from .wording import (
    SIGNS,
    UNKNOWN,
    Form,
    between,
    facts,
    forfeit_text,
    hundredths,
    marked,
    notes,
    opponents,
    percent,
    plain,
    rating,
    shown,
    sure,
    table_rows,
    vp,
)

WIDTH: Final = 80
LEGEND: Final = "wins: ties split; rank: mean; margin: VP ahead of the best opponent"
MOST_FORFEITS: Final = 3
ARROW: Final = 0.25
"""Extension of a scale on the side of an open end, as a share of the range that it spans."""

SHORTEST_BAR: Final = 14
LONGEST_BAR: Final = 48
CELL: Final = 5
"""Columns of a cell of the table of pairs: `100*` and a blank."""


def terminal(report: Report, width: int = WIDTH) -> str:
    """Return the report in lines of at most `width` columns; `width` is at least 72."""
    standings = report.figures.standings
    sections = {
        "STANDINGS: ratings in Elo points; the middle of the field is 0": _standings(standings, report.league, width)
    }
    if report.adjusted:
        sections["STANDINGS WITHOUT GAMES WITH A FORFEIT"] = _standings(report.adjusted, report.league, width)
    sections |= {
        "TABLES: share of the opponents that a bot was ahead of": _tables(report, width),
        "LINE-UPS: the first bot of each line-up": _line_ups(report.figures.line_ups, width),
        "PAIRS: % of games in which the row is ahead; * ratings differ (95 %)": _pairs(standings, width),
        "NEIGHBOURS: each bot and the next one: rating difference, games and VP ahead": _neighbours(standings, width),
        "SEATS: rating points that a seat adds": _seats(standings, width),
        "MUTUAL ATTACKS: of two bots on each other, 1 if as often as others; the lowest": _mutual_attacks(
            report.sparing, width
        ),
        "FORFEITS": _forfeits(report, width),
    }
    parts = [_head(report, width)]
    parts += [[*_wrapped(title, width), "", *lines] for title, lines in sections.items() if lines]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _head(report: Report, width: int) -> list[str]:
    lines = _wrapped(report.league.name, width) + _filled(facts(report), " · ", width)
    for gate in report.league.gates:
        lines += ["", *_wrapped(f"{SIGNS[gate.outcome]}: {gate.question}. {gate.reason}", width)]
    remarks = notes(report)
    return lines + ([""] if remarks else []) + [line for note in remarks for line in _wrapped(note, width)]


def _standings(standings: Standings, league: LeagueSection, width: int) -> list[str]:
    if not standings.bots:
        return []
    bots = list(enumerate(standings.bots, 1))
    pictured = [(str(place), marked(standing.bot, league), standing.rating) for place, standing in bots]
    shown = [(WINS, _whole_percent), (RANK, None), (AHEAD, None), (GAMES, None), (FORFEITED, None)]
    rows = [(str(place), marked(bot.bot, league), *_cells(bot, shown)) for place, bot in bots]
    heads = ("", "", *_heads(shown))
    return [*_bars("rating", pictured, width), "", *table(heads, rows, width), *_wrapped(LEGEND, width)]


def _tables(report: Report, width: int) -> list[str]:
    lines = []
    for number, table, bots in table_rows(report):
        head = f"round {number}, {'no table' if table == UNKNOWN else f'table {table}'}: "
        lines += _filled([head + bots.partition(", ")[0], *bots.split(", ")[1:]], ", ", width)
    return lines


def _line_ups(line_ups: Sequence[LineUpFigures], width: int) -> list[str]:
    shown = [(WINS, percent), (AHEAD, vp), (GAMES, None)]
    rows = [(of.bots[0], opponents(of.bots), *_cells(of, shown)) for of in line_ups]
    return table(("", "against", *_heads(shown)), rows, width) if rows else []


def _pairs(standings: Standings, width: int) -> list[str]:
    """Return a table with a row and a column for each bot, split into parts that fit the width."""
    if not standings.pairs:
        return []
    ahead: dict[tuple[str, str], int] = {}
    for pair in standings.pairs:
        ahead[pair.bot, pair.other], ahead[pair.other, pair.bot] = hundredths(pair.ahead.value)
    stars = sure(standings)
    names = [standing.bot for standing in standings.bots]
    label = min(max(terminal_width(printable(name)) for name in names), width // 2)
    fitting = (width - label - 4) // CELL
    lines: list[str] = []
    for first in range(0, len(names), fitting):
        columns = range(first, min(first + fitting, len(names)))
        lines.append(" " * (label + 4) + "".join(f"{place + 1:>{CELL - 1}} " for place in columns).rstrip())
        for place, name in enumerate(names):
            pairs = ((name, names[other]) for other in columns)
            cells = "".join(f"{ahead.get(pair, '·')}{'*' if pair in stars else ' '}".rjust(CELL) for pair in pairs)
            lines.append(f"{place + 1:>2}  {fitted(name, label)}{cells}".rstrip())
    return lines


def _neighbours(standings: Standings, width: int) -> list[str]:
    """Compare each bot with the next one of the standings."""
    pairs = {(pair.bot, pair.other): pair for pair in standings.pairs}
    ratings = {(row.bot, row.other): row.rating for row in standings.differences}
    names = [row.bot for row in standings.bots]
    rows = []
    for place, both in enumerate(pairwise(names), 1):
        met = (UNKNOWN, UNKNOWN, UNKNOWN, "0")
        if pair := pairs.get(both):
            share = f"{hundredths(pair.ahead.value)[0]} %", between(pair.ahead, _whole_percent)
            met = (*share, vp(pair.difference.value), str(pair.games))
        better = shown(ratings[both], rating), between(ratings[both], rating)
        rows.append((str(place), f"over {place + 1}", *better, *met))
    return table(("", "", "rating", "95 %", "ahead", "95 %", "VP", "games"), rows, width) if rows else []


def _whole_percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _seats(standings: Standings, width: int) -> list[str]:
    rows = [
        ("", f"seat {seat.seat + 1}, {percent(seat.win_share.value)} wins", seat.rating) for seat in standings.seats
    ]
    return _bars("effect", rows, width) if rows else []


def _mutual_attacks(pairs: Sequence[MutualAttackFigures], width: int) -> list[str]:
    shown = [(BOTH, plain), (BY_BOT, None), (BY_OTHER, None), (GAMES, None)]
    rows = [("flagged" if of.is_flagged else "", f"{of.bot} and {of.other}", *_cells(of, shown)) for of in pairs]
    return table(("", "", *_heads(shown)), rows, width) if rows else []


def _heads(several: Sequence[tuple[Column, Form | None]]) -> list[str]:
    return [head for column, interval in several for head in (column.brief, *["95 %"] * bool(interval))]


def _cells(row: object, several: Sequence[tuple[Column, Form | None]]) -> list[str]:
    """Return numbers, each with its interval if it has a form for that."""
    cells = []
    for column, interval in several:
        cells.append(column.form(column.of(row).value) if column.form else str(column.of(row)))
        cells += [between(column.of(row), interval)] if interval else []
    return cells


def _forfeits(report: Report, width: int) -> list[str]:
    lines: list[str] = []
    for game, forfeit in report.forfeits[:MOST_FORFEITS]:
        lines += _wrapped(f"{game.key}  {forfeit_text(game, forfeit)}", width)
        lines += _filled((f"  {record_file(game.key)}", log_file(game, forfeit.seat)), GAP, width)
    if len(report.forfeits) > MOST_FORFEITS:
        lines.append(f"{len(report.forfeits) - MOST_FORFEITS} more: see games.csv")
    return lines


def _bars(title: str, rows: Sequence[tuple[str, str, Estimate]], width: int) -> list[str]:
    """Return a line for each rating: value, interval, and both as a bar with a mark at 0."""
    texts = [(number, name, shown(estimate, rating), between(estimate, rating)) for number, name, estimate in rows]
    heads = ("", "", title, "95 %")
    lines = table(heads, texts, width - SHORTEST_BAR - len(GAP))
    long = min(width - len(lines[0]) - len(GAP), LONGEST_BAR)
    ends = [end for _number, _name, estimate in rows for end in (estimate.low, estimate.high) if isfinite(end)]
    low, high = min(0.0, *ends), max(0.0, *ends)
    beyond = ARROW * (high - low)
    low -= beyond * any(isinf(estimate.low) for _number, _name, estimate in rows)
    high += beyond * any(isinf(estimate.high) for _number, _name, estimate in rows)

    def at(value: float) -> int:
        return round((min(max(value, low), high) - low) / ((high - low) or 1) * (long - 1))

    drawn = [lines[0]]
    for line, (_number, _name, estimate) in zip(lines[1:], rows, strict=True):
        cells = [" "] * long
        cells[at(estimate.low) : at(estimate.high) + 1] = "─" * (at(estimate.high) - at(estimate.low) + 1)
        cells[at(0)] = "┼" if cells[at(0)] == "─" else "│"
        if estimate.is_open:
            cells[at(estimate.low if isinf(estimate.low) else estimate.high)] = "◀" if isinf(estimate.low) else "▶"
        else:
            cells[at(estimate.value)] = "●"
        drawn.append(f"{line}{GAP}{''.join(cells)}".rstrip())
    return drawn


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], width: float = inf, names: int = 1) -> list[str]:
    """Return rows below heads. The column of names is left-aligned and cut to fit; others are right-aligned."""
    return text_table([heads, *rows], width, names, right=True)


def _wrapped(text: str, width: int) -> list[str]:
    return _filled(re.split(" (?!%)", text), " ", width)


def _filled(pieces: Iterable[str], gap: str, width: int) -> list[str]:
    """Join pieces into lines, with a gap between them; a piece wider than a line is split anywhere."""
    lines = [""]
    for piece in map(printable, pieces):
        joined = f"{gap}{piece}" if lines[-1] else piece
        if terminal_width(lines[-1] + joined) > width and lines[-1]:
            lines.append("")
            joined = piece
        for letter in joined:
            if terminal_width(lines[-1] + letter) > width:
                lines.append("")
            lines[-1] += letter
    return lines
