"""Certificates signed by a certificate authority of the test."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID


class Files(NamedTuple):
    """PEM files: a certificate, its key, and the authority that signed it."""

    chain: Path
    key: Path
    authority: Path


def signed(folder: Path, host: str, passphrase: bytes = b"") -> Files:
    """Create a certificate for a host, signed by its own authority."""
    files = Files(*(folder / f"{host}.{name}.pem" for name in ("chain", "key", "authority")))
    root_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    root = _certificate("authority", "authority", root_key, root_key, x509.BasicConstraints(ca=True, path_length=None))
    names = x509.SubjectAlternativeName([x509.DNSName(host)])
    lock: KeySerializationEncryption = BestAvailableEncryption(passphrase) if passphrase else NoEncryption()
    files.chain.write_bytes(_certificate(host, "authority", key, root_key, names))
    files.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, lock))
    files.authority.write_bytes(root)
    return files


def _certificate(
    subject: str,
    issuer: str,
    key: ec.EllipticCurvePrivateKey,
    signer: ec.EllipticCurvePrivateKey,
    extension: x509.ExtensionType,
) -> bytes:
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(_name(subject))
        .issuer_name(_name(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(extension, critical=False)
        .sign(signer, hashes.SHA256())
    )
    return certificate.public_bytes(Encoding.PEM)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])
