"""The envelope that a signed certificate travels in: DSSE, with signatures by Ed25519.

What is signed is the certificate's canonical bytes and the type of them. The envelope itself is
canonical too, with its signatures in the order of their keys, so a certificate that the same keys
signed has one form; that is stricter than DSSE asks for, and leaves nothing to be read in two ways.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import msgspec
import rfc8785
from msgspec import Meta
from securesystemslib.dsse import Envelope as Signable
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import CryptoSigner, SSlibKey
from securesystemslib.signer import Signature as MadeSignature

from ...reference.exact import parse_json
from .errors import CanonicalFormError, EnvelopeError, LimitError, SignatureError, plainly

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
