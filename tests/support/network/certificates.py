"""Certificates signed by a certificate authority of the test."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

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

AUTHORITY: Final = (
    x509.BasicConstraints(ca=True, path_length=None),
    x509.KeyUsage(
        key_cert_sign=True,
        crl_sign=True,
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    ),
)
"""Extensions of the certificate of an authority."""


class Files(NamedTuple):
    """PEM files: a certificate, its key, and the authority that signed it."""

    chain: Path
    key: Path
    authority: Path


def signed(folder: Path, host: str, passphrase: bytes = b"") -> Files:
    """Create a certificate for a host, signed by its own authority."""
    files = Files(*(folder / f"{host}.{name}.pem" for name in ("chain", "key", "authority")))
    root_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    root = _certificate("authority", "authority", root_key, root_key, *AUTHORITY)
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
    *extensions: x509.ExtensionType,
) -> bytes:
    """Return a certificate with all that OpenSSL wants of one in its strict mode, the default since Python 3.13."""
    identifiers = (
        x509.SubjectKeyIdentifier.from_public_key(key.public_key()),
        x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()),
    )
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(_name(subject))
        .issuer_name(_name(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
    )
    for extension in (*extensions, *identifiers):
        builder = builder.add_extension(extension, critical=extension in AUTHORITY)
    return builder.sign(signer, hashes.SHA256()).public_bytes(Encoding.PEM)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])
