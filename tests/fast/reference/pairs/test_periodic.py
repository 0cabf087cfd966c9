"""Rules on one period: none is planned where a lattice is finer than doubles are."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from flint import arb
from simplexcert.reference.pairs import periodic
from simplexcert.reference.pairs.line import Sides


@dataclass(frozen=True)
class Fine:
    """A lattice of so small a span, which many scales together may have."""

    power: int
    offset: Fraction = Fraction(0)
    falls: bool = True

    def span(self) -> arb:
        return arb(10) ** -self.power

    def place(self, epsilon: Fraction) -> int | None:
        pytest.fail(f"a rule was asked at {epsilon}")


@pytest.mark.parametrize("power", [308, 323, 1000])
def test_no_rule_is_planned_on_a_lattice_that_no_double_tells(
    power: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = Sides(arb(2), arb(1), arb(3), arb(1) / 8, 64, -100.0)
    monkeypatch.setattr(periodic, "sides_about", lambda *_: sides)
    nothing: Any = None
    assert periodic.period_for(nothing, Fine(power), 1.0, 50.0) is None
