"""Access options of `vinci serve`, and the lines that tell its host who can reach it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from vinci_client.address import DEFAULT_PORT, LOOPBACK, joined
from vinci_server.app import lan_addresses
from vinci_server.limits import BadLimit, Limits, limits
from vinci_server.operations.discovery import local_addresses
from vinci_server.rpc.access import ServerAccess, UnusablePassword, join_code
from vinci_server.rpc.certificate import BadCertificate, given, own

from ..exceptions import Failed, Misused
from ..text import refusals
from ..text.i18n import _

WILDCARDS: Final = ("0.0.0.0", "::")


@dataclass(frozen=True, slots=True)
class ServeAccess:
    """Options for access and limits as they were typed."""

    password: str
    code: bool
    tls: bool
    tls_cert: Path | None
    tls_key: Path | None
    limits: Sequence[str]
    password_file: Path | None = None

    def with_password(self) -> "ServeAccess":
        """Return the options with the password that `--password-file` names. Raises Failed or Misused."""
        if self.password_file is None:
            return self
        if self.password:
            raise Misused(_("a server has one password: leave out --password (or VINCI_PASSWORD) or --password-file"))
        try:
            password = self.password_file.read_text(encoding="utf-8").rstrip("\r\n")
        except (OSError, ValueError) as error:
            raise Failed(f"{self.password_file}: {getattr(error, 'strerror', None) or error}") from None
        if not password:
            raise Failed(_("{file} is empty; write the password of the server into it").format(file=self.password_file))
        return replace(self, password=password, password_file=None)

    def access(self, database: Path) -> ServerAccess:
        """Return the access to the server with this database. Raises Failed or Misused."""
        if self.password and self.code:
            raise Misused(_("a server has a code or a password: leave out --code or --password (or VINCI_PASSWORD)"))
        if (self.tls_cert is None) != (self.tls_key is None):
            raise Misused(_("a certificate needs its key: give both --tls-cert and --tls-key"))
        if self.tls and self.password and self.tls_cert is None:
            raise Misused(
                _(
                    "--tls without --tls-cert makes a join code, which vouches for the certificate: "
                    "leave out --password (or VINCI_PASSWORD)"
                )
            )
        try:
            if self.tls and self.tls_cert is None:
                certificate = own(database)
                return ServerAccess("", join_code(database, certificate), certificate)
            code = join_code(database, None) if self.code else ""
            if self.tls_cert is not None and self.tls_key is not None:
                return ServerAccess(self.password, code, given(self.tls_cert, self.tls_key))
            return ServerAccess(self.password, code)
        except BadCertificate as error:
            raise Failed(str(error)) from None
        except UnusablePassword as error:
            raise Misused(refusals.sentence(error)) from None

    def parsed_limits(self) -> Limits:
        """Return the limits. Raises Misused."""
        try:
            return limits(self.limits)
        except BadLimit as error:
            raise Misused(refusals.sentence(error)) from None


def told(host: str, port: int, access: ServerAccess, on_network: Sequence[str]) -> Iterator[str]:
    """Yield who can reach the server and what they type; `on_network` are the addresses that others know."""
    alone = host in LOOPBACK
    signed = access.certificate if access.certificate is not None and not access.certificate.is_own else None
    addresses = ["localhost"] if alone else (on_network or ["ADDRESS"]) if host in WILDCARDS else [host]
    if signed is not None:
        addresses = signed.names() or addresses
    key = f" --code {access.code}" if access.code else " --password PASSWORD" if access.password else ""
    options = (" --tls" if signed is not None else "") + key
    yield _who_can(alone=alone, code=bool(access.code), password=bool(access.password))
    for address in addresses:
        yield f"  vinci join {address if port == DEFAULT_PORT else joined(address, port)}{options}"
    if signed is not None:
        yield _("Where the authority that signed the certificate is not known: --tls-ca FILE instead of --tls.")
    if alone:
        yield _("For everybody on the network: vinci serve --lan")
    elif not key:
        yield _("Warning: everybody there is let in. For friends only: vinci serve --lan --tls")
    elif access.certificate is None and access.code:
        yield _("Warning: the code and all else travel unencrypted. With encryption: vinci serve --lan --tls")
    elif access.certificate is None:
        yield _("Warning: the password and all else travel unencrypted. With encryption: vinci serve --lan --tls")


def addresses_to_type(host: str) -> list[str]:
    """Return the addresses at which others reach a server that listens on this host."""
    if host not in WILDCARDS:
        return [host]
    usable = [address for address in local_addresses(host) if not ip_address(address).is_link_local]
    return lan_addresses() or usable


def _who_can(*, alone: bool, code: bool, password: bool) -> str:
    """Return who can reach the server, and by what access."""
    match alone, code, password:
        case True, True, _any:
            return _("Only this machine can reach it, and anyone with the code can join. Type:")
        case True, False, True:
            return _("Only this machine can reach it, and anyone with the password can join. Type:")
        case True, False, False:
            return _("Only this machine can reach it. Type:")
        case False, True, _any:
            return _("Everybody on the network can reach it, and anyone with the code can join. They type:")
        case False, False, True:
            return _("Everybody on the network can reach it, and anyone with the password can join. They type:")
    return _("Everybody on the network can reach it. They type:")
