"""Colours at each depth, and their difference and contrast."""

from functools import cache
from itertools import combinations
from typing import TypeAlias

from coloraide import Color
from prompt_toolkit.output.vt100 import _256_colors
from pyte.graphics import FG_BG_256

DEPTHS = (1, 4, 8, 24)
"""Bits of a colour in all terminals."""

VISIONS = ("full", "protan", "deutan", "tritan")
"""Full colour vision, and the three kinds of colour blindness."""

Group: TypeAlias = dict[str, str]
"""Colours as #rrggbb by name."""


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio as WCAG defines it, 1 to 21."""
    return Color(one).contrast(other, method="wcag21")


def nearest(colour: str) -> str:
    """Return the colour that prompt-toolkit shows in a terminal of 256 colours."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"#{FG_BG_256[_256_colors[red, green, blue]]}"


@cache
def seen(colour: str, vision: str) -> Color:
    """Return a colour as it is seen, after Machado, Oliveira and Fernandes (2009) without one kind of cones."""
    shown = Color(colour)
    if vision != "full":
        shown = shown.filter(vision, method="machado").clip()
    return shown.convert("lab-d65")


def difference(one: str, other: str) -> tuple[float, str]:
    """Return the smallest CIEDE2000 of two colours in all kinds of vision, and that kind; 1 is hardly noticeable."""
    return min((seen(one, vision).delta_e(seen(other, vision), method="2000"), vision) for vision in VISIONS)


def within(group: Group) -> list[tuple[float, str]]:
    """Return the difference of any two colours of a group, the smallest first, with their names."""
    return _differences([(one, other) for one, other in combinations(group.items(), 2)])


def between(group: Group, others: Group) -> list[tuple[float, str]]:
    """Return the difference of each colour of a group from each of another one, the smallest first, with their names."""
    return _differences([(one, other) for one in group.items() for other in others.items()])


def _differences(pairs: list[tuple[tuple[str, str], tuple[str, str]]]) -> list[tuple[float, str]]:
    result = []
    for (one, first), (other, second) in pairs:
        size, vision = difference(first, second)
        result.append((round(size, 2), f"{one} {first}, {other} {second} ({vision})"))
    return sorted(result)
