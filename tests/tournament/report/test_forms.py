"""The report of a league: the same results give the same text in every form, and nothing in a name gets out of it."""

import csv
import io
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest
from prompt_toolkit.utils import get_cwidth

from tests.support.cli_runner import is_kept
from tests.support.tournament import report_leagues
from tests.support.tournament.reports import FORFEITS, HOSTILE, hostile, small
from vinci_html.text import printable
from vinci_tournament.report.contents import Outcome, Report, VerdictSection
from vinci_tournament.report.data import csv_games, csv_standings, to_json
from vinci_tournament.report.junit import junit
from vinci_tournament.report.markdown import markdown
from vinci_tournament.report.terminal import terminal
from vinci_tournament.report.wording import signed
from vinci_tournament.report.writing import FILES, write
from vinci_tournament.results.result import Result

FORMS: Final = pytest.mark.parametrize("form", FILES.values(), ids=list(FILES))


@pytest.mark.parametrize("name", FILES)
def test_reports_are_kept(name: str) -> None:
    """Each form of the report of a small league is the one in tests/data."""
    is_kept(f"league/{name}", FILES[name](small()))


@FORMS
def test_the_order_of_results_does_not_matter(form: Callable[[Report], str]) -> None:
    """Results, options and civilizations come in any order; the report is the same, byte for byte."""
    first = report_leagues.report(("greedy", "random", "dummy", "other"), 6, 4, FORFEITS)
    results = list(first.results)
    random.Random(3).shuffle(results)
    options = {"max_rounds": 9, "target": 12}
    one = replace(first, league=replace(first.league, options=options))
    backwards = dict(reversed(options.items()))
    other = Report(replace(first.league, options=backwards), report_leagues.figures(results), tuple(results))
    assert results != list(first.results)
    assert form(one) == form(other)


def test_neither_hashes_nor_locale_matter(tmp_path: Path) -> None:
    """Processes with other seeds of `hash`, locale and time zone write the same files."""
    script = (
        "import sys; from pathlib import Path; from tests.support.tournament import report_leagues; "
        "from vinci_tournament.report.writing import write; "
        "write(report_leagues.report(('a', 'b', 'ä', 'd'), 3, 4, ((1, 1),)), Path(sys.argv[1]))"
    )
    for seed, locale, zone in (("1", "C", "UTC"), ("2", "tr_TR.UTF-8", "Asia/Tokyo")):
        told = {"PYTHONHASHSEED": seed, "LC_ALL": locale, "TZ": zone, "PYTHONPATH": os.pathsep.join(sys.path)}
        subprocess.run([sys.executable, "-c", script, tmp_path / seed], check=True, env=os.environ | told, timeout=60)
    for name in ("report.txt", "report.json", "report.html", "report.md", "standings.csv", "games.csv"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()


@pytest.mark.parametrize("width", [72, 80, 132])
@pytest.mark.parametrize("bots", [2, 6, 20])
def test_lines_fit_the_terminal(bots: int, width: int) -> None:
    """No line is wider than the terminal, however long and wide the names are."""
    names = [f"{place} {HOSTILE[place % len(HOSTILE)]}"[:32] for place in range(bots)]
    gate = VerdictSection(" ".join(names), "inconclusive", "猫" * 200)
    found = report_leagues.report(names, 6, 3, ((0, 1),), (gate,))
    text = terminal(found, width)
    assert max(get_cwidth(line) for line in text.splitlines()) <= width
    assert all(line == line.rstrip() for line in text.splitlines())


def test_words_are_not_parted() -> None:
    """Check that lines break only between words, in characters of any width."""
    gate = VerdictSection("wide", "inconclusive", " ".join(["猫の手も借"] * 30))
    text = terminal(report_leagues.by_hand(gate))
    assert re.findall("[^\\x00-\\xff✓✗─●┼│…]+", text.partition("STANDINGS")[0]) == ["猫の手も借"] * 30


def test_bots_and_seats_are_in_the_terminal() -> None:
    """Each bot stands there with its rating and interval, each pair and seat with theirs, each forfeit with its files."""
    text = terminal(small())
    for one in small().figures.standings.bots:
        assert re.search(
            rf"{one.bot} +{re.escape(signed(one.rating.value))} +{re.escape(signed(one.rating.low))} to", text
        )
    assert "seat 3, " in text
    assert " 1  greedy   ·   50   42" in text
    assert " 3  dummy   58   50    ·" in text
    assert "games/1-1.jsonl  games/1-1.3.greedy.log" in text
    assert "2.4 times as" in text
    assert "STANDINGS WITHOUT GAMES WITH A FORFEIT" in text


def test_without_forfeits_the_standings_come_once() -> None:
    """Check that every form has a single table of standings if nobody forfeited."""
    found = report_leagues.report(("a", "b", "c"), 3)
    found = replace(found, figures=replace(found.figures, without_forfeits=found.figures.standings))
    assert found.adjusted is None
    assert "WITHOUT GAMES" not in terminal(found)
    assert "forfeit" not in markdown(found)
    assert {row["forfeits_count"] for row in csv.DictReader(io.StringIO(csv_standings(found)))} == {"last"}


def test_a_picture_of_an_interval() -> None:
    """The line goes from low to high with a point at the value; where it crosses 0 there is a cross."""
    lines = terminal(small()).splitlines()
    pictures = [line for line in lines if re.match(r" *\d  (greedy|random|dummy).*●", line)]
    assert pictures
    for line in pictures:
        low, high = (int(text) for text in re.findall(r"([+-]?\d+) to ([+-]?\d+)", line)[0])
        drawn = line[line.rindex(f"to {signed(high)}") + len(f"to {signed(high)}") :]
        assert ("┼" in drawn or "│" not in drawn) == (low <= 0 <= high)


def test_json_has_all_of_it() -> None:
    """Games are the results field by field, figures are those given, and every option and bot is there."""
    content = json.loads(to_json(hostile()))
    for told, game in zip(content["games"], hostile().games, strict=True):
        assert told.keys() == {one.name for one in fields(Result)}
        assert (told["bots"], told["vp"], told["hash"]) == (list(game.bots), list(game.vp), game.hash)
        assert told["forfeits"] == [forfeit._asdict() for forfeit in game.forfeits]
        assert [tuple(one["traits"]) for one in told["civilizations"]] == [one.traits for one in game.civilizations]
    first, one = content["figures"]["standings"]["bots"][0], hostile().figures.standings.bots[0]
    assert first["bot"] == one.bot
    assert first["rating"] == one.rating._asdict()
    assert [bot["name"] for bot in content["league"]["bots"]] == list(HOSTILE)
    assert content["league"]["options"] == {"target": 12}
    assert {gate["outcome"] for gate in content["league"]["gates"]} == {"pass", "fail", "inconclusive"}
    ranks = content["rank_counts"]
    assert {bot: sum(counts) for bot, counts in ranks.items()} == {
        one.bot: one.games for one in hostile().figures.standings.bots
    }


def test_csv_of_standings_reads_back() -> None:
    """Names and figures of both standings are what they were, whatever is in a name."""
    found = hostile()
    rows = list(csv.DictReader(io.StringIO(csv_standings(found))))
    assert found.figures.without_forfeits is not None
    both = [*found.figures.standings.bots, *found.figures.without_forfeits.bots]
    assert [row["bot"] for row in rows] == [one.bot for one in both]
    assert [float(row["rating_low"]) for row in rows] == [one.rating.low for one in both]
    assert [float(row["margin"]) for row in rows] == [one.margin.value for one in both]
    assert [row["forfeits_count"] for row in rows] == ["last"] * 6 + ["out"] * 6


def test_csv_of_games_reads_back() -> None:
    """A row for each seat of each game, with the forfeit where there was one."""
    rows = list(csv.DictReader(io.StringIO(csv_games(hostile()))))
    seats = [(game, seat) for game in hostile().games for seat in range(3)]
    keys = [(f"{block}-{rotation}", seat) for block in range(12) for rotation in range(3) for seat in (1, 2, 3)]
    assert [(row["game"], int(row["seat"])) for row in rows] == keys
    assert [row["bot"] for row in rows] == [game.bots[seat] for game, seat in seats]
    assert [int(row["vp"]) for row in rows] == [game.vp[seat] for game, seat in seats]
    forfeits = [(row["game"], row["seat"], row["forfeit_position"]) for row in rows if row["forfeit"]]
    assert forfeits == [
        ("0-0", "2", report_leagues.POSITION),
        ("1-1", "3", report_leagues.POSITION),
        ("2-1", "1", report_leagues.POSITION),
    ]


@pytest.mark.parametrize(
    ("outcome", "element"), [("pass", "system-out"), ("fail", "failure"), ("inconclusive", "skipped")]
)
def test_junit_tells_what_the_gate_said(outcome: Outcome, element: str) -> None:
    """One testsuite with a testcase; counts and element are those of the outcome, with the reason."""
    gate = VerdictSection("new against <old>", outcome, 'because "of" <it>')
    suite = ElementTree.fromstring(junit(report_leagues.by_hand(gate)))
    assert suite.tag == "testsuite"
    counts = [int(suite.attrib[name]) for name in ("tests", "failures", "skipped", "errors")]
    assert counts == [1, outcome == "fail", outcome == "inconclusive", 0]
    (case,) = suite
    assert case.get("name") == "new against <old>"
    (said,) = case
    assert said.tag == element
    assert 'because "of" <it>' in (said.get("message"), said.text)


def test_junit_holds_any_name() -> None:
    """Characters that XML does not know are written out."""
    suite = ElementTree.fromstring(junit(hostile()))
    assert [case.get("name") for case in suite] == [printable(name) for name in HOSTILE[:3]]


@pytest.mark.parametrize("form", [terminal, markdown, FILES["report.html"], junit, to_json])
def test_nothing_is_there_to_be_obeyed(form: Callable[[Report], str]) -> None:
    """No control character but the end of a line, nothing that turns text around, no half of a character."""
    assert all(letter == "\n" or letter.isprintable() for letter in form(hostile()))


def test_markdown_stays_a_table() -> None:
    """Names part no cell and open no element: each row has the bars of its head and no tag but those of the report."""
    text = markdown(hostile())
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 2 * (2 + 6) + 2 + 3
    assert {row.count("|") for row in rows} == {9, 4}
    assert set(re.findall(r"<[^>]*>", text)) == {"<code>", "</code>"}
    assert "](" not in text
    assert "://" not in text


def test_forfeits_beyond_the_first_are_counted() -> None:
    """Terminal and Markdown list so many; the others are a number."""
    found = report_leagues.report(("a", "b", "c"), 10, 3, [(place, 0) for place in range(25)])
    assert "22 more: see games.csv" in terminal(found)
    assert "5 more: see games.csv" in markdown(found)


def test_an_unfinished_league_says_so() -> None:
    """Games missing, a rule that ended it and what checking a bot found are told in words."""
    played = replace(small().league, complete=False, stopped="Stopped after 2 blocks.")
    noted = replace(
        played, bots=(replace(played.bots[0], note="plays differently from the same seed."), *played.bots[1:])
    )
    found = replace(small(), league=noted)
    for form in (terminal, markdown, FILES["report.html"]):
        text = " ".join(form(found).split())
        assert "Games are missing" in text
        assert "Stopped after 2 blocks." in text
        assert f"{noted.bots[0].name}: plays differently from the same seed." in text


@pytest.mark.parametrize(
    ("blocks", "warning"), [(1, "so one block gives none"), (9, "from 9 blocks they are unreliable"), (10, "")]
)
def test_few_blocks_come_with_a_warning(blocks: int, warning: str) -> None:
    """Intervals from less than ten blocks are called unreliable; from one block there are none."""
    text = " ".join(terminal(report_leagues.report(("a", "b", "c"), blocks)).split())
    assert warning in text
    assert ("Intervals are estimated from the differences" in text) == bool(warning)


@pytest.mark.parametrize("outcome", ["pass", "fail", "inconclusive"])
def test_people_see_what_the_gate_said(outcome: Outcome) -> None:
    """The outcome is a word with a sign, before the question and the reason, wherever people read."""
    found = report_leagues.by_hand(VerdictSection("new against base", outcome, "It is so."))
    for form in (terminal, markdown, FILES["report.html"]):
        text = re.sub(r"<[^>]*>|\*", "", form(found))
        assert re.search(rf"[✓✗?] {outcome}:? new against base\. It is so\.", text)


@FORMS
def test_a_league_without_games(form: Callable[[Report], str]) -> None:
    """Before the first game there is a report, too."""
    text = form(report_leagues.empty())
    assert ("Spring league" in text) == (form not in (csv_standings, csv_games, junit))


def test_files_are_written_whole(tmp_path: Path) -> None:
    """All forms lie in the folder as they are, half characters written out, and nothing else; a second time, too."""
    for _ in range(2):
        write(hostile(), tmp_path)
        assert {path.name for path in tmp_path.iterdir()} == set(FILES)
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == FILES["report.html"](hostile())
    assert b"\\ud800" in (tmp_path / "standings.csv").read_bytes()
    write(report_leagues.report(("a", "b", "c"), 1), tmp_path / "plain")
    assert not (tmp_path / "plain" / "junit.xml").exists()


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that the old report stays if writing a new one fails halfway."""
    write(small(), tmp_path)
    before = (tmp_path / "report.json").read_bytes()
    monkeypatch.setattr(Path, "replace", _full)
    with pytest.raises(OSError, match="full"):
        write(hostile(), tmp_path)
    assert (tmp_path / "report.json").read_bytes() == before


def _full(path: Path, target: Path) -> Path:
    raise OSError("full")


@pytest.mark.parametrize(
    ("value", "digits", "text"), [(-0.4, 0, "0"), (0.04, 1, "0.0"), (-1.25, 1, "-1.2"), (3, 0, "+3")]
)
def test_signs(value: float, digits: int, text: str) -> None:
    """Check that values that round to zero have no sign."""
    assert signed(value, digits) == text


def test_a_variance_reduction_without_end_has_an_end() -> None:
    """Check that a very large variance reduction is shown as a lower bound."""
    found = small()
    for factor, told in ((1.86, "about 1.9 times as many"), (278907.4, "more than 100 times as many")):
        figures = replace(found.figures, variance_reduction=factor)
        assert told in " ".join(terminal(replace(found, figures=figures)).split())


@pytest.mark.parametrize(
    ("factor", "told"), [(0.8, "Blocks increase the variance"), (1.04, ""), (1.2, "Blocks reduce the variance")]
)
def test_a_variance_reduction_is_told_for_what_it_is(factor: float, told: str) -> None:
    """One below 1 is no praise, and one of about 1 says nothing."""
    text = terminal(replace(small(), figures=replace(small().figures, variance_reduction=factor)))
    assert told in text
    assert ("times as many" in " ".join(text.split())) == bool(told)
