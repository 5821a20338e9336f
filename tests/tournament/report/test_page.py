"""The report of a league as a page: well-formed, self-contained, readable without colours, with valid links."""

import base64
import json
import zlib
from collections import Counter
from dataclasses import replace
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from tests.support.tournament import report_leagues
from tests.support.tournament.reports import (
    FORFEITS,
    HOSTILE,
    SVG,
    hostile,
    page,
    parsed,
    small,
    with_line_ups,
    with_mutual_attacks,
    words,
)
from vinci_html.text import printable
from vinci_tournament.play.files import log_file, record_file
from vinci_tournament.report import sections
from vinci_tournament.report.contents import REMOTE
from vinci_tournament.report.sections import FEWEST_PLAYED, MOST_GAMES, MOST_PAIRS
from vinci_tournament.report.writing import FILES


@pytest.mark.parametrize("bots", [2, 6, 20])
def test_page_is_well_formed_and_self_contained(bots: int) -> None:
    """Elements are closed, ids unique, and no script or external file is used."""
    text = page(report_leagues.report([f"bot {place}" for place in range(bots)], 10, max(3, min(bots, 6)), ((1, 1),)))
    root = ElementTree.fromstring(text)
    ids = Counter(one.get("id") for one in root.iter() if one.get("id"))
    assert set(ids.values()) == {1}
    assert {one.tag for one in root.iter()}.isdisjoint({"script", "img", "link", "iframe", "object"})
    assert not any(name.startswith("on") or name in ("src", "style") for one in root.iter() for name in one.attrib)
    assert "@import" not in text
    assert "url(" not in text
    policy = root.find(".//meta[@http-equiv='Content-Security-Policy']")
    assert policy is not None
    assert policy.get("content", "").startswith("default-src 'none'; style-src 'unsafe-inline';")


def test_names_are_escaped() -> None:
    """Names with markup are shown as they are written, escapes written out."""
    root = parsed(hostile())
    shown = words(root)
    for name in HOSTILE:
        assert " ".join(printable(name).split()) in shown
    assert not list(root.iter("script"))


def test_every_link_has_a_target() -> None:
    """Games link to records, forfeits to logs, marks to rows, and other links to files of the report."""
    report = hostile()
    root = parsed(report)
    links = Counter(unquote(one.attrib["href"]) for one in root.iter("a"))
    ids = {one.get("id") for one in root.iter()}
    forfeited = [(game, forfeit.seat) for game in report.games for forfeit in game.forfeits]
    files = {record_file(game.key): 1 for game in report.games}
    for game, seat in forfeited:
        files[record_file(game.key)] += 1
        files[log_file(game, seat)] = 1
    files |= {"report.json": 1, "standings.csv": 1, "games.csv": 1}
    assert {path: count for path, count in links.items() if path[0] != "#"} == files
    anchors = {path[1:] for path in links if path[0] == "#"}
    assert anchors <= ids
    assert {f"forfeit-{game.key}-{seat + 1}" for game, seat in forfeited} <= anchors
    assert len(forfeited) == len(FORFEITS)


@pytest.mark.parametrize("most", [MOST_GAMES, 1])
def test_logs_of_other_machines_are_not_linked(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A remote bot writes where it runs: its forfeits lead to the record alone, in every form, also in a large page."""
    monkeypatch.setattr(sections, "MOST_GAMES", most)
    report = report_leagues.report(("ann", "ben", "cat"), 6, 3, FORFEITS)
    [*_, last] = names = [game.bots[forfeit.seat] for game, forfeit in report.forfeits]
    bots = tuple(replace(bot, command=REMOTE) if bot.name == last else bot for bot in report.league.bots)
    report = replace(report, league=replace(report.league, bots=bots))
    for form in ("report.txt", "report.md", "report.html"):
        logs = [log_file(game, forfeit.seat) for game, forfeit in report.forfeits]
        assert [log in FILES[form](report) for log in logs] == [name != last for name in names], form
    if most == 1:
        (packed,) = (one.text or "" for one in parsed(report).iter("script") if one.get("id") == "packed")
        data = json.loads(zlib.decompress(base64.b64decode(packed)))
        assert data["files"] == ["" if bot == last else bot for bot in data["bots"]]


def test_linked_files_are_in_the_folder() -> None:
    """Whatever the name of a bot, its log is a file in `games`."""
    for game in hostile().games:
        for seat in range(3):
            folder, name = log_file(game, seat).split("/")
            assert folder == "games"
            assert name.startswith(f"{game.key}.{seat + 1}.")
            assert name.isascii()


def test_charts_have_labels_and_explanations() -> None:
    """Every chart has an accessible label, a title and a sentence; those with intervals explain them."""
    root = parsed(small())
    figures = list(root.iter("figure"))
    assert len(figures) == 10
    for figure in figures:
        (chart,) = figure.iter(f"{SVG}svg")
        assert chart.get("role") == "img"
        assert chart.get("aria-label")
        (caption,) = (words(one) for one in figure.iter("figcaption"))
        assert len(caption) > 40
        assert ("95 %" in caption) == bool([*chart.iter(f"{SVG}circle")] or "Bold" in caption)


def test_colours_are_explained_by_titles() -> None:
    """Everything with a meaningful colour has a title with the figure."""
    root = parsed(hostile())
    for group in root.iter(f"{SVG}g"):
        title = group.find(f"{SVG}title")
        assert title is not None
        assert any(letter.isdigit() for letter in title.text or "")
    coloured = [
        one
        for group in root.iter(f"{SVG}g")
        for one in group
        if one.get("class", "").startswith(("part", "more", "less", "point"))
    ]
    drawn = [one for one in root.iter() if one.tag in (f"{SVG}rect", f"{SVG}circle")]
    legend = 3
    assert len(drawn) == len(coloured) + legend


def test_both_sides_of_a_pair_add_up() -> None:
    """The two sides of a pair add up to 100 %: 42 and 58 of 100 games."""
    figures = {words(one.find("h3")): one for one in parsed(small()).iter("figure")}  # type: ignore[arg-type]
    groups = figures["Games ahead"].iter(f"{SVG}g")
    cells = [words(one) for group in groups for one in group.iter(f"{SVG}text")]
    assert cells == ["50", "42", "50", "50", "58", "50"]


def test_sections_of_the_page() -> None:
    """A full league has all sections in order; a section without content is left out."""
    full = parsed(with_mutual_attacks(with_line_ups(small())))
    assert [one.get("id") for one in full.iter("section")] == [
        *("standings", "tables", "line_ups", "pairs", "seats", "attacks", "mutual_attacks"),
        *("traits", "bots", "forfeits", "games"),
    ]
    bare = replace(small().figures, attacks=(), traits=())
    clean = tuple(replace(result, forfeits=()) for result in small().results)
    left = [one.get("id") for one in parsed(replace(small(), figures=bare, results=clean)).iter("section")]
    assert left == ["standings", "pairs", "seats", "bots", "games"]


def test_best_and_worst_pairs_of_traits() -> None:
    """Pairs are chosen by the near end of their interval, none is in both charts, and rare pairs are left out."""
    report = report_leagues.report(("a", "b", "c"), 2)
    few = replace(report, figures=replace(report.figures, trait_pairs=report.figures.trait_pairs[-MOST_PAIRS - 2 :]))
    titles = [
        title.text for one in parsed(few).iter("figure") if "pairs" in words(one) for title in one.iter(f"{SVG}title")
    ]
    assert len(titles) == len(set(titles)) == MOST_PAIRS + 2
    figures = {words(one.find("h3")): one for one in parsed(report).iter("figure")}  # type: ignore[arg-type]
    best, worst = (
        [title.text or "" for title in figures[f"The {kind} pairs"].iter(f"{SVG}title")] for kind in ("best", "worst")
    )
    assert len(best) == len(worst) == MOST_PAIRS
    assert not set(best) & set(worst)
    played = [int(title.split(", ")[-1].split()[0]) for title in best + worst]
    assert min(played) >= FEWEST_PLAYED
    assert max(played) == 20
    assert played[0] == 20
