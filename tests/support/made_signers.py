"""Keys that sign in tests. They are no secret: anybody may sign with them."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from securesystemslib.signer import CryptoSigner, SSlibKey
from simplexcert.certify.certificate.signing import fingerprint_of


def private_key(number: int) -> Ed25519PrivateKey:
    """Return one of 256 keys."""
    return Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)


def private_pem(number: int) -> bytes:
    """Return it as a PEM file has it, in PKCS8 and without a passphrase."""
    form = Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    return private_key(number).private_bytes(*form)


def signer(number: int) -> CryptoSigner:
    """Return what signs with it."""
    public = private_key(number).public_key()
    return CryptoSigner(
        private_key(number), SSlibKey.from_crypto(public, fingerprint_of(public), "ed25519")
    )


def public_pem(number: int) -> bytes:
    """Return its public half as a PEM file has it."""
    form = Encoding.PEM, PublicFormat.SubjectPublicKeyInfo
    return private_key(number).public_key().public_bytes(*form)
