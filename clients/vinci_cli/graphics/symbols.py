"""Colours and patterns of the drawn board."""

from typing import Final

PAPER, INK, FAINT = "#f7f1e3", "#33291c", "#8a7a60"
BEYOND: Final = "#e9e0cb"
SEA, COAST, SEA_INK, SEA_BORDER = "#7ba9bd", "#cbe2e4", "#1d4759", "#a9cbd6"
WATERS: Final = {"sea": SEA, "coast": COAST}

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

PATTERNS: Final = {
    "farmland": (44, "M4 12h14M8 17h14M26 34h14M22 39h14"),
    "pasture": (46, "M8 16q1-6-2-9M11 16v-10M14 16q-1-6 2-9M31 39q1-6-2-9M34 39v-10M37 39q-1-6 2-9"),
    "hills": (50, "M4 17q8-13 17 0M16 12q6-8 12 1M29 42q8-13 17 0"),
    "forest": (42, "M10 18v-4M4 14h12L10 3ZM31 39v-4M25 35h12L31 24Z"),
    "mountain": (56, "M4 22L15 4L26 22M15 4L19 15M31 50L42 32L53 50M42 32L46 43"),
}
"""Side of the square pattern of each terrain, and its drawing."""
