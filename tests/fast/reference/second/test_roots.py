"""Roots of the second engine: where the search begins decides how long it takes, and no sign."""

from __future__ import annotations

from fractions import Fraction

import pytest
from each import each_of
from simplexcert.reference import evaluate
from simplexcert.reference.dyadic import PLUS_INFINITY, Dyadic
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.likely import likely_answer, looking_near
from simplexcert.reference.second.directed import OutOfReachError, Span
from simplexcert.reference.second.dirichlet.series import log_of
from simplexcert.reference.second.roots import Bracket, bracketed

BITS = 128
ROOT = Fraction(7, 5)
NARROW = Fraction(1, 1 << 80)
OUT_OF_REACH = 100
# Right, nearly so, and wrong by a little, by far and without measure.
PLACES = [
    ROOT,
    ROOT * (1 + Fraction(1, 1 << 60)),
    ROOT * (1 - Fraction(1, 1 << 20)),
    ROOT / 3,
    Fraction(90),
    Fraction(1, 1 << 900),
    Fraction(1 << 900),
]
POINTS = {
    "dirichlet.profile.epsilon": {"alpha": 3, "step": 1, "delta": "0.01"},
    "dirichlet.profile.step_for_dp": {"alpha": 3, "epsilon": 1, "delta": "0.01"},
    "dirichlet.profile.step_for_renyi": {"alpha": 3, "order": 3, "epsilon": "0.5"},
    "dirichlet.add_remove.epsilon": {"alpha": 3, "step": 1, "delta": "0.01"},
    "dirichlet.add_remove.step_for_dp": {"alpha": 3, "epsilon": 1, "delta": "0.01"},
    "dirichlet.add_remove.step_for_renyi": {"alpha": 3, "order": 3, "epsilon": "0.5"},
    "dirichlet.counts.k_for_dp": {"eta": "0.1", "N": 50, "epsilon": 1, "delta": "0.01"},
    "dirichlet.renyi.step": {"order": 3, "epsilon": 1, "delta2_squared": 2, "delta_inf": 1},
}  # fmt: skip


def probes(likely: Fraction | None, reach: float = float("inf")) -> tuple[Enclosure, int]:
    """Return how a known root is enclosed, and at how many points the function was asked."""
    asked = []

    def excess(point: Fraction, bits: int) -> Span:
        asked.append(point)
        if point > reach:
            raise OutOfReachError
        return log_of(point, bits) - log_of(ROOT, bits)

    return bracketed(excess, Fraction(1), BITS, likely=likely).enclosure(), len(asked)


@pytest.mark.parametrize("likely", [None, *PLACES], ids=str)
def test_a_root_is_proved_wherever_it_is_said_to_be(likely: Fraction | None) -> None:
    found, _ = probes(likely)
    assert found.low.as_fraction() < ROOT < found.high.as_fraction()
    assert found.high.as_fraction() - found.low.as_fraction() < NARROW


def test_a_place_where_nothing_is_known_ends_no_search() -> None:
    found, _ = probes(Fraction(2 * OUT_OF_REACH), OUT_OF_REACH)
    assert found.low.as_fraction() < ROOT < found.high.as_fraction()


def test_a_right_place_takes_fewer_points() -> None:
    assert probes(ROOT)[1] < probes(None)[1]


@each_of("name", POINTS)
def test_an_opinion_is_its_own_wherever_the_answer_is_said_to_be(name: str) -> None:
    truth = evaluate(name, POINTS[name], digits=20).enclosure
    assert isinstance(truth, Enclosure)
    tripled = Enclosure.of(3 * Fraction(truth.lower))
    for said in (truth, tripled, Enclosure.infinite()):
        with looking_near(said):
            found = evaluate(name, POINTS[name], digits=20, engine="second")
        assert found.narrow
        assert isinstance(found.enclosure, Enclosure)
        assert found.enclosure.overlaps(truth)


@each_of("name", POINTS)
def test_an_opinion_that_is_a_root_begins_where_it_is_said_to_be(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = evaluate(name, POINTS[name]).enclosure
    asked = []
    value_at = Bracket.value_at

    def told(self: Bracket, point: Fraction, bits: int | None = None) -> Span:
        asked.append(point)
        return value_at(self, point, bits)

    monkeypatch.setattr(Bracket, "value_at", told)
    evaluate(name, POINTS[name], engine="second")
    alone = len(asked)
    assert isinstance(truth, Enclosure)
    with looking_near(truth):
        evaluate(name, POINTS[name], engine="second")
    assert len(asked) - alone < alone


def test_what_is_no_positive_number_says_nothing() -> None:
    below = Enclosure(Dyadic(-3), Dyadic(1))
    for said in (Enclosure.infinite(), Enclosure.nothing_known(), below):
        with looking_near(said):
            assert likely_answer() is None
    with looking_near(Enclosure(Dyadic(1), PLUS_INFINITY)):
        assert likely_answer() is None


def test_what_was_said_is_forgotten_with_its_question() -> None:
    with looking_near(Enclosure.of(ROOT)):
        assert likely_answer() is not None
    assert likely_answer() is None
