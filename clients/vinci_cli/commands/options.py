"""Options that several commands have, and what several say about them."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from vinci_client.address import DEFAULT_PORT, HIGHEST_PORT

from ..exceptions import Failed, Misused
from ..text.i18n import _
from .base import F, OldOption, flag, option, options

POLICIES = click.Choice(["default", "substitute", "forfeit"])


def as_typed(parameters: Iterable[str]) -> str:
    """Return parameters of a command as options, as they are typed."""
    return ", ".join("--option" if name == "options" else f"--{name.replace('_', '-')}" for name in parameters)


def check_empty(folder: Path) -> None:
    """Raise Misused if there is something in the folder that --out names."""
    if folder.exists() and any(folder.iterdir()):
        raise Misused(_("{folder} is not empty: choose another --out").format(folder=folder))


def path_option(*names: str, **attributes: Any) -> Callable[[F], F]:
    """Add an option whose value is a path."""
    return option(*names, type=click.Path(path_type=Path), **attributes)


def host_and_port(listen: str) -> tuple[str, int | None]:
    """Parse an address to listen on, of which host or port may be missing. Raises Misused."""
    host, colon, port = listen.rpartition(":")
    if not colon or (":" in host and not host.startswith("[")):
        return listen.strip("[]"), None
    if not port.isdecimal() or int(port) > HIGHEST_PORT:
        text = _("--listen: {listen!r} is not an address with a port, like 0.0.0.0:{port}")
        raise Misused(text.format(listen=listen, port=DEFAULT_PORT))
    return host.strip("[]"), int(port)


def listen_option(usual: int, **attributes: Any) -> Callable[[F], F]:
    """Add the option for the address to listen on, which the command takes as `listen`: host, perhaps empty, and port.

    `usual` is the default port. Host and port of older versions are still accepted.
    """
    accepted = options(
        option("--listen", default="", metavar="[ADDRESS][:PORT]", **attributes),
        click.option("--host", default="", cls=OldOption),
        click.option("--port", type=click.IntRange(0, HIGHEST_PORT), cls=OldOption),
    )

    def add(command: F) -> F:
        @wraps(command)
        def run(*args: Any, listen: str, host: str, port: int | None, **kwargs: Any) -> Any:
            of_new, of_host, of_port = map(_strength, ("listen", "host", "port"))
            if of_new and of_new in (of_host, of_port):
                raise Misused(_("--listen takes host and port: leave out --host and --port"))
            new_host, new_port = host_and_port(listen)
            if new_host and of_new > of_host:
                host = new_host
            if new_port is not None and of_new > of_port:
                port = new_port
            return command(*args, listen=(host, usual if port is None else port), **kwargs)

        return accepted(run)

    return add


def _strength(name: str) -> int:
    """Return how much the source of an option counts: command line, variable, file, in this order; 0 for a default."""
    weakest_first = (ParameterSource.DEFAULT_MAP, ParameterSource.ENVIRONMENT, ParameterSource.COMMANDLINE)
    source = click.get_current_context().get_parameter_source(name)
    return weakest_first.index(source) + 1 if source in weakest_first else 0


def server_option(following: str = "") -> Callable[[F], F]:
    """Add `--server` to a command with the argument ADDRESS, to name the server as where there is no such argument.

    Then a word is the value of the argument `following`, if there is one.
    """

    def add(command: F) -> F:
        @wraps(command)
        def run(*args: Any, server: str, address: str, **kwargs: Any) -> Any:
            if server and _strength("address") == _strength("server"):
                if not following or kwargs[following]:
                    raise Misused(
                        _("the server is named twice: leave out --server or {address}").format(address=address)
                    )
                kwargs[following] = address
            return command(*args, address=server or address, **kwargs)

        return option("--server ADDRESS", help="The server; the same as the argument ADDRESS.")(run)

    return add


def port_option(name: str, *names: str, **attributes: Any) -> Callable[[F], F]:
    """Add an option whose value is the port at which something is served."""
    return option(f"{name} PORT", *names, least=0, most=HIGHEST_PORT, **attributes)


certificate_options = options(
    flag("--tls", help="Encrypt, with a certificate of its own and a join code that vouches for it."),
    path_option("--tls-cert", help="Encrypt, with this certificate; PEM."),
    path_option("--tls-key", help="The private key of --tls-cert; PEM."),
)


@contextmanager
def web_packages() -> Iterator[None]:
    """Raise Failed, with the command that installs them, if packages for --web are missing for an import."""
    try:
        yield
    except ImportError as error:
        from ..installation import install_command

        text = _("--web needs packages that are not installed ({error}): {command}")
        raise Failed(text.format(error=error, command=install_command("web"))) from None


rules_options = options(
    option("--board", help="Name of the board; an unknown one is refused with a list of all."),
    option("--edition", help="standard, FR, NL, DE or WEB."),
    option("--target", type=int, help="VP that end the game."),
    option("--option NAME=VALUE", "options", multiple=True, help="A rule of the game, such as give_up=free."),
)
seed_option = option("--seed", help="A chosen seed: an open game that can be played again.")
match_options = options(
    rules_options,
    option("--clock", help="30: seconds a decision; 10m+15s: a bank, and more with each turn."),
    option("--on-timeout", type=POLICIES, help="What happens when a clock is up. Default: the default action."),
    option(
        "--absence SECONDS",
        least=1,
        help="Seconds after which a substitute plays for an absent player; without it, never.",
    ),
    option("--substitute BOT", help="Bot that plays for absent players."),
    option(
        "--tries NUMBER",
        least=1,
        most=100,
        help="Invalid answers of a bot to a decision after which --on-refused applies. Default: 3.",
    ),
    option("--on-refused", type=POLICIES, help="What happens when a bot has no try left. Default: the default action."),
    flag("--no-advice", help="No suggestions in this match."),
    seed_option,
)
"""The options for a new match, which `new_match` takes with its players."""


def new_match(players: str, example: str, **rules: Any) -> Any:
    """Return the match to create, None if none is asked for. Raises Misused for rules without players."""
    from ..connection.match_request import match_request

    if players or rules.get("position"):
        if file := next((word for word in players.split(",") if word.strip().endswith(".py")), ""):
            text = _("{file}: a server knows bots by name; give {name} here, then run vinci bot run {file}")
            raise Misused(text.format(file=file.strip(), name=Path(file.strip()).stem))
        return match_request(players, **rules)
    if given := [name for name, value in rules.items() if value]:
        text = _("{options}: this is for a new match; say who plays in it: {example}")
        raise Misused(text.format(options=as_typed(given), example=example))
    return None


names_option = option(
    "--name",
    "names",
    multiple=True,
    help="Your name at the table; once for each who sits at this terminal. Default: your login name.",
)
line_option = options(
    option(
        "--line",
        flag_value="full",
        default="",
        help="Lines instead of a full screen: for pipes, screen readers, small windows.",
    ),
    option("--terse", "line", flag_value="terse", default="", help="Lines as with --line, but only what concerns you."),
)
"""The value of `line` is empty, `full` or `terse`."""


def _set(name: str) -> Callable[[click.Context, click.Parameter, str], None]:
    """Return the callback of an option that gives a setting its value for one command."""

    def give(context: click.Context, _parameter: click.Parameter, value: str) -> None:
        if value and not context.resilient_parsing:
            from .. import settings

            settings.give(name, value)

    return give


screen_options = options(
    option(
        "--theme",
        type=click.Choice(["dark", "light"]),
        expose_value=False,
        callback=_set("theme"),
        help="Colours for a dark or a light terminal. Default: as set, else to fit its background.",
    ),
    option(
        "--alerts",
        type=click.Choice(["bell", "desktop", "off"]),
        expose_value=False,
        callback=_set("alert"),
        help="How the full screen tells that it is your move. Default: as set, else by the bell.",
    ),
)
"""Options of commands that open a full screen."""
table_options = options(line_option, screen_options)
"""Options of commands that open a table."""
position_option = option("--position", help="Start from a position: text, a file, or - for standard input.")
json_option = flag("--json", "as_json", help="JSON, one object a line.")
stdin_option = flag("--with-stdin", hidden=True, help="Stop when standard input closes.")
