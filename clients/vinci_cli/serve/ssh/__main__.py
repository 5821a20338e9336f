"""`python -m vinci_cli.serve.ssh`: an SSH front, started by a server, which ends when its standard input closes."""

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
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
from ...text import i18n
from ...text.i18n import _
from .auth import BadKeys, SshAuthenticator, host_key, known_keys
from .launcher import INVITATION, LISTENING
from .server import SharedState


def main() -> None:
    """Serve a server over SSH, as the arguments of `ssh_front` say: they come as JSON, secrets in the environment.

    The first line printed says where it listens, or why it does not.
    """
    i18n.choose()  # the language of the host; each session has its own
    served = json.loads(sys.argv[1])
    access = Access(os.environ.get("VINCI_CODE", ""), os.environ.get("VINCI_PASSWORD", ""))
    logs.configure(served["log_level"])
    logging.getLogger("asyncssh").setLevel(logging.CRITICAL)  # it logs every broken connection
    keys, database = Path(served["keys"]) if served["keys"] else None, Path(served["database"])
    authenticator = SshAuthenticator(ServerAccess(access.password, access.code), keys)
    seats, invitation = database.with_suffix(".seats"), os.environ[INVITATION]
    try:
        if keys is not None:
            known_keys(keys)
        key = host_key(database)
        front = SharedState(authenticator, visit, served["address"], access, invitation, seats)
        asyncio.run(_run(front, served["host"], served["port"], key))
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


if __name__ == "__main__":
    main()
