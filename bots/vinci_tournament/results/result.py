"""The result of one game of a league, the only input of standings and reports; stored as one JSON object per game."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, Final, NamedTuple

from vinci_rules.record import read_json

from ..definition.league import Conditions, League


class CivilizationResult(NamedTuple):
    """A civilization that was played: seat from 0, codes of its two traits in order, and total VP."""

    seat: int
    traits: tuple[str, ...]
    vp: int


class ForfeitResult(NamedTuple):
    """A forfeit of a bot: seat from 0, and reason (`exit`, `clock`, `memory`, …).

    `action` is the number of actions before it, `position` the position at that time as text.
    """

    seat: int
    reason: str
    action: int
    position: str


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a game. Tuples by seat start with seat 1; seat numbers count from 0.

    A game is identified by its block and its rotation, both from 0. `ranks` count from 1; equal scores share a rank,
    and seats that forfeited have the last ones. `attacks[a][b]` is the number of provinces with pawns that seat a took
    from seat b. `hash` is the last one of the record and covers all of it. `conditions` are those of the league when
    the game was played, None in a result of an earlier version. Nothing depends on the clock.
    """

    block: int
    rotation: int
    seed: str
    bots: tuple[str, ...]
    ranks: tuple[int, ...]
    vp: tuple[int, ...]
    rounds: int
    actions: int
    forfeits: tuple[ForfeitResult, ...]
    civilizations: tuple[CivilizationResult, ...]
    attacks: tuple[tuple[int, ...], ...]
    hash: str
    conditions: Conditions | None = None

    @property
    def key(self) -> str:
        """Name of the game in file names and for `reproduce`: 12-3 is rotation 3 of block 12."""
        return f"{self.block}-{self.rotation}"

    def to_json(self) -> str:
        """Return a line of JSON, always the same for the same result."""
        stored = {name: getattr(self, name) for name in self.__slots__}
        conditions = stored.pop("conditions")
        if conditions is not None:  # results of earlier versions keep their lines
            stored["conditions"] = conditions.stored()
        return json.dumps(stored, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "Result":
        """Parse the output of `to_json`. Raises ValueError, KeyError or TypeError for anything else."""
        return SharedValues().result(text)


def beginning(line: str) -> str:
    """Return the JSON of a result without what follows its forfeits, which is most of it and takes longest to read."""
    start, found, _ = line.partition(',"civilizations":')  # not within a text, where a quote is escaped
    return f"{start}}}" if found else line


def outlines(lines: Sequence[str]) -> list[Result]:
    """Return results without what follows their forfeits from their lines, in a tenth of the time, unchecked.

    Raises ValueError, KeyError or TypeError for lines that `Result.to_json` does not write.
    """
    return [
        Result(
            game["block"],
            game["rotation"],
            game["seed"],
            tuple(game["bots"]),
            tuple(game["ranks"]),
            tuple(game["vp"]),
            game["rounds"],
            game["actions"],
            tuple([ForfeitResult(*forfeit) for forfeit in game["forfeits"]]),
            (),
            (),
            "",
        )
        for game in read_json(f"[{','.join(map(beginning, lines))}]")
    ]


class _Civilizations(dict[str, CivilizationResult]):
    """Civilizations by their JSON without brackets, so that it is parsed once; `rows` has their traits."""

    def __init__(self, rows: dict[tuple[Any, ...], tuple[Any, ...]]) -> None:
        super().__init__()
        self._rows: Final = rows

    def __missing__(self, text: str) -> CivilizationResult:
        seat, of, vp = read_json(f"[{text}]")
        self[text] = CivilizationResult(seat, self._rows.setdefault(traits := tuple(of), traits), vp)
        return self[text]


class SharedValues:
    """Reads results so that equal civilizations, rows of attacks, names and ranks are stored once.

    A result of 20 civilizations then needs 0.8 KB instead of 4.
    """

    def __init__(self) -> None:
        self._rows: Final[dict[tuple[Any, ...], tuple[Any, ...]]] = {}
        self._civilizations: Final = _Civilizations(self._rows)

    def result(self, text: str) -> Result:
        """Parse the output of `Result.to_json`. Raises ValueError, KeyError or TypeError for anything else."""
        start, has_some, rest = text.partition(',"civilizations":[[')  # not within a text, where a quote is escaped
        civilizations, attacks, end = rest.partition(']],"attacks":')
        fields: Any = read_json(f"{start}{attacks[2:]}{end}")
        if not isinstance(fields, dict):
            raise ValueError("it is not a JSON object")
        if has_some:
            fields["civilizations"] = tuple(map(self._civilizations.__getitem__, civilizations.split("],[")))
        else:
            played = fields["civilizations"]
            fields["civilizations"] = tuple([CivilizationResult(seat, tuple(of), vp) for seat, of, vp in played])
        _check(fields)
        rows = self._rows
        fields |= {name: rows.setdefault(row := tuple(fields[name]), row) for name in ("bots", "ranks")}
        fields["vp"] = tuple(fields["vp"])
        fields["forfeits"] = tuple([ForfeitResult(*forfeit) for forfeit in fields["forfeits"]])
        fields["attacks"] = tuple([rows.setdefault(row := tuple(taken), row) for taken in fields["attacks"]])
        if "conditions" in fields:
            conditions = Conditions(**fields["conditions"])
            fields["conditions"] = rows.setdefault(conditions, conditions)
        return Result(**fields)


def forfeit_reasons(results: Iterable[Result]) -> dict[str, Counter[str]]:
    """Return the number of forfeits of each bot that has any, by reason."""
    found: dict[str, Counter[str]] = {}
    for result in results:
        for forfeit in result.forfeits:
            found.setdefault(result.bots[forfeit.seat], Counter())[forfeit.reason] += 1
    return found


def in_words(reasons: Counter[str]) -> str:
    """Return numbers of forfeits as text, the most frequent reason first: `3 memory, 1 clock`."""
    return ", ".join(f"{number} {reason}" for reason, number in reasons.most_common())


def other_conditions(league: League, results: Iterable[Result]) -> Iterator[tuple[str, list[str]]]:
    """Yield a sentence, and the games, for each set of conditions that the league does not have, or has no more."""
    of_block = cache(league.conditions_of)
    keys = defaultdict[tuple[Conditions, Conditions], list[str]](list)
    for result in results:
        possible = of_block(result.block)
        if result.conditions is not None and result.conditions not in possible:
            keys[result.conditions, possible[-1]].append(result.key)
    for (then, now), played in keys.items():
        number = f"{len(played)} games, such as {played[0]}, were" if len(played) > 1 else f"game {played[0]} was"
        changes = [
            f"{name} {json.dumps(before)} instead of {json.dumps(after)}"
            for name, before, after in zip(Conditions._fields, then, now, strict=True)
            if before != after
        ]
        yield f"{number} played with {', '.join(changes)} as in the definition of the league", played


def _check(fields: dict[str, Any]) -> None:
    """Raise ValueError unless numbers are whole and every list by seat has one value per seat."""
    ranks, vp, bots, attacks = (fields[name] for name in ("ranks", "vp", "bots", "attacks"))
    seats = len(bots)
    seated = [forfeit[0] for forfeit in fields["forfeits"]] + [taken[0] for taken in fields["civilizations"]]
    numbers = [fields["block"], fields["rotation"], fields["rounds"], fields["actions"], *ranks, *vp, *seated]
    numbers += [civilization[2] for civilization in fields["civilizations"]]
    numbers += chain.from_iterable(attacks)
    if not set(map(type, numbers)) <= {int}:
        raise ValueError("a number is not a whole number")
    if {len(ranks), len(vp), len(attacks), *map(len, attacks)} != {seats}:
        raise ValueError(f"ranks, VP and attacks need one value for each of {seats} seats")
    if not {*ranks} <= {*range(1, seats + 1)} or not {*seated} <= {*range(seats)}:
        raise ValueError(f"ranks are from 1 to {seats}, seats from 0 to {seats - 1}")
    if not all(isinstance(text, str) for text in (fields["seed"], fields["hash"], *bots)):
        raise ValueError("seed, hash and names of bots are not all text")
