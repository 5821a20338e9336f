"""The water of a board map: dark seas that reach the provinces they touch, light strips elsewhere, straits."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import shapely
import shapely.ops
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from tools.cartography import BEYOND as NOWHERE
from tools.cartography import Design, cells, polygons, winding

STRIP: Final = 27
"""Width of the light water along a shore."""

MOUTH: Final = 34
"""Half the width of the dark water where it comes to a shore."""

GAP: Final = 9
"""The least distance of the dark water from provinces that it does not touch."""

CORNER: Final = 7
"""Radius to which corners of dark water are rounded."""

SMALLEST: Final = 250
"""Square units of the smallest patch of water."""

STRAIT: Final = 26
"""The least length of the line across a strait."""

MAINLAND: Final = 1500
"""Square units from which a piece of land is no small island: straits and the dark water of seas end at it."""

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
    points = {code: design.points(points) for code, points in design.data["seas"].items()}
    wide = design.frame.buffer(4 * STRIP)
    zones = cells(points | {NOWHERE: design.points(design.data["light"])}, wide)
    zones = {code: winding(zone) for code, zone in zones.items()}
    ground = shapely.union_all(list(land.values()))
    off_shore = wide.difference(zones[NOWHERE]).difference(ground.buffer(STRIP))
    off_shore = shapely.union_all([part for part in polygons(rounded(off_shore, CORNER)) if part.area > MAINLAND])
    found = {}
    for code in points:
        others = shapely.union_all([shape for name, shape in land.items() if name not in touched[code]])
        water = zones[code].difference(ground).difference(others.buffer(GAP))
        dark = off_shore.intersection(zones[code])
        ways = [way(water, dark, land[name], f"{name} at {code}") for name in touched[code]]
        inshore = rounded(shapely.union_all([dark, *ways]), CORNER).difference(others.buffer(GAP))
        sea = shapely.union_all([dark, inshore.intersection(zones[code]), *ways]).difference(ground.buffer(-2))
        found[code] = on_grid(sea.difference(others.buffer(GAP)).intersection(design.frame))
    return found


def way(water: BaseGeometry, dark: BaseGeometry, province: BaseGeometry, what: str) -> BaseGeometry:
    """Dark water from the open sea to the best place on a province's shore: much water around it, little way to go.

    Raises ValueError, which says of `what`, if the province has no shore at this water.
    """
    shore = shapely.line_merge(mainland(province).boundary.intersection(water.buffer(GAP)))
    lines = [line for line in shapely.get_parts(shore) if line.length > 1]
    places = [line.interpolate(at) for line in lines for at in range(0, int(line.length) + 1, 5)]
    if not places:
        raise ValueError(f"{what} has no shore: move the points")

    def effort(place: Point) -> float:
        return float(dark.distance(place) - 0.05 * water.intersection(place.buffer(MOUTH)).area)

    best = min(places, key=effort)
    middle = LineString([best, shapely.ops.nearest_points(dark, best)[0]])
    return middle.buffer(MOUTH).intersection(water.union(province)).difference(province.buffer(-2))


def mainland(province: BaseGeometry) -> BaseGeometry:
    """A province without its small islands."""
    return shapely.union_all([part for part in polygons(province) if part.area >= MAINLAND])


def straits(land: Shapes, pairs: Sequence[tuple[str, str]]) -> list[list[int]]:
    """A line across each strait, from shore to shore; across a narrow one it begins and ends on land."""
    lines = []
    for pair in pairs:
        others = shapely.union_all([shape for name, shape in land.items() if name not in pair]).buffer(GAP)
        a, b = shapely.ops.nearest_points(*(mainland(land[name]).difference(others) for name in pair))
        missing = max(0.0, STRAIT / max(1.0, a.distance(b)) - 1) / 2
        right, down = (b.x - a.x) * missing, (b.y - a.y) * missing
        lines.append([round(a.x - right), round(a.y - down), round(b.x + right), round(b.y + down)])
    return lines


def coasts(
    design: Design, land: Shapes, dark: Shapes, shared: Mapping[str, Collection[str]]
) -> dict[str, BaseGeometry]:
    """The strip of light water along every coast."""
    points = {name: design.points(points) for name, points in design.data["coasts"].items()}
    stretches = cells(points | {"": design.points(design.data["elsewhere"])}, design.frame)
    ground = shapely.union_all(list(land.values()))
    water = design.frame.difference(ground).difference(shapely.union_all(list(dark.values())))
    found = {}
    for name in points:
        along = shapely.union_all([land[code] for code in shared[name]]).buffer(STRIP + 1)
        others = shapely.union_all([shape for code, shape in land.items() if code not in shared[name]]).buffer(GAP)
        found[name] = on_grid(stretches[name].intersection(water).intersection(along).difference(others), 60)
    return found
