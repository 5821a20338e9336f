"""`vinci mcp`: tools for agents by the Model Context Protocol."""

import hmac
import os
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from importlib.util import find_spec
from typing import Any, Final
from urllib.parse import parse_qs

import click

from vinci_client.access import Access
from vinci_client.address import LOOPBACK, joined, with_port

from ...connection import connect
from ...exceptions import Failed, Misused
from ...text.i18n import _
from ..base import Command, access_options, option, quick_imports
from ..options import port_option, server_option

TOKEN: Final = "VINCI_MCP_TOKEN"

Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Asgi = Callable[[Mapping[str, Any], Any, Send], Awaitable[None]]


@click.command(
    cls=Command,
    epilog="""
    vinci mcp
    vinci mcp 192.168.1.5 --code k3f9-xa2m --name Claude
    vinci mcp localhost --http 8765
    """,
)
@click.argument("address", default="localhost", envvar="VINCI_ADDRESS")
@server_option()
@option("--name", default="Agent", help='Name at the table; "(agent)" is added, so that people know. Default: Agent.')
@port_option("--http", "port", help="Serve streamable HTTP at this port, path /mcp, instead of standard input.")
@option(
    "--http-host", "host", default="127.0.0.1", help="Address for --http; any but this machine's needs VINCI_MCP_TOKEN."
)
@access_options
def mcp(address: str, access: Access, name: str, port: int | None, host: str) -> None:
    """Let an agent play at a server: tools to make and join matches, see, act, wait, talk and ask for advice.

    It speaks on standard input and output; agents start it as a command. With --http agents connect, each by an address
    of its own such as /mcp?agent=Ada, and those that send the token in VINCI_MCP_TOKEN, if it is set, are let in.
    """
    if find_spec("mcp") is None:
        raise _missing("mcp")
    server, token = with_port(address), os.environ.get(TOKEN, "")
    if port is not None and host not in LOOPBACK and not token:
        text = _("--http-host {host}: others on the network could play; set {variable} to a secret that agents send")
        raise Misused(text.format(host=host, variable=TOKEN))
    listening = None if port is None else _listening(host, port)
    if listening is None:
        click.echo(
            _("Tools to play at {server}, for an agent on standard input and output").format(server=server), err=True
        )
    else:
        url = f"http://{joined(host, listening.getsockname()[1])}/mcp"
        click.echo(_("Tools to play at {server}, for agents at {url}").format(server=server, url=url), err=True)
        click.echo(_("Agents that play beside each other connect to ...?agent=NAME each."), err=True)
    try:
        with quick_imports():  # they take seconds, so that all other errors come before
            from ...agent.tool_server import ToolServer
            from ...agent.tools import NAME, Agents
    except ImportError as error:  # an older mcp
        raise _missing(error) from None
    tools = ToolServer(Agents(server, connect.remembered(address, access), name))
    if listening is None:
        try:
            tools.run("stdio")
        except* BrokenPipeError:
            sys.stderr.close()  # the agent was killed: nobody reads how the tools end
        return
    import uvicorn

    served: Any = tools.streamable_http_app(host=host)
    app = named(served, NAME)
    config = uvicorn.Config(guarded(app, token) if token else app, log_level="error")
    uvicorn.Server(config).run(sockets=[listening])


def _missing(what: object) -> Failed:
    from ...installation import install_command

    text = _("vinci mcp needs packages that are not installed ({error}): {command}")
    return Failed(text.format(error=what, command=install_command("mcp")))


def _listening(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise Failed(f"{joined(host, port)}: {error.strerror}") from None


def named(app: Asgi, name: ContextVar[str]) -> Asgi:
    """Return an application that knows who calls, from an address such as /mcp?agent=Ada."""

    async def take(scope: Mapping[str, Any], receive: Any, send: Send) -> None:
        asked = parse_qs(scope.get("query_string", b"").decode(errors="replace"))
        name.set(asked.get("agent", [""])[0].strip())
        await app(scope, receive, send)

    return take


def guarded(app: Asgi, token: str) -> Asgi:
    """Return an application that lets in only requests with a bearer token."""
    wanted = f"Bearer {token}".encode()

    async def check(scope: Mapping[str, Any], receive: Any, send: Send) -> None:
        given = dict(scope.get("headers", ())).get(b"authorization", b"")
        if scope["type"] == "http" and not hmac.compare_digest(given, wanted):
            headers = [(b"www-authenticate", b"Bearer"), (b"content-type", b"text/plain")]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": b"the token is missing or wrong\n"})
            return
        await app(scope, receive, send)

    return check
