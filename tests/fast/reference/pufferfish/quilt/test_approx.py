"""MQMApprox: published numbers, every quilt by brute force, both ends, long chains, refusals."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from fractions import Fraction

import pytest
from each import each_of
from flint import arb
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import INFINITY, ball, middle, working_precision
from simplexcert.reference.errors import DomainError
from simplexcert.reference.pufferfish.additive import chain_loss
from simplexcert.reference.pufferfish.gap import eigengap, stationary_minimum
from simplexcert.reference.pufferfish.quilt import approx as least_score_module
from simplexcert.reference.pufferfish.quilt.approx import (
    Kind,
    Mixing,
    QuiltSide,
    Release,
    larger,
    least_score,
    quilt_scale_approx,
    quilt_scale_approx_stationary,
    smaller,
)
from simplexcert.reference.structures import STATIONARY, ChainLaw

ONE = Fraction(1)
EXAMPLE = Mixing(Fraction(1, 5), Fraction(3, 4))
WAYS = ((2, quilt_scale_approx), (1, quilt_scale_approx_stationary))


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(128):
        yield


def as_ball(value: arb | Fraction) -> arb:
    return ball(value) if isinstance(value, Fraction) else value


def shows(value: arb | Fraction, text: str) -> bool:
    """Whether a narrow ball agrees with a decimal in all its digits but the last."""
    unit = Fraction(1, 10 ** len(text.partition(".")[2]))
    number = as_ball(value)
    return bool(number.is_finite() and abs(number - ball(Fraction(text))) <= ball(unit))


def by_brute_force(mixing: Mixing, length: int, epsilon: Fraction, factor: int) -> float:
    """Return the scale by its definition, in doubles."""
    shares = [
        math.exp(-float(mixing.gap) * t / 2) / float(mixing.pi_min) for t in range(length + 1)
    ]
    w = [math.log((1 + u) / (1 - u)) if u < 1 else math.inf for u in shares]

    def score(card: int, influence: float) -> float:
        return card / (float(epsilon) - influence) if influence < epsilon else math.inf

    largest = 0.0
    for node in range(1, length + 1):
        before, after = range(1, node), range(1, length - node + 1)
        scores = [length / float(epsilon)]
        scores += [score(length - node + a, factor * w[a]) for a in before]
        scores += [score(node + b - 1, w[b]) for b in after]
        scores += [score(a + b - 1, factor * w[a] + w[b]) for a in before for b in after]
        largest = max(largest, min(scores))
    return largest


def test_published_and_recorded_numbers() -> None:
    one = quilt_scale_approx(Fraction(1, 5), ONE, 100, ONE)
    assert shows(one, "23.505955")
    assert shows(quilt_scale_approx_stationary(Fraction(1, 5), ONE, 100, ONE), "21.862389")
    printed = quilt_scale_approx(Fraction(1, 11), Fraction(3, 4), 50, ONE)
    assert shows(printed, "36.6583697520678398")


def test_it_is_the_brute_force_over_all_quilts_and_nodes() -> None:
    rng = random.Random("brute")  # noqa: S311
    exact = 0
    for _ in range(instances(30, 120)):
        mixing = Mixing(Fraction(rng.randint(1, 60), 100), Fraction(rng.randint(2, 200), 100))
        length = rng.randint(1, rng.choice([3, 12, 30]))
        epsilon = Fraction(rng.randint(1, 100), 10)
        for factor, scale in WAYS:
            found = scale(mixing.pi_min, mixing.gap, length, epsilon)
            known = by_brute_force(mixing, length, epsilon, factor)
            assert as_ball(found).rel_accuracy_bits() > 100
            assert math.isclose(float(as_ball(found).mid()), known, rel_tol=1e-9)
            exact += found == length / epsilon
    assert 40 < exact < 230


def test_the_trivial_quilt_answers_exactly_where_no_other_reaches_epsilon() -> None:
    for _, scale in WAYS:
        assert scale(Fraction(1, 5), Fraction(1, 1000), 40, Fraction(1, 3)) == 120
        assert scale(Fraction(1, 5), ONE, 1, Fraction(1, 3)) == 3


def test_a_quilt_with_one_side_can_set_the_scale() -> None:
    """Neither the two-sided quilts nor the trivial one are as good for the worst node."""
    mixing, length, epsilon = Mixing(Fraction(39, 100), Fraction(179, 100)), 7, Fraction(33, 10)
    found = quilt_scale_approx(mixing.pi_min, mixing.gap, length, epsilon)
    inner = least_score(Kind(mixing, epsilon, -1, (QuiltSide(2), QuiltSide(1))))
    assert found < inner
    assert found < ball(length / epsilon)
    assert shows(found, "2.0363057377")


def test_long_chains_and_small_gaps_cost_nothing_more() -> None:
    for gap, length in ((Fraction(3, 4), 10**9), (Fraction(1, 10**6), 10**12)):
        here, there = (
            quilt_scale_approx(Fraction(1, 5), gap, n, ONE) for n in (length, 10 * length)
        )
        assert as_ball(here).rel_accuracy_bits() > 80
        assert as_ball(here).overlaps(as_ball(there))


def test_it_falls_when_anything_gets_better() -> None:
    point = {"pi_min": Fraction(1, 5), "gap": Fraction(1, 2), "length": 200, "epsilon": ONE}
    scale = as_ball(quilt_scale_approx(**point))
    for name, better in (("pi_min", "3/10"), ("gap", "3/5"), ("epsilon", "11/10")):
        assert as_ball(quilt_scale_approx(**point | {name: Fraction(better)})) < scale
    assert as_ball(quilt_scale_approx_stationary(**point)) < scale


def test_no_gap_is_refused_with_what_to_do() -> None:
    point = {"pi_min": "1/5", "gap": "0", "length": "100", "epsilon": "1"}
    for name in ("quilt_scale_approx", "quilt_scale_approx_stationary"):
        with pytest.raises(DomainError, match=r"gap > 0.*several steps.*quilt_scale_exact"):
            evaluate(f"pufferfish.{name}", point)


def test_a_side_out_of_reach_is_infinite_and_not_left_open() -> None:
    assert least_score(Kind(EXAMPLE, ONE, 4, (QuiltSide(1, 2),))) == INFINITY
    assert least_score(Kind(EXAMPLE, ONE, 4, (QuiltSide(1, 40),))).is_finite()


def test_too_few_bits_are_not_a_number() -> None:
    """e^(-g t/2) = pi to 40 bits: infinite and finite influence cannot be told apart."""
    with working_precision(300):
        pi = (-ball(Fraction(3, 8) * 5)).exp().mid()
        mantissa, exponent = pi.man_exp()
    edge = Mixing(Fraction(int(mantissa)) * Fraction(2) ** int(exponent), Fraction(3, 4))
    with working_precision(40):
        assert edge.influence(5).is_nan()
        assert least_score(Kind(edge, Fraction(10**6), 1, (QuiltSide(1, 5),))).is_nan()


def test_smaller_and_larger_keep_what_is_proved() -> None:
    two, wide = arb(2), arb(2, 1)
    assert smaller(two, INFINITY) == two == smaller(INFINITY, two)
    assert larger(arb(1), two) == two == larger(two, arb(1))
    assert larger(two, INFINITY) == INFINITY
    assert smaller(wide, two).contains(arb("1.5"))
    assert not smaller(wide, two) > 2
    assert smaller(arb("nan"), two).is_nan()
    # Touching intervals: the one that lies below, not the first one.
    low, high = arb(1, 1), arb(3, 1)
    assert smaller(high, low).contains(arb("0.5"))
    assert larger(low, high).contains(arb("3.5"))


def test_the_exact_loss_stays_within_epsilon() -> None:
    """Small chains, queries of Lipschitz constant 1, and scales rounded up."""
    rng = random.Random("loss")  # noqa: S311
    largest = Fraction(0)
    for _ in range(instances(13, 40)):
        rows = [[rng.randint(1, 6) for _ in range(3)] for _ in range(3)]
        matrix = tuple(tuple(Fraction(weight, sum(row)) for weight in row) for row in rows)
        start = tuple(Fraction(share, 6) for share in rng.sample([1, 2, 3], 3))
        length, epsilon = rng.randint(1, 6), Fraction(rng.randint(2, 80), 10)
        values = tuple(tuple(Fraction(rng.randint(0, 1)) for _ in range(3)) for _ in range(length))
        gap = middle(as_ball(eigengap(matrix)).lower())
        point = (stationary_minimum(matrix), gap, length)
        for way, (_, scale) in zip((start, STATIONARY), WAYS, strict=True):
            enough = middle(as_ball(scale(*point, epsilon))) * (1 + Fraction(1, 10**20))
            loss = chain_loss((ChainLaw(way, matrix),), length, values, enough)
            assert loss <= ball(epsilon)
            largest = max(largest, middle(loss) / epsilon)
    assert largest > Fraction(1, 2)


@each_of("guess", [1, 2, 3, 9, 14, 17, 300])
def test_a_bad_guess_costs_width_and_never_truth(
    guess: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is chosen for speed is chosen wrongly: lags, the number of steps, the crossing."""
    kind = Kind(EXAMPLE, ONE, -1, (QuiltSide(2), QuiltSide(1)))
    truth, scale = least_score(kind), quilt_scale_approx(Fraction(2, 5), ONE, 7, Fraction(6))
    monkeypatch.setattr(least_score_module, "_MAX_STEPS", 1)
    assert least_score(kind).contains(truth)
    monkeypatch.setattr(Release, "_crossing", lambda release: min(guess, release.length))
    found = quilt_scale_approx(Fraction(2, 5), ONE, 7, Fraction(6))
    assert as_ball(found).is_nan() or as_ball(found).contains(as_ball(scale))
    monkeypatch.setattr(least_score_module, "_best_lag", lambda *_: guess)
    wrong = least_score(kind)
    assert wrong.is_nan() or wrong.contains(truth)
    assert wrong.is_nan() == (guess != 14)  # the best lags are 15 and 13
