"""Maps of the boards as messages, from `map.json` beside the tables of each board (made by `tools/board_map.py`)."""

from functools import cache

from google.protobuf.json_format import Parse

from vinci.v1 import game_pb2 as pb
from vinci_rules.board import load_board
from vinci_rules.data import DATA


@cache
def board_map(name: str) -> pb.BoardMap:
    """Return the map of a board. Raises ValueError for an unknown board."""
    board = load_board(name)
    return Parse((DATA / "boards" / board.name / "map.json").read_text(encoding="utf-8"), pb.BoardMap())
