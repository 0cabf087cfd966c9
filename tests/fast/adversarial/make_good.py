"""Make the good certificates that the hostile ones are changed from. Run it to write them again.

They are checked in and need not be made again when the program's version changes.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from made_signers import public_pem, signer
from simplexcert.certify import audit, certify_backend
from simplexcert.certify.campaign import transcript_writer
from simplexcert.certify.certificate import (
    canonical_bytes,
    claim_statement_of,
    statement_of,
)
from simplexcert.certify.certificate.issuing import claim_subject
from simplexcert.certify.certificate.signing import opened, sealed

GOOD = Path(__file__).parent / "good"
# Of each the backend, what is asked of it, and how often.
BACKENDS = {
    "": ("backend:sound", "dirichlet.profile.[des]*", 12),
    "-drawing": ("backend:drawing", "dirichlet.profile.total*", 4),
    "-lawless": ("backend:lawless", "dirichlet.profile.[des]*", 12),
}
# Claim files here; the first two are the examples benvenuti2025-grades and fallin2023-traffic.
CLAIMS = ("release", "release-refuted", "release-rows")


def main() -> None:
    """Write every good file."""
    for number, name in enumerate(("public", "other")):
        (GOOD / f"{name}.pem").write_bytes(public_pem(number))
    os.chdir(GOOD)
    sys.path.insert(0, str(GOOD))
    for name, (backend, quantities, cases) in BACKENDS.items():
        with transcript_writer(GOOD / f"cases{name}.jsonl.gz") as write:
            campaign = certify_backend(
                backend, quantities=quantities, cases=cases, samplers=True, on_case=write
            )
        put(f"backend{name}", canonical_bytes(statement_of(campaign)))
    for name in CLAIMS:
        found = audit(GOOD / f"{name}.toml")
        text = (GOOD / f"{name}.toml").read_bytes()
        put(
            name,
            canonical_bytes(claim_statement_of(found, [claim_subject(text, f"{name}.toml")])),
        )


def put(name: str, content: bytes) -> None:
    """Write a certificate, and the same signed by one key and by two."""
    once = sealed(opened(content, name), signer(0))
    (GOOD / f"{name}.json").write_bytes(content)
    (GOOD / f"{name}-signed.json").write_bytes(once)
    if name == "backend":
        twice = sealed(opened(once, name), signer(1))
        (GOOD / f"{name}-signed-twice.json").write_bytes(twice)


if __name__ == "__main__":
    main()
