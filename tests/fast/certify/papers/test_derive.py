"""All evidence is worked out again: the recorded verdicts, and the numbers in the notes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from simplexcert.certify.papers.derive import Derived, record_of, recorded
from simplexcert.certify.papers.notes import BEGIN, END, NOTES, evidence_part, statements_of
from simplexcert.certify.papers.statement import PAPERS, statements


@pytest.mark.parametrize("paper", PAPERS)
def test_every_verdict_and_every_number_is_derived_again(
    paper: str, derived_once: Callable[[str], Derived]
) -> None:
    chosen, known = statements(f"{paper}.*"), recorded()
    found = {name: derived_once(name) for name in chosen}
    assert {name: record_of(one) for name, one in found.items()} == {
        name: known[name] for name in chosen
    }
    for note in {statement.note for statement in chosen.values()}:
        text = (NOTES / note).read_text("utf-8")
        made = evidence_part(found[statement.id] for statement in statements_of(note))
        assert made.strip() == BEGIN + text.partition(BEGIN)[2].partition(END)[0] + END, note
