"""Draws docs/terminal.svg, the table in full screen in the middle of a game; with `--check`, only tells if it is stale.

Run as `python -m tools.terminal_picture [--check]`. A real server plays a fixed position, and its preview is shown.
"""

import asyncio
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Final

from prompt_toolkit.styles import Attrs, Style

from tools.generated import keep
from vinci.v1 import lobby_pb2, match_pb2
from vinci_cli.full.map.map import Art
from vinci_cli.full.table import layout
from vinci_cli.full.table.ui_state import UiState
from vinci_cli.full.table.update import cursor
from vinci_cli.full.toolkit.block import Block, cells
from vinci_cli.full.toolkit.block import width as across
from vinci_cli.full.toolkit.display import current
from vinci_cli.full.toolkit.pixels import QUADRANTS, SEXTANTS, block
from vinci_cli.full.toolkit.theme import style_sheet
from vinci_cli.game.client_match import ClientMatch
from vinci_cli.game.game_commands import GameCommands
from vinci_cli.game.loading import board_map, catalogue_of
from vinci_client.session import Session
from vinci_server.app import Server
from vinci_server.operations import logs

PICTURE: Final = Path(__file__).parents[1] / "docs" / "terminal.svg"
POSITION: Final = (
    "europe; round 8; order 1 3 4 2; turn 1 conquer;"
    " seat 1 vp=63 | MIN*+MIL reserve=7 LAP=4 | - LUS^ CAS BAE PYR AQU^ NEU^ RHI^;"
    " seat 2 dummy vp=74 | POR*+SLA IRL=3 MER=2 WES=2 ARM=2 FLA=2 | - MAS PRO ALP DAL MAC CAU TAU;"
    " seat 3 dummy vp=56 | WEA+GEN PAN=2 DAC=2 PON=3 VOL=3 | - LOM NAP;"
    " seat 4 dummy vp=84 | REN+MED SVE=1 DEN=1 FIN=1 POL=2 HEL=2 THR=1 LIV=1 NOV=1 RUT=1 MUS=2 BIT=2;"
    " neutral SAX BAV POM; market MED+REV:1 MIN+POR*:1 MIL+AGR*:1 SPI+AST:1 GAL+LIV GAL+HER; fills 13"
)
SELECTED: Final = "SVE"

COLUMNS, ROWS = 128, 42
TRUE_COLOUR: Final = 24
CELL, LINE, SIZE = 7.5, 15, 12.5
MARGIN, BAR = 12, 30
WINDOWS: Final = {"dark": ("#14171c", "#d7dce2", "#2c323a"), "light": ("#fbfaf6", "#202428", "#dcdcd8")}
"""Background, text and title bar of the window by theme."""
FONTS: Final = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
COLOURS: Final = {
    "ansiblack": "#14171c",
    "ansired": "#f47067",
    "ansigreen": "#6bc46d",
    "ansiyellow": "#daaa3f",
    "ansiblue": "#6cb6ff",
    "ansimagenta": "#dcbdfb",
    "ansicyan": "#56d4dd",
    "ansigray": "#c9d1d9",
    "ansibrightblack": "#8b949e",
    "ansiwhite": "#ffffff",
}
PIXELS: Final = {
    block(mask, grid): (grid, mask) for grid in (QUADRANTS, SEXTANTS) for mask in range(1 << grid.across * grid.down)
}
"""Block characters with the pixels that they have."""

WORDS: Final = re.compile(r"\S+(?: \S+)*")
"""Text with single blanks."""

LINES: Final = SEXTANTS.down * QUADRANTS.down
"""Lines into which a row of cells is divided, so that pixels of every block character are whole lines high."""


async def screen() -> Block:
    """Return the screen of the terminal."""
    logs.configure("error")
    with tempfile.TemporaryDirectory() as folder:
        server = await Server.start("127.0.0.1", 0, Path(folder) / "picture.db")
        try:
            async with Session(f"127.0.0.1:{server.port}") as session:
                request = lobby_pb2.CreateMatchRequest(position=POSITION, start_when_full=True)
                joined = await session.join((await session.create(request)).match.match_id, "Ann")
                return await table(session, joined)
        finally:
            await server.stop()


async def table(session: Session, joined: lobby_pb2.JoinMatchResponse) -> Block:
    """The table as the one who has joined sees it."""
    match, seats = joined.match, {joined.seat: joined.seat_token}
    game = ClientMatch(await catalogue_of(session, match), await board_map(session, match), match, seats)
    detail = match_pb2.WatchRequest(state=True, legal=True)
    async for response in session.watch(match.match_id, joined.seat_token, detail=detail):
        game.take(response)
        if game.show_next() is not None:
            break
    ui = UiState(province=SELECTED)
    art = Art(game.board_map, game.names)
    action = cursor.chosen(game, ui)
    assert action is not None
    commands = GameCommands(session, game, lambda _answer: asyncio.sleep(0))
    ui = replace(ui, preview=await commands.preview(action))
    return layout.draw(game, ui, art, COLUMNS, ROWS, TRUE_COLOUR)


def svg(block: Block) -> str:
    """A screen as a picture. Every run of text has its place and length, so columns stand in any font."""
    width, height = across(block.lines[0]) * CELL + 2 * MARGIN, block.height * LINE + BAR + 2 * MARGIN
    paper, ink, bar = WINDOWS[current().theme]
    sheet = style_sheet(TRUE_COLOUR)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {width:g} {height:g}" role="img" aria-label="A terminal during a game of Vinci">',
        f'<rect width="{width:g}" height="{height:g}" rx="10" fill="{paper}"/>',
        f'<path d="M0 {BAR}V10A10 10 0 0 1 10 0H{width - 10:g}A10 10 0 0 1 {width:g} 10V{BAR}Z" fill="{bar}"/>',
        *(
            f'<circle cx="{20 + 20 * place}" cy="{BAR / 2:g}" r="6" fill="{colour}"/>'
            for place, colour in enumerate(("#ff5f57", "#febc2e", "#28c840"))
        ),
        f'<g font-family="{FONTS}" font-size="{SIZE}" fill="{ink}">',
        f'<text x="{width / 2:g}" y="{BAR / 2 + 5:g}" text-anchor="middle" fill="#8b949e">vinci play</text>',
        f'<g transform="translate({MARGIN} {BAR + MARGIN})">',
        *areas(block, sheet),
    ]
    for row, line in enumerate(block.lines):
        column = 0
        for style, text in line:
            if not PIXELS.keys() & set(text.replace(" ", "")):
                attributes = sheet.get_attrs_for_style_str(style)
                parts += (  # single words apart, as two blanks become one in a browser
                    run(attributes, words.group(), column + sum(map(cells, text[: words.start()])), row)
                    for words in WORDS.finditer(text)
                )
            column += sum(map(cells, text))
    return "\n".join([*parts, "</g>", "</g>", "</svg>", ""])


def areas(page: Block, sheet: Style) -> Iterator[str]:
    """Return the background and the block characters: areas of equal colour in one path for each colour."""
    paths: dict[str, list[str]] = {}
    paper = WINDOWS[current().theme][0]
    for top, lines in groupby(enumerate(pixel_lines(page, sheet)), key=lambda numbered: numbered[1]):
        same = list(lines)
        column = 0
        for colour, group in groupby(top):
            long = len(list(group))
            if colour != paper:
                paths.setdefault(colour, []).append(f"M{column} {same[0][0]}h{long}v{len(same)}h-{long}z")
            column += long
    yield f'<g transform="scale({CELL / 2:g} {LINE / LINES:g})" shape-rendering="crispEdges">'
    for colour, path in paths.items():
        yield f'<path fill="{colour}" d="{"".join(path)}"/>'
    yield "</g>"


def pixel_lines(page: Block, sheet: Style) -> Iterator[list[str]]:
    """Yield the colours of lines of pixels: LINES in a row of cells, two in a cell."""
    for line in page.lines:
        pixels: list[list[str]] = [[] for _ in range(LINES)]
        for style, text in line:
            front, back = colours(sheet.get_attrs_for_style_str(style))
            for letter in text:
                grid, mask = PIXELS.get(letter, (QUADRANTS, 0))
                for number, row in enumerate(pixels):
                    bits = mask >> number * grid.down // LINES * grid.across
                    row += [front if bits & 1 else back, front if bits & 2 else back]
                    row += [back] * 2 * (cells(letter) - 1)
        yield from pixels


def colours(attributes: Attrs) -> tuple[str, str]:
    """The colours of text and of what is behind it."""
    paper, ink, _bar = WINDOWS[current().theme]
    front, back = (
        COLOURS.get(colour or "", f"#{colour}" if colour else usual)
        for colour, usual in ((attributes.color, ink), (attributes.bgcolor, paper))
    )
    return (back, front) if attributes.reverse else (front, back)


def run(attributes: Attrs, text: str, column: int, row: int) -> str:
    """A run of text in one style."""
    place = f'x="{column * CELL:g}" y="{row * LINE + SIZE - 1:g}" textLength="{sum(map(cells, text)) * CELL:g}"'
    front, _back = colours(attributes)
    weight = ' font-weight="bold"' if attributes.bold else ""
    fill = "" if front == WINDOWS[current().theme][1] else f' fill="{front}"'
    return f'<text {place} lengthAdjust="spacingAndGlyphs"{fill}{weight}>{escape(text)}</text>'


def main() -> int:
    """0 if the picture is, or now is, up to date."""
    return keep(PICTURE, svg(asyncio.run(screen())), "is not what the client shows now")


if __name__ == "__main__":
    sys.exit(main())
