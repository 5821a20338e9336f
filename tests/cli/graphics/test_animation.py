"""The animated picture of a game."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest

from tests.support.chromium import in_chromium
from tests.support.cli_runner import vinci
from tests.support.full_screen.records import lines_of, load, played
from vinci.v1 import game_pb2 as pb
from vinci_cli.game.replay import ReplayPosition
from vinci_cli.graphics import animation, board_svg
from vinci_cli.graphics.symbols import SEATS

SVG: Final = "{http://www.w3.org/2000/svg}"
MOST_BYTES: Final = 600_000
Changes = dict[str, list[tuple[float, str]]]


@cache
def picture_of(seats: int) -> str:
    """Return the picture of a game with that many seats."""
    return animation.picture(played("standard", seats))


def changes_of(picture: ElementTree.Element) -> Changes:
    """Return the keyframes of the style sheet: percent of the time and declarations."""
    style = picture.find(f"{SVG}style")
    assert style is not None
    assert style.text is not None
    return {
        name: [(float(time), look) for time, look in re.findall(r"([\d.]+)%\{([^}]*)\}", frames)]
        for name, frames in re.findall(r"@keyframes ([\w-]+)\{((?:[^{}]+\{[^}]*\})*)\}", style.text)
    }


def look_at(time: float, element: ElementTree.Element, changes: Changes) -> str:
    """Return the look of an element at a percent of the time: that of its last keyframe, else its own style."""
    name = element.get("style", "").rpartition("animation-name:")[2]
    now = [look for begin, look in changes.get(name, ()) if begin <= time]
    own = "visibility:hidden" if "h" in element.get("class", "").split() else element.get("style", "")
    return now[-1] if now else own


def titles(picture: ElementTree.Element) -> list[ElementTree.Element]:
    """Return the texts above the map."""
    return [text for text in picture.findall(f"{SVG}text") if float(text.get("y", "0")) < 0]


@pytest.mark.parametrize("seats", [3, 6])
def test_picture_is_self_contained(seats: int) -> None:
    """It is well-formed and small, ids are unique, and it has no script and loads nothing."""
    text = picture_of(seats)
    picture = ElementTree.fromstring(text)
    assert len(text.encode()) < MOST_BYTES
    ids = [element.get("id") for element in picture.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert not {element.tag.removeprefix(SVG) for element in picture.iter()} & {"script", "image", "a", "foreignObject"}
    targets = {element.get("href", "#")[1:] for element in picture.iter()} | set(re.findall(r"url\((?!#)(.*?)\)", text))
    assert targets <= {*ids, ""}
    assert "@import" not in text


def test_every_turn_is_seen_as_it_was() -> None:
    """At the beginning of each turn the colours and pawns of all provinces are those of the position."""
    game = played("standard", 6)
    picture = ElementTree.fromstring(picture_of(len(game.match.seats)))
    changes = changes_of(picture)
    states = [game.updates[turn.step].state for turn in ReplayPosition(game).turns] + [game.updates[-1].state]
    times = animation._times(len(states) - 1)
    lands = {
        use.get("href", "")[1:]: group
        for group in picture.iter(f"{SVG}g")
        for use in group.findall(f"{SVG}use[@class='tint']")
    }
    groups = [group for group in picture.findall(f"{SVG}g") if group.get("transform")]
    places = [group for group in groups if {mark.tag for mark in group} == {f"{SVG}use"}]
    for time, state in zip(times, states, strict=True):
        tokens = []
        rows = zip(state.provinces, state.holdings, state.owners, strict=True)
        for code, holding, owner in rows:
            if code not in lands:
                assert holding == pb.HOLDING_NOBODY
                continue
            look = look_at(time + 0.01, lands[code], changes)
            colour = "none" if holding == pb.HOLDING_NOBODY else SEATS[owner]
            assert f"stroke:{colour}" in look
            assert ("url(" in look) == (holding == pb.HOLDING_DECLINED)
        for place in places:
            seen = [use.get("href", "#") for use in place if "hidden" not in look_at(time + 0.01, use, changes)]
            assert len(seen) <= 1
            tokens += [name[1:] for name in seen if name != "#fort"]
        standing = [(place.holder, place.pawns) for place in board_svg.places(state) if place.pawns]
        assert sorted(tokens) == sorted(f"{board_svg.HOLDERS[holder]}-{pawns}" for holder, pawns in standing)
    assert all(0 <= begin <= 100 for frames in changes.values() for begin, _look in frames)


def test_picture_without_motion_shows_the_end() -> None:
    """Only the outcome stands above the map, and the last score of each seat beside its bar."""
    game = played("standard", 6)
    picture = ElementTree.fromstring(picture_of(len(game.match.seats)))
    outcome = [text.text or "" for text in titles(picture) if "h" not in text.get("class", "").split()]
    assert len(outcome) == 1
    assert re.search(r" wins with \d+ VP after \d+ rounds", outcome[0])
    scores = [
        text for text in picture.iter(f"{SVG}text") if float(text.get("x", "0")) == animation.NAME + animation.BAR + 20
    ]
    final = [int(text.text or 0) for text in scores if "h" not in text.get("class", "").split()]
    assert final == [seat.vp for seat in game.updates[-1].state.seats]


def test_names_are_escaped_and_long_games_are_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name with markup is shown as it is; of many turns some are passed over."""
    first, *others = lines_of("standard", 3)
    names = ["<b>Ann</b>", "</svg><script>", "C" * 60]
    game = load((json.dumps(json.loads(first) | {"names": names}), *others))
    monkeypatch.setattr(animation, "MOST_FRAMES", 10)
    text = animation.picture(game)
    shown = [element.text for element in ElementTree.fromstring(text).iter(f"{SVG}text")]
    assert "<script" not in text
    assert {"<b>Ann</b>", "</svg><script>"} <= set(shown)
    assert max(map(len, filter(None, shown))) < 120
    assert len(animation._frames(game)) <= 11


def test_replay_writes_picture_and_page(tmp_path: Path) -> None:
    """`--animate OUT.svg` writes the picture, in the language that is asked for, also beside `--html`."""
    path, picture, page = tmp_path / "game.jsonl", tmp_path / "out" / "game.svg", tmp_path / "game.html"
    path.write_text("\n".join(lines_of("standard", 3)), encoding="utf-8")
    arguments = ("--animate", str(picture), "--html", str(page), "--lang", "de")
    assert vinci("replay", str(path), *arguments) == (0, "")
    assert "Runde 1" in [text.text for text in titles(ElementTree.parse(picture).getroot())]
    assert page.exists()


@pytest.mark.slow
def test_browser_plays_the_picture(tmp_path: Path) -> None:
    """In Chromium the rounds follow each other within 20 seconds, and the outcome is last."""
    script = """
        const moving = document.getAnimations();
        const seen = [1, 9000, 17000, 19900].map((time) => {
          moving.forEach((one) => { one.pause(); one.currentTime = time; });
          return [...document.querySelectorAll("svg > text")].filter((text) => text.getAttribute("y") < 0)
            .filter((text) => getComputedStyle(text).visibility === "visible").map((text) => text.textContent).join();
        });
        document.body.textContent = seen.join("|");
    """
    page = tmp_path / "page.html"
    page.write_text(f"<body>{picture_of(6)}<script>{script}</script></body>", encoding="utf-8")
    begin, middle, late, end = re.sub("<[^>]*>", "", in_chromium(page.as_uri(), tmp_path)).strip().split("|")
    assert begin == "Opening draft"
    assert 0 < int(middle.removeprefix("Round ")) < int(late.removeprefix("Round "))
    assert " wins with " in end
