"""Connections and sessions of the SSH front, which runs the full-screen client for people who only have `ssh`.

It is a client of the server like any other, so a slow terminal does not delay others.
"""

import asyncio
import contextlib
import shutil
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, final

import asyncssh
import structlog
from prompt_toolkit.application import create_app_session

from vinci_client.access import Access
from vinci_client.errors import ServerGone, ServerRefused
from vinci_server.errors import ServiceError
from vinci_server.limits import Peer

from ...connection import person_keys, saved_seats
from ...connection.seating import LONGEST_NAME
from ...exceptions import Failed
from ...full.toolkit import display
from ...home import kept_in
from ...text import i18n, refusals
from ...text.i18n import _
from .auth import TRIES, BadKeys, SshAuthenticator, Visitor
from .terminal import Terminal, depth_of, size_of

Visit = Callable[[str, Access, str, str], Awaitable[None]]
"""Runs the client for a person, given the address of the server, its access, the name, and the command to join it.

The current input and output of prompt-toolkit are the terminal of that person, and saved seats are theirs alone."""

MOST_CONNECTIONS: Final = 400
MOST_SESSIONS: Final = 2
"""Sessions of one connection, which clients such as OpenSSH's ControlMaster share."""
LOGIN_SECONDS: Final = 60
MOST_KEYS: Final = 40
"""Most keys that a connection can try; each is offered, then proved."""
KEEPALIVE_SECONDS: Final = 15
LOST_AFTER: Final = 4
"""Unanswered keepalives after which a connection counts as lost."""
PACKET_BYTES: Final = 1024
PACKET_SECONDS: Final = 0.01
"""Seconds between two packets of keys, so that pasting a long text does not slow down others."""
REDRAW_SECONDS: Final = 0.03
"""Least seconds between two redraws of a window that is being resized."""
LEAVE_SECONDS: Final = 3.0

_log = structlog.get_logger()


@final
@dataclass(slots=True)
class SharedState:
    """State that all sessions share."""

    door: SshAuthenticator
    visit: Visit
    address: str
    access: Access
    invitation: str
    folder: Path
    connections: int = 0
    visiting: set[asyncio.Task[None]] = field(default_factory=set)

    async def listen(self, host: str, port: int, key: asyncssh.SSHKey) -> asyncssh.SSHAcceptor:
        """Accept connections. Raises OSError."""
        return await asyncssh.create_server(
            lambda: _Connection(self),
            host,
            port,
            server_host_keys=[key],
            server_version="Vinci",
            encoding=None,
            line_editor=False,
            agent_forwarding=False,
            x11_forwarding=False,
            allow_scp=False,
            sftp_factory=None,
            password_auth=False,
            host_based_auth=False,
            gss_host=None,
            compression_algs=None,
            max_pktsize=PACKET_BYTES,
            window=16 * PACKET_BYTES,
            login_timeout=LOGIN_SECONDS,
            keepalive_interval=KEEPALIVE_SECONDS,
            keepalive_count_max=LOST_AFTER,
        )

    async def close(self) -> None:
        """End all sessions with a message that the server stops."""
        for task in self.visiting:
            task.cancel()
        if self.visiting:
            await asyncio.wait(self.visiting, timeout=LEAVE_SECONDS)


@final
class _Connection(asyncssh.SSHServer):
    """A connection and its authentication."""

    def __init__(self, front: SharedState) -> None:
        self._front: Final = front
        self._host = ""
        self._peer: Peer | None = None
        self._wrong = 0
        self._keys = 0
        self._sessions = 0
        self._proof = "nothing"
        self._connection: Any = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._front.connections += 1
        self._connection = conn
        self._host = str(conn.get_extra_info("peername")[0])
        try:
            self._peer = self._front.door.knock(self._host)
        except ServiceError:
            conn.abort()
        if self._front.connections > MOST_CONNECTIONS:
            conn.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._front.connections -= 1

    def begin_auth(self, username: str) -> bool:
        return True  # also without access control: a key identifies the person

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        self._keys += 1
        if self._keys > MOST_KEYS:
            raise asyncssh.PermissionDenied("Too many keys")
        try:
            known = self._front.door.knows(key, self._host)
        except BadKeys as error:
            _log.error("ssh: keys", error=str(error))
            return False
        self._proof = f"key {key.get_fingerprint()}"  # of the last key offered; only that one can be proved
        return known

    def kbdint_auth_supported(self) -> bool:
        return True

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> Any:
        if self._front.door.is_open:
            self._proof = "nothing"
            return True
        if self._wrong >= TRIES:
            raise asyncssh.PermissionDenied("Too many wrong answers")
        return "", "", "", [(f"{self._front.door.asks_for.capitalize()}: ", False)]

    def validate_kbdint_response(self, username: str, responses: Any) -> bool:
        door = self._front.door
        try:
            assert self._peer is not None
            if len(responses) == 1 and door.opens_with(responses[0], self._peer):
                self._proof = door.asks_for
                return True
        except ServiceError as error:
            self._connection.send_auth_banner(f"{error}.\r\n")
            self._wrong = TRIES
            return False
        self._wrong += 1
        _log.warning("ssh: wrong code or password", peer=self._host)
        return False

    def session_requested(self) -> Any:
        visitor = Visitor(name_of(self._connection.get_extra_info("username")), self._proof)
        assert self._peer is not None
        places = ExitStack()
        if self._sessions >= MOST_SESSIONS:
            raise asyncssh.ChannelOpenError(
                asyncssh.OPEN_RESOURCE_SHORTAGE, f"a connection has {MOST_SESSIONS} sessions at most"
            )
        try:
            places.enter_context(self._front.door.traffic.stream(self._peer))
        except ServiceError:
            raise asyncssh.ChannelOpenError(
                asyncssh.OPEN_RESOURCE_SHORTAGE, "no more people can play by ssh now; come back later"
            ) from None
        self._sessions += 1
        places.callback(self._end_session)
        return _Session(self._front, visitor, self._host, places)

    def _end_session(self) -> None:
        self._sessions -= 1


@final
class _Session(asyncssh.SSHServerSession[bytes]):
    """A person at a terminal."""

    def __init__(self, front: SharedState, visitor: Visitor, host: str, places: ExitStack) -> None:
        self._front: Final = front
        self._visitor: Final = visitor
        self._host: Final = host
        self._places: Final = places
        self._channel: Any = None
        self._terminal: Terminal | None = None
        self._task: asyncio.Task[None] | None = None
        self._resizing: asyncio.TimerHandle | None = None
        self._language = ""

    def connection_made(self, chan: Any) -> None:
        self._channel = chan

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        """Accept a language as the only command: `ssh -t ann@192.168.1.5 fr`."""
        self._language = command if command in i18n.LANGUAGES else ""
        return bool(self._language)

    def session_started(self) -> None:
        channel = self._channel
        kind = channel.get_terminal_type()
        if kind is None:
            channel.write(b"There is no terminal here to play at: ssh -t gives one.\r\n")
            channel.exit(2)
            return
        depth = depth_of(kind, channel.get_environment())
        self._terminal = Terminal(channel.write, kind, depth, size_of(*channel.get_terminal_size()[:2]))
        self._task = asyncio.create_task(self._run(self._terminal))
        self._front.visiting.add(self._task)
        self._task.add_done_callback(self._front.visiting.discard)

    def data_received(self, data: bytes, datatype: int | None) -> None:
        if self._terminal is not None:
            self._channel.pause_reading()
            asyncio.get_running_loop().call_later(PACKET_SECONDS, self._channel.resume_reading)
            self._terminal.keys.feed(data)

    def eof_received(self) -> bool:
        if self._terminal is not None:
            self._terminal.keys.end()
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        if self._terminal is not None and self._resizing is None:
            self._resizing = asyncio.get_running_loop().call_later(REDRAW_SECONDS, self._resize, self._terminal)

    def _resize(self, terminal: Terminal) -> None:
        self._resizing = None
        terminal.resize(size_of(*self._channel.get_terminal_size()[:2]))

    def pause_writing(self) -> None:
        if self._terminal is not None:
            self._terminal.slow_down()

    def resume_writing(self) -> None:
        if self._terminal is not None:
            self._terminal.catch_up()

    def connection_lost(self, exc: Exception | None) -> None:
        self._places.close()
        if self._resizing is not None:
            self._resizing.cancel()
        if self._task is not None:
            self._task.cancel()

    async def _run(self, terminal: Terminal) -> None:
        front, visitor = self._front, self._visitor
        environment = self._channel.get_environment()
        locale = {name: environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")}
        i18n.choose(self._language, locale)
        display.choose(display.found({"TERM": self._channel.get_terminal_type() or "", **environment}, "utf-8"))
        last_line, home = "", front.folder / visitor.id
        _log.info("ssh: came", peer=self._host, player=visitor.name, proof=visitor.proof)
        try:
            with (
                kept_in(home),
                create_app_session(terminal.keys, terminal.output) as terminal.session,
            ):
                saved_seats.moved(front.address, front.access)
                person_keys.moved(front.address)
                await front.visit(front.address, front.access, visitor.name, front.invitation)
                last_line = farewell(visitor)
        except asyncio.CancelledError:
            last_line = _("The server stops. The game goes on when it is back.")
        except (EOFError, KeyboardInterrupt):
            pass  # the terminal is gone
        except (Failed, ServerGone, ServerRefused) as error:
            last_line = refusals.full_sentence(error)
        except Exception:
            _log.exception("ssh: a session failed", peer=self._host, player=visitor.name)
            last_line = _("Something went wrong here; the server's log has more. Nothing is lost.")
        shutil.rmtree(home / "records", ignore_errors=True)  # the server keeps what was played
        _log.info("ssh: went", peer=self._host, player=visitor.name)
        terminal.say_last(f"{last_line}\n" if last_line else "")
        with contextlib.suppress(OSError):
            self._channel.exit(0)


def name_of(login: str) -> str:
    """Return the name at the table for a login name."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in login).split())[:LONGEST_NAME]


def farewell(visitor: Visitor) -> str:
    """Describe how to return to seats that were left, and who can; empty without any."""
    if not saved_seats.load():
        return ""
    if visitor.proof.startswith("key "):
        return _("Your seats wait for you: come back as {name} with the same key.").format(name=visitor.name)
    if visitor.proof == "nothing":
        return _(
            "Your seats wait for whoever comes as {name}. With a key of your own (ssh-keygen) they are yours alone."
        ).format(name=visitor.name)
    return _("Your seats wait for whoever comes as {name} and has what you typed.").format(name=visitor.name)
