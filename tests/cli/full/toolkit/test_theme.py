"""Colours: distinguishable with every kind of colour vision, and readable on their backgrounds."""

from collections.abc import Iterator
from itertools import product

import pytest
from coloraide import Color

from tests.support.full_screen.colours import DEPTHS, Group, between, contrast, nearest, within
from tests.support.full_screen.displays import shown_on
from vinci_cli.full.toolkit import display
from vinci_cli.full.toolkit.theme import MIXED, OF_256, SIXTEEN, Palette, chip, palette, style_sheet
from vinci_cli.graphics.palette import SEATS, TERRAINS, column

THEMES = display.THEMES
KINDS = ("own", "held", "declined")
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


@pytest.fixture(params=THEMES)
def theme(request: pytest.FixtureRequest) -> Iterator[str]:
    """Use a theme."""
    with shown_on(request.param):
        yield request.param


def seats(colours: Palette) -> Group:
    """Return the six colours of the seats."""
    return {f"seat {seat}": colours.seats[seat] for seat in range(1, SEATS + 1)}


def ground(colours: Palette) -> Group:
    """Return what is not held: terrains, water, and land beyond the board."""
    land = {terrain: colours.land[terrain] for terrain in TERRAINS}
    return {**land, "sea": colours.sea, "coast": colours.coast, "beyond": colours.beyond}


def tints(colours: Palette, terrain: str) -> Group:
    """Return the colours of a terrain that a seat holds, by seat and kind."""
    return {
        f"{kind} {terrain} of {seat}": colours.fill(terrain, seat, is_declined=kind == "declined", is_own=kind == "own")
        for seat, kind in product(range(1, SEATS + 1), KINDS)
    }


def all_tints(colours: Palette, seat: int) -> Group:
    """Return the colours of every terrain that a seat holds."""
    return {
        name: colour
        for terrain in TERRAINS
        for name, colour in tints(colours, terrain).items()
        if name.endswith(f" {seat}")
    }


def closest(differences: list[tuple[float, str]], least: float) -> list[tuple[float, str]]:
    """Return the differences below a limit."""
    return [difference for difference in differences if difference[0] < least]


def test_full_colours_differ_clearly(theme: str) -> None:
    """Seats and selection differ in CIEDE2000 by 12, and from terrains, sea and coast by 11, whoever sees them."""
    colours = MIXED[theme]
    marks = {**seats(colours), "selection": colours.selected}
    assert not closest(within(marks), 12)
    assert not closest(between(marks, ground(colours)), 11)
    assert not closest(within(ground(colours)), 3)


@pytest.mark.parametrize("medium", ["paper", "light", "dark", "light256", "dark256"])
def test_a_seat_has_one_hue_everywhere(medium: str) -> None:
    """A seat that is blue in one client is blue in all, in both themes, in names and on land; only the lightness differs."""
    hues = {"blue": 265, "orange": 55, "green": 158, "violet": 312, "yellow": 100, "light blue": 235}
    for role in ("seat", "edge", "name", "own", "held", "declined-land"):
        for seat, (name, hue) in enumerate(hues.items(), 1):
            if colour := column(medium).get(f"{role}{seat}"):
                shown = Color(colour).convert("oklch")
                assert abs(shown["hue"] - hue) < 30, f"{role} of {name} is {colour}"
                assert shown["chroma"] > 0.04


def test_tints_tell_the_owner(theme: str) -> None:
    """Provinces of two seats differ, own, held or declined, of any terrains; so do they from all that nobody holds."""
    colours = MIXED[theme]
    by_seat = [all_tints(colours, seat) for seat in range(1, SEATS + 1)]
    for number, tints_of_one in enumerate(by_seat):
        for tints_of_other in by_seat[:number]:
            assert not closest(between(tints_of_one, tints_of_other), 6)
        assert not closest(between(tints_of_one, ground(colours)), 6)
        assert not closest(between(tints_of_one, {"selection": colours.selected}), 15)
    for terrain in TERRAINS:
        held = tints(colours, terrain)
        for kind in KINDS:
            assert not closest(within({name: its for name, its in held.items() if name.startswith(kind)}), 7)
        for seat in range(1, SEATS + 1):
            assert not closest(within({name: its for name, its in held.items() if name.endswith(f" {seat}")}), 2.9)


def test_ground_and_owners_differ_with_256_colours(theme: str) -> None:
    """Of 256 colours, too, terrains, water and what is beyond differ by 9, owners by 7, and both by 6, whoever sees them."""
    colours = OF_256[theme]
    land = {name: nearest(colour) for name, colour in {**ground(colours), "selection": colours.selected}.items()}
    assert not closest(within(land), 9)
    held = [{name: nearest(its) for name, its in all_tints(colours, seat).items()} for seat in range(1, SEATS + 1)]
    for number, tints_of_one in enumerate(held):
        assert not closest(between(tints_of_one, land), 6)
        for tints_of_other in held[:number]:
            assert not closest(between(tints_of_one, tints_of_other), 7)
        assert not closest(between({"seat": nearest(colours.seats[number + 1])}, land), 8)
        assert len(set(tints_of_one.values())) == len(KINDS)
    for fill in {*land.values(), *(its for tints_of_one in held for its in tints_of_one.values())} - {colours.selected}:
        assert nearest(colours.texture(fill)) != nearest(fill)


def test_terrains_differ_with_16_colours() -> None:
    """Of sixteen colours, which the terminal chooses, each terrain, water and each seat has its own."""
    assert len(set(ground(SIXTEEN).values())) == len(TERRAINS) + 3
    assert len({*ground(SIXTEEN).values(), *seats(SIXTEEN).values()}) == len(TERRAINS) + 3 + SEATS


@pytest.mark.parametrize("depth", [24, 8])
def test_labels_are_readable(theme: str, depth: int) -> None:
    """Labels on land, tints, seat colours and the background have enough contrast."""
    colours = palette(depth)
    assert colours is not None
    for terrain in TERRAINS:
        for fill in (colours.land[terrain], *tints(colours, terrain).values()):
            shown = nearest(fill) if depth == 8 else fill
            assert contrast(colours.ink_on(fill, terrain), shown) > 4.5
    assert all(contrast(ink, seat) > 4 for ink, seat in zip(colours.on_seats, colours.seats, strict=True))
    assert all(contrast(colour, colours.background) > 4.5 for colour in colours.declined)
    assert contrast(colours.on_selected, colours.selected) > 4.5
    assert all(contrast(colours.on_mark, mark) > 4.5 for mark in (colours.target, colours.changed, colours.lost))
    assert all(contrast(colours.sea_name, water) > 2.4 for water in (colours.sea, colours.coast))


@pytest.mark.usefixtures("theme")
def test_text_is_readable_on_dark_and_light_backgrounds() -> None:
    """Text colours outside the board set no background and are readable on black and white in either theme."""
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


def test_chips_have_the_colours_of_the_theme(theme: str) -> None:
    """The chips of seats in texts have the same colours as on the board."""
    look = style_sheet(24).get_attrs_for_style_str("class:chip3")
    assert f"#{look.bgcolor}" == MIXED[theme].seats[3]
    assert MIXED[theme].seats[3] in chip(3, 24)
