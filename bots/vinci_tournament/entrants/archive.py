"""Archives of bots: packed by their authors, unpacked here without trust."""

import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Final

from vinci_bots.local.sandbox import MANIFEST

ZIP, TAR = ".zip", (".tar.gz", ".tgz")
KINDS: Final = (ZIP, *TAR)
"""Endings of archives."""
MOST_FILES: Final = 2000
MOST_BYTES: Final = 128 * 2**20
"""Most files of a bot, and most bytes of all of them."""
IGNORED: Final = (".git", "__pycache__", "node_modules/.cache", ".venv")
"""Folders that are not packed."""


class BadArchive(ValueError):
    """An archive or a folder cannot be taken; the text says why."""


def stem(source: Path) -> str:
    """Return the name of a folder or an archive without its ending."""
    return next((source.name[: -len(kind)] for kind in KINDS if source.name.endswith(kind)), source.name)


def unpack(source: Path, target: Path) -> None:
    """Copy a folder, or unpack an archive, into a new folder; of a single folder in it, its contents.

    Raises BadArchive.
    """
    if source.is_dir():
        _copy(source, target)
    elif source.name.endswith(KINDS):
        target.mkdir(parents=True)
        try:
            if source.name.endswith(ZIP):
                with zipfile.ZipFile(source) as archive:
                    _from_zip(archive, target)
            else:
                with tarfile.open(source, "r:gz") as tar:
                    _from_tar(tar, target)
        except (
            zipfile.BadZipFile,
            tarfile.TarError,
            zlib.error,
            EOFError,
            OSError,
            NotImplementedError,
            RuntimeError,
        ) as error:
            raise BadArchive(f"the archive cannot be unpacked: {error or type(error).__name__}") from None
    else:
        raise BadArchive(f"it is neither a folder nor an archive ({', '.join(KINDS)})")
    inner = [path for path in target.iterdir() if path.name != "__MACOSX"]
    if len(inner) == 1 and (inner[0] / MANIFEST).is_file():
        whole = target.with_name(f"{target.name}.whole")
        target.rename(whole)
        (whole / inner[0].name).rename(target)
        shutil.rmtree(whole)


def unpack_stream(stream: IO[bytes], target: Path) -> None:
    """Unpack a tar archive that is read from a stream into a new folder. Raises BadArchive."""
    target.mkdir(parents=True)
    try:
        with tarfile.open(fileobj=stream, mode="r|") as tar:
            _from_tar(tar, target)
    except (tarfile.TarError, EOFError, OSError) as error:
        raise BadArchive(f"what was built cannot be unpacked: {error}") from None


def pack(folder: Path, target: Path) -> list[str]:
    """Pack a folder into a zip archive; return the paths of its files. Raises BadArchive."""
    files = sorted(_packed(folder, target.absolute()))
    _check(len(files), sum(path.stat().st_size for path in files))
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            archive.write(path, path.relative_to(folder))  # with its mode
    return [path.relative_to(folder).as_posix() for path in files]


def _packed(folder: Path, target: Path) -> Iterator[Path]:
    """Yield the files of a folder but those in ignored ones, links, and the archive itself."""
    for path in folder.rglob("*"):
        inside = f"/{path.relative_to(folder).as_posix()}/"
        is_left_out = path.is_symlink() or path.absolute() == target or any(f"/{name}/" in inside for name in IGNORED)
        if path.is_file() and not is_left_out:
            yield path


def _copy(source: Path, target: Path) -> None:
    """Copy a folder without links, which could lead out of it."""
    target.mkdir(parents=True)
    files = list(_packed(source, target))
    _check(len(files), sum(path.stat().st_size for path in files))
    for path in files:
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)


def _from_zip(archive: zipfile.ZipFile, target: Path) -> None:
    """Unpack files; `extract` of Python would rename what leads out of the folder, here it is refused."""
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    _check(len(entries), sum(entry.file_size for entry in entries))
    left = MOST_BYTES
    for entry in entries:
        path = PurePosixPath(entry.filename)
        mode = entry.external_attr >> 16
        if (
            path.is_absolute()
            or ".." in path.parts
            or "\\" in entry.filename
            or stat.S_IFMT(mode) not in (0, stat.S_IFREG)
        ):
            raise BadArchive(f"{entry.filename!r:.80} is no file inside of the archive")
        place = target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(entry) as packed, place.open("xb") as file:
            while piece := packed.read(min(2**16, left + 1)):
                left -= len(piece)
                if left < 0:  # the sizes that it tells are smaller than they are
                    _check(0, MOST_BYTES + 1)
                file.write(piece)
        place.chmod(0o755 if mode & 0o111 else 0o644)


def _from_tar(tar: tarfile.TarFile, target: Path) -> None:
    files = size = 0
    for member in tar:
        files, size = files + 1, size + member.size
        _check(files, size)
        tar.extract(member, target, filter="data", set_attrs=True)


def _check(files: int, size: int) -> None:
    if files > MOST_FILES or size > MOST_BYTES:
        raise BadArchive(f"it is too large: at most {MOST_FILES} files with {MOST_BYTES >> 20} MB together")
