"""`vinci analysis`: an analysis service that runs until it is stopped."""

import asyncio
import sys
from pathlib import Path
from typing import Final

import click

from vinci_client.address import joined
from vinci_server.analysis.server import AnalysisServer
from vinci_server.app import serve
from vinci_server.operations import logs
from vinci_server.rpc.listener import AddressError

from ... import home
from ...exceptions import Failed
from ...serve.access import ServeAccess
from ...serve.analysis import LISTENING
from ..base import Command
from ..options import listen_option, path_option, stdin_option
from .options import door_options, log_level_option, workers_option

USUAL_PORT: Final = 7655

SWITCH_SECONDS: Final = 0.0005
"""Seconds after which a computation lets the event loop run; Python's own ten times as many add up."""


@click.command(
    cls=Command,
    epilog="""
    vinci analysis
    vinci analysis --listen :0 --workers 2 --limit analysis_seconds_per_minute=600
    """,
)
@listen_option(
    USUAL_PORT, help="Address and port to listen on: 0.0.0.0, 0.0.0.0:7000 or :7000. Default: 127.0.0.1:7655."
)
@door_options
@workers_option("--workers")
@path_option("--db", "database", help="Database of the server whose code and certificate it has.")
@log_level_option
@stdin_option
def analysis(
    listen: tuple[str, int],
    door: ServeAccess,
    workers: int,
    database: Path | None,
    log_level: str,
    with_stdin: bool,
) -> None:
    """Serve the rules to bots that search: legal actions, playouts, suggestions. It knows no games of a server."""
    host, port = listen[0] or "127.0.0.1", listen[1]
    logs.configure(log_level)
    sys.setswitchinterval(SWITCH_SECONDS)
    door = door.with_password()
    access, limits = door.access(database or home.folder() / "server.db"), door.parsed_limits()

    async def work() -> None:
        try:
            server = await AnalysisServer.start(host, port, access=access, limits=limits, workers=workers)
        except AddressError as error:
            raise Failed(str(error)) from None

        def announce() -> None:
            click.echo(f"{LISTENING}{joined(host, server.port)}")
            if access.code:
                click.echo(f"code {access.code}")

        await serve(server.stop, announce=announce, until_stdin_closes=with_stdin)

    asyncio.run(work())
