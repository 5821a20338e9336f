"""The report in Markdown, for the summary of a CI run: verdict, standings, seats and forfeits."""

from collections.abc import Iterable, Sequence
from typing import Final

from vinci_html.text import printable

from ..play.files import log_file, record_file
from ..stats.values import LineUpFigures, MutualAttackFigures, Standings
from .contents import LeagueSection, Report
from .wording import (
    MUTUAL,
    SIGNS,
    facts,
    forfeit_text,
    marked,
    notes,
    opponents,
    percent,
    plain,
    rating,
    table_rows,
    vp,
    whole,
)

SPECIAL: Final = "\\`*_[]<>#|~&@$/"
"""Characters with a meaning in Markdown or HTML."""

MOST_FORFEITS: Final = 20
MOST_PAIRS: Final = 5
"""Maximum number of pairs whose mutual attacks are shown, besides those flagged."""


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
    parts += ["## Seats", _seats(standings)]
    if report.figures.mutual_attacks:
        parts += ["## Mutual attacks", _mutual_attacks(report.figures.mutual_attacks), _text(MUTUAL)]
    parts += _forfeits(report)
    return "\n\n".join(parts) + "\n"


def _standings(standings: Standings, league: LeagueSection) -> str:
    rows = (
        (
            str(place),
            f"<code>{_text(marked(standing.bot, league))}</code>",
            whole(standing.rating, rating),
            whole(standing.win_share, percent),
            whole(standing.mean_rank, plain),
            whole(standing.margin, vp),
            str(standing.games),
            str(standing.forfeits),
        )
        for place, standing in enumerate(standings.bots, 1)
    )
    heads = ("", "Bot", "Rating (95 %)", "Wins (95 %)", "Mean rank (95 %)", "VP ahead (95 %)", "Games", "Forfeits")
    return _table(heads, rows)


def _line_ups(line_ups: Sequence[LineUpFigures]) -> str:
    rows = (
        (
            f"<code>{_text(line_up.bots[0])}</code>",
            _text(opponents(line_up.bots)),
            whole(line_up.win_share, percent),
            whole(line_up.mean_rank, plain),
            whole(line_up.margin, vp),
            str(line_up.games),
        )
        for line_up in line_ups
    )
    return _table(("Bot", "Against", "Wins (95 %)", "Mean rank (95 %)", "VP ahead (95 %)", "Games"), rows)


def _seats(standings: Standings) -> str:
    rows = (
        (str(seat.seat + 1), whole(seat.rating, rating), whole(seat.win_share, percent)) for seat in standings.seats
    )
    return _table(("Seat", "Rating effect (95 %)", "Wins (95 %)"), rows)


def _mutual_attacks(pairs: Sequence[MutualAttackFigures]) -> str:
    rows = (
        (
            f"<code>{_text(pair.bot)}</code>",
            f"<code>{_text(pair.other)}</code>",
            whole(pair.mutual, plain),
            whole(pair.by_bot, plain),
            whole(pair.by_other, plain),
            str(pair.games),
            "flagged" if pair.is_flagged else "",
        )
        for place, pair in enumerate(pairs)
        if place < MOST_PAIRS or pair.is_flagged
    )
    heads = ("Bot", "Other", "Both (95 %)", "Bot on other (95 %)", "Other on bot (95 %)", "Games", "")
    return _table(heads, rows)


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
