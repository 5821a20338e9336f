"""The SSH front as the server sees it: a process beside it."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from vinci_client.processes import PYTHON, environment
from vinci_server.rpc.access import ServerAccess

from ...text.i18n import VARIABLE, _, language
from ..supervisor import Supervisor

LISTENING: Final = "listening for ssh on "
"""Start of its first line; the port and the fingerprint of its key follow."""
INVITATION: Final = "VINCI_INVITATION"
"""Environment variable: the command with which others join the server; it may contain a code."""
SSH_PORT: Final = 22
OF_TERMINALS: Final = (
    "NO_COLOR",
    "COLORTERM",
    "PROMPT_TOOLKIT_COLOR_DEPTH",
    "VINCI_LANG",
    "VINCI_THEME",
    "VINCI_BLOCKS",
)
"""Environment variables that describe the terminal and the person here, not those elsewhere."""


def ssh_front(
    host: str,
    port: int,
    keys: Path | None,
    address: str,
    access: ServerAccess,
    invitation: str,
    database: Path,
    log_level: str,
) -> Supervisor:
    """Return the process that serves the server at `address` over SSH, on this host and port."""
    served = {
        "address": address,
        "host": host,
        "database": str(database),
        "keys": str(keys) if keys is not None else "",
        "log_level": log_level,
    }
    secret = {"VINCI_CODE": access.secret} if access.secret else {"VINCI_PASSWORD": access.password}
    return Supervisor(
        "the ssh front",
        lambda port: [*PYTHON, "-m", "vinci_cli.serve.ssh", json.dumps({**served, "port": port})],
        {**environment(*OF_TERMINALS), **secret, INVITATION: invitation, VARIABLE: language()},
        port,
        LISTENING,
        _("the ssh front has not started; its last output is above"),
    )


def how_to_connect(front: Supervisor, addresses: Sequence[str], access: ServerAccess) -> Iterator[str]:
    """Yield the lines that say what to type, by the addresses of the server."""
    port = "" if front.port == SSH_PORT else f"-p {front.port} "
    yield _("Players with only ssh can join too, each with a name of their own:")
    for address in addresses or ["localhost"]:
        yield f"  ssh {port}YOUR_NAME@{address}"
    text = _("They are asked whether they know this server; it is {fingerprint}.")
    yield text.format(fingerprint=front.announcement.split()[-1])
    if access.code:
        yield _("Then for the join code, unless their key is in --ssh-keys.")
    elif access.password:
        yield _("Then for the password, unless their key is in --ssh-keys.")
