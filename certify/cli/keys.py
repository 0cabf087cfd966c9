"""The command that makes the keys by which certificates are signed and checked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from .checking import PASSPHRASE_VARIABLE
from .group import example, print_json, simplexcert, telling
from .streams import print_line, reader_may_leave

if TYPE_CHECKING:
    from ..certificate.key_pair import KeyPair


@simplexcert.command(epilog=example("keygen --out me"))
@click.option(
    "--out", "prefix", required=True, metavar="PREFIX", help="Write two new files of this name."
)
@telling
def keygen(prefix: str, as_json: bool, quiet: bool, verbose: bool) -> None:
    """Make an Ed25519 key pair: PREFIX.private.pem to sign with, PREFIX.public.pem to give away.

    The private key is readable by you alone, and encrypted where SIMPLEXCERT_KEY_PASSPHRASE holds a
    passphrase; `sign` reads the same variable. No file is written over.
    """
    del verbose  # all of it is told anyway
    from ..certificate.key_pair import make_key_pair

    made = make_key_pair(prefix, os.environ.get(PASSPHRASE_VARIABLE))
    with reader_may_leave():
        if as_json:
            print_json({"schema_version": 1, **made.as_json()})
        else:
            _print(made, quiet=quiet)


def _print(made: KeyPair, *, quiet: bool) -> None:
    how = (
        "encrypted by your passphrase"
        if made.encrypted
        else f"NOT encrypted: set {PASSPHRASE_VARIABLE} for one that is"
    )
    print_line(f"private key: {made.private} (keep it to yourself; {how})")
    if quiet:
        return
    print_line(f"public key:  {made.public} (give it to whoever checks what you sign)")
    print_line(f"fingerprint: {made.fingerprint}")
    print_line(f"to sign:     simplexcert sign CERT.json --key {made.private}")
    print_line(f"to check:    simplexcert verify CERT.json --key {made.public}")
