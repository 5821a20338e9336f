"""Colours: distinguishable with every kind of colour vision, and readable on their backgrounds."""

from itertools import combinations

import pytest

from tests.support.full_screen.colours import DEPTHS, KINDS, contrast, distance
from vinci_cli.full.toolkit.theme import PALETTES, SEATS, TERRAINS, style_sheet

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


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("depth", [24, 8])
def test_seat_colours_are_distinguishable(depth: int, kind: str) -> None:
    """Any two seat colours differ clearly with full colour vision and with three kinds of colour blindness."""
    for one, other in combinations(PALETTES[depth].seats[1:], 2):
        assert distance(one, other, kind) > 25


@pytest.mark.parametrize("kind", KINDS)
def test_seat_colours_differ_from_terrains(kind: str) -> None:
    """A seat's colour differs from every terrain."""
    palette = PALETTES[24]
    assert min(distance(seat, palette.land[terrain], kind) for seat in palette.seats[1:] for terrain in TERRAINS) > 20


@pytest.mark.parametrize("depth", [24, 8])
def test_labels_are_readable(depth: int) -> None:
    """Labels on land, seat colours and black have enough contrast."""
    palette = PALETTES[depth]
    assert all(contrast(palette.ink[terrain], palette.land[terrain]) > 4.5 for terrain in TERRAINS)
    assert all(contrast(ink, seat) > 4 for ink, seat in zip(palette.on_seats, palette.seats, strict=True))
    assert all(contrast(colour, "#000000") > 4.5 for colour in palette.declined)
    assert contrast(palette.sea, palette.coast) > 1.5


def test_text_is_readable_on_dark_and_light_backgrounds() -> None:
    """Text colours outside the board set no background and are readable on black and white."""
    sheet = style_sheet(24)
    for name in TEXT:
        look = sheet.get_attrs_for_style_str(f"class:{name}")
        assert not look.bgcolor
        assert min(contrast(f"#{look.color}", "#000000"), contrast(f"#{look.color}", "#ffffff")) > 2.4


@pytest.mark.parametrize("depth", DEPTHS)
def test_every_class_has_a_style_at_colour_depths(depth: int) -> None:
    """Seats differ from plain text at every depth and, with colours, from each other."""
    sheet = style_sheet(depth)
    plain = sheet.get_attrs_for_style_str("")
    seats = [sheet.get_attrs_for_style_str(f"class:seat{seat}") for seat in range(1, SEATS + 1)]
    assert plain not in seats
    assert len(set(seats)) == (SEATS if depth > 1 else 1)
