"""All evidence is worked out again: the recorded verdicts, and the numbers in the notes."""

from __future__ import annotations

import pytest
from simplexcert.certify.papers.derive import derived, record_of, recorded
from simplexcert.certify.papers.notes import BEGIN, END, NOTES, evidence_part, statements_of
from simplexcert.certify.papers.statement import PAPERS, statements


@pytest.mark.parametrize("paper", PAPERS)
def test_every_verdict_and_every_number_is_derived_again(paper: str) -> None:
    claims = statements(f"{paper}.*")
    found, known = derived(claims), recorded()
    assert {name: record_of(one) for name, one in found.items()} == {
        name: known[name] for name in claims
    }
    for note in {claim.note for claim in claims.values()}:
        text = (NOTES / note).read_text("utf-8")
        made = evidence_part(found[claim.id] for claim in statements_of(note))
        assert made.strip() == BEGIN + text.partition(BEGIN)[2].partition(END)[0] + END, note
