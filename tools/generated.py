"""Files of the docs that programs write."""

import sys
from pathlib import Path


def keep(path: Path, fresh: str, stale: str) -> int:
    """Write a file anew if it is not as it should be; with `--check` on the command line only say why it is `stale`.

    Returns the exit status: 0 if the file is, or now is, up to date.
    """
    if path.exists() and path.read_text(encoding="utf-8") == fresh:
        return 0
    if "--check" in sys.argv[1:]:
        print(f"{path.name} {stale}; run `python -m tools.{Path(sys.argv[0]).stem}`")
        return 1
    path.write_text(fresh, encoding="utf-8")
    return 0
