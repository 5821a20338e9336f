"""Full boards to draw: every province held, with the longest possible labels."""

from functools import cache
from random import Random
from typing import Final

from vinci.v1 import game_pb2 as pb
from vinci_cli.full.map.map import Art, Marks
from vinci_cli.records.loader import names_of
from vinci_codec.catalogue import board_map
from vinci_codec.states import state
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import options
from vinci_rules.engine import new_game

SIZES: Final = ((73, 17), (80, 17), (80, 19), (106, 48), (239, 88))
"""Sizes left for the map by a window of 80x24, one that is just wide enough for panes beside it, and larger ones."""

MARKED: Final = Marks(
    selected="RHI",
    targets={"FLA": 4, "SAX": 12, "BAV": 3, "ALP": 0},
    changed=frozenset({"POL"}),
    lost=frozenset({"MUS"}),
    planned={"IRL": 13, "SCO": 2},
    forts=frozenset({"SCO"}),
)


@cache
def art(board: str = "europe") -> Art:
    """Return a board as cells, in English."""
    return Art(board_map(board), names_of(load_board(board)))


def empty(board: str = "europe") -> pb.State:
    """Return the board before the first conquest, without neutral pawns."""
    result = state(new_game(load_board(board), options((False,) * 6), FastChance(1)))
    for place in range(len(result.provinces)):
        hold(result, result.provinces[place], pb.HOLDING_NOBODY)
    return result


def crowded() -> pb.State:
    """Return Europe with every province held and fortified and garrisons of up to 12; always the same."""
    result, random = empty(), Random(1)
    for code in result.provinces:
        holding = pb.HOLDING_ACTIVE if random.random() < 0.7 else pb.HOLDING_DECLINED
        pawns = random.choice((1, 2, 9, 12)) if holding == pb.HOLDING_ACTIVE else 1
        hold(result, code, holding, random.randint(1, 6), pawns, fort=True)
    return result


def hold(
    state: pb.State, code: str, holding: pb.Holding.ValueType, owner: int = 0, pawns: int = 0, *, fort: bool = False
) -> None:
    """Let a seat hold a province."""
    place = list(state.provinces).index(code)
    state.holdings[place], state.owners[place] = holding, owner
    state.pawns[place], state.forts[place] = pawns, fort
