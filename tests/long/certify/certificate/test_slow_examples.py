"""Certificates of the examples that take long to verify."""

from __future__ import annotations

from pathlib import Path

import pytest
from fast.certify.certificate.test_release_certificate import (
    SLOW,
    source_of,
    statement_on,
    verdict_of,
)
from simplexcert.certify.verdict import Verdict


@pytest.mark.parametrize("name", sorted(SLOW))
def test_the_certificate_of_a_slow_example_verifies(name: str, tmp_path: Path) -> None:
    found, statement = statement_on(*source_of(f"example:{name}"))
    assert verdict_of(tmp_path, statement) is found.verdict
    assert found.verdict in {Verdict.CERTIFIED, Verdict.REFUTED}
