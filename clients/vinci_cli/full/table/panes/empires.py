"""The empires of every seat: traits, provinces, pawns on the board and in hand, VP they would score now."""

from collections.abc import Iterable
from functools import partial
from typing import Final

from vinci.v1 import game_pb2

from ....game.client_match import ClientMatch
from ....text.i18n import N_, _, plural
from ....text.names import listed
from ...toolkit.block import cells
from ...toolkit.text import TIE, Row, Segment, indented, spaced
from ..ui_state import UiState
from .market import both_traits
from .pane import Pane, Size

NUMBERS: Final = 13
"""Cells of the numbers of an empire."""


def empires(game: ClientMatch, _ui: UiState, columns: int, _rows: int, *, with_provinces: bool) -> list[Row]:
    """Both empires of each seat in the order of play; `with_provinces` adds every province with its pawns and fort."""
    rows: list[Row] = [PANE.head(_("Empires"), columns, _("provinces, pawns, VP"))]
    if game.state is None:
        return rows
    for seat in game.state.order:
        seat_state = game.state.seats[seat - 1]
        both = [(seat_state.active, game_pb2.HOLDING_ACTIVE), (seat_state.declined, game_pb2.HOLDING_DECLINED)]
        for empire, holding in both if seat_state.HasField("declined") else both[:1]:
            rows.append(_empire(game, seat_state, empire, holding, columns))
            rows += _provinces(game.state, seat, holding, columns) if with_provinces else []
        for fact in _other_facts(game, seat_state):
            rows += indented([Segment(fact, "class:hint", f"seat {seat}")], columns, 4)
    return rows


def _fitting(game: ClientMatch, ui: UiState, columns: int, rows: int) -> list[Row]:
    """Empires with their provinces if there is room for them, else without."""
    in_full = FULL(game, ui, columns, rows)
    return in_full if len(in_full) <= rows else SHORT(game, ui, columns, rows)


def _empire(
    game: ClientMatch,
    seat_state: game_pb2.SeatState,
    empire: game_pb2.Empire,
    holding: "game_pb2.Holding.ValueType",
    columns: int,
) -> Row:
    """Seat and traits, then provinces, pawns on the board and in hand, and VP."""
    aim = f"seat {seat_state.seat}"
    room = columns - NUMBERS - 5
    is_active = holding == game_pb2.HOLDING_ACTIVE
    head = "" if is_active else _("declined") + (": " if empire.traits else "")
    name = head + both_traits([game.names.trait(code) for code in empire.traits], room - cells(head))
    if is_active:
        name = name or (_("left the game") if seat_state.forfeited else _("no active empire"))
        style, chip = "class:title", Segment(f" {seat_state.seat} ", f"class:chip{seat_state.seat}", aim)
    else:
        style, chip = f"class:seat{seat_state.seat} class:declined", Segment("   ", "", aim)
    hand = f"+{empire.reserve}" if is_active and empire.reserve else ""
    numbers = f"{empire.provinces:>2}{f'{empire.pawns}{hand}' if is_active else '':>6}"
    return spaced(
        [chip, Segment(" ", "", aim), Segment(name, style, aim)],
        [Segment(numbers, "", aim), Segment(f"{empire.vp:+4d} ", "class:hint", aim)],
        columns,
    )


def _other_facts(game: ClientMatch, seat_state: game_pb2.SeatState) -> list[str]:
    """Peace, survivors and a duty to decline, one sentence each."""
    facts = []
    if seat_state.peace:
        facts.append(
            _("at peace with {seats}").format(seats=listed([game.names.seat(other) for other in seat_state.peace]))
        )
    if seat_state.survivors:
        facts.append(plural("{n} survivor to be placed", "{n} survivors to be placed", seat_state.survivors))
    if seat_state.must_decline:
        facts.append(_("must decline"))
    return facts


def _provinces(state: game_pb2.State, seat: int, holding: "game_pb2.Holding.ValueType", columns: int) -> Iterable[Row]:
    """Codes of the provinces of an empire with pawns and forts."""
    parts: list[Segment] = []
    rows = zip(state.provinces, state.owners, state.holdings, state.pawns, state.forts, strict=True)
    for code, owner, how, number, has_fort in rows:
        if owner == seat and how == holding:
            pawns = f"{TIE}{number}" if holding == game_pb2.HOLDING_ACTIVE else ""
            text = f"{code}{pawns}{'^' if has_fort else ''}"
            parts += [Segment(text, "class:faint", f"province {code}"), Segment(" ")]
    return indented(parts, columns, 4)


SHORT: Final = partial(empires, with_provinces=False)
FULL: Final = partial(empires, with_provinces=True)
PANE: Final = Pane(
    "empires", _fitting, "e", N_("empires"), sizes=(Size(6, SHORT), Size(8, FULL)), draw_open=SHORT, scrolls=True
)
