"""`vinci serve`: a server that runs until it is stopped."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from vinci.v1 import lobby_pb2
from vinci_client.address import joined

from ..connection.connect import failure
from ..connection.local_server import BOTS
from ..connection.match_request import EDITION
from ..connection.seating import LONGEST_NAME, login_name
from ..exceptions import Failed, Misused
from ..serve.access import LOOPBACK, WILDCARDS, ServeAccess, told
from ..serve.analysis import beside
from ..serve.supervisor import Supervisor
from ..text import refusals
from ..text.i18n import _, plural

if TYPE_CHECKING:
    from vinci_server.app import Server
    from vinci_server.lobby import Lobby
    from vinci_server.rpc.access import ServerAccess as ServerAccess


@dataclass(frozen=True, slots=True)
class _Ssh:
    """Where people come in who have nothing but ssh, and the file of the public keys that let them in."""

    port: int
    keys: Path | None
    log_level: str


def serve(
    host: str,
    port: int,
    database: Path,
    door: ServeAccess,
    request: lobby_pb2.CreateMatchRequest | None,
    log_level: str,
    *,
    name: str,
    announce: bool,
    archive_days: int,
    open_days: int,
    metrics_at: tuple[str, int] | None,
    ssh: tuple[int, Path | None] | None,
    analysis: int | None,
    with_stdin: bool,
) -> None:
    """Serve until stopped; with `metrics_at`, a host and a port, metrics too; with `ssh`, a port and perhaps
    a file of public keys, people who have nothing else play too; with `analysis`, a port, positions are analysed.

    A server that others can reach is announced to them under its name, if that is wanted.
    """
    from vinci_server.errors import ServiceError
    from vinci_server.match.seats.names import check_name
    from vinci_server.operations import logs
    from vinci_server.operations.discovery import is_loopback

    try:
        known_as = check_name(name) or _usual_name()
    except ServiceError as error:
        raise Misused(f"--name: {refusals.sentence(error)}") from None
    logs.configure(log_level)
    known_as = known_as if announce and not is_loopback(host) else ""
    front = None if ssh is None else _Ssh(*ssh, log_level)
    analyser = None if analysis is None else beside(host, analysis, door, database, log_level)
    asyncio.run(
        _serve(
            host,
            port,
            database,
            door,
            request,
            known_as,
            archive_days,
            open_days,
            metrics_at,
            front,
            analyser,
            with_stdin=with_stdin,
        )
    )


async def _serve(
    host: str,
    port: int,
    database: Path,
    door: ServeAccess,
    request: lobby_pb2.CreateMatchRequest | None,
    known_as: str,
    archive_days: int,
    open_days: int,
    metrics_at: tuple[str, int] | None,
    ssh: _Ssh | None,
    analyser: Supervisor | None,
    *,
    with_stdin: bool,
) -> None:
    from vinci_server.app import Server
    from vinci_server.app import serve as run
    from vinci_server.errors import ServiceError
    from vinci_server.operations.discovery import Announcement
    from vinci_server.rpc.listener import AddressError
    from vinci_server.storage.store import StoreError

    access, limits = door.access(database), door.most()
    async with AsyncExitStack() as stack:
        if analyser is not None:
            await stack.enter_async_context(analyser)  # before the server, which tells where it is
        try:
            server = await Server.start(
                host,
                port,
                database,
                access=access,
                limits=limits,
                archive_days=archive_days,
                open_days=open_days,
                metrics_at=metrics_at,
                with_loopback=ssh is not None,
                analysis_port=0 if analyser is None else analyser.port,
            )
        except (StoreError, AddressError) as error:
            raise Failed(str(error)) from None
        table, bots = "", list[str]()
        if request is not None:
            try:
                match = await _match(server.lobby, request)
                server.lobby.keep(match.match_id)
                table, bots = _told(match), _missing_bots(match)
            except ServiceError as error:
                await server.stop()
                raise failure(error) from None
        beside = stack.pop_all()
    if with_stdin and access.code:
        _print(f"code {access.code}")
    _print(f"listening on {joined(host, server.port)}")
    if metrics_at is not None:
        address = joined(metrics_at[0], server.metrics_port)
        _print(_("metrics at {address}").format(address=f"http://{address}/metrics"))
    if analyser is not None:
        _print(f"analysis on {joined(host, analyser.port)}")
    if table:
        _print(table)
    if not with_stdin:
        for line in told(host, server.port, access, _addresses_to_type(host)):
            _print(line)
        if known_as:
            _print(_("or vinci join alone, which finds it on this network as {name!r}.").format(name=known_as))
        for bot in bots:
            started = f"bot {bot}" if bot in BOTS else f"bot run {bot}.py"
            _print(_("To start the bot {bot}:").format(bot=bot))
            _print(f"  {_invitation(host, server.port, access).replace('join', started, 1)}")
    if known_as:
        needs = "code" if access.code or access.password else "open"
        tls = access.certificate is not None
        server.announce(Announcement(known_as, host, server.port, needs, tls))
    front = [] if ssh is None else [_with_ssh(ssh, host, server, database, access)]
    await run(server, beside, *front, until_stdin_closes=with_stdin)


@asynccontextmanager
async def _with_ssh(
    ssh: _Ssh, host: str, server: "Server", database: Path, access: "ServerAccess"
) -> AsyncIterator[None]:
    """The SSH front of a server."""
    from ..serve.ssh.launcher import SshFront

    address = joined("127.0.0.1", server.loopback_port)
    addresses = _addresses_to_type(host)
    invitation = _invitation(host, server.port, access)
    async with SshFront(host, ssh.port, ssh.keys, address, access, invitation, database, ssh.log_level) as front:
        for line in front.told([] if host in LOOPBACK else addresses, access):
            _print(line)
        yield


def _invitation(host: str, port: int, access: "ServerAccess") -> str:
    """Return the first command with which others can join."""
    lines = told(host, port, access, _addresses_to_type(host))
    return next(line.strip() for line in lines if line.startswith("  "))


def _addresses_to_type(host: str) -> list[str]:
    """Where others reach a server that listens on this host."""
    from vinci_server.app import lan_addresses
    from vinci_server.operations.discovery import local_addresses

    if host not in WILDCARDS:
        return [host]
    usable = [address for address in local_addresses(host) if not ip_address(address).is_link_local]
    return lan_addresses() or usable


def _usual_name() -> str:
    """Who serves, and where: ann on laptop."""
    machine = socket.gethostname().partition(".")[0] or "Vinci"
    if not login_name():
        return machine[:LONGEST_NAME]
    return _("{who} on {machine}").format(who=login_name(), machine=machine)[:LONGEST_NAME]


async def _match(lobby: "Lobby", request: lobby_pb2.CreateMatchRequest) -> lobby_pb2.Match:
    """Make the match, unless one like it runs or waits from an earlier start."""
    for status in ("running", "open"):
        for found in (await lobby.page(0, "", status))[0]:
            match = found.message()
            if _is_like(match, request):
                return match
    return (await lobby.create(request))[0].message()


def _told(match: lobby_pb2.Match) -> str:
    """Describe what the match waits for."""
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
    """The names that bot seats of the match ask for where no bot is connected, each once."""
    return list(dict.fromkeys(seat.bot for seat in match.seats if seat.bot and not seat.connected))


def _is_like(match: lobby_pb2.Match, request: lobby_pb2.CreateMatchRequest) -> bool:
    """Whether a match has the seats and the rules that were asked for."""
    seats = [(seat.kind, seat.bot) for seat in match.seats]
    from vinci_rules.board import DEFAULT_BOARD

    wanted = (request.options.edition or EDITION, dict(request.options.settings), request.board or DEFAULT_BOARD)
    return (
        seats == [(seat.kind, seat.bot) for seat in request.seats]
        and wanted == (match.options.edition, dict(match.options.settings), match.board)
        and request.seed in ("", match.seed)
        and request.timing == match.timing
        and request.mistakes == match.mistakes
    )


def _print(text: str) -> None:
    print(text, flush=True)  # noqa: T201  # this is its work
