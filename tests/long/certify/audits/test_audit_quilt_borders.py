"""Random Pufferfish claims of unknown queries near the border, for long: 1,000 of each kind."""

from __future__ import annotations

import pytest
from fast.certify.audits.test_audit_quilt_borders import CASES, verdicts

MANY = 1_000


@pytest.mark.parametrize(("mechanism", "kind"), CASES)
def test_no_verdict_of_an_unknown_query_is_against_all_quilts_for_long(
    mechanism: str, kind: str
) -> None:
    assert verdicts(mechanism, kind, MANY, 1).total() == MANY
