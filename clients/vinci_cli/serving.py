"""`vinci serve` and `vinci bot`: programs that run until they are stopped."""

import asyncio
import os
import sys
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vinci.v1 import bot_pb2, lobby_pb2
from vinci_client.access import Access
from vinci_client.address import joined

from . import entrance
from .failed import Failed, failure
from .hosting import Door, told
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
    archive_days: int,
    with_stdin: bool,
) -> None:
    """Serve until stopped."""
    from vinci_server import logs

    logs.configure(log_level)
    asyncio.run(_serve(host, port, database, door, request, archive_days, with_stdin=with_stdin))


async def _serve(
    host: str,
    port: int,
    database: Path,
    door: Door,
    request: lobby_pb2.CreateMatchRequest | None,
    archive_days: int,
    *,
    with_stdin: bool,
) -> None:
    from vinci_server.app import AddressError, Server, lan_addresses
    from vinci_server.app import serve as run
    from vinci_server.errors import ServiceError
    from vinci_server.store import StoreError

    access, limits = door.access(database), door.most()
    try:
        server = await Server.start(host, port, database, access=access, limits=limits, archive_days=archive_days)
    except (StoreError, AddressError) as error:
        raise Failed(str(error)) from None
    table = ""
    if request is not None:
        try:
            table = await _table(server.lobby, request)
        except ServiceError as error:
            await server.stop()
            raise failure(error) from None
    _print(f"listening on {joined(host, server.port)}")
    if table:
        _print(table)
    if not with_stdin:
        for line in told(host, server.port, access, lan_addresses()):
            _print(line)
    await run(server, until_stdin_closes=with_stdin)


async def _table(lobby: "Lobby", request: lobby_pb2.CreateMatchRequest) -> str:
    """Make the match, unless one like it waits from an earlier start; in words."""
    for status in ("running", "open"):
        for found in (await lobby.page(0, "", status))[0]:
            match = found.message()
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
