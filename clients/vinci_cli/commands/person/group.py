"""`vinci person`: the name that belongs to this machine at a server, on other devices too."""

import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

import click

from vinci.v1 import lobby_pb2
from vinci.v1 import person_pb2 as pb
from vinci_client.access import Access
from vinci_client.session import Session, new_person_key

from ...connection import connect, person_keys
from ...connection.local_server import from_elsewhere
from ...exceptions import Failed
from ...text.i18n import _, plural
from ..base import Commands, access_options, flag
from ..options import json_option


@click.group(
    cls=Commands,
    epilog="""
    vinci person show 192.168.1.5
    vinci person link 192.168.1.5
    vinci person use 192.168.1.5 abcd-efgh-jkmn
    vinci person rename 192.168.1.5 Ann
    vinci person forget 192.168.1.5 --yes
    """,
)
def person() -> None:
    """Show, rename or forget your name at a server, or use it on another device.

    The first name that you use at a server belongs to a key of this machine from then on: nobody else can take it, and
    your seats come back on all your devices.
    """


def _at(address: str, access: Access, command: str, key: str, work: Callable[..., Awaitable[None]]) -> None:
    """Run work with a function that makes the call of a request with a key. Raises Failed."""

    async def visit(access: Access) -> None:
        async with Session(address, access, key) as session:

            async def call(request: Any) -> Any:
                name = type(request).__name__.removesuffix("Request")
                method = getattr(session.person, name, None) or getattr(session.lobby, name)
                return await session.call(method, request, as_person=True)

            await work(call)

    connect.run(visit, connect.remembered(address, access), f"vinci person {command} {address}", asks=True)


@person.command(epilog="vinci person show\nvinci person show 192.168.1.5 --json")
@click.argument("address", default="localhost")
@access_options
@json_option
def show(address: str, access: Access, as_json: bool) -> None:
    """Show the name that belongs to this machine at a server."""

    async def work(call: Callable[[Any], Awaitable[Any]]) -> None:
        found = (await call(pb.GetPersonRequest())).person
        if as_json:
            click.echo(
                json.dumps({"server": address, "name": found.name, "hidden": found.hidden, "devices": found.devices})
            )
        elif not found.name:
            click.echo(
                _("You have no name at {server} yet; the first that you use there is yours.").format(server=address)
            )
        else:
            click.echo(plural("{name}, on {n} device", "{name}, on {n} devices", found.devices, name=found.name))

    _at(address, access, "show", person_keys.at(address), work)


@person.command(epilog="vinci person link 192.168.1.5")
@click.argument("address", default="localhost")
@access_options
def link(address: str, access: Access) -> None:
    """Print what another device types to be yours, too; it works once and for five minutes."""

    async def work(call: Callable[[Any], Awaitable[Any]]) -> None:
        code = (await call(pb.OfferDeviceLinkRequest())).code
        page = (await call(lobby_pb2.GetServerInfoRequest())).page
        shown = "-".join(code[place : place + 4] for place in range(0, len(code), 4))
        click.echo(
            _("On the other device, within five minutes: {command}").format(
                command=f"vinci person use {from_elsewhere(address)} {shown}"
            )
        )
        click.echo(_("On the page of the server, type the code {code} there.").format(code=shown))
        if page:
            secret = connect.remembered(address, access).secret
            url = f"{page}/#" + urlencode(({"code": secret} if secret else {}) | {"device": code})
            click.echo(_("Or open this there: {link}").format(link=url))
            if sys.stdout.isatty():
                with suppress(ImportError):  # those of --web, which need not be installed here
                    from vinci_server.web.links import on_terminal

                    click.echo(on_terminal(url))

    _at(address, access, "link", person_keys.at(address), work)


@person.command(epilog="vinci person use 192.168.1.5 abcd-efgh-jkmn")
@click.argument("address")
@click.argument("code_of_link", metavar="CODE")
@access_options
@flag("--new-key", help="Use a new key, if this machine already has another name there, which it loses.")
def use(address: str, code_of_link: str, access: Access, new_key: bool) -> None:
    """Let this machine have the name of another device of yours, whose link has this code.

    Use only a link of your own: all that you play here belongs to the person who made it.
    """
    key = new_person_key() if new_key else person_keys.at(address)

    async def work(call: Callable[[Any], Awaitable[Any]]) -> None:
        found = (await call(pb.UseDeviceLinkRequest(code=code_of_link))).person
        person_keys.save(address, key)
        click.echo(_("You are {name} at {server} on this device, too.").format(name=found.name, server=address))

    _at(address, access, "use", key, work)


@person.command(epilog="vinci person rename 192.168.1.5 Ann")
@click.argument("address")
@click.argument("name")
@access_options
def rename(address: str, name: str, access: Access) -> None:
    """Take another name at a server; the old one is free again."""

    async def work(call: Callable[[Any], Awaitable[Any]]) -> None:
        found = (await call(pb.UpdatePersonRequest(name=name))).person
        click.echo(_("You are {name} at {server}.").format(name=found.name, server=address))

    _at(address, access, "rename", person_keys.at(address), work)


@person.command(epilog="vinci person forget 192.168.1.5 --yes")
@click.argument("address")
@access_options
@flag("--yes", help="Do it; without this, it only says what would happen.")
def forget(address: str, access: Access, yes: bool) -> None:
    """Let a server forget you: "somebody" stands in place of your name everywhere, the games stay."""
    if not yes:
        text = _(
            "nothing was done: your name would be gone from all games there, and your devices be guests; add --yes"
        )
        raise Failed(text)

    async def work(call: Callable[[Any], Awaitable[Any]]) -> None:
        await call(pb.ForgetPersonRequest())
        person_keys.forget(address)
        click.echo(_("{server} has forgotten you.").format(server=address))

    _at(address, access, "forget", person_keys.at(address), work)
