"""Places labels on the drawn board without overlaps, trying many places for each.

The shapes of the map are a raster of small squares. A place costs less the more of the label lies in its shape and the
nearer it is to the label point of the shape.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import sqrt
from typing import Final, NamedTuple, final

from vinci.v1 import game_pb2 as pb
from vinci_cli.graphics.labels import Box

STEP: Final = 6
"""Side of a square of the raster."""

REACH: Final = 120
"""Maximum distance of a label from its shape."""

AIR: Final = 3
"""Free space around a label."""


class LabelPosition(NamedTuple):
    """A place for a label: its cost, lower is better, and its centre."""

    cost: float
    x: float
    y: float


class Spot(NamedTuple):
    """A shape for labels: its number in the raster, its bounds, and its label point in the map."""

    number: int
    bounds: Box
    x: int
    y: int


@final
class ShapeGrid:
    """A raster of the map: each square has the number of the shape at its centre; later shapes cover earlier ones."""

    def __init__(self, width: int, height: int) -> None:
        self.columns: Final = -(-width // STEP)
        self.rows: Final = -(-height // STEP)
        self.squares: Final = [bytearray(self.columns) for _ in range(self.rows)]

    def fill(self, shape: pb.Shape, number: int) -> Spot:
        """Draw a shape with a number from 1 to 255."""
        crossings: dict[int, list[float]] = {}
        xs: list[int] = []
        ys: list[int] = []
        for ring in shape.rings:
            x, y = ring.points[::2], ring.points[1::2]
            xs += x
            ys += y
            for ax, ay, bx, by in zip(x, y, [*x[1:], x[0]], [*y[1:], y[0]], strict=True):
                low, high = (ay, by) if ay < by else (by, ay)
                for row in range(max(0, -(-(2 * low - STEP) // (2 * STEP))), self.rows):
                    middle = (row + 0.5) * STEP
                    if middle >= high:
                        break
                    crossings.setdefault(row, []).append(ax + (middle - ay) * (bx - ax) / (by - ay))
        for row, columns in crossings.items():
            columns.sort()
            for start, stop in zip(columns[::2], columns[1::2], strict=True):
                first, last = max(0, round(start / STEP)), min(self.columns, round(stop / STEP))
                self.squares[row][first:last] = bytes([number]) * (last - first)
        left, top = min(xs, default=0), min(ys, default=0)
        bounds = Box(left, top, max(xs, default=0) - left, max(ys, default=0) - top)
        return Spot(number, bounds, shape.label_x, shape.label_y)

    def prices(self, spot: Spot, dear: int) -> "Prices":
        """Compute the costs of covering the squares in and around a shape.

        Squares of other shapes cost twice as much as empty ones; shapes from number `dear` on must not be covered.
        """
        area = spot.bounds
        top, bottom = max(0, int((area.top - REACH) / STEP)), int((area.top + area.height + REACH) / STEP) + 1
        left, right = max(0, int((area.left - REACH) / STEP)), int((area.left + area.width + REACH) / STEP) + 1
        price = [2] * 256
        price[0], price[spot.number] = 1, 0
        price[dear:] = [12] * (256 - dear)
        table = bytes(price)
        sums = [[0] * (min(self.columns, right) - left + 1)]
        for row in self.squares[top:bottom]:
            line = accumulate(row[left:right].translate(table), initial=0)
            sums.append([above + here for above, here in zip(sums[-1], line, strict=True)])
        return Prices(spot, left, top, sums)


class Prices(NamedTuple):
    """Costs of covering the squares around a shape, as sums from the top left, a corner in squares."""

    spot: Spot
    left: int
    top: int
    sums: list[list[int]]

    def places(self, width: float, height: float, most: float) -> list[LabelPosition]:
        """Return the places for a label of this size with a cost of at most `most`, the best first."""
        spot, sums = self.spot, self.sums
        wide, high = int(width // STEP) + 1, int(height // STEP) + 1
        reach = (spot.bounds.width + spot.bounds.height) ** 2
        affordable = most * wide * high + 1e-6  # the cost is compared exactly below
        candidates = []
        for row in range(0, len(sums) - high, 2):
            upper, lower = sums[row], sums[row + high]
            y = (self.top + row + high / 2) * STEP
            away_down = 2 * (y - spot.y) ** 2
            if away_down > most * reach:
                continue
            # the columns from which the distance alone does not cost too much
            span = sqrt(most * reach - away_down) / STEP + 1
            middle = spot.x / STEP - self.left - wide / 2
            first, stop = max(0, int(middle - span)) & ~1, min(len(upper) - wide, int(max(0, middle + span)) + 1)
            corners = (upper[first:stop:2], upper[first + wide :: 2], lower[first:stop:2], lower[first + wide :: 2])
            for column, above, above_right, below, below_right in zip(range(first, stop, 2), *corners):  # noqa: B905
                outside = below_right - below - above_right + above
                if outside > affordable:
                    continue
                x = (self.left + column + wide / 2) * STEP
                cost = outside / (wide * high) + ((x - spot.x) ** 2 + away_down) / reach
                if cost <= most:
                    candidates.append(LabelPosition(cost, x, y))
        candidates.sort()
        return candidates


@final
class OccupiedArea:
    """The occupied rectangles."""

    def __init__(self) -> None:
        self.boxes: Final[list[Box]] = []

    def take(self, boxes: Iterable[Box]) -> None:
        """Occupy rectangles."""
        self.boxes.extend(boxes)

    def first_free(self, places: Iterable[LabelPosition], boxes: Sequence[Box]) -> LabelPosition | None:
        """Return the first place at which these rectangles, relative to its centre, are free; None if there is none."""
        for place in places:
            moved = [box.moved(place.x, place.y) for box in boxes]
            if not any(box.overlaps(other, AIR) for box in moved for other in self.boxes):
                return place
        return None
