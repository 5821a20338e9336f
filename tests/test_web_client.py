"""The browser client beside the rest: its built page is of its sources, and its colours are those of the other boards."""

import json
import random
import re
import shutil
from pathlib import Path

import pytest

from tests.support.paths import PROJECT
from tools import palette, web_page, web_texts
from vinci_cli.full.map.symbols import Signs
from vinci_cli.full.toolkit.theme import MIXED
from vinci_cli.full.tutorial.steps import SEAT, request, steps
from vinci_cli.graphics import symbols
from vinci_cli.text import i18n
from vinci_words import tutorial


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of what the page is built from, and of the page."""
    for path in (*web_page.sources(PROJECT), *(PROJECT / web_page.PAGE).rglob("*")):
        if path.is_file():
            (target := tmp_path / path.relative_to(PROJECT)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    return tmp_path


def test_a_changed_source_needs_a_new_build(copy: Path) -> None:
    """The committed page passes; after a change of a source, of a proto too, it does not, whatever the line ends."""
    assert web_page.problems(copy) == []
    for path in list(web_page.sources(copy)):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert web_page.problems(copy) == []
    for name in ("clients/web/src/main.tsx", "proto/vinci/v1/match.proto", "clients/web/package-lock.json"):
        path = copy / name
        before = path.read_bytes()
        path.write_bytes(before + b"\n")
        assert "make web" in web_page.problems(copy)[0]
        path.write_bytes(before)


def test_a_page_with_a_missing_or_too_large_file_fails(copy: Path) -> None:
    """Every file that index.html names exists, and all files together have a limit, as have those loaded later."""
    page = copy / web_page.PAGE
    (page / "assets" / "large.bin").write_bytes(random.Random(1).randbytes(150_000))
    assert "compressed" in web_page.problems(copy)[0]
    (page / "assets" / "large.bin").rename(page / "assets" / "later-large.bin")
    assert "files later-*" in web_page.problems(copy)[0]
    (page / "assets" / "later-large.bin").unlink()
    (page / "assets" / "first.js").write_text('import("./later-a.js");import{a}from"./later-a.js"', encoding="utf-8")
    assert web_page.problems(copy) == [f"{web_page.PAGE}/assets/first.js needs a file later-* at once"]
    for script in page.glob("assets/*.js"):
        script.unlink()
    assert "index.html" in web_page.problems(copy)[0]


def test_the_page_runs_under_a_strict_policy() -> None:
    """index.html has no script or style of its own, and names nothing at another server."""
    page = (PROJECT / web_page.PAGE / "index.html").read_text(encoding="utf-8")
    assert not re.search(
        r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|https?:|//", page.replace("<!doctype html>", "")
    )


def test_colours_are_those_of_the_other_boards() -> None:
    """The light theme has the colours of the SVG board, with its symbols and sizes, the dark one those of the terminal."""
    css = palette.PAGE.read_text(encoding="utf-8")
    assert css == palette.style_sheet()
    assert palette.DRAWING.read_text(encoding="utf-8") == palette.drawing()
    light, dark = css.split("\n:root[")
    drawn = {f"seat{seat}": colour for seat, colour in enumerate(symbols.SEATS)}
    drawn |= {f"on-seat{seat}": colour for seat, colour in enumerate(symbols.ON_SEATS)}
    drawn |= {name: colour for name, (colour, _sign) in symbols.TERRAINS.items()}
    drawn |= {"sea": symbols.SEA, "coast": symbols.COAST, "beyond": symbols.BEYOND, "paper": symbols.PAPER}
    assert _colours(light).items() >= drawn.items()
    cells = {f"seat{seat}": colour for seat, colour in enumerate(MIXED["dark"].seats)}
    cells |= {f"on-seat{seat}": colour for seat, colour in enumerate(MIXED["dark"].on_seats)}
    cells |= {**MIXED["dark"].land, "sea": MIXED["dark"].sea, "coast": MIXED["dark"].coast}
    assert _colours(dark).items() >= {**cells, "beyond": MIXED["dark"].beyond}.items()


def test_sentences_and_refusals_are_those_of_the_catalogues() -> None:
    """The sentences and refusals of the page, the samples of its tests and the data of its check of draws are those of the packages."""
    kept = dict(web_texts.outputs(web_texts.texts()[0]))
    assert len(kept) == 14
    for path, content in kept.items():
        assert json.loads(path.read_text(encoding="utf-8")) == json.loads(json.dumps(content)), (
            f"{path}: run `make web`"
        )


@pytest.mark.parametrize("spoken", i18n.LANGUAGES)
def test_terminal_and_page_teach_the_same_lessons(spoken: str) -> None:
    """Both have the same match and steps, with the same titles and, where they do not name keys or buttons, words."""
    i18n.choose(spoken)
    page = json.loads((web_texts.LESSONS / f"{spoken}.json").read_text(encoding="utf-8"))
    asked = request()
    assert (page["position"], page["seed"], page["seat"]) == (asked.position, asked.seed, SEAT)
    fields = {name: f"{{{name}}}" for name in Signs._fields}
    shared = [[i18n._(part) for part in step.text if isinstance(part, str)] for step in tutorial.tutorial().steps]
    for of_terminal, of_page, words in zip(steps(Signs(**fields)), page["steps"], shared, strict=True):
        wanted = (of_terminal.title, of_terminal.wants, of_terminal.with_word, of_terminal.times, of_terminal.province)
        assert (
            of_page["title"],
            of_page["wants"],
            of_page["withWord"],
            of_page["times"],
            of_page["province"],
        ) == wanted
        assert (tuple(of_page["also"]), bool(of_page["hint"])) == (of_terminal.also, bool(of_terminal.hint))
        for part in words:
            assert part in of_page["text"]
            assert re.sub(r"\{([A-Z]{3})\}", r" (\1)", part).replace("{neutral}", "n") in of_terminal.text


def _colours(rule: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#\w+);", rule))
