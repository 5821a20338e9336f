"""The server of a league with remote entrants, in a thread beside the runner of the league."""

import asyncio
import json
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, final

from vinci_bots.local.sandbox import SOCKET
from vinci_client.access import Access
from vinci_client.address import joined
from vinci_server import app
from vinci_server.limits import MOST, USUAL
from vinci_server.match.seats.tokens import ADMIN_FILE
from vinci_server.rpc.access import ServerAccess, join_code
from vinci_server.rpc.listener import AddressError
from vinci_server.storage.store import StoreError
from vinci_tournament.definition.league import League
from vinci_tournament.definition.schedule import games
from vinci_tournament.play.files import replace_file
from vinci_tournament.play.folder import SERVER, Folder
from vinci_tournament.play.worker import GameServer, request_id

from ..exceptions import Failed
from ..text.i18n import _
from .access import ServeAccess, addresses_to_type

DATABASE: Final = "league.db"
DOOR: Final = "door.json"
NOT_PLANNED: Final = "the league was extended, and this game is not in it"
LIMITS: Final = replace(USUAL, lag_milliseconds=MOST, max_rounds=MOST, target=MOST)
"""Only the organiser makes matches, and chooses their rules."""


@dataclass(frozen=True, slots=True)
class Door:
    """Addresses and code with which entrants and the organiser's commands reach the server of a league.

    `addresses` are those that entrants type, `code` is theirs, and `needs_tls` if the code does not vouch for the
    certificate. `local` is the address for commands on this machine.
    """

    addresses: tuple[str, ...]
    code: str
    needs_tls: bool
    local: str

    @classmethod
    def of(cls, folder: Folder) -> "Door":
        """Read the door of the server that runs for the league in a folder. Raises Failed."""
        try:
            fields = json.loads((folder.path / SERVER / DOOR).read_text(encoding="utf-8"))
            return cls(**fields | {"addresses": tuple(fields["addresses"])})
        except FileNotFoundError:
            raise Failed(not_open(folder.path)) from None
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise Failed(f"{folder.path / SERVER / DOOR} is not as it was written: {error}") from None


def not_open(path: Path) -> str:
    """Return the error for a league that is not open."""
    text = _("the league in {folder} is not open; open it with: vinci tournament open {folder}")
    return text.format(folder=path)


def organiser_access(folder: Folder) -> tuple[Access, str]:
    """Return access and admin token of the organiser of a league, for its local address. Raises Failed."""
    place = folder.path / SERVER
    try:
        token = (place / ADMIN_FILE).read_text(encoding="ascii").strip()
        return Access(code=(place / DATABASE).with_suffix(".code").read_text(encoding="ascii").strip()), token
    except (OSError, ValueError) as error:
        raise Failed(f"{place}: {getattr(error, 'strerror', None) or error}") from None


@final
class LeagueServer:
    """A server that runs in its own thread: `loop` is its event loop, `game_server` is for the games of the league."""

    def __init__(
        self,
        server: app.Server,
        loop: asyncio.AbstractEventLoop,
        door: Door,
        access: ServerAccess,
        bot_socket: Path | None,
    ) -> None:
        self.server: Final = server
        self.loop: Final = loop
        self.door: Final = door
        secret = ServerAccess(code=access.entrants).secret
        place = None if bot_socket is None else bot_socket.parent
        self.game_server: Final = GameServer(door.local, Access(code=access.secret), secret, is_kept=True, door=place)

    def keys(self) -> Sequence[str]:
        """Return the names that have a key."""
        return asyncio.run_coroutine_threadsafe(self.server.protected_names(), self.loop).result()

    def tell_bots(self, notice: Callable[[str], str]) -> None:
        """Tell entrants by their names what `notice` returns, now and when they connect."""
        self.loop.call_soon_threadsafe(self.server.tell_bots, notice)

    def end_others(self, league: League) -> None:
        """End the matches that were begun before a restart for games that an extension has replaced."""
        planned = [request_id(league, game) for game in games(league)]
        ending = self.server.end_matches_except(planned, NOT_PLANNED)
        asyncio.run_coroutine_threadsafe(ending, self.loop).result()


@contextmanager
def league_server(folder: Folder, league: League, host: str, port: int, options: ServeAccess) -> Iterator[LeagueServer]:
    """Run the server of a league. Raises Failed or Misused."""
    place = folder.path / SERVER
    place.mkdir(mode=0o700, exist_ok=True)
    database = place / DATABASE
    access = options.access(database)
    own = access.certificate if access.certificate is not None and access.certificate.is_own else None
    access = replace(access, entrants=join_code(place / "entrants", own))
    # in a folder of its own with a short path, as sockets need
    apart = tempfile.TemporaryDirectory(prefix="vinci-") if league.sandbox else None
    bot_socket = None if apart is None else Path(apart.name) / SOCKET
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def start() -> app.Server:
        return await app.Server.start(
            host,
            port,
            database,
            access=access,
            limits=LIMITS,
            archive_days=0,
            open_days=0,
            with_loopback=True,
            anonymous=league.anonymous,
            bot_socket=bot_socket,
        )

    try:
        try:
            server = asyncio.run_coroutine_threadsafe(start(), loop).result()
        except StoreError as error:
            raise Failed(str(error)) from None
        except AddressError as error:
            port_advice = f"choose another port: --listen {joined(host, 0)} for any that is free"
            advice = "name one of this machine with --listen" if error.is_foreign else port_advice
            raise Failed(f"{error.reason}; {advice}") from None
        addresses = tuple(joined(address, server.port) for address in _addresses(host, access))
        needs_tls = access.certificate is not None and not access.certificate.is_own
        door = Door(addresses, access.entrants, needs_tls, joined(app.LOOPBACK, server.loopback_port))
        replace_file(place / DOOR, [json.dumps(asdict(door)).encode()], mode=0o600)
        try:
            yield LeagueServer(server, loop, door, access, bot_socket)
        finally:
            (place / DOOR).unlink(missing_ok=True)
            asyncio.run_coroutine_threadsafe(server.stop(), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
        if apart is not None:
            apart.cleanup()


def _addresses(host: str, access: ServerAccess) -> Sequence[str]:
    """Return the hosts that entrants type."""
    signed = access.certificate.names() if access.certificate is not None and not access.certificate.is_own else ()
    return list(signed) or addresses_to_type(host) or ["localhost"]
