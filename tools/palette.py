"""Writes colours, symbols and sizes of the board for the page from those of the SVG board; `--check` only compares.

Run as `python -m tools.palette [--check]`. They are in `clients/vinci_cli/graphics`: `palette.csv`, `symbols.csv`,
`symbols` and `labels`.
"""

import json
import sys
from pathlib import Path

from tools.generated import keep
from vinci_cli.graphics import labels, symbols
from vinci_cli.graphics.palette import column

SOURCES = Path(__file__).parents[1] / "clients" / "web" / "src"
PAGE = SOURCES / "style" / "palette.css"
DRAWING = SOURCES / "board" / "drawing.json"
SIZES = ("MARKS", "MARK", "TOKEN", "DIGIT", "GAP", "BASE", "SEA_SPACING", "PLAIN_SIZE", "HATCH")
THEMES = {":root": "paper", ':root[data-theme="dark"]': "dark"}


def style_sheet() -> str:
    """Return the colours that both themes of the page have, as variables of CSS."""
    shared = set.intersection(*(set(column(medium)) for medium in THEMES.values()))
    blocks = ["/* Colours of the board, written by tools/palette.py from clients/vinci_cli/graphics/palette.csv. */\n"]
    for selector, medium in THEMES.items():
        colours = "".join(f"  --{role}: {colour};\n" for role, colour in column(medium).items() if role in shared)
        blocks.append(f"{selector} {{\n{colours}}}\n")
    return "\n".join(blocks)


def drawing() -> str:
    """Return symbols, patterns of terrains and sizes; colours are variables of the style sheet."""
    variables = {role: role if role == "none" else f"var(--{role})" for role in symbols.COLOURS}
    shapes = {
        name: [[variables[row["fill"]], variables[row["stroke"]], float(row["width"]), row["path"]] for row in rows]
        for name, rows in symbols.SYMBOLS.items()
    }
    sizes = {name: getattr(labels, name) for name in SIZES}
    return json.dumps({"sizes": sizes, "patterns": symbols.PATTERNS, "symbols": shapes}, indent=1) + "\n"


def main() -> int:
    """0 if the files are, or now are, up to date."""
    return keep(PAGE, style_sheet(), "is not of the palette") | keep(DRAWING, drawing(), "is not of the SVG board")


if __name__ == "__main__":
    sys.exit(main())
