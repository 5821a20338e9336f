"""Options of `vinci serve` for browsers, and the lines that tell how to reach it from one."""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final

from vinci_client.address import LOOPBACK, joined
from vinci_server.app import Server
from vinci_server.rpc.access import ServerAccess
from vinci_server.rpc.listener import AddressError

from ...exceptions import Failed, Misused
from ...text.i18n import _
from ..base import grouped, option
from ..options import port_option, web_packages

if TYPE_CHECKING:
    from vinci_server.web.server import WebServer

NAME: Final = re.compile(r"[0-9A-Za-z]([0-9A-Za-z.-]{0,251}[0-9A-Za-z])?")
"""Names of hosts in DNS."""


@dataclass
class WebOptions:
    """The options for browsers as they were typed, and the web server once it runs."""

    port: int | None
    names: Sequence[str]
    proxies: Sequence[str]
    front: "WebServer | None" = None
    _hosts: Sequence[str] = ()

    def check(self) -> None:
        """Raises Misused for options that do not fit, and Failed if packages are missing."""
        if self.port is None:
            if self.names or self.proxies:
                raise Misused(_("--web-name and --web-proxy are about the page: name a port for it, as --web 8080"))
            return
        for name in self.names:
            if not NAME.fullmatch(name):
                text = _("--web-name: {text!r} is no name; write it as vinci.example.org, without http:// and port")
                raise Misused(text.format(text=name))
        for proxy in self.proxies:
            try:
                ip_address(proxy)
            except ValueError:
                text = _("--web-proxy: {text!r} is no address; write it as 192.168.1.2")
                raise Misused(text.format(text=proxy)) from None
        with web_packages():
            import vinci_server.web.server  # noqa: F401

    async def start(self, server: Server, host: str, access: ServerAccess, addresses: Sequence[str]) -> None:
        """Start the web server, if there is to be one; it stops with the server. Raises Failed."""
        if self.port is None:
            return
        from vinci_server.web.server import WebServer
        from vinci_server.web.static import PAGE, PageMissing

        named = access.certificate.names() if access.certificate and not access.certificate.is_own else []
        self._hosts = [*self.names, *named, *(["localhost"] if host in LOOPBACK else addresses)]
        self._hosts = self._hosts or ["localhost"]
        try:
            self.front = await WebServer.start(
                host,
                self.port,
                server.services,
                server.admission,
                server.metrics,
                page=PAGE,
                reached_at=self._hosts[0],
                certificate=access.certificate,
                names=self.names,
                proxies=self.proxies,
            )
        except (AddressError, PageMissing) as error:
            await server.stop()
            raise Failed(str(error)) from None
        alone = host in LOOPBACK and not self.names and not named
        server.add(self.front, "" if alone else self.front.base)

    def told(self, host: str, access: ServerAccess, path: str) -> Iterator[str]:
        """Yield the links for browsers, with a QR code on a terminal, and who can read what they send."""
        if self.front is None:
            return
        from vinci_server.web.links import on_terminal

        fragment = f"#code={access.secret}" if access.code else ""
        links = [f"{self.front.scheme}://{joined(name, self.front.port)}/{path}{fragment}" for name in self._hosts]
        yield _("In a browser:")
        for link in links:
            yield f"  {link}"
        if sys.stdout.isatty() and links and host not in LOOPBACK:
            yield on_terminal(links[0])
        certificate = access.certificate
        if certificate is not None and certificate.is_own:
            yield _("Browsers warn of this certificate, which no authority has signed; --tls-cert takes one they know.")
        elif certificate is None and host not in LOOPBACK:
            yield _("Warning: what browsers send and get travels unencrypted, with plain HTTP.")


web_options = grouped(
    "web",
    lambda web_port, web_names, web_proxies: WebOptions(web_port, web_names, web_proxies),
    port_option(
        "--web", "web_port", help="Also serve a page for browsers, and calls over HTTP, at this port; 0 for a free one."
    ),
    option(
        "--web-name NAME",
        "web_names",
        multiple=True,
        help="A further name under which browsers reach it, such as vinci.example.org.",
    ),
    option(
        "--web-proxy ADDRESS",
        "web_proxies",
        multiple=True,
        help="Address of a proxy in front of it, which tells the addresses of browsers.",
    ),
)
"""The options for browsers."""
