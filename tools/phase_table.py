"""Writes the phases of a game in docs/architecture.md from the table in `vinci_rules.phases`; `--check` only compares.

Run as `python -m tools.phase_table [--check]`.
"""

import sys
from pathlib import Path

from tools.generated import keep
from vinci_rules.phases import PHASES, WORDS

PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"
START, END = "<!-- phases: written by tools/phase_table.py -->\n", "<!-- end of phases -->"


def table() -> str:
    """Return a Markdown table: a row for each phase, with its actions and the phases that can follow each of them."""
    lines = ["| phase | actions → phases that can follow |", "|---|---|"]
    for phase, actions in PHASES.items():
        steps = "; ".join(f"`{WORDS[kind]}` → {', '.join(following)}" for kind, following in actions.items())
        lines.append(f"| `{phase}` | {steps or 'none'} |")
    return "".join(f"{line}\n" for line in lines)


def main() -> int:
    """0 if the page is, or now is, up to date."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(START)
    _, after = rest.split(END)
    fresh = f"{before}{START}\n{table()}\n{END}{after}"
    return keep(PAGE, fresh, "has other phases than vinci_rules.phases")


if __name__ == "__main__":
    sys.exit(main())
