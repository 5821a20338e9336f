"""The process of an SSH front: started beside a server, it ends when its standard input closes."""

import asyncio
import contextlib
import logging
import os
import signal
from pathlib import Path

import click
from asyncssh import SSHKey

from vinci_client.access import Access
from vinci_client.address import joined
from vinci_server.app import when_stdin_closes
from vinci_server.operations import logs
from vinci_server.rpc.access import ServerAccess

from ... import lobby_session
from ...exceptions import Failed
from ...full.lobby.lobby import ToMatches
from ...full.ui import opened
from ...text.i18n import _
from .auth import BadKeys, SshAuthenticator, host_key, known_keys
from .launcher import LISTENING
from .server import SharedState


def run(
    access: Access, invitation: str, *, address: str, host: str, port: int, database: str, keys: str, log_level: str
) -> None:
    """Serve the server at this address over SSH; the first line printed says where it listens, or why it does not."""
    logs.configure(log_level)
    logging.getLogger("asyncssh").setLevel(logging.CRITICAL)  # it logs every broken connection
    keys_file, database_file = Path(keys) if keys else None, Path(database)
    authenticator = SshAuthenticator(ServerAccess(access.password, access.code), keys_file)
    seats = database_file.with_suffix(".seats")
    try:
        if keys_file is not None:
            known_keys(keys_file)
        key = host_key(database_file)
        asyncio.run(_run(SharedState(authenticator, visit, address, access, invitation, seats), host, port, key))
    except (BadKeys, Failed) as error:
        click.echo(str(error))


async def _run(front: SharedState, host: str, port: int, key: SSHKey) -> None:
    try:
        acceptor = await front.listen(host, port, key)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        text = _("cannot listen for ssh on {where}: {reason}; choose another --ssh, or 0 for any")
        raise Failed(text.format(where=joined(host, port), reason=reason)) from None
    stopping = asyncio.Event()
    when_stdin_closes(stopping.set)
    with contextlib.suppress(NotImplementedError):  # Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)  # a service stops all its processes
    click.echo(f"{LISTENING}{acceptor.get_port()} {key.get_fingerprint()}")
    await stopping.wait()
    acceptor.close()
    await front.close()


async def visit(address: str, access: Access, name: str, invitation: str) -> None:
    """Show lobby, tables and replays of a server until the lobby is left."""
    async with opened(keeps_files=False) as ui:
        await lobby_session.visit(ui, ToMatches(address, access, invitation), [name])
