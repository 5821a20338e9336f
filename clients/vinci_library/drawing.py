"""Pictures of positions, as `vinci board` draws them."""

from vinci_cli.graphics import board_svg
from vinci_cli.records.loader import names_of
from vinci_codec import catalogue, states
from vinci_rules.state import State


def svg(state: State) -> str:
    """Return the board with a position as an SVG element."""
    board = state.board
    shapes = catalogue.board_map(board.name)
    return board_svg.svg(shapes, catalogue.board(board), states.state(state), names_of(board))
