"""Servers: found on the network, known by their address, and on this machine."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias, final

from vinci_client.access import OPEN, SYSTEM, Access, BadAccess
from vinci_client.address import BadAddress, with_port
from vinci_client.discovery import FoundServer, SearchFailed
from vinci_client.errors import ServerRefused

from ...connection import connect
from ...text.i18n import _, plural
from ...text.refusals import full_sentence
from ...text.tables import Line
from ..toolkit.app import App
from ..toolkit.menu import Menu, MenuItem
from .page import LobbyPage
from .server_session import Visits, is_here

Find: TypeAlias = Callable[[], Awaitable[Sequence[FoundServer]]]

SEARCH_AGAIN_SECONDS: Final = 2.0

DASHES: Final = 4
"""A text with this many dashes is a mistyped join code, not a password."""


@final
@dataclass(slots=True)
class KnownServers:
    """The known servers.

    `found` on the network, None before the first answer; `problem` says why it cannot be searched. `typed` are
    addresses that were typed, or at which there are saved seats. `places` are databases of this machine, each with
    title and explanation.
    """

    found: Sequence[FoundServer] | None = None
    problem: str = ""
    typed: list[str] = field(default_factory=list)
    places: dict[str, tuple[str, str]] = field(default_factory=dict)


def servers(title: str, known: KnownServers, chosen: str) -> Menu:
    """Menu of the servers."""
    on_network = known.found or ()
    choices = [MenuItem(f"at {where}", [title]) for where, (title, _text) in known.places.items()]
    for server in on_network:
        needs = [*([_("code")] if server.access != "open" else []), *([_("TLS")] if server.tls else [])]
        seats = plural("{n} seat", "{n} seats", server.seats)
        running = plural("{n} match", "{n} matches", server.running)
        style = "" if server.seats or server.running else "class:faint"
        texts = [server.name, server.address, seats, running, ", ".join(needs)]
        choices.append(MenuItem(f"at {server.address}", texts, style))
    addresses = {server.address for server in on_network}
    choices += [MenuItem(f"at {address}", [address]) for address in known.typed if address not in addresses]
    choices.append(MenuItem("address", [_("Another address …")]))
    if known.found is None:
        above = _("Looking for servers on this network …")
    elif known.problem:
        above = known.problem
    elif on_network:
        above = plural(
            "{n} server was found on this network.", "{n} servers were found on this network.", len(on_network)
        )
    else:
        above = _("No server was found on this network so far. It goes on being searched.")
    return Menu(
        title,
        choices,
        chosen,
        above=[[("class:hint", above)]],
        heads=[_("server"), _("address"), _("open"), _("running"), _("needs")],
        about=_("About it"),
        detail=_detail(known, chosen),
        keys=[("enter", _("go there")), ("a", _("type an address")), ("escape", _("back"))],
    )


def _detail(known: KnownServers, chosen: str) -> list[Line]:
    if place := known.places.get(chosen.removeprefix("at ")):
        return [[("", place[1])]]
    server = next((server for server in known.found or () if chosen == f"at {server.address}"), None)
    if server is None:
        return [
            [("", _("Where multicast is switched off a server is not found, but its address works: 192.168.1.5."))],
            [("", _("To start a server for this network: {command}").format(command="vinci serve --lan --tls"))],
            [("", _("With a page for phones: {command}").format(command="vinci serve --lan --code --web 8080"))],
        ]
    seats = plural("{n} open seat for people", "{n} open seats for people", server.seats)
    waiting = plural("{n} match waits for players", "{n} matches wait for players", server.open)
    running = plural("{n} match is at play", "{n} matches are at play", server.running)
    is_open = server.access == "open"
    return [
        [("class:title", server.name)],
        [("", f"{seats}; {waiting}, {running}.")],
        [("", _("Everybody is let in.") if is_open else _("It asks for a code or a password."))],
        [("", _("The connection is encrypted.") if server.tls else _("The connection is not encrypted."))],
        [("class:faint", _("Version {version}").format(version=server.version))],
    ]


class ServersPage(LobbyPage):
    """Page of the servers; its result is a Visit, Leave, or None to go back. `typed` access is tried first.

    Attributes:
        first: server to which the page connects as soon as it is shown, with the access to try.
        goes_to_running: whether it connects to the only server found with a running match, once.
    """

    def __init__(
        self, app: App, title: str, known: KnownServers, find: Find, visits: Visits, typed: Access = OPEN
    ) -> None:
        super().__init__(app)
        self.title: Final = title
        self.known: Final = known
        self._find: Final = find
        self._visits: Final = visits
        self._typed: Final = typed
        self._going = ("", OPEN)
        self.first: tuple[str, Access] | None = None
        self.goes_to_running = False

    def menu(self) -> Menu:
        """The servers."""
        return servers(self.title, self.known, self.chosen)

    async def background(self) -> None:
        """Search the network periodically."""
        if self.first is not None:
            first, self.first = self.first, None  # the page is shown again after its server was left
            self.go(*first)
        while True:
            try:
                self.known.found, self.known.problem = await self._find(), ""
            except SearchFailed as error:
                self.known.found, self.known.problem = (), full_sentence(error)
            running = [server for server in self.known.found if server.running]
            if self.goes_to_running and len(running) == 1 and len(self.known.found) == 1:
                self.act(f"at {running[0].address}")
            self.goes_to_running = False
            self.app.redraw()
            await asyncio.sleep(SEARCH_AGAIN_SECONDS)

    def act(self, target: str) -> None:
        """Connect to the chosen server."""
        if target == "address":
            self.key("a")
        else:
            where = target.removeprefix("at ")
            self.go(where, OPEN if is_here(where) else connect.remembered(where, self._typed))

    def key(self, key: str) -> None:
        """Ask for an address on `a`."""
        if key == "a":
            self.ask(_("Address: "), self._typed_address)

    def go(self, where: str, access: Access) -> None:
        """Connect to a server with this access."""
        self._going = (where, access)
        doing = _("Starting a server …") if is_here(where) else _("Connecting to {address} …").format(address=where)

        async def visit() -> None:
            self.app.leave(await self._visits.come(where, access))

        self.start(doing, visit())

    def failed(self, error: Exception) -> None:
        """Ask for a code or password that is missing or wrong; that one is needed is no error."""
        super().failed(error)
        if not isinstance(error, ServerRefused) or error.reason not in (*connect.MISSING, "BAD_ACCESS"):
            return
        self.is_error = error.reason == "BAD_ACCESS"
        needs_tls = error.reason == "NEEDS_TLS"
        if needs_tls:
            self.say(_("This server speaks TLS and wants its whole join code, or a password; its host has it."))
        self._ask(error.facts.get("needs", "code"), needs_tls=needs_tls)

    def _ask(self, needs: str, *, needs_tls: bool) -> None:
        prompt = _("Password: ") if needs == "password" else _("Code: ")
        typed = partial(self._typed_secret, needs, needs_tls=needs_tls)
        self.ask(prompt, typed, hidden=needs == "password")

    def _typed_secret(self, needs: str, text: str, *, needs_tls: bool) -> None:
        if not text:
            return
        address, before = self._going
        try:
            access = _opening(needs, text, SYSTEM if needs_tls else before.tls)
        except BadAccess as error:
            self.say(full_sentence(error), is_error=True)
            self._ask(needs, needs_tls=needs_tls)
        else:
            self.go(address, access)

    def _typed_address(self, text: str) -> None:
        if not text:
            return
        try:
            address = with_port(text)
        except BadAddress as error:
            self.say(full_sentence(error), is_error=True)
            return
        if address not in self.known.typed:
            self.known.typed.append(address)
        self.chosen = f"at {address}"
        self.act(self.chosen)


def _opening(needs: str, text: str, tls: str) -> Access:
    """Access from a typed code or password; with TLS a text that is no code is a password. Raises BadAccess."""
    if needs == "password":
        return Access(password=text, tls=tls)
    try:
        code = Access(code=text)
    except BadAccess:
        if not tls or text.count("-") >= DASHES:
            raise
        return Access(password=text, tls=tls)
    return code if code.fingerprint else Access(code=text, tls=tls)
