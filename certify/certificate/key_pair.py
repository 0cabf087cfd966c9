"""Make the pair of keys that certificates are signed and checked with, in two new files.

Whoever reads the private file can sign in its owner's name: it is readable by its owner alone from
its first byte on, and no file ever holds a part of it under its name.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from ...reference.errors import InputError
from ..done import has_removed, undivided
from ..files import OWNER_ALONE, whole_file, write_durably
from .signing import fingerprint_of

# As NIST SP 800-63B-4, section 3.1.1.2, asks of a passphrase that protects alone: the library slows
# a guess by no more than 2,048 rounds of PBKDF2.
LEAST_PASSPHRASE: Final = 15
# The library takes no longer one.
MOST_PASSPHRASE_BYTES: Final = 1023


@dataclass(frozen=True)
class KeyPair:
    """Two files, the fingerprint of the public key, and whether the private one is encrypted."""

    private: Path
    public: Path
    fingerprint: str
    encrypted: bool

    def as_json(self) -> dict[str, object]:
        """Return the published shape; nothing of the private key is in it."""
        return {
            "private": str(self.private),
            "public": str(self.public),
            "fingerprint": self.fingerprint,
            "encrypted": self.encrypted,
        }


def make_key_pair(prefix: str, passphrase: str | None) -> KeyPair:
    """Make a pair of Ed25519 keys: PREFIX.private.pem, PKCS8 of mode 0600, and PREFIX.public.pem.

    The private one is encrypted by the passphrase, if there is one. Raises InputError, and then
    no file is new: one of the names is taken, a file cannot be written, or the passphrase is weak.
    Killed in between, it leaves no private key without its public one.
    """
    encryption = _encryption(passphrase)
    private, public = (Path(f"{prefix}.{half}.pem") for half in ("private", "public"))
    for file in (private, public):
        if os.path.lexists(file):
            raise InputError(
                f"{file} is there, and no key is written over a file: give another --out, or move "
                "it away"
            )
    key = Ed25519PrivateKey.generate()
    half = key.public_key()
    with undivided():
        write_durably(public, half.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
        try:
            with whole_file(private, durable=True, mode=OWNER_ALONE) as stream:
                stream.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption))
        except BaseException:
            public.unlink(missing_ok=True)
            has_removed(public)
            raise
    return KeyPair(private, public, fingerprint_of(half), passphrase is not None)


def _encryption(passphrase: str | None) -> KeySerializationEncryption:
    """Return how the private key is encrypted. Raises InputError for what protects nothing."""
    if passphrase is None:
        return NoEncryption()
    # An environment's bytes that are no UTF-8 are the passphrase as they are.
    secret = passphrase.encode(errors="surrogateescape")
    if len(passphrase) < LEAST_PASSPHRASE or len(set(passphrase)) == 1:
        raise InputError(
            f"the passphrase is weak: give one of {LEAST_PASSPHRASE} characters or more, not all "
            "the same; without any the key is not encrypted"
        )
    if len(secret) > MOST_PASSPHRASE_BYTES:
        raise InputError(f"the passphrase has more than {MOST_PASSPHRASE_BYTES} bytes")
    return BestAvailableEncryption(secret)
