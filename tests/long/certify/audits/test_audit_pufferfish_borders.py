"""Random Pufferfish claims near the border, for long: 1,000 of each kind of mechanism and noise."""

from __future__ import annotations

import pytest
from fast.certify.audits.test_audit_pufferfish_borders import (
    FAMILIES,
    NOISE,
    verdicts,
    verdicts_at_orders,
)

MANY = 1_000


@pytest.mark.parametrize("mechanism", FAMILIES)
@pytest.mark.parametrize("noise", NOISE)
def test_no_verdict_is_against_brute_force_for_long(mechanism: str, noise: str) -> None:
    assert verdicts(mechanism, noise, MANY, 1).total() == MANY


@pytest.mark.parametrize("mechanism", FAMILIES)
@pytest.mark.parametrize("noise", NOISE)
def test_no_verdict_at_an_order_is_against_brute_force_for_long(mechanism: str, noise: str) -> None:
    assert verdicts_at_orders(mechanism, noise, MANY, 1).total() == MANY
