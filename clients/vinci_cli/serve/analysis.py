"""`vinci analysis`, and the same as a process beside the server."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from vinci_client.address import joined
from vinci_client.processes import COMMAND, environment

from ..exceptions import Failed
from ..text.i18n import VARIABLE, _, language
from .access import ServeAccess
from .supervisor import Supervisor

if TYPE_CHECKING:
    from vinci_server.limits import Limits
    from vinci_server.rpc.access import ServerAccess

LISTENING: Final = "listening on "
"""Start of its first line; the address follows."""
SWITCH_SECONDS: Final = 0.0005
"""How long a playout may go on when something else is to be done; Python's own ten times as long add up."""


def serve(host: str, port: int, door: ServeAccess, database: Path, log_level: str, *, with_stdin: bool) -> None:
    """Serve analysis until stopped, with the code and the certificate of the server that has this database."""
    from vinci_server.operations import logs

    logs.configure(log_level)
    sys.setswitchinterval(SWITCH_SECONDS)
    asyncio.run(_serve(host, port, door.access(database), door.most(), with_stdin=with_stdin))


async def _serve(host: str, port: int, access: "ServerAccess", limits: "Limits", *, with_stdin: bool) -> None:
    from vinci_server.analysis.server import AnalysisServer
    from vinci_server.app import serve as run
    from vinci_server.rpc.listener import AddressError

    try:
        server = await AnalysisServer.start(host, port, access=access, limits=limits)
    except AddressError as error:
        raise Failed(str(error)) from None
    print(f"{LISTENING}{joined(host, server.port)}", flush=True)  # noqa: T201  # whoever started it waits for this
    if access.code:
        print(f"code {access.code}", flush=True)  # noqa: T201
    await run(server, until_stdin_closes=with_stdin)


def beside(host: str, port: int, door: ServeAccess, database: Path, log_level: str) -> Supervisor:
    """The process beside a server that listens on this host and has this door and this database."""
    where = ["--host", host, "--db", str(database), "--log-level", log_level, "--with-stdin", *_opens(door)]
    password = {"VINCI_PASSWORD": door.password} if door.password else {}
    return Supervisor(
        "analysis",
        lambda port: [*COMMAND, "analysis", "--port", str(port), *where],
        {**environment(), **password, VARIABLE: language()},
        port,
        LISTENING,
        _("analysis has not started; its last words are above"),
    )


def _opens(door: ServeAccess) -> Iterator[str]:
    """The options of a door again, but for the password, which nobody is to see in a list of processes."""
    if door.code:
        yield "--code"
    if door.tls:
        yield "--tls"
    for name, path in (("--tls-cert", door.tls_cert), ("--tls-key", door.tls_key)):
        if path is not None:
            yield from (name, str(path))
    for limit in door.limits:
        yield from ("--limit", limit)
