"""The report of a league: equal results give equal text in every form, and names are escaped."""

import csv
import io
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import fields, replace
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest

from tests.support.cli_runner import is_kept
from tests.support.tournament import report_leagues
from tests.support.tournament.reports import FORFEITS, HOSTILE, hostile, markdown, small, terminal, with_mutual_attacks
from vinci_html.text import printable, terminal_width
from vinci_tournament.report.contents import Outcome, Report, VerdictSection
from vinci_tournament.report.data import csv_games, csv_standings, junit, to_json
from vinci_tournament.report.wording import outcome, signed
from vinci_tournament.report.writing import FILES, write
from vinci_tournament.results.result import Result
from vinci_tournament.stats.values import DifferenceFigures, Estimate

KINDS: Final = {
    "T": {"text", "table", "items", "bars", "matrix", "lines"},
    "S": {"text", "table", "items", "bars", "matrix", "lines"},
    "M": {"text", "table", "items"},
    "P": {"text", "table", "folded", "items", "chart", "wide", "template"},
    "N": {"text"},
}
"""Kinds of blocks that a form shows."""
FORMS: Final = pytest.mark.parametrize("form", FILES.values(), ids=list(FILES))


@pytest.mark.parametrize("name", FILES)
def test_reports_match_their_golden_files(name: str) -> None:
    """Each form of the report of a small league matches its file in tests/data."""
    is_kept(f"league/{name}", FILES[name](small()))


@pytest.mark.parametrize("layout", ["report/league.csv", "balance/study.csv"])
def test_every_form_shows_the_kinds_of_its_blocks(layout: str) -> None:
    """A layout names only kinds that all forms of the line know; a template of the page exists."""
    package = files("vinci_tournament")
    lines = list(csv.DictReader(package.joinpath(layout).read_text(encoding="utf-8").splitlines()))
    assert lines
    for line in lines:
        assert line["on"], line
        assert line["kind"] == "section" or all(line["kind"] in KINDS[form] for form in line["on"]), line
        assert line["kind"] != "template" or package.joinpath("report", "templates", line["title"]).is_file(), line


@FORMS
def test_report_does_not_depend_on_the_order_of_results(form: Callable[[Report], str]) -> None:
    """Results, options and civilizations in any order give the same report, byte for byte."""
    first = report_leagues.report(("greedy", "random", "dummy", "other"), 6, 4, FORFEITS)
    results = list(first.results)
    random.Random(3).shuffle(results)
    options = {"max_rounds": 9, "target": 12}
    one = replace(first, league=replace(first.league, options=options))
    backwards = dict(reversed(options.items()))
    other = Report(replace(first.league, options=backwards), report_leagues.figures(results), tuple(results))
    assert results != list(first.results)
    assert form(one) == form(other)


def test_report_does_not_depend_on_hash_seed_or_locale(tmp_path: Path) -> None:
    """Processes with other hash seeds, locales and time zones write equal files."""
    script = (
        "import sys; from pathlib import Path; from tests.support.tournament import report_leagues; "
        "from vinci_tournament.report.writing import write; "
        "write(report_leagues.report(('a', 'b', 'ä', 'd'), 3, 4, ((1, 1),)), Path(sys.argv[1]))"
    )
    for seed, locale, zone in (("1", "C", "UTC"), ("2", "tr_TR.UTF-8", "Asia/Tokyo")):
        environment = {"PYTHONHASHSEED": seed, "LC_ALL": locale, "TZ": zone, "PYTHONPATH": os.pathsep.join(sys.path)}
        subprocess.run(
            [sys.executable, "-c", script, tmp_path / seed], check=True, env=os.environ | environment, timeout=60
        )
    for name in ("report.txt", "report.json", "report.html", "report.md", "standings.csv", "games.csv"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()


@pytest.mark.parametrize("width", [72, 80, 132])
@pytest.mark.parametrize("bots", [2, 6, 20])
def test_lines_fit_the_terminal(bots: int, width: int) -> None:
    """No line is wider than the terminal, however long and wide the names are."""
    names = [f"{place} {HOSTILE[place % len(HOSTILE)]}"[:32] for place in range(bots)]
    gate = VerdictSection(" ".join(names), "inconclusive", "猫" * 200)
    report = report_leagues.report(names, 6, 3, ((0, 1),), (gate,))
    text = terminal(report, width)
    assert max(terminal_width(line) for line in text.splitlines()) <= width
    assert all(line == line.rstrip() for line in text.splitlines())


def test_lines_break_between_words() -> None:
    """Lines break only between words, for characters of any width."""
    gate = VerdictSection("wide", "inconclusive", " ".join(["猫の手も借"] * 30))
    text = terminal(report_leagues.by_hand(gate))
    assert re.findall("[^\\x00-\\xff✓✗─●┼│…]+", text.partition("STANDINGS")[0]) == ["猫の手も借"] * 30


def test_terminal_report_has_bots_pairs_seats_and_forfeits() -> None:
    """Bots, pairs and seats have their figures with intervals, each forfeit its files."""
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


def test_report_without_forfeits_has_one_table_of_standings() -> None:
    """Every form has a single table of standings if nobody forfeited."""
    report = report_leagues.report(("a", "b", "c"), 3)
    report = replace(report, figures=replace(report.figures, without_forfeits=report.figures.standings))
    assert report.adjusted is None
    assert "WITHOUT GAMES" not in terminal(report)
    assert "forfeit" not in markdown(report)
    assert {row["forfeits_count"] for row in csv.DictReader(io.StringIO(csv_standings(report)))} == {"last"}


def test_interval_as_text() -> None:
    """The line goes from low to high with a point at the value, and a cross at 0."""
    lines = terminal(small()).splitlines()
    pictures = [line for line in lines if re.match(r" *\d  (greedy|random|dummy).*●", line)]
    assert pictures
    for line in pictures:
        low, high = (int(text) for text in re.findall(r"([+-]?\d+) to ([+-]?\d+)", line)[0])
        drawn = line[line.rindex(f"to {signed(high)}") + len(f"to {signed(high)}") :]
        assert ("┼" in drawn or "│" not in drawn) == (low <= 0 <= high)


def test_json_report_is_complete() -> None:
    """Games are the results field by field, figures those given; all options, bots and conditions are there."""
    content = json.loads(to_json(hostile()))
    for expected, game in zip(content["games"], hostile().games, strict=True):
        assert expected.keys() == {one.name for one in fields(Result)} - {"conditions"}
        assert (expected["bots"], expected["vp"], expected["hash"]) == (list(game.bots), list(game.vp), game.hash)
        assert expected["forfeits"] == [forfeit._asdict() for forfeit in game.forfeits]
        assert [tuple(one["traits"]) for one in expected["civilizations"]] == [one.traits for one in game.civilizations]
    first, one = content["figures"]["standings"]["bots"][0], hostile().figures.standings.bots[0]
    assert first["bot"] == one.bot
    assert first["rating"] == one.rating._asdict()
    assert [bot["name"] for bot in content["league"]["bots"]] == list(HOSTILE)
    assert content["league"]["options"] == {"target": 12}
    assert content["league"]["conditions"] == hostile().league.conditions.stored()
    assert {gate["outcome"] for gate in content["league"]["gates"]} == {"pass", "fail", "inconclusive"}
    ranks = content["rank_counts"]
    assert {bot: sum(counts) for bot, counts in ranks.items()} == {
        one.bot: one.games for one in hostile().figures.standings.bots
    }


def test_bots_that_left_are_marked() -> None:
    """In every form with standings but CSV, whose names programs read; JSON lists them."""
    report = replace(small(), league=replace(small().league, left=("dummy",)))
    for form in ("report.txt", "report.html", "report.md"):
        assert FILES[form](report).count("dummy (left)") >= 1, form
        assert "(left)" not in FILES[form](small()), form
    assert json.loads(to_json(report))["league"]["left"] == ["dummy"]
    assert "left" not in json.loads(to_json(small()))["league"]
    assert csv_standings(report) == csv_standings(small())


def test_csv_of_standings_round_trip() -> None:
    """Names and figures of both standings are read back unchanged, whatever a name contains."""
    report = hostile()
    rows = list(csv.DictReader(io.StringIO(csv_standings(report))))
    assert report.figures.without_forfeits is not None
    both = [*report.figures.standings.bots, *report.figures.without_forfeits.bots]
    assert [row["bot"] for row in rows] == [one.bot for one in both]
    assert [float(row["rating_low"]) for row in rows] == [one.rating.low for one in both]
    assert [float(row["margin"]) for row in rows] == [one.margin.value for one in both]
    assert [row["forfeits_count"] for row in rows] == ["last"] * 6 + ["out"] * 6


def test_csv_of_games_round_trip() -> None:
    """There is a row for each seat of each game, with its forfeit."""
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
def test_junit_has_the_outcome_of_the_gate(outcome: Outcome, element: str) -> None:
    """One testsuite has one testcase, with counts, element and reason of the outcome."""
    gate = VerdictSection("new against <old>", outcome, 'because "of" <it>')
    suite = ElementTree.fromstring(junit(report_leagues.by_hand(gate)))
    assert suite.tag == "testsuite"
    counts = [int(suite.attrib[name]) for name in ("tests", "failures", "skipped", "errors")]
    assert counts == [1, outcome == "fail", outcome == "inconclusive", 0]
    (case,) = suite
    assert case.get("name") == "new against <old>"
    (output,) = case
    assert output.tag == element
    assert 'because "of" <it>' in (output.get("message"), output.text)


def test_junit_escapes_names() -> None:
    """Characters that XML does not allow are written out."""
    suite = ElementTree.fromstring(junit(hostile()))
    assert [case.get("name") for case in suite] == [printable(name) for name in HOSTILE[:3]]


@pytest.mark.parametrize("form", [terminal, markdown, FILES["report.html"], junit, to_json])
def test_reports_have_no_control_characters(form: Callable[[Report], str]) -> None:
    """Reports have line feeds but no other control characters, bidirectional marks or lone surrogates."""
    assert all(letter == "\n" or letter.isprintable() for letter in form(hostile()))


def test_names_do_not_break_markdown_tables() -> None:
    """Each row has the cells of its head and no tags but those of the report."""
    text = markdown(hostile())
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 2 * (2 + 6) + (2 + 2) + 2 * (2 + 5) + (2 + 3) + (2 + 2)
    assert {row.count("|") for row in rows} == {9, 8, 7, 5, 4}
    assert set(re.findall(r"<[^>]*>", text)) == {"<code>", "</code>"}
    assert "](" not in text
    assert "://" not in text


def test_forfeits_are_counted_by_bot_and_reason() -> None:
    """Every form has a table of the bots that forfeited, with their reasons."""
    report = report_leagues.report(("a", "b", "c"), 4, 3, [(0, 0), (1, 0), (2, 1)])
    counts = Counter(game.bots[forfeit.seat] for game, forfeit in report.forfeits)
    rows = re.findall(r"^\| <code>(\w)</code> \| (\d+) \| \d+ \| (\d+ \w+) \|$", markdown(report), re.MULTILINE)
    assert {bot: int(number) for bot, number, _reasons in rows} == counts
    assert "reasons" in terminal(report)


@pytest.mark.parametrize(
    ("rating", "said"),
    [
        ({"a": 100.0, "b": 0.0, "c": -100.0}, "a is stronger than each of the others, with a certainty of 95 % for"),
        ({"a": 1.0, "b": 0.0, "c": -100.0}, "a leads, and is stronger than 1 of 2 others; but these games do not tell"),
        (
            {"a": 1.0, "b": 0.5, "c": 0.0},
            "a leads, but these games do not tell for certain (95 %) that it is stronger than b, c.",
        ),
    ],
)
def test_result_is_said_with_its_certainty(rating: dict[str, float], said: str) -> None:
    """The first sentence names who leads, and whether the intervals of the differences leave a doubt."""
    report = report_leagues.report(("a", "b", "c"), 4, 3)
    standings = report.figures.standings
    bots = tuple(sorted(standings.bots, key=lambda bot: -rating[bot.bot]))
    differences = tuple(
        DifferenceFigures(
            one.bot, other.bot, Estimate(value := rating[one.bot] - rating[other.bot], value - 50, value + 50)
        )
        for one, other in combinations(bots, 2)
    )
    figures = replace(report.figures, standings=replace(standings, bots=bots, differences=differences))
    assert outcome(replace(report, figures=figures)).startswith(said)


def test_further_forfeits_are_counted() -> None:
    """Terminal and Markdown list the first forfeits and count the rest."""
    report = report_leagues.report(("a", "b", "c"), 10, 3, [(place, 0) for place in range(25)])
    assert "22 more: see games.csv" in terminal(report)
    assert "5 more: see games.csv" in markdown(report)


def test_unfinished_league_is_marked() -> None:
    """Missing games, an early stop and results of bot checks are described."""
    played = replace(small().league, complete=False, stopped="Stopped after 2 blocks.")
    noted = replace(
        played, bots=(replace(played.bots[0], note="plays differently from the same seed."), *played.bots[1:])
    )
    report = replace(small(), league=noted)
    for form in (terminal, markdown, FILES["report.html"]):
        text = " ".join(form(report).split())
        assert "Games are missing" in text
        assert "Stopped after 2 blocks." in text
        assert f"{noted.bots[0].name}: plays differently from the same seed." in text


@pytest.mark.parametrize(
    ("blocks", "warning"), [(1, "so one block gives none"), (9, "from 9 blocks they are unreliable"), (10, "")]
)
def test_few_blocks_give_a_warning(blocks: int, warning: str) -> None:
    """Intervals from fewer than ten blocks are called unreliable; one block gives none."""
    text = " ".join(terminal(report_leagues.report(("a", "b", "c"), blocks)).split())
    assert warning in text
    assert ("Intervals are estimated from the differences" in text) == bool(warning)


@pytest.mark.parametrize("outcome", ["pass", "fail", "inconclusive"])
def test_outcome_of_the_gate_comes_first(outcome: Outcome) -> None:
    """The outcome is a word with a sign, before question and reason, in every form for people."""
    report = report_leagues.by_hand(VerdictSection("new against base", outcome, "It is so."))
    for form in (terminal, markdown, FILES["report.html"]):
        text = re.sub(r"<[^>]*>|\*", "", form(report))
        assert re.search(rf"[✓✗?] {outcome}:? new against base\. It is so\.", text)


@FORMS
def test_report_of_a_league_without_games(form: Callable[[Report], str]) -> None:
    """A report can be made before the first game."""
    text = form(report_leagues.empty())
    assert ("Spring league" in text) == (form not in (csv_standings, csv_games, junit))


def test_files_are_written_completely(tmp_path: Path) -> None:
    """Writing, also repeated, leaves exactly the files of all forms in the folder, with lone surrogates escaped."""
    for _ in range(2):
        write(hostile(), tmp_path)
        assert {path.name for path in tmp_path.iterdir()} == set(FILES)
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == FILES["report.html"](hostile())
    assert b"\\ud800" in (tmp_path / "standings.csv").read_bytes()
    write(report_leagues.report(("a", "b", "c"), 1), tmp_path / "plain")
    assert not (tmp_path / "plain" / "junit.xml").exists()


def test_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old report stays if writing a new one fails halfway."""
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
def test_zero_has_no_sign(value: float, digits: int, text: str) -> None:
    """Values that round to zero have no sign."""
    assert signed(value, digits) == text


def test_very_large_variance_reduction_is_a_lower_bound() -> None:
    """A very large variance reduction is shown as a lower bound."""
    report = small()
    for factor, expected in ((1.86, "about 1.9 times as many"), (278907.4, "more than 100 times as many")):
        figures = replace(report.figures, variance_reduction=factor)
        assert expected in " ".join(terminal(replace(report, figures=figures)).split())


@pytest.mark.parametrize(
    ("factor", "expected"), [(0.8, "Blocks increase the variance"), (1.04, ""), (1.2, "Blocks reduce the variance")]
)
def test_variance_reduction_is_described(factor: float, expected: str) -> None:
    """A value below 1 is described as a loss, one of about 1 not at all."""
    text = terminal(replace(small(), figures=replace(small().figures, variance_reduction=factor)))
    assert expected in text
    assert ("times as many" in " ".join(text.split())) == bool(expected)


def test_report_of_an_earlier_version_is_renewed(tmp_path: Path) -> None:
    """JSON with a value in each line, as it was, has the same contents; `write` replaces it and leaves what is the same."""
    report = small()
    write(report, tmp_path)
    new = (tmp_path / "report.json").read_text(encoding="utf-8")
    old = json.dumps(json.loads(new), indent=1) + "\n"
    assert old != new
    (tmp_path / "report.json").write_text(old, encoding="utf-8")
    for path in tmp_path.iterdir():
        os.utime(path, ns=(10**9, 10**9))
    write(report, tmp_path)
    assert (tmp_path / "report.json").read_text(encoding="utf-8") == new
    assert {path.name for path in tmp_path.iterdir() if path.stat().st_mtime_ns != 10**9} == {"report.json"}


def test_mutual_attacks_in_every_form() -> None:
    """A pair that is flagged is described in a note, marked in each table and in JSON; others are not."""
    report = with_mutual_attacks(report_leagues.report(tuple("abcdefg"), 12))
    pair = report.figures.mutual_attacks[0]
    note = (
        f"{pair.bot} and {pair.other} attack each other 0.41 (0.30 to 0.55) times as often as others: {pair.bot} "
        f"attacks {pair.other} 0.39 (0.30 to 0.55) times as often, {pair.other} attacks {pair.bot} 0.43"
    )
    words = " ".join(terminal(report).split())
    assert note in words
    assert words.count("flagged") == markdown(report).count("| flagged |") == 1
    assert note in FILES["report.html"](report)
    assert FILES["report.html"](report).count("<strong>flagged</strong>") == 1
    written = json.loads(to_json(report))["figures"]["mutual_attacks"]
    assert [one["is_flagged"] for one in written] == [True] + [False] * 20
    assert written[0]["mutual"] == {"value": 0.41, "low": 0.3, "high": 0.55}
    shown = terminal(report).split("MUTUAL ATTACKS")[1].split("\n\n")[1].splitlines()
    assert len(shown) == 1 + 5


def test_report_without_mutual_attacks_has_no_section_for_them() -> None:
    """A league of few bots or blocks has no table, no note, and no key in JSON."""
    report = small()
    assert not report.figures.mutual_attacks
    assert "mutual_attacks" not in json.loads(to_json(report))["figures"]
    assert not any("utual" in form(report) for name, form in FILES.items() if name != "report.json")
