"""The option --web of `vinci tournament run` and `resume`: the page of a league that runs."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import click

from vinci_client.address import LOOPBACK, joined
from vinci_tournament.definition.league import League
from vinci_tournament.live.league import LiveLeague
from vinci_tournament.play.folder import Folder

from ...exceptions import Failed, Misused
from ...text.i18n import _
from ..base import grouped, option
from ..options import port_option, web_packages

PLACE: Final = "/league"
LOCAL: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class WebOptions:
    """The options for browsers as they were typed."""

    port: int | None
    host: str

    def check(self) -> None:
        """Raise Misused for options that do not fit, and Failed if packages are missing."""
        if self.port is None:
            if self.host:
                raise Misused(_("--web-host is about the page: name a port for it, as --web 8080"))
            return
        with web_packages():
            import vinci_server.web.site  # noqa: F401

    @contextmanager
    def serving(self, folder: Folder, league: League) -> Iterator[LiveLeague | None]:
        """Serve the page of a league and return what it shows; None if there is to be no page. Raises Failed."""
        if self.port is None:
            yield None
            return
        from vinci_server.operations import logs
        from vinci_server.rpc.listener import AddressError
        from vinci_server.web.links import on_terminal
        from vinci_server.web.site import Document, Site
        from vinci_server.web.static import POLICY, PageMissing

        from ...serve.access import addresses_to_type

        host = self.host or LOCAL
        logs.configure("error")
        live = LiveLeague(folder, league)

        def document(path: str) -> Document | None:
            file = live.document(path)
            return file and Document(file.content, file.kind, file.policy or POLICY, file.status)

        try:
            site = Site(host, self.port, PLACE, live.state, document)
        except (AddressError, PageMissing) as error:
            live.close()
            raise Failed(str(error)) from None
        live.links = links = [f"http://{joined(address, site.port)}{PLACE}" for address in addresses_to_type(host)]
        for link in links:
            click.echo(f"In a browser: {link}", err=True)
        if sys.stderr.isatty() and links and host not in LOOPBACK:
            click.echo(on_terminal(links[0]), err=True)
        try:
            yield live
        finally:
            if (at_terminal := sys.stderr.isatty()) and live.is_over:
                click.echo("The league is over. Its page stays until Ctrl-C.", err=True)
            live.show_end(until_stopped=at_terminal)
            live.close()
            site.stop()


web_options = grouped(
    "web",
    lambda web_port, web_host: WebOptions(web_port, web_host),
    port_option(
        "--web",
        "web_port",
        help="Show standings, games, records and the report on a page for browsers at this port; 0 for a free one.",
    ),
    option(
        "--web-host ADDRESS", help="Address for --web, such as 0.0.0.0 for all of this machine. Default: 127.0.0.1."
    ),
)
"""The options for browsers."""
