"""The report as one HTML page with charts, beside the records that it links to: no script, well-formed XML."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from ..stats.values import BotFigures, Estimate, Standings, TraitFigures
from . import charts
from .charts import Cell, ChartRow
from .contents import Report
from .markup import figure, link, section, table, text, who
from .page_games import forfeits, games
from .wording import (
    INTERVAL,
    RATING,
    SIGNS,
    UNKNOWN,
    between,
    civilization,
    facts,
    hundredths,
    notes,
    percent,
    plain,
    printable,
    rating,
    shown,
    sure,
    vp,
    whole,
)

STYLE: Final = Path(__file__).parent / "report.css"
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Content-Security-Policy of the page: its own style and nothing else, so no script runs and nothing is loaded."""
MOST_PAIRS: Final = 8
"""Pairs of traits that are shown as the best, and as the worst."""

FEWEST_PLAYED: Final = 5
"""Pairs of traits that were played less often are not shown."""

PARTS: Final = {
    "standings": "Standings",
    "pairs": "Bot against bot",
    "seats": "Seats",
    "attacks": "Attacks",
    "traits": "Traits",
    "bots": "Bots",
    "forfeits": "Forfeits",
    "games": "Games",
}
NEVER_MET: Final = (UNKNOWN, UNKNOWN, "0")
HOLLOW: Final = "Hollow points could as well be {middle}: their interval holds it, or none is known."


def page(report: Report) -> str:
    """The page."""
    contents = {
        "standings": _standings(report),
        "pairs": _pairs(report.figures.standings),
        "seats": _seats(report.figures.standings, report.league.seats),
        "attacks": _attacks(report),
        "traits": _traits(report),
        "bots": _bots(report),
        "forfeits": forfeits(report),
        "games": games(report),
    }
    shown = {name: content for name, content in contents.items() if content}
    places = " · ".join(f'<a href="#{name}">{PARTS[name]}</a>' for name in shown)
    title = text(report.league.name)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="{POLICY}"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{title}</title>
<style>
{STYLE.read_text(encoding="utf-8")}</style>
</head>
<body>
<header>
<h1>{title}</h1>
{_verdicts(report)}<p class="facts">{text(" · ".join(facts(report)))}</p>
{"".join(f"<p>{text(note)}</p>{chr(10)}" for note in notes(report))}<nav>{places}</nav>
</header>
<main>
{"".join(section(name, PARTS[name], content) for name, content in shown.items())}</main>
<footer>
<p>All figures: {link("report.json", "JSON")}, {link("standings.csv", "standings as CSV")},
{link("games.csv", "games as CSV")}.</p>
</footer>
</body>
</html>
"""


def _verdicts(report: Report) -> str:
    return "".join(
        f'<p class="verdict {gate.outcome}"><strong>{SIGNS[gate.outcome]}</strong> '
        f"{text(gate.question)}. {text(gate.reason)}</p>\n"
        for gate in report.league.gates
    )


def _standings(report: Report) -> str:
    standings = report.figures.standings
    if not standings.bots:
        return ""
    even = 1 / report.league.seats
    ratings = [ChartRow(f"{place} {one.bot}", one.rating) for place, one in enumerate(standings.bots, 1)]
    wins = [ChartRow(f"{place} {one.bot}", one.win_share) for place, one in enumerate(standings.bots, 1)]
    counts = report.rank_counts()
    ranks = [(f"{place} {one.bot}", counts[one.bot]) for place, one in enumerate(standings.bots, 1)]
    content = [
        _table(standings),
        '<div class="charts">\n',
        figure("Rating", charts.intervals("Ratings", ratings, 0, rating), f"{RATING} {INTERVAL} {_hollow('0')}"),
        figure(
            "Share of wins",
            charts.intervals("Shares of wins", wins, even, percent),
            f"First places of 100 games, ties split; the dashed line is an even share, {percent(even)}. {INTERVAL} "
            + _hollow("even"),
        ),
        figure(
            "Ranks",
            charts.stacked("Ranks", ranks, [f"rank {rank}" for rank in range(1, report.league.seats + 1)]),
            "How often each bot had each rank, in percent, the first at the left. Who shares a rank has it in full.",
        ),
        "</div>\n",
    ]
    if report.adjusted:
        content += ["<h3>Without games with a forfeit</h3>\n", _table(report.adjusted)]
    return "".join(content)


def _hollow(middle: str) -> str:
    return HOLLOW.format(middle=middle)


def _table(standings: Standings) -> str:
    def row(place: int, one: BotFigures) -> Sequence[str]:
        told = ((one.rating, rating), (one.win_share, percent), (one.mean_rank, plain), (one.margin, vp))
        figures = (_cell(of, form) for of, form in told)
        return (str(place), who(one.bot, first=True), *figures, str(one.games), str(one.forfeits))

    heads = ("", "Bot", "Rating", "Wins", "Mean rank", "VP ahead", "Games", "Forfeits")
    rows = (row(place, one) for place, one in enumerate(standings.bots, 1))
    return table(heads, rows, range(2, 8)) + (
        '<p class="facts">Below each figure its 95 % interval. VP ahead: of the best opponent.</p>\n'
    )


def _cell(estimate: Estimate, form: Callable[[float], str]) -> str:
    return f"{text(shown(estimate, form))} <small>{text(between(estimate, form))}</small>"


def _pairs(standings: Standings) -> str:
    if not standings.pairs:
        return ""
    met = {(pair.bot, pair.other): pair for pair in standings.pairs}
    found: dict[tuple[str, str], tuple[str, float, str]] = {}
    for one in standings.differences:
        both, turned = (one.bot, one.other), (one.other, one.bot)
        told = f"{one.bot} over {one.other}: {whole(one.rating, rating)} points"
        found[both] = found[turned] = "·", 0.0, told
        if pair := met.get(both):
            told = f"{told}; ahead in {whole(pair.ahead, percent)} of {pair.games} games"
            for key, ahead in zip((both, turned), hundredths(pair.ahead.value), strict=True):
                found[key] = str(ahead), ahead / 50 - 1, told
    certain = sure(standings)

    def cell(row: str, column: str) -> Cell | None:
        return Cell(*found[row, column], (row, column) in certain) if (row, column) in found else None

    names = [one.bot for one in standings.bots]
    rows = (
        (
            who(one.bot),
            who(one.other),
            _cell(one.rating, rating),
            *((_cell(pair.ahead, percent), _cell(pair.difference, vp), str(pair.games)) if pair else NEVER_MET),
        )
        for one in standings.differences
        for pair in (met.get((one.bot, one.other)),)
    )
    numbers = table(("Bot", "Other", "Rating above", "Ahead", "VP ahead", "Games"), rows, range(2, 6))
    count = len(standings.differences)
    heat = charts.heat_map("Who is ahead of whom", f"{count} pairs; their figures follow.", names, cell)
    return (
        figure(
            "Who is ahead of whom",
            heat,
            "Of 100 games that both played, those in which the bot of the row is ahead of that of the column, ties "
            "half; a dot: they never met. Bold: the 95 % interval of the difference of their ratings leaves out 0; "
            "one of them is better; so does 1 of 20 between equal bots.",
        )
        + f"<details><summary>All pairs with intervals</summary>\n{numbers}</details>\n"
    )


def _seats(standings: Standings, seats: int) -> str:
    if not standings.seats:
        return ""
    worth = [ChartRow(f"seat {one.seat + 1}", one.rating) for one in standings.seats]
    wins = [ChartRow(f"seat {one.seat + 1}", one.win_share) for one in standings.seats]
    return (
        '<div class="charts">\n'
        + figure(
            "What a seat is worth",
            charts.intervals("What a seat is worth", worth, 0, rating),
            f"Points of rating that sitting there adds, 0 for the middle of the seats. {INTERVAL} {_hollow('0')}",
        )
        + figure(
            "Wins of a seat",
            charts.intervals("Wins of a seat", wins, 1 / seats, percent),
            f"First places of 100 games, ties split; the dashed line is an even share. {INTERVAL} {_hollow('even')}",
        )
        + "</div>\n"
    )


def _attacks(report: Report) -> str:
    found = {(one.attacker, one.victim): one.per_game for one in report.figures.attacks}
    most = max(found.values(), default=0.0)
    if not most:
        return ""

    def cell(row: str, column: str) -> Cell | None:
        if (row, column) not in found:
            return None
        per_game = found[row, column]
        return Cell(plain(per_game), per_game / most, f"{row} took {plain(per_game)} provinces a game from {column}")

    names = [one.bot for one in report.figures.standings.bots]
    attacker, victim = max(sorted(found), key=lambda both: found[both])
    told = f"The most are {plain(most)} a game, which {printable(attacker)} took from {printable(victim)}."
    rows = ((who(one.attacker), who(one.victim), plain(one.per_game)) for one in report.figures.attacks)
    numbers = table(("Attacker", "Victim", "A game"), rows, (2,))
    return (
        figure(
            "Who attacks whom",
            charts.heat_map("Who attacks whom", told, names, cell),
            "Provinces with pawns that the bot of the row took from that of the column, a game that both played. The "
            f"stronger the colour, the more. {told}",
        )
        + f"<details><summary>All attacks</summary>\n{numbers}</details>\n"
    )


def _traits(report: Report) -> str:
    singles = sorted(report.figures.traits, key=lambda one: (-one.vp.value, one.traits))
    if not singles:
        return ""
    played = sum(one.played for one in singles)
    mean = sum(one.vp.value * one.played for one in singles) / played
    content = [_trait_chart("Traits", singles, mean, "Mean VP that a civilization with the trait scored in all.")]
    known = [one for one in report.figures.trait_pairs if one.played >= FEWEST_PLAYED and one.vp.is_told]
    best = sorted(known, key=lambda one: (-one.vp.low, -one.vp.value, one.traits))[:MOST_PAIRS]
    worst = sorted((one for one in known if one not in best), key=lambda one: (one.vp.high, one.vp.value, one.traits))[
        :MOST_PAIRS
    ]
    rare = f"Pairs played less than {FEWEST_PLAYED} times, or without an interval, are left out."
    if best:
        content.append(_trait_chart("The best pairs", best, mean, f"By the lower end of their intervals. {rare}"))
    if worst:
        content.append(_trait_chart("The worst pairs", worst, mean, f"By the upper end of their intervals. {rare}"))
    return f'<div class="charts">\n{"".join(content)}</div>\n'


def _trait_chart(title: str, found: Sequence[TraitFigures], mean: float, told: str) -> str:
    rows = [ChartRow(civilization(one.traits), one.vp, f"{one.played} played") for one in found]
    chart = charts.intervals(title, rows, mean, lambda value: f"{value:.1f}")
    line = f"The dashed line is the mean of all, {mean:.1f} VP."
    return figure(title, chart, f"{told} {line} {INTERVAL} {_hollow('the mean')}")


def _bots(report: Report) -> str:
    rows = (
        (
            who(one.name) + (f"<br/><strong>✗</strong> {text(one.note)}" if one.note else ""),
            f"<code>{text(one.command)}</code>",
            f"<code>{text(one.digest)}</code>",
        )
        for one in report.league.bots
    )
    return table(("Bot", "Command", "Digest"), rows)
