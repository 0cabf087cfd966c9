"""Where a library is missing, a sentence says what brings it."""

from __future__ import annotations

import sys

import pytest
from simplexcert.certify.adapters.dp_accounting import privacy_loss_distribution
from simplexcert.certify.adapters.opendp import make_histogram
from simplexcert.reference.errors import InputError


def test_without_opendp_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opendp.prelude", None)
    with pytest.raises(InputError, match=r"pip install 'simplexcert\[opendp\]'"):
        make_histogram(3, 1, 1)


def test_without_dp_accounting_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dp_accounting", None)
    with pytest.raises(InputError, match=r"pip install 'simplexcert\[dp-accounting\]'"):
        privacy_loss_distribution(1, 1)
