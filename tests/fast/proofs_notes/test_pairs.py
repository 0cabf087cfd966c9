"""The laws of proofs_notes/pairs.md: a test named for each heading, on pairs with a closed form."""

from __future__ import annotations

import math
from fractions import Fraction

from each import each_of
from flint import acb, arb
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.composition.discrete import OfOne
from simplexcert.reference.composition.lattices import Response
from simplexcert.reference.composition.pairs import Gaussian
from simplexcert.reference.dpsgd.route import Training, delta_of
from simplexcert.reference.gaussian import profile
from simplexcert.reference.pairs import (
    Composed,
    Line,
    chernoff,
    delta_on_line,
    line_for,
    period_for,
)
from simplexcert.reference.pairs.line import Sides
from simplexcert.reference.pairs.periodic import Period

NATS = 60.0
CASES = [("2", 1, "1/2"), ("3/2", 4, "2"), ("10", 30, "0"), ("1/2", 2, "-1")]


def composed(spread: str, count: int) -> Composed:
    return Composed(((Gaussian(1 / Fraction(spread) ** 2), count),))


def truth(spread: str, count: int, epsilon: Fraction) -> arb:
    return profile(ball(Fraction(spread)) / ball(Fraction(count)).sqrt(), epsilon)


def line_of(spread: str, count: int, epsilon: Fraction) -> Line:
    found = line_for(composed(spread, count), float(epsilon), NATS)
    assert found is not None
    return found


@each_of("case", CASES)
def test_inversion_of_any_pair(case: tuple[str, int, str]) -> None:
    spread, count, at = case
    epsilon = Fraction(at)
    with working_precision(128):
        found = line_of(spread, count, epsilon).delta(epsilon)
        assert found.overlaps(truth(spread, count, epsilon))
        assert found.rel_accuracy_bits() > NATS / math.log(2) - 8
        line = line_of(spread, count, epsilon)
        for other in ("-2", "0", "1/2", "9"):  # a line serves every epsilon
            assert line.delta(Fraction(other)).overlaps(truth(spread, count, Fraction(other)))
        for crossing in ("1/8", "1", "5"):
            bound = chernoff(composed(spread, count), epsilon, ball(Fraction(crossing)))
            assert truth(spread, count, epsilon) < bound.exp()


@each_of("count, at", [(1, "0"), (7, "1/2"), (7, "2"), (40, "-3"), (40, "13")])
def test_one_period(count: int, at: str) -> None:
    """Random answers of two categories: a binomial sum; the aliases of a short rule are added."""
    epsilon, p = Fraction(at), Fraction(3, 4)
    kind = Response(p, 1 - p)
    pairs, lattice = Composed(((kind, count),)), OfOne(kind)

    def delta_at(threshold: arb) -> arb:
        total, loss = arb(0), kind.span()
        for k in range(count + 1):
            own = ball(math.comb(count, k) * p**k * (1 - p) ** (count - k))
            total += own * (1 - (threshold - (2 * k - count) * loss).exp()).max(arb(0))
        return total

    with working_precision(128):
        found = period_for(pairs, lattice, float(epsilon), NATS)
        assert found is not None
        assert found.delta(epsilon).overlaps(delta_at(ball(epsilon)))
        assert found.delta(epsilon).rel_accuracy_bits() > NATS / math.log(2) - 8
        for other in ("-2", "0", "1/2", "9"):  # a rule serves every epsilon
            there = found.delta(Fraction(other))
            assert there.overlaps(delta_at(ball(Fraction(other))))
        # Of few nodes the aliases are large, and the rule without their bound is their sum.
        step = arb(2)
        sides = Sides(arb("0.5"), arb("0.25"), arb("0.75"), step, 128, 0.0)
        short = Period(pairs, lattice, sides)
        assert short.delta(epsilon).overlaps(delta_at(ball(epsilon)))
        nodes = short._count
        turns = range(-30, 31)
        aliases = sum(
            (
                (arb("0.5") * m * nodes * kind.span()).exp()
                * delta_at(ball(epsilon) + m * nodes * kind.span())
                for m in turns
            ),
            arb(0),
        )
        rule = short.delta(epsilon) + short._aliases(ball(epsilon))
        assert aliases.overlaps(rule)
        assert not aliases > delta_at(ball(epsilon)) + short._aliases(ball(epsilon))


def test_one_order_for_all() -> None:
    training = Training(Fraction(1), Fraction(1, 10), 60)
    with working_precision(128):
        for at in (Fraction(1, 4), Fraction(1)):
            first = delta_on_line(training.pairs(removed=True), at, NATS)
            other = delta_on_line(training.pairs(removed=False), at, NATS)
            turned = line_for(training.pairs(removed=True), -float(at), NATS)
            assert first is not None
            assert other is not None
            assert turned is not None
            grown = ball(at).exp()
            assert other.overlaps(1 - grown + grown * turned.delta(-at))
            assert delta_of(training, at).overlaps(first.max(other))


def test_aliases_of_any_pair() -> None:
    # a step so long that the aliases are no longer small: the plain rule is above, the line is not
    with working_precision(128):
        spread, count, epsilon = "2", 5, Fraction(1)
        pairs = composed(spread, count)
        c, h = arb(1), arb(3)
        total = arb(0)
        for j in range(-60, 61):
            z = acb(c, h * j)
            moment = (z * (z + 1) * count / (2 * ball(Fraction(spread)) ** 2)).exp()
            total += (moment * (-z * ball(epsilon)).exp() / (z * (z + 1))).real
        rule = total * h / (2 * arb.pi())
        exact = arb(0)
        for m in range(-25, 26):
            shift = 2 * arb.pi() * m / h
            at = ball(epsilon) + shift
            exact += (c * shift).exp() * profile(
                ball(Fraction(spread)) / ball(Fraction(count)).sqrt(), at
            )
        assert rule > truth(spread, count, epsilon)
        assert abs(rule - exact) < 1e-20
        left = (pairs.log_moment(arb(0)) - 2 * arb.pi() / h).exp()
        right_at = arb(4)
        right = (pairs.log_moment(right_at) - right_at * ball(epsilon)).exp()
        ratio = (-2 * arb.pi() * (right_at - c) / h).exp()
        most = left / (1 - (-2 * arb.pi() / h).exp()) + right * ratio / (1 - ratio)
        assert rule - truth(spread, count, epsilon) < most


def test_beyond_a_bounded_node() -> None:
    with working_precision(128):
        pairs, c, h, last = composed("2", 3), arb(1), arb(1) / 4, 8
        terms = arb(0)
        for j in range(last + 1, 400):
            z = acb(c, h * j)
            moment = (z * (z + 1) * 3 / 8).exp()
            terms += 2 * abs(moment / (z * (z + 1)))
        bound = pairs.log_bound(c, h * last).exp() / (arb.pi() * h * last)
        assert terms * h / (2 * arb.pi()) < bound
