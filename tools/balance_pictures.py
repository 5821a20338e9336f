"""Plays the studies of docs/balance.md and writes their charts to docs/pictures: `make balance-pictures`.

The games follow from the seeds, so charts change only with the rules, the players or the report.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

PICTURES: Final = Path(__file__).parents[1] / "docs" / "pictures"
STUDIES: Final = {
    "changes": ("balance-change.svg", "--change", "WEA=+2", "--seed", "e577d82098b49b083dad266ad8efd939"),
    "prices": ("balance-prices.svg", "--seats", "3,4,5,6", "--seed", "7cd5fe333535ab63282e0ca4f77d41ab"),
}
"""File and options of a study by the section of the report whose first chart is drawn."""
SCALE: Final = 1.2
"""Pixels for each SVG unit."""


def picture(page: str, section: str) -> str:
    """Return the first chart of a section of a report as a picture by itself, with the style of the report."""
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    chart = re.search(rf'id="{section}".*?<svg (.*?viewBox="0 0 (\d+) (\d+)".*?>)(.*?</svg>)', page, re.DOTALL)
    if style is None or chart is None:
        raise SystemExit(f"the report has no chart of {section}")
    attributes, *sides, drawing = chart.groups()
    width, height = (round(int(side) * SCALE) for side in sides)
    alone = f"svg {{ background: var(--paper); width: {width}px; max-width: none; height: {height}px; }}"
    return f'<svg width="{width}" height="{height}" {attributes}<style>{style[1]}{alone}</style>{drawing}\n'


def main() -> None:
    """Play the studies and write the pictures."""
    for section, (name, *options) in STUDIES.items():
        with tempfile.TemporaryDirectory(prefix="vinci-") as folder:
            command = [sys.executable, "-m", "vinci_cli", "tournament", "balance", *options, "--out", folder]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            page = (Path(folder) / "balance.html").read_text(encoding="utf-8")
        (PICTURES / name).write_text(picture(page, section), encoding="utf-8")
        print(PICTURES / name)


if __name__ == "__main__":
    main()
