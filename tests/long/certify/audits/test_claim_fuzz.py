"""Whatever stands in a claim file, for long."""

from __future__ import annotations

import pytest
from fast.certify.audits.test_claim_fuzz import TEXTS, held

MANY = 5_000


@pytest.mark.parametrize("name", TEXTS)
def test_any_claim_is_read_or_refused_for_long(name: str) -> None:
    held(name, MANY, 1)
