"""Draws the board as SVG, from a map, the provinces of the board, and optionally a position.

It knows no rules. `labels` and `placement` compute where the labels go.
"""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from typing import Final

from vinci.v1 import game_pb2 as pb

from ..text.names import Catalogue
from . import symbols as look
from .labels import SEA_SPACING, TOKEN, LabelPart, labels
from .legend import MARGIN, TITLE, TITLE_SPACING, legend_of, title_of
from .placement import Box

FONTS: Final = "'Palatino Linotype', Palatino, 'Book Antiqua', 'URW Palladio L', P052, Georgia, 'DejaVu Serif', serif"
BAND: Final = 26
"""Width of the line in an owner's colour along a border; its outer half is clipped."""


def svg(
    board_map: pb.BoardMap, board: pb.Board, state: pb.State | None, names: Catalogue, *, legend: bool = True
) -> str:
    """Return the board as an SVG element; without a state it is empty, without a legend only the map is drawn."""
    width, height = board_map.width, board_map.height
    parts, bounds = written(board_map, board, state, names, legend=legend)
    box = " ".join(f"{number:g}" for number in bounds)
    size = f'width="{bounds.width:g}" height="{bounds.height:g}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="{FONTS}">',
            "<defs>",
            *look.definitions(),
            *(look.hatchings() if state is not None else ()),
            f'<clipPath id="map"><rect width="{width}" height="{height}"/></clipPath>',
            *_shapes(board_map, state),
            "</defs>",
            f'<rect x="{bounds.left:g}" y="{bounds.top:g}" {size} fill="{look.PAPER}"/>',
            '<g clip-path="url(#map)">',
            *_water(board_map),
            *_land(board_map, board, state),
            *(_strait(strait.points) for strait in board_map.straits),
            "</g>",
            *(_frame(width, height) if legend else ()),
            *(_drawn(part) for part in parts),
            "</svg>",
            "",
        ]
    )


def written(
    board_map: pb.BoardMap, board: pb.Board, state: pb.State | None, names: Catalogue, *, legend: bool = True
) -> tuple[list[LabelPart], Box]:
    """Return the parts on top of the map, and the bounds of the picture."""
    parts = labels(board_map, board, state, names)
    if not legend:
        return parts, Box(0, 0, board_map.width, board_map.height)
    below, end = legend_of(board_map, state, names)
    top = TITLE * 2.6
    bounds = Box(-MARGIN, -top, board_map.width + 2 * MARGIN, top + end + MARGIN * 0.6)
    return [*title_of(board_map, state), *parts, *below], bounds


def outline(shape: pb.Shape) -> str:
    """Return the rings of a shape as path data."""
    found = []
    for ring in shape.rings:
        places = list(zip(ring.points[::2], ring.points[1::2], strict=True))
        steps = (f"{bx - ax} {by - ay}" for (ax, ay), (bx, by) in pairwise(places))
        found.append(f"M{places[0][0]} {places[0][1]}l{' '.join(steps)}z")
    return "".join(found).replace(" -", "-")


def _shapes(board_map: pb.BoardMap, state: pb.State | None) -> Iterable[str]:
    """Define the shapes of the land by their codes, and clip paths for owned provinces."""
    yield f'<g id="land"><path id="beyond" d="{outline(board_map.beyond)}" fill-rule="evenodd"/>'
    for shape in board_map.provinces:
        yield f'<path id="{shape.code}" d="{outline(shape)}" fill-rule="evenodd" clip-rule="evenodd"/>'
    yield "</g>"
    if state is not None:
        for code, holding in zip(state.provinces, state.holdings, strict=True):
            if holding != pb.HOLDING_NOBODY:
                yield f'<clipPath id="in{code}"><use href="#{code}"/></clipPath>'


def _water(board_map: pb.BoardMap) -> Iterable[str]:
    """Draw light water, the dark water of the seas, and bands along the shores that fade with the distance."""
    yield f'<rect width="{board_map.width}" height="{board_map.height}" fill="{look.COAST}"/>'
    for width in look.WATER_LINES:
        yield f'<use href="#land" fill="none" stroke="{look.PAPER}" stroke-width="{width}" stroke-opacity="0.2"/>'
    for shape in board_map.seas:
        yield f'<path d="{outline(shape)}" fill="{look.SEA}" stroke="{look.SEA_BORDER}" fill-rule="evenodd"/>'
    yield f'<use href="#land" fill="none" stroke="{look.SHORE}" stroke-width="5" stroke-linejoin="round"/>'


def _land(board_map: pb.BoardMap, board: pb.Board, state: pb.State | None) -> Iterable[str]:
    """Draw the provinces with terrain and owner, then the borders."""
    yield f'<use href="#beyond" fill="{look.BEYOND}"/>'
    for place, province in enumerate(board.provinces):
        code, (colour, _) = province.code, look.TERRAINS[province.terrain]
        yield f'<use href="#{code}" fill="{colour}"/><use href="#{code}" fill="url(#{province.terrain})"/>'
        if state is not None and state.holdings[place] != pb.HOLDING_NOBODY:
            yield _held(code, state.owners[place], is_declined=state.holdings[place] == pb.HOLDING_DECLINED)
    yield f'<g fill="none" stroke="{look.BORDER}" stroke-width="2.4" stroke-linejoin="round">'
    yield from (f'<use href="#{shape.code}"/>' for shape in board_map.provinces)
    yield "</g>"


def _held(code: str, owner: int, *, is_declined: bool) -> str:
    """Draw a band along the inside of a province in its owner's colour, and a tint or, if declined, hatching.

    The band of neutral pawns is narrow.
    """
    colour, band = look.SEATS[owner], BAND if owner else BAND / 2
    inside = (
        f'fill="url(#declined{owner})" fill-opacity="0.6"' if is_declined else f'fill="{colour}" fill-opacity="0.3"'
    )
    return (
        f'<g clip-path="url(#in{code})"><use href="#{code}" {inside}/>'
        f'<use href="#{code}" fill="none" stroke="{colour}" stroke-width="{band:g}" stroke-opacity="0.85"/></g>'
    )


def _strait(points: Sequence[int]) -> str:
    """Draw a dashed line."""
    return (
        f'<path d="M{" ".join(map(str, points))}" stroke="{look.STRAIT}" stroke-width="5" stroke-linecap="round"'
        ' stroke-dasharray="1 9" fill="none"/>'
    )


def _frame(width: int, height: int) -> list[str]:
    """Draw two lines around the map."""
    return [
        f'<rect x="{-away}" y="{-away}" width="{width + 2 * away}" height="{height + 2 * away}" fill="none"'
        f' stroke="{look.INK}" stroke-width="{line}"/>'
        for away, line in ((1, 2), (12, 5))
    ]


def _drawn(part: LabelPart) -> str:
    """Draw a part of a label, of the title or of the legend."""
    box = part.box
    middle = f'<g transform="translate({box.left + box.width / 2:.1f} {box.top + box.height / 2:.1f})">'
    match part.kind:
        case "port" | "mine" | "fort" | "rose":
            return f"{middle}{look.SYMBOLS[part.kind](min(box.width, box.height))}</g>"
        case "token":
            return f"{middle}{_token(part)}</g>"
        case "chip":
            return f"{middle}{_chip(part)}</g>"
        case "field":
            return _field(part)
        case "strait":
            y = round(box.top + box.height / 2)
            return _strait([round(box.left) + 4, y, round(box.left + box.width) - 4, y])
        case "sea":
            spacing = part.size * SEA_SPACING
            return _text(part, f'font-style="italic" fill="{look.SEA_INK}" letter-spacing="{spacing:.1f}"', spacing)
        case "title":
            spacing = part.size * TITLE_SPACING
            return _text(part, f'fill="{look.INK}" letter-spacing="{spacing:.1f}"', spacing)
        case "name":
            halo = f'stroke="{look.PAPER}" stroke-opacity="0.75" stroke-width="{part.size / 5:.1f}"'
            return _text(part, f'fill="{look.INK}" {halo} stroke-linejoin="round" paint-order="stroke"')
        case "credit":
            return _text(part, f'fill="{look.FAINT}" font-style="italic"')
    return _text(part, f'fill="{look.INK}"', anchor="start")


def _text(part: LabelPart, attributes: str, spacing: float = 0.0, anchor: str = "middle") -> str:
    """Draw a line of text in its box; centring ignores the letter spacing after the last letter."""
    box = part.box
    x = box.left if anchor == "start" else box.left + (box.width + spacing) / 2
    y = box.top + box.height / 2 + part.size * 0.34
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{part.size:g}" text-anchor="{anchor}" {attributes}>'
        f"{escape(part.text)}</text>"
    )


def _token(part: LabelPart) -> str:
    """Draw the number of a seat in its colour, or a pawn if neutral, and the number of pawns, centred at 0, 0."""
    width, height, size = part.box.width, part.box.height, part.size
    left, bow, split = -width / 2, height / 2, -width / 2 + size * (TOKEN - 0.6)
    shape = f'x="{left:.1f}" y="{-bow:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{bow:.1f}"'
    dashes = f' stroke-dasharray="{size / 5:.1f} {size / 8:.1f}"' if part.declined else ""
    text = f'y="{size * 0.34:.1f}" font-size="{size * 0.9:.1f}" text-anchor="middle"'
    middle = (left + split) / 2 + size * 0.06
    if part.seat:
        whose = f'<text x="{middle:.1f}" {text} fill="{look.ON_SEATS[part.seat]}">{part.seat}</text>'
    else:
        whose = f'<g transform="translate({middle:.1f} 0)">{look.pawn(size)}</g>'
    return (
        f'<rect {shape} fill="{look.PAPER}"/>'
        f'<path d="M{split:.1f} {-bow:.1f}H{left + bow:.1f}A{bow:.1f} {bow:.1f} 0 0 0 {left + bow:.1f} {bow:.1f}'
        f'H{split:.1f}Z" fill="{look.SEATS[part.seat]}"/>'
        f'<rect {shape} fill="none" stroke="{look.INK}" stroke-width="2.2"{dashes}/>{whose}'
        f'<text x="{(split + width / 2) / 2 - size * 0.06:.1f}" {text} font-weight="bold" fill="{look.INK}">'
        f"{part.text}</text>"
    )


def _field(part: LabelPart) -> str:
    """Draw a coloured field of the legend: water, a seat with its number, or a terrain, owned or not."""
    box, band = part.box, BAND / 3
    place = f'x="{box.left:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="6"'
    edge = f'<rect {place} fill="none" stroke="{look.BORDER}" stroke-width="2"/>'
    if part.code not in look.TERRAINS:
        return f'<rect {place} fill="{look.WATERS[part.code]}"/>{edge}'
    found = f'<rect {place} fill="{look.TERRAINS[part.code][0]}"/><rect {place} fill="url(#{part.code})"/>'
    if part.seat:
        colour = look.SEATS[part.seat]
        fill = f"url(#declined{part.seat})" if part.declined else colour
        found += f'<rect {place} fill="{fill}" fill-opacity="{0.6 if part.declined else 0.3}"/>'
        inner = box.left + band / 2, box.top + band / 2, box.width - band, box.height - band
        x, y, width, height = (f"{number:.1f}" for number in inner)
        found += (
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="none" stroke="{colour}"'
            f' stroke-width="{band:.1f}" stroke-opacity="0.85"/>'
        )
    return found + edge


def _chip(part: LabelPart) -> str:
    """Draw the number of a seat on its colour, centred at 0, 0."""
    width, height = part.box.width, part.box.height
    return (
        f'<rect x="{-width / 2:.1f}" y="{-height / 2:.1f}" width="{width:.1f}" height="{height:.1f}" rx="6"'
        f' fill="{look.SEATS[part.seat]}" stroke="{look.INK}" stroke-width="2"/>'
        f'<text y="{part.size * 0.34:.1f}" font-size="{part.size:g}" text-anchor="middle"'
        f' fill="{look.ON_SEATS[part.seat]}">{part.text}</text>'
    )
