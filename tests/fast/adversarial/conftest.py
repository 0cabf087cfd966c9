"""Numbers of the reference are worked out once: their own laws are tried elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kept_enclosures import kept_enclosures


@pytest.fixture(autouse=True, scope="module")
def kept() -> Iterator[None]:
    with kept_enclosures():
        yield
