"""The report of a league as a document, laid out by `league.csv`."""

from collections.abc import Sequence
from functools import partial
from importlib.resources import files
from itertools import pairwise
from math import fsum
from typing import Any, Final

from markupsafe import Markup

from vinci_html import charts
from vinci_html.charts import Cell, Curve

from ..play.files import log_file, record_file
from ..results.result import forfeit_reasons, in_words
from ..stats.values import SPARING, Estimate, MutualAttackFigures, Standings
from .contents import REMOTE, LeagueSection, Report
from .data import packed
from .document import Column, Document, Table, Value, intervals, laid_out
from .wording import (
    INTERVAL,
    ONLY_DUMMIES,
    UNKNOWN,
    between,
    civilization,
    count,
    facts,
    forfeit_text,
    hundredths,
    marked,
    opponents,
    outcome,
    percent,
    plain,
    rating,
    spared,
    sure,
    tenths,
    vp,
    whole,
    whole_percent,
)

MOST_PAIRS: Final = 8
"""Number of trait pairs shown as the best, and as the worst."""
FEWEST_PLAYED: Final = 5
"""Minimum number of times that a trait pair was played to be shown."""
MOST_GAMES: Final = 500
"""Maximum number of games in a table; more are shown by a script, a page at a time."""
MOST_LISTED: Final = 20
"""Maximum number of bots whose attacks are listed below the chart, which has them too; those of 50 are 0.3 MB."""
FEWEST_MUTUAL: Final = 5
"""Number of pairs whose mutual attacks are shown at once, the lowest first; more are folded up."""
MOST_MUTUAL: Final = 100
"""Maximum number of pairs whose mutual attacks are listed."""
MOST_CURVES: Final = 12
"""Maximum number of bots in the chart of ratings over time."""
MOST_LINES, MOST_ITEMS = 3, 20
"""Maximum numbers of forfeits in a terminal, and in Markdown."""
FEW_BLOCKS: Final = 10
"""Number of blocks below which the report warns of unreliable intervals."""
ALIKE, MOST_TIMES = 0.1, 100
"""Smallest difference of a variance reduction from 1 that is reported; above the other, only that it is larger."""
LOOKS: Final = (
    "The gate is tested after every block, and its error rates account for that; the intervals below are for a single "
    "test, so they are narrower than those of the gate."
)
SCRIPT: Final = files(__package__).joinpath("templates", "games.js").read_text(encoding="utf-8")

PLACE: Final = Column("#", brief="")
BOT: Final = Column("Bot", brief="", style="who")
FIRST: Final = BOT._replace(style="first")
OTHER: Final = Column("Other", style="who")
WINS: Final = Column("Wins", percent, "wins", whole_percent)
RANK: Final = Column("Mean rank", plain, "rank")
AHEAD: Final = Column("VP ahead", vp, "margin")
GAMES: Final = Column("Games", count, "games")
STANDINGS: Final = (
    *(PLACE, FIRST, Column("Rating", rating), WINS, RANK, AHEAD, GAMES),
    Column("Forfeits", count, "forfeits"),
)
TABLES: Final = (Column("Round"), Column("Table"), Column("Bots", style="list"))
LINE_UPS: Final = (
    *(FIRST, Column("Against", brief="against", style="list"), WINS._replace(interval=percent)),
    *(RANK._replace(brief=None), AHEAD._replace(interval=vp), GAMES),
)
PAIRS: Final = (BOT, OTHER, Column("Rating difference", rating), Column("Ahead", percent), AHEAD, GAMES)
FORFEITS: Final = (BOT, Column("Forfeits", count, "forfeits"), GAMES, Column("Reasons", brief="reasons", style="list"))
NEIGHBOURS: Final = (
    *(PLACE, BOT, Column(None, rating, "rating", rating), Column(None, brief="ahead"), Column(None, brief="95 %")),
    *(Column(None, vp, "VP"), GAMES),
)
SEATS: Final = (Column("Seat", count), Column("Rating effect", rating), WINS)
ATTACKS: Final = (Column("Attacker", style="who"), Column("Victim", style="who"), Column("Per game", plain))
MUTUAL_ATTACKS: Final = (
    *(Column(None, brief=""), Column(None, brief=""), BOT._replace(brief=None), OTHER),
    *(Column("Both", plain, "both", plain), Column("Bot on other", plain, "by first")),
    *(Column("Other on bot", plain, "by second"), GAMES, Column("Flag", style="strong")),
)


def league_document(report: Report) -> Document:
    """Return the report of a league as a document."""
    league = report.league
    values = {
        "hollow": f"{INTERVAL} A hollow point does not differ significantly from",
        "or_unknown": ", or its interval is unknown.",
        **_notes(report),
        **_standings(report),
        **_pairs(report.figures.standings),
        **_seats(report),
        **_attacks(report),
        **_traits(report),
        **_games(report),
    }
    sections = laid_out(__package__, "league.csv", values)
    return Document(
        title=league.name,
        style="league.css",
        verdicts=league.gates,
        facts=facts(report),
        notes=[block.text for block in sections[0].blocks],
        sections=sections,
        files=(("report.json", "JSON"), ("standings.csv", "standings as CSV"), ("games.csv", "games as CSV")),
        script=SCRIPT if len(report.results) > MOST_GAMES else "",
    )


def _notes(report: Report) -> dict[str, Any]:
    """Return what sentences tell of the end of the league, its bots, forfeits, and the effect of blocks."""
    league, bots, blocks = report.league, report.figures.standings.bots, report.figures.standings.blocks
    scores, played = {gate.score for gate in league.gates}, {bot.bot for bot in bots}
    flagged = [spared(pair) for pair in report.figures.mutual_attacks if pair.is_flagged]
    forfeited, factor = sum(bool(result.forfeits) for result in report.results), report.figures.variance_reduction
    variance = ""
    if factor is not None and abs(factor - 1) >= ALIKE:
        times = f"about {factor:.1f}" if factor < MOST_TIMES else f"more than {MOST_TIMES}"
        variance = f"{'reduce' if factor > 1 else 'increase'} the variance of win shares: {times}"
    return {
        "result": outcome(report) if not league.gates else "",
        "missing": not (league.complete or league.is_open_ended),
        "blocks": blocks,
        "one_block": blocks == 1,
        "few_blocks": 1 < blocks < FEW_BLOCKS,
        "bounds": any(bot.rating.is_open for bot in bots),
        "only_dummies": ONLY_DUMMIES if 0 < blocks == len(report.results) else "",
        "stopped": league.stopped,
        "remarks": league.remarks,
        "by_wins": "wins" in scores,
        "by_places": "places" in scores,
        "looks": LOOKS,
        "noted": [f"{bot.name}: {bot.note}" for bot in league.bots if bot.note],
        "remote": ", ".join(bot.name for bot in league.bots if bot.command == REMOTE and bot.name in played),
        "flagged": flagged,
        "forfeited": forfeited,
        "played": len(report.results),
        "counted": forfeited and not report.adjusted,
        "biased": forfeited and report.adjusted,
        "variance": variance,
    }


def _standings(report: Report) -> dict[str, Any]:
    league, bots, without = report.league, report.figures.standings.bots, report.adjusted
    names = [f"{place} {marked(bot.bot, league)}" for place, bot in enumerate(bots, 1)]
    even, counts = 1 / league.seats, report.rank_counts
    ranks = [f"rank {rank}" for rank in range(1, league.seats + 1)]
    ratings = [(name, bot.rating) for name, bot in zip(names, bots, strict=True)]
    wins = [(name, bot.win_share) for name, bot in zip(names, bots, strict=True)]
    of = dict(league.history)
    curves = [Curve(bot.bot, of[bot.bot]) for bot in bots if bot.bot in of][:MOST_CURVES]
    has_history = any(len(curve.points) > 1 for curve in curves)
    line_ups = [
        (one.bots[0], opponents(one.bots), one.win_share, one.mean_rank, one.margin, one.games)
        for one in report.figures.line_ups
    ]
    return {
        "even": percent(even),
        "best": f" The {MOST_CURVES} best bots." if len(bots) > MOST_CURVES else "",
        "bars": _bars(report.figures.standings, league),
        "standings": _table(report.figures.standings, league),
        "adjusted_bars": without and _bars(without, league),
        "adjusted": without and _table(without, league),
        "rating_chart": intervals("Ratings", ratings, 0, rating),
        "wins_chart": intervals("Shares of wins", wins, even, percent),
        "ranks_chart": partial(charts.stacked, "Ranks", names, [counts[bot.bot] for bot in bots], ranks),
        "history": has_history and partial(charts.curves, "Ratings over blocks", curves, "block", rating),
        "line_ups": Table(LINE_UPS, line_ups),
        **_tables(league),
    }


def _bars(standings: Standings, league: LeagueSection) -> list[tuple[str, str, Estimate]]:
    return [(str(place), marked(bot.bot, league), bot.rating) for place, bot in enumerate(standings.bots, 1)]


def _table(standings: Standings, league: LeagueSection) -> Table:
    rows = [
        (
            *(str(place), marked(bot.bot, league), bot.rating, bot.win_share),
            *(bot.mean_rank, bot.margin, bot.games, bot.forfeits),
        )
        for place, bot in enumerate(standings.bots, 1)
    ]
    return Table(STANDINGS, rows)


def _tables(league: LeagueSection) -> dict[str, Any]:
    rows, lines = [], []
    for table in league.tables:
        bots = [f"{bot} {score:.3f}" for bot, score in table.bots]
        for number, of in (*([(UNKNOWN, list(table.byes))] if table.byes else []), (str(table.table), bots)):
            head = f"round {table.round}, {'no table' if number == UNKNOWN else f'table {number}'}: "
            lines.append([head + of[0], *of[1:]])
            rows.append((str(table.round), number, ", ".join(of)))
    return {"table_lines": lines, "tables": Table(TABLES, rows)}


def _pairs(standings: Standings) -> dict[str, Any]:
    """Return for each two bots the percentage of their games in which the row's bot is ahead of the column's."""
    met = {(pair.bot, pair.other): pair for pair in standings.pairs}
    ratings = {(pair.bot, pair.other): pair.rating for pair in standings.differences}
    names = [bot.bot for bot in standings.bots]
    certain = sure(standings)
    cells: dict[tuple[str, str], Cell] = {}
    rows: list[Sequence[Value]] = []
    for (one, other), difference in ratings.items():
        title = f"{one} over {other}: {whole(difference, rating)} points"
        ahead: tuple[int | None, int | None] = (None, None)
        values: Sequence[Value] = (UNKNOWN, UNKNOWN, 0)
        if games := met.get((one, other)):
            title = f"{title}; ahead in {whole(games.ahead, percent)} of {games.games} games"
            ahead = hundredths(games.ahead.value)
            values = (games.ahead, games.difference, games.games)
        for key, part in zip(((one, other), (other, one)), ahead, strict=True):
            strength = 0.0 if part is None else part / 50 - 1
            cells[key] = Cell("·" if part is None else str(part), strength, title, key in certain)
        rows.append((one, other, difference, *values))
    neighbours: list[Sequence[Value]] = []
    for place, both in enumerate(pairwise(names), 1):
        values = (UNKNOWN, UNKNOWN, UNKNOWN, 0)
        if games := met.get(both):
            share, around = f"{hundredths(games.ahead.value)[0]} %", between(games.ahead, whole_percent)
            values = (share, around, games.difference, games.games)
        neighbours.append((str(place), f"over {place + 1}", ratings[both], *values))
    about = f"{len(rows)} pairs; the table below has their values."
    return {
        "ahead": met and (names, cells),
        "ahead_map": met and partial(charts.heat_map, "Games ahead", about, names, cells),
        "pairs": met and Table(PAIRS, rows),
        "neighbours": Table(NEIGHBOURS, neighbours),
    }


def _seats(report: Report) -> dict[str, Any]:
    seats, name = report.figures.standings.seats, "Share of wins by seat"
    wins = [(f"seat {one.seat + 1}", one.win_share) for one in seats]
    effects = [(f"seat {one.seat + 1}", one.rating) for one in seats]
    return {
        "seat_bars": [("", f"seat {one.seat + 1}, {percent(one.win_share.value)} wins", one.rating) for one in seats],
        "seats": Table(SEATS, [(one.seat + 1, one.rating, one.win_share) for one in seats]),
        "seat_chart": intervals("Rating effect of seats", effects, 0, rating),
        "seat_wins_chart": intervals(name, wins, 1 / report.league.seats, percent),
    }


def _attacks(report: Report) -> dict[str, Any]:
    attacks, names = report.figures.attacks, [bot.bot for bot in report.figures.standings.bots]
    most = min(attacks, key=lambda one: (-one.per_game, one.attacker, one.victim), default=None)
    highest = most.per_game if most else 0
    told = f"The highest value is {plain(highest)}: {most.attacker} from {most.victim}." if most else ""
    cells = {
        (one.attacker, one.victim): Cell(
            plain(one.per_game),
            one.per_game / (highest or 1),
            f"{one.attacker} took {plain(one.per_game)} provinces per game from {one.victim}",
        )
        for one in attacks
    }
    rows = [(one.attacker, one.victim, one.per_game) for one in attacks if highest and len(names) <= MOST_LISTED]
    pairs = report.figures.mutual_attacks
    return {
        "most_attacks": told,
        "attack_map": highest and partial(charts.heat_map, "Provinces taken", told, names, cells),
        "attacks": Table(ATTACKS, rows),
        "sparing_limit": SPARING,
        "sparing": Table(MUTUAL_ATTACKS, _mutual(report.sparing)),
        "mutual_attacks": Table(MUTUAL_ATTACKS, _mutual(pairs[:FEWEST_MUTUAL])),
        "more_mutual_attacks": Table(MUTUAL_ATTACKS, _mutual(pairs[FEWEST_MUTUAL:MOST_MUTUAL])),
    }


def _mutual(pairs: Sequence[MutualAttackFigures]) -> list[Sequence[Value]]:
    rows: list[Sequence[Value]] = []
    for of in pairs:
        flag, numbers = "flagged" if of.is_flagged else "", (of.mutual, of.by_bot, of.by_other, of.games)
        rows.append((flag, f"{of.bot} and {of.other}", of.bot, of.other, *numbers, flag))
    return rows


def _traits(report: Report) -> dict[str, Any]:
    """Return charts of the traits by mean VP, and of the pairs with the highest and the lowest intervals."""
    singles = sorted(report.figures.traits, key=lambda trait: (-trait.vp.value, trait.traits))
    known = [trait for trait in report.figures.trait_pairs if trait.played >= FEWEST_PLAYED and trait.vp.is_told]
    best = sorted(known, key=lambda trait: (-trait.vp.low, -trait.vp.value, trait.traits))[:MOST_PAIRS]
    worst = [trait for trait in known if trait not in best]
    worst = sorted(worst, key=lambda trait: (trait.vp.high, trait.vp.value, trait.traits))[:MOST_PAIRS]
    mean = fsum(trait.vp.value * trait.played for trait in singles) / (sum(trait.played for trait in singles) or 1)
    drawn: dict[str, Any] = {"mean": tenths(mean), "fewest": FEWEST_PLAYED}
    for name, title, traits in (
        ("traits_chart", "Traits", singles),
        ("best_pairs", "The best pairs", best if singles else []),
        ("worst_pairs", "The worst pairs", worst if singles else []),
    ):
        rows = [(civilization(trait.traits), trait.vp, "", f"{trait.played} played") for trait in traits]
        drawn[name] = intervals(title, rows, mean, tenths)
    return drawn


def _forfeit_counts(report: Report) -> list[Sequence[Value]]:
    """Return the forfeits of each bot that has any, by reason, the most frequent first."""
    games = {bot.bot: bot.games for bot in report.figures.standings.bots}
    rows = sorted(forfeit_reasons(report.games).items(), key=lambda row: (-row[1].total(), row[0]))
    return [(bot, reasons.total(), games.get(bot, 0), in_words(reasons)) for bot, reasons in rows]


def _games(report: Report) -> dict[str, Any]:
    games, several = report.games, []
    remote = {bot.name for bot in report.league.bots if bot.command == REMOTE}
    forfeits = [
        (game, forfeit, [] if game.bots[forfeit.seat] in remote else [log_file(game, forfeit.seat)])
        for game, forfeit in report.forfeits
    ]
    for most, gap in ((MOST_LINES, "  "), (MOST_ITEMS, ": ")):
        items: list[tuple[str, Sequence[str]]] = [
            (f"{game.key}{gap}{forfeit_text(game, forfeit)}", (record_file(game.key), *log))
            for game, forfeit, log in forfeits[:most]
        ]
        more = len(forfeits) - len(items)
        several.append([*items, *([(f"{more} more: see games.csv", ())] if more else [])])
    seats = [f"seat {seat}" for seat in range(1, report.league.seats + 1)]
    data = partial(packed, games, remote) if len(games) > MOST_GAMES else None
    return {
        "forfeit_counts": Table(FORFEITS, _forfeit_counts(report), names=0),
        "forfeit_lines": several[0],
        "forfeit_items": several[1],
        "forfeits": forfeits,
        "bots": report.league.bots,
        "games": games and {"seats": seats, "games": games, "packed": data, "script": Markup(SCRIPT)},
    }
