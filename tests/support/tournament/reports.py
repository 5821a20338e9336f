"""Reports to be written in each form, and the texts of pages."""

from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from typing import Final, get_args
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from tests.support.tournament import report_leagues
from vinci_tournament.report.contents import Entrant, Outcome, Report, TableSection, VerdictSection
from vinci_tournament.report.sections import league_document
from vinci_tournament.report.terminal import WIDTH
from vinci_tournament.report.terminal import terminal as as_text
from vinci_tournament.report.writing import FILES
from vinci_tournament.stats.values import Estimate, LineUpFigures, MutualAttackFigures

HOSTILE: Final = (
    "<script>alert(1)</script>",
    "x|y`*_\"'&]](http://x)",
    "\x1b[31mred\x07\u202e\ud800",
    "猫の手も借りたい忙しいボット名前長い名前でござるよろしくおね",
    "a,b\n=1+1;\t ../../etc/passwd",
    "a-very-long-name-of-a-bot-of-32c",
)


FORFEITS: Final = ((0, 1), (4, 2), (7, 0))


@cache
def small() -> Report:
    """Return a report of three bots in two blocks, with one forfeit and a passed gate."""
    gate = VerdictSection("greedy against random", "pass", "greedy is ahead in 71.0 % of games, 64.1 to 78.2 %.")
    return report_leagues.by_hand(gate)


def with_line_ups(report: Report) -> Report:
    """Return the report of a league with line-ups, each bot against the next one, and a table of a round of all."""
    bots = report.figures.standings.bots
    line_ups = tuple(
        LineUpFigures((bot.bot, other.bot, other.bot), bot.games, bot.win_share, bot.mean_rank, bot.margin)
        for bot, other in pairwise(bots)
    )
    table = TableSection(1, 1, tuple((bot.bot, 0.5) for bot in bots), (bots[0].bot,))
    league = replace(report.league, tables=(table,), remarks=(bots[0].bot,))
    return replace(report, league=league, figures=replace(report.figures, line_ups=line_ups))


def with_mutual_attacks(report: Report) -> Report:
    """Return the report with figures of the mutual attacks of all pairs; the first pair is flagged."""
    pairs = tuple(
        MutualAttackFigures(
            bot.bot,
            other.bot,
            20 + place,
            *(
                Estimate(round(0.41 + place * 0.1 + more, 2), 0.3, round(0.55 + place * 0.3, 2))
                for more in (0, -0.02, 0.02)
            ),
        )
        for place, (bot, other) in enumerate(combinations(report.figures.standings.bots, 2))
    )
    return replace(report, figures=replace(report.figures, mutual_attacks=pairs))


@cache
def hostile() -> Report:
    """Return reports whose names and commands contain markup and control characters, with each outcome of a gate."""
    gates = tuple(
        VerdictSection(name, outcome, name) for name, outcome in zip(HOSTILE, get_args(Outcome), strict=False)
    )
    result = report_leagues.report(HOSTILE, 12, 3, FORFEITS, gates)
    bots = tuple(Entrant(name, name, "", name) for name in HOSTILE)
    result = with_mutual_attacks(with_line_ups(result))
    return replace(result, league=replace(result.league, name=HOSTILE[0], bots=bots, stopped=HOSTILE[1]))


SVG: Final = "{http://www.w3.org/2000/svg}"


markdown: Final = FILES["report.md"]
page: Final = FILES["report.html"]


def terminal(report: Report, width: int = WIDTH) -> str:
    """Return the report in lines of at most this width."""
    return as_text(league_document(report), width)


def parsed(report: Report) -> Element:
    """Return the page as elements; fail unless it is well-formed."""
    return ElementTree.fromstring(page(report))


def words(element: Element) -> str:
    """Return the text of an element, without styles."""
    return " ".join("".join(element.itertext()).split())
