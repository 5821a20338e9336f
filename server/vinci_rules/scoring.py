"""Scores of empires, by province and by traits (R-SCORE-1 to R-SCORE-3, section 6)."""

from collections.abc import Iterable
from functools import cache
from typing import Final, Literal

from .board import Board, Province, Provinces, members
from .events import Log, Scored, ScoreItem, TargetReached
from .state import Empire, Seat, State
from .traits import BONUSES, EFFECT_NAMES, SLAVERY, Traits, copies_of

LAND: Final = "province"
"""The source of the VP that every province scores, in a `ScoreItem`."""


@cache
def bonuses(traits: Traits) -> tuple[tuple[str, str, int], ...]:
    """Return the VP of traits by province: (effect, the terrain or mark that scores, VP for each)."""
    copies = copies_of(traits)
    return tuple(
        (EFFECT_NAMES[effect], per, vp * copies[effect])
        for effect, per, vp in BONUSES
        if copies[effect] and per != "pawn"
    )


@cache
def sources(board: Board, traits: Traits) -> tuple[tuple[str, Provinces, int], ...]:
    """Return the sources of VP of an empire with these traits: (source, provinces of the board that score, VP each)."""
    land = (LAND, board.having["province"] & ~board.mountains, 1)
    return (land, *((name, board.having[per], vp) for name, per, vp in bonuses(traits)))


def land_vp(board: Board, empire: Empire | None) -> int:
    """Return the VP of an empire's provinces, without Slavery."""
    total = 0
    if empire is not None:
        for _, scoring, vp in sources(board, empire.traits):
            total += (scoring & empire.provinces).bit_count() * vp
    return total


def slavery_vp(state: State, empire: Empire) -> int:
    """Return the VP for the pawns removed this turn."""
    return empire.copies[SLAVERY] * state.eliminated


def held_vp(state: State, kept: Iterable[Province]) -> int:
    """Return what the seat to act scores if it keeps only these provinces of its active empire."""
    empire = state.empire()
    value = worth(state.board, empire.traits)
    land = land_vp(state.board, state.declined[state.actor])
    return sum([value[p] for p in kept]) + slavery_vp(state, empire) + land


@cache
def worth(board: Board, traits: Traits) -> tuple[int, ...]:
    """Return the VP of each province of the board for an empire with these traits."""
    total = [0] * len(board.provinces)
    for _, scoring, vp in sources(board, traits):
        for p in members(scoring):
            total[p] += vp
    return tuple(total)


def items(state: State, seat: Seat, declining: Traits | None = None) -> tuple[ScoreItem, ...]:
    """Return the score of a seat if it scored now, by empire, province and source."""
    result: list[ScoreItem] = []
    active, declined = state.active[seat], _declined(state, seat, declining)
    if active is not None:
        result += _land_items(state.board, active, "active")
        if slavery_vp(state, active):
            result.append(ScoreItem("active", EFFECT_NAMES[SLAVERY], None, slavery_vp(state, active)))
    if declined is not None:
        result += _land_items(state.board, declined, "declined")
    return tuple(result)


def score(state: State, seat: Seat, log: Log, declining: Traits | None = None) -> None:
    """Add the VP of a seat's empires to its score (R-SCORE-1, R-SCORE-2).

    In the turn of a decline, `declining` are the traits by which the declined empire scores, if not by those that stay
    with it (R-DECL-5).
    """
    active = state.active[seat]
    vp = land_vp(state.board, active) + land_vp(state.board, _declined(state, seat, declining))
    if active is not None:
        vp += slavery_vp(state, active)
    if log is not None:
        log.append(Scored(seat, items(state, seat, declining), vp, state.vp[seat] + vp))
    award(state, seat, vp, log)


def award(state: State, seat: Seat, vp: int, log: Log) -> None:
    """Add VP to a score and record whether it reaches the target (R-END-1, R-END-3)."""
    state.vp[seat] += vp
    if not state.target_reached and state.vp[seat] >= state.options.target:
        state.target_reached = True
        if log is not None:
            log.append(TargetReached(seat, state.vp[seat]))


def _declined(state: State, seat: Seat, declining: Traits | None) -> Empire | None:
    """Return the declined empire of a seat, with the traits `declining` if given."""
    empire = state.declined[seat]
    return empire if empire is None or declining is None else Empire.of(declining, empire.provinces)


def _land_items(board: Board, empire: Empire, name: Literal["active", "declined"]) -> list[ScoreItem]:
    return [
        ScoreItem(name, source, Province(p), vp)
        for source, scoring, vp in sources(board, empire.traits)
        for p in members(scoring & empire.provinces)
    ]
