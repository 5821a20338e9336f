"""What bots used of the machine in a league: told to its organiser, and no part of a report, since machines differ."""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from vinci_bots.local.local_match import ResourceUse
from vinci_rules.record import read_json


class Cost(NamedTuple):
    """What a bot used in a game: seconds of CPU, most bytes of memory, decisions, milliseconds for all and at most."""

    bot: str
    cpu: float
    memory: int
    decisions: int
    think_ms_sum: int
    think_ms_longest: int


@dataclass(frozen=True, slots=True)
class Costs:
    """What the bots of a game used, but for dummies; kept as one JSON object a game."""

    key: str
    seats: tuple[Cost, ...]

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps({"game": self.key, "seats": [one._asdict() for one in self.seats]}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "Costs":
        """What `to_json` wrote. Raises ValueError, KeyError or TypeError for anything else."""
        fields: Any = read_json(text)
        return cls(str(fields["game"]), tuple(Cost(**one) for one in fields["seats"]))


def costs(key: str, bots: Iterable[str], uses: Iterable[ResourceUse | None]) -> Costs:
    """What was used in a game, by seat."""
    seats = [
        Cost(bot, round(use.cpu, 2), use.memory, len(use.thought), sum(use.thought), max(use.thought, default=0))
        for bot, use in zip(bots, uses, strict=True)
        if use is not None
    ]
    return Costs(key, tuple(seats))


def by_bot(games: Iterable[Costs]) -> dict[str, tuple[int, Cost]]:
    """In how many seats a bot was watched, and what it used in all of them: sums, and the most memory and time."""
    found = defaultdict[str, list[Cost]](list)
    for game in games:
        for cost in game.seats:
            found[cost.bot].append(cost)
    return {
        bot: (
            len(of),
            Cost(
                bot,
                sum(one.cpu for one in of),
                max(one.memory for one in of),
                sum(one.decisions for one in of),
                sum(one.think_ms_sum for one in of),
                max(one.think_ms_longest for one in of),
            ),
        )
        for bot, of in sorted(found.items())
    }
