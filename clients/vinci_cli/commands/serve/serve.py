"""`vinci serve`: a server that runs until it is stopped."""

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import click

from vinci.v1 import lobby_pb2
from vinci_bots.local import sandbox
from vinci_bots.local.participants import Player, UnusableBot, named, parsed, started_by
from vinci_client.address import LOOPBACK, joined
from vinci_players.names import BOTS, LEVELS, is_bot
from vinci_rules.board import DEFAULT_BOARD
from vinci_server import app
from vinci_server.errors import ServiceError
from vinci_server.operations import logs
from vinci_server.operations.discovery import Announcement
from vinci_server.rpc.access import ServerAccess
from vinci_server.rpc.listener import AddressError
from vinci_server.storage.store import StoreError

from ... import home
from ...connection import served
from ...connection.connect import failure
from ...connection.match_request import EDITION
from ...exceptions import Failed, Misused
from ...serve.access import ServeAccess, addresses_to_type, told
from ...serve.analysis import beside
from ...serve.bots import built_in, computer_players
from ...serve.ssh.launcher import how_to_connect, ssh_front
from ...text.i18n import _, plural
from ...text.opponents import fault
from .. import interface_choice
from ..base import option
from ..bot.sandbox import sandbox_option
from ..options import match_options, new_match, path_option, stdin_option
from .config import ConfiguredCommand, config_options
from .options import (
    Network,
    ServerSettings,
    analysis_options,
    door_options,
    network_options,
    settings_options,
    ssh_options,
)
from .web import WebOptions, web_options


@click.command(
    cls=ConfiguredCommand,
    epilog="""
    vinci serve
    vinci serve --lan --tls --players human,human,dummy,dummy
    vinci serve --lan --code --limit matches=20 --name "Friday table"
    vinci serve --lan --players human,human,dummy --clock 60 --absence 120 --substitute greedy
    vinci serve --listen 192.168.1.5:7000 --code
    vinci serve --lan --tls --ssh 2222
    vinci serve --lan --code --web 8080
    vinci serve --lan --code --bots normal,hard
    vinci serve --web 8080 --bot ./mybot.py --bot "stdio:sh first.sh" --sandbox
    vinci serve --players hermit,dummy,dummy --analysis 7655
    vinci serve --lan --print-config
    """,
)
@network_options
@door_options
@path_option("--db", "database", help="Database of all games.")
@option("--players", help="Also make a match with these players, unless one waits.")
@match_options
@ssh_options
@web_options
@path_option("--bot-socket", help="Also let bots in at this Unix socket, as from a sandbox; they can only play.")
@path_option("--notes FOLDER", help="Keep what bots note about their answers, in a file for each match.")
@option(
    "--bots NAMES",
    default=None,
    help="Computer players that are started for matches that ask for them. Default: none; with --web "
    "easy,normal,hard,expert.",
)
@option(
    "--bot COMMAND",
    "commands",
    multiple=True,
    help="A bot of yours that is started for matches that ask for it by name. Repeat it for several.",
)
@sandbox_option
@analysis_options
@settings_options
@config_options
@stdin_option
def serve(
    network: Network,
    door: ServeAccess,
    database: Path | None,
    players: str,
    ssh: tuple[int, Path | None] | None,
    web: WebOptions,
    bot_socket: Path | None,
    notes: Path | None,
    bots: str | None,
    commands: Sequence[str],
    sandboxed: bool,
    analysis: tuple[int, int] | None,
    settings: ServerSettings,
    no_persons: bool,
    no_ratings: bool,
    log_level: str,
    with_stdin: bool,
    **rules: Any,
) -> None:
    """Serve matches to people and bots. Ctrl-C stops it; every match goes on at the next start."""
    host, door = network.host, door.with_password()
    web.check()
    opponents = _opponents(bots, commands, web)
    request = new_match(players, "--players human,human,dummy", **rules)
    database = database or home.private_folder() / "server.db"
    log = (
        database.with_suffix(".log")
        if interface_choice.has_terminal() and sys.stderr.isatty() and not with_stdin
        else None
    )
    apart = tempfile.TemporaryDirectory(prefix="vinci-") if sandboxed and bot_socket is None else None
    if apart is not None:
        bot_socket = Path(apart.name) / sandbox.SOCKET
    analyser = None if analysis is None else beside(host, *analysis, door, database, log_level)

    async def work() -> None:
        access, limits = door.access(database), door.parsed_limits()
        async with AsyncExitStack() as stack:
            if analyser is not None:
                await stack.enter_async_context(analyser)  # before the server, which announces its port
            try:
                server = await app.Server.start(
                    host,
                    network.port,
                    database,
                    access=access,
                    limits=limits,
                    with_loopback=ssh is not None or bool(opponents),
                    analysis_port=0 if analyser is None else analyser.port,
                    bots=[player.name for player in opponents],
                    **settings._asdict(),
                    with_persons=not no_persons,
                    with_ratings=not no_ratings,
                    bot_socket=bot_socket,
                    notes=notes,
                )
            except (StoreError, AddressError) as error:
                raise Failed(str(error)) from None
            await web.start(server, host, access, addresses_to_type(host))
            match = None if request is None else await _match(server, request)
            if not with_stdin:
                # Before the lines below: commands may look the address up as soon as they are read.
                stack.enter_context(served.noted(database, host, server.port))
            beside_server = stack.pop_all()

        def announce() -> None:
            if with_stdin and access.code:
                click.echo(f"code {access.code}")
            analysis_port = None if analyser is None else analyser.port
            for line in _listening(host, server, analysis_port, web, settings.metrics_at):
                click.echo(line)
            if match is not None:
                click.echo(_told(match))
            if not with_stdin:
                for line in _how_to_play(host, server.port, access, network.known_as, match, web, opponents):
                    click.echo(line)
            if log is not None:
                click.echo(_("Ctrl-C stops it; every match goes on at the next start. Log: {file}").format(file=log))
            if network.known_as:
                server.announce(_announcement(network.known_as, host, server.port, access))

        front = [] if ssh is None else [_with_ssh(host, *ssh, server, database, access, log_level)]
        confined_at = bot_socket if sandboxed else None
        players = [computer_players(server, opponents, access, database, confined_at)] if opponents else []
        stop = server.stop
        await app.serve(stop, beside_server, *players, *front, announce=announce, until_stdin_closes=with_stdin)
        if server.damage:
            raise Failed(server.damage)

    with apart or nullcontext(), nullcontext() if log is None else _errors_to(log):
        logs.configure(log_level)
        asyncio.run(work())


@contextmanager
def _errors_to(file: Path) -> Iterator[None]:
    """Append what this process and those that it starts write to standard error to a file for this user only."""
    terminal = os.dup(2)
    log = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.dup2(log, 2)
        yield
    finally:
        os.dup2(terminal, 2)
        os.close(log)
        os.close(terminal)


def _opponents(typed: str | None, commands: Sequence[str], web: WebOptions) -> list[Player]:
    """Return the players in `--bots`, or the usual ones, and those in `--bot`. Raises Misused."""
    names = (
        list(LEVELS) if typed is None and web.port is not None else [word.strip() for word in (typed or "").split(",")]
    )
    for name in filter(None, names):
        if not is_bot(name):
            text = _("--bots: there is no player {name!r}; there are {names}")
            raise Misused(fault(name) or text.format(name=name, names=", ".join(BOTS)))
    ours = list(dict.fromkeys(filter(None, names)))
    try:
        others = [
            Player(name, started_by(parsed(word)))
            for word, name in zip(commands, named(commands, [*BOTS, *ours]), strict=True)
        ]
    except UnusableBot as error:
        raise Misused(f"--bot: {error}") from None
    return [*map(built_in, ours), *others]


def _listening(
    host: str, server: app.Server, analysis_port: int | None, web: WebOptions, metrics_at: tuple[str, int] | None
) -> Iterator[str]:
    """Yield the addresses of a server that has started."""
    yield f"listening on {joined(host, server.port)}"
    if metrics_at is not None:
        address = joined(metrics_at[0], server.metrics_port)
        yield _("metrics at {address}").format(address=f"http://{address}/metrics")
    if analysis_port is not None:
        yield f"analysis on {joined(host, analysis_port)}"
    if web.front is not None:
        yield f"web on {joined(host, web.front.port)}"


def _announcement(name: str, host: str, port: int, access: ServerAccess) -> Announcement:
    needs = "code" if access.code or access.password else "open"
    return Announcement(name, host, port, needs, access.certificate is not None)


def _how_to_play(
    host: str,
    port: int,
    access: ServerAccess,
    known_as: str,
    match: lobby_pb2.Match | None,
    web: WebOptions,
    opponents: Sequence[Player],
) -> Iterator[str]:
    """Yield how others join, by terminal and page, and which computer players there are."""
    yield from _how_to_join(host, port, access, known_as, match)
    yield from web.told(host, access, "" if match is None else f"m/{match.match_id}")
    if opponents:
        names = ", ".join(player.name for player in opponents)
        yield _("Computer players for matches: {names}").format(names=names)


def _how_to_join(
    host: str, port: int, access: ServerAccess, known_as: str, match: lobby_pb2.Match | None
) -> Iterator[str]:
    """Yield what others type to join, by address or name, and to start the bots that a match waits for."""
    yield from told(host, port, access, addresses_to_type(host))
    if known_as:
        yield _("or vinci join alone, which finds it on this network as {name!r}.").format(name=known_as)
    for bot in _missing_bots(match) if match is not None else ():
        started = f"bot {bot}" if is_bot(bot) else f"bot run {bot}.py"
        yield _("To start the bot {bot}:").format(bot=bot)
        yield f"  {_invitation(host, port, access).replace('join', started, 1)}"


@asynccontextmanager
async def _with_ssh(
    host: str,
    port: int,
    keys: Path | None,
    server: app.Server,
    database: Path,
    access: ServerAccess,
    log_level: str,
) -> AsyncIterator[None]:
    """Run the SSH front of a server, and print how to reach it."""
    address = joined("127.0.0.1", server.loopback_port)
    invitation = _invitation(host, server.port, access)
    async with ssh_front(host, port, keys, address, access, invitation, database, log_level) as front:
        for line in how_to_connect(front, [] if host in LOOPBACK else addresses_to_type(host), access):
            click.echo(line)
        yield


def _invitation(host: str, port: int, access: ServerAccess) -> str:
    """Return the first command with which others can join."""
    lines = told(host, port, access, addresses_to_type(host))
    return next(line.strip() for line in lines if line.startswith("  "))


async def _match(server: app.Server, request: lobby_pb2.CreateMatchRequest) -> lobby_pb2.Match:
    """Return the match that is like the request and runs or waits from an earlier start, else create it."""
    try:
        for status in ("running", "open"):
            for match in (await server.lobby.page(0, "", status))[0]:
                if _is_like(match, request):
                    server.lobby.keep(match.match_id)
                    return match
        match = (await server.lobby.create(request))[0].message()
        server.lobby.keep(match.match_id)
        return match
    except ServiceError as error:
        await server.stop()
        raise failure(error) from None


def _told(match: lobby_pb2.Match) -> str:
    """Describe what a match waits for."""
    bots = _missing_bots(match)
    if any(seat.kind == lobby_pb2.SEAT_KIND_HUMAN and not seat.taken for seat in match.seats):
        return _("Match {match} waits for its players.").format(match=match.match_id)
    if bots:
        return plural(
            "Match {match} waits for the bot {bots}.",
            "Match {match} waits for the bots {bots}.",
            len(bots),
            match=match.match_id,
            bots=", ".join(bots),
        )
    return _("Match {match} goes on in round {round}.").format(match=match.match_id, round=match.round)


def _missing_bots(match: lobby_pb2.Match) -> list[str]:
    """Return the names that bot seats of a match ask for where no bot is connected, each once."""
    return list(dict.fromkeys(seat.bot for seat in match.seats if seat.bot and not seat.connected))


def _is_like(match: lobby_pb2.Match, request: lobby_pb2.CreateMatchRequest) -> bool:
    """Return whether a match has the requested seats and rules."""
    seats = [(seat.kind, seat.bot) for seat in match.seats]
    wanted = (request.options.edition or EDITION, dict(request.options.settings), request.board or DEFAULT_BOARD)
    return (
        seats == [(seat.kind, seat.bot) for seat in request.seats]
        and wanted == (match.options.edition, dict(match.options.settings), match.board)
        and request.seed in ("", match.seed)
        and request.timing == match.timing
        and request.mistakes == match.mistakes
        and request.no_advice == match.no_advice
    )
