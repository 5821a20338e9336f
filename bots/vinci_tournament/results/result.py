"""The result of one game of a league: all that standings and reports are made of. Kept as one JSON object a game."""

import json
from dataclasses import dataclass
from typing import Any, NamedTuple

from vinci_rules.record import read_json


class CivilizationResult(NamedTuple):
    """A civilization that was played: its seat, from 0, its two traits as codes in order, the VP it scored in all."""

    seat: int
    traits: tuple[str, ...]
    vp: int


class ForfeitResult(NamedTuple):
    """A bot that left the game by its own fault: its seat, from 0, why (`exit`, `clock`, `memory`, …), where.

    `action` is how many actions had been played, `position` the position then, as text.
    """

    seat: int
    reason: str
    action: int
    position: str


@dataclass(frozen=True, slots=True)
class Result:
    """One game. Whatever is told by seat starts with seat 1; a seat as a number counts from 0.

    A game is known by its block and its rotation in it, both from 0. `ranks` count from 1, equal scores share one, and
    those who forfeited have the last ones. `attacks[a][b]` is how many provinces with pawns seat a took from seat b.
    `hash` is the last one of the record and stands for all of it. Nothing here depends on the clock of the machine.
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
        """How files of the game are called, and what `reproduce` takes: 12-3 is rotation 3 of block 12."""
        return f"{self.block}-{self.rotation}"

    def to_json(self) -> str:
        """One line of JSON, always the same for the same result."""
        return json.dumps({name: getattr(self, name) for name in self.__slots__}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "Result":
        """What `to_json` wrote. Raises ValueError, KeyError or TypeError for anything else."""
        fields: Any = read_json(text)
        if not isinstance(fields, dict):
            raise ValueError("it is no JSON object")
        kept = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
        found = cls(
            **kept
            | {
                "forfeits": tuple(ForfeitResult(*one) for one in fields["forfeits"]),
                "civilizations": tuple(
                    CivilizationResult(seat, tuple(of), vp) for seat, of, vp in fields["civilizations"]
                ),
                "attacks": tuple(tuple(row) for row in fields["attacks"]),
            }
        )
        found._check()
        return found

    def _check(self) -> None:
        """Raises ValueError where figures are none, or not one for each seat."""
        seats = len(self.bots)
        seated = [one.seat for one in self.forfeits] + [one.seat for one in self.civilizations]
        earned = [one.vp for one in self.civilizations]
        taken = [number for row in self.attacks for number in row]
        numbers = [
            self.block,
            self.rotation,
            self.rounds,
            self.actions,
            *self.ranks,
            *self.vp,
            *seated,
            *earned,
            *taken,
        ]
        if any(type(number) is not int for number in numbers):
            raise ValueError("a whole number is wanted where there is none")
        if {len(self.ranks), len(self.vp), len(self.attacks), *map(len, self.attacks)} != {seats}:
            raise ValueError(f"ranks, VP and attacks of {seats} seats are wanted")
        if not {*self.ranks} <= {*range(1, seats + 1)} or not {*seated} <= {*range(seats)}:
            raise ValueError(f"ranks are from 1 to {seats}, seats from 0 on")
        if not all(isinstance(text, str) for text in (self.seed, self.hash, *self.bots)):
            raise ValueError("a text is wanted where there is none")
