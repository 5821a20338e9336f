"""Colours, symbols and patterns of the drawn board, as SVG."""

from typing import Final

PAPER, INK, FAINT = "#f7f1e3", "#33291c", "#8a7a60"
BEYOND: Final = "#e9e0cb"
SEA, COAST, SEA_INK, SEA_BORDER = "#7ba9bd", "#cbe2e4", "#1d4759", "#a9cbd6"
WATERS: Final = {"sea": SEA, "coast": COAST}
WATER_LINES: Final = (30, 20, 11)
"""Widths of the bands along the shores."""

SHORE, BORDER, STRAIT = "#4d5f63", "#6b5a40", "#7a2d1e"

TERRAINS: Final = {
    "farmland": ("#f8e6a9", "#b8933a"),
    "pasture": ("#bfd88e", "#76944a"),
    "hills": ("#d9a76f", "#93622f"),
    "forest": ("#88b085", "#3f6e48"),
    "mountain": ("#cfc9c6", "#7d756e"),
}
"""Colours of each terrain and of its pattern."""

SEATS: Final = ("#4d463c", "#4a33d6", "#d63c0a", "#12a57d", "#c777d8", "#f7dc00", "#a6eef5")
ON_SEATS: Final = ("#ffffff", "#ffffff", "#ffffff", "#1c150c", "#1c150c", "#1c150c", "#1c150c")
"""Colour of neutral pawns, then of each seat, and the colour of text on it."""

_PATTERNS: Final = {
    "farmland": (44, "M4 12h14M8 17h14M26 34h14M22 39h14"),
    "pasture": (46, "M8 16q1-6-2-9M11 16v-10M14 16q-1-6 2-9M31 39q1-6-2-9M34 39v-10M37 39q-1-6 2-9"),
    "hills": (50, "M4 17q8-13 17 0M16 12q6-8 12 1M29 42q8-13 17 0"),
    "forest": (42, "M10 18v-4M4 14h12L10 3ZM31 39v-4M25 35h12L31 24Z"),
    "mountain": (56, "M4 22L15 4L26 22M15 4L19 15M31 50L42 32L53 50M42 32L46 43"),
}
"""Side of the square pattern of each terrain, and its drawing."""

HATCH: Final = 13
"""Distance of the lines that hatch declined empires."""


def definitions() -> list[str]:
    """Return the named patterns of the terrains."""
    return [
        f'<pattern id="{terrain}" width="{side}" height="{side}" patternUnits="userSpaceOnUse"><path d="{path}"'
        f' fill="none" stroke="{TERRAINS[terrain][1]}" stroke-width="1.7" stroke-linecap="round"'
        ' stroke-linejoin="round" opacity="0.62"/></pattern>'
        for terrain, (side, path) in _PATTERNS.items()
    ]


def hatchings() -> list[str]:
    """Return the named patterns of the declined empires."""
    found = []
    for seat, colour in enumerate(SEATS[1:], start=1):
        line = f'<path d="M0 {HATCH / 2}h{HATCH}" stroke="{colour}" stroke-width="4.5"/>'
        found.append(
            f'<pattern id="declined{seat}" width="{HATCH}" height="{HATCH}" patternUnits="userSpaceOnUse"'
            f' patternTransform="rotate(45)">{line}</pattern>'
        )
    return found


def port(size: float) -> str:
    """Draw an anchor on a disc, centred at 0, 0, in a square of this side."""
    return _scaled(
        size,
        f'<circle r="48" fill="{PAPER}" stroke="{SEA_INK}" stroke-width="7"/>'
        f'<path d="M0 -18V30M-13 -9H13M-26 6Q-24 29 0 31Q24 29 26 6M-33 13L-26 4L-17 12M33 13L26 4L17 12"'
        f' fill="none" stroke="{SEA_INK}" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"/>'
        f'<circle cy="-25" r="7" fill="none" stroke="{SEA_INK}" stroke-width="6"/>',
    )


def mine(size: float) -> str:
    """Draw a crossed pick and hammer on a disc."""
    return _scaled(
        size,
        f'<circle r="48" fill="{INK}" stroke="{INK}" stroke-width="4"/>'
        f'<g stroke="{PAPER}" stroke-width="8" stroke-linecap="round" fill="none">'
        '<path d="M-24 28L19 -19M24 28L-19 -19M2 -31Q22 -27 29 -4"/>'
        '<path d="M-31 -13L-13 -31" stroke-width="14" stroke-linecap="butt"/></g>',
    )


def fort(size: float) -> str:
    """Draw a small tower."""
    return _scaled(
        size,
        f'<path d="M-34 -44h17v13h9v-13h16v13h9v-13h17v34h-7v54h-54v-54h-7Z" fill="{PAPER}" stroke="{INK}"'
        f' stroke-width="7" stroke-linejoin="round"/><path d="M-10 44v-22q10-13 20 0v22Z" fill="{INK}"/>',
    )


def pawn(size: float) -> str:
    """Draw a pawn."""
    return _scaled(size, f'<circle cy="-22" r="14" fill="{PAPER}"/><path d="M-9 -12H9L20 32H-20Z" fill="{PAPER}"/>')


def rose(size: float) -> str:
    """Draw a compass rose; north is that at the centre of the map."""
    drawn = "".join(
        f'<g transform="rotate({angle}) scale({scale})"><path d="M0 -40L7 -7L0 0Z" fill="{SEA_INK}"/>'
        f'<path d="M0 -40L-7 -7L0 0Z" fill="{PAPER}"/>'
        f'<path d="M0 -40L7 -7L0 0L-7 -7Z" fill="none" stroke="{SEA_INK}"/></g>'
        for angle, scale in ((45, 0.62), (135, 0.62), (225, 0.62), (315, 0.62), (0, 1), (90, 1), (180, 1), (270, 1))
    )
    for radius, line in ((23, 0.9), (25.5, 0.5)):
        drawn = f'<circle r="{radius}" fill="none" stroke="{SEA_INK}" stroke-width="{line}"/>{drawn}'
    drawn += f'<path d="M-3 -42.5V-49.5L3 -42.5V-49.5" fill="none" stroke="{SEA_INK}" stroke-width="1.2"/>'
    return f'<g opacity="0.8">{_scaled(size, drawn)}</g>'


def _scaled(size: float, drawing: str) -> str:
    """Scale a drawing made for a square of side 100."""
    return f'<g transform="scale({size / 100:.3f})">{drawing}</g>'


SYMBOLS: Final = {"port": port, "mine": mine, "fort": fort, "rose": rose}
