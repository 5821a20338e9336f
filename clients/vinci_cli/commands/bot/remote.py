"""`vinci bot check --remote`: a server that waits for a bot from elsewhere. Its texts are English, for authors."""

import asyncio
import json
import shlex
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from vinci_bots import environment
from vinci_bots.doctor.tested_bot import Deadlines, Invitation, RemoteBot, invited
from vinci_client.address import joined, with_port

from ...exceptions import Failed
from ...serve.access import LOOPBACK, addresses_to_type
from ..progress import Line

LISTEN: Final = "127.0.0.1:7654"


@asynccontextmanager
async def awaited(
    name: str, listen: str, tls: bool | None, limits: Deadlines, line: Line, *, as_json: bool
) -> AsyncIterator[RemoteBot]:
    """Run a server for a remote bot, print how to start the bot, and show what has come so far. Raises Failed."""
    host, _, port = with_port(listen).rpartition(":")
    host = host.strip("[]")
    access = "tls" if tls or (tls is None and host not in LOOPBACK) else "code" if host not in LOOPBACK else ""
    async with AsyncExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="vinci-")))
        try:
            bot = await stack.enter_async_context(invited(place, (host, int(port)), access, name, limits))
        except OSError as error:
            text = (
                f"the doctor cannot listen on {listen}: {error.strerror or error}; choose another address by --listen"
            )
            raise Failed(text) from None
        typed = bot.invitation
        addresses = [joined(address, int(port)) for address in addresses_to_type(host) or ["ADDRESS"]]
        if as_json:
            told = {"address": addresses[0], "name": name, "key": typed.key, "code": typed.code or None}
            click.echo(json.dumps({"invitation": told, "seconds": limits.start}))
        else:
            for text in _told(replace(typed, address=addresses[0]), addresses[1:], limits.start):
                click.echo(text)
        waiting = asyncio.create_task(_wait(bot, line))
        try:
            yield bot
        finally:
            waiting.cancel()
            line.show("")


def _told(invitation: Invitation, others: list[str], seconds: float) -> Iterator[str]:
    """Yield the lines that say how to start the bot."""
    words = " ".join(f"{name}={shlex.quote(value)}" for name, value in invitation.variables().items())
    yield f"Start the bot, on any machine that reaches {invitation.address}; it has {seconds:g} s to connect."
    if others:
        yield f"(Other addresses of this machine: {', '.join(others)}.)"
    yield "Every language takes these variables from the environment:"
    yield f"  export {words} {environment.GAMES}=4"
    yield "and then, for example:"
    yield "  vinci bot run first.py"
    yield "  node dist/main.js"


async def _wait(bot: RemoteBot, line: Line) -> None:
    """Show what has come so far until the bot is connected."""
    began = time.monotonic()
    while bot.stream() is None:
        line.show(f"{time.monotonic() - began:.0f} of {bot.limits.start:g} s: {bot.trouble()}")
        await asyncio.sleep(1)
