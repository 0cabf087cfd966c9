"""Signed certificates: one form for one set of signatures, and nothing that reads in two ways."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from each import each_of
from securesystemslib.dsse import Envelope
from securesystemslib.signer import CryptoSigner
from simplexcert.certify.certificate.errors import (
    CanonicalFormError,
    CertificateError,
    EnvelopeError,
    LimitError,
    SignatureError,
)
from simplexcert.certify.certificate.signing import (
    MAX_ENVELOPE_BYTES,
    MAX_PAYLOAD_BYTES,
    MAX_SIGNATURES,
    PAYLOAD_TYPE,
    Opened,
    opened,
    require_signed_by,
    sealed,
    signer_in,
)
from simplexcert.reference.errors import InputError

STATEMENT = b'{"_type":"a statement","n":1}'


@pytest.fixture
def signers(tmp_path: Path) -> list[CryptoSigner]:
    made = []
    for number in range(3):
        file = tmp_path / f"{number}.pem"
        key = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
        form = Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
        file.write_bytes(key.private_bytes(*form))
        made.append(signer_in(file, lambda: pytest.fail("no passphrase is needed")))
    return made


@pytest.fixture
def signed(signers: list[CryptoSigner]) -> bytes:
    return sealed(Opened(STATEMENT, {}), signers[0])


def table_of(content: bytes) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(content)
    return loaded


def test_an_unsigned_certificate_opens_as_its_own_bytes() -> None:
    assert opened(STATEMENT, "it") == Opened(STATEMENT, {})


def test_what_was_sealed_opens_as_it_was_and_checks(
    signed: bytes, signers: list[CryptoSigner]
) -> None:
    found = opened(signed, "it")
    assert found.payload == STATEMENT
    assert require_signed_by(found, [signers[0].public_key]) == found.keyids


def test_what_is_signed_is_the_pre_authentication_encoding_of_dsse(
    signed: bytes, signers: list[CryptoSigner]
) -> None:
    """The library's own envelope, which knows nothing of ours, verifies what we made."""
    Envelope.from_dict(table_of(signed)).verify([signers[0].public_key], 1)
    made = b"DSSEv1 %d %b %d %b" % (
        len(PAYLOAD_TYPE), PAYLOAD_TYPE.encode(), len(STATEMENT), STATEMENT)  # fmt: skip
    signature = base64.b64decode(table_of(signed)["signatures"][0]["sig"])
    Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key().verify(signature, made)


def test_the_order_of_signing_leaves_no_trace(signers: list[CryptoSigner]) -> None:
    forms = set()
    for order in permutations(signers):
        found = Opened(STATEMENT, {})
        for signer in order:
            found = opened(sealed(found, signer), "it")
        forms.add(sealed(found, order[0]))
    (form,) = forms
    assert require_signed_by(opened(form, "it"), [s.public_key for s in signers])
    assert len(opened(form, "it").keyids) == len(signers)


def test_every_key_that_is_given_must_have_signed(
    signed: bytes, signers: list[CryptoSigner]
) -> None:
    keys = [signer.public_key for signer in signers[:2]]
    with pytest.raises(SignatureError, match="there is no signature by"):
        require_signed_by(opened(signed, "it"), keys)
    with pytest.raises(SignatureError, match="signed by nobody"):
        require_signed_by(opened(STATEMENT, "it"), keys)


def test_a_signature_says_nothing_of_another_payload(
    signed: bytes, signers: list[CryptoSigner]
) -> None:
    other = opened(sealed(Opened(STATEMENT + b" ", {}), signers[0]), "it")
    swapped = Opened(STATEMENT, other.signatures)
    with pytest.raises(SignatureError, match="does not verify"):
        require_signed_by(swapped, [signers[0].public_key])
    assert require_signed_by(opened(signed, "it"), [signers[0].public_key])


def first_signature(table: dict[str, Any]) -> dict[str, str]:
    signature: dict[str, str] = table["signatures"][0]
    return signature


Change = Callable[[dict[str, Any]], object]
CHANGED: dict[str, tuple[Change, type[CertificateError]]] = {
    "type-of-another-payload": (lambda t: t.update(payloadType="text/plain"), EnvelopeError),
    "type-missing": (lambda t: t.pop("payloadType"), EnvelopeError),
    "payload-missing": (lambda t: t.pop("payload"), EnvelopeError),
    "payload-no-text": (lambda t: t.update(payload=1), EnvelopeError),
    "signatures-missing": (lambda t: t.pop("signatures"), EnvelopeError),
    "signatures-empty": (lambda t: t["signatures"].clear(), EnvelopeError),
    "signatures-no-list": (lambda t: t.update(signatures={}), EnvelopeError),
    "signature-twice": (lambda t: t["signatures"].append(t["signatures"][0]), EnvelopeError),
    "field-more": (lambda t: t.update(critical=["x"]), EnvelopeError),
    "field-more-in-a-signature": (lambda t: first_signature(t).update(cert=""), EnvelopeError),
    "keyid-missing": (lambda t: first_signature(t).pop("keyid"), EnvelopeError),
    "keyid-empty": (lambda t: first_signature(t).update(keyid=""), EnvelopeError),
    "keyid-in-capitals": (
        lambda t: first_signature(t).update(keyid=first_signature(t)["keyid"].upper()),
        EnvelopeError),
    "keyid-with-a-line-end": (
        lambda t: first_signature(t).update(keyid=first_signature(t)["keyid"] + "\n"),
        EnvelopeError),
    "signature-cut-short": (
        lambda t: first_signature(t).update(sig=base64.b64encode(bytes(63)).decode()),
        EnvelopeError),
    "signature-no-base64": (lambda t: first_signature(t).update(sig="*" * 88), EnvelopeError),
    "payload-no-ascii": (lambda t: t.update(payload="é"), EnvelopeError),
    "payload-with-spaces": (lambda t: t.update(payload=" " + t["payload"]), EnvelopeError),
    "payload-without-padding": (
        lambda t: t.update(payload=t["payload"].rstrip("=")), EnvelopeError),
    "signatures-a-thousand": (
        lambda t: t.update(signatures=t["signatures"] * 1000), LimitError),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGED)
def test_an_envelope_that_is_not_as_it_has_to_be_is_refused(signed: bytes, name: str) -> None:
    change, error = CHANGED[name]
    table = table_of(signed)
    opened(rfc8785.dumps(table), "it")
    change(table)
    with pytest.raises(error):
        opened(rfc8785.dumps(table), "it")


def test_base64_has_one_form() -> None:
    for text in ("+/+/", "YQ=="):
        raw = base64.b64decode(text)
        other = {"+/+/": "-_-_", "YQ==": "YR=="}[text]
        assert base64.urlsafe_b64decode(other) == raw
        table = {
            "payload": other,
            "payloadType": PAYLOAD_TYPE,
            "signatures": [{"keyid": "0" * 64, "sig": base64.b64encode(bytes(64)).decode()}],
        }
        with pytest.raises(EnvelopeError, match="base64"):
            opened(rfc8785.dumps(table), "it")
        assert opened(rfc8785.dumps({**table, "payload": text}), "it").payload == raw


REWRITTEN: dict[str, tuple[Callable[[bytes], bytes], type[CertificateError]]] = {
    "line-end": (lambda c: c + b"\n", CanonicalFormError),
    "space": (lambda c: c.replace(b":", b": ", 1), CanonicalFormError),
    "escape": (lambda c: c.replace(b"payload", b"p\\u0061yload", 1), CanonicalFormError),
    "byte-order-mark": (lambda c: b"\xef\xbb\xbf" + c, EnvelopeError),
}


@pytest.mark.parametrize("name", REWRITTEN)
def test_an_envelope_has_one_form(signed: bytes, name: str) -> None:
    change, error = REWRITTEN[name]
    assert json.loads(change(signed).decode("utf-8-sig")) == table_of(signed)
    with pytest.raises(error):
        opened(change(signed), "it")


def test_a_key_that_stands_twice_is_refused(signed: bytes) -> None:
    doubled = signed.replace(b'{"payload"', b'{"payload":"","payload"', 1)
    with pytest.raises(InputError, match="stands twice"):
        opened(doubled, "it")


def test_an_envelope_is_of_bounded_size(signers: list[CryptoSigner]) -> None:
    opened(sealed(Opened(b"1" * MAX_PAYLOAD_BYTES, {}), signers[0]), "it")
    with pytest.raises(LimitError, match="payload"):
        opened(sealed(Opened(b"1" * (MAX_PAYLOAD_BYTES + 1), {}), signers[0]), "it")
    with pytest.raises(LimitError, match="no certificate is"):
        opened(b"1" * (MAX_ENVELOPE_BYTES + 1), "it")


def test_no_more_signatures_are_made_than_are_read(signers: list[CryptoSigner]) -> None:
    ids = [f"{number:064x}" for number in range(MAX_SIGNATURES)]
    full = Opened(STATEMENT, dict.fromkeys(ids, bytes(64)))
    with pytest.raises(LimitError):
        sealed(full, signers[0])
    full.signatures.popitem()
    assert len(opened(sealed(full, signers[0]), "it").keyids) == MAX_SIGNATURES


def test_the_same_key_signs_to_the_same_bytes(signed: bytes, signers: list[CryptoSigner]) -> None:
    assert sealed(opened(signed, "it"), signers[0]) == signed


@each_of("content", [b"", b"\xff", b"{", b"[[", b"{}{}"])
def test_what_is_no_json_is_no_input(content: bytes) -> None:
    with pytest.raises(InputError):
        opened(content, "it")
