"""`vinci admin`: the commands of whoever runs a server. What they do is in `administration`."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from ...exceptions import Misused
from ...text.i18n import _
from ..base import Commands, access_options, option

F = Callable[..., Any]


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


def _at_server(command: F) -> F:
    """The options that say which server, as one argument `at`."""

    @wraps(command)
    def run(server: str, token: str, db: Path | None, access: Any, **arguments: Any) -> Any:
        from .requests import AdminTarget

        return command(AdminTarget(server, token, db, access), **arguments)

    called = access_options(run)
    for one in (
        option("--db", type=click.Path(path_type=Path), help="Database of the server, to find the token beside."),
        option(
            "--token",
            default="",
            envvar="VINCI_ADMIN_TOKEN",
            help="The admin token. Better in VINCI_ADMIN_TOKEN: options are seen by all users of this machine.",
        ),
        option("--server", default="localhost", show_default=True, help="Address of the server."),
    ):
        called = one(called)
    return called


_json = option("--json", "as_json", is_flag=True, help="JSON, one object a line.")
_match = click.argument("match_id", metavar="MATCH")
_seat = click.argument("seat", type=click.IntRange(1, 6))


@admin.command(epilog="vinci admin status\nvinci admin status --server 192.168.1.5 --token admin.3vJ0")
@_at_server
@_json
def status(at: Any, as_json: bool) -> None:
    """How the server does: matches, people, bots, database."""
    from . import requests

    requests.status(at, as_json=as_json)


@admin.command("list", epilog="vinci admin list\nvinci admin list --status over --json")
@_at_server
@option(
    "--status",
    "statuses",
    type=click.Choice(["open", "running", "over", "ended"]),
    multiple=True,
    default=("running", "open"),
    help="Only these. Default: running and open.",
)
@_json
def list_(at: Any, statuses: tuple[str, ...], as_json: bool) -> None:
    """Matches, who is there, and when they moved last."""
    from . import requests

    requests.list_matches(at, statuses, as_json=as_json)


@admin.command(epilog="vinci admin inspect k3f9xa2m\nvinci admin inspect k3f9xa2m --entries 100 --json")
@_at_server
@_match
@option(
    "--entries", type=click.IntRange(1, 1000), default=10, show_default=True, help="Latest entries of the log to show."
)
@_json
def inspect(at: Any, match_id: str, entries: int, as_json: bool) -> None:
    """One match: seats, position, the latest entries of its log."""
    from . import requests

    requests.inspect(at, match_id, entries, as_json=as_json)


@admin.command(epilog="vinci admin pause k3f9xa2m")
@_at_server
@_match
def pause(at: Any, match_id: str) -> None:
    """Stop a game and its clocks."""
    from . import requests

    requests.pause(at, match_id)


@admin.command(epilog="vinci admin resume k3f9xa2m")
@_at_server
@_match
def resume(at: Any, match_id: str) -> None:
    """Let a paused game go on."""
    from . import requests

    requests.resume(at, match_id)


@admin.command(
    epilog="""
    vinci admin end k3f9xa2m --reason "the hall closes"
    vinci admin end --older 3d --reason "nobody came"
    vinci admin end --older 12h --status open --reason "nobody came" --yes
    """
)
@_at_server
@click.argument("match_id", metavar="[MATCH]", default="")
@option("--reason", required=True, help="Why; everybody is told.")
@option("--older", metavar="DURATION", default="", help="End all matches idle for this long: 90m, 12h, 3d.")
@option(
    "--status",
    "statuses",
    type=click.Choice(["open", "running"]),
    multiple=True,
    help="With --older, only these. Default: open and running.",
)
@option("--yes", is_flag=True, help="With --older: end the matches; without it they are only listed.")
def end(at: Any, match_id: str, reason: str, older: str, statuses: tuple[str, ...], *, yes: bool) -> None:
    """End matches before their games are over, for good: one, or with --older all that nobody is connected to."""
    from . import requests

    if bool(match_id) == bool(older):
        raise Misused(_("give either a match or --older DURATION"))
    if older:
        requests.end_older(at, older, statuses or ("open", "running"), reason, really=yes)
    elif statuses or yes:
        raise Misused(_("--status and --yes are for --older"))
    else:
        requests.end(at, match_id, reason)


@admin.command(epilog="vinci admin kick k3f9xa2m 2")
@_at_server
@_match
@_seat
def kick(at: Any, match_id: str, seat: int) -> None:
    """Take a seat away from who has it.

    A substitute plays it until somebody joins it again.
    """
    from . import requests

    requests.kick(at, match_id, seat)


@admin.command("hand-over", epilog="vinci admin hand-over k3f9xa2m 2")
@_at_server
@_match
@_seat
def hand_over(at: Any, match_id: str, seat: int) -> None:
    """A code with which another terminal takes a seat over."""
    from . import requests

    requests.hand_over(at, match_id, seat)


@admin.command(epilog="vinci admin rotate k3f9xa2m 2 --name Ann")
@_at_server
@_match
@_seat
@option("--name", default="", help="Another name for the player.")
def rotate(at: Any, match_id: str, seat: int, name: str) -> None:
    """A new token for a seat; the old one is worth nothing."""
    from . import requests

    requests.rotate(at, match_id, seat, name)


@admin.command("bot-key", epilog="vinci admin bot-key hermit\nvinci admin bot-key hermit --remove\nvinci admin bot-key")
@_at_server
@click.argument("name", default="")
@option("--remove", is_flag=True, help="Remove the key: anybody may use the name again.")
@_json
def bot_key(at: Any, name: str, remove: bool, as_json: bool) -> None:
    """Protect the name of a bot by a key, or list names with a key.

    The new key is printed once. A bot sends it as VINCI_BOT_KEY or --key; an earlier key of the name no longer works.
    """
    from . import requests

    requests.bot_key(at, name, remove=remove, as_json=as_json)


@admin.command(epilog="vinci admin drain --wait\nvinci admin drain --off")
@_at_server
@option("--off", is_flag=True, help="Take matches, players and bots again.")
@option("--wait", is_flag=True, help="Wait until no match moves: no bot is to act, and nobody has acted lately.")
@option("--quiet", type=click.IntRange(0), default=60, show_default=True, help="What lately means, in seconds.")
def drain(at: Any, off: bool, wait: bool, quiet: int) -> None:
    """Before a restart: take nobody new.

    New matches, players, starts and bots are refused; games that run go on.
    """
    from . import requests

    requests.drain(at, off=off, wait=wait, quiet=quiet)


@admin.command(epilog="vinci admin backup /var/backups/vinci.db")
@_at_server
@click.argument("file", type=click.Path(path_type=Path))
def backup(at: Any, file: Path) -> None:
    """Copy the database to a new file while play goes on.

    The server writes it, so the file is one of its machine, in a folder that the server may write to.
    """
    from . import requests

    requests.backup(at, file)
