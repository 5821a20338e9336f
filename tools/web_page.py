"""Notes of which sources the page of the browser client was built; with `--check`, only tells whether it is up to date.

Run as `python -m tools.web_page [--check]`, by `make web` after the build. It needs no Node. The page is in
server/vinci_server/web/page; `sources.sha256` in it is the SHA-256 over the path and text of all that the build reads.
"""

import gzip
import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = Path("server/vinci_server/web/page")
READ = (
    "clients/web/index.html",
    "clients/web/package.json",
    "clients/web/package-lock.json",
    "clients/web/tsconfig.json",
    "clients/web/vite.config.ts",
    "clients/web/buf.gen.yaml",
    "clients/web/src/**/*",
    "proto/vinci/v1/*.proto",
    "docs/rules*.md",
)
"""Files that the build reads."""
NOTE = "sources.sha256"
MOST = 170_000
"""Most bytes of the files of the page, compressed by gzip, without those loaded later.

One language is loaded, all are counted.
"""
LATER = "later-"
"""Beginning of names of files loaded for rules, lessons, a new match, a league, players, records, or later still."""
MOST_LATER = 106_000
"""Most bytes of these files."""
AT_ONCE = re.compile(rf'(?:from|import)\s*"\./{LATER}')
ADDRESS = re.compile(r'(?:src|href)="(/[^"]+)"')


def sources(root: Path) -> Iterator[Path]:
    """Yield the files that the build reads."""
    for pattern in READ:
        yield from sorted(path for path in root.glob(pattern) if path.is_file())


def digest(root: Path) -> str:
    """Return the hash of the sources, the same with any line ends."""
    whole = hashlib.sha256()
    for path in sources(root):
        text = path.read_bytes().replace(b"\r\n", b"\n")
        whole.update(f"{path.relative_to(root).as_posix()} {len(text)}\n".encode())
        whole.update(text)
    return whole.hexdigest()


def compressed(page: Path, *, later: bool = False) -> int:
    """Return the bytes of the files of the page, or of those that are loaded later, compressed."""
    files = [path for path in page.rglob("*") if path.is_file() and path.name.startswith(LATER) == later]
    return sum(len(gzip.compress(path.read_bytes(), mtime=0)) for path in files)


def _needs_later(script: Path) -> bool:
    """Return whether a script that is loaded first imports one that is loaded later, other than on demand."""
    return not script.name.startswith(LATER) and bool(AT_ONCE.search(script.read_text(encoding="utf-8")))


def problems(root: Path) -> list[str]:
    """Return what is wrong with the built page."""
    page = root / PAGE
    note = page / NOTE
    if not note.exists() or note.read_text(encoding="utf-8").strip() != digest(root):
        return [f"{PAGE} was built from other sources; run `make web`, which needs Node 20 or later"]
    named = ADDRESS.findall((page / "index.html").read_text(encoding="utf-8"))
    found = [f"{PAGE}/index.html names {name}, which is not there" for name in named if not (page / name[1:]).exists()]
    found += [
        f"{PAGE}/assets/{path.name} needs a file {LATER}* at once"
        for path in page.glob("assets/*.js")
        if _needs_later(path)
    ]
    for most, later in ((MOST, False), (MOST_LATER, True)):
        if (size := compressed(page, later=later)) > most:
            which = f"files {LATER}* of {PAGE} have" if later else f"{PAGE} has"
            found.append(f"{which} {size:,} bytes compressed; at most {most:,} are allowed")
    return found


def main() -> int:
    """0 if the page is of the present sources."""
    if "--check" not in sys.argv[1:]:
        (ROOT / PAGE / NOTE).write_text(digest(ROOT) + "\n", encoding="utf-8", newline="\n")
        now, then = (compressed(ROOT / PAGE, later=later) for later in (False, True))
        print(f"{PAGE}: {now:,} bytes compressed, and {then:,} loaded later")
    found = problems(ROOT)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
