"""An SSH client: asyncssh for the connection, pyte for the terminal."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, final

import asyncssh
import pyte

from vinci_cli.full.toolkit.app import App
from vinci_cli.full.toolkit.block import Block, Depth, fitted
from vinci_cli.serve.ssh.auth import LIMITS, SshAuthenticator
from vinci_cli.serve.ssh.server import SharedState, Visit
from vinci_client.access import Access
from vinci_server.limits import Limits
from vinci_server.rpc.access import ServerAccess as ServerAccess

PATIENCE: Final = 20.0
WINDOW: Final = 16_384
"""Bytes that are on their way at most, unread."""
CODE: Final = "k3f9-xa2m"


class CardPage:
    """A page that shows its size, colour depth and events, and takes a typed line as its text."""

    refresh_seconds: float = 0

    def __init__(self, app: App, text: str = "") -> None:
        self.app: Final = app
        self.text = text
        self.pressed = ""

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """Draw three lines, the last one at the bottom."""
        lines = [f"{columns}x{rows} {depth} bits", self.text, f"pressed {self.pressed}"]
        block = fitted(Block([[("", line)] for line in lines]), columns, rows)
        return Block([*block.lines[:-1], [("", "bottom".ljust(columns))]])

    def press(self, key: str) -> None:
        """Record the key; q leaves."""
        self.pressed = (self.pressed + key)[-40:]
        if key == "q":
            self.app.leave()

    def click(self, target: str) -> None:
        """Record the click."""
        self.pressed += "click"

    def scroll(self, target: str, lines: int) -> None:
        """Record the wheel."""
        self.pressed += "wheel"


async def show_card(_address: str, _access: Access, name: str, _invitation: str) -> None:
    """Show a card with the name of the user."""
    async with App() as app:
        await app.show(CardPage(app, f"This is {name}."))


@asynccontextmanager
async def front(
    folder: Path,
    visit: Visit = show_card,
    *,
    code: str = "",
    password: str = "",
    keys: Path | None = None,
    limits: Limits = LIMITS,
) -> AsyncIterator[tuple[SharedState, int]]:
    """Start an SSH front end without a server; yield it and its port."""
    made = SharedState(
        SshAuthenticator(ServerAccess(password, code), keys, limits), visit, "nowhere:1", Access(), "", folder
    )
    acceptor = await made.listen("127.0.0.1", 0, asyncssh.generate_private_key("ssh-ed25519"))
    try:
        yield made, acceptor.get_port()
    finally:
        await made.close()
        acceptor.close()
        await acceptor.wait_closed()


@final
class _Client(asyncssh.SSHClient):
    def __init__(self, codes: Iterable[str]) -> None:
        self._codes: Final = list(codes)
        self._asked = False

    def kbdint_auth_requested(self) -> str | None:
        again, self._asked = self._asked, True
        return "" if self._codes or not again else None

    def kbdint_challenge_received(self, name: str, instructions: str, lang: str, prompts: Any) -> Any:
        return [self._codes.pop(0)] if prompts and self._codes else []


@asynccontextmanager
async def connected(
    port: int, name: str = "ann", *, codes: Iterable[str] = (), key: asyncssh.SSHKey | None = None
) -> AsyncIterator[asyncssh.SSHClientConnection]:
    """Open a connection of a user who types these codes when asked. Raises asyncssh.PermissionDenied."""
    connection, _client = await asyncssh.create_connection(
        lambda: _Client(codes),
        "127.0.0.1",
        port,
        username=name,
        known_hosts=None,
        client_keys=[key] if key is not None else None,
        agent_path=None,
        config=None,
    )
    try:
        yield connection
    finally:
        connection.abort()
        await connection.wait_closed()


@final
class SshScreen:
    """The screen of an SSH client."""

    def __init__(self, process: "asyncssh.SSHClientProcess[bytes]", columns: int, rows: int) -> None:
        self.process: Final = process
        self.screen: Final = pyte.Screen(columns, rows)
        self.bytes = 0
        self._stream: Final = pyte.ByteStream(self.screen)

    @property
    def text(self) -> str:
        """Return the screen."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    async def until(self, text: str) -> None:
        """Read until a text is on the screen."""
        await self._read_until(lambda: text in self.text, text)

    async def to_the_end(self) -> int:
        """Read until the other side has closed; return the exit status."""
        with contextlib.suppress(asyncssh.ConnectionLost):
            while data := await asyncio.wait_for(self.process.stdout.read(65536), PATIENCE):
                self._feed(data)
        await asyncio.wait_for(self.process.wait_closed(), PATIENCE)
        return -1 if self.process.exit_status is None else self.process.exit_status

    def type(self, text: str) -> None:
        """Type."""
        self.process.stdin.write(text.encode())

    def resize(self, columns: int, rows: int) -> None:
        """Drag the window to another size."""
        self.process.change_terminal_size(columns, rows)
        self.screen.resize(rows, columns)

    async def _read_until(self, true: Callable[[], bool], what: str) -> None:
        async with asyncio.timeout(PATIENCE):
            while not true():
                data = await self.process.stdout.read(65536)
                assert data, f"it ended without {what!r}:\n{self.text}"
                self._feed(data)

    def _feed(self, data: bytes) -> None:
        self.bytes += len(data)
        self._stream.feed(data.replace(b"\x1b[>", b"\x1b["))


async def sits(
    connection: asyncssh.SSHClientConnection,
    *,
    size: tuple[int, int] = (80, 24),
    term: str = "xterm-256color",
    env: dict[str, str] | None = None,
    command: str | None = None,
) -> SshScreen:
    """Open a session with a terminal."""
    process = await connection.create_process(
        command, term_type=term, term_size=size, env=env or {}, encoding=None, window=WINDOW
    )
    return SshScreen(process, min(size[0] or 80, 300), min(size[1] or 24, 100))
