"""The empires of every seat: traits, provinces, pawns on the board and in hand, what they are worth now."""

from collections.abc import Iterable
from typing import Final

from vinci.v1 import game_pb2

from ....game.client_match import ClientMatch
from ....text.i18n import _, plural
from ....text.names import listed
from ...toolkit.block import cells
from ...toolkit.text import TIE, Row, Segment, flowed, headed, spaced
from .market import both_traits

NUMBERS: Final = 13
"""Cells of the numbers of an empire."""


def empires(game: ClientMatch, columns: int, *, with_provinces: bool) -> list[Row]:
    """Both empires of each seat in the order of play; if wanted with every province and what stands there."""
    rows: list[Row] = [headed(_("Empires"), columns, _("provinces, pawns, VP"), "e", "tab empires")]
    if game.state is None:
        return rows
    for seat in game.state.order:
        held = game.state.seats[seat - 1]
        rows.append(_empire(game, held, held.active, game_pb2.HOLDING_ACTIVE, columns))
        if with_provinces:
            rows += _provinces(game.state, seat, game_pb2.HOLDING_ACTIVE, columns)
        if held.HasField("declined"):
            rows.append(_empire(game, held, held.declined, game_pb2.HOLDING_DECLINED, columns))
            if with_provinces:
                rows += _provinces(game.state, seat, game_pb2.HOLDING_DECLINED, columns)
        for told in _besides(game, held):
            rows += [
                [Segment("    "), *row] for row in flowed([Segment(told, "class:hint", f"seat {seat}")], columns - 4)
            ]
    return rows


def _empire(
    game: ClientMatch,
    held: game_pb2.SeatState,
    empire: game_pb2.Empire,
    holding: "game_pb2.Holding.ValueType",
    columns: int,
) -> Row:
    """Who, with which traits, then provinces, pawns on the board and in hand, and what that is worth."""
    aim = f"seat {held.seat}"
    room = columns - NUMBERS - 5
    is_active = holding == game_pb2.HOLDING_ACTIVE
    head = "" if is_active else _("declined") + (": " if empire.traits else "")
    name = head + both_traits([game.names.trait(code) for code in empire.traits], room - cells(head))
    if is_active:
        name = name or (_("left the game") if held.forfeited else _("no active empire"))
        style, chip = "class:title", Segment(f" {held.seat} ", f"class:chip{held.seat}", aim)
    else:
        style, chip = f"class:seat{held.seat} class:declined", Segment("   ", "", aim)
    hand = f"+{empire.reserve}" if is_active and empire.reserve else ""
    numbers = f"{empire.provinces:>2}{f'{empire.pawns}{hand}' if is_active else '':>6}"
    return spaced(
        [chip, Segment(" ", "", aim), Segment(name, style, aim)],
        [Segment(numbers, "", aim), Segment(f"{empire.vp:+4d} ", "class:hint", aim)],
        columns,
    )


def _besides(game: ClientMatch, held: game_pb2.SeatState) -> list[str]:
    """What else there is to say of a seat."""
    told = []
    if held.peace:
        told.append(_("at peace with {seats}").format(seats=listed([game.names.seat(other) for other in held.peace])))
    if held.survivors:
        told.append(plural("{n} survivor to be placed", "{n} survivors to be placed", held.survivors))
    if held.must_decline:
        told.append(_("must decline"))
    return told


def _provinces(state: game_pb2.State, seat: int, holding: "game_pb2.Holding.ValueType", columns: int) -> Iterable[Row]:
    """What an empire holds, as codes with pawns and forts."""
    found: list[Segment] = []
    held = zip(state.provinces, state.owners, state.holdings, state.pawns, state.forts, strict=True)
    for code, owner, how, number, has_fort in held:
        if owner == seat and how == holding:
            pawns = f"{TIE}{number}" if holding == game_pb2.HOLDING_ACTIVE else ""
            found += [
                Segment(f"{code}{pawns}{'^' if has_fort else ''}", "class:faint", f"province {code}"),
                Segment(" "),
            ]
    return [[Segment("    "), *row] for row in flowed(found, columns - 4)]
