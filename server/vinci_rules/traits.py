"""Traits: strength, effects, and the copies of each effect that an empire has (section 6)."""

from functools import cache
from typing import Final, NewType, TypeAlias, final

from .data import DATA, TableRow, read

Trait = NewType("Trait", int)
"""A kind of trait: its index in `traits.csv`, from 0."""

Effect = NewType("Effect", int)
"""The effect of a trait; plain and lasting traits of one name share it."""

Traits: TypeAlias = tuple[Trait, ...]
"""The traits of a civilization or empire: two, or those that stay with a declined empire."""

Strengths: TypeAlias = tuple[tuple[Trait, int], ...]
"""Traits whose strength differs from `traits.csv` in a game, in the order of the table, with their strength there."""

Copies: TypeAlias = tuple[int, ...]
"""The number of copies of each effect, indexed by `Effect`."""


@final
class TraitKind:
    """A line of `traits.csv`."""

    def __init__(self, row: TableRow) -> None:
        self.code: Final = row.text("code")
        self.names: Final = row.names()
        self.descriptions: Final = row.descriptions()
        self.effect_name: Final = row.text("effect")
        self.lasting: Final = row.flag("lasting")
        self.strength: Final = row.number("strength")
        self.source: Final = row.text("source")
        self.colour: Final = row.text("colour")
        self.vp: Final = row.number("vp")
        self.per: Final = row.text("per")
        self.in_deck: Final = {deck: row.number(deck) for deck in ("author", "printed")}


KINDS: Final = tuple(TraitKind(row) for row in read(DATA / "traits.csv", "traits"))
TRAITS: Final = tuple(Trait(place) for place in range(len(KINDS)))
TRAIT_BY_CODE: Final = {kind.code: Trait(place) for place, kind in enumerate(KINDS)}

_PAIRS: Final = tuple(tuple(f"{one.code}+{other.code}" for other in KINDS) for one in KINDS)
EFFECT_NAMES: Final = tuple(dict.fromkeys(kind.effect_name for kind in KINDS))
_EFFECT_OF: Final = tuple(Effect(EFFECT_NAMES.index(kind.effect_name)) for kind in KINDS)


def _effect(name: str) -> Effect:
    return Effect(EFFECT_NAMES.index(name))


SLAVERY: Final = _effect("slavery")
WEAPONS: Final = _effect("weapons")
SPIES: Final = _effect("spies")
FORTS: Final = _effect("forts")
GALLEYS: Final = _effect("galleys")
GENERAL: Final = _effect("general")
MILITIA: Final = _effect("militia")
MOUNTAINEERS: Final = _effect("mountaineers")
ASTRONOMY: Final = _effect("astronomy")
DIPLOMACY: Final = _effect("diplomacy")
HERITAGE: Final = _effect("heritage")
MEDICINE: Final = _effect("medicine")
MESSAGES: Final = _effect("messages")
RENAISSANCE: Final = _effect("renaissance")
REVOLUTION: Final = _effect("revolution")

SPECIALIZATION: Final = TRAIT_BY_CODE["SPE"]
GENERAL_PAWNS: Final = 7

BONUSES: Final = tuple(
    (effect, per, vp)
    for effect, per, vp in dict.fromkeys((_EFFECT_OF[t], KINDS[t].per, KINDS[t].vp) for t in TRAITS if KINDS[t].vp)
)
"""Effects that score: (effect, the thing that scores, VP for each copy)."""


@cache
def copies_of(traits: Traits) -> Copies:
    """Return the copies of each effect; Specialization doubles the other trait, traits with one effect add up."""
    copies = [0] * len(EFFECT_NAMES)
    for trait in _specialized(traits):
        copies[_EFFECT_OF[trait]] += 1
    return tuple(copies)


@cache
def strength_of(traits: Traits, changed: Strengths = ()) -> int:
    """Return the pawns of two traits (R-DRAFT-4); Specialization gives one more than the other trait (R-DRAFT-5).

    `changed` are the strengths of the game that differ from `traits.csv`.
    """
    new = dict(changed)
    pawns = [new.get(trait, KINDS[trait].strength) for trait in _specialized(traits)]
    return sum(pawns) + sum(new.get(trait, KINDS[trait].strength) for trait in traits if trait == SPECIALIZATION)


@cache
def lasting(traits: Traits) -> Traits:
    """Return the traits that stay with an empire in decline (R-DECL-4)."""
    if not any(KINDS[trait].lasting for trait in traits):
        return ()
    return tuple(trait for trait in traits if KINDS[trait].lasting or trait == SPECIALIZATION)


def codes_of(traits: Traits) -> str:
    """Return the codes of traits as in positions, such as `WEA+MIL`; `-` for none."""
    if len(traits) == 2:  # most have two
        return _PAIRS[traits[0]][traits[1]]
    return "+".join([KINDS[trait].code for trait in traits]) or "-"


def _specialized(traits: Traits) -> Traits:
    """Return the traits with Specialization replaced by the other trait."""
    if SPECIALIZATION not in traits:
        return traits
    others = tuple(trait for trait in traits if trait != SPECIALIZATION)
    return others * 2
