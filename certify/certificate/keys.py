"""Ed25519 keys in PEM files: a private one signs, public ones check, fingerprints tell them apart.

Which keys are trusted is the reader's to say; nothing in a certificate can name one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)
from securesystemslib.signer import CryptoSigner, SSlibKey

from ...reference.errors import InputError
from ...reference.exact import read_file, shown
from .errors import SignatureError

# A PEM file of an Ed25519 key has some 120 bytes, 400 with a passphrase, and may have remarks.
MAX_KEY_BYTES = 64 * 1024
_SCHEME = "ed25519"
_PUBLIC = "PUBLIC KEY"
_PRIVATE = "PRIVATE KEY"
_ENCRYPTED = "ENCRYPTED PRIVATE KEY"
# Readers of PEM disagree on which lines begin a block; this begins one for each of them.
_BEGIN = b"-----BEGIN"
_LABEL = re.compile(rb"^-----BEGIN ([A-Z0-9 ]{1,64})-----\s*$", re.MULTILINE)
_FINGERPRINT = re.compile("[0-9a-f]{64}", re.ASCII)
# RFC 8032, section 5.1: coordinates are modulo this, and the sign is the bit above them.
_PRIME = 2**255 - 19
_COORDINATE = 2**255 - 1
# The second coordinate of the four points of order 8: d y^4 + 2 y^2 = 1, d the curve's constant.
_OF_ORDER_8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_SMALL_ORDER = frozenset({0, 1, _PRIME - 1, _OF_ORDER_8, _PRIME - _OF_ORDER_8})

Passphrase = Callable[[], str]


def fingerprint_of(key: Ed25519PublicKey) -> str:
    """Return the sha256 of a public key's SubjectPublicKeyInfo in DER, in lower-case hex."""
    encoded = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(encoded).hexdigest()


def public_key_in(path: str | Path) -> SSlibKey:
    """Return the public key in a PEM file; its ``keyid`` is its fingerprint. Raises InputError."""
    content, label = _pem(path)
    if label in (_PRIVATE, _ENCRYPTED):
        raise InputError(f"{path} holds a private key; give the public one that belongs to it")
    if label != _PUBLIC:
        raise InputError(f"{path} holds a {label}; a PEM file of a {_PUBLIC} is needed")
    try:
        key = load_pem_public_key(content)
    except (ValueError, UnsupportedAlgorithm):
        raise InputError(f"{path} holds no public key that can be read") from None
    if not isinstance(key, Ed25519PublicKey):
        raise InputError(f"{path} holds a key that is not Ed25519; no other signs certificates")
    _require_strong(key, path)
    return SSlibKey.from_crypto(key, fingerprint_of(key), _SCHEME)


def _require_strong(key: Ed25519PublicKey, path: str | Path) -> None:
    """Raise InputError for a key that no signer has, whose signatures prove nothing.

    Of a point of small order one signature is right for an eighth of all certificates or more, and
    anybody can write it. A coordinate that is not reduced would give a key two fingerprints. No
    private key has such a public one (RFC 8032, section 5.1.5).
    """
    encoded = key.public_bytes(Encoding.Raw, PublicFormat.Raw)
    coordinate = int.from_bytes(encoded, "little") & _COORDINATE
    if coordinate % _PRIME in _SMALL_ORDER:
        raise InputError(
            f"{path} holds a key of small order: anybody can sign for it; take a key that was made "
            "by a generator of keys"
        )
    if coordinate >= _PRIME:
        raise InputError(f"{path} holds a key that is not as RFC 8032 writes it: it is not reduced")


def signer_in(path: str | Path, passphrase: Passphrase) -> CryptoSigner:
    """Return what signs with the private key in a PKCS8 PEM file. Raises InputError.

    ``passphrase`` is asked only where the file is encrypted.
    """
    content, label = _pem(path)
    if label == _PUBLIC:
        raise InputError(f"{path} holds a public key; signing needs the private one")
    if label not in (_PRIVATE, _ENCRYPTED):
        raise InputError(f"{path} holds a {label}; a PEM file of a {_PRIVATE} (PKCS8) is needed")
    secret = passphrase().encode() if label == _ENCRYPTED else None
    try:
        key = load_pem_private_key(content, secret)
    except (TypeError, ValueError, UnsupportedAlgorithm):
        wrong = "with this passphrase" if secret is not None else "as PKCS8"
        raise InputError(f"the private key in {path} cannot be read {wrong}") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError(f"{path} holds a key that is not Ed25519; no other signs certificates")
    public = key.public_key()
    return CryptoSigner(key, SSlibKey.from_crypto(public, fingerprint_of(public), _SCHEME))


def trusted_keys(files: Sequence[str | Path], fingerprints: Iterable[str]) -> list[SSlibKey]:
    """Return the public keys in the files, which have to be just those that are pinned, if any are.

    Raises InputError where a file or a fingerprint cannot be read, or where keys are pinned and
    none is given: a fingerprint alone checks no signature. Raises SignatureError where the keys at
    hand are not the pinned ones.
    """
    pinned = [_fingerprint(text) for text in fingerprints]
    if pinned and not files:
        raise InputError("--fingerprint says which key is meant; give that key too, by --key")
    keys = {key.keyid: key for key in map(public_key_in, files)}
    strange = sorted(set(keys).symmetric_difference(pinned)) if pinned else []
    if strange:
        what = "is not pinned" if strange[0] in keys else "is pinned, and not at hand"
        raise SignatureError(f"the key {strange[0]} {what}")
    return list(keys.values())


def _fingerprint(text: str) -> str:
    if not _FINGERPRINT.fullmatch(text):
        raise InputError(f"--fingerprint {shown(text)} is not a sha256: 64 lower-case hex digits")
    return text


def _pem(path: str | Path) -> tuple[bytes, str]:
    """Return a PEM file's bytes, and what its one block says it holds."""
    content = read_file(path)
    if len(content) > MAX_KEY_BYTES:
        raise InputError(f"{path} is larger than {MAX_KEY_BYTES} bytes; no key is")
    labels = _LABEL.findall(content)
    if len(labels) != 1 or content.count(_BEGIN) != 1:
        raise InputError(f"{path} is no PEM file of one key")
    return content, labels[0].decode()
