"""Options that several commands have, and what several say about them."""

from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from ..exceptions import Misused
from ..text.i18n import _
from .base import option

F = TypeVar("F", bound=Callable[..., Any])


def as_typed(parameters: Iterable[str]) -> str:
    """How these parameters of a command are typed, as options."""
    return ", ".join("--option" if name == "options" else f"--{name.replace('_', '-')}" for name in parameters)


def check_empty(folder: Path) -> None:
    """Raises Misused if there is something in the folder that --out names."""
    if folder.exists() and any(folder.iterdir()):
        raise Misused(_("{folder} is not empty: choose another --out").format(folder=folder))


def rules_options(command: F) -> F:
    """The options that choose the rules of a game."""
    for one in (
        option("--option", "options", multiple=True, metavar="NAME=VALUE", help="One rule, as give_up=free."),
        option("--target", type=int, help="VP that end the game."),
        option("--edition", default="", help="standard, FR, NL, DE or WEB."),
        option("--board", default="", help="Name of the board; an unknown one is refused with a list of all."),
    ):
        command = one(command)
    return command


def time_options(command: F) -> F:
    """The options that say how time is kept in a match, and what becomes of bots that answer wrongly."""
    for one in (
        option(
            "--on-refused",
            type=click.Choice(["default", "substitute", "forfeit"]),
            help="What happens when a bot has no try left. Default: the default action.",
        ),
        option(
            "--tries",
            type=click.IntRange(1, 100),
            metavar="NUMBER",
            help="Answers of a bot to a decision that may be refused. Default: 3.",
        ),
        option("--substitute", default="", metavar="BOT", help="Bot that plays for whoever is gone."),
        option(
            "--absence",
            type=click.IntRange(1),
            metavar="SECONDS",
            help="After so long a substitute plays for whoever is gone; without it, never.",
        ),
        option(
            "--on-timeout",
            type=click.Choice(["default", "substitute", "forfeit"]),
            help="What happens when a clock is up. Default: the default action.",
        ),
        option("--clock", default="", help="30: seconds a decision; 10m+15s: a bank, and more with each turn."),
    ):
        command = one(command)
    return command


def door_options(command: F) -> F:
    """The options that say whom what is served lets in, and how much of it; the command takes them as `door`."""

    @wraps(command)
    def run(
        *args: Any,
        code: bool,
        password: str,
        tls: bool,
        tls_cert: Path | None,
        tls_key: Path | None,
        limits: tuple[str, ...],
        **kwargs: Any,
    ) -> Any:
        from ..serve import access

        return command(*args, door=access.ServeAccess(password, code, tls, tls_cert, tls_key, limits), **kwargs)

    found: Any = run
    for one in (
        option("--limit", "limits", multiple=True, metavar="NAME=NUMBER", help="One limit, as matches=20."),
        option("--tls-key", type=click.Path(path_type=Path), help="The private key of --tls-cert; PEM."),
        option("--tls-cert", type=click.Path(path_type=Path), help="Encrypt, with this certificate; PEM."),
        option(
            "--tls", is_flag=True, help="Encrypt, with a certificate of its own and a join code that vouches for it."
        ),
        option(
            "--password",
            default="",
            envvar="VINCI_PASSWORD",
            help="Let in only who has this password. Better in VINCI_PASSWORD: options are seen by all users of this "
            "machine.",
        ),
        option("--code", is_flag=True, help="Let in only who has the join code, which is made and shown."),
    ):
        found = one(found)
    return cast(F, found)


seed_option = option("--seed", default="", help="A chosen seed: an open game that can be played again.")
names_option = option(
    "--name",
    "names",
    multiple=True,
    help="Your name at the table; once for each who sits at this terminal. Default: your login name.",
)
line_option = option(
    "--line", is_flag=True, help="Lines instead of a full screen: for pipes, screen readers, small windows."
)
position_option = option("--position", default="", help="Start from a position: text, a file, or - for standard input.")
json_option = option("--json", "as_json", is_flag=True, help="JSON, one object a line.")
