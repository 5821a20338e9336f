"""Options of the commands that serve: `vinci serve` and `vinci analysis`; related ones make one argument."""

import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import click

from vinci_client.address import DEFAULT_PORT
from vinci_server.errors import ServiceError
from vinci_server.match.seats.names import check_name
from vinci_server.operations.discovery import is_loopback
from vinci_server.operations.webhook import FORMATS, BadWebhook, Webhook

from ...connection.seating import LONGEST_NAME, login_name
from ...exceptions import Misused
from ...serve.access import ServeAccess
from ...text import refusals
from ...text.i18n import _
from ..base import F, flag, grouped, option
from ..options import certificate_options, listen_option, path_option, port_option

log_level_option = option("--log-level", type=click.Choice(["debug", "info", "warning", "error"]), default="info")


def workers_option(name: str) -> Callable[[F], F]:
    """Return the option with this name for the number of processes that play playouts."""
    return option(
        name,
        least=0,
        default=0,
        metavar="NUMBER",
        help="Processes for playouts, started when they are needed. Default: one for each core.",
    )


door_options = grouped(
    "door",
    ServeAccess,
    flag("--code", help="Ask for a join code, which is created and shown."),
    option(
        "--password",
        envvar="VINCI_PASSWORD",
        help="Let in only who has this password. Better in VINCI_PASSWORD: options are seen by all users of this "
        "machine.",
    ),
    path_option("--password-file FILE", help="Let in only people with the password in this file."),
    certificate_options,
    option("--limit NAME=NUMBER", "limits", multiple=True, help="A limit, such as matches=20."),
)
"""The options for access to what is served, and its limits."""


@dataclass(frozen=True, slots=True)
class Network:
    """Address of a server, and the name under which it is announced on the network; empty if it is not."""

    host: str
    port: int
    known_as: str


def _network(lan: bool, listen: tuple[str, int], name: str, no_announce: bool) -> Network:
    """Return the network options as one. Raises Misused."""
    host, port = listen
    if lan and host:
        raise Misused(_("--lan listens on every address; leave out --lan or the address, as in --listen :7000"))
    host = "0.0.0.0" if lan else host or "127.0.0.1"
    try:
        known_as = check_name(name) or _usual_name()
    except ServiceError as error:
        raise Misused(f"--name: {refusals.sentence(error)}") from None
    return Network(host, port, "" if no_announce or is_loopback(host) else known_as)


network_options = grouped(
    "network",
    _network,
    flag("--lan", help="Let everybody on the network in."),
    listen_option(
        DEFAULT_PORT, help="Address and port to listen on: 0.0.0.0, 0.0.0.0:7000 or :7000. Default: 127.0.0.1:7654."
    ),
    option("--name", help="Name under which others find it. Default: your login name and the machine's."),
    flag("--no-announce", help="Do not announce it on the network: others need the address."),
)


def _ssh(ssh: int | None, ssh_keys: Path | None) -> tuple[int, Path | None] | None:
    """Return the port for SSH and the file of keys that let in; None if there is no SSH. Raises Misused."""
    if ssh_keys and ssh is None:
        raise Misused(_("--ssh-keys says who comes in by ssh: name a port for that, as --ssh 2222"))
    return None if ssh is None else (ssh, ssh_keys)


ssh_options = grouped(
    "ssh",
    _ssh,
    port_option("--ssh", help="Also let people play who only have ssh, at this port."),
    path_option("--ssh-keys FILE", help="Public keys that let in by ssh without a code, as in ~/.ssh/authorized_keys."),
)
analysis_options = grouped(
    "analysis",
    lambda analysis, analysis_workers: None if analysis is None else (analysis, analysis_workers),
    port_option(
        "--analysis",
        help="Also let bots ask for playouts and more, at this port; leave it off in rated events.",
    ),
    workers_option("--analysis-workers"),
)
"""Port and number of processes of the analysis service; None if there is none."""
metrics_options = grouped(
    "metrics_at",
    lambda metrics, metrics_host: None if metrics is None else (metrics_host, metrics),
    port_option("--metrics", help="Also serve Prometheus metrics, at this port."),
    option("--metrics-host", default="127.0.0.1", help="Address to serve metrics on."),
)


def _webhook(webhook: str, webhook_format: str) -> Webhook | None:
    """Return the webhook of a URL; None if there is none. Raises Misused."""
    try:
        return Webhook(webhook, webhook_format) if webhook else None
    except BadWebhook:
        raise Misused(_("--webhook: a URL begins with https:// or http://, and names a host")) from None


webhook_options = grouped(
    "webhook",
    _webhook,
    option(
        "--webhook URL",
        help="Post a message to this URL when it becomes the move of somebody who is not connected. Better in "
        "VINCI_SERVE_WEBHOOK: options are seen by all users of this machine.",
    ),
    option("--webhook-format", type=click.Choice(FORMATS), default="json", help="Format of these messages."),
)


class ServerSettings(NamedTuple):
    """Options that the server takes as they are."""

    advice_workers: int
    metrics_at: tuple[str, int] | None
    webhook: Webhook | None
    archive_days: int
    open_days: int


settings_options = grouped(
    "settings",
    ServerSettings,
    option(
        "--advice-workers NUMBER",
        least=0,
        default=1,
        help="Processes for suggestions with reasons, started when they are needed. 0: suggestions without reasons.",
    ),
    flag("--no-persons", help="Let no name belong to a key: everybody is a guest, as at a kiosk."),
    flag("--no-ratings", help="Keep no list of players with ratings."),
    metrics_options,
    webhook_options,
    log_level_option,
    option(
        "--archive-days DAYS",
        least=0,
        default=30,
        help="Pack matches that ended this long ago; they can be viewed as before. 0: never.",
    ),
    option(
        "--open-days DAYS",
        least=0,
        default=1,
        help="End matches that nobody joins for this long, and joined ones not started within 30 times as long. 0: "
        "never.",
    ),
)


def _usual_name() -> str:
    """Return the login name and the machine, such as ann on laptop."""
    machine = socket.gethostname().partition(".")[0] or "Vinci"
    if not login_name():
        return machine[:LONGEST_NAME]
    return _("{who} on {machine}").format(who=login_name(), machine=machine)[:LONGEST_NAME]
