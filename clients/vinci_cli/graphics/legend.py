"""Title and legend of the drawn board: its signs, and with a position the state of the seats."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from vinci.v1 import game_pb2 as pb

from ..text.i18n import _
from ..text.names import Catalogue, round_title
from . import text_width
from .labels import MARK, Box, LabelPart, token
from .symbols import TERRAINS

MARGIN: Final = 70
"""Margin around the map."""

TITLE: Final = 78
TITLE_SPACING: Final = 0.3
SIZE: Final = 30
CREDIT: Final = 20
LINE: Final = 56
AIR: Final = 16
SIGN: Final = 62
"""Width of a coloured field in the legend."""


def title_of(board_map: pb.BoardMap, state: pb.State | None) -> list[LabelPart]:
    """Place the name of the board above the map, and the round below the name."""
    text = board_map.board.upper()
    across = text_width.width(text, TITLE, spacing=TITLE * TITLE_SPACING)
    parts = [LabelPart("title", Box((board_map.width - across) / 2, -TITLE * 1.85, across, TITLE * 1.1), TITLE, text)]
    if state is not None:
        when = round_title(state.round)
        across = text_width.width(when, SIZE)
        parts.append(
            LabelPart("text", Box((board_map.width - across) / 2, -TITLE * 0.75, across, SIZE * 1.2), SIZE, when)
        )
    return parts


def legend_of(
    board_map: pb.BoardMap, state: pb.State | None, names: Catalogue, *, seats: bool = True
) -> tuple[list[LabelPart], float]:
    """Place the legend below the map, with the seats if wanted; return its parts and its lower end."""
    parts, top = _table(_signs(state, names), board_map.width, board_map.height + LINE * 0.7)
    if state is not None and seats:
        entries, top = _table([_seat(seat, names) for seat in state.seats], board_map.width, top + LINE * 0.3)
        parts += entries
    across = text_width.width(board_map.credit, CREDIT)
    box = Box(board_map.width - across, top + LINE * 0.2, across, CREDIT * 1.2)
    return [*parts, LabelPart("credit", box, CREDIT, board_map.credit)], top + LINE * 0.2 + CREDIT


def _signs(state: pb.State | None, names: Catalogue) -> list[tuple[LabelPart, str]]:
    """Return the entries of the legend: a sign and its meaning."""
    field = Box(0, 0, SIGN, LINE * 0.62)
    mark = Box(0, 0, SIZE * MARK, SIZE * MARK)
    parts = [(LabelPart("field", field, SIZE, code=terrain), names.terrain(terrain)) for terrain in TERRAINS]
    parts += [
        (LabelPart("port", mark, SIZE), _("Port")),
        (LabelPart("mine", mark, SIZE), _("Mine")),
        (LabelPart("strait", field, SIZE), _("Strait")),
        (LabelPart("field", field, SIZE, code="sea"), _("Sea")),
        (LabelPart("field", field, SIZE, code="coast"), _("Coast")),
    ]
    if state is not None:
        parts += [
            (LabelPart("field", field, SIZE, code="pasture", seat=1), _("Active empire")),
            (LabelPart("field", field, SIZE, code="pasture", seat=1, declined=True), _("Declined empire")),
            (token("3", SIZE, 1), _("Seat and pawns")),
            (token("3", SIZE, 0), _("Neutral pawns")),
            (LabelPart("fort", mark, SIZE), _("Fort")),
        ]
    return parts


def _seat(seat: pb.SeatState, names: Catalogue) -> tuple[LabelPart, str]:
    """Return the entry of a seat: colour, player, score and civilizations."""
    facts = [_("{player}: {vp} VP").format(player=names.player(seat.seat), vp=seat.vp)]
    facts += filter(None, empires_of(seat, names))
    chip = LabelPart("chip", Box(0, 0, SIGN, LINE * 0.62), SIZE, str(seat.seat), seat=seat.seat)
    return chip, "  ·  ".join(facts)


def empires_of(seat: pb.SeatState, names: Catalogue) -> tuple[str, str]:
    """Return the names of the active and the declined empire of a seat; empty for none."""
    active = names.civilization(seat.active.traits) if seat.HasField("active") else ""
    declined = _("{traits} (declined)").format(traits=names.civilization(seat.declined.traits))
    return active, declined if seat.HasField("declined") else ""


def _table(rows: Sequence[tuple[LabelPart, str]], width: int, top: float) -> tuple[list[LabelPart], float]:
    """Place entries in as many columns as fit; return their parts and the start of the next line."""
    widest_sign = max(sign.box.width for sign, _text in rows) + AIR
    widest_text = max(text_width.width(text, SIZE) for _sign, text in rows)
    most = max(1, int((width + 2 * AIR) // (widest_sign + widest_text + 2 * AIR)))
    lines = -(-len(rows) // most)
    columns = -(-len(rows) // lines)
    size = SIZE * min(1.0, (width - widest_sign) / widest_text)
    parts: list[LabelPart] = []
    for number, (sign, text) in enumerate(rows):
        left, middle = number % columns * width / columns, top + (number // columns + 0.5) * LINE
        parts.append(replace(sign, box=sign.box.moved(left, middle - sign.box.height / 2)))
        across = text_width.width(text, size)
        box = Box(left + sign.box.width + AIR, middle - size * 0.6, across, size * 1.2)
        parts.append(LabelPart("text", box, size, text))
    return parts, top + lines * LINE
