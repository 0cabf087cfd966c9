"""Make the good certificates that the hostile ones are changed from. Run it to write them again.

They are checked in and need not be made again when the program's version changes: every published
version is read for ever.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import msgspec
import rfc8785
from made_signers import public_pem, signer
from simplexcert.certify import certify
from simplexcert.certify.audits import audit
from simplexcert.certify.certificate import (
    canonical_bytes,
    release_statement_of,
    statement_of,
)
from simplexcert.certify.certificate.envelope import opened, sealed
from simplexcert.certify.certificate.statement import NOT_SIGNED_V0, WHO_ISSUED
from simplexcert.certify.certificate.subjects import claim_subject
from simplexcert.certify.transcript import transcript_writer

GOOD = Path(__file__).parent / "good"
CASES = 12
# Claim files here; the first two are the examples benvenuti2025-grades and fallin2023-traffic.
CLAIMS = ("release", "release-refuted", "release-rows")


def main() -> None:
    """Write every good file."""
    for number, name in enumerate(("public", "other")):
        (GOOD / f"{name}.pem").write_bytes(public_pem(number))
    os.chdir(GOOD)
    sys.path.insert(0, str(GOOD))
    for name, seed in (("cases", 0), ("cases-of-another", 1)):
        with transcript_writer(GOOD / f"{name}.jsonl.gz") as write:
            campaign = certify(
                "backend:backend", quantities="dirichlet.profile.[ds]*", cases=CASES, seed=seed,
                on_case=write,
            )  # fmt: skip
        if name == "cases":
            put("backend", canonical_bytes(statement_of(campaign)))
            put("backend-v0", version_0(msgspec.to_builtins(statement_of(campaign))))
    for name in CLAIMS:
        found = audit(GOOD / f"{name}.toml")
        text = (GOOD / f"{name}.toml").read_bytes()
        put(
            name,
            canonical_bytes(release_statement_of(found, [claim_subject(text, f"{name}.toml")])),
        )


def put(name: str, content: bytes) -> None:
    """Write a certificate, and the same signed by one key and by two."""
    once = sealed(opened(content, name), signer(0))
    (GOOD / f"{name}.json").write_bytes(content)
    (GOOD / f"{name}-signed.json").write_bytes(once)
    if name == "backend":
        twice = sealed(opened(once, name), signer(1))
        (GOOD / f"{name}-signed-twice.json").write_bytes(twice)


def version_0(statement: dict[str, Any]) -> bytes:
    """Return the certificate as version 0 had it."""
    predicate = statement["predicate"]
    for field in ("issued", "sample"):
        del predicate[field]
    del predicate["transcript"]["cases"]
    for check in predicate["checks"]:
        if check["worst"]:
            del check["worst"]["entry"]
    predicate["non_claims"] = [
        NOT_SIGNED_V0 if sentence == WHO_ISSUED else sentence
        for sentence in predicate["non_claims"]
    ]
    return rfc8785.dumps({**statement, "predicateType": statement["predicateType"][:-1] + "0"})


if __name__ == "__main__":
    main()
