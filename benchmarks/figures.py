"""A measured figure, and how it is printed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median
from time import perf_counter

Work = Callable[[], int]
"""Does some work and returns how much it was, in units of the figure."""


@dataclass(frozen=True, slots=True)
class Target:
    """At least `value`, or at most; of the figure itself, or of its ratio to the reference."""

    value: float
    at_most: bool = False
    of_ratio: bool = False

    def reached(self, value: float, ratio: float) -> bool:
        """Whether a figure reaches it."""
        own = ratio if self.of_ratio else value
        return own <= self.value if self.at_most else own >= self.value

    def __str__(self) -> str:
        return f"{'<=' if self.at_most else '>='}{_short(self.value)}{'x' if self.of_ratio else ''}"


@dataclass(frozen=True, slots=True)
class Figure:
    """One line: `name value unit reference ratio target ok|short`. With a second target, both have to be reached."""

    name: str
    value: float
    unit: str
    reference: float
    target: Target
    second: Target | None = None

    def __str__(self) -> str:
        ratio = self.value / self.reference
        targets = [self.target] if self.second is None else [self.target, self.second]
        verdict = "ok" if all(target.reached(self.value, ratio) for target in targets) else "short"
        wanted = ",".join(map(str, targets))
        return f"{self.name} {_short(self.value)} {self.unit} {_short(self.reference)} {ratio:.2f} {wanted} {verdict}"


def rates(*works: Work, rounds: int = 7, clock: Callable[[], float] = perf_counter) -> list[float]:
    """Work per second of each: the median over rounds in which they take turns, after one that is not counted."""
    return medians(*(partial(rate, work, clock) for work in works), rounds=rounds)


def medians(*measures: Callable[[], float], rounds: int = 7) -> list[float]:
    """The median of each measure over rounds in which they take turns, after one that is not counted.

    The speed of a machine drifts, so only what ran in turn can be compared.
    """
    found = [[measure() for measure in measures] for _ in range(rounds + 1)]
    return [median(values) for values in zip(*found[1:], strict=True)]


def rate(work: Work, clock: Callable[[], float]) -> float:
    """Work per second."""
    start = clock()
    amount = work()
    return amount / (clock() - start)


def _short(number: float) -> str:
    return f"{number:.3g}" if number < 1000 else f"{number:.0f}"
