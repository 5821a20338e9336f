"""The core of the rules that runs: compiled with mypyc, or interpreted from the same sources.

Python prefers a compiled module to the source beside it. Importing the package calls `choose` first, so that a compiled
core whose sources have changed since is not used. `vinci_players`, compiled with the rules, does the same.
"""

import hashlib
import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from typing import Final

VARIABLE: Final = "VINCI_RULES"
"""Environment variable: `compiled` or `interpreted`, the core that must run. Otherwise it is the fastest that fits."""
STAMP: Final = "compiled.sha256"
"""The file beside the compiled modules with the digest of the sources that they were compiled from."""


FOLDER: Final = Path(__file__).parent
"""The folder of the rules."""


def digest(*folders: Path) -> str:
    """Return the SHA-256 in hexadecimal of the Python sources in folders."""
    total = hashlib.sha256()
    for folder in folders:
        for source in sorted(folder.glob("*.py")):
            total.update(source.read_bytes())
    return total.hexdigest()


def is_built(folder: Path) -> bool:
    """Return whether a folder has compiled modules for this Python; one that is missing has none."""
    return any("." + file.name.partition(".")[2] in EXTENSION_SUFFIXES for file in folder.glob("*"))


def is_fresh(folder: Path, *used: Path) -> bool:
    """Return whether a folder has compiled modules for this Python, made from the present sources.

    Args:
        folder: the folder of a package.
        used: folders of the packages that it was compiled with and uses.
    """
    stamp = folder / STAMP
    return is_built(folder) and stamp.exists() and stamp.read_text(encoding="ascii") == digest(folder, *used)


def choose(folder: Path, *used: Path) -> None:
    """Let the modules of a folder be imported from their sources if VINCI_RULES says so, or if compiled ones are stale.

    Args:
        folder, used: as for `is_fresh`.

    Raises:
        ImportError: compiled modules are wanted, but there are none for these sources and this Python; or VINCI_RULES
            has another value than those allowed. Its `name` is VARIABLE.
    """
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in ("", "compiled", "interpreted"):
        raise ImportError(f"{VARIABLE} is {wanted!r}; it can be compiled or interpreted", name=VARIABLE)
    if wanted == "compiled" and not is_fresh(folder, *used):
        fault = "are older than their sources" if is_built(folder) else "are missing for this Python"
        is_clone = (FOLDER.parents[1] / "tools" / "compile_rules.py").exists()
        advice = "`make fast` makes them" if is_clone else "install a wheel that has them for this Python, or unset it"
        text = f"{VARIABLE} is compiled, but compiled modules in {folder} {fault}; {advice}"
        raise ImportError(text, name=VARIABLE)
    if is_built(folder) and (wanted == "interpreted" or not is_fresh(folder, *used)):
        sys.path_importer_cache[str(folder)] = FileFinder(str(folder), (SourceFileLoader, SOURCE_SUFFIXES))


def active() -> str:
    """Return the core that runs: `compiled` or `interpreted`."""
    engine = find_spec("vinci_rules.engine")
    return (
        "compiled" if engine is not None and str(engine.origin).endswith(tuple(EXTENSION_SUFFIXES)) else "interpreted"
    )


choose(FOLDER)
