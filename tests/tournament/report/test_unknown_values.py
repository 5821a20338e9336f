"""Figures without an interval, or with a one-sided one, are never reported as certain, in any form."""

import csv
import io
import json
import re
from dataclasses import replace
from functools import cache
from xml.etree.ElementTree import Element

import numpy as np
import pytest

from tests.support.tournament import report_leagues
from tests.support.tournament.reports import SVG, markdown, page, parsed, terminal, words
from tests.support.tournament.simulated_leagues import World, league, name, schedule
from vinci_tournament.report.contents import Report
from vinci_tournament.report.data import csv_standings, to_json
from vinci_tournament.report.wording import UNKNOWN, between, hundredths, rating
from vinci_tournament.results.result import CivilizationResult
from vinci_tournament.stats.standings import figures
from vinci_tournament.stats.values import Estimate, TraitFigures


@cache
def simulated(first: float, blocks: int) -> Report:
    """Simulate a league of four bots, three of them equal."""
    world = World((first, 0.0, 0.0, 0.0), (0.2, 0.0, 0.0, -0.2))
    games = [
        replace(one, civilizations=(CivilizationResult(0, ("MIL", "AST"), 10 + one.rotation),))
        for one in league(world, schedule(world, blocks), np.random.default_rng(3))
    ]
    report = report_leagues.report([name(bot) for bot in range(4)], 1, 4)
    return Report(replace(report.league, blocks=blocks), figures(games, 100), tuple(games))


def figure(root: Element, title: str) -> Element:
    """Return the figure with this title."""
    (element,) = (one for one in root.iter("figure") if one.findtext("h3") == title)
    return element


def test_from_one_block_nothing_is_certain() -> None:
    """Figures from one block have no star, bold type, filled point or interval, but a dash."""
    report = simulated(0.0, 1)
    text, root = terminal(report), parsed(report)
    assert not re.search(r"\d\*", text)
    assert not re.search(r"\d to ", text.partition("STANDINGS")[2])
    assert text.count("\N{EN DASH}") >= 4
    assert "font-weight" not in page(report).partition("</style>")[2]
    assert {one.get("class") for one in root.iter(f"{SVG}circle")} == {"point open"}
    assert not [one for one in root.iter(f"{SVG}path") if one.get("class") == "whisker"]
    assert " to " not in markdown(report).partition("## Standings")[2]


@pytest.mark.parametrize(
    ("low", "high", "shown"), [(-0.4, 0.3, UNKNOWN), (30.6, 31.4, UNKNOWN), (-0.4, 0.6, "0 to +1")]
)
def test_an_interval_is_not_narrower_than_a_digit(low: float, high: float, shown: str) -> None:
    """Two blocks that are nearly equal would otherwise give `0 to 0`."""
    assert between(Estimate((low + high) / 2, low, high), rating) == shown


def test_star_marks_significantly_different_ratings() -> None:
    """Exactly the pairs whose interval of the difference excludes 0 are marked, in both directions."""
    report = simulated(1.0, 20)
    differences = report.figures.standings.differences
    apart = [one for one in differences if one.rating.is_told and not one.rating.low <= 0 <= one.rating.high]
    assert 0 < len(apart) < len(differences)
    table = terminal(report).partition("PAIRS")[2].partition("NEIGHBOURS")[0]
    assert len(re.findall(r"\d\*", table)) == 2 * len(apart)
    heat = figure(parsed(report), "Games ahead")
    assert len([one for one in heat.iter() if one.get("font-weight") == "bold"]) == 2 * len(apart)


def test_bots_that_never_met_are_compared_by_their_ratings() -> None:
    """A pair without a figure is shown as a dot, with a star if the ratings differ significantly."""
    league_report = simulated(1.0, 20)
    standings = league_report.figures.standings
    first = standings.differences[0]
    apart = replace(
        standings,
        pairs=(),
        differences=(replace(first, rating=Estimate(90.0, 10.0, 170.0)), *standings.differences[1:]),
    )
    report = replace(
        league_report, figures=replace(league_report.figures, standings=replace(apart, pairs=standings.pairs[1:]))
    )
    table = terminal(report).partition("PAIRS")[2].partition("NEIGHBOURS")[0]
    assert table.count("·*") == 2
    neighbours = terminal(report).partition("NEIGHBOURS")[2].partition("SEATS")[0]
    assert re.search(r"over 2 +\+90 +\+10 to \+170 +\N{EN DASH} +\N{EN DASH} +\N{EN DASH} +0\n", neighbours)
    rows = [words(one) for one in parsed(report).iter("tr")]
    assert f"{first.bot}{first.other}+90 +10 to +170\N{EN DASH}\N{EN DASH}0" in [row.replace("> ", "") for row in rows]


def test_bound_is_shown_as_a_bound() -> None:
    """A one-sided interval is shown as > and the bound, as an arrow without a point, and as `least` in JSON."""
    report = simulated(60.0, 20)
    best = report.figures.standings.bots[0]
    bound = f"> +{best.rating.low:.0f}"
    text = terminal(report)
    assert re.search(rf"1  bot0 +{re.escape(bound)} +no upper end +[ │]*─+▶\n", text)
    assert "bound" in text.partition("STANDINGS")[0]
    assert bound in words(parsed(report))
    assert f"| {bound} |" in markdown(report)
    chart = figure(parsed(report), "Rating")
    assert len(list(chart.iter(f"{SVG}circle"))) == 3
    data = json.loads(to_json(report))["figures"]["standings"]["bots"][0]["rating"]
    assert data == {
        "value": best.rating.value,
        "low": best.rating.value,
        "high": best.rating.value,
        "least": best.rating.low,
    }
    row = next(csv.DictReader(io.StringIO(csv_standings(report))))
    assert (row["rating_low"], row["rating_least"], row["rating_most"]) == (row["rating"], str(best.rating.low), "")


def test_share_of_100_percent_has_a_lower_bound_only() -> None:
    """The shares of the losers have an upper bound only."""
    report = simulated(60.0, 20)
    assert re.search(r"bot0 +100\.0 % +86 to 100 %", terminal(report))
    assert report.figures.standings.bots[-1].win_share == (0.0, 0.0, round(1 - 0.05 ** (1 / 20), 4))


@pytest.mark.parametrize("share", [0.975, 0.925, 0.5, 0.005, 0.3333])
def test_both_sides_of_a_pair_add_up_to_100(share: float) -> None:
    """Terminal and page show the same figures."""
    assert sum(hundredths(share)) == 100
    report = report_leagues.by_hand()
    standings = report.figures.standings
    pairs = (replace(standings.pairs[0], ahead=Estimate(share, share, share)), *standings.pairs[1:])
    report = replace(report, figures=replace(report.figures, standings=replace(standings, pairs=pairs)))
    first, second = map(str, hundredths(share))
    bots = [one.bot for one in standings.bots]
    one, other = bots.index(pairs[0].bot), bots.index(pairs[0].other)
    table = terminal(report).partition("PAIRS")[2].split("\n")[3:]
    assert (table[one].split()[2 + other].rstrip("*"), table[other].split()[2 + one].rstrip("*")) == (first, second)
    cells = [text.text for text in figure(parsed(report), "Games ahead").iter(f"{SVG}text")]
    assert {first, second} <= set(cells)


def test_best_pairs_of_traits_need_intervals() -> None:
    """A figure from one block is neither among the best nor the worst, however high it is."""
    report = report_leagues.report(("a", "b", "c"), 2)
    alone = TraitFigures(("MIN", "SPI"), 9, Estimate(90.0, 90.0, 90.0))
    report = replace(report, figures=replace(report.figures, trait_pairs=(alone, *report.figures.trait_pairs)))
    for title in ("The best pairs", "The worst pairs"):
        assert "Mines + Spies" not in words(figure(parsed(report), title))


def test_pairs_with_equal_bounds_are_sorted_by_mean() -> None:
    """Among intervals cut at 0, the best pair is that with the highest mean."""
    report = report_leagues.report(("a", "b", "c"), 2)
    pairs = tuple(TraitFigures((code, "SPI"), 9, Estimate(vp, 0.0, 90.0)) for code, vp in (("MIN", 2.0), ("CUR", 9.0)))
    report = replace(report, figures=replace(report.figures, trait_pairs=pairs))
    best = words(figure(parsed(report), "The best pairs"))
    assert best.index("Currency + Spies") < best.index("Mines + Spies")


def test_vp_of_traits_are_not_negative() -> None:
    """The lower bound of what civilizations earned is at least 0."""
    games = [
        replace(one, civilizations=(CivilizationResult(0, ("MIL", "AST"), 40 * (one.block == 1)),))
        for one in simulated(0.0, 3).results
    ]
    (pair,) = figures(games, 100).trait_pairs
    assert (pair.vp.low, pair.vp.value) == (0.0, 13.33)
    assert pair.vp.high > 27


def test_omitted_games_are_reported_with_a_caution() -> None:
    """Omitting games with a forfeit selects by their results, which the report says."""
    report = report_leagues.report(("a", "b", "c"), 3, 3, ((0, 1),))
    for form in (terminal, markdown, page):
        assert "looks better in them than it is" in " ".join(form(report).split())


def test_positions_of_forfeits_are_folded() -> None:
    """On the page a forfeit is one line with its position behind a summary."""
    root = parsed(report_leagues.report(("a", "b", "c"), 3, 3, ((0, 1),)))
    (section,) = (one for one in root.iter("section") if one.get("id") == "forfeits")
    (folded,) = section.iter("details")
    assert report_leagues.POSITION in words(folded)
    assert words(section).count(report_leagues.POSITION) == 1
