"""Resources that bots used in a league; shown by `status`, but not in reports, because machines differ."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import ceil
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from vinci_bots.local.local_match import MEGABYTE, ResourceUse
from vinci_rules.record import read_json

from ..definition.league import LeagueBot


class Cost(NamedTuple):
    """Resources of a bot in a game: CPU seconds, peak bytes of memory, decisions, total and longest time in ms.

    A bot that plays in the process of the worker has no memory of its own; its time is CPU time.
    """

    bot: str
    cpu: float
    memory: int
    decisions: int
    think_ms_sum: int
    think_ms_longest: int


Fields: TypeAlias = tuple[str, float, int, int, int, int]
"""The fields of a `Cost`."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Resources of the bots of a game, except dummies; stored as one JSON object per game."""

    key: str
    seats: tuple[Cost, ...]

    def to_json(self) -> str:
        """Return a line of JSON."""
        return json.dumps({"game": self.key, "seats": [cost._asdict() for cost in self.seats]}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "Costs":
        """Parse the output of `to_json`. Raises ValueError, KeyError or TypeError for anything else."""
        fields: Any = read_json(text)
        return cls(str(fields["game"]), tuple(Cost(**cost) for cost in fields["seats"]))


def costs(key: str, bots: Iterable[str], uses: Iterable[ResourceUse | None]) -> Costs:
    """Return the resources used in a game, by seat."""
    seats = [
        Cost(bot, round(use.cpu, 2), use.memory, len(use.thought), sum(use.thought), max(use.thought, default=0))
        for bot, use in zip(bots, uses, strict=True)
        if use is not None
    ]
    return Costs(key, tuple(seats))


def costs_here(key: str, bots: Iterable[LeagueBot], thought: Iterable[Sequence[float]]) -> Costs | None:
    """Return the resources that bots without processes of their own used in a game, from CPU seconds of decisions.

    None if only dummies played.
    """
    seats = [
        Cost(
            bot.name, round(sum(times), 6), 0, len(times), round(1000 * sum(times)), ceil(1000 * max(times, default=0))
        )
        for bot, times in zip(bots, thought, strict=True)
        if not bot.is_dummy
    ]
    return Costs(key, tuple(seats)) if seats else None


def described(used: Mapping[str, tuple[int, Cost]]) -> Iterator[str]:
    """Yield lines of text about the totals of `by_bot`; none if nothing was measured."""
    if used:
        yield "resources used on this machine: CPU per game and decision, peak memory, mean and longest decision time:"
    for bot, (seats, cost) in used.items():
        decisions = max(cost.decisions, 1)
        memory = f"{cost.memory / MEGABYTE:.0f} MB" if cost.memory else "-"
        cpu, each = (f"{cost.cpu / seats:.2f} s", f"{1000 * cost.cpu / decisions:.2f} ms") if cost.cpu else ("-", "-")
        yield (
            f"     {bot:<24}  {cpu:>8}  {each:>10}  {memory:>6}"
            f"  {cost.think_ms_sum / decisions:>6.0f} ms  {cost.think_ms_longest:>6} ms"
        )


def seats_of(lines: Sequence[str]) -> Iterator[Fields]:
    """Yield the fields of the seats of games from lines of JSON. Raises ValueError, KeyError or TypeError."""
    games: Any = read_json(f"[{','.join(lines)}]")
    return map(itemgetter(*Cost._fields), chain.from_iterable(map(itemgetter("seats"), games)))


def by_bot(seats: Iterable[Fields]) -> dict[str, tuple[int, Cost]]:
    """Return for each bot the number of measured seats and its totals, with the maxima of memory and longest time."""
    by_name = defaultdict[str, list[Fields]](list)
    for cost in seats:
        by_name[cost[0]].append(cost)
    totals = {}
    for bot, costs in sorted(by_name.items()):
        _, cpu, memory, decisions, think, longest = zip(*costs, strict=True)
        totals[bot] = len(costs), Cost(bot, sum(cpu), max(memory), sum(decisions), sum(think), max(longest))
    return totals
