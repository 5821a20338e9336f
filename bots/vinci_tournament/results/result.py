"""The result of one game of a league, the only input of standings and reports; stored as one JSON object per game."""

import json
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from vinci_rules.record import read_json


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
    from seat b. `hash` is the last one of the record and covers all of it. Nothing depends on the clock.
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

    @property
    def key(self) -> str:
        """Name of the game in file names and for `reproduce`: 12-3 is rotation 3 of block 12."""
        return f"{self.block}-{self.rotation}"

    def to_json(self) -> str:
        """Return a line of JSON, always the same for the same result."""
        return json.dumps({name: getattr(self, name) for name in self.__slots__}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "Result":
        """Parse the output of `to_json`. Raises ValueError, KeyError or TypeError for anything else."""
        fields: Any = read_json(text)
        if not isinstance(fields, dict):
            raise ValueError("it is not a JSON object")
        plain = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
        result = cls(
            **plain
            | {
                "forfeits": tuple(ForfeitResult(*forfeit) for forfeit in fields["forfeits"]),
                "civilizations": tuple(
                    CivilizationResult(seat, tuple(of), vp) for seat, of, vp in fields["civilizations"]
                ),
                "attacks": tuple(tuple(row) for row in fields["attacks"]),
            }
        )
        result._check()
        return result

    def _check(self) -> None:
        """Raise ValueError unless numbers are whole and every tuple by seat has one value per seat."""
        seats = len(self.bots)
        seated = [forfeit.seat for forfeit in self.forfeits] + [taken.seat for taken in self.civilizations]
        numbers = [self.block, self.rotation, self.rounds, self.actions, *self.ranks, *self.vp, *seated]
        numbers += [civilization.vp for civilization in self.civilizations]
        numbers += chain.from_iterable(self.attacks)
        if any(type(number) is not int for number in numbers):
            raise ValueError("a number is not a whole number")
        if {len(self.ranks), len(self.vp), len(self.attacks), *map(len, self.attacks)} != {seats}:
            raise ValueError(f"ranks, VP and attacks need one value for each of {seats} seats")
        if not {*self.ranks} <= {*range(1, seats + 1)} or not {*seated} <= {*range(seats)}:
            raise ValueError(f"ranks are from 1 to {seats}, seats from 0 to {seats - 1}")
        if not all(isinstance(text, str) for text in (self.seed, self.hash, *self.bots)):
            raise ValueError("seed, hash and names of bots are not all text")
