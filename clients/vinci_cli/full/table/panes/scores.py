"""The scores: VP of each seat towards the target, VP it would score now, its clock, and whether its player is there."""

from functools import partial
from typing import Final

from vinci.v1 import lobby_pb2

from ....game.client_match import ClientMatch
from ....text.i18n import _
from ....text.names import label
from ....text.tables import would_score
from ...toolkit.block import cells
from ...toolkit.text import Row, Segment, across, headed, shortened, spaced
from ..ui_state import UiState
from .pane import Pane, Size

MOVES: Final = "▶"
"""Mark of the seat to act."""

HAS_TURN: Final = "▷"
"""Mark of the seat whose turn it is while another one acts."""

LEAST_SCORE: Final = 12
"""Cells of mark, number, score and VP to come beside a name, and the gap behind them."""

LEAST_NAME: Final = 12
"""Cells of mark, number and name that are kept before there is room for "(you)"."""


def brief(game: ClientMatch, columns: int) -> list[Row]:
    """Every seat in one or two rows: mark, number, name, score, VP it would score now."""
    state = game.state
    if state is None:
        return [[Segment(f" {seat.seat} {label(seat.player) or _('open')}  ") for seat in game.match.seats]]
    longest = max(cells(game.names.player(seat)) for seat in state.order)
    rows = 1 if len(state.order) * max(LEAST_SCORE + longest, 20) <= columns else 2  # the scores alone change nothing
    each = -(-len(state.order) // rows)
    wide = columns // each
    lines: list[Row] = []
    for start in range(0, len(state.order), each):
        row: list[Segment] = []
        for seat in state.order[start : start + each]:
            score = [Segment(f" {state.seats[seat - 1].vp}", "class:title", f"seat {seat}"), *_would_score(game, seat)]
            score += _presence(game, seat)
            head = shortened([*_who(game, seat, wide - across(score) - 1), *score], wide - 1)
            row += [*head, Segment(" " * (wide - across(head)))]
        lines.append(row)
    return lines


def scores(game: ClientMatch, _ui: UiState, columns: int, _rows: int, *, with_bars: bool) -> list[Row]:
    """A row for each seat in the order of play; `with_bars` adds a bar up to the target below each."""
    state = game.state
    if state is None:
        return [headed(_("Seats"), columns), *_open_seats(game)]
    more = _("last round") if state.last_round else _("to {target} VP").format(target=state.target)
    rows: list[Row] = [headed(_("Scores"), columns, more)]
    for seat in state.order:
        clock, gain, presence = _clock(game, seat), _would_score(game, seat), _presence(game, seat)
        right = [Segment(f"{state.seats[seat - 1].vp:>4}", "class:title", f"seat {seat}")]
        right += [*gain, Segment(" " * (4 - across(gain)))]
        right += [Segment(" " * (8 - across(clock))), *clock] if any(map(game.clocks.face, state.order)) else []
        name = _who(game, seat, columns - across(right) - across(presence) - 1)
        rows.append(spaced([*name, *presence], right, columns))
        if with_bars:
            rows.append(_bar(game, seat, columns))
    return rows


def _who(game: ClientMatch, seat: int, most: int) -> Row:
    state = game.state
    assert state is not None
    mark = MOVES if seat == state.seat_to_act else HAS_TURN if seat == state.turn_seat and state.seat_to_act else " "
    name = game.names.player(seat)
    own = " " + _("(you)") if seat in game.seats else ""
    aim, style = f"seat {seat}", f"class:seat{seat}"
    chip = Segment(f" {seat} ", f"class:chip{seat}", aim)
    parts = [Segment(mark, "class:title", aim), chip, Segment(f" {name}", style, aim)]
    if most - cells(own) < min(across(parts), LEAST_NAME):
        own = ""
    return [*shortened(parts, most - cells(own)), Segment(own, style, aim)]


def _would_score(game: ClientMatch, seat: int) -> list[Segment]:
    """VP that a seat would score now; nothing once it has left or its last turn is over."""
    assert game.state is not None
    if game.state.seats[seat - 1].scores_no_more:
        return []
    return [Segment(f"+{would_score(game.state, seat, game.legal)}", "class:hint", f"seat {seat}")]


def _presence(game: ClientMatch, seat: int) -> list[Segment]:
    """One word for a seat that left, is substituted or whose player is offline."""
    assert game.state is not None
    place = game.match.seats[seat - 1]
    if game.state.seats[seat - 1].forfeited:
        return [Segment(_(" left"), "class:faint")]
    if place.substituted:
        return [Segment(" " + _("subst."), "class:faint")]
    if place.kind == lobby_pb2.SEAT_KIND_HUMAN and not place.connected and not game.replayed:
        return [Segment(" " + _("offline"), "class:faint")]
    return []


def _clock(game: ClientMatch, seat: int) -> list[Segment]:
    face = game.clocks.face(seat)
    if not face or game.match.seats[seat - 1].kind == lobby_pb2.SEAT_KIND_DUMMY:
        return []
    if seat != game.clocks.running:
        return [Segment(f"{face} ", "class:faint")]
    is_low = game.clocks.left(seat) < game.clocks.low
    return [Segment(f"{MOVES}{face}{'!' if is_low else ' '}", "class:error" if is_low else "class:title")]


def _bar(game: ClientMatch, seat: int, columns: int) -> Row:
    """Progress to the target: VP scored, VP that would be scored now, VP missing."""
    assert game.state is not None
    seat_state = game.state.seats[seat - 1]
    room = columns - 2
    target = max(game.state.target, 1)
    done = min(seat_state.vp * room // target, room)
    more = 0 if seat_state.scores_no_more else would_score(game.state, seat, game.legal)
    soon = min(-(-(seat_state.vp + more) * room // target), room) - done if more else 0
    aim = f"seat {seat}"
    return [
        Segment(" "),
        Segment("█" * done, f"class:seat{seat}", aim),
        Segment("▒" * soon, f"class:seat{seat}", aim),
        Segment("·" * (room - done - soon), "class:faint", aim),
    ]


def _open_seats(game: ClientMatch) -> list[Row]:
    kinds = {
        lobby_pb2.SEAT_KIND_DUMMY: _("dummy"),
        lobby_pb2.SEAT_KIND_BOT: _("computer player"),
        lobby_pb2.SEAT_KIND_HUMAN: _("person"),
    }
    rows: list[Row] = []
    for seat in game.match.seats:
        is_due = seat.seat in game.match.nonces_due  # the game starts when all of these are connected
        absent = "" if seat.taken and (seat.connected or not is_due) else ", " + _("not here yet")
        name = Segment(f" {seat.seat} {label(seat.player) if seat.taken else '…'}", f"class:seat{seat.seat}")
        rows.append([name, Segment(f"  {kinds.get(seat.kind, '')}{absent}", "class:faint")])
    return rows


FULL: Final = partial(scores, with_bars=True)
PANE: Final = Pane("scores", FULL, sizes=(Size(0, partial(scores, with_bars=False)), Size(5, FULL)))
