"""All evidence is worked out again: the recorded verdicts, and the numbers in the notes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from long_evidence import LEFT_OUT, LONGEST
from simplexcert.certify.papers.derive import Derived, record_of, recorded
from simplexcert.certify.papers.notes import BEGIN, END, NOTES, evidence_part, statements_of
from simplexcert.certify.papers.statement import PAPERS, statements


@pytest.mark.parametrize("paper", PAPERS)
def test_every_verdict_and_every_number_is_derived_again(
    paper: str, derived_once: Callable[[str], Derived]
) -> None:
    chosen, known = statements(f"{paper}.*"), recorded()
    found = {name: derived_once(name) for name in chosen if name not in LEFT_OUT}
    assert {name: record_of(one) for name, one in found.items()} == {
        name: known[name] for name in found
    }
    for note in {chosen[name].note for name in found}:
        written = (NOTES / note).read_text("utf-8").partition(BEGIN)[2].partition(END)[0]
        all_of_it = [statement.id for statement in statements_of(note)]
        if found.keys() >= set(all_of_it):
            made = evidence_part(found[name] for name in all_of_it)
            assert made.strip() == BEGIN + written + END, note
        assert not [
            name for name in all_of_it if name in found and entry(found[name]) not in written
        ], note


def entry(one: Derived) -> str:
    """Return what a note says of a statement."""
    around = evidence_part([]).removesuffix(f"{END}\n")
    return evidence_part([one]).removeprefix(around).removesuffix(f"{END}\n")


def test_what_the_gate_leaves_out_is_there_and_little() -> None:
    assert set(statements()) >= LONGEST
    assert len(LONGEST) < len(statements()) / 20
