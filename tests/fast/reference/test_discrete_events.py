"""Releases whose losses lie on lattices: two ways to one delta, and events that lose nothing."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from flint import arb
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import working_precision
from simplexcert.reference.composition import Mixture, discrete
from simplexcert.reference.composition.discrete import Common
from simplexcert.reference.composition.lattices import DiscreteGaussian
from simplexcert.reference.discrete_gaussian import profile as discrete_profile
from simplexcert.reference.domain import Events
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.pairs import Composed
from simplexcert.reference.pairs.line import Sides
from simplexcert.reference.pairs.periodic import Period
from simplexcert.reference.precision import Budget
from simplexcert.reference.second import opinion_on

BITS = 128
WHOLE = {"mechanism": "discrete_laplace", "scale": "3/2", "sensitivity": 2}
BROAD = {"mechanism": "discrete_gaussian", "scale": "5/4", "sensitivity": 2}
NARROW = {"mechanism": "discrete_gaussian", "scale": "2/3", "sensitivity": 1}
ANSWER = {"mechanism": "randomized_response", "categories": 4, "truth_probability": "3/5"}


def mixture(*events: dict[str, Any]) -> Mixture:
    return Mixture.of(Events().read("events", list(events)), "replace")


def test_losses_on_lattices_are_told_in_the_same_way_at_any_count() -> None:
    """Atom by atom and on one period, where both are within reach; to tiny deltas."""
    for events, at in [
        ([{**WHOLE, "count": 30}, {**WHOLE, "scale": 3, "count": 5}], "19"),
        ([{**BROAD, "count": 12}], "80"),
        ([{**ANSWER, "count": 40}], "50"),
        ([{**NARROW, "count": 4}], "0"),
        ([WHOLE], "1/2"),
        ([BROAD], "1"),
        ([ANSWER], "1"),
    ]:
        found = mixture(*events).discrete
        with working_precision(BITS):
            period = discrete._by_period(found, Fraction(at))
            assert period is not None
            about = float(period.log().mid())
            atoms = discrete._by_atoms(found, Fraction(at), about)
            assert period.overlaps(atoms)
            if len(events) == found.pairs.count == 1:  # its own closed form, which is then taken
                own = found.kinds[0][0].delta(Fraction(at))
                assert isinstance(own, arb)
                assert own.overlaps(atoms)
            assert min(period.rel_accuracy_bits(), atoms.rel_accuracy_bits()) > 60


def test_nothing_is_lost_by_answers_that_are_alike() -> None:
    even = {**ANSWER, "truth_probability": "1/4"}
    for which in ({"epsilon": 0}, {"delta": "1e-9"}, {"delta": 0}):
        asked = "delta" if "epsilon" in which else "epsilon"
        for engine in ("arb", "second"):
            found = evaluate(
                f"composition.{asked}", events=[even], neighbours="replace", engine=engine, **which
            )
            assert found.upper == 0


def test_extreme_events_are_answered_or_left_open_by_both_engines() -> None:
    """Never an error: a scale so small that no saddle is seen; losses that are too many to list."""
    least = {"mechanism": "discrete_gaussian", "scale": "1e-9", "sensitivity": 1, "count": 2}
    most = {"mechanism": "discrete_laplace", "scale": 2, "sensitivity": 10**9}
    for events, alone in (([least], False), ([most], True), ([most, ANSWER], False)):
        for engine in ("arb", "second"):
            found = evaluate(
                "composition.delta",
                events=events,
                neighbours="replace",
                epsilon=1,
                engine=engine,
                budget=Budget(2),
            )
            assert found.upper <= 1
            assert found.narrow or not alone


@pytest.mark.parametrize("kept", [1, 5, 30])
def test_nodes_that_are_left_out_of_a_period_are_bounded(
    kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One discrete Gaussian release, whose delta is known by itself."""

    class Cut(Period):
        def _nodes_needed(self, _epsilon: float, _span: float) -> int:
            return kept

    kind = DiscreteGaussian(Fraction(5, 2), 2)
    lattice = Common(kind.offset, kind.exact_span, falls=True)
    sides = Sides(arb("0.5"), arb(0), arb(3), arb("0.02"), 128, 0.0)
    with working_precision(128):
        cut = Cut(Composed(((kind, 1),)), lattice, sides)
        for at in ("-1", "0", "1/2", "2"):
            epsilon = Fraction(at)
            truth = discrete_profile(kind.scale, kind.sensitivity, epsilon)
            assert cut.delta(epsilon).overlaps(truth)
            monkeypatch.setattr(Cut, "_rest", lambda *_: arb(0))
            assert not cut.delta(epsilon).overlaps(
                discrete_profile(kind.scale, kind.sensitivity, epsilon)
            )
            monkeypatch.undo()


def test_a_contour_beside_losses_on_lattices_does_not_end_in_a_dip() -> None:
    """All moments together are small up a line, and rise again where the losses' phases meet."""
    events = [
        {"mechanism": "discrete_gaussian", "scale": 1, "sensitivity": 3, "count": 40},
        {"mechanism": "gaussian", "noise_multiplier": 3},
    ]
    given = Events().read("events", events)
    first = evaluate("composition.delta", events=given, neighbours="replace", epsilon=250)
    second = opinion_on("composition.delta").enclose(64, given, "replace", Fraction(250))
    assert isinstance(second, Enclosure)
    assert second.is_narrow(4)
    assert first.lower <= second.upper
    assert second.lower <= first.upper
