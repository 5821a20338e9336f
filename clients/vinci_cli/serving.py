"""`vinci serve` and `vinci bot`: programs that run until they are stopped."""

import asyncio
import os
import socket
import sys
import threading
from collections.abc import Coroutine
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vinci.v1 import bot_pb2, lobby_pb2
from vinci_client.access import Access
from vinci_client.address import joined

from . import entrance
from .failed import Failed, Misused, failure
from .hosting import WILDCARDS, Door, told
from .seats import LONGEST_NAME, login_name
from .setup import BOARD, EDITION

if TYPE_CHECKING:
    from vinci_server.lobby import Lobby


def serve(
    host: str,
    port: int,
    database: Path,
    door: Door,
    request: lobby_pb2.CreateMatchRequest | None,
    log_level: str,
    *,
    name: str,
    announce: bool,
    archive_days: int,
    metrics_at: tuple[str, int] | None,
    with_stdin: bool,
) -> None:
    """Serve until stopped; with `metrics_at`, a host and a port, metrics too.

    A server that others can reach is announced to them under its name, if that is wanted.
    """
    from vinci_server import logs
    from vinci_server.announcing import is_loopback
    from vinci_server.errors import ServiceError
    from vinci_server.setup import check_name

    try:
        known_as = check_name(name) or _usual_name()
    except ServiceError as error:
        raise Misused(f"--name: {error}") from None
    logs.configure(log_level)
    known_as = known_as if announce and not is_loopback(host) else ""
    asyncio.run(_serve(host, port, database, door, request, known_as, archive_days, metrics_at, with_stdin=with_stdin))


async def _serve(
    host: str,
    port: int,
    database: Path,
    door: Door,
    request: lobby_pb2.CreateMatchRequest | None,
    known_as: str,
    archive_days: int,
    metrics_at: tuple[str, int] | None,
    *,
    with_stdin: bool,
) -> None:
    from vinci_server.announcing import Announcement
    from vinci_server.app import AddressError, Server
    from vinci_server.app import serve as run
    from vinci_server.errors import ServiceError
    from vinci_server.store import StoreError

    access, limits = door.access(database), door.most()
    try:
        server = await Server.start(
            host,
            port,
            database,
            access=access,
            limits=limits,
            archive_days=archive_days,
            metrics_at=metrics_at,
        )
    except (StoreError, AddressError) as error:
        raise Failed(str(error)) from None
    table = ""
    if request is not None:
        try:
            table = await _table(server.lobby, request)
        except ServiceError as error:
            await server.stop()
            raise failure(error) from None
    if with_stdin and access.code:
        _print(f"code {access.code}")
    _print(f"listening on {joined(host, server.port)}")
    if metrics_at is not None:
        _print(f"metrics at http://{joined(metrics_at[0], server.metrics_port)}/metrics")
    if table:
        _print(table)
    if not with_stdin:
        for line in told(host, server.port, access, _addresses_to_type(host)):
            _print(line)
        if known_as:
            _print(f"or vinci join alone, which finds it on this network as {known_as!r}.")
    if known_as:
        needs = "code" if access.code or access.password else "open"
        tls = access.certificate is not None
        server.announce(Announcement(known_as, host, server.port, needs, tls))
    await run(server, until_stdin_closes=with_stdin)


def _addresses_to_type(host: str) -> list[str]:
    """Where others reach a server that listens on this host."""
    from vinci_server.announcing import local_addresses
    from vinci_server.app import lan_addresses

    if host not in WILDCARDS:
        return [host]
    usable = [address for address in local_addresses(host) if not ip_address(address).is_link_local]
    return lan_addresses() or usable


def _usual_name() -> str:
    """Who serves, and where: ann on laptop."""
    machine = socket.gethostname().partition(".")[0] or "Vinci"
    return (f"{login_name()} on {machine}" if login_name() else machine)[:LONGEST_NAME]


async def _table(lobby: "Lobby", request: lobby_pb2.CreateMatchRequest) -> str:
    """Make the match, unless one like it waits from an earlier start; in words."""
    from vinci_server.messages import match_message

    for status in ("running", "open"):
        for found in (await lobby.page(0, "", status))[0]:
            match = match_message(found)
            if _is_like(match, request):
                course = f"goes on in round {match.round}" if match.round else "still waits for its players"
                return f"Match {match.match_id} {course}."
    return f"Match {(await lobby.create(request))[0].match_id} waits for its players."


def _is_like(match: lobby_pb2.Match, request: lobby_pb2.CreateMatchRequest) -> bool:
    """Whether a match has the seats and the rules that were asked for."""
    seats = [(seat.kind, seat.bot) for seat in match.seats]
    wanted = (request.options.edition or EDITION, dict(request.options.settings), request.board or BOARD)
    return (
        seats == [(seat.kind, seat.bot) for seat in request.seats]
        and wanted == (match.options.edition, dict(match.options.settings), match.board)
        and request.seed in ("", match.seed)
        and request.timing == match.timing
    )


def bot(
    name: str, address: str, access: Access, at_once: int, games: int | None, token: str, *, with_stdin: bool
) -> None:
    """Play seats of a server with one of the policies."""
    if with_stdin:
        threading.Thread(target=_exit_with_stdin, daemon=True).start()

    def work(access: Access) -> Coroutine[Any, Any, None]:
        return _bot(name, address, access, at_once, games, token)

    entrance.run(work, access, f"vinci bot {name} {address}")


async def _bot(name: str, address: str, access: Access, at_once: int, games: int | None, token: str) -> None:
    from vinci_bots.connected import chooser
    from vinci_client import bot as wire

    hello = bot_pb2.Hello(
        name=name, games=at_once, position=True, without_state=True, seat_tokens=[token] if token else []
    )
    await wire.play(
        address, hello, chooser(name), access=access, games=games, on_event=lambda text: _print(f"{name}: {text}")
    )


def _exit_with_stdin() -> None:
    sys.stdin.buffer.read()
    os._exit(0)  # nothing of a bot is worth keeping, and its policy may be thinking


def _print(text: str) -> None:
    print(text, flush=True)  # noqa: T201  # this is its work
