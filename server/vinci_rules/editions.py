"""Options of a game: the editions of section 12, single options, and values that depend on the number of seats."""

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Final, TypeAlias

from vinci_refusals.wording import Refused

from .data import DATA, LocalizedText, read, read_texts
from .traits import KINDS, TRAIT_BY_CODE, Strengths, Trait
from .values import Value

EDITIONS: Final = ("standard", "FR", "NL", "DE", "WEB")

Setting: TypeAlias = str | int | None

STARTING_VP: Final = 10
FEWEST_SEATS: Final = 3
MOST_SEATS: Final = 6
USUAL_ROUNDS: Final = 100
MOST_ROUNDS: Final = 10_000
MOST_VP: Final = 10_000
LONGEST_SHOWN: Final = 20
"""Characters of a wrong number that are repeated in its refusal."""


class OptionError(Refused, ValueError):
    """An option or its value is not known, or options do not fit together; text and facts say what would be right."""

    def __init__(self, which: str, **facts: object) -> None:
        super().__init__("BAD_OPTION", which, **facts)


@dataclass(frozen=True, slots=True)
class OptionKind(Value):
    """An option of `editions.csv`: the rule that it changes, its possible values, and its value in each edition."""

    name: str
    rule: str
    values: tuple[str, ...]
    by_edition: dict[str, str]


@cache
def option_kinds() -> tuple[OptionKind, ...]:
    """Return every option of section 12 that is not a number."""
    return tuple(
        OptionKind(
            row.text("option"), row.text("rule"), row.words("values"), {name: row.text(name) for name in EDITIONS}
        )
        for row in read(DATA / "editions.csv", "editions")
    )


@cache
def texts(kind: str) -> dict[str, LocalizedText]:
    """Return the texts of data/texts.csv by code for a kind.

    Kinds are `edition`, `option`, `value` (a value of an option), `score` (sources of VP) and `cost`.
    """
    return read_texts(DATA / "texts.csv", kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(Value):
    """The settings of a game, fixed before its start. Created by `options`.

    Attributes:
        dummies: whether each seat is a dummy; its length is the number of seats.
        target: score that ends the game, in VP.
        extra_pawns: pawns of each seat's civilizations above their strength (R-DRAFT-4, R-DUMMY-1).
        strengths: the traits whose strength is not that of `traits.csv`, with their strength.
        changed: the settings that differ from those of the edition, in canonical order, as arguments of `options`.
        text: the edition and these settings, as in a position.

    The others are options of section 12 by name.
    """

    dummies: tuple[bool, ...]
    edition: str
    own_decline_contact: str
    heritage_conquest: str
    landless_empire: str
    landless_entry: str
    split_empire: str
    give_up: str
    galleys_on_entry: str
    forts_by_sea: str
    identical_pair: str
    deck: str
    redeployment: str
    decline_score: str
    dummy_tie: str
    dummy_preference: str
    dummy_spies: str
    target: int
    max_rounds: int
    dummy_start_vp: int
    dummy_extra_pawns: int
    extra_pawns: tuple[int, ...]
    strengths: Strengths
    changed: dict[str, Setting] = field(compare=False)
    text: str

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.dummies)


NUMBERS: Final = {
    "target": (1, MOST_VP, "R-END-4"),
    "max_rounds": (1, MOST_ROUNDS, "R-END-5"),
    "dummy_start_vp": (0, MOST_VP, "R-DUMMY-7"),
    "dummy_extra_pawns": (0, 99, "R-DUMMY-7"),
}
"""Options that are numbers: minimum, maximum, and the rule that they change."""

STRENGTHS: Final = "strengths"
"""Option for studies of the balance: strengths of traits for one game, such as `WEA:5,AGR*:0`."""
MOST_STRENGTH: Final = 20


@cache
def _tables() -> dict[int, dict[str, int]]:
    columns = ("target", "extra", "dummy_extra", "solo_target")
    return {
        row.number("seats"): {name: row.number(name) for name in columns} for row in read(DATA / "tables.csv", "tables")
    }


def options(dummies: tuple[bool, ...], edition: str = "standard", **settings: Setting) -> Options:
    """Return the options of a game.

    Args:
        dummies: whether each seat is a dummy, for 3 to 6 seats.
        edition: the edition whose settings apply.
        settings: settings that differ from the edition; None means the setting of the edition.

    Raises:
        OptionError: an edition, option or value is unknown, or the target is not above the score at the start.
    """
    seats = len(dummies)
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise OptionError("SEATS", seats=seats, fewest=FEWEST_SEATS, most=MOST_SEATS)
    if edition not in EDITIONS:
        raise OptionError("EDITION", edition=edition, known=", ".join(EDITIONS))
    given = {name: value for name, value in settings.items() if value is not None}
    table = _tables()[seats]
    solo = seats == 4 and dummies.count(False) in (1, 2)
    usual_numbers = {
        "target": table["solo_target" if solo else "target"],
        "max_rounds": USUAL_ROUNDS,
        "dummy_start_vp": STARTING_VP,
        "dummy_extra_pawns": table["dummy_extra"],
    }
    chosen = {kind.name: _value(kind, edition, given.pop(kind.name, None)) for kind in option_kinds()}
    numbers = {name: _number(name, given.pop(name, usual)) for name, usual in usual_numbers.items()}
    strengths = parse_strengths(given.pop(STRENGTHS, ""))
    if given:
        raise OptionError("OPTION", option=", ".join(sorted(given)), known=", ".join([*chosen, *numbers, STRENGTHS]))
    start = max(STARTING_VP, numbers["dummy_start_vp"] if any(dummies) else 0)
    if (target := numbers["target"]) <= start:
        raise OptionError("TARGET", option=f"target={target}", target=target, vp=start)
    changed: dict[str, Setting] = {}
    for kind in option_kinds():
        if chosen[kind.name] != kind.by_edition[edition]:
            changed[kind.name] = chosen[kind.name]
    for name, usual in usual_numbers.items():
        if numbers[name] != usual:
            changed[name] = numbers[name]
    if strengths:
        changed[STRENGTHS] = ",".join([f"{KINDS[trait].code}:{pawns}" for trait, pawns in strengths])
    return Options(
        dummies=dummies,
        edition=edition,
        **chosen,
        target=target,
        max_rounds=numbers["max_rounds"],
        dummy_start_vp=numbers["dummy_start_vp"],
        dummy_extra_pawns=numbers["dummy_extra_pawns"],
        extra_pawns=tuple(numbers["dummy_extra_pawns"] if dummy else table["extra"] for dummy in dummies),
        strengths=strengths,
        changed=changed,
        text=" ".join([edition, *[f"{name}={value}" for name, value in changed.items()]]),
    )


def parse_strengths(setting: Setting) -> Strengths:
    """Return the strengths of a text such as `WEA:5,AGR*:0` that differ from `traits.csv`. Raises OptionError."""
    strengths: dict[Trait, int] = {}
    for word in filter(None, str(setting or "").split(",")):
        code, _, pawns = word.partition(":")
        trait = TRAIT_BY_CODE.get(code)
        if trait is None:
            raise _unknown_strengths(word, f"TRAIT:PAWNS with the traits {' '.join(TRAIT_BY_CODE)}")
        if trait in strengths or not re.fullmatch(r"\d{1,2}", pawns, re.ASCII) or int(pawns) > MOST_STRENGTH:
            raise _unknown_strengths(word, f"{code}:0 to {code}:{MOST_STRENGTH}, once for each trait")
        strengths[trait] = int(pawns)
    return tuple([(trait, pawns) for trait, pawns in sorted(strengths.items()) if pawns != KINDS[trait].strength])


def _unknown_strengths(word: str, known: str) -> OptionError:
    shown = word if len(word) <= LONGEST_SHOWN else f"{word[:LONGEST_SHOWN]}..."
    return OptionError("VALUE", option=f"{STRENGTHS}={shown}", known=known, rule="R-DRAFT-4")


def _value(kind: OptionKind, edition: str, value: Setting) -> str:
    if value is None:
        return kind.by_edition[edition]
    if value not in kind.values:
        raise OptionError("VALUE", option=f"{kind.name}={value}", known=", ".join(kind.values), rule=kind.rule)
    return str(value)


def _number(name: str, value: Setting) -> int:
    least, most, rule = NUMBERS[name]
    text = str(value)
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or not least <= int(text) <= most:
        shown = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."
        raise OptionError("NUMBER", option=f"{name}={shown}", least=least, most=most, rule=rule)
    return int(text)
