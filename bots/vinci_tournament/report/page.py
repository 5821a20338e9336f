"""The report as one HTML page with charts; it links to the records in its folder. Its layout is in `league.html`."""

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import chain, repeat
from math import fsum
from typing import Final, TypeAlias

from markupsafe import Markup

from vinci_html import charts
from vinci_html.charts import Cell, Curve, Interval
from vinci_html.pages import POLICY, environment, policy_with

from ..play.files import log_file, record_file
from ..stats.values import AttackFigures, Estimate, LeagueFigures, Standings
from . import columns, wording
from .contents import Report
from .game_data import packed
from .wording import Form, hundredths, percent, plain, rating, sure, whole

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

MOST_FORFEITS: Final = 100
"""Maximum number of forfeits shown, each with its position."""

SCRIPT: Final = files(__package__).joinpath("templates", "games.js").read_text(encoding="utf-8")

TITLES: Final = {
    "standings": "Standings",
    "tables": "Tables",
    "line_ups": "Line-ups",
    "pairs": "Bot against bot",
    "seats": "Seats",
    "attacks": "Attacks",
    "mutual_attacks": "Mutual attacks",
    "traits": "Traits",
    "bots": "Bots",
    "forfeits": "Forfeits",
    "games": "Games",
}
"""Titles of the sections by id."""

Cells: TypeAlias = Mapping[tuple[str, str], Cell]


def page(report: Report) -> str:
    """Return the page; sections without content are left out."""
    figures, standings = report.figures, report.figures.standings
    games = report.games
    forfeits = [(game, forfeit) for game in games for forfeit in game.forfeits]
    contents = {
        "standings": standings.bots,
        "tables": report.league.tables,
        "line_ups": figures.line_ups,
        "pairs": standings.pairs,
        "seats": standings.seats,
        "attacks": any(attack.per_game for attack in figures.attacks),
        "mutual_attacks": figures.mutual_attacks,
        "traits": figures.traits,
        "bots": report.league.bots,
        "forfeits": forfeits,
        "games": games,
    }
    counts = report.rank_counts()
    is_large = len(games) > MOST_GAMES
    return PAGES.get_template("league.html").render(
        language="en",
        style="league.css",
        title=report.league.name,
        titles=TITLES,
        sections=[name for name, content in contents.items() if content],
        report=report,
        league=report.league,
        figures=figures,
        standings=standings,
        names=[bot.bot for bot in standings.bots],
        labels=[f"{place} {wording.marked(bot.bot, report.league)}" for place, bot in enumerate(standings.bots, 1)],
        rank_counts=[counts[bot.bot] for bot in standings.bots],
        seats=[f"seat {seat}" for seat in range(1, report.league.seats + 1)],
        ranks=[f"rank {rank}" for rank in range(1, report.league.seats + 1)],
        even=1 / report.league.seats,
        met={(pair.bot, pair.other): pair for pair in standings.pairs},
        ahead=_ahead(standings),
        attacks=_attacks(figures.attacks),
        most_attacks=_most_attacks(figures.attacks),
        traits=_traits(figures),
        games=games,
        number_of_forfeits=len(forfeits),
        forfeits=forfeits[:MOST_FORFEITS],
        history=_history(report),
        packed=packed(games) if is_large else "",
        script=Markup(SCRIPT),
        policy=policy_with(SCRIPT) if is_large else POLICY,
    )


def _intervals(
    name: str,
    labels: Iterable[str],
    estimates: Iterable[Estimate],
    middle: float,
    form: Form,
    notes: Iterable[str] = (),
) -> Markup:
    several = zip(labels, estimates, chain(notes, repeat("")), strict=False)
    return charts.intervals(name, [interval(*each[:2], form, note=each[2]) for each in several], middle, form)


def interval(label: str, estimate: Estimate, form: Form, star: str = "", note: str = "") -> Interval:
    """Return an estimate as a row of a chart."""
    return Interval(label, estimate.low, estimate.value, estimate.high, whole(estimate, form) + star, note)


def _history(report: Report) -> Markup | None:
    """Draw the ratings of the best bots over the blocks of a ladder; None without two points of one of them."""
    of = dict(report.league.history)
    names = [bot.bot for bot in report.figures.standings.bots if bot.bot in of][:MOST_CURVES]
    if not any(len(of[name]) > 1 for name in names):
        return None
    return charts.curves("Ratings over blocks", [Curve(name, of[name]) for name in names], "block", rating)


def _ahead(standings: Standings) -> Cells:
    """Return for each two bots the percentage of their games in which the row's bot is ahead of the column's."""
    met = {(pair.bot, pair.other): pair for pair in standings.pairs}
    certain = sure(standings)
    cells: dict[tuple[str, str], Cell] = {}
    for pair in standings.differences:
        both, turned = (pair.bot, pair.other), (pair.other, pair.bot)
        title = f"{pair.bot} over {pair.other}: {whole(pair.rating, rating)} points"
        shown: tuple[int | None, int | None] = (None, None)
        if games := met.get(both):
            title = f"{title}; ahead in {whole(games.ahead, percent)} of {games.games} games"
            shown = hundredths(games.ahead.value)
        for key, ahead in zip((both, turned), shown, strict=True):
            strength = 0.0 if ahead is None else ahead / 50 - 1
            cells[key] = Cell("·" if ahead is None else str(ahead), strength, title, key in certain)
    return cells


def _attacks(attacks: Sequence[AttackFigures]) -> Cells:
    most = max((attack.per_game for attack in attacks), default=0) or 1
    return {
        (attack.attacker, attack.victim): Cell(
            plain(attack.per_game),
            attack.per_game / most,
            f"{attack.attacker} took {plain(attack.per_game)} provinces per game from {attack.victim}",
        )
        for attack in attacks
    }


def _most_attacks(attacks: Sequence[AttackFigures]) -> str:
    if not attacks:
        return ""
    most = min(attacks, key=lambda attack: (-attack.per_game, attack.attacker, attack.victim))
    return f"The highest value is {plain(most.per_game)}: {most.attacker} from {most.victim}."


def _traits(figures: LeagueFigures) -> dict[str, object]:
    """Return the traits by mean VP, the mean of all, and the pairs with the highest and lowest intervals."""
    singles = sorted(figures.traits, key=lambda trait: (-trait.vp.value, trait.traits))
    known = [trait for trait in figures.trait_pairs if trait.played >= FEWEST_PLAYED and trait.vp.is_told]
    best = sorted(known, key=lambda trait: (-trait.vp.low, -trait.vp.value, trait.traits))[:MOST_PAIRS]
    worst = sorted(
        (trait for trait in known if trait not in best), key=lambda trait: (trait.vp.high, trait.vp.value, trait.traits)
    )
    played = sum(trait.played for trait in singles)
    return {
        "singles": singles,
        "mean": fsum(trait.vp.value * trait.played for trait in singles) / (played or 1),
        "best": best,
        "worst": worst[:MOST_PAIRS],
    }


PAGES: Final = environment("vinci_tournament.report")
PAGES.globals |= {
    "wording": wording,
    "columns": columns,
    "FEWEST_PLAYED": FEWEST_PLAYED,
    "MOST_LISTED": MOST_LISTED,
    "FEWEST_MUTUAL": FEWEST_MUTUAL,
    "MOST_MUTUAL": MOST_MUTUAL,
    "MOST_CURVES": MOST_CURVES,
    "tenths": "{:.1f}".format,
    "record_file": record_file,
    "log_file": log_file,
    "intervals": _intervals,
    "stacked": charts.stacked,
    "heat_map": charts.heat_map,
}
PAGES.filters |= {"civilization": wording.civilization, "times_played": lambda one: f"{one.played} played"}
