"""`vinci admin`: its options, the calls to the server, and how answers are printed."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from vinci_client.access import Access, BadAccess
from vinci_client.address import LOOPBACK, split
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import Session
from vinci_server.match.seats.tokens import ADMIN_FILE

from ... import home
from ...connection import served
from ...connection.connect import failure
from ...exceptions import Failed, Misused
from ...text import refusals
from ...text.i18n import N_, _
from ..base import Commands, access_options, grouped, option
from ..options import path_option

STATUS_TEXTS: Final = {"open": N_("open"), "running": N_("running"), "over": N_("over"), "ended": N_("ended")}


@click.group(
    cls=Commands,
    epilog="""
    vinci admin status
    vinci admin list --status running
    vinci admin inspect k3f9xa2m
    vinci admin drain --wait
    vinci admin backup /var/backups/vinci.db
    """,
)
def admin() -> None:
    """Run a server: look after its matches, back it up, drain it before a restart.

    On the server's machine the admin token is found in the file admin-token beside the database.
    """


@dataclass(frozen=True, slots=True)
class AdminTarget:
    """A server with its admin token, or the database that the token lies beside, and the access to it."""

    server: str
    token: str
    database: Path | None
    access: Access

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Callable[..., Awaitable[Any]]]:
        """Yield a function that makes the call of a request with the admin token. Raises Failed or Misused.

        It takes the options of `Session.call`: what must not be done twice is tried once.
        """
        token = self._find_token()
        try:
            async with Session(self._address(), self.access) as session:

                async def call(request: Message, **how: Any) -> Any:
                    method = getattr(session.admin, type(request).__name__.removesuffix("Request"))
                    return await session.call(method, request, token, **how)

                yield call
        except ServerGone as error:
            if self.server:
                raise failure(error) from None
            text = _("{problem} Name the address of another server: --server ADDRESS")
            raise Failed(text.format(problem=refusals.full_sentence(error))) from None
        except ServerRefused as error:
            raise failure(error) from None
        except BadAccess as error:
            raise Misused(refusals.sentence(error)) from None

    def call(self, request: Message, **how: Any) -> Any:
        """Make one call and return the answer."""

        async def work() -> Any:
            async with self.session() as call:
                return await call(request, **how)

        return asyncio.run(work())

    def _address(self) -> str:
        """Return the address that was typed, else that of the server with the database."""
        return self.server or served.address_of(self.database or home.folder() / "server.db") or served.USUAL

    def _find_token(self) -> str:
        """Return the admin token. Raises Failed or Misused."""
        if self.token:
            return self.token
        if split(self.server or "localhost")[0] not in LOOPBACK and self.database is None:
            text = _(
                "{server} is another machine; give its admin token with --token or in VINCI_ADMIN_TOKEN,"
                " or, if it is this one, its database with --db"
            )
            raise Misused(text.format(server=self.server))
        path = (self.database.parent if self.database is not None else home.folder()) / ADMIN_FILE
        try:
            return path.read_text(encoding="ascii").strip()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            text = _(
                "no admin token in {path} ({reason}); name the database of the server with --db, or give the token"
                " with --token"
            )
            raise Failed(text.format(path=path, reason=reason)) from None


at_server = grouped(
    "at",
    AdminTarget,
    option(
        "--server ADDRESS",
        help="Address of the server. Default: that of the server of this machine with the database --db.",
    ),
    option(
        "--token",
        envvar="VINCI_ADMIN_TOKEN",
        help="The admin token. Better in VINCI_ADMIN_TOKEN: options are seen by all users of this machine.",
    ),
    path_option("--db", "database", help="Database of the server, to find its address and the token beside."),
    access_options,
)
"""The options that name the server, which the command takes as `at`."""


def date(seconds: float) -> str:
    """Format a time in seconds since 1970."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))


def ago(seconds: float) -> str:
    """Format the time since then, in the largest unit of which it is one or more."""
    past = max(0, int(time.time() - seconds))
    if past >= 86400:
        return _("{n} d").format(n=past // 86400)
    if past >= 3600:
        return _("{n} h").format(n=past // 3600)
    return _("{n} min").format(n=past // 60) if past >= 60 else _("{n} s").format(n=past)


def print_row(label: str, text: str) -> None:
    """Print a line of a table."""
    click.echo(f"{label:<8}  {text}")


def print_json(message: Message) -> None:
    """Print a message as JSON, with the names of the protocol."""
    fields = MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
    click.echo(json.dumps(fields))
