"""The report in Markdown, for the summary of a CI run: verdict, standings, seats and forfeits."""

from collections.abc import Iterable, Sequence
from typing import Final

from vinci_html.text import printable

from ..play.files import log_file, record_file
from ..stats.values import LineUpFigures, MutualAttackFigures, SeatFigures, Standings
from . import columns
from .columns import Column
from .contents import LeagueSection, Report
from .wording import MUTUAL, SIGNS, facts, forfeit_text, marked, notes, opponents, table_rows, whole

SPECIAL: Final = "\\`*_[]<>#|~&@$/"
"""Characters with a meaning in Markdown or HTML."""

MOST_FORFEITS: Final = 20


def markdown(report: Report) -> str:
    """Return the report, with tables in the syntax of GitHub and GitLab."""
    standings = report.figures.standings
    parts = [f"# {_text(report.league.name)}"]
    parts += [
        f"**{SIGNS[gate.outcome]}**: {_text(gate.question)}. {_text(gate.reason)}" for gate in report.league.gates
    ]
    parts += [_text(" · ".join(facts(report))), *(_text(note) for note in notes(report))]
    parts += ["## Standings", _standings(standings, report.league)]
    if report.adjusted:
        parts += ["## Standings without games with a forfeit", _standings(report.adjusted, report.league)]
    if report.league.tables:
        rows = ((number, table, _text(bots)) for number, table, bots in table_rows(report))
        parts += ["## Tables", _table(("Round", "Table", "Bots by share of opponents ahead of"), rows)]
    if report.figures.line_ups:
        parts += ["## Line-ups", _line_ups(report.figures.line_ups)]
    parts += ["## Seats", _seats(standings.seats)]
    if pairs := report.sparing:
        parts += ["## Mutual attacks", _mutual_attacks(pairs), _text(MUTUAL)]
    parts += _forfeits(report)
    return "\n\n".join(parts) + "\n"


def _standings(standings: Standings, league: LeagueSection) -> str:
    bots = enumerate(standings.bots, 1)
    rows = ((str(place), _code(marked(bot.bot, league)), *_cells(bot, columns.STANDINGS)) for place, bot in bots)
    return _table(("", "Bot", *_heads(columns.STANDINGS)), rows)


def _line_ups(line_ups: Sequence[LineUpFigures]) -> str:
    rows = ((_code(of.bots[0]), _text(opponents(of.bots)), *_cells(of, columns.LINE_UPS)) for of in line_ups)
    return _table(("Bot", "Against", *_heads(columns.LINE_UPS)), rows)


def _seats(seats: Sequence[SeatFigures]) -> str:
    return _table(
        ("Seat", *_heads(columns.SEATS)), ((str(seat.seat + 1), *_cells(seat, columns.SEATS)) for seat in seats)
    )


def _mutual_attacks(pairs: Sequence[MutualAttackFigures]) -> str:
    rows = (
        (_code(of.bot), _code(of.other), *_cells(of, columns.MUTUAL_ATTACKS), "flagged" if of.is_flagged else "")
        for of in pairs
    )
    return _table(("Bot", "Other", *_heads(columns.MUTUAL_ATTACKS), ""), rows)


def _heads(several: Sequence[Column]) -> list[str]:
    return [f"{column.head} (95 %)" if column.form else column.head for column in several]


def _cells(row: object, several: Sequence[Column]) -> list[str]:
    return [whole(column.of(row), column.form) if column.form else str(column.of(row)) for column in several]


def _code(name: str) -> str:
    return f"<code>{_text(name)}</code>"


def _forfeits(report: Report) -> list[str]:
    items = [
        f"- {game.key}: {_text(forfeit_text(game, forfeit))} "
        f"(`{record_file(game.key)}`, `{log_file(game, forfeit.seat)}`)"
        for game, forfeit in report.forfeits[:MOST_FORFEITS]
    ]
    if len(report.forfeits) > MOST_FORFEITS:
        items.append(f"- {len(report.forfeits) - MOST_FORFEITS} more: see games.csv")
    return ["## Forfeits", "\n".join(items)] if items else []


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---" if head in ("", "Bot", "Other", "Against") else "---:" for head in heads], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _text(text: str) -> str:
    """Escape a text: special characters become numeric references."""
    return "".join(f"&#{ord(letter)};" if letter in SPECIAL else letter for letter in printable(text))
