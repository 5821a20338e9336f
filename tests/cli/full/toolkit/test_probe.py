"""Display of a terminal as its environment and its answers tell it."""

import asyncio

import pytest
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

from tests.support.full_screen.displays import shown_on
from tests.support.terminals.emulator import Terminal, terminal
from vinci_cli.full.toolkit.app import App
from vinci_cli.full.toolkit.block import Block, Depth, fitted
from vinci_cli.full.toolkit.display import Answers, Display, choose, current, found, has_sextants, luminance

WHITE = "\x1b]11;rgb:ffff/fafa/f0f0\x1b\\"
KITTY = "\x1bP>|kitty(0.35.2)\x1b\\"
LAST = "\x1b[?62;c"


def typed(display: Display, *reads: str) -> list[KeyPress]:
    """Return the keys that are pressed when these texts are read one after another, and then nothing."""
    keys: list[KeyPress] = []
    answers = Answers(Vt100Parser(keys.append), display, lambda: None)
    for text in reads:
        answers.feed(text)
    answers.flush()
    return keys


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_answers_are_learned_and_are_no_keys(size: int) -> None:
    """However answers are cut into reads, with keys between them, only the keys are pressed."""
    display, text = Display(), f"a{WHITE}\x1b[A{KITTY}b{LAST}\x1b[B"
    keys = typed(display, *(text[start : start + size] for start in range(0, len(text), size)))
    assert [press.key for press in keys] == ["a", Keys.Up, "b", Keys.Down]
    assert (display.theme, display.blocks) == ("light", "sextants")


def test_keys_pass_while_answers_are_awaited() -> None:
    """Escape alone, and a terminal that knows no question but the last one, change nothing."""
    display = Display()
    assert [press.key for press in typed(display, "x", "\x1b")] == ["x", Keys.Escape]
    assert typed(display, LAST) == []
    assert display == Display()


def test_what_was_chosen_stays() -> None:
    """A theme and block characters that were chosen are not changed by answers, until they are left to the terminal."""
    display = found({"VINCI_THEME": "dark", "VINCI_BLOCKS": "halves", "TERM": "xterm-kitty"}, "utf-8", theme="light")
    assert typed(display, WHITE, KITTY, LAST) == []
    assert (display.theme, display.blocks) == ("dark", "halves")
    display.prefer("theme", "")
    typed(display, WHITE)
    assert display.theme == "light"


def test_display_follows_environment_and_encoding() -> None:
    """The type of the terminal and its encoding tell what it can draw; values that mean nothing are ignored."""
    assert found({"TERM": "xterm-256color"}, "UTF-8").blocks == "quadrants"
    assert found({"TERM": "foot"}, "UTF-8").blocks == "sextants"
    assert found({"TERM": "linux"}, "UTF-8").blocks == "halves"
    assert found({"TERM": "linux"}, "UTF-8").has_signs is False
    assert found({"VINCI_THEME": "pink"}, "UTF-8", "light").theme == "light"
    latin = found({"TERM": "foot"}, "ISO-8859-1")
    assert (latin.blocks, latin.is_unicode) == ("halves", False)


@pytest.mark.parametrize(
    ("colour", "is_light"),
    [("rgb:ffff/ffff/ffff", True), ("rgb:1e/1e/2e", False), ("rgba:fdfd/f6f6/e3e3/ffff", True), ("rgb:0/2b/36", False)],
)
def test_luminance_of_backgrounds(colour: str, *, is_light: bool) -> None:
    """Colours of one to four digits a part, with or without transparency, are dark or light."""
    found_luminance = luminance(colour)
    assert found_luminance is not None
    assert (found_luminance > 0.5) == is_light
    assert luminance("?") is None


def test_known_terminals_draw_sextants() -> None:
    """Names and versions tell which terminals draw sextants without a font."""
    assert all(map(has_sextants, ("kitty(0.35.2)", "foot(1.16.2)", "WezTerm 20240203-110809-5046fc22", "VTE(7600)")))
    assert not any(map(has_sextants, ("tmux 3.4", "XTerm(390)", "VTE(5202)", "")))


class Plain:
    """A page that shows theme and block characters, and the keys that were pressed."""

    refresh_seconds = 0.0

    def __init__(self) -> None:
        self.keys = ""

    def draw(self, columns: int, rows: int, _depth: Depth) -> Block:
        """Show what is known."""
        return fitted(Block([[("", f"{current().theme} {current().blocks} [{self.keys}] é “…”")]]), columns, rows)

    def press(self, key: str) -> None:
        """Keep a key."""
        self.keys += key

    def click(self, target: str) -> None:
        """Do nothing."""

    def scroll(self, target: str, lines: int) -> None:
        """Do nothing."""


async def answer(there: Terminal, *, seconds: float, text: str) -> None:
    """Type an answer after a while."""
    await asyncio.sleep(seconds)
    there.send(text.encode())


@pytest.mark.parametrize("seconds", [0.0, 0.4])
async def test_page_follows_answers_soon_or_late(seconds: float) -> None:
    """Theme and block characters are those that the terminal told, and none of its answer is a key."""
    with shown_on(), terminal() as there:
        choose(Display())
        async with App() as app:
            answering = asyncio.create_task(answer(there, seconds=seconds, text=WHITE + KITTY + LAST + "k"))
            await app.ask()
            page = Plain()
            showing = asyncio.create_task(app.show(page))
            await there.until("light sextants [")
            await answering
            there.press("!")
            await there.until(lambda text: "!]" in text)
            assert page.keys in ("k!", "!")  # a key may come before the page
            app.leave()
            await showing


async def test_terminal_without_utf8_gets_letters() -> None:
    """Characters that only UTF-8 has are replaced by ASCII of the same width."""
    with shown_on(is_unicode=False), terminal() as there:
        async with App() as app:
            showing = asyncio.create_task(app.show(Plain()))
            await there.until('é "."')
            app.leave()
            await showing
