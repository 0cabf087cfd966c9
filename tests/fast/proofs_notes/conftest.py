"""The notes' laws are evaluated with balls of this precision, unless a test says otherwise."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from simplexcert.reference.arb.balls import working_precision

BITS = 160


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    """Work at the notes' precision."""
    with working_precision(BITS):
        yield
