"""The SSH front as the server sees it: a process beside it."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self, final

from vinci_client.processes import PYTHON, environment

from ...text.i18n import VARIABLE, _, language
from ..supervisor import Supervisor

if TYPE_CHECKING:
    from vinci_server.rpc.access import ServerAccess

LISTENING: Final = "listening for ssh on "
"""Start of its first line; the port and the fingerprint of its key follow."""
INVITATION: Final = "VINCI_INVITATION"
"""Environment variable: the command with which others join the server; it may contain a code."""
SSH_PORT: Final = 22
OF_TERMINALS: Final = ("NO_COLOR", "COLORTERM", "PROMPT_TOOLKIT_COLOR_DEPTH", "VINCI_LANG")
"""Environment variables that say something of the terminal and the person here, and nothing of those elsewhere."""


@final
class SshFront:
    """The front of a server that listens at this port of this machine, as long as it is entered with `async with`."""

    def __init__(
        self,
        host: str,
        port: int,
        keys: Path | None,
        address: str,
        access: "ServerAccess",
        invitation: str,
        database: Path,
        log_level: str,
    ) -> None:
        served = {
            "address": address,
            "host": host,
            "database": str(database),
            "keys": str(keys) if keys is not None else "",
            "log_level": log_level,
        }
        opens = {"VINCI_CODE": access.secret} if access.secret else {"VINCI_PASSWORD": access.password}
        self._process: Final = Supervisor(
            "the ssh front",
            lambda port: [*PYTHON, "-m", "vinci_cli.serve.ssh", json.dumps({**served, "port": port})],
            {**environment(*OF_TERMINALS), **opens, INVITATION: invitation, VARIABLE: language()},
            port,
            LISTENING,
            _("the ssh front has not started; its last words are above"),
        )

    async def __aenter__(self) -> Self:
        """Raises Failed if it does not start."""
        await self._process.__aenter__()
        return self

    async def __aexit__(self, *how: Any) -> None:
        await self._process.__aexit__(*how)

    @property
    def port(self) -> int:
        """Where people reach it by ssh; 0 for a free port, until it is entered."""
        return self._process.port

    @property
    def fingerprint(self) -> str:
        """Of the key by which ssh knows it again."""
        return self._process.told.split()[-1]

    def told(self, addresses: Sequence[str], access: "ServerAccess") -> Iterator[str]:
        """Yield the lines that tell what to type, by the addresses of the server."""
        port = "" if self.port == SSH_PORT else f"-p {self.port} "
        yield _("Who has nothing but ssh plays too, with a name of their own:")
        for address in addresses or ["localhost"]:
            yield f"  ssh {port}YOUR_NAME@{address}"
        told = _("They are asked whether they know this server; it is {fingerprint}.")
        yield told.format(fingerprint=self.fingerprint)
        if access.code:
            yield _("Then for the join code, unless their key is in --ssh-keys.")
        elif access.password:
            yield _("Then for the password, unless their key is in --ssh-keys.")
