"""The market: six civilizations with price, pawns, the VP on them, and the effects of their traits."""

from collections.abc import Sequence
from typing import Final

from vinci.v1 import game_pb2

from ....game.client_match import ClientMatch
from ....text import advice
from ....text.i18n import N_, _, plural, titled
from ...toolkit.block import cells
from ...toolkit.text import Row, Segment, across, indented, spaced
from ..ui_state import UiState
from .pane import Pane, Size

ALL_EXPLAINED: Final = 1000
"""Rows in which there is room for every explanation."""


def market(game: ClientMatch, ui: UiState, columns: int, rows: int) -> list[Row]:
    """Every slot; the selected one is explained, the others as far as all of it fits into these rows."""
    offers = list(game.state.market) if game.state is not None else []
    left = rows - 1 - len(offers)
    explained: dict[int, list[Row]] = {}
    for slot in sorted(range(1, len(offers) + 1), key=lambda slot: slot != ui.slot):
        if slot != ui.slot and left <= 0:
            break
        rows_of_slot = _explained(game, slot, columns)
        left -= len(rows_of_slot)
        if slot == ui.slot or left >= 0:
            explained[slot] = rows_of_slot
    rows_shown: list[Row] = [PANE.head(_("Market"), columns, _("pawns, VP"))]
    for slot, offer in enumerate(offers, 1):
        rows_shown += [_offer(game, ui, slot, offer, columns), *explained.get(slot, [])]
    return rows_shown


def is_looked_at(game: ClientMatch, ui: UiState) -> bool:
    """Whether a slot of the market is selected, and not a province."""
    is_market = ui.tab == PANE.name or (game.is_drafting() and not ui.province)
    return bool(ui.slot) and game.state is not None and is_market


def _offer(game: ClientMatch, ui: UiState, slot: int, offer: game_pb2.MarketSlot, columns: int) -> Row:
    aim = f"slot {slot}"
    can_take = game.my_move() and slot in game.legal.take
    mark = "▶" if slot == ui.slot else "•" if can_take else " "
    style = "class:selected" if slot == ui.slot else "class:title" if can_take else ""
    assert game.state is not None
    terms = _terms(game.state.market, slot, aim)
    name = both_traits([game.names.trait(code) for code in offer.traits], columns - across(terms) - 4)
    left = [Segment(mark, "class:title", aim), Segment(f"{slot} ", "class:key", aim), Segment(name, style, aim)]
    return spaced(left, terms, columns)


def _explained(game: ClientMatch, slot: int, columns: int) -> list[Row]:
    return [row for parts in sentences(game, slot)[1:] for row in indented(parts, columns, 3, 1)]


def both_traits(names: list[str], most: int) -> str:
    """Two names in at most this many cells; if they are too long, the longer one is cut first, then both."""
    while cells(text := "+".join(names)) > most:
        longest = max(range(len(names)), key=lambda place: len(names[place]))
        names[longest] = names[longest].rstrip("…")[:-1] + "…"
    return text


def _terms(offers: Sequence[game_pb2.MarketSlot], slot: int, aim: str) -> Row:
    """Pawns, price, and the VP on a civilization, in columns as wide as all offers need."""
    rows = [(str(offer.pawns), _price(offer), f"+{offer.markers * 2}" if offer.markers else "") for offer in offers]
    wide = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    pawns, price, bonus = (" " * (width - cells(text)) + text for text, width in zip(rows[slot - 1], wide, strict=True))
    return [
        Segment(f" {pawns}", "class:title", aim),
        Segment(f" {price}", "class:error" if offers[slot - 1].price else "", aim),
        Segment(f" {bonus}" if wide[2] else "", "class:hint", aim),
    ]


def _price(offer: game_pb2.MarketSlot) -> str:
    return f"-{offer.price}" if offer.price else _(" free").strip()


def offered(game: ClientMatch, slot: int) -> list[Segment]:
    """A civilization in one sentence."""
    assert game.state is not None
    offer = game.state.market[slot - 1]
    facts = [plural("{n} pawn", "{n} pawns", offer.pawns)]
    if offer.price:
        facts.append(_("costs {n} VP").format(n=offer.price))
    if offer.markers:
        facts.append(_("{n} VP lie on it").format(n=offer.markers * 2))
    name = titled(game.names.civilization(offer.traits))
    parts = [Segment(name, "class:title", f"slot {slot}"), Segment(", ".join(facts))]
    if game.my_move() and slot in game.legal.take:
        enter = Segment(_("Enter"), "class:key", "key enter")
        parts += [Segment(" · ", "class:faint"), enter, Segment(" " + _("takes it"))]
    return parts


def sentences(game: ClientMatch, slot: int) -> list[list[Segment]]:
    """A civilization, what it could take and score, and the effects of its traits, one sentence each."""
    assert game.state is not None
    aim, names = f"slot {slot}", game.names
    traits = dict.fromkeys(game.state.market[slot - 1].traits)
    effects = [
        [Segment(titled(names.trait(code)), "class:hint", aim), Segment(names.trait_description(code), "", aim)]
        for code in traits
    ]
    hope = [[Segment(advice.prospect(game.prospects[slot], names), "", aim)]] if slot in game.prospects else []
    return [offered(game, slot), *hope, *effects]


PANE: Final = Pane(
    "market",
    market,
    "m",
    N_("market"),
    sizes=(
        Size(4, lambda game, ui, columns, _rows: market(game, ui, columns, 0)),
        Size(7, lambda game, ui, columns, _rows: market(game, ui, columns, ALL_EXPLAINED)),
    ),
    has_selection=is_looked_at,
)
