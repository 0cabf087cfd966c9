"""Claims at every edge have a report: no plot where there is nothing to draw, never a failure."""

from __future__ import annotations

import pytest
from report_pages import Reading, page, taken_apart
from simplexcert.certify.audits.claim import claim_in
from simplexcert.certify.audits.decision import Audit, decide
from simplexcert.certify.certificate.release import claim_statement_of
from simplexcert.certify.certificate.subjects import claim_subject
from simplexcert.certify.verdict import Verdict

COUNTS = {"mechanism": "dirichlet.counts", "k": "20.6", "eta": "0.073", "N": 98, "n": 5}
IDENTITY = {
    "mechanism": "dirichlet.identity",
    "k": 10,
    "eta": "0.1",
    "eta_bar": "0.1",
    "b": "0.025",
}
IDENTITY["w"] = 3
RENYI = {"mechanism": "dirichlet.renyi", "step": "1/4", "alpha": 5}
ANY_F = {**RENYI, "delta2_squared": 3, "delta_inf": "3/2"}
MATRIX = {
    "mechanism": "dirichlet.matrix", "k": 12, "eta": "0.1", "eta_bar": "0.05", "b": "0.025",
    "w": [2, 3, 9],
}  # fmt: skip
CHAIN = {
    "mechanism": "pufferfish.chain",
    "length": 6,
    "scales": ["4", "8"],
    "chains": [{"initial": "any", "P": [["0.9", "0.1"], ["0.4", "0.6"]]}],
}
# With eta at 1/n, nobody can move: there are no neighbours.
ALONE = {**IDENTITY, "w": 2, "eta": "0.45", "eta_bar": "0.1", "b": 1}
CASES: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "delta 0": (COUNTS, {"epsilon": 1, "delta": 0}),
    "delta 1": (COUNTS, {"epsilon": 1, "delta": 1}),
    "epsilon 0": (COUNTS, {"epsilon": 0, "delta": "0.01"}),
    "all 0": (COUNTS, {"epsilon": 0, "delta": 0}),
    "huge epsilon": (COUNTS, {"epsilon": "1e9", "delta": "0.01"}),
    "tiny delta": (COUNTS, {"epsilon": 1, "delta": "1e-3000"}),
    "no gamma": (IDENTITY, {"epsilon": 1, "delta": "0.001"}),
    "order 1": (RENYI, {"epsilon": 1, "order": 1}),
    "infinite order": (RENYI, {"epsilon": 1, "order": 1000}),
    "at a delta": (RENYI, {"epsilon": 1, "delta": "1e-6"}),
    "add-remove": ({**RENYI, "adjacency": "add-remove"}, {"epsilon": 1, "order": 3}),
    "any f": (ANY_F, {"epsilon": 1, "order": 3}),
    "any f at a delta": (ANY_F, {"epsilon": 3, "delta": "1e-6"}),
    "rows at an order": (MATRIX, {"epsilon": 1, "order": 3}),
    "several releases": (CHAIN, {"epsilon": 1}),
    "alone": (ALONE, {"epsilon": 1, "delta": "0.001"}),
    "data outside": ({**COUNTS, "counts": [2, 20, 25, 25, 26]}, {"epsilon": 3, "delta": "0.01"}),
}


def decided(name: str) -> Audit:
    release, said = CASES[name]
    return decide(claim_in({"release": release, "claim": said}, "a test"))


def reading_of(found: Audit) -> Reading:
    subject = claim_subject(b"", "claim.toml")
    return taken_apart(page(claim_statement_of(found, [subject]), found))


@pytest.mark.parametrize("name", CASES)
def test_every_claim_has_a_report(name: str) -> None:
    found = decided(name)
    reading = reading_of(found)
    assert found.verdict.value.capitalize() in reading.text[:400]
    assert reading.names().count("svg") <= 1
    assert "nan" not in "".join(reading.within("td")).lower()


def test_a_delta_of_0_is_drawn_at_the_edge() -> None:
    reading = reading_of(decided("delta 0"))
    assert "claimed (delta = 0, drawn at the edge)" in reading.within("text")


def test_a_bound_that_was_converted_is_drawn_and_nothing_is_ruled_out() -> None:
    reading = reading_of(decided("any f at a delta"))
    assert "A bound on the privacy profile: delta at each epsilon" in reading.within("h2")
    assert "so nothing is ruled out" in reading.text


def test_data_below_the_floor_are_named_as_the_reason() -> None:
    found = decided("data outside")
    assert found.verdict is not Verdict.CERTIFIED
    assert "The data that were looked at" in reading_of(found).text
