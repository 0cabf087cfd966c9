"""Sign a certificate: its canonical bytes, in an envelope, by one more key."""

from __future__ import annotations

from pathlib import Path

from ...reference.errors import InputError
from ..files import STANDARD, content_at, name_of, require_writable, write_whole
from ..marks import CERTIFICATE
from .envelope import opened, sealed
from .keys import Passphrase, signer_in
from .reading import read_statement


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
