"""The TLS certificate of the server: a given one, or one that the server makes."""

import base64
import os
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import grpc

if TYPE_CHECKING:
    from cryptography import x509

NAME: Final = "vinci"
"""The name in a certificate that the server made; clients identify it by its fingerprint, whatever the host name is."""
VALID: Final = timedelta(days=25 * 365)
LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: no letters that look alike, as clients take i and l for 1 and o for 0."""
FINGERPRINT_BYTES: Final = 10
"""Eighty bits: nobody finds another certificate with the same ones."""

_OF_BASE_32: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", LETTERS)


class BadCertificate(Exception):
    """The certificate cannot be used; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate with its chain and private key, as PEM."""

    chain: bytes
    key: bytes
    is_own: bool = False

    def credentials(self) -> grpc.ServerCredentials:
        """Return the credentials of a port with TLS."""
        return grpc.ssl_server_credentials([(self.key, self.chain)])

    def context(self) -> ssl.SSLContext:
        """Return a context for TLS over HTTP/1.1."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        with TemporaryDirectory() as folder:  # which only this user can read; OpenSSL loads keys from files alone
            path = Path(folder, "certificate.pem")
            path.write_bytes(self.key + b"\n" + self.chain)
            context.load_cert_chain(path)
        return context

    def fingerprint(self) -> str:
        """Return the first 80 bits of the SHA-256 of the certificate, as sixteen letters."""
        from cryptography.hazmat.primitives.hashes import SHA256

        digest = _parsed(self.chain).fingerprint(SHA256())[:FINGERPRINT_BYTES]
        return base64.b32encode(digest).decode().translate(_OF_BASE_32)

    def names(self) -> list[str]:
        """Return the hosts that the certificate names."""
        from cryptography import x509

        try:
            alternatives = _parsed(self.chain).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        except x509.ExtensionNotFound:
            return []
        hosts = alternatives.get_values_for_type(x509.DNSName) + list(
            map(str, alternatives.get_values_for_type(x509.IPAddress))
        )
        return [host for host in hosts if "*" not in host]


def given(chain: Path, key: Path) -> Certificate:
    """Return a certificate and its key from PEM files. Raises BadCertificate."""
    certificate = Certificate(_read(chain), _read(key))
    try:
        _parsed(certificate.chain)
    except ValueError:
        raise BadCertificate(f"{chain} is no certificate in PEM (-----BEGIN CERTIFICATE-----)") from None
    _check(chain, key)
    return certificate


def own(database: Path) -> Certificate:
    """Return the server's own, made once and stored beside its database. Raises BadCertificate or OSError."""
    path = database.with_suffix(".pem")
    if not path.exists():
        made = _make()
        write_for_owner(path, made.key + made.chain)
    data = _read(path)
    key, mark, chain = data.partition(b"-----BEGIN CERTIFICATE-----")
    certificate = Certificate(mark + chain, key, is_own=True)
    try:
        _check(path, path)
    except BadCertificate as error:
        raise BadCertificate(f"{error}; remove it, and the server makes a new one and a new join code") from None
    return certificate


def write_for_owner(path: Path, data: bytes) -> None:
    """Write a file atomically that nobody else may read. Raises OSError."""
    fresh = path.with_name(f"{path.name}.new")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def _parsed(chain: bytes) -> "x509.Certificate":
    """Return the first certificate of a chain. Raises ValueError."""
    from cryptography import x509

    return x509.load_pem_x509_certificate(chain)


def _make() -> Certificate:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # clocks of clients may be behind
        .not_valid_after(now + VALID)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    return Certificate(
        certificate.public_bytes(Encoding.PEM),
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadCertificate(f"{path} cannot be read: {error.strerror or error}") from None


def _check(chain: Path, key: Path) -> None:
    """Raises BadCertificate unless TLS can be spoken with the certificate and the key in these files."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(chain, key, password="")
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise BadCertificate(f"the key in {key} is not the one of the certificate in {chain}") from None
        raise BadCertificate(
            f"{key} has no private key in PEM that can be read without a passphrase (-----BEGIN PRIVATE KEY-----)"
        ) from None
