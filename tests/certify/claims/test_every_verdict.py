"""All evidence is worked out again: the recorded verdicts, and the numbers in the notes."""

from __future__ import annotations

import pytest
from simplexcert.certify.claims.deriving import derived
from simplexcert.certify.claims.notes import BEGIN, END, NOTES, claims_of, evidence_part
from simplexcert.certify.claims.recorded import record_of, recorded
from simplexcert.certify.claims.register import PAPERS, entries


@pytest.mark.parametrize("paper", PAPERS)
def test_every_verdict_and_every_number_is_derived_again(paper: str) -> None:
    claims = entries(f"{paper}.*")
    found, known = derived(claims), recorded()
    assert {name: record_of(one) for name, one in found.items()} == {
        name: known[name] for name in claims
    }
    for note in {claim.note for claim in claims.values()}:
        text = (NOTES / note).read_text("utf-8")
        made = evidence_part(found[claim.id] for claim in claims_of(note))
        assert made.strip() == BEGIN + text.partition(BEGIN)[2].partition(END)[0] + END, note
