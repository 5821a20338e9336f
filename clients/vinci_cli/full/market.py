"""The market: six civilizations with price, pawns, the VP on them, and what their traits do."""

from vinci.v1 import game_pb2

from ..catalogue import ROMAN
from ..language import _, plural
from .effects import effect
from .game import Game
from .look import Look
from .writing import Part, Row, flowed, headed, spaced


def essentials(game: Game, look: Look, columns: int) -> list[Row]:
    """A row for each slot, and what the selected one does."""
    return _market(game, look, columns, explained=(look.slot,))


def market(game: Game, look: Look, columns: int) -> list[Row]:
    """Every slot with what its traits do."""
    return _market(game, look, columns, explained=range(1, len(ROMAN) + 1))


def _market(game: Game, look: Look, columns: int, explained: "range | tuple[int, ...]") -> list[Row]:
    rows: list[Row] = [headed(_("Market"), columns, target="tab market")]
    state = game.state
    for slot, offer in enumerate(state.market if state is not None else (), 1):
        aim = f"slot {slot}"
        is_selected = slot == look.slot
        mark = "▶" if is_selected else "•" if slot in game.legal.take and game.my_move() else " "
        name = game.names.civilization(offer.traits)
        left = [
            Part(mark, "class:title", aim),
            Part(f"{slot} ", "class:key", aim),
            Part(name, "class:selected" if is_selected else "class:title" if slot in explained else "", aim),
        ]
        rows.append(spaced(left, _terms(offer, aim), columns))
        if slot in explained:
            for code in dict.fromkeys(offer.traits):
                told = [Part(f"{game.names.trait(code)}: ", "class:hint", aim)]
                told.append(Part(effect(game.names.traits[code]), "class:faint", aim))
                rows += [[Part("    "), *row] for row in flowed(told, columns - 4)]
    return rows


def _terms(offer: game_pb2.MarketSlot, aim: str) -> Row:
    """Pawns, price, and the VP that lie on a civilization."""
    pawns = plural("{n} pawn", "{n} pawns", offer.pawns)
    price = _("{n} VP").format(n=-offer.price) if offer.price else _("free")
    bonus = f"+{offer.markers * 2}" if offer.markers else ""
    return [
        Part(pawns.rjust(8), "", aim),
        Part(price.rjust(7), "class:error" if offer.price else "", aim),
        Part(bonus.rjust(4), "class:hint", aim),
    ]


def offered(game: Game, slot: int) -> list[Part]:
    """A civilization in a sentence."""
    assert game.state is not None
    offer = game.state.market[slot - 1]
    pawns = plural("{n} pawn", "{n} pawns", offer.pawns)
    parts = [
        Part(f"{ROMAN[slot - 1]} {game.names.civilization(offer.traits)}: ", "class:title", f"slot {slot}"),
        Part(_("{pawns}, costs {price} VP").format(pawns=pawns, price=offer.price) if offer.price else pawns),
    ]
    if offer.markers:
        parts.append(Part(", " + _("brings {vp} VP").format(vp=offer.markers * 2)))
    return parts
