"""Checks the links of README, CONTRIBUTING and docs: every file and every heading that they point to exists.

So does every page that sources name, such as docs/rules.md#12-editions.

Run as `python -m tools.check_links`. Links to files of the project are relative, so that they work in a clone; those of
README.md are rewritten for package indexes when it is built (pyproject.toml). Links to other sites are not followed.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")
SITE = "/vinci-server/vinci-server/"
"""Part of the addresses of files of this project."""
NAMED = re.compile(r"\bdocs/([\w./-]+\.md)(?:#([\w-]+))?")
"""A page that a source names, and its heading."""
SOURCES = ("*.proto", "*.py", "*.ts", "*.svelte", "*.toml")
CODE = re.compile(r"^```.*?^```|(?<=\n\n)(?: {4}[^\n]*\n)+", re.MULTILINE | re.DOTALL)
"""Blocks of code, in which a link is shown as it is typed."""


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    found = set()
    for heading in re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE):
        words = re.sub(r"[^\w\- ]", "", heading.lower()).strip()
        found.add(words.replace(" ", "-"))
    return found


def broken(page: Path) -> list[str]:
    """Return the faults of the links of a page."""
    text = page.read_text(encoding="utf-8")
    in_code = LINK.findall("".join(CODE.findall(text)))
    found = [f"{page.name}: {link} stands in a block of code, where it is no link" for link in in_code]
    for link in LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            if SITE in link:
                found.append(f"{page.name}: {link} leaves the clone; link to the file")
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            found.append(f"{page.relative_to(ROOT)}: {link} does not exist")
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            found.append(f"{page.relative_to(ROOT)}: {link} has no such heading")
    return found


def misnamed(source: Path) -> list[str]:
    """Return the pages that a source names and that do not exist, or have no such heading."""
    found = []
    for name in NAMED.finditer(source.read_text(encoding="utf-8")):
        page = ROOT / "docs" / name[1]
        if not page.exists() or (name[2] and name[2] not in anchors(page)):
            found.append(f"{source}: there is no {name[0]}")
    return found


def main() -> int:
    """0 if every link leads somewhere."""
    tracked = subprocess.run(["git", "ls-files", *SOURCES], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found = [fault for page in PAGES for fault in broken(page)]
    found += [fault for source in tracked.splitlines() for fault in misnamed(ROOT / source)]
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
