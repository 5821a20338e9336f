"""Draws eight screens of the client in two themes into docs/pictures, for people who change how it looks.

Run as `python -m tools.screen_pictures` (`make pictures`). Nothing compares them with what the client shows.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from tools.terminal_picture import POSITION, svg
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_bots.builtin import selfplay
from vinci_cli.full.lobby.menu import menu
from vinci_cli.full.map.map import Art, Marks
from vinci_cli.full.replay.page import ReplayPage
from vinci_cli.full.replay.summary import SummaryPage
from vinci_cli.full.table import layout
from vinci_cli.full.table.ui_state import UiState
from vinci_cli.full.table.update import placing
from vinci_cli.full.toolkit import display
from vinci_cli.full.toolkit.app import App
from vinci_cli.full.toolkit.block import Block
from vinci_cli.full.toolkit.menu import boxed
from vinci_cli.game.client_match import ClientMatch
from vinci_cli.game.replay import PlayedGame, ReplayPosition
from vinci_cli.game.statistics import story
from vinci_cli.lobby_session import scene
from vinci_cli.records.loader import load, names_of
from vinci_codec import states
from vinci_codec.catalogue import board_map
from vinci_rules import position
from vinci_rules.board import load_board
from vinci_rules.editions import options

FOLDER: Final = Path(__file__).parents[1] / "docs" / "pictures"
DEPTH: Final = 24
START: Final = POSITION.replace("turn 1 conquer", "turn 1 start").replace("reserve=7 LAP=4", "reserve=10 LAP")
"""The same position at the start of the turn."""


def table(text: str, *, changed: tuple[str, ...] = ()) -> ClientMatch:
    """Return a match at a position, as the seat to act sees it."""
    state = position.read(text)
    own = state.actor + 1
    names = ("Ann", "Bertha", "Carl", "Dora", "Emil", "Fritz")
    seats = [
        lobby_pb2.MatchSeat(seat=seat + 1, player=names[seat], taken=True, connected=True) for seat in state.seats()
    ]
    match = lobby_pb2.Match(status=lobby_pb2.MATCH_STATUS_RUNNING, seats=seats)
    game = ClientMatch(names_of(state.board), board_map(state.board.name), match, {own: "token"})
    update = game_pb2.Update(revision=57, state=states.state(state), legal=states.legal(state))
    game.take(match_pb2.WatchResponse(update=update))
    game.show_next()
    game.changed = frozenset(changed)
    return game


def drawn(game: ClientMatch, ui: UiState, columns: int, rows: int) -> Block:
    """Return the table."""
    return layout.draw(game, ui, Art(game.board_map, game.names), columns, rows, DEPTH)


def title(columns: int, rows: int) -> Block:
    """Return the title screen."""
    shown = scene()
    board = Art(shown.board_map, shown.names).draw(shown.state, Marks(), columns, rows - 1, DEPTH)
    return boxed(menu([], "quick", is_at_home=True), board, columns, rows)


def game_of_bots() -> PlayedGame:
    """Return a game that bots have played."""
    lines = selfplay.play(("greedy",) * 4, load_board("europe"), options((False,) * 4), "pictures").lines
    path = FOLDER / "game.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    try:
        return load(path)
    finally:
        path.unlink()


def screens() -> dict[str, Callable[[], Block]]:
    """Return what draws each screen, by its name."""
    conquest, start = table(POSITION, changed=("SVE", "POL")), table(START)
    hold = replace(UiState(province="LAP"), plan=placing.suggested("hold", conquest.legal))
    played = game_of_bots()
    halfway = ReplayPosition(played)
    halfway.go(halfway.last * 2 // 3)
    statistics = story(played.updates, played.times)
    app = App()
    return {
        "title": lambda: title(120, 36),
        "market": lambda: drawn(start, UiState(tab="market", slot=2), 80, 24),
        "conquest-80x24": lambda: drawn(conquest, UiState(province="DEN"), 80, 24),
        "conquest-120x40": lambda: drawn(conquest, UiState(province="SVE"), 120, 40),
        "conquest-160x50": lambda: drawn(conquest, UiState(province="SVE"), 160, 50),
        "hold-120x36": lambda: drawn(conquest, hold, 120, 36),
        "replay": lambda: ReplayPage(app, halfway).draw(120, 40, DEPTH),
        "summary": lambda: SummaryPage(app, statistics, played.names).draw(120, 40, DEPTH),
    }


def main() -> None:
    """Draw all screens in both themes."""
    FOLDER.mkdir(exist_ok=True)
    for theme in display.THEMES:
        display.choose(display.Display(theme, "sextants"))
        for name, draw in screens().items():
            (FOLDER / f"{name}-{theme}.svg").write_text(svg(draw()), encoding="utf-8")


if __name__ == "__main__":
    main()
