"""Charts are drawn to scale, and their texts are escaped."""

import re
from itertools import pairwise
from typing import Final
from xml.etree import ElementTree

import pytest

from vinci_html import charts
from vinci_html.charts import Cell, Dot, Interval, Line
from vinci_html.text import tick_step

SVG: Final = "{http://www.w3.org/2000/svg}"
NUMBER: Final = "{:.0f}".format
HOSTILE: Final = "<script>\"'&\u202e\x1b"
ESCAPED: Final = "&lt;script&gt;&#34;&#39;&amp;\\u202e\\x1b"


def test_interval_is_drawn_to_scale() -> None:
    """Value and ends are in proportion; the point is hollow if the interval contains the middle."""
    rows = [Interval("a", 0.5, 50.0, 100.0, "50"), Interval("b", -100.0, 0.0, 100.0, "0")]
    chart = ElementTree.fromstring(charts.intervals("Test", rows, 0, NUMBER))
    points = list(chart.iter(f"{SVG}circle"))
    assert [point.get("class") for point in points] == ["point", "point open"]
    whiskers = [one.attrib["d"] for one in chart.iter(f"{SVG}path") if one.get("class") == "whisker"]
    low, high = (float(whiskers[1][1:].split()[0]), float(whiskers[1].split("H")[1].split("m")[0]))
    assert float(points[1].attrib["cx"]) == pytest.approx((low + high) / 2, abs=0.1)
    assert float(points[0].attrib["cx"]) == pytest.approx(low + 0.75 * (high - low), abs=0.1)
    assert 0 <= low < high <= charts.ROWS.width


def test_lines_of_the_scale_leave_out_the_labels() -> None:
    """A dashed line through a label hides its minus."""
    rows = [Interval(name, -600.0, -588.0, 100.0, "-588 (-600 to +100)") for name in "abc"]
    chart = ElementTree.fromstring(charts.intervals("Test", rows, 0, NUMBER))
    labels = {float(one.attrib["y"]) for one in chart.iter(f"{SVG}text") if "label" in one.attrib["class"].split()}
    lines = [one.attrib["d"] for one in chart.iter(f"{SVG}path") if one.get("class") in ("grid", "middle")]
    assert (len(labels), len(lines) > 3) == (3, True)
    for line in lines:
        for top, height in re.findall(r"M[\d.]+ (\d+)v(\d+)", line):
            assert not any(int(top) < y < int(top) + int(height) + 12 for y in labels), line
        assert line.count("M") == line.count("v") == 3


def test_equal_figures_are_drawn_in_the_middle() -> None:
    """Equal figures are drawn without a division by zero."""
    chart = ElementTree.fromstring(charts.intervals("Test", [Interval("a", 0.0, 0.0, 0.0, "0")], 0, NUMBER))
    (point,) = chart.iter(f"{SVG}circle")
    assert float(point.attrib["cx"]) == pytest.approx(charts.ROWS.width / 2)


def test_bars_of_a_histogram_have_values_on_a_common_scale() -> None:
    """Each bar counts the games of its values, values beyond MOST_BARS are put together, and the tallest bar is TALL."""
    chart = ElementTree.fromstring(charts.histogram("Test", {3: 2, 4: 6, 99: 4}, 0, 99))
    titles = [title.text or "" for title in chart.iter(f"{SVG}title")]
    heights = [float(one.attrib["height"]) for one in chart.iter(f"{SVG}rect")]
    assert len(titles) == len(heights) == 20 <= charts.MOST_BARS
    assert (titles[0], titles[19]) == ("0 to 4: 8 games", "95 to 99: 4 games")
    assert (heights[0], heights[1], heights[19]) == (charts.TALL, 0, charts.TALL / 2)


def test_dots_are_drawn_to_scale_with_labels_apart() -> None:
    """A dot with equal values is on the dashed line; labels of close dots stand at different sides."""
    dots = [Dot("AAA", "first", 4.0, 4.0, True), Dot("BBB", "second", 4.2, 4.0, False), Dot("CCC", "0", -2, 3, False)]
    chart = ElementTree.fromstring(charts.dots("Test", dots, "across", "up", NUMBER))
    drawn = list(chart.iter(f"{SVG}circle"))
    assert [one.get("class") for one in drawn] == ["dot found", "dot", "dot"]
    assert float(drawn[0].attrib["cx"]) + float(drawn[0].attrib["cy"]) == pytest.approx(charts.SIDE, abs=0.1)
    assert float(drawn[2].attrib["cx"]) < charts.SIDE / 2 > float(drawn[2].attrib["cy"])
    labels = [one for one in chart.iter(f"{SVG}text") if one.get("class") == "ink code"]
    assert [one.text for one in labels] == ["AAA", "BBB", "CCC"]
    assert labels[0].get("text-anchor") != labels[1].get("text-anchor")


def test_bars_fill_their_row() -> None:
    """The parts of a bar are as wide as their counts and together as wide as the chart."""
    chart = ElementTree.fromstring(charts.stacked("Test", ["a"], [(3, 1, 0)], ["rank 1", "rank 2", "rank 3"]))
    bar = [float(one.attrib["width"]) for group in chart.iter(f"{SVG}g") for one in group.iter(f"{SVG}rect")]
    assert bar == [pytest.approx(273), pytest.approx(91), 0]
    assert next(title.text for title in chart.iter(f"{SVG}title")) == "a: rank 1 3 times (75 %)"


def test_one_sided_interval_is_an_arrow() -> None:
    """The arrow starts at the known end, towards the open one, and has no point."""
    rows = [Interval("a", 100, 300, float("inf"), "> 100"), Interval("b", float("-inf"), -300, -100, "< -100")]
    chart = ElementTree.fromstring(charts.intervals("Test", rows, 0, NUMBER))
    assert not list(chart.iter(f"{SVG}circle"))
    starts = [
        [float(number) for number in re.findall(r"M([\d.]+) .*H([\d.]+)l", one.attrib["d"])[0]]
        for one in chart.iter(f"{SVG}path")
        if one.get("class") == "whisker"
    ]
    assert [end > start for start, end in starts] == [True, False]


def test_lines_have_a_point_for_each_value_and_separate_labels() -> None:
    """A line has a point for each round; the labels at the ends are a line of text apart, also for equal values."""
    series = [Line(seat, f"player {seat}", [0, 10, 20 + seat // 5]) for seat in range(1, 7)]
    labels = {"name": "VP", "description": "test", "round": "round", "target": "target 100"}
    chart = ElementTree.fromstring(charts.lines(series, [1, 2, 3], 100, labels))
    points = [one.attrib["points"].split() for one in chart.iter(f"{SVG}polyline")]
    assert [len(line) for line in points] == [3] * 6
    heights = sorted(float(one.attrib["y"]) for one in chart.iter(f"{SVG}text") if "player" in "".join(one.itertext()))
    assert all(below - above >= charts.LABEL_GAP for above, below in pairwise(heights))


@pytest.mark.parametrize(
    "chart",
    [
        charts.intervals(HOSTILE, [Interval(HOSTILE, 0, 1, 2, HOSTILE, HOSTILE)], 0, lambda _value: HOSTILE),
        charts.stacked(HOSTILE, [HOSTILE], [[1]], [HOSTILE]),
        charts.heat_map(HOSTILE, HOSTILE, [HOSTILE], {(HOSTILE, HOSTILE): Cell(HOSTILE, 1, HOSTILE)}),
        charts.lines(
            [Line(1, HOSTILE, [1, 2])], [1, 2], 3, dict.fromkeys(("name", "description", "round", "target"), HOSTILE)
        ),
    ],
    ids=["intervals", "stacked", "heat map", "lines"],
)
def test_texts_of_charts_are_escaped(chart: str) -> None:
    """Markup is escaped, and control and bidirectional characters are written out."""
    ElementTree.fromstring(chart)
    assert "<script" not in chart
    assert chart.isprintable() or set(chart) - {"\n"} == {letter for letter in chart if letter.isprintable()}
    assert ESCAPED in chart


@pytest.mark.parametrize(
    ("span", "most", "least", "step"),
    [(0.3, 6, 0, 0.05), (100, 5, 0, 20), (101, 5, 0, 25), (3, 8, 10, 10), (180, 8, 10, 25), (10**6, 4, 0, 10**6)],
)
def test_steps_of_a_scale_are_round(span: float, most: float, least: float, step: float) -> None:
    """A step is the smallest sufficient round number, or the whole span if there is none."""
    assert tick_step(span, most, lambda step: step >= least) == step
