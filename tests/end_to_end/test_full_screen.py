"""The full screen in real terminals: its contents, and the terminal restored afterwards."""

import shutil
import signal
from pathlib import Path
from typing import Final

import pytest

from tests.support.full_screen.records import lines_of
from tests.support.processes.vinci_process import run, server
from tests.support.terminals.real_terminals import ENDED, Pty, Tmux, Window, vinci
from vinci_cli.full.toolkit.theme import MIXED, OF_256

SIZES: Final = ((80, 24), (160, 50))
TMUX: Final = pytest.param(Tmux, marks=pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux"))
LAST_TURN: Final = (
    "tiny; rules standard target=20; round 5; turn 1 conquer; seat 1 vp=25 | WEA+MIL ARA=5 BOS=4; "
    "seat 2 dummy vp=10 | BAR+CUR COL=4; seat 3 dummy vp=10 | AST+SLA DOL=4"
)
PLAY: Final = ("play", "--players", "human,dummy,dummy", "--seed", "terminal", "--name", "Ann")


def arrives(window: Window, *texts: str) -> str:
    """Wait until all these texts are on the screen, skipping playback; return the screen."""

    def is_there(shown: str) -> bool:
        return all(text in shown for text in texts)

    while not is_there(shown := window.until(lambda shown: "space skips" in shown or is_there(shown))):
        window.press(" ")
        window.changes_from(shown)
    return shown


def conquer_by_keys(window: Window) -> None:
    """Select a target with Tab, conquer it with Enter."""
    window.press("tab")
    window.until("pawns = ")
    window.press("enter")
    window.until("u undo")


def play_a_turn_by_keys(window: Window) -> None:
    """Conquer a province, then end the turn with h and Enter."""
    conquer_by_keys(window)
    window.press("h")
    window.until("Enter done")
    window.press("enter")


def play_a_turn_by_mouse(window: Window) -> None:
    """Conquer a target with two clicks, then end the turn with clicks on the keys at the bottom."""
    window.until("»")
    place = window.place("»")
    window.click_at(*place)
    window.until("pawns = ")
    window.click_at(*place)
    window.until("u undo")
    window.click("h hold")
    window.until("Enter done")
    window.click("Enter done")


def follows(window: Window, columns: int, rows: int, last: str = "leave") -> None:
    """Resize the window and wait until the page fills it."""
    window.resize(columns, rows)

    def fills(text: str) -> bool:
        lines = text.split("\n")
        return len(lines) == rows and len(lines[0]) in (columns - 1, columns) and lines[-1].endswith(last)

    window.until(fills)


def offered(text: str) -> list[str]:
    """Return the words in a text that appear only on a page of a game in progress."""
    return [word for word in ("live", "Your move", "is to move", "Enter", "decline", "pawns = ") if word in text]


def gives_the_terminal_back(window: Window) -> str:
    """Leave with q; check that all modes are off and return the screen."""
    assert "alternate screen" in window.switched_on()
    window.press("q")
    text = window.until(ENDED)
    assert f"{ENDED}0" in text
    assert window.switched_on() == set()
    return text


def test_theme_follows_the_answer_of_the_terminal(tmp_path: Path) -> None:
    """A terminal that tells its white background late gets the light theme; its answer types nothing."""
    shell, option, command = vinci(*PLAY)
    with Pty(tmp_path, [shell, option, f"unset VINCI_THEME VINCI_BLOCKS; {command}"]) as window:
        window.until("Your move: take a civilization.")
        window.press("escape")  # to the map
        window.until(lambda _: MIXED["dark"].sea.removeprefix("#") in window.papers())
        window.press("\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1bP>|kitty(0.35.2)\x1b\\\x1b[?62;c")
        text = window.until(lambda _: MIXED["light"].sea.removeprefix("#") in window.papers())
        assert MIXED["dark"].sea.removeprefix("#") not in window.papers()
        assert "Your move: take a civilization." in text
        assert any("\N{BLOCK SEXTANT-1}" <= letter <= "\N{BLOCK SEXTANT-23456}" for letter in text)
        gives_the_terminal_back(window)


@pytest.mark.parametrize("kind", [Pty, TMUX])
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_game_is_played_in_a_terminal(kind: type[Pty | Tmux], columns: int, rows: int, tmp_path: Path) -> None:
    """A turn by keys and one by mouse, in windows of several sizes; the game is left and resumed."""
    with kind(tmp_path, vinci(*PLAY), columns, rows) as window:
        window.until("Your move: take a civilization.")
        window.press("enter")
        assert set("▌▛▘") & set(arrives(window, "round 1,", "Your move"))
        palettes = MIXED if kind.depth == 24 else OF_256
        assert palettes["dark"].sea.removeprefix("#") in window.papers()
        play_a_turn_by_keys(window)
        arrives(window, "round 2,", "Your move")
        play_a_turn_by_mouse(window)
        arrives(window, "round 3,", "Your move")
        follows(window, 120, 36)
        follows(window, 80, 30)
        follows(window, columns, rows)
        assert "The game waits for you." in gives_the_terminal_back(window)
    with kind(tmp_path, vinci("play"), columns, rows) as window:
        window.until("A game is waiting for Ann")
        window.press("y")
        arrives(window, "round 3,", "Your move")


def test_clients_wait_for_a_killed_server(tmp_path: Path) -> None:
    """Player and spectator see that the server is away, and no actions; afterwards both are up to date, also after a suspension."""
    table = ("--players", "human,dummy,dummy", "--seed", "terminal")
    with (
        server(tmp_path, *table) as (process, address),
        Pty(tmp_path, vinci("join", address, "--name", "Ann")) as ann,
        Pty(tmp_path, vinci("watch", address, process.line("Match ").split()[0]), 160, 50) as eve,
    ):
        ann.until("Your move: take a civilization.")
        eve.until("Ann (1) is to take a civilization.")
        ann.press("enter")
        arrives(ann, "round 1,", "Your move")
        conquer_by_keys(ann)
        ann.press("h")
        ann.until("Enter done")
        ann.press("-")
        ann.until("1 pawn is left to place")
        arrives(eve, "round 1,", "Ann (1) is conquering.")
        process.kill()
        for window in (ann, eve):
            window.until(lambda text: "Connection lost, trying again." in text and not offered(text))
        eve.send(signal.SIGSTOP)
        with server(tmp_path, port=int(address.rpartition(":")[2])):
            ann.until(lambda text: "● live" in text and "1 pawn is left to place" in text)
            ann.press("+")
            ann.until(lambda text: "is left to place" not in text)
            ann.press("enter")
            arrives(ann, "round 2,", "Your move")
            eve.send(signal.SIGCONT)
            arrives(eve, "● live", "round 2,", "Ann (1) is to move.")
            follows(eve, 80, 24)
            gives_the_terminal_back(eve)
            gives_the_terminal_back(ann)


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_replay_in_a_terminal(columns: int, rows: int, tmp_path: Path) -> None:
    """A replay by keys and by clicks, in windows of several sizes; leaving restores the terminal."""
    record = tmp_path / "game.jsonl"
    record.write_text("".join(f"{line}\n" for line in lines_of("standard", 3)), encoding="utf-8")
    with Pty(tmp_path, vinci("replay", str(record)), columns, rows) as window:
        window.until(" 0 of ")
        window.press("right", "right")
        window.until(" 2 of ")
        window.click("←→")
        window.until(" 1 of ")
        follows(window, 120, 36)
        follows(window, columns, rows)
        gives_the_terminal_back(window)


@pytest.mark.parametrize(("options", "columns", "rows"), [(("--line",), 80, 24), ((), 79, 24), ((), 80, 23)])
def test_small_window_uses_the_line_client(options: tuple[str, ...], columns: int, rows: int, tmp_path: Path) -> None:
    """A window below 80x24, or --line, gets the line client without a full screen."""
    with Pty(tmp_path, vinci(*PLAY, *options), columns, rows) as window:
        window.until("seat 1>")
        assert not {"alternate screen", "mouse"} & window.switched_on()


def test_summary_after_a_game_in_a_terminal(tmp_path: Path) -> None:
    """After the last turn the summary saves record and page, whose paths are printed when the terminal is restored."""
    with Pty(tmp_path, vinci("play", "--position", LAST_TURN, "--name", "Ann"), 80, 24) as window:
        window.until("Your move")
        window.press("h")
        window.until("Enter done")
        window.press("enter")
        arrives(window, "You win, ")
        window.press("enter")
        window.until("Ann (1) wins with 27 VP")
        text = gives_the_terminal_back(window)
    assert "The record is in" in text
    (page,) = (tmp_path / "records").glob("*.html")
    (record,) = (tmp_path / "records").glob("*.jsonl")
    assert "<svg" in page.read_text(encoding="utf-8")
    assert "verified" in run(tmp_path, "replay", str(record), "--verify").out
