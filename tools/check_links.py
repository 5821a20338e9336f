"""Checks the links of README and docs: every file and every heading that they point to exists.

Run as `python -m tools.check_links`. Links to other sites are not followed.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    found = set()
    for heading in re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE):
        words = re.sub(r"[^\w\- ]", "", heading.lower()).strip()
        found.add(words.replace(" ", "-"))
    return found


def broken(page: Path) -> list[str]:
    """Return the faults of the links of a page."""
    found = []
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            found.append(f"{page.relative_to(ROOT)}: {link} does not exist")
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            found.append(f"{page.relative_to(ROOT)}: {link} has no such heading")
    return found


def main() -> int:
    """0 if every link leads somewhere."""
    found = [fault for page in PAGES for fault in broken(page)]
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
