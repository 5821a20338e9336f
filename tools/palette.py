"""Writes the colours of the board for the page from `clients/vinci_cli/graphics/palette.csv`; `--check` only compares.

Run as `python -m tools.palette [--check]`.
"""

import sys
from pathlib import Path

from tools.generated import keep
from vinci_cli.graphics.palette import column

PAGE = Path(__file__).parents[1] / "clients" / "web" / "src" / "style" / "palette.css"
THEMES = {":root": "paper", ':root[data-theme="dark"]': "dark"}


def style_sheet() -> str:
    """Return the colours that both themes of the page have, as variables of CSS."""
    shared = set.intersection(*(set(column(medium)) for medium in THEMES.values()))
    blocks = ["/* Colours of the board, written by tools/palette.py from clients/vinci_cli/graphics/palette.csv. */\n"]
    for selector, medium in THEMES.items():
        colours = "".join(f"  --{role}: {colour};\n" for role, colour in column(medium).items() if role in shared)
        blocks.append(f"{selector} {{\n{colours}}}\n")
    return "\n".join(blocks)


def main() -> int:
    """0 if the style sheet is, or now is, up to date."""
    return keep(PAGE, style_sheet(), "is not of the palette")


if __name__ == "__main__":
    sys.exit(main())
