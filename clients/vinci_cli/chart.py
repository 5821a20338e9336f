"""The board as a drawing: SVG text from a map, what the board says about its provinces, and perhaps a position."""

from html import escape

from vinci.v1 import game_pb2 as pb

from .catalogue import Catalogue


def svg(
    board_map: pb.BoardMap, board: pb.Board, state: pb.State | None, names: Catalogue, *, legend: bool = True
) -> str:
    """The board as a whole SVG file; without a state it is empty, without a legend it is the board alone."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {board_map.width} {board_map.height}">',
        '<rect width="100%" height="100%" fill="#b9dbe6"/>',
    ]
    parts += [f'<path d="{outline(sea)}" fill="#3f6f94" fill-rule="evenodd"/>' for sea in board_map.seas]
    parts.append(f'<path d="{outline(board_map.beyond)}" fill="#d9d2c3" fill-rule="evenodd"/>')
    parts += [
        f'<path d="{outline(land)}" fill="#cfc08f" stroke="#554" fill-rule="evenodd"/>' for land in board_map.provinces
    ]
    parts += [
        f'<text x="{land.label_x}" y="{land.label_y}" text-anchor="middle">{escape(names.province(land.code))}</text>'
        for land in board_map.provinces
    ]
    return "\n".join([*parts, "</svg>", ""])


def outline(shape: pb.Shape) -> str:
    """The rings of a shape as the data of a path."""
    return "".join(f"M{' '.join(map(str, ring.points))}Z" for ring in shape.rings)
