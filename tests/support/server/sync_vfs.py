"""A disk whose syncs can be observed and delayed: SQLite's own file system with its xSync replaced.

`sqlite3` has no way to do that, but the library beneath it has; it is reached through ctypes. Where the interpreter
hides that library, `watched_disk` skips the test.
"""

import ctypes
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

_POINTERS_OF_VFS: Final = 16
_POINTERS_OF_METHODS: Final = 18
_SYNC: Final = 4
"""The place of xSync among the methods of a file."""

_OPEN_TYPE: Final = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p
)
_SYNC_TYPE: Final = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)


class _Vfs(ctypes.Structure):
    """`sqlite3_vfs`; xOpen is the first of its functions."""

    _fields_ = (
        ("version", ctypes.c_int),
        ("file_size", ctypes.c_int),
        ("longest_path", ctypes.c_int),
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("functions", ctypes.c_void_p * _POINTERS_OF_VFS),
    )


class _Methods(ctypes.Structure):
    """`sqlite3_io_methods`."""

    _fields_ = (("version", ctypes.c_int), ("functions", ctypes.c_void_p * _POINTERS_OF_METHODS))


class _File(ctypes.Structure):
    """`sqlite3_file`, as far as everybody knows it."""

    _fields_ = (("methods", ctypes.POINTER(_Methods)),)


class Disk:
    """State of the synced files.

    Attributes:
        synced: the content of each file, by name, as it was when its last sync ended: what a power loss leaves.
        count: how many syncs have ended.
        free: cleared, it holds up every sync that begins.
        waiting: set as long as a sync is held up.
        delay: seconds that every sync takes longer.
    """

    def __init__(self) -> None:
        self.synced: dict[str, bytes] = {}
        self.count = 0
        self.free: Final = threading.Event()
        self.waiting: Final = threading.Event()
        self.free.set()
        self.delay = 0.0

    def sync(self, path: Path) -> None:
        """Delay or count a sync of a file before it begins."""
        if not self.free.is_set():
            self.waiting.set()
            self.free.wait(60)
            self.waiting.clear()
        time.sleep(self.delay)

    def ended(self, path: Path) -> None:
        """A file was synced. With the first sync of a new file SQLite syncs the folder too: who is gone stays away."""
        contents = self.synced
        if path.name not in contents:
            contents = {name: content for name, content in contents.items() if path.with_name(name).exists()}
        self.synced = contents | {path.name: path.read_bytes()}
        self.count += 1


def restored(files: dict[str, bytes], folder: Path) -> Path:
    """Return the database of these files, in a new folder."""
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder / next(name for name in files if name.endswith(".db"))


@contextmanager
def watched_disk() -> Iterator[Disk]:
    """Watch the files of all databases that are opened and closed meanwhile."""
    library = _library()
    disk = Disk()
    original = _Vfs.from_address(library.sqlite3_vfs_find(None))
    original_open = _OPEN_TYPE(original.functions[0])
    references: list[Any] = []

    def open_file(_vfs: int, name: bytes | None, file: int, flags: int, flags_out: int) -> int:
        code = original_open(ctypes.addressof(original), name, file, flags, flags_out)
        if code == 0 and name:
            opened = _File.from_address(file)
            references.append(_with_sync(disk, Path(name.decode()), opened))
        return int(code)

    copy = _Vfs.from_buffer_copy(original)
    copy.name = b"watched"
    ours = _OPEN_TYPE(open_file)
    copy.functions[0] = ctypes.cast(ours, ctypes.c_void_p).value
    assert library.sqlite3_vfs_register(ctypes.byref(copy), 1) == 0
    try:
        yield disk
    finally:
        disk.free.set()
        library.sqlite3_vfs_register(ctypes.byref(original), 1)
        library.sqlite3_vfs_unregister(ctypes.byref(copy))


def _with_sync(disk: Disk, path: Path, opened: _File) -> Any:
    """Give an open file a sync that notifies the disk; return the objects that must live as long as the file."""
    methods = _Methods.from_buffer_copy(opened.methods.contents)
    original_sync = _SYNC_TYPE(methods.functions[_SYNC])

    def sync(file: int, flags: int) -> int:
        disk.sync(path)
        code = original_sync(file, flags)
        if code == 0:
            disk.ended(path)
        return int(code)

    ours = _SYNC_TYPE(sync)
    methods.functions[_SYNC] = ctypes.cast(ours, ctypes.c_void_p).value
    opened.methods = ctypes.pointer(methods)
    return methods, ours


def _library() -> Any:
    """Return the library that `sqlite3` uses."""
    import _sqlite3

    try:
        library = ctypes.CDLL(_sqlite3.__file__)
        library.sqlite3_libversion.restype = ctypes.c_char_p
        library.sqlite3_vfs_find.restype = ctypes.c_void_p
        library.sqlite3_vfs_find.argtypes = [ctypes.c_char_p]
        library.sqlite3_vfs_register.argtypes = [ctypes.c_void_p, ctypes.c_int]
        library.sqlite3_vfs_unregister.argtypes = [ctypes.c_void_p]
    except (AttributeError, OSError):
        pytest.skip("this interpreter hides the SQLite library that it uses")
    assert library.sqlite3_libversion().decode() == sqlite3.sqlite_version
    return library
