"""The full screen of a terminal: what it takes to draw it, and how soon it is there. Linux only.

The page of a crowded game goes through prompt-toolkit to a terminal that only notes when a picture is complete. The
reference is a page of plain text of the same size, another letter in every cell each time.
"""

import asyncio
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final, final

from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_cli.full.map.map import Art
from vinci_cli.full.table import layout
from vinci_cli.full.table.ui_state import UiState
from vinci_cli.full.toolkit import display
from vinci_cli.full.toolkit.app import App
from vinci_cli.full.toolkit.block import Block, Depth
from vinci_cli.game.client_match import ClientMatch
from vinci_cli.records.loader import names_of
from vinci_codec import events, states
from vinci_codec.catalogue import board_map
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import options
from vinci_rules.engine import new_game, play
from vinci_rules.events import Event
from vinci_rules.playout import random_action

from .figures import Figure, Target

SEATS: Final = 6
BEFORE: Final = 120
"""Actions that are played before anything is measured, so that the board is crowded."""

PICTURES: Final = 40
STARTS: Final = 5
FIRST_WORDS: Final = b"Your move"


def figures() -> Iterator[Figure]:
    """Milliseconds for pictures of the page, and seconds until the command shows something."""
    display.choose(display.Display(blocks="sextants"))  # the most pixels
    for name, size, limit in (
        ("event.160x50", (160, 50), 20),
        ("full.160x50", (160, 50), 60),
        ("full.300x90", (300, 90), 150),
        ("resized.160x50", (160, 50), 60),
        ("resized.300x90", (300, 90), 150),
    ):
        found, plain = asyncio.run(_measured(name.partition(".")[0], *size))
        yield Figure(f"screen.{name}", found, "ms", plain, Target(limit, at_most=True))
    bare = median(_seconds([sys.executable, "-c", "pass"]) for _ in range(STARTS))
    command = median(_seconds([sys.executable, "-m", "vinci_cli", "--help"]) for _ in range(STARTS))
    yield Figure("screen.help", command, "s", bare, Target(0.3, at_most=True))
    yield Figure("screen.first", median(_first_screen() for _ in range(STARTS)), "s", bare, Target(1, at_most=True))


@final
class _Terminal:
    """A terminal whose size can change, and that tells when it got a picture."""

    def __init__(self, keyboard: PipeInput, columns: int, rows: int) -> None:
        self.keyboard: Final = keyboard
        self.size = Size(rows=rows, columns=columns)
        self.has_picture = False
        self.complete: Final = asyncio.Event()

    def write(self, data: str) -> int:
        """Nothing is kept."""
        return len(data)

    def flush(self) -> None:
        """Note that the output was written, and with it the page if it was drawn."""
        if self.has_picture:
            self.complete.set()


@final
class _Table:
    """The page of a game that goes on."""

    refresh_seconds = 0.0

    def __init__(self, terminal: _Terminal) -> None:
        self._terminal: Final = terminal
        self._game, self._updates = _game()
        self._ui: Final = UiState(province="ALP")
        self._art: Final = Art(self._game.board_map, self._game.names)

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """The whole screen."""
        self._terminal.has_picture = True
        return layout.draw(self._game, self._ui, self._art, columns, rows, depth)

    def happen(self) -> None:
        """The next thing happens."""
        self._game.take(match_pb2.WatchResponse(update=next(self._updates)))
        self._game.show_next()

    def press(self, key: str) -> None:
        """No key does anything."""

    def click(self, target: str) -> None:
        """Nor does a click."""

    def scroll(self, target: str, lines: int) -> None:
        """Nor does the wheel."""


@final
class _Plain:
    """A page full of one letter."""

    refresh_seconds = 0.0

    def __init__(self, terminal: _Terminal) -> None:
        self._terminal: Final = terminal
        self._letter = 0

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """Text alone."""
        self._terminal.has_picture = True
        return Block([[("", chr(ord("a") + self._letter % 26) * columns)]] * rows)

    def happen(self) -> None:
        """It becomes the next letter."""
        self._letter += 1

    press = click = scroll = _Table.press


def _game() -> tuple[ClientMatch, Iterator[game_pb2.Update]]:
    """A crowded game, and what happens in it from there on."""
    board = load_board("europe")
    state, random, chance = new_game(board, options((False,) * SEATS), FastChance(1)), Random(1), FastChance(2)
    for _ in range(BEFORE):
        play(state, random_action(state, random), chance)
    seats = [lobby_pb2.MatchSeat(seat=seat + 1, player=f"Player {seat + 1}", taken=True) for seat in range(SEATS)]
    match = lobby_pb2.Match(status=lobby_pb2.MATCH_STATUS_RUNNING, seats=seats)
    game = ClientMatch(names_of(board), board_map("europe"), match, {1: "token"})

    def updates() -> Iterator[game_pb2.Update]:
        for revision in range(BEFORE, BEFORE + PICTURES + 1):
            log: list[Event] = []
            play(state, random_action(state, random), chance, log)
            happened = [events.event(event, board) for event in log]
            yield game_pb2.Update(
                revision=revision, events=happened, state=states.state(state), legal=states.legal(state)
            )

    return game, updates()


async def _measured(kind: str, columns: int, rows: int) -> tuple[float, float]:
    """Milliseconds for a picture of the table, and for one of plain text that changes everywhere."""
    with create_pipe_input() as keyboard:
        terminal = _Terminal(keyboard, columns, rows)
        output = Vt100_Output(terminal, lambda: terminal.size, term="xterm-256color", enable_cpr=False)  # type: ignore[arg-type]
        with create_app_session(input=keyboard, output=output):
            return await _timed(_Table(terminal), terminal, kind), await _timed(_Plain(terminal), terminal, "event")


async def _timed(page: Any, terminal: _Terminal, kind: str) -> float:
    found: list[float] = []
    async with App(ColorDepth.DEPTH_24_BIT) as app:
        showing = asyncio.create_task(app.show(page))
        page.happen()
        await _complete(terminal, app.redraw)
        for number in range(PICTURES if kind != "resized" else PICTURES // 4):
            page.happen()
            if kind == "resized":
                terminal.size = Size(rows=terminal.size.rows, columns=terminal.size.columns - (1 if number % 2 else -1))
            cause = (lambda: terminal.keyboard.send_text("\x0c")) if kind == "full" else app.redraw
            found.append(1000 * await _complete(terminal, cause))
        app.leave()
        await showing
    return median(found)


async def _complete(terminal: _Terminal, cause: Callable[[], None]) -> float:
    """Seconds from what causes a picture until it is complete."""
    await asyncio.sleep(0.05)  # what was there before is done
    terminal.has_picture = False
    terminal.complete.clear()
    start = perf_counter()
    cause()
    await terminal.complete.wait()
    return perf_counter() - start


def _seconds(command: list[str]) -> float:
    start = perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return perf_counter() - start


def _first_screen() -> float:
    """Seconds from typing `vinci play` to its first screen, on a terminal of 80 by 24."""
    with TemporaryDirectory() as home:
        (Path(home) / "records").mkdir()  # somebody has played here: the tutorial is not offered
        start = perf_counter()
        child, terminal = pty.fork()
        if child == 0:
            os.environ |= {"VINCI_HOME": home, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
            os.environ |= {"VINCI_THEME": "dark", "VINCI_BLOCKS": "sextants"}  # nobody here answers questions
            os.execv(sys.executable, [sys.executable, "-m", "vinci_cli", "play"])
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        shown = b""
        while FIRST_WORDS not in shown and select.select([terminal], [], [], 20)[0]:
            shown += os.read(terminal, 65536)
        taken = perf_counter() - start
        os.kill(child, signal.SIGTERM)
        while select.select([terminal], [], [], 5)[0]:
            try:
                if not os.read(terminal, 65536):
                    break
            except OSError:  # the terminal is gone with the command
                break
        os.waitpid(child, 0)
        os.close(terminal)
    return taken
