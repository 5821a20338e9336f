"""Servers on the network: as a table, as JSON, and to choose from."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Final

import click

from vinci_client.discovery import FoundServer, SearchFailed
from vinci_html.text import text_table

from ..connection.nearby import find
from ..exceptions import Failed
from ..line.screen import Screen
from ..text import refusals
from ..text.i18n import _, plural

HOW_TO_START: Final = "vinci serve --lan --players human,human,dummy,dummy"


def show_all(*, as_json: bool) -> None:
    """Print the servers of the network."""
    servers = asyncio.run(_find())
    if as_json:
        lines = [json.dumps(asdict(server), ensure_ascii=False) for server in servers]
    else:
        nothing = _("No server was found on this network. To start one: {command}").format(command=HOW_TO_START)
        lines = table(servers) if servers else [nothing]
    for line in lines:
        click.echo(line)


def choose(command: str, fits: Callable[[FoundServer], bool], screen: Screen) -> FoundServer:
    """Return the only server, or the only one that fits, else ask a person. Raises Failed."""
    try:
        return asyncio.run(_choose(command, fits, screen))
    except KeyboardInterrupt:
        raise Failed(_("interrupted")) from None


async def _choose(command: str, fits: Callable[[FoundServer], bool], screen: Screen) -> FoundServer:
    screen.show([_("Looking for servers on this network …")])
    servers = await _find()
    if not servers:
        text = _(
            "no server was found on this network. Where you know the address: vinci {command} 192.168.1.5. "
            "To start one: {start}"
        )
        raise Failed(text.format(command=command, start=HOW_TO_START))
    fitting = [server for server in servers if fits(server)] if len(servers) > 1 else servers
    if len(fitting) == 1:
        (server,) = fitting
        text = _("{name} at {address}: {offer}.")
        screen.show([text.format(name=server.name, address=server.address, offer=_offer(server))])
        return server
    screen.show(table(servers))
    numbered = {str(number): server for number, server in enumerate(servers, 1)}
    question = _("Which one? [1-{last}] ").format(last=len(servers))
    while answer := (await screen.ask(lambda: question, lambda: "", lambda _typed: ()) or "").strip():
        if answer in numbered:
            return numbered[answer]
        screen.show([_("Type a number from 1 to {last}, or nothing to leave.").format(last=len(servers))])
    text = _("no server was chosen; name one, as in: vinci {command} {address}")
    raise Failed(text.format(command=command, address=servers[0].address))


def table(servers: Sequence[FoundServer]) -> list[str]:
    """Return the servers with numbers, one a line, below a heading."""
    rows = [("", _("server"), _("address"), _("open seats"), _("running"), _("version"), "")]
    for number, server in enumerate(servers, 1):
        needed = ", ".join(word for word, is_so in ((_("code"), server.access != "open"), ("TLS", server.tls)) if is_so)
        counts = (str(server.seats), str(server.running))
        rows.append((str(number), server.name, server.address, *counts, server.version, needed))
    return text_table(rows)


def _offer(server: FoundServer) -> str:
    seats = plural("{n} open seat", "{n} open seats", server.seats)
    return f"{seats}, {plural('{n} running game', '{n} running games', server.running)}"


async def _find() -> list[FoundServer]:
    try:
        return await find()
    except SearchFailed as error:
        text = _("{error}. Where you know the address: vinci join 192.168.1.5")
        raise Failed(text.format(error=refusals.sentence(error))) from None
