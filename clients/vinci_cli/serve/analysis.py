"""The analysis service as a process beside the server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from vinci_client.address import joined
from vinci_client.processes import COMMAND, environment

from ..text.i18n import VARIABLE, _, language
from .access import ServeAccess
from .supervisor import Supervisor

LISTENING: Final = "listening on "
"""Start of its first line; the address follows."""


def beside(host: str, port: int, workers: int, door: ServeAccess, database: Path, log_level: str) -> Supervisor:
    """Return the process for a server with this host, access and database."""
    where = ["--workers", str(workers), "--db", str(database), "--log-level", log_level, "--with-stdin"]
    password = {"VINCI_PASSWORD": door.password} if door.password else {}
    return Supervisor(
        "analysis",
        lambda port: [*COMMAND, "analysis", "--listen", joined(host, port), *where, *_opens(door)],
        {**environment(), **password, VARIABLE: language()},
        port,
        LISTENING,
        _("analysis has not started; its last output is above"),
    )


def _opens(door: ServeAccess) -> Iterator[str]:
    """Yield access options as typed, without the password, which must not show in a list of processes."""
    if door.code:
        yield "--code"
    if door.tls:
        yield "--tls"
    for name, path in (("--tls-cert", door.tls_cert), ("--tls-key", door.tls_key)):
        if path is not None:
            yield from (name, str(path))
    for limit in door.limits:
        yield from ("--limit", limit)
