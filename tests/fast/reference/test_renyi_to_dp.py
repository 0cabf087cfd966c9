"""The least epsilon-hat of Renyi privacy: every size, both engines, real conversions above it."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from ball_checks import seeded
from dp_accounting.rdp import compute_epsilon
from each import each_of
from instances import instances
from simplexcert.certify.backends.float64 import backend
from simplexcert.reference import Answer, evaluate
from simplexcert.reference.enclosure import overlap
from simplexcert.reference.errors import DomainError

NAME = "renyi.epsilon_for_dp"
LEMMA = "dirichlet.renyi.to_approximate_dp"
ORDERS = ("1", "1.000000001", "1.5", "2", "10", "200", "1e6", "1e300")
EPSILONS = ("1e-300", "1e-20", "1e-3", "0.3", "5", "100", "1e6", "1e300")
DELTAS = ("1e-300", "1e-12", "1e-3", "0.3", "0.9", "0.999999999999")


def least(order: object, epsilon: object, delta: object, engine: str = "arb") -> Answer:
    return evaluate(NAME, {"order": order, "epsilon": epsilon, "delta": delta}, engine=engine)


@each_of("order", ORDERS)
def test_every_size_is_answered_at_or_below_lemma_3(order: str) -> None:
    for epsilon, delta in itertools.product(EPSILONS, DELTAS):
        found = least(order, epsilon, delta)
        assert found.narrow, (epsilon, delta)
        if order != "1":
            lemma = evaluate(LEMMA, {"order": order, "epsilon": epsilon, "delta": delta})
            assert found.lower <= lemma.upper, (epsilon, delta)


def test_both_engines_agree_on_sizes() -> None:
    some = itertools.product(ORDERS[:6], EPSILONS[1:7], DELTAS)
    for order, epsilon, delta in itertools.islice(some, 0, None, 11):
        first, second = (least(order, epsilon, delta, engine) for engine in ("arb", "second"))
        assert second.narrow, (order, epsilon, delta)
        assert second.rigorous
        assert overlap(first.enclosure, second.enclosure), (order, epsilon, delta)


def test_real_conversions_are_at_or_above_it() -> None:
    """dp-accounting's conversion of one order, which knows four inequalities."""
    rng = seeded("dp-accounting")
    nearest = math.inf
    for _ in range(instances(75, 300)):
        order = 1.02 + math.exp(rng.uniform(-4, 4.5))
        epsilon, delta = math.exp(rng.uniform(-6, 3)), math.exp(rng.uniform(-12, -0.05))
        theirs, _ = compute_epsilon([order], [epsilon], delta)
        truth = least(order, epsilon, delta)
        assert theirs * (1 + 1e-12) >= truth.lower, (order, epsilon, delta)
        if truth.lower > 0:
            nearest = min(nearest, theirs / float(truth.lower))
    assert nearest < 1.001


@pytest.mark.parametrize(
    ("order", "epsilon", "delta", "theirs"),
    [(200, "0.1514308", "0.5135825", 0), ("1.01", "0", "0.49999", 0), ("2", "1", "1e-5", "15")],
)
def test_sound_answers_that_were_called_too_small_are_not_below_it(
    order: object, epsilon: str, delta: str, theirs: object
) -> None:
    assert Fraction(str(theirs)) >= least(order, epsilon, delta).lower


def test_equal_laws_need_nothing() -> None:
    for engine in ("arb", "second"):
        assert least(2, 0, "1e-12", engine).exact == 0
        assert least(2, "0.1", "0.9", engine).exact == 0


@pytest.mark.parametrize(
    ("given", "condition"),
    [((Fraction(1, 2), 1, "0.1"), "1 <= order"), ((2, 1, 0), "0 < delta < 1")],
)
def test_outside_the_domain_there_is_a_sentence(given: tuple[object, ...], condition: str) -> None:
    with pytest.raises(DomainError, match=condition):
        least(*given)


def test_floats_are_above_it_and_near() -> None:
    rng = seeded("floats of least")
    answer = backend.quantities[NAME]
    for turn in range(instances(75, 300)):
        point = {
            "order": 1.0 if turn % 9 == 0 else 1 + math.exp(rng.uniform(-27, 6)),
            "epsilon": math.exp(rng.uniform(-7, 4)),
            "delta": math.exp(rng.uniform(-27, -1e-9)),
        }
        truth, value = least(**point), Fraction(answer(**point))
        assert value >= truth.lower, point
        if truth.lower > 0.01:
            assert value <= truth.upper * Fraction("1.00000000001"), point
    for order, epsilon, delta in itertools.product(
        (1.0, 1 + 2.0**-52, 2.0, 1e300), (5e-324, 1e-9, 1e300), (5e-324, 0.5, 1 - 2.0**-53)
    ):
        value = answer(order=order, epsilon=epsilon, delta=delta)
        assert value >= least(order, epsilon, delta).lower
