"""The empires of every seat: traits, provinces, pawns on the board and in hand, what they are worth now."""

from vinci.v1 import game_pb2

from ..catalogue import listed
from ..language import _, plural
from .game import Game
from .writing import Part, Row, flowed, headed, spaced


def empires(game: Game, columns: int, *, with_provinces: bool) -> list[Row]:
    """Both empires of each seat in the order of play; if wanted with every province and what stands there."""
    rows: list[Row] = [headed(_("Empires"), columns, target="tab empires")]
    if game.state is None:
        return rows
    for seat in game.state.order:
        rows += empire(game, seat, columns, with_provinces=with_provinces)
    return rows


def empire(game: Game, seat: int, columns: int, *, with_provinces: bool) -> list[Row]:
    """The empires of one seat."""
    state = game.state
    assert state is not None
    held = state.seats[seat - 1]
    aim = f"seat {seat}"
    score = [Part(_("{n} VP").format(n=held.vp), "class:title", aim)]
    name = game.names.player(seat) + (" " + _("(you)") if seat in game.seats else "")
    rows: list[Row] = [spaced([Part(f" {seat} {name}", f"class:seat{seat}", aim)], score, columns)]
    if held.HasField("active"):
        rows += _indented(_active(game, held.active, aim), columns)
        if with_provinces:
            rows += _indented(_provinces(state, seat, game_pb2.HOLDING_ACTIVE), columns)
    elif not held.forfeited:
        rows += _indented([Part(_("no active empire"), "class:faint", aim)], columns)
    if held.HasField("declined"):
        rows += _indented(_declined(game, held.declined, aim), columns)
        if with_provinces:
            rows += _indented(_provinces(state, seat, game_pb2.HOLDING_DECLINED), columns)
    for told in _besides(game, held):
        rows += _indented([Part(told, "class:hint", aim)], columns)
    return rows


def _indented(parts: list[Part], columns: int) -> list[Row]:
    return [[Part("   "), *row] for row in flowed(parts, columns - 3, 2)]


def _active(game: Game, active: game_pb2.Empire, aim: str) -> list[Part]:
    land = plural("{n} province", "{n} provinces", active.provinces)
    pawns = plural("{n} pawn", "{n} pawns", active.pawns)
    told = _("{land}, {pawns}, {hand} in hand, worth {vp} VP").format(
        land=land, pawns=pawns, hand=active.reserve, vp=active.vp
    )
    return [Part(game.names.civilization(active.traits), "class:title", aim), Part(f": {told}", "", aim)]


def _declined(game: Game, declined: game_pb2.Empire, aim: str) -> list[Part]:
    land = plural("{n} province", "{n} provinces", declined.provinces)
    told = _("declined: {land}, worth {vp} VP").format(land=land, vp=declined.vp)
    traits = f", {game.names.civilization(declined.traits)}" if declined.traits else ""
    return [Part(told + traits, "class:declined", aim)]


def _besides(game: Game, held: game_pb2.SeatState) -> list[str]:
    """What else there is to say of a seat."""
    told = []
    if held.peace:
        told.append(_("peace with {seats}").format(seats=listed([game.names.seat(other) for other in held.peace])))
    if held.survivors:
        told.append(plural("{n} pawn survives, to be placed", "{n} pawns survive, to be placed", held.survivors))
    if held.must_decline:
        told.append(_("must decline"))
    if held.forfeited:
        told.append(_("left the game"))
    return told


def _provinces(state: game_pb2.State, seat: int, holding: "game_pb2.Holding.ValueType") -> list[Part]:
    """What an empire holds, as codes with pawns and forts."""
    found = []
    for place, code in enumerate(state.provinces):
        if state.owners[place] == seat and state.holdings[place] == holding:
            pawns = f" {state.pawns[place]}" if holding == game_pb2.HOLDING_ACTIVE else ""
            fort = "^" if state.forts[place] else ""
            found.append(Part(f"{code}{pawns}{fort}".replace(" ", "\u00a0"), "class:faint", f"province {code}"))
            found.append(Part(" "))
    return found
