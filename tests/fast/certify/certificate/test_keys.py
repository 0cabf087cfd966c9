"""Keys in files: only Ed25519, only the right half, only with the right passphrase."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from each import each_of
from edwards import small_order_encodings, unreduced_encodings
from simplexcert.certify.certificate.errors import SignatureError
from simplexcert.certify.certificate.signing import (
    MAX_KEY_BYTES,
    fingerprint_of,
    public_key_in,
    signer_in,
    trusted_keys,
)
from simplexcert.reference.errors import InputError

KEY = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
ANOTHER = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
SECRET = "correct horse ü"  # noqa: S105


def private_pem(
    key: PrivateKeyTypes = KEY,
    encryption: KeySerializationEncryption | None = None,
    form: PrivateFormat = PrivateFormat.PKCS8,
) -> bytes:
    return key.private_bytes(Encoding.PEM, form, encryption or NoEncryption())


def public_pem(key: PrivateKeyTypes = KEY) -> bytes:
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def never() -> str:
    pytest.fail("a passphrase was asked for")


def written(folder: Path, content: bytes) -> Path:
    file = folder / "key.pem"
    file.write_bytes(content)
    return file


def test_a_fingerprint_is_the_digest_of_the_public_key_in_der(tmp_path: Path) -> None:
    file = written(tmp_path, public_pem())
    der = subprocess.run(
        ["openssl", "pkey", "-pubin", "-in", str(file), "-outform", "DER"],  # noqa: S607
        capture_output=True,
        check=True,
    ).stdout
    expected = hashlib.sha256(der).hexdigest()
    assert fingerprint_of(KEY.public_key()) == expected
    assert public_key_in(file).keyid == expected


def test_both_halves_of_a_key_have_one_fingerprint(tmp_path: Path) -> None:
    signer = signer_in(written(tmp_path, private_pem()), never)
    assert signer.public_key == public_key_in(written(tmp_path, public_pem()))


def test_an_encrypted_key_opens_with_its_passphrase_alone(tmp_path: Path) -> None:
    encryption = BestAvailableEncryption(SECRET.encode())
    file = written(tmp_path, private_pem(encryption=encryption))
    signer = signer_in(file, lambda: SECRET)
    assert signer.public_key.keyid == fingerprint_of(KEY.public_key())
    for wrong in ("", "correct horse u", SECRET + " "):
        with pytest.raises(InputError, match="cannot be read with this passphrase"):
            signer_in(file, lambda wrong=wrong: wrong)


def test_a_passphrase_that_is_no_utf_8_is_the_bytes_that_it_is(tmp_path: Path) -> None:
    file = written(tmp_path, private_pem(encryption=BestAvailableEncryption(b"\xff")))
    signer = signer_in(file, lambda: os.fsdecode(b"\xff"))  # as an environment has it
    assert signer.public_key.keyid == fingerprint_of(KEY.public_key())


def damaged(content: bytes) -> bytes:
    return content.replace(b"MC", b"MD", 1)


def seed_pem(size: int) -> bytes:
    """Return a PKCS8 file of Ed25519 whose seed has so many bytes; 32 are a key's (RFC 8410)."""
    head = bytes.fromhex("020100300506032b657004") + bytes([size + 2, 4, size])
    encoded = bytes([0x30, len(head) + size]) + head + bytes(size)
    text = base64.b64encode(encoded)
    return b"-----BEGIN PRIVATE KEY-----\n" + text + b"\n-----END PRIVATE KEY-----\n"


RSA = rsa.generate_private_key(65537, 2048)
CURVE = ec.generate_private_key(ec.SECP256R1())
NO_SIGNER = {
    "public": (public_pem(), "holds a public key; signing needs the private one"),
    "rsa": (private_pem(RSA), "not Ed25519"),
    "curve": (private_pem(CURVE), "not Ed25519"),
    "rsa-in-its-old-form": (
        private_pem(RSA, form=PrivateFormat.TraditionalOpenSSL), "holds a RSA PRIVATE KEY"),
    "openssh": (private_pem(form=PrivateFormat.OpenSSH), "holds a OPENSSH PRIVATE KEY"),
    "empty": (b"", "is no PEM file of one key"),
    "two": (private_pem() * 2, "is no PEM file of one key"),
    "two-the-first-indented": (b" " + private_pem() + private_pem(), "is no PEM file of one key"),
    "endless": (b"x" * MAX_KEY_BYTES + private_pem(), "is larger than"),
    "damaged": (damaged(private_pem()), "cannot be read as PKCS8"),
    "cut-short": (private_pem()[:60], "cannot be read as PKCS8"),
    "a-seed-too-short": (seed_pem(31), "cannot be read as PKCS8"),
    "a-seed-too-long": (seed_pem(33), "cannot be read as PKCS8"),
}  # fmt: skip
NO_CHECKER = {
    "private": (private_pem(), "holds a private key; give the public one"),
    "encrypted": (
        private_pem(encryption=BestAvailableEncryption(b"x")), "holds a private key; give the"),
    "rsa": (public_pem(RSA), "not Ed25519"),
    "curve": (public_pem(CURVE), "not Ed25519"),
    "certificate": (b"-----BEGIN CERTIFICATE-----\n", "holds a CERTIFICATE"),
    "empty": (b"", "is no PEM file of one key"),
    "two-the-first-indented": (
        b" " + public_pem(ANOTHER) + public_pem(), "is no PEM file of one key"),
    "two-the-second-after-a-word": (
        public_pem() + b"key: " + public_pem(ANOTHER), "is no PEM file of one key"),
    "two-on-one-line": (
        public_pem() + b"x-----BEGIN PUBLIC KEY-----", "is no PEM file of one key"),
    "indented": (b" " + public_pem(), "is no PEM file of one key"),
    "damaged": (damaged(public_pem()), "no public key that can be read"),
    "cut-short": (public_pem()[:60], "no public key that can be read"),
}  # fmt: skip


@each_of("name", NO_SIGNER)
def test_what_cannot_sign_is_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    content, says = NO_SIGNER[name]
    with pytest.raises(InputError, match=says):
        signer_in(written(tmp_path, content), never)


@each_of("name", NO_CHECKER)
def test_what_cannot_check_is_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    content, says = NO_CHECKER[name]
    with pytest.raises(InputError, match=says):
        public_key_in(written(tmp_path, content))


def encoded_key(encoding: bytes) -> bytes:
    key = ed25519.Ed25519PublicKey.from_public_bytes(encoding)
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def test_there_are_fourteen_encodings_of_points_of_small_order() -> None:
    assert len(set(small_order_encodings())) == 14


def test_one_signature_of_a_key_of_small_order_is_right_for_many_messages() -> None:
    """R is the neutral point and S is 0: nobody has to know anything to write that."""
    signature, right = (1).to_bytes(32, "little") + bytes(32), 0
    for encoding in small_order_encodings():
        key = ed25519.Ed25519PublicKey.from_public_bytes(encoding)
        for message in range(64):
            try:
                key.verify(signature, bytes([message]))
            except InvalidSignature:
                continue
            right += 1
    assert right > 14 * 64 // 8


@pytest.mark.parametrize("encoding", list(small_order_encodings()), ids=bytes.hex)
def test_a_key_of_small_order_is_refused(tmp_path: Path, encoding: bytes) -> None:
    with pytest.raises(InputError, match="small order"):
        public_key_in(written(tmp_path, encoded_key(encoding)))


@pytest.mark.parametrize("encoding", list(unreduced_encodings()), ids=bytes.hex)
def test_a_key_that_is_not_reduced_is_refused(tmp_path: Path, encoding: bytes) -> None:
    """It would be a second fingerprint of one key."""
    with pytest.raises(InputError, match="not as RFC 8032 writes it"):
        public_key_in(written(tmp_path, encoded_key(encoding)))


def test_pinned_keys_are_just_the_keys_at_hand(tmp_path: Path) -> None:
    file = written(tmp_path, public_pem())
    fingerprint = fingerprint_of(KEY.public_key())
    assert [key.keyid for key in trusted_keys([file], [fingerprint])] == [fingerprint]
    assert [key.keyid for key in trusted_keys([file, file], [])] == [fingerprint]
    with pytest.raises(SignatureError, match="is not pinned"):
        trusted_keys([file], ["f" * 64])
    with pytest.raises(SignatureError, match="is pinned, and not at hand"):
        trusted_keys([file], [fingerprint, "f" * 64])


@each_of("text", ["", "abc", "F" * 64, "f" * 65, "f" * 64 + "\n", "\u0660" * 64])
def test_a_fingerprint_is_written_in_one_way(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match="lower-case hex"):
        trusted_keys([written(tmp_path, public_pem())], [text])


def test_a_fingerprint_alone_checks_nothing() -> None:
    with pytest.raises(InputError, match="give that key too"):
        trusted_keys([], ["f" * 64])
