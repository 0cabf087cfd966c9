"""What people see of a result in Python: one short line, and in a notebook a table."""

from __future__ import annotations

from typing import Any

import pytest
from private_data import given
from simplexcert import audit, certify_backend, draw_release, verify

GRADES = "example:benvenuti2025-grades"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    at = tmp_path_factory.mktemp("shown")
    audited = audit(GRADES)
    audited.write_certificate(at / "c.json")
    found = given(at, "dirichlet.counts")
    return {
        "an audit": audited,
        "a verified claim": verify(at / "c.json"),
        "a campaign": certify_backend(quantities="dirichlet.utility.variance", cases=3, screen=0),
        "a release": draw_release(found.claim, found.data, seed=1),
    }


BEGINNINGS = {
    "an audit": "CERTIFIED under 2 assumptions  'grades of one course' (dirichlet.counts): epsilon",
    "a verified claim": "CERTIFIED under 2 assumptions  consistent: dirichlet.counts, epsilon = ",
    "a campaign": "CERTIFIED  backend 'simplexcert-float64 0.1.0': 0 of",
    "a release": "NOT PRIVATE, drawn from a seed: release of '",
}


@pytest.mark.parametrize("name", BEGINNINGS)
def test_a_result_is_one_short_line_and_a_table_in_a_notebook(
    results: dict[str, Any], name: str
) -> None:
    found = results[name]
    assert str(found) == repr(found)
    assert repr(found).startswith(BEGINNINGS[name])
    assert "\n" not in repr(found)
    assert len(repr(found)) < 250
    assert found._repr_html_().startswith("<table>")


def test_a_check_of_a_campaign_is_one_short_line(results: dict[str, Any]) -> None:
    for check in results["a campaign"].checks:
        assert len(repr(check)) < 120
        assert repr(check).startswith(f"dirichlet.utility.variance, {check.check}: ")
