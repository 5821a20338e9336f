"""The HTML page of a game."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.chromium import in_chromium
from tests.support.cli_runner import vinci
from tests.support.full_screen.colours import contrast
from tests.support.full_screen.records import lines_of, load, played
from vinci.v1 import game_pb2 as pb
from vinci.v1.bot_pb2 import Note
from vinci_bots.builtin import selfplay
from vinci_cli.game.replay import PlayedGame
from vinci_cli.graphics import board_svg, html_report
from vinci_cli.graphics.palette import seats
from vinci_cli.records import loader
from vinci_html.pages import POLICY
from vinci_rules.board import load_board
from vinci_rules.editions import options

VOID = {"meta", "br"}
"""Elements without an end."""
MOST_BYTES: Final = 600_000


class HtmlOutline(HTMLParser):
    """A parser that checks nesting and records elements and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an element."""
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an element without content, as in SVG."""
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Fail unless this closes the innermost element."""
        assert self.open.pop() == tag, f"{tag} at {self.getpos()}"

    def handle_data(self, data: str) -> None:
        """Record text."""
        self.text += data


@cache
def page_of(seats: int) -> str:
    """Return the page of a game with that many seats."""
    return html_report.page(played("standard", seats))


def data_of(page: str) -> dict[str, Any]:
    """Return the data for the script of a page."""
    (text,) = re.findall(r'<script type="application/json" id="game">(.*?)</script>', page, re.DOTALL)
    data: dict[str, Any] = json.loads(text)
    return data


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_page_is_well_formed_and_self_contained(seats: int) -> None:
    """Every element is closed, ids are unique, nothing is loaded from elsewhere, and the page is small enough to send."""
    page = page_of(seats)
    assert len(page.encode()) < MOST_BYTES
    outline = HtmlOutline(page)
    ids = [attributes["id"] for _tag, attributes in outline.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    tags = {tag for tag, _attributes in outline.elements}
    assert not tags & {"link", "img", "iframe", "a", "image"}
    addresses = [
        value for _tag, attributes in outline.elements for name, value in attributes.items() if name in ("src", "href")
    ]
    assert {value for value in addresses if value and value[0] != "#"} == set()
    assert not re.search(r"url\((?!#)|@import", page)


def test_page_of_a_long_game_has_its_last_steps() -> None:
    """So that it stays small: the page says how many, they lead to the end, and scores and curves are of the whole game."""
    rules = options((False,) * 6, target=950, max_rounds=1000)
    game = load(selfplay.play(("random",) * 6, load_board("europe"), rules, "long").lines)
    page = html_report.page(game)
    assert 0.98 * MOST_BYTES < len(page.encode()) <= MOST_BYTES
    data = data_of(page)
    kept, every = len(data["steps"]), len(game.updates)
    assert 300 < kept < every
    assert page.count(f"the board and the log have the last {kept} of {every} steps.") == 2
    assert sum(step[0] for step in data["steps"]) == page[page.index('id="log"') :].count("<li")
    end = game.updates[-1].state
    board: dict[int, list[int]] = {}
    for _lines, _moment, _seat, changes, *_others in data["steps"]:
        board |= {changes[place]: changes[place + 2 : place + 4] for place in range(0, len(changes), 4)}
    assert [board[index] for index in range(len(end.provinces))] == [
        [pawns, int(fort)] for pawns, fort in zip(end.pawns, end.forts, strict=True)
    ]
    assert [step[1] for step in data["steps"]][-1] == data["chart"]["last"] == end.round > html_report.MOST_POINTS
    curves = re.findall(r'<polyline[^>]* points="([^"]*)"', page)
    assert [len(curve.split()) for curve in curves] == [html_report.MOST_POINTS] * 6
    taken = sum(event.HasField("civilization_taken") for update in game.updates for event in update.events)
    assert f"The {html_report.MOST_CIVILIZATIONS} civilizations of {taken} that earned most." in page
    for seat in end.seats:
        assert f"<b>{seat.vp}</b>" in page


def test_content_security_policy_allows_the_script_of_the_page_alone() -> None:
    """The policy is the first element, so that it holds even for unescaped text; it names the hash of the script."""
    page = page_of(3)
    outline = HtmlOutline(page)
    policies = [attrs for tag, attrs in outline.elements if attrs.get("http-equiv") == "Content-Security-Policy"]
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert [policy["content"] for policy in policies] == [f"{POLICY}; script-src 'sha256-{digest}'"]
    assert "default-src 'none'" in POLICY
    tags = [tag for tag, _ in outline.elements]
    assert tags.index("meta") < tags.index("style")


def test_page_has_players_civilizations_charts_board_and_log() -> None:
    """The page has players with scores, civilizations with earnings, curves, the board and the log."""
    game, page = played("standard", 6), page_of(6)
    outline = HtmlOutline(page)
    result = json.loads(lines_of("standard", 6)[-1])["result"]
    for seat, vp in enumerate(result["vp"], start=1):
        assert f"{seat} Dummy" in outline.text
        assert f"<b>{vp}</b>" in page
    assert len([tag for tag, _attributes in outline.elements if tag == "polyline"]) == 6
    titles = [attributes for tag, attributes in outline.elements if tag == "svg" and attributes.get("role") == "img"]
    assert titles
    for province in game.board.provinces[:5]:
        assert province.names["en"] in outline.text
    rounds = [tag for tag, _attributes in outline.elements if tag == "details"]
    assert len(rounds) == result["rounds"] + 1
    assert "The game is over." in outline.text


def test_lines_have_the_hues_of_the_seats() -> None:
    """Lines have the colours that tell owners in terminals, in both themes and on paper, and stand out from the page."""
    colours = re.findall(r"--seat(\d): (#\w+);", page_of(6))
    light, dark = (list(enumerate(seats(theme, "declined")[1:], start=1)) for theme in ("light", "dark"))
    assert [(int(seat), colour) for seat, colour in colours] == [*light, *dark, *light]
    assert all(contrast(colour, "#fdfcf8") > 4 for _seat, colour in light)
    assert all(contrast(colour, "#191a1d") > 3 for _seat, colour in dark)


def test_names_are_escaped() -> None:
    """A name with markup is shown as it is."""
    first, *others = lines_of("standard", 3)
    others_name = "</script><script>alert(1)"
    line = json.loads(first) | {"names": ["<b>Ann</b>", 'Ben "& Co', others_name]}
    page = html_report.page(load((json.dumps(line), *others)))
    outline = HtmlOutline(page)
    assert "<b>Ann" not in page
    assert page.count("<script") == page.count("</script") == 2
    assert data_of(page)["turns"][0][1].partition(" · ")[2] in ("<b>Ann</b> (1)", 'Ben "& Co (2)', f"{others_name} (3)")
    assert "1 <b>Ann</b>" in outline.text
    assert '2 Ben "& Co' in outline.text
    assert f"3 {others_name}" in outline.text


def test_data_of_the_page_lead_through_all_positions() -> None:
    """Changes of provinces add up to every position; scores, empires and log lines are those of the game."""
    game, page = played("standard", 6), page_of(6)
    data = data_of(page)
    assert len(data["steps"]) == len(game.updates)
    codes, board = data["codes"], {}
    vp: list[int] = []
    for (_lines, _moment, seat, changes, scores, empires), update in zip(data["steps"], game.updates, strict=True):
        state = update.state
        for place in range(0, len(changes), 4):
            index, holder, pawns, fort = changes[place : place + 4]
            board[codes[index]] = (data["holders"][holder], pawns, bool(fort))
        kinds = [
            "" if holding == pb.HOLDING_NOBODY else f"{'dec' if holding == pb.HOLDING_DECLINED else 'own'}{owner}"
            for holding, owner in zip(state.holdings, state.owners, strict=True)
        ]
        assert [board[code] for code in state.provinces] == list(zip(kinds, state.pawns, state.forts, strict=True))
        vp = scores or vp
        assert vp == [one.vp for one in state.seats]
        assert not empires or len(empires) == 2 * len(vp)
        assert seat == state.turn_seat
    log = page[page.index('id="log"') :]
    assert sum(step[0] for step in data["steps"]) == log.count("<li")
    moments = [step[1] for step in data["steps"]]
    assert moments == sorted(moments)
    assert (moments[0], moments[-1]) == (0, data["chart"]["last"])
    ids = {attributes.get("id") for _tag, attributes in HtmlOutline(page).elements}
    used = set(re.findall(r'find\("([a-z]+)"\)', html_report.SCRIPT))
    assert used <= ids | {"note"}  # which only a game with notes has
    assert {f"at-{code}" for code in codes} & ids


@pytest.mark.slow
def test_browser_steps_through_the_game(tmp_path: Path) -> None:
    """In Chromium the address of the page chooses a step, and keys go on from there; without them it shows the end."""
    path, pressed = tmp_path / "game.html", tmp_path / "pressed.html"
    board_svg.save(path, html_report.page(played("standard", 6)))
    page = path.read_text(encoding="utf-8")
    last = len(played("standard", 6).updates) - 1
    presses = "".join(
        f"document.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}'}}));"
        for key in ("ArrowRight", "ArrowRight", "ArrowLeft", " ", " ")  # a space plays, a step at once
    )
    # The policy of the page would refuse this script.
    pressed.write_text(re.sub("<meta http-equiv[^>]*>", "", page) + f"<script>{presses}</script>", encoding="utf-8")
    for where, step in ((path.as_uri(), last), (f"{path.as_uri()}#40", 40), (f"{pressed.as_uri()}#40", 42)):
        shown = in_chromium(where, tmp_path)
        assert f'<small id="count">{step} / {last}</small>' in shown
        vp = [str(seat.vp) for seat in played("standard", 6).updates[step].state.seats]
        assert re.findall(r'<b class="points">(\d+)</b>', shown) == vp


def with_notes(*texts: str) -> PlayedGame:
    """Return a game of three seats whose first actions have these notes, each with another answer."""
    notes = {number: Note(text=text, value=1, lines=["<i>x AQU</i>"]) for number, text in enumerate(texts, start=1)}
    return replace(played("standard", 3), notes=notes)


def test_notes_stand_in_the_log_and_beside_the_board(tmp_path: Path) -> None:
    """Each is one line of the log before its action, and shown at its step, whatever it has in it."""
    game = with_notes("<b>worth</b> \x1b most", "")
    page = html_report.page(game)
    assert 'id="note"' not in page_of(3)
    assert page.count('<li class="note">') == 2
    who = game.names.seat(game.updates[1].seat)
    assert f'<li class="note">{who} notes: 1  &lt;b&gt;worth&lt;/b&gt;  most\n  &lt;i&gt;x AQU&lt;/i&gt;</li>' in page
    assert [step[0] for step in data_of(page)["steps"]][1:4] == [
        step[0] + more for step, more in zip(data_of(page_of(3))["steps"][1:4], (1, 1, 0), strict=True)
    ]
    (tmp_path / "game.html").write_text(page, encoding="utf-8")
    for step, noted in ((1, True), (3, False)):
        shown = in_chromium(f"{(tmp_path / 'game.html').as_uri()}#{step}", tmp_path)
        (there,) = re.findall(r'<p id="note" class="note">(.*?)</p>', shown, re.DOTALL)
        assert ("worth" in there, bool(there)) == (noted, noted)


def test_notes_without_room_are_left_out_before_any_step() -> None:
    """The page says so, and has all steps."""
    game = with_notes(*["n" * 500 + "\u20ac" * 500] * 300)
    page = html_report.page(game)
    assert len(page.encode()) < MOST_BYTES
    assert 'class="note"' not in page
    assert len(data_of(page)["steps"]) == len(game.updates)
    assert "without the notes of bots, which are too long for this page" in page


def test_replay_writes_a_page(tmp_path: Path) -> None:
    """`vinci replay FILE --html OUT` writes the page, with a date if the record has times."""
    lines = [json.loads(line) for line in lines_of("standard", 3)]
    lines[1]["time"] = 1_700_000_000.0
    path, html = tmp_path / "game.jsonl", tmp_path / "page" / "game.html"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    assert vinci("replay", str(path), "--html", str(html)) == (0, "")
    assert "2023-11-1" in HtmlOutline(html.read_text(encoding="utf-8")).text


def test_page_of_a_damaged_record_names_the_bad_line(tmp_path: Path) -> None:
    """The page of the valid part names the bad line, as does the terminal, and the command fails."""
    path, html = tmp_path / "game.jsonl", tmp_path / "game.html"
    path.write_text("\n".join(lines_of("standard", 3)[:40]) + "\n{", encoding="utf-8")
    status, output = vinci("replay", str(path), "--html", str(html))
    assert status == 1
    assert "line 41: not valid JSON" in output
    assert "line 41: not valid JSON" in HtmlOutline(html.read_text(encoding="utf-8")).text


def test_html_option_contradicts_other_outputs(tmp_path: Path) -> None:
    """--html with --json, --line or --verify, or a path that cannot be written, is refused."""
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(lines_of("standard", 3)), encoding="utf-8")
    for option in ("--json", "--line", "--verify"):
        for other, name in (("--html", "game.html"), ("--animate", "game.svg")):
            status, output = vinci("replay", str(path), other, name, option)
            assert status == 2
            assert f"{other} cannot be combined" in output
    status, output = vinci("replay", str(path), "--html", str(path / "game.html"))
    assert status == 1
    assert "cannot be written" in output


@pytest.mark.parametrize("time", [1e18, 1e300, -1e18, float("nan"), True, "today"])
def test_invalid_time_is_left_out(time: object) -> None:
    """Times in a record are not hashed, so an invalid one is left out."""
    lines = lines_of("standard", 3)
    second = json.loads(lines[1]) | {"time": time}
    page = html_report.page(load((lines[0], json.dumps(second), *lines[2:])))
    assert 'class="facts">edition' in page.replace("1970-01-01 · ", "")


def test_seed_is_escaped() -> None:
    """A forged record can hold any text as seed, which is escaped."""
    assert loader._chosen_seed({"seed": "a\u202eb\x1b"}, {}) == "ab"
    assert loader._chosen_seed({"sealed": "c"}, {"reveal": {"seed": "\x9bx"}}) == "x"
