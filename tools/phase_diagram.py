"""Draws the phases of a game in docs/architecture.md from the table in `vinci_rules.phases`; `--check` only compares.

Run as `python -m tools.phase_diagram [--check]`.
"""

import sys
from pathlib import Path

from tools.generated import keep
from vinci_rules.phases import PHASES, WORDS

PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"
START, END = "<!-- phases: drawn by tools/phase_diagram.py -->\n", "<!-- end of phases -->"


def diagram() -> str:
    """The phase table as a Mermaid state diagram, with the actions that lead from phase to phase."""
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> draft"]
    for phase, actions in PHASES.items():
        by_next: dict[str, list[str]] = {}
        for action, successors in actions.items():
            for successor in successors:
                by_next.setdefault(successor, []).append(WORDS[action])
        lines += [f"    {phase} --> {successor}: {', '.join(words)}" for successor, words in by_next.items()]
    return "\n".join([*lines, "    over --> [*]", "```", ""])


def main() -> int:
    """0 if the page is, or now is, up to date."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(START)
    _, after = rest.split(END)
    fresh = before + START + diagram() + END + after
    return keep(PAGE, fresh, "has other phases than vinci_rules.phases")


if __name__ == "__main__":
    sys.exit(main())
