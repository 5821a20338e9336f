"""Draws docs/terminal.svg, the terminal in the middle of a game; with `--check`, only tells whether it is up to date.

Run as `python tools/terminal_picture.py [--check]`. A real server and the line client play from a fixed position; a
screen that types a line stands in for the person. The last lines, as many as fit, are drawn.
"""

import asyncio
import sys
import tempfile
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path
from typing import Final

from generated import keep
from vinci.v1 import lobby_pb2
from vinci_cli.line import LineClient, catalogue_of
from vinci_cli.screen import Candidates
from vinci_cli.table import STYLE, WIDTH, Line
from vinci_client.session import Session
from vinci_server import logs
from vinci_server.app import Server

PICTURE: Final = Path(__file__).parents[1] / "docs" / "terminal.svg"
POSITION: Final = (
    "europe; round 8; order 1 3 4 2; turn 1 conquer;"
    " seat 1 vp=63 | MIN*+MIL reserve=7 LAP=4 | - LUS^ CAS BAE PYR AQU^ NEU^ RHI^;"
    " seat 2 dummy vp=74 | POR*+SLA IRL=3 MER=2 WES=2 ARM=2 FLA=2 | - MAS PRO ALP DAL MAC CAU TAU;"
    " seat 3 dummy vp=56 | WEA+GEN PAN=2 DAC=2 PON=3 VOL=3 | - LOM NAP;"
    " seat 4 dummy vp=84 | REN+MED SVE=1 DEN=1 FIN=1 POL=2 HEL=2 THR=1 LIV=1 NOV=1 RUT=1 MUS=2 BIT=2;"
    " neutral SAX BAV POM; market MED+REV:1 MIN+POR*:1 MIL+AGR*:1 SPI+AST:1 GAL+LIV GAL+HER; fills 13"
)
TYPED: Final = ("why x SVE",)

ROWS: Final = 25
COLUMN, ROW, SIZE = 8.4, 18, 14
MARGIN, BAR = 14, 34
PAPER, INK, TITLE_BAR = "#1d2127", "#d7dce2", "#2c323a"
FONTS: Final = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
COLOURS: Final = {
    "ansiblue": "#6cb6ff",
    "ansired": "#f47067",
    "ansigreen": "#6bc46d",
    "ansimagenta": "#dcbdfb",
    "ansicyan": "#56d4dd",
    "ansiyellow": "#daaa3f",
    "ansibrightblack": "#8b949e",
    "ansibrightgreen": "#b4f1b4",
    "ansiwhite": "#ffffff",
}
TOOLBAR: Final = "reverse"


class TypingScreen:
    """A screen that types what it was given and keeps what it is shown; then the input ends."""

    always_asks = False

    def __init__(self, typed: Iterable[str]) -> None:
        self._typed: Final = list(typed)
        self.lines: Final[list[Line]] = []

    def show(self, lines: Iterable[Line | str]) -> None:
        """Keep lines."""
        self.lines.extend([("", line)] if isinstance(line, str) else line for line in lines)

    async def ask(self, prompt: Callable[[], str], toolbar: Callable[[], str], candidates: Candidates) -> str | None:
        """The next line to type; at the end a cursor and the toolbar are left."""
        if self._typed:
            self.lines.append([("", prompt() + self._typed[0])])
            return self._typed.pop(0)
        self.lines.append([("", prompt()), (TOOLBAR, " ")])
        self.lines.append([(TOOLBAR, f"{toolbar():<{WIDTH}}")])
        return None

    def interrupt(self) -> None:
        """Nothing to stop."""


async def screen() -> list[Line]:
    """What the terminal shows."""
    logs.configure("error")
    with tempfile.TemporaryDirectory() as folder:
        server = await Server.start("127.0.0.1", 0, Path(folder) / "picture.db")
        talk = TypingScreen(TYPED)
        try:
            async with Session(f"127.0.0.1:{server.port}") as session:
                request = lobby_pb2.CreateMatchRequest(position=POSITION, start_when_full=True)
                joined = await session.join((await session.create(request)).match.match_id, "Ann")
                client = LineClient(session, joined.match, await catalogue_of(session, joined.match), talk)
                await client.play({joined.seat: joined.seat_token})
        finally:
            await server.stop()
    return talk.lines[-ROWS:]


def svg(lines: list[Line]) -> str:
    """Lines as a picture. Every run of text has its place and length, so columns stand in any font."""
    width, height = WIDTH * COLUMN + 2 * MARGIN, ROWS * ROW + BAR + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {width:g} {height:g}" role="img" aria-label="A terminal during a game of Vinci">',
        f'<rect width="{width:g}" height="{height:g}" rx="10" fill="{PAPER}"/>',
        f'<path d="M0 {BAR}V10A10 10 0 0 1 10 0H{width - 10:g}A10 10 0 0 1 {width:g} 10V{BAR}Z" fill="{TITLE_BAR}"/>',
        *(
            f'<circle cx="{20 + 20 * place}" cy="{BAR / 2:g}" r="6" fill="{colour}"/>'
            for place, colour in enumerate(("#ff5f57", "#febc2e", "#28c840"))
        ),
        f'<g font-family="{FONTS}" font-size="{SIZE}" fill="{INK}" xml:space="preserve">',
        f'<text x="{width / 2:g}" y="{BAR / 2 + 5:g}" text-anchor="middle" fill="#8b949e">vinci play</text>',
    ]
    for row, line in enumerate(lines):
        column = 0
        for style, text in line:
            parts += run(style, text, MARGIN + column * COLUMN, BAR + MARGIN + row * ROW)
            column += len(text)
    return "\n".join([*parts, "</g>", "</svg>", ""])


def run(style: str, text: str, left: float, top: float) -> list[str]:
    """A run of text in one style, without the blanks around it."""
    parts = []
    attributes = look(style)
    if style == TOOLBAR:
        parts.append(f'<rect x="{left:g}" y="{top:g}" width="{len(text) * COLUMN:g}" height="{ROW}" fill="{INK}"/>')
    if inner := text.strip():
        left += (len(text) - len(text.lstrip())) * COLUMN
        place = f'x="{left:g}" y="{top + SIZE - 0.5:g}" textLength="{len(inner) * COLUMN:g}"'
        parts.append(f'<text {place} lengthAdjust="spacingAndGlyphs"{attributes}>{escape(inner)}</text>')
    return parts


def look(style: str) -> str:
    """The SVG attributes of style classes."""
    if style == TOOLBAR:
        return f' fill="{PAPER}"'
    words = " ".join(STYLE[name.removeprefix("class:")] for name in style.split()).split()
    colours = [COLOURS[word] for word in words if word in COLOURS]
    found = f' fill="{colours[-1]}"' if colours else ""
    found += ' font-weight="bold"' if "bold" in words and "nobold" not in words else ""
    return found + (' font-style="italic"' if "italic" in words else "")


def main() -> int:
    """0 if the picture is, or now is, up to date."""
    return keep(PICTURE, svg(asyncio.run(screen())), "is not what the client shows now")


if __name__ == "__main__":
    sys.exit(main())
