"""Bots as a class hands them in: folders and archives, whole and broken."""

import io
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

GOOD: Final = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "decision" in message:
        print(json.dumps({"play": message["advice"]}), flush=True)
"""
RUN: Final = 'run = "stdio:python3 main.py"\n'
FILES: Final = {"bot.toml": RUN, "main.py": GOOD}
SPREAD: Final = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "decision" in message:
        others = [action for action in message["actions"] if not action.startswith("decline")]
        print(json.dumps({"play": others[%d %% len(others)] if others else message["advice"]}), flush=True)
"""


def zipped(file: Path, files: Mapping[str, str], top: str = "") -> None:
    """Write a zip archive, perhaps with one folder around its files."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(top + name, text)


def tarred(file: Path, files: Mapping[str, str], links: Mapping[str, str] | None = None) -> None:
    """Write a tar archive, perhaps with links."""
    with tarfile.open(file, "w:gz") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
        for name, target in (links or {}).items():
            info = tarfile.TarInfo(name)
            info.type, info.linkname = tarfile.SYMTYPE, target
            archive.addfile(info)


BROKEN: Final[dict[str, tuple[Callable[[Path], None], str, str]]] = {
    "no-manifest.zip": (lambda file: zipped(file, {"main.py": GOOD}), "manifest", "there is no bot.toml in it"),
    "bad-manifest.zip": (lambda file: zipped(file, FILES | {"bot.toml": "run = ["}), "manifest", "bot.toml is no TOML"),
    "no-run.zip": (
        lambda file: zipped(file, FILES | {"bot.toml": 'name = "a"'}),
        "manifest",
        "expected a command such",
    ),
    "no-program.zip": (
        lambda file: zipped(file, {"bot.toml": 'run = "stdio:./bot"'}),
        "manifest",
        "there is no program './bot'",
    ),
    "no-build.zip": (
        lambda file: zipped(file, FILES | {"bot.toml": f'{RUN}build = "echo no compiler; exit 3"'}),
        "build",
        "the build ended with status 3: no compiler",
    ),
    "leads-out.zip": (
        lambda file: zipped(file, FILES | {"../../evil.py": "x"}),
        "archive",
        "'../../evil.py' is no file inside of the archive",
    ),
    "links-out.tar.gz": (
        lambda file: tarred(file, FILES, {"passwords": "/etc/passwd"}),
        "archive",
        "the archive cannot be unpacked",
    ),
    "torn.zip": (lambda file: _torn(file), "archive", "the archive cannot be unpacked: File is not a zip file"),
    "large.zip": (
        lambda file: zipped(file, FILES | {f"{number}": "\0" * 2**24 for number in range(9)}),
        "archive",
        "it is too large: at most 2000 files with 128 MB together",
    ),
    "ends.zip": (lambda file: zipped(file, FILES | {"main.py": "1/0"}), "doctor", "it ended with status 1"),
}
"""Archives that are broken in ten ways: how they are made, the step that finds it, and what it says."""


def _torn(file: Path) -> None:
    zipped(file, FILES)
    file.write_bytes(file.read_bytes()[:100])


def handed_in(folder: Path, good: int) -> None:
    """Write so many archives of bots that play, each a little differently, and the broken ones."""
    folder.mkdir()
    for number in range(good):
        files = FILES | {"main.py": SPREAD % number if number else GOOD}
        if number % 2:
            tarred(folder / f"bot{number}.tar.gz", files)
        else:
            zipped(folder / f"bot{number}.zip", files, f"bot{number}-1.0/" if number % 4 else "")
    for name, (write, _step, _fault) in BROKEN.items():
        write(folder / name)
