"""Entries and outputs for ledgers in tests, made without data or draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simplexcert.certify.audits.claim import claim_in
from simplexcert.certify.certificate.models import Released, Said
from simplexcert.certify.certificate.parts import Tool
from simplexcert.certify.certificate.release import released_bytes
from simplexcert.certify.releasing.ledger import Entry, entry_of

COUNTS: Mapping[str, Any] = {"k": "20.6", "eta": "0.073", "N": 98, "n": 5}
SAID: Mapping[str, Any] = {"epsilon": "2.255", "delta": "0.0026"}
GRADES: Mapping[str, Any] = {"column": "grade", "categories": ["A", "B", "C", "D", "F"]}


def entry(
    mechanism: str,
    release: Mapping[str, Any],
    said: Mapping[str, Any],
    data: Mapping[str, Any],
    *,
    private: bool = True,
) -> Entry:
    """Return the entry of a release under a claim."""
    table = {"release": {"mechanism": mechanism, **release}, "claim": dict(said)}
    return entry_of(claim_in(table, "claim.toml"), data, private=private)


def grades(name: str = "grades", *, private: bool = True) -> Entry:
    """Return the entry of a release of grades, of this name."""
    return entry("dirichlet.counts", {"name": name, **COUNTS}, SAID, GRADES, private=private)


def output(of: Entry, first: str = "0.25") -> bytes:
    """Return what a release of an entry may look like; ``first`` is one of its values."""
    claim = of.claim
    return released_bytes(
        Released(
            1,
            claim.name,
            claim.mechanism,
            of.private,
            "operating system" if of.private else "seed",
            None if of.private else "1",
            Said(claim.epsilon, claim.delta, claim.order),
            claim.release,
            "1/4",
            ["A", "B", "C", "D", "F"],
            None,
            None,
            [first, "0.25", "0.25", "0.25", "0"],
            Tool("simplexcert", "0.1"),
        )
    )
