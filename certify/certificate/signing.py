"""Sign a certificate, and check who signed it: Ed25519 keys in PEM files, an envelope in DSSE.

Which keys are trusted is the reader's to say; nothing in a certificate can name one. What is signed
is the certificate's canonical bytes and the type of them. The envelope itself is canonical too,
with its signatures in the order of their keys, so a certificate that the same keys signed has one
form; that is stricter than DSSE asks for, and leaves nothing to be read in two ways.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
import rfc8785
from cryptography.exceptions import InternalError, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)
from msgspec import Meta
from securesystemslib.dsse import Envelope as Signable
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import CryptoSigner, SSlibKey
from securesystemslib.signer import Signature as MadeSignature

from ...reference.errors import InputError
from ...reference.exact import parse_json, read_file, shown
from ..files import STANDARD, content_at, name_of, require_writable, write_whole
from ..marks import CERTIFICATE
from .errors import CanonicalFormError, EnvelopeError, LimitError, SignatureError, plainly
from .reading import read_statement

# A PEM file of an Ed25519 key has some 120 bytes, 400 with a passphrase, and may have remarks.
MAX_KEY_BYTES = 64 * 1024
# Of rounds that derive a key from a passphrase, times what else is asked of it: some seconds, which
# no signal ends. OWASP asks for 600,000 rounds of PBKDF2, or for scrypt with N = 2^17 and r = 8.
MAX_ROUNDS = 2**25
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

# X.690, section 8.1: a length that stands in one byte, the tag of an integer, and the bit of a tag
# that says that values follow.
_SHORT_LENGTH, _INTEGER, _CONSTRUCTED = 0x7F, 0x02, 0x20

# By which the library says that a key cannot be read; the last one where a seed has another length.
_UNREADABLE = (TypeError, ValueError, UnsupportedAlgorithm, InternalError)

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
    except _UNREADABLE:
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
    # An environment's bytes that are no UTF-8 are the passphrase as they are.
    secret = None
    if label == _ENCRYPTED:
        _require_few_rounds(content, path)
        secret = passphrase().encode(errors="surrogateescape")
    try:
        key = load_pem_private_key(content, secret)
    except _UNREADABLE:
        wrong = "with this passphrase" if secret is not None else "as PKCS8"
        raise InputError(f"the private key in {path} cannot be read {wrong}") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError(f"{path} holds a key that is not Ed25519; no other signs certificates")
    public = key.public_key()
    return CryptoSigner(key, SSlibKey.from_crypto(public, fingerprint_of(public), _SCHEME))


def _require_few_rounds(content: bytes, path: str | Path) -> None:
    """Raise InputError for an encrypted key whose derivation would take longer than seconds."""
    lines = content[content.index(_BEGIN) :].splitlines()[1:]
    body = b"".join(lines).partition(b"-----END")[0]
    try:
        cost = math.prod(max(1, abs(number)) for number in _integers(base64.b64decode(body)))
    except (ValueError, IndexError):
        raise InputError(f"the private key in {path} cannot be read as PKCS8") from None
    if cost > MAX_ROUNDS:
        raise InputError(
            f"the key in {path} asks for more rounds of its passphrase's derivation than are run, "
            f"{MAX_ROUNDS}; encrypt it anew with fewer"
        )


def _integers(encoded: bytes) -> Iterator[int]:
    """Yield the integers of a value in DER, but for what is in strings; others are malformed."""
    at = 0
    while at < len(encoded):
        tag, size = encoded[at : at + 2]
        at += 2
        if size > _SHORT_LENGTH:
            more = size - _SHORT_LENGTH - 1
            size = int.from_bytes(encoded[at : at + more])
            at += more
        if tag & _CONSTRUCTED:
            continue  # what it holds comes next
        if tag == _INTEGER:
            yield int.from_bytes(encoded[at : at + size], signed=True)
        at += size


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


PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
# Of a certificate's canonical bytes.
MAX_PAYLOAD_BYTES = 16 * 1024 * 1024
MAX_SIGNATURES = 64
_SIGNATURE_BYTES = 64  # RFC 8032, section 5.1.6
# Base64 has four characters for three bytes; a signature with its keyid takes 180 bytes.
MAX_ENVELOPE_BYTES = 4 * (MAX_PAYLOAD_BYTES // 3 + 1) + 256 * (MAX_SIGNATURES + 1)
# By any of these an object is known to be meant as an envelope: no statement has one.
_FIELDS = frozenset({"payload", "payloadType", "signatures"})


class _Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One signature, and the fingerprint of the key that is said to have made it."""

    # A `$` alone would let a line end follow.
    keyid: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
    sig: str


class _Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A DSSE envelope, of exactly the fields that its specification names."""

    payload: str
    payloadType: Literal["application/vnd.in-toto+json"]  # noqa: N815
    signatures: Annotated[list[_Signature], Meta(min_length=1)]


@dataclass(frozen=True)
class Opened:
    """The bytes of a certificate, and who is said to have signed them, which is not yet checked."""

    payload: bytes
    signatures: dict[str, bytes]

    @property
    def keyids(self) -> list[str]:
        """The fingerprints of the keys that are said to have signed, sorted."""
        return sorted(self.signatures)


def opened(content: bytes, name: str) -> Opened:
    """Return what a file holds: an envelope's payload, or the bytes of an unsigned certificate.

    Raises InputError where it is no JSON at all, CertificateError where it is an envelope that is
    not as it has to be. The payload is not looked into.
    """
    if len(content) > MAX_ENVELOPE_BYTES:
        raise LimitError(f"{name} is larger than {MAX_ENVELOPE_BYTES} bytes; no certificate is")
    value = parse_json(content, name)  # refuses duplicate keys
    if not isinstance(value, dict) or not _FIELDS & value.keys():
        return Opened(content, {})
    return _unwrapped(_envelope_in(content, value, name), name)


def require_signed_by(found: Opened, keys: Iterable[SSlibKey]) -> list[str]:
    """Require a signature by each of the keys; return the fingerprints of those that signed.

    Raises SignatureError.
    """
    checked = []
    for key in keys:
        if key.keyid not in found.signatures:
            who = ", ".join(found.keyids) or "nobody"
            raise SignatureError(f"there is no signature by {key.keyid}; it is signed by {who}")
        try:
            _signable(found).verify([key], 1)
        except VerificationError:
            raise SignatureError(f"the signature by {key.keyid} does not verify") from None
        checked.append(key.keyid)
    return sorted(checked)


def sealed(found: Opened, signer: CryptoSigner) -> bytes:
    """Return the envelope with this signature added, or made anew; the same key, the same bytes."""
    signable = _signable(found)
    signable.sign(signer)
    table = signable.to_dict()
    table["signatures"].sort(key=lambda signature: signature["keyid"])
    if len(table["signatures"]) > MAX_SIGNATURES:
        raise LimitError(f"a certificate has at most {MAX_SIGNATURES} signatures")
    return rfc8785.dumps(table)


def _signable(found: Opened) -> Signable:
    made = {keyid: MadeSignature(keyid, sig.hex()) for keyid, sig in found.signatures.items()}
    return Signable(found.payload, PAYLOAD_TYPE, made)


def _envelope_in(content: bytes, value: dict[str, Any], name: str) -> _Envelope:
    signatures = value.get("signatures")
    if isinstance(signatures, list) and len(signatures) > MAX_SIGNATURES:
        raise LimitError(f"{name} has more than {MAX_SIGNATURES} signatures; they are not read")
    try:
        envelope = msgspec.json.decode(content, type=_Envelope)
    except (msgspec.DecodeError, RecursionError) as error:
        what = "is no DSSE envelope of a certificate"
        raise EnvelopeError(f"{name} {what}: {plainly(error)}") from None
    if rfc8785.dumps(msgspec.to_builtins(envelope)) != content:
        raise CanonicalFormError(f"{name}: the envelope is not in canonical form (RFC 8785)")
    return envelope


def _unwrapped(envelope: _Envelope, name: str) -> Opened:
    keyids = [signature.keyid for signature in envelope.signatures]
    if sorted(set(keyids)) != keyids:
        raise EnvelopeError(f"{name}: its signatures are not one a key, in the order of the keys")
    payload = _bytes(envelope.payload, f"{name}: the payload")
    if len(payload) > MAX_PAYLOAD_BYTES:
        raise LimitError(f"{name}: the payload is larger than {MAX_PAYLOAD_BYTES} bytes")
    signatures = {
        item.keyid: _bytes(item.sig, f"{name}: the signature by {item.keyid}")
        for item in envelope.signatures
    }
    if any(len(signature) != _SIGNATURE_BYTES for signature in signatures.values()):
        raise EnvelopeError(f"{name}: a signature by Ed25519 has {_SIGNATURE_BYTES} bytes")
    return Opened(payload, signatures)


def _bytes(text: str, name: str) -> bytes:
    """Return what base64 stands for, in the one way in which it is written."""
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise EnvelopeError(f"{name} is not in base64") from None
    if base64.b64encode(content).decode() != text:
        raise EnvelopeError(f"{name} is not in canonical base64")
    return content


def sign(
    path: str | Path,
    key: str | Path,
    *,
    passphrase: Passphrase,
    out: str | Path | None = None,
) -> str:
    """Sign the certificate in a file, by default in place, and return the key's fingerprint.

    The text ``-`` is standard input, and output. Signatures that it has stay, unchecked. What is
    signed must have the shape of a certificate; whether it is true is what ``verify`` tells. The
    file is written whole or not at all. Raises InputError, and CertificateError where it is no
    certificate.
    """
    target, name = path if out is None else out, name_of(path)
    found = opened(content_at(path), name)
    read_statement(found.payload, name)
    if target != STANDARD:
        _require_other(Path(target), Path(key))
    require_writable(target, CERTIFICATE)
    signer = signer_in(key, passphrase)
    content = sealed(found, signer)
    write_whole(target, content, CERTIFICATE)
    return signer.public_key.keyid


def _require_other(target: Path, key: Path) -> None:
    """Keep a slip from writing over the private key, of which there may be no other copy."""
    if target.exists() and key.exists() and target.samefile(key):
        raise InputError(f"--out {target} is the key itself; give another file")
