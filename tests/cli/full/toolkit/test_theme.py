"""The colours: told apart by everybody, readable on what they stand on."""

from itertools import combinations

import pytest

from vinci_cli.full.toolkit.block import DEPTHS
from vinci_cli.full.toolkit.theme import PALETTES, SEATS, TERRAINS, style_sheet

KINDS = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""What people see of linear red, green and blue (Machado, Oliveira and Fernandes 2009, severity 1)."""

TEXT = (
    *(f"seat{seat}" for seat in range(1, SEATS + 1)),
    *TERRAINS,
    "neutral",
    "faint",
    "hint",
    "error",
    "frame",
    "key",
    "changed",
    "lost",
    "sea",
    "coast",
    "strait",
    "beyond",
)


def linear(colour: str) -> list[float]:
    """Linear red, green and blue of #rrggbb."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def luminance(colour: str) -> float:
    """How bright it is, 0 to 1."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """As WCAG defines it, 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def seen(colour: str, kind: str) -> tuple[float, float, float]:
    """L, a and b of a colour as somebody sees it."""
    red, green, blue = (
        min(max(sum(factor * part for factor, part in zip(row, linear(colour), strict=True)), 0), 1)
        for row in KINDS[kind]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: str, other: str, kind: str) -> float:
    """How far apart two colours look; 2.3 is just noticed."""
    parts = zip(seen(one, kind), seen(other, kind), strict=True)
    return float(sum((a - b) ** 2 for a, b in parts) ** 0.5)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("depth", [24, 8])
def test_seats_are_told_apart(depth: int, kind: str) -> None:
    """Any two seats differ clearly for people with full sight and with each of the three kinds of colour blindness."""
    for one, other in combinations(PALETTES[depth].seats[1:], 2):
        assert distance(one, other, kind) > 25


@pytest.mark.parametrize("kind", KINDS)
def test_a_ring_stands_out_from_the_land_inside_it(kind: str) -> None:
    """A seat's colour differs from every terrain."""
    palette = PALETTES[24]
    assert min(distance(seat, palette.land[terrain], kind) for seat in palette.seats[1:] for terrain in TERRAINS) > 20


@pytest.mark.parametrize("depth", [24, 8])
def test_labels_are_readable(depth: int) -> None:
    """What is written on land, on a seat's colour and on black has contrast enough."""
    palette = PALETTES[depth]
    assert all(contrast(palette.ink[terrain], palette.land[terrain]) > 4.5 for terrain in TERRAINS)
    assert all(contrast(ink, seat) > 4 for ink, seat in zip(palette.on_seats, palette.seats, strict=True))
    assert all(contrast(colour, "#000000") > 4.5 for colour in palette.declined)
    assert contrast(palette.sea, palette.coast) > 1.5


def test_text_is_readable_on_dark_and_on_light() -> None:
    """The colours of text outside the board set no background and can be read on black and on white."""
    sheet = style_sheet(24)
    for name in TEXT:
        look = sheet.get_attrs_for_style_str(f"class:{name}")
        assert not look.bgcolor
        assert min(contrast(f"#{look.color}", "#000000"), contrast(f"#{look.color}", "#ffffff")) > 2.4


@pytest.mark.parametrize("depth", DEPTHS)
def test_every_class_has_a_style_where_there_are_colours(depth: int) -> None:
    """Seats look different from plain text at every depth; with colours, from each other."""
    sheet = style_sheet(depth)
    plain = sheet.get_attrs_for_style_str("")
    seats = [sheet.get_attrs_for_style_str(f"class:seat{seat}") for seat in range(1, SEATS + 1)]
    assert plain not in seats
    assert len(set(seats)) == (SEATS if depth > 1 else 1)
