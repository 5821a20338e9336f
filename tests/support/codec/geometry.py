"""Geometry of shapes on a map, as far as tests need it."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, dist
from typing import Final, TypeAlias

from vinci.v1 import game_pb2 as pb

Place: TypeAlias = tuple[float, float]
Edge: TypeAlias = tuple[Place, Place]

CLOSE: Final = 4
"""Units of the map: what is no farther apart touches. What does not touch is a good deal farther apart."""


def places(points: Sequence[int]) -> list[Place]:
    """Return the points of a line."""
    return list(zip(points[::2], points[1::2], strict=True))


def edges(shape: pb.Shape) -> Iterator[Edge]:
    """Return the edges of all rings."""
    for ring in shape.rings:
        corners = places(ring.points)
        yield from pairwise([*corners, corners[0]])


def is_inside(shape: pb.Shape, place: Place) -> bool:
    """Whether a point lies in a shape, by the even-odd rule."""
    x, y = place
    crossed = 0
    for (ax, ay), (bx, by) in edges(shape):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            crossed += 1
    return crossed % 2 == 1


def samples(shape: pb.Shape) -> Iterator[Place]:
    """Return points along the edges, close to each other."""
    for (ax, ay), (bx, by) in edges(shape):
        steps = max(1, ceil(dist((ax, ay), (bx, by)) / 2))
        for step in range(steps):
            yield ax + (bx - ax) * step / steps, ay + (by - ay) * step / steps


def touching(shape: pb.Shape, others: Sequence[pb.Shape]) -> set[str]:
    """Return the codes of the shapes whose edges come close to those of this one."""
    squares: dict[tuple[int, int], list[Place]] = {}
    for place in samples(shape):
        squares.setdefault((int(place[0] // CLOSE), int(place[1] // CLOSE)), []).append(place)

    def is_near(place: Place) -> bool:
        column, row = int(place[0] // CLOSE), int(place[1] // CLOSE)
        around = [(column + right, row + down) for right in (-1, 0, 1) for down in (-1, 0, 1)]
        return any(dist(place, other) <= CLOSE for square in around for other in squares.get(square, ()))

    return {other.code for other in others if any(is_near(place) for place in samples(other))}


def crosses(one: Edge, other: Edge) -> bool:
    """Whether two edges cross in their interior."""

    def side(edge: Edge, place: Place) -> float:
        (ax, ay), (bx, by) = edge
        return (bx - ax) * (place[1] - ay) - (by - ay) * (place[0] - ax)

    return side(one, other[0]) * side(one, other[1]) < 0 and side(other, one[0]) * side(other, one[1]) < 0
