"""`vinci health`: whether a server answers, for health checks of containers and load balancers."""

import json
import ssl
import time
from contextlib import suppress
from typing import Any, Final

import click
import grpc
from cryptography import x509
from grpc_health.v1 import health_pb2, health_pb2_grpc

from vinci_client.address import split, with_port
from vinci_client.errors import no_answer_from

from ..connection.connect import failure
from .base import Command, option
from .options import json_option, server_option

SERVING: Final = "SERVING"


@click.command(
    cls=Command,
    epilog="""
    vinci health
    vinci health localhost:7655 --service vinci.v1.AnalysisService
    """,
)
@click.argument("address", default="localhost", envvar="VINCI_ADDRESS")
@server_option()
@option("--service NAME", help="Service of the protocol; without it, the whole server.")
@option("--timeout SECONDS", least=1, default=5, help="Seconds to wait for an answer.")
@json_option
def health(address: str, service: str, timeout: int, as_json: bool) -> None:
    """Print whether a server answers: SERVING, with status 0; anything else, or an error, with status 1.

    Nothing secret is sent, so no code or password is needed and any certificate is accepted.
    While a server drains, only the service vinci.v1.LobbyService is NOT_SERVING.
    """
    place = with_port(address)
    deadline = time.monotonic() + timeout
    with grpc.insecure_channel(place) as channel:
        status = _status(channel, service, deadline)
    if not status:
        with _encrypted(place, deadline) as channel:
            status = _status(channel, service, deadline)
    if not status:
        raise failure(no_answer_from(place))
    click.echo(json.dumps({"address": place, "service": service, "status": status}) if as_json else status)
    if status != SERVING:
        raise SystemExit(1)


def _status(channel: grpc.Channel, service: str, deadline: float) -> str:
    """Return the status of a service, empty without an answer until the deadline, in seconds of the monotonic clock."""
    stub: Any = health_pb2_grpc.HealthStub(channel)
    try:
        request = health_pb2.HealthCheckRequest(service=service)
        response = stub.Check(request, timeout=max(deadline - time.monotonic(), 0.0))
    except grpc.RpcError as error:
        code: Any = error  # a call, too
        return "SERVICE_UNKNOWN" if code.code() is grpc.StatusCode.NOT_FOUND else ""
    return health_pb2.HealthCheckResponse.ServingStatus.Name(response.status)


def _encrypted(address: str, deadline: float) -> grpc.Channel:
    """Return a channel with TLS that trusts the certificate the server shows, whoever made it. Raises Failed."""
    host, port = split(address)
    try:
        left = max(deadline - time.monotonic(), 0.001)
        certificate = ssl.get_server_certificate((host, int(port)), timeout=left)
    except (OSError, UnicodeError):
        raise failure(no_answer_from(address)) from None
    names = [host]
    with suppress(x509.ExtensionNotFound):
        extensions = x509.load_pem_x509_certificate(certificate.encode()).extensions
        alternatives = extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        names = [name.replace("*", "any") for name in alternatives.get_values_for_type(x509.DNSName)] or names
    return grpc.secure_channel(
        address,
        grpc.ssl_channel_credentials(certificate.encode()),
        options=[("grpc.ssl_target_name_override", names[0])],
    )
