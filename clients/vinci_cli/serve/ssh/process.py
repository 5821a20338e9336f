"""The process of an SSH front: started beside a server, it ends when its standard input closes."""

import asyncio
import contextlib
import logging
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from vinci_client.access import Access
from vinci_client.address import joined

from ...text.i18n import _
from .auth import BadKeys, SshAuthenticator, host_key, known_keys
from .entry import visit
from .launcher import LISTENING
from .server import SharedState

if TYPE_CHECKING:
    from asyncssh import SSHKey


def run(
    access: Access, invitation: str, *, address: str, host: str, port: int, database: str, keys: str, log_level: str
) -> None:
    """Serve the server at this address over SSH; the first line tells that it listens, or why it does not."""
    try:
        _listen(access, invitation, address, host, port, Path(database), Path(keys) if keys else None, log_level)
    except _NotStarted as error:
        _say(str(error))


class _NotStarted(Exception):
    """Nobody can come in by ssh; the text says why."""


def _listen(
    access: Access,
    invitation: str,
    address: str,
    host: str,
    port: int,
    database: Path,
    keys: Path | None,
    log_level: str,
) -> None:
    from vinci_server.operations import logs
    from vinci_server.rpc.access import ServerAccess as ServerAccess

    logs.configure(log_level)
    logging.getLogger("asyncssh").setLevel(logging.CRITICAL)  # it tells of every connection that breaks
    try:
        if keys is not None:
            known_keys(keys)
        key = host_key(database)
    except BadKeys as error:
        raise _NotStarted(str(error)) from None
    door = SshAuthenticator(ServerAccess(access.password, access.code), keys)
    asyncio.run(_run(SharedState(door, visit, address, access, invitation, folder_of(database)), host, port, key))


async def _run(front: SharedState, host: str, port: int, key: "SSHKey") -> None:
    from vinci_server.app import when_stdin_closes

    try:
        acceptor = await front.listen(host, port, key)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        where = joined(host, port)
        told = _("cannot listen for ssh on {where}: {reason}; choose another --ssh, or 0 for any")
        raise _NotStarted(told.format(where=where, reason=reason)) from None
    stopping = asyncio.Event()
    when_stdin_closes(stopping.set)
    with contextlib.suppress(NotImplementedError):  # Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)  # a service stops all its processes
    _say(f"{LISTENING}{acceptor.get_port()} {key.get_fingerprint()}")
    await stopping.wait()
    acceptor.close()
    await front.close()


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201  # the server reads it


def folder_of(database: Path) -> Path:
    """Return the folder in which seats of people are saved, one folder each."""
    return database.with_suffix(".seats")
