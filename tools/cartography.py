"""The land of a board map: its plane, and the provinces as parts of the land that fit together.

A province is the union of the Voronoi cells of its points, cut by the coastline. Lengths are in units of the map.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import cos, radians, sin, sqrt
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import shapely
from shapely import MultiPoint, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

FOLDER: Final = Path(__file__).parent / "board_maps"
Places: TypeAlias = npt.NDArray[np.float64]
Ring: TypeAlias = Sequence[Sequence[float]]

EARTH: Final = 6371.0
"""Radius in km."""

SMALLEST: Final = 45
"""Square units of the smallest island drawn."""

ISLAND: Final = 3000
"""Square units up to which an island is not divided."""

DETAIL: Final = 1.1
"""Tolerance with which borders and shores are simplified."""

BEYOND: Final = ""
"""Stands for the land of no province."""


class Design:
    """Input of a map: a file of control points, in degrees if it has a projection, otherwise on a plane.

    Its planes have y upwards; `place` gives units of the map, y downwards.
    """

    def __init__(self, name: str) -> None:
        self.name: Final = name
        self.data: Final[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
        self._left, bottom, right, self._top = self.data["frame"]
        self._scale: Final = self.data["width"] / (right - self._left)
        self.width: Final = int(self.data["width"])
        self.height: Final = round((self._top - bottom) * self._scale)
        self.frame: Final = box(0, 0, self.width, self.height)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """A control point on the map."""
        if "projection" in self.data:
            x, y = projected(x, y, self.data["projection"])
        return (x - self._left) * self._scale, (self._top - y) * self._scale

    def points(self, places: Iterable[Sequence[float]]) -> list[Point]:
        """Control points on the map."""
        return [Point(self.place(x, y)) for x, y in places]

    def land(self) -> BaseGeometry:
        """All land within the frame, without the smallest islands."""
        land = self.data["land"]
        pieces = json.loads((FOLDER / land).read_text(encoding="utf-8")) if isinstance(land, str) else land
        whole = shapely.union_all([self._area(piece) for piece in pieces]).intersection(self.frame)
        return shapely.union_all([part for part in polygons(whole) if part.area >= SMALLEST])

    def _area(self, piece: Iterable[Ring]) -> BaseGeometry:
        outer, *lakes = [[self.place(x, y) for x, y in ring] for ring in piece]
        return shapely.make_valid(Polygon(outer, lakes))


def projected(lon: float, lat: float, projection: Mapping[str, float]) -> tuple[float, float]:
    """Return a place in Lambert's azimuthal equal-area projection, in km; the far east and north are compressed."""
    across, up, middle = radians(lon - projection["lon"]), radians(lat), radians(projection["lat"])
    reach = EARTH * sqrt(2 / max(1e-9, 1 + sin(middle) * sin(up) + cos(middle) * cos(up) * cos(across)))
    x = reach * cos(up) * sin(across)
    y = reach * (cos(middle) * sin(up) - sin(middle) * cos(up) * cos(across))
    beyond, factor = projection["squeezed_beyond"], projection["squeeze"]
    return squeezed(x, beyond, factor), squeezed(y, beyond, factor)


def squeezed(length: float, beyond: float, factor: float) -> float:
    """A length of which what lies beyond a limit counts less."""
    return min(length, beyond) + max(0.0, length - beyond) * factor


def polygons(shape: BaseGeometry) -> list[Polygon]:
    """The polygons of a shape, the largest first."""
    parts = shapely.get_parts(shapely.get_parts(shape))
    return sorted((part for part in parts if isinstance(part, Polygon)), key=lambda part: (-part.area, part.bounds))


def cells(points: Mapping[str, Sequence[Point]], frame: BaseGeometry) -> dict[str, BaseGeometry]:
    """For every name the part of the frame that is nearer to one of its points than to those of the others."""
    names = [name for name, places in points.items() for _ in places]
    around = MultiPoint(list(chain.from_iterable(points.values())))
    found = shapely.get_parts(shapely.voronoi_polygons(around, extend_to=frame.buffer(100), ordered=True))
    return {
        name: shapely.union_all([cell for owner, cell in zip(names, found, strict=True) if owner == name]).intersection(
            frame
        )
        for name in points
    }


def winding(cell: BaseGeometry) -> BaseGeometry:
    """A cell with winding borders. The plane itself is bent, so that what was shared is shared again."""

    def bent(places: Places) -> Places:
        x, y = places[:, 0], places[:, 1]
        right = 7 * np.sin(y / 23 + 1.7 * np.sin(x / 61)) + 3 * np.sin(y / 7.9 + x / 31)
        down = 7 * np.sin(x / 21 + 1.9 * np.sin(y / 53)) + 3 * np.sin(x / 8.3 - y / 29)
        moved: Places = places + np.stack([right, down], axis=1)
        return moved

    return shapely.transform(shapely.segmentize(cell, 4), bent)


def with_whole_islands(shapes: Mapping[str, BaseGeometry], land: BaseGeometry) -> dict[str, BaseGeometry]:
    """The shapes, but with every small island in the one that has most of it."""
    found = dict(shapes)
    for island in polygons(land):
        touching = [name for name in shapes if shapes[name].intersects(island)]
        if island.area < ISLAND and len(touching) > 1:
            owner = max(touching, key=lambda name: island.intersection(shapes[name]).area)
            around = island.buffer(1)
            found |= {name: found[name].difference(around) for name in touching}
            found[owner] = found[owner].union(around)
    return found


def divided(shapes: Mapping[str, BaseGeometry], whole: BaseGeometry, grid: float) -> dict[str, BaseGeometry]:
    """A shape divided by others that cover it. Corners lie on a grid; neighbours share those of their border."""
    lines = shapely.union_all([whole.boundary, *(shape.boundary for shape in shapes.values())], grid_size=grid)
    faces: dict[str, list[BaseGeometry]] = {name: [] for name in shapes}
    shapely.prepare(whole)
    for face in shapely.get_parts(shapely.polygonize(shapely.get_parts(lines))):
        inside = face.representative_point()
        if whole.contains(inside):
            faces[min(shapes, key=lambda name: shapes[name].distance(inside))].append(face)
    return {name: shapely.union_all(parts) for name, parts in faces.items()}


def without_scraps(shapes: Mapping[str, BaseGeometry]) -> dict[str, BaseGeometry]:
    """The shapes, but small pieces that are cut off from the rest of theirs belong to the neighbour around them."""
    found = dict(shapes)
    for name in shapes:
        for piece in polygons(shapes[name])[1:]:
            shared = {other: shapely.length(piece.intersection(found[other])) for other in shapes if other != name}
            owner = max(shared, key=lambda other: shared[other])
            if piece.area < ISLAND and shared[owner] > 0:
                found[name] = found[name].difference(piece)
                found[owner] = found[owner].union(piece)
    return found


def provinces(design: Design) -> dict[str, BaseGeometry]:
    """The land of every province, and of none under the name BEYOND; corners are whole numbers."""
    points = {code: design.points(points) for code, points in design.data["provinces"].items()}
    points[BEYOND] = design.points(design.data["beyond"])
    land = design.land()
    wound = {code: winding(cell) for code, cell in cells(points, design.frame.buffer(50)).items()}
    fine = without_scraps(divided(with_whole_islands(wound, land), land, 0.01))
    simple = shapely.coverage_simplify(list(fine.values()), DETAIL)
    rough = dict(zip(fine, simple, strict=True))
    found = divided(rough, shapely.union_all(list(rough.values())), 1)
    return {
        code: shapely.union_all([part for part in polygons(shape) if part.area >= SMALLEST])
        for code, shape in found.items()
    }


def label(shape: BaseGeometry, flatness: float = 0.5) -> tuple[int, int]:
    """Return the place for a label: the middle of the largest lying ellipse that fits into the largest part."""
    part = shapely.transform(polygons(shape)[0], lambda places: places * [flatness, 1])
    middle = shapely.get_point(shapely.maximum_inscribed_circle(part, tolerance=1), 0)
    x, y = round(middle.x / flatness), round(middle.y)
    return x, y
