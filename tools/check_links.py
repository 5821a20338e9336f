"""Checks the links of README and docs: every file and every heading that they point to exists.

Run as `python -m tools.check_links`. README.md links to the project's site, so that its links work in a package index,
too; these links are checked in this folder. Links to other sites are not followed.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [README, ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")
SITE = re.compile(
    r"https://(github\.com/vinci-server/vinci-server/(blob|tree)|raw\.githubusercontent\.com/vinci-server/vinci-server)/main/"
)
"""Beginnings of links to files of this project."""


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
        own = SITE.match(link)
        if own is None and re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link[own.end() if own else 0 :].partition("#")
        target = ((ROOT if own else page.parent) / path).resolve() if path else page
        if not target.exists():
            found.append(f"{page.relative_to(ROOT)}: {link} does not exist")
        elif page == README and own is None:
            found.append(f"README.md: {link} is relative, which leads nowhere in a package index")
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
