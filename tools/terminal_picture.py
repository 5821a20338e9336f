"""Draws docs/terminal.svg, a full screen in the middle of a game; with `--check`, only tells whether it is up to date.

Run as `python tools/terminal_picture.py [--check]`. A real server plays from a fixed position; what is drawn is the
page that a person has before them there, cell by cell.
"""

import asyncio
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from generated import keep
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_cli.deeds import Deeds
from vinci_cli.full import frame
from vinci_cli.full.block import Block, cells
from vinci_cli.full.colours import style_sheet
from vinci_cli.full.face import board_map
from vinci_cli.full.game import Game
from vinci_cli.full.look import Look
from vinci_cli.full.map import Art
from vinci_cli.line import catalogue_of
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
DONE, SELECTED = "x NOR", "SVE"
"""What has been done in this turn, and the province that is looked at."""

COLUMNS, ROWS, DEPTH = 132, 40, 24
WIDE, HIGH, SIZE = 8.0, 16, 13
MARGIN, BAR = 10, 30
PAPER, INK, TITLE_BAR = "#14171c", "#d7dce2", "#2c323a"
FONTS: Final = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
HALVES: Final = {"▀": (True, False), "▄": (False, True), "█": (True, True)}
"""Characters that are drawn as pixels: which halves of the cell have the colour of the ink."""


class Cell(NamedTuple):
    """A cell: the colours of its halves, and what is written on it."""

    upper: str
    lower: str
    letter: str
    look: str


async def page() -> Block:
    """The page."""
    logs.configure("error")
    with tempfile.TemporaryDirectory() as folder:
        server = await Server.start("127.0.0.1", 0, Path(folder) / "picture.db")
        try:
            async with Session(f"127.0.0.1:{server.port}") as session:
                return await _page(session)
        finally:
            await server.stop()


async def _page(session: Session) -> Block:
    request = lobby_pb2.CreateMatchRequest(position=POSITION, start_when_full=True)
    joined = await session.join((await session.create(request)).match.match_id, "Ann")
    match, seats = joined.match, {joined.seat: joined.seat_token}
    await session.act(match.match_id, joined.seat_token, [game_pb2.Action(notation=DONE)], 0)
    game = Game(await catalogue_of(session, match), await board_map(session, match), match, seats)
    detail = match_pb2.WatchRequest(state=True, legal=True)
    async for told in session.watch(match.match_id, joined.seat_token, from_revision=0, detail=detail):
        game.take(told)
        while game.show_next() is not None:
            pass
        if game.revision == 1:
            break
    deeds = Deeds(session, game, seats, game.names, lambda _text, _style: None, _nothing)
    conquest = game_pb2.Action(conquer=game_pb2.Conquer(province=SELECTED))
    look = Look(province=SELECTED, preview=await deeds.preview(conquest))
    return frame.draw(game, look, Art(game.board_map, game.names), COLUMNS, ROWS, DEPTH)


async def _nothing(_revision: int) -> None:
    """Nobody waits."""


def painted(block: Block) -> list[list[Cell]]:
    """The cells of a page."""
    sheet = style_sheet(DEPTH)
    rows = []
    for line in block.lines:
        row: list[Cell] = []
        for style, text in line:
            its = sheet.get_attrs_for_style_str(style)
            ink, paper = (f"#{its.color}" if its.color else INK), (f"#{its.bgcolor}" if its.bgcolor else PAPER)
            if its.reverse:
                ink, paper = paper, ink
            look = f' fill="{ink}"' if ink != INK else ""
            look += ' font-weight="bold"' if its.bold else ""
            look += ' font-style="italic"' if its.italic else ""
            for letter in text:
                upper, lower = HALVES.get(letter, (False, False))
                shown = " " if letter in HALVES else letter
                row.append(Cell(ink if upper else paper, ink if lower else paper, shown, look))
                row += [Cell(paper, paper, "", look)] * (cells(letter) - 1)
        rows.append(row)
    return rows


def svg(rows: list[list[Cell]]) -> str:
    """The cells as a picture. Every run of text has its place and length, so columns stand in any font."""
    width, height = COLUMNS * WIDE + 2 * MARGIN, ROWS * HIGH + BAR + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {width:g} {height:g}" role="img" aria-label="A terminal during a game of Vinci">',
        f'<rect width="{width:g}" height="{height:g}" rx="10" fill="{PAPER}"/>',
        f'<path d="M0 {BAR}V10A10 10 0 0 1 10 0H{width - 10:g}A10 10 0 0 1 {width:g} 10V{BAR}Z" fill="{TITLE_BAR}"/>',
        *(
            f'<circle cx="{20 + 20 * place}" cy="{BAR / 2:g}" r="6" fill="{colour}"/>'
            for place, colour in enumerate(("#ff5f57", "#febc2e", "#28c840"))
        ),
        f'<g transform="translate({MARGIN} {BAR + MARGIN}) scale({WIDE:g} {HIGH / 2:g})" shape-rendering="crispEdges">',
        *(f'<path fill="{colour}" d="{path}"/>' for colour, path in grounds(rows).items()),
        "</g>",
        f'<g font-family="{FONTS}" font-size="{SIZE}" fill="{INK}" xml:space="preserve">',
        f'<text x="{width / 2:g}" y="{BAR / 2 + 5:g}" text-anchor="middle" fill="#8b949e">vinci play</text>',
        *texts(rows),
        "</g>",
        "</svg>",
        "",
    ]
    return "\n".join(parts)


def grounds(rows: list[list[Cell]]) -> dict[str, str]:
    """For each colour the path of its pixels, half a cell each: runs side by side, as high as they stay the same."""
    pixels = [[getattr(cell, half) for cell in row] for row in rows for half in ("upper", "lower")]
    found: defaultdict[str, str] = defaultdict(str)
    open_runs: dict[tuple[int, int, str], int] = {}
    for y, line in enumerate([*pixels, []]):
        here = set(_runs(line))
        for run in [run for run in open_runs if run not in here]:
            start, stop, colour = run
            top = open_runs.pop(run)
            found[colour] += f"M{start} {top}V{y}H{stop}V{top}Z"
        for run in sorted(here):
            open_runs.setdefault(run, y)
    return dict(found)


def _runs(line: list[str]) -> Iterator[tuple[int, int, str]]:
    """Start, end and colour of neighbouring pixels of a colour that is not the paper."""
    start = 0
    for colour, same in groupby(line):
        stop = start + len(list(same))
        if colour != PAPER:
            yield start, stop, colour
        start = stop


def texts(rows: list[list[Cell]]) -> Iterator[str]:
    """What is written, in runs without the blanks around them."""
    for number, row in enumerate(rows):
        column = 0
        for look, same in groupby(row, key=lambda cell: cell.look):
            run = [cell.letter for cell in same]
            inner = "".join(run).strip()
            if inner:
                left = MARGIN + (column + len(run) - len("".join(run).lstrip())) * WIDE
                place = f'x="{left:g}" y="{BAR + MARGIN + number * HIGH + SIZE - 0.5:g}"'
                length = f'textLength="{len(inner) * WIDE:g}" lengthAdjust="spacingAndGlyphs"'
                yield f"<text {place} {length}{look}>{escape(inner)}</text>"
            column += len(run)


def main() -> int:
    """0 if the picture is, or now is, up to date."""
    return keep(PICTURE, svg(painted(asyncio.run(page()))), "is not what the client shows now")


if __name__ == "__main__":
    sys.exit(main())
