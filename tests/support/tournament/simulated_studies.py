"""Simulated balance studies with known truth: games whose scores follow from bots, seats, traits and luck."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from vinci_tournament.balance.comparison import ArmGames, ArmReport, compare
from vinci_tournament.balance.effects import CODES
from vinci_tournament.balance.facts import GameFacts, Taking

BOTS: Final = ("strong", "weak")
BOT_VP: Final = (8.0, 0.0)
PLACE_VP: Final = (3.0, 1.0, 0.0, -1.0, -2.0, -3.0)
ROUNDS: Final = (0, 4, 8)
"""Rounds in which seats take civilizations."""
OPENING_LUCK, LUCK = 8.0, 12.0
"""Standard deviation of the VP of a seat that games of a block share in all arms, and of the rest."""


def arm(study: int, name: str, blocks: int, worth: Mapping[str, float], *, seats: int = 4) -> list[GameFacts]:
    """Return the games of an arm: those of a study share openings and luck by block; traits have this worth in VP."""
    games = []
    for block in range(blocks):
        shared = np.random.default_rng([study, block])
        opening = [(_market(shared), shared.normal(0, OPENING_LUCK)) for _ in range(seats)]
        own = np.random.default_rng([study, block, *name.encode()])
        games += [_game(block, rotation, opening, worth, own) for rotation in range(seats)]
    return games


def study(number: int, blocks: int, changed: Mapping[str, float], *, seats: int = 4) -> ArmReport:
    """Return the report of an arm in which these traits are worth more than in the base, by this many VP."""
    worth = dict(zip(CODES, np.random.default_rng(number).normal(0, 3, len(CODES)), strict=True))
    stronger = {code: vp + changed.get(code, 0.0) for code, vp in worth.items()}
    base = ArmGames("base", (), {seats: arm(number, "base", blocks, worth, seats=seats)})
    other = ArmGames("changed", tuple(changed), {seats: arm(number, "changed", blocks, stronger, seats=seats)})
    return compare([base, other])[1]


def _market(chance: np.random.Generator) -> tuple[str, ...]:
    first, step = chance.integers(len(CODES), size=6), chance.integers(1, len(CODES), size=6)
    return tuple(f"{CODES[one]}+{CODES[(one + more) % len(CODES)]}" for one, more in zip(first, step, strict=True))


def _game(
    block: int,
    rotation: int,
    opening: list[tuple[tuple[str, ...], float]],
    worth: Mapping[str, float],
    own: np.random.Generator,
) -> GameFacts:
    seats = len(opening)
    order = tuple((rotation + place) % seats for place in range(seats))
    bots = tuple(BOTS[(seat + rotation) % 2] for seat in range(seats))
    takings = []
    vp = [0.0] * seats
    for number in ROUNDS:
        for place, seat in enumerate(order):
            market = opening[place][0] if number == 0 else _market(own)
            taking = Taking(seat, number, int(own.integers(6)), int(own.integers(3)), market)
            takings.append(taking)
            vp[seat] += sum(worth[trait] for trait in taking.traits) - taking.cost
    for place, seat in enumerate(order):
        vp[seat] += 90 + PLACE_VP[place] + BOT_VP[BOTS.index(bots[seat])] + opening[place][1] + own.normal(0, LUCK)
    final = tuple(round(score) for score in vp)
    ranks = tuple(1 + sum(other > score for other in final) for score in final)
    return GameFacts(block, f"{block}-{rotation}", bots, order, final, ranks, 10, 3, tuple(takings))
