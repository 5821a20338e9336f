"""Options of the commands that serve: `vinci serve` and `vinci analysis`."""

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Any

import click

from ...serve.access import ServeAccess
from ..base import F, option, options
from ..options import path_option

log_level_option = option(
    "--log-level", type=click.Choice(["debug", "info", "warning", "error"]), default="info", show_default=True
)


def workers_option(name: str) -> Callable[[F], F]:
    """Return the option with this name for the number of processes that play playouts."""
    return option(
        name,
        type=click.IntRange(0),
        default=0,
        metavar="NUMBER",
        help="Processes for playouts, started when they are needed. Default: one for each core.",
    )


_door_options = options(
    option("--code", is_flag=True, help="Ask for a join code, which is created and shown."),
    option(
        "--password",
        default="",
        envvar="VINCI_PASSWORD",
        help="Let in only who has this password. Better in VINCI_PASSWORD: options are seen by all users of this "
        "machine.",
    ),
    path_option("--password-file", metavar="FILE", help="Let in only people with the password in this file."),
    option("--tls", is_flag=True, help="Encrypt, with a certificate of its own and a join code that vouches for it."),
    path_option("--tls-cert", help="Encrypt, with this certificate; PEM."),
    path_option("--tls-key", help="The private key of --tls-cert; PEM."),
    option("--limit", "limits", multiple=True, metavar="NAME=NUMBER", help="A limit, such as matches=20."),
)


def door_options(command: F) -> F:
    """Add the options for access to what is served, and its limits, which the command takes as `door`."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        door = ServeAccess(**{field.name: kwargs.pop(field.name) for field in fields(ServeAccess)})
        return command(*args, door=door.with_password(), **kwargs)

    return _door_options(run)
