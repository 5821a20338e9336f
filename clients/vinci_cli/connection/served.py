"""Addresses of the servers of this machine, each in a file beside its database while it runs."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from vinci_client.address import DEFAULT_PORT, LOOPBACK, joined

LOCAL: Final = (*LOOPBACK, "0.0.0.0", "::")
"""Hosts at which a server listens that this machine reaches as localhost."""

USUAL: Final = f"localhost:{DEFAULT_PORT}"


@contextmanager
def noted(database: Path, host: str, port: int) -> Iterator[None]:
    """Note the address of the server with a database as long as this is entered; a killed server leaves the note."""
    file = _file(database)
    file.write_text(joined("localhost" if host in LOCAL else host, port) + "\n", encoding="utf-8")
    try:
        yield
    finally:
        with suppress(OSError):
            file.unlink()


def address_of(database: Path) -> str:
    """Return the address that the server with a database has noted, empty without one."""
    try:
        return _file(database).read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""


def _file(database: Path) -> Path:
    return database.with_suffix(".address")
