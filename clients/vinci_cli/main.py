"""The `vinci` command: what is done at or with a server, and the commands of `study` and `admin`.

Each subcommand imports what it needs when it runs, so that `--help` is quick.
"""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from vinci_client.address import DEFAULT_PORT

from .commands.admin.group import admin
from .commands.base import Commands, Option, access_options, option
from .commands.bot.group import bot
from .commands.match.group import match
from .commands.options import (
    as_typed,
    door_options,
    line_option,
    names_option,
    position_option,
    rules_options,
    seed_option,
    time_options,
)
from .commands.study.group import analyze, board, export, import_, replay, rules, selfplay
from .commands.tournament.group import tournament
from .exceptions import Misused
from .text.i18n import _

if TYPE_CHECKING:  # it takes its time
    from vinci_client.access import Access

    from .serve.access import ServeAccess

SOLO: Final = "human,dummy,dummy,dummy"


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="vinci-server", cls=Option, help="Show the version and exit.")
@click.pass_context
def main(context: click.Context) -> None:
    """Vinci: the rise and fall of civilizations in Europe, for 3 to 6 seats.

    `vinci` alone opens a menu, `vinci play` a game against three dummies; `vinci COMMAND --help` has examples for each
    command.
    """
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")  # else it tells of every handshake that fails, as we do
    if context.invoked_subcommand is None:
        from .commands import interface

        if interface.fills_screen():
            from . import lobby_session

            lobby_session.menu()
        else:
            click.echo(context.get_help())


@main.command(
    epilog="""
    vinci play
    vinci play --players human,greedy,dummy,random --edition FR --seed 7
    vinci play --option give_up=free --target 90
    vinci play --players human,human,dummy --name Ann --name Ben --clock 10m+15s
    """
)
@option(
    "--players",
    default="",
    help="A word for each seat: human, dummy, a bot or FILE.py. Default: human,dummy,dummy,dummy.",
)
@rules_options
@time_options
@seed_option
@position_option
@names_option
@option("--db", type=click.Path(path_type=Path), help="Database of the game.")
@option("--new", is_flag=True, help="A new game, even if one is waiting.")
@line_option
def play(players: str, names: tuple[str, ...], db: Path | None, new: bool, line: bool, seed: str, **rules: Any) -> None:
    """Play a game on a server of its own, alone or several at one terminal.

    Leaving loses nothing: the next `vinci play` offers to go on. Without a terminal the game plays by itself.
    """
    from .commands import play as play_command
    from .connection import saved_seats

    new = new or bool(players or seed or any(rules.values()))
    request = _request(players or ("" if rules["position"] else SOLO), seed=seed, **rules)
    play_command.play(request, db or saved_seats.private_home() / "play.db", names, line=line, new=new)


@main.command(
    epilog="""
    vinci tutorial
    vinci tutorial --new
    """
)
@option("--new", is_flag=True, help="From the start, even if one was left.")
def tutorial(new: bool) -> None:
    """Learn the game in a short one; it can be left and gone on with."""
    from .commands import interface
    from .full import LEAST_COLUMNS, LEAST_ROWS

    if not interface.fills_screen():
        text = _("the tutorial needs a terminal of at least {columns}x{rows}; vinci rules tells the rules as text")
        raise Misused(text.format(columns=LEAST_COLUMNS, rows=LEAST_ROWS))
    from . import lobby_session
    from .connection import saved_seats

    lobby_session.tutorial(saved_seats.private_home() / "tutorial.db", new=new)


@main.command(
    epilog="""
    vinci join
    vinci join --list
    vinci join 192.168.1.5 --name Ann
    vinci join 192.168.1.5 --code k3f9-xa2m
    vinci join 192.168.1.5 --create human,human,dummy,dummy --clock 60 --on-timeout substitute
    vinci join 192.168.1.5 --name Ann --name Ben
    vinci join 192.168.1.5 --take k3f9xa2m
    """
)
@click.argument("address", default="")
@option("--list", "only_list", is_flag=True, help="Show the servers on this network, and no more.")
@option("--json", "as_json", is_flag=True, help="With --list: JSON, one object a line.")
@option("--match", "match_id", default="", help="Id of the match; without it, the newest with an open seat.")
@option("--seat", type=click.IntRange(1, 6), help="The seat; without it, the first open one.")
@option("--create", "players", default="", metavar="PLAYERS", help="Make a new match with these players.")
@option("--take", default="", metavar="CODE", help="Take over the seat that another terminal hands over.")
@rules_options
@time_options
@seed_option
@position_option
@names_option
@access_options
@line_option
def join(
    address: str,
    access: "Access",
    only_list: bool,
    as_json: bool,
    match_id: str,
    seat: int | None,
    players: str,
    take: str,
    names: tuple[str, ...],
    line: bool,
    seed: str,
    **rules: Any,
) -> None:
    """Sit down at a table of another server; without an address, of one that is found on this network."""
    from .commands import interface, servers
    from .commands import play as play_command

    if only_list:
        if address:
            raise Misused(_("--list shows all servers on this network; leave out --list or the address"))
        servers.show_all(as_json=as_json)
        return
    if as_json:
        raise Misused(_("--json is for --list"))
    if take and not address:
        raise Misused(_("--take needs the address that the other terminal told: vinci join ADDRESS --take CODE"))
    if not address:
        _needs_terminal("join")
    if not line and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Misused(_("there is no terminal; use --line to play through a pipe"))
    request = _new_match(players, "--create human,human,dummy", seed=seed, **rules)
    if take and (match_id or seat or request is not None or len(names) > 1):
        raise Misused(_("--take says which seat: leave out --match, --seat and --create, and give one --name at most"))
    if seat and len(names) > 1:
        raise Misused(_("--seat is for one person: leave it out, or all but one --name"))
    if not (address or match_id or seat or request) and interface.fills_screen(line=line):
        from . import lobby_session

        lobby_session.find_table("vinci join", names, access)
    elif take:
        play_command.take_over(address, access, take, *names, line=line)
    else:
        play_command.join(address, access, match_id, seat or 0, names, request, line=line)


@main.command(
    epilog="""
    vinci watch
    vinci watch 192.168.1.5
    vinci watch localhost k3f9xa2m --from 0
    """
)
@click.argument("address", default="")
@click.argument("match_id", default="")
@option("--from", "from_revision", type=click.IntRange(0), help="First revision to tell; without it, the latest.")
@access_options
@line_option
def watch(address: str, access: "Access", match_id: str, from_revision: int | None, line: bool) -> None:
    """Look on at a match; without an id, at the newest that runs; without an address, of a server on this network."""
    from .commands import interface
    from .commands import play as play_command

    if not address and interface.fills_screen(line=line):
        from . import lobby_session

        lobby_session.find_table("vinci watch", [], access)
        return
    if not address:
        _needs_terminal("watch")
    play_command.watch(address, access, match_id, from_revision, line=line)


@main.command(
    epilog="""
    vinci serve
    vinci serve --lan --tls --players human,human,dummy,dummy
    vinci serve --lan --code --limit matches=20 --name "Friday table"
    vinci serve --lan --players human,human,dummy --clock 60 --absence 120 --substitute greedy
    vinci serve --lan --tls --ssh 2222
    vinci serve --players hermit,dummy,dummy --analysis 7655
    """
)
@option("--lan", is_flag=True, help="Let everybody on the network in.")
@option("--host", default="", help="Address to listen on. Default: 127.0.0.1.")
@option("--name", default="", help="Name under which others find it. Default: your login name and the machine's.")
@option("--no-announce", is_flag=True, help="Do not tell the network about it: others need the address.")
@option(
    "--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, show_default=True, help="Port; 0 for a free one."
)
@door_options
@option("--db", type=click.Path(path_type=Path), help="Database of all games.")
@option("--players", default="", help="Also make a match with these players, unless one waits.")
@rules_options
@time_options
@seed_option
@option(
    "--ssh", type=click.IntRange(0, 65535), metavar="PORT", help="Also let people play who have nothing but ssh, here."
)
@option(
    "--ssh-keys",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Public keys that let in by ssh without a code, as in ~/.ssh/authorized_keys.",
)
@option(
    "--analysis",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Also let bots ask for playouts and more, here; leave it off in rated events.",
)
@option("--metrics", type=click.IntRange(0, 65535), help="Also serve Prometheus metrics, at this port.")
@option("--metrics-host", default="127.0.0.1", show_default=True, help="Address to serve metrics on.")
@option("--log-level", type=click.Choice(["debug", "info", "warning", "error"]), default="info", show_default=True)
@option(
    "--archive-days",
    type=click.IntRange(0),
    default=30,
    show_default=True,
    metavar="DAYS",
    help="Pack matches that have been over for so long; they can be looked at as before. 0: never.",
)
@option(
    "--open-days",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    metavar="DAYS",
    help="End matches that nobody joins for this long, and joined ones not started within 30 times as long. 0: never.",
)
@option("--with-stdin", is_flag=True, hidden=True, help="Stop when standard input closes.")
def serve(
    lan: bool,
    host: str,
    name: str,
    no_announce: bool,
    port: int,
    door: "ServeAccess",
    db: Path | None,
    players: str,
    seed: str,
    ssh: int | None,
    ssh_keys: Path | None,
    analysis: int | None,
    metrics: int | None,
    metrics_host: str,
    log_level: str,
    archive_days: int,
    open_days: int,
    with_stdin: bool,
    **rules: Any,
) -> None:
    """Serve matches to people and bots. Ctrl-C stops it; every match goes on at the next start."""
    from .commands import serve as serve_command
    from .connection import saved_seats

    if lan and host:
        raise Misused(_("--lan listens on every address; leave out --lan or --host"))
    if ssh_keys and ssh is None:
        raise Misused(_("--ssh-keys says who comes in by ssh: name a port for that, as --ssh 2222"))
    request = _new_match(players, "--players human,human,dummy", seed=seed, **rules)
    database = db or saved_seats.private_home() / "server.db"
    serve_command.serve(
        "0.0.0.0" if lan else host or "127.0.0.1",
        port,
        database,
        door,
        request,
        log_level,
        name=name,
        announce=not no_announce,
        archive_days=archive_days,
        open_days=open_days,
        metrics_at=None if metrics is None else (metrics_host, metrics),
        ssh=None if ssh is None else (ssh, ssh_keys),
        analysis=analysis,
        with_stdin=with_stdin,
    )


@main.command(
    epilog="""
    vinci analysis
    vinci analysis --port 0 --limit analysis_seconds_per_minute=600
    """
)
@option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for every one.")
@option("--port", type=click.IntRange(0, 65535), default=7655, show_default=True, help="Port; 0 for a free one.")
@door_options
@option("--db", type=click.Path(path_type=Path), help="Database of the server whose code and certificate it has.")
@option("--log-level", type=click.Choice(["debug", "info", "warning", "error"]), default="info", show_default=True)
@option("--with-stdin", is_flag=True, hidden=True, help="Stop when standard input closes.")
def analysis(host: str, port: int, door: "ServeAccess", db: Path | None, log_level: str, with_stdin: bool) -> None:
    """Serve the rules to bots that search: legal actions, playouts, suggestions. It knows no games of a server."""
    from .connection import saved_seats
    from .serve import analysis

    analysis.serve(host, port, door, db or saved_seats.home() / "server.db", log_level, with_stdin=with_stdin)


main.add_command(bot)


for other in (match, tournament, export, import_, selfplay, replay, analyze, board, rules, admin):
    main.add_command(other)


def _needs_terminal(command: str) -> None:
    """Raises Misused where nobody can be asked which server is meant."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        told = _(
            "there is no terminal to choose a server at; name it, as in: vinci {command} 192.168.1.5. "
            "Those on this network: vinci join --list"
        )
        raise Misused(told.format(command=command))


def _new_match(players: str, example: str, **rules: Any) -> Any:
    """The match to make, or None if none is asked for. Raises Misused for rules of a match that is not to be made."""
    if players or rules.get("position"):
        if file := next((word for word in players.split(",") if word.strip().endswith(".py")), ""):
            told = _("{file}: a server knows bots by name; give {name} here, then run vinci bot run {file}")
            raise Misused(told.format(file=file.strip(), name=Path(file.strip()).stem))
        return _request(players, **rules)
    if given := [name for name, value in rules.items() if value]:
        told = _("{options}: this is for a new match; say who plays in it: {example}")
        raise Misused(told.format(options=as_typed(given), example=example))
    return None


def _request(players: str, **rules: Any) -> Any:
    from .connection.match_request import match_request

    return match_request(players, **rules)


if __name__ == "__main__":
    main()
