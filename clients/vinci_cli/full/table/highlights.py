"""The marks on the map, from the match and the selection."""

from collections.abc import Sequence
from typing import Final

from ...game.client_match import ClientMatch
from ...game.preview import Preview
from ...text import recap
from ...text.recap import Attack
from ..map.map import Marks
from .ui_state import UiState

SPIES_COST: Final = 2
"""Pawns of a conquest by Spies."""


def marks(game: ClientMatch, ui: UiState) -> Marks:
    """Marks for the selection, targets with their costs, changes, losses and planned pawns."""
    targets: dict[str, int] = {}
    if ui.plan is None and game.my_move() and not game.is_barred():
        targets = dict.fromkeys(game.legal.conquer_by_spies, SPIES_COST)
        targets |= zip(game.legal.conquer, game.legal.cost, strict=True)
    planned = dict(ui.plan.pawns) if ui.plan is not None else {}
    if ui.plan is not None and ui.plan.kind == "redeploy" and game.state is not None:
        there = dict(zip(game.state.provinces, game.state.pawns, strict=True))
        planned = {code: there[code] + pawns for code, pawns in planned.items()}
    return Marks(
        selected=ui.province,
        targets=targets,
        changed=game.changed,
        lost=_lost(ui.preview, game.seat) if ui.preview is not None else frozenset(),
        planned=planned,
        forts=frozenset(ui.plan.forts) if ui.plan is not None else frozenset(),
        own=game.seat,
    )


def attacks(game: ClientMatch, ui: UiState) -> Sequence[Attack]:
    """Attacks to show by arrows: those of others since the own last turn in a recap, else those that are shown now."""
    if ui.is_recap:
        return recap.attacks(recap.since_last_turn(game.recent, game.seat), game.seat)
    return () if game.my_move() or game.is_over() else game.attacks


def _lost(preview: Preview, own: int) -> frozenset[str]:
    """Provinces that would be evacuated, or cut off from the largest part."""
    lost: set[str] = set()
    for event in preview.events:
        lost.update(event.evacuated.provinces)
        if event.decline_vanished.seat == own:
            lost.update(event.decline_vanished.provinces)
    largest = max(preview.parts, key=len, default=[])
    return frozenset(lost.union(*(part for part in preview.parts if part is not largest)))
