"""A measured figure, and how it is printed."""

from collections.abc import Callable
from dataclasses import dataclass
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

    def __str__(self) -> str:
        return f"{'<=' if self.at_most else '>='}{self.value:g}{'x' if self.of_ratio else ''}"


@dataclass(frozen=True, slots=True)
class Figure:
    """One line: `name value unit reference ratio target ok|short`."""

    name: str
    value: float
    unit: str
    reference: float
    target: Target

    def __str__(self) -> str:
        ratio = self.value / self.reference
        reached = ratio if self.target.of_ratio else self.value
        ok = reached <= self.target.value if self.target.at_most else reached >= self.target.value
        verdict = "ok" if ok else "short"
        return (
            f"{self.name} {_short(self.value)} {self.unit} {_short(self.reference)} {ratio:.2f} {self.target} {verdict}"
        )


def rates(*works: Work, rounds: int = 7) -> list[float]:
    """Work per second of each: the median over rounds in which they take turns, after one that is not counted.

    The speed of a machine drifts, so only what ran in turn can be compared.
    """
    found: list[list[float]] = [[] for _ in works]
    for _ in range(rounds + 1):
        for work, rates_of_work in zip(works, found, strict=True):
            start = perf_counter()
            amount = work()
            rates_of_work.append(amount / (perf_counter() - start))
    return [median(rates_of_work[1:]) for rates_of_work in found]


def _short(number: float) -> str:
    return f"{number:.3g}" if number < 1000 else f"{number:.0f}"
