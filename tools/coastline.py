"""Writes tools/board_maps/coastline.json: the land of Europe and around it, in degrees.

Run as `python -m tools.coastline world-atlas-2.0.2.tgz` with the npm package that `npm pack world-atlas@2.0.2` fetches;
it holds the land of Natural Earth at 1:50 million. Needed again only for another coastline. The result is committed.
"""

import hashlib
import io
import json
import sys
import tarfile
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from shapely import Polygon, box, get_parts, make_valid
from shapely.affinity import translate

CHECKSUM: Final = "032e7765f2ce00edaeafec23ff22bc3b77e42987c257da944cc585b452c05b97"
"""SHA-256 of the package."""

AROUND: Final = box(-45, 15, 130, 86)
"""West, south, east and north of what is kept: more than any frame shows."""

DETAIL: Final = 0.02
"""Degrees that a shore may be off."""

SMALLEST: Final = 0.01
"""Square degrees of the smallest island kept."""

TARGET: Final = Path(__file__).parent / "board_maps" / "coastline.json"


def topology(package: Path) -> dict[str, Any]:
    """The TopoJSON file of the package. Raises ValueError for another package."""
    content = package.read_bytes()
    if hashlib.sha256(content).hexdigest() != CHECKSUM:
        raise ValueError(f"{package} is not world-atlas 2.0.2")
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        member = archive.extractfile("package/land-50m.json")
        assert member is not None
        found: dict[str, Any] = json.load(member)
    return found


def arcs(source: dict[str, Any]) -> list[list[tuple[float, float]]]:
    """Its lines in degrees: each point is stored as the step from the one before."""
    (scale_x, scale_y), (shift_x, shift_y) = source["transform"]["scale"], source["transform"]["translate"]
    found = []
    for steps in source["arcs"]:
        x = y = 0
        line = []
        for step_x, step_y in steps:
            x, y = x + step_x, y + step_y
            line.append((x * scale_x + shift_x, y * scale_y + shift_y))
        found.append(line)
    return found


def ring(numbers: list[int], lines: list[list[tuple[float, float]]]) -> list[tuple[float, float]]:
    """A ring from its lines. Where it crosses 180 degrees the longitude goes on instead of jumping back."""
    found: list[tuple[float, float]] = []
    for number in numbers:
        line = lines[number] if number >= 0 else lines[~number][::-1]
        found += line[1:] if found else line
    turns = 0
    unwrapped = found[:1]
    for (before, _), (x, y) in pairwise(found):
        turns += (x - before < -180) - (x - before > 180)
        unwrapped.append((x + 360 * turns, y))
    return unwrapped


def land(source: dict[str, Any]) -> list[Polygon]:
    """The land around Europe, the largest piece first. A ring may begin a turn around the earth too far west."""
    lines = arcs(source)
    (geometry,) = source["objects"]["land"]["geometries"]
    pieces = []
    for numbers in geometry["arcs"]:
        outer, *holes = [ring(ring_numbers, lines) for ring_numbers in numbers]
        if max(y for _, y in outer) > AROUND.bounds[1]:
            once = make_valid(Polygon(outer, holes))
            for shape in (once, translate(once, 360)):
                parts = get_parts(get_parts(shape.intersection(AROUND).simplify(DETAIL)))
                pieces += [part for part in parts if isinstance(part, Polygon) and part.area > SMALLEST]
    return sorted(pieces, key=lambda piece: (-piece.area, piece.bounds))


def written(piece: Polygon) -> str:
    """A piece of land as a line of the file: its rings, the outer one first, the others being lakes."""
    rings = [[[round(x, 2), round(y, 2)] for x, y in each.coords[:-1]] for each in (piece.exterior, *piece.interiors)]
    return json.dumps(rings, separators=(",", ":"))


def main(package: str) -> None:
    """Write the file, a piece of land a line."""
    lines = map(written, land(topology(Path(package))))
    TARGET.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
