"""The water of a board map: dark seas that reach the provinces they touch, light strips along the other shores, straits."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import shapely
import shapely.ops
from cartography import Design, cells, polygons
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

STRIP: Final = 27
"""Width of the light water along a shore."""

MOUTH: Final = 24
"""Half the width of the dark water where it comes to a shore."""

GAP: Final = 9
"""The least distance of the dark water from provinces that it does not touch."""

CORNER: Final = 7
"""Radius to which corners of dark water are rounded."""

SMALLEST: Final = 250
"""Square units of the smallest patch of water."""

STRAIT: Final = 26
"""The least length of the line across a strait."""

MAINLAND: Final = 900
"""Square units from which a piece of land can be the end of a strait."""

Shapes = Mapping[str, BaseGeometry]


def rounded(shape: BaseGeometry, radius: float) -> BaseGeometry:
    """A shape without corners that are sharper than a radius."""
    return shape.buffer(radius).buffer(-2 * radius).buffer(radius)


def on_grid(shape: BaseGeometry, smallest: float = SMALLEST) -> BaseGeometry:
    """A shape with whole numbers as corners, without its smallest parts."""
    simple = shapely.set_precision(shape.simplify(0.7), 1)
    return shapely.union_all([part for part in polygons(simple) if part.area >= smallest])


def seas(design: Design, land: Shapes, touched: Mapping[str, Collection[str]]) -> dict[str, BaseGeometry]:
    """The dark water of every sea; `touched` are the codes of the provinces that each of them touches."""
    points = {code: design.points(told) for code, told in design.told["seas"].items()}
    zones = cells(points | {"": design.points(design.told["light"])}, design.frame)
    ground = shapely.union_all(list(land.values()))
    shore = ground.buffer(STRIP)
    open_water = {code: rounded(zones[code].difference(shore), CORNER) for code in points}
    found = {}
    for code in points:
        others = shapely.union_all([shape for name, shape in land.items() if name not in touched[code]]).buffer(GAP)
        near = zones[code].difference(ground)
        dark = shapely.union_all(
            [open_water[code], *(mouth(near, others, open_water[code], land[name]) for name in touched[code])]
        )
        dark = (
            rounded(dark, CORNER / 2)
            .difference(others)
            .difference(shapely.union_all([open_water[each] for each in points if each != code]))
        )
        reached = shapely.union_all([dark, *(tip(dark, land[name]) for name in touched[code])])
        found[code] = on_grid(reached.difference(ground.buffer(-2)).intersection(design.frame))
    return found


def mouth(near: BaseGeometry, others: BaseGeometry, dark: BaseGeometry, province: BaseGeometry) -> BaseGeometry:
    """Dark water from the open sea to the best place of a province's shore: much shore around it, little way to go."""
    free = near.difference(others)
    shore = province.boundary.intersection(near.buffer(0.5)).difference(others)
    places = [shore.interpolate(at) for at in range(0, int(shore.length) + 1, 6)] if not shore.is_empty else []
    if not places:
        return Point()
    best = min(
        places, key=lambda place: dark.distance(place) - 25 * free.intersection(place.buffer(MOUTH)).area / MOUTH**2
    )
    way = LineString([best, shapely.ops.nearest_points(dark, best)[0]])
    return way.buffer(MOUTH).intersection(free)


def tip(dark: BaseGeometry, province: BaseGeometry) -> BaseGeometry:
    """Nothing, or what is missing between dark water and a province that it nearly touches."""
    return Point()


def straits(land: Shapes, pairs: Sequence[tuple[str, str]]) -> list[list[int]]:
    """A line across each strait, from shore to shore; across a narrow one it begins and ends on land."""
    lines = []
    for one, other in pairs:
        here, there = (
            shapely.union_all([part for part in polygons(land[name]) if part.area >= MAINLAND]) for name in (one, other)
        )
        a, b = shapely.ops.nearest_points(here, there)
        missing = max(0.0, STRAIT / max(1.0, a.distance(b)) - 1) / 2
        right, down = (b.x - a.x) * missing, (b.y - a.y) * missing
        lines.append([round(a.x - right), round(a.y - down), round(b.x + right), round(b.y + down)])
    return lines


def coasts(
    design: Design, land: Shapes, dark: Shapes, shared: Mapping[str, Collection[str]]
) -> dict[str, BaseGeometry]:
    """The strip of light water along every coast."""
    points = {name: design.points(told) for name, told in design.told["coasts"].items()}
    stretches = cells(points | {"": design.points(design.told["elsewhere"])}, design.frame)
    ground = shapely.union_all(list(land.values()))
    water = design.frame.difference(ground).difference(shapely.union_all(list(dark.values())))
    found = {}
    for name in points:
        along = shapely.union_all([land[code] for code in shared[name]]).buffer(STRIP + 1)
        found[name] = on_grid(stretches[name].intersection(water).intersection(along), 60)
    return found
