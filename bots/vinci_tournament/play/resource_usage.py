"""Resources that bots used in a league; shown by `status`, but not in reports, because machines differ."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, zip_longest
from math import ceil, inf, log
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

from vinci_bots.local.local_match import ResourceUse
from vinci_bots.local.process import MEGABYTE
from vinci_rules.record import read_json

from ..definition.league import LeagueBot

MOST_MEASURED: Final = 20_000
"""Games, the latest, of which resources are told, so that `status` of a large league takes no longer."""


class Cost(NamedTuple):
    """Resources of a bot in a game: CPU seconds, peak bytes of memory, decisions, total and longest time in ms.

    A bot that plays in the process of the worker has no memory of its own; its time is CPU time. `times` are numbers of
    decisions by time: up to 1.1 ms, 1.1² ms and so on, so that quantiles are known within a tenth. Earlier versions
    stored none.
    """

    bot: str
    cpu: float
    memory: int
    decisions: int
    think_ms_sum: int
    think_ms_longest: int
    times: tuple[int, ...] = ()

    def quantile(self, share: float) -> float | None:
        """Return the milliseconds within which a share of the decisions was made; None if that is unknown."""
        wanted = share * sum(self.times)
        for step, number in enumerate(accumulate(self.times)):
            if number and number >= wanted:
                return min(STEP ** (step + 1), self.think_ms_longest or inf)
        return None


Fields: TypeAlias = tuple[str, float, int, int, int, int, Sequence[int]]
"""The fields of a `Cost`."""
STEP: Final = 1.1
RECENT: Final = 1000
"""Seats of a bot, the last ones, by which times of decisions are told; all of a large league would take seconds."""


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
        return cls(
            str(fields["game"]),
            tuple(Cost(**cost | {"times": tuple(cost.get("times", ()))}) for cost in fields["seats"]),
        )


def spread(milliseconds: Iterable[float]) -> tuple[int, ...]:
    """Return the numbers of decisions by time, as `Cost.times` has them."""
    counts = Counter(max(ceil(log(time, STEP)) - 1, 0) if time > 0 else 0 for time in milliseconds)
    return tuple(counts[step] for step in range(max(counts, default=-1) + 1))


def costs(key: str, bots: Iterable[str], uses: Iterable[ResourceUse | None]) -> Costs:
    """Return the resources used in a game, by seat."""
    seats = [
        Cost(
            bot,
            round(use.cpu, 2),
            use.memory,
            len(use.thought),
            sum(use.thought),
            max(use.thought, default=0),
            spread(use.thought),
        )
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
            bot.name,
            round(sum(times), 6),
            0,
            len(times),
            round(1000 * sum(times)),
            ceil(1000 * max(times, default=0)),
            spread(1000 * time for time in times),
        )
        for bot, times in zip(bots, thought, strict=True)
        if not bot.is_dummy
    ]
    return Costs(key, tuple(seats)) if seats else None


def described(used: Mapping[str, tuple[int, Cost]], games: int) -> Iterator[str]:
    """Yield lines of text about the totals of `by_bot` in a league of so many games; none if nothing was measured."""
    if used:
        latest = f" in the last {MOST_MEASURED} games" if games > MOST_MEASURED else ""
        yield (
            f"resources used on this machine{latest}: CPU per game and decision, peak memory; time of decisions: "
            "median, 99 %, longest:"
        )
    for bot, (seats, cost) in used.items():
        decisions = max(cost.decisions, 1)
        memory = f"{cost.memory / MEGABYTE:.0f} MB" if cost.memory else "-"
        cpu, each = (f"{cost.cpu / seats:.2f} s", f"{1000 * cost.cpu / decisions:.2f} ms") if cost.cpu else ("-", "-")
        median, most = (f"{time:.0f} ms" if (time := cost.quantile(share)) else "-" for share in (0.5, 0.99))
        yield (
            f"     {bot:<24}  {cpu:>8}  {each:>10}  {memory:>6}  {median:>8}  {most:>8}  {cost.think_ms_longest:>6} ms"
        )


def seats_of(lines: Iterable[str]) -> Iterator[Fields]:
    """Yield the fields of the seats of games from lines of JSON. Raises ValueError, KeyError or TypeError."""
    games: Any = read_json(f"[{','.join(lines)}]")
    older = itemgetter(*Cost._fields[:-1])
    return ((*older(seat), seat.get("times", ())) for game in games for seat in game["seats"])


def by_bot(seats: Iterable[Fields]) -> dict[str, tuple[int, Cost]]:
    """Return for each bot the number of measured seats and its totals, with the maxima of memory and longest time.

    `times` are those of its last seats.
    """
    by_name = defaultdict[str, list[Fields]](list)
    for cost in seats:
        by_name[cost[0]].append(cost)
    totals = {}
    for bot, costs in sorted(by_name.items()):
        _, cpu, memory, decisions, think, longest, times = zip(*costs, strict=True)
        counts = tuple(map(sum, zip_longest(*times[-RECENT:], fillvalue=0)))
        totals[bot] = len(costs), Cost(bot, sum(cpu), max(memory), sum(decisions), sum(think), max(longest), counts)
    return totals
