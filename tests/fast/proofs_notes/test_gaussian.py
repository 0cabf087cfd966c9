"""The laws of proofs_notes/gaussian.md: a test named for each heading, on exact numbers."""

from __future__ import annotations

from fractions import Fraction

from flint import acb, arb
from hypothesis import given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.reference import gaussian
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.integration import Cuts, integrate
from simplexcert.reference.gaussian import profile

SOME = settings(derandomize=True, deadline=None, database=None, max_examples=instances(12, 60))
ROOM = 160


def between(low: str, high: str) -> st.SearchStrategy[Fraction]:
    return st.fractions(Fraction(low), Fraction(high), max_denominator=64)


SPREADS, EPSILONS, MORES = between("1/8", "8"), between("0", "4"), between("1/32", "3")


def density(point: acb) -> acb:
    return (-point * point / 2).exp() / acb(2 * arb.pi()).sqrt()


def chance_above(point: arb) -> arb:
    return (point / arb(2).sqrt()).erfc() / 2


def phi(point: arb) -> arb:
    return (-point * point / 2).exp() / (2 * arb.pi()).sqrt()


def mills(point: arb) -> arb:
    return chance_above(point) / phi(point)


def ends(spread: Fraction, epsilon: Fraction) -> tuple[arb, arb]:
    return ball(epsilon * spread - 1 / (2 * spread)), ball(epsilon * spread + 1 / (2 * spread))


def over_the_line(integrand: object) -> arb:
    """Integrate from -20 to 20; what normal densities have beyond is below 2^-280."""
    return integrate(integrand, arb(-20), arb(20)) + arb(0, 1e-80)  # type: ignore[arg-type]


@SOME
@given(SPREADS, between("-2", "2"), between("-2", "2"))
def test_one_coordinate_is_enough(spread: Fraction, v: Fraction, w: Fraction) -> None:
    # log-ratio of two plane normals at v + s (x, y), as an affine function of x alone
    with working_precision(ROOM):
        squared = v**2 + w**2
        x, y = Fraction(3, 7), Fraction(-5, 9)
        here = (v + spread * x, w + spread * y)
        loss = (here[0] ** 2 + here[1] ** 2 - (spread * x) ** 2 - (spread * y) ** 2) / (
            2 * spread**2
        )
        along = (v * x + w * y) / spread  # N(0, m^2) with m^2 = |v, w|^2/s^2
        assert loss == along + squared / (2 * spread**2)


@SOME
@given(SPREADS, between("-4", "4"))
def test_closed_form(spread: Fraction, epsilon: Fraction) -> None:
    with working_precision(ROOM):
        m, over = ball(1 / spread), ball(epsilon)
        begin = (over - m * m / 2) / m  # where the loss m^2/2 + m x is epsilon

        def part(place: acb, _: Cuts) -> acb:
            x = acb(begin) + place
            loss = m * m / 2 + m * x
            return density(x) * (1 - (over - loss).exp())

        far = 40 + abs(begin).upper()
        found = integrate(part, arb(0), far.mid()) + arb(0, 1e-80)
        assert found.overlaps(profile(spread, epsilon))


@SOME
@given(SPREADS, EPSILONS)
def test_mills_form(spread: Fraction, epsilon: Fraction) -> None:
    with working_precision(ROOM):
        a, b = ends(spread, epsilon)
        assert (phi(a) * (mills(a) - mills(b))).overlaps(profile(spread, epsilon))
        x, fractions = b, []
        for terms in (5, 6):
            value = x
            for n in range(terms, 0, -1):
                value = x + n / value
            fractions.append(1 / value)
        assert min(fractions) < mills(x) < max(fractions)


@SOME
@given(SPREADS, MORES, MORES)
def test_falls_with_noise(spread: Fraction, more: Fraction, epsilon: Fraction) -> None:
    with working_precision(ROOM):
        assert profile(spread + more, epsilon) < profile(spread, epsilon)

        def slope(place: acb, _: Cuts) -> acb:
            return density(place / 2 - ball(epsilon) / place)

        low, high = ball(1 / (spread + more)), ball(1 / spread)
        risen = profile(spread, epsilon) - profile(spread + more, epsilon)
        assert integrate(slope, low, high).overlaps(risen)
        turned = 1 - ball(-epsilon).exp() + ball(-epsilon).exp() * profile(spread, epsilon)
        assert turned.overlaps(profile(spread, -epsilon))


@SOME
@given(SPREADS, EPSILONS, MORES)
def test_falls_with_epsilon(spread: Fraction, epsilon: Fraction, more: Fraction) -> None:
    with working_precision(ROOM):
        assert profile(spread, epsilon + more) < profile(spread, epsilon)


@SOME
@given(between("-2", "2"), SPREADS)
def test_multipliers_compose(epsilon: Fraction, spread: Fraction) -> None:
    # multipliers 3/5 of the inverse and 4/5 of it: the second one's loss is integrated over
    with working_precision(ROOM):
        m = ball(Fraction(4, 5) / spread)
        first = Fraction(5, 3) * spread

        def part(place: acb, _: Cuts) -> acb:
            left = acb(ball(epsilon)) - m * m / 2 - m * place
            scaled, half = left * ball(first), ball(1 / (2 * first))
            root = arb(2).sqrt()
            near, far = ((scaled - half) / root).erfc(), ((scaled + half) / root).erfc()
            return density(place) * (near - left.exp() * far) / 2

        assert over_the_line(part).overlaps(profile(spread, epsilon))


@SOME
@given(SPREADS, between("1", "20"))
def test_renyi_formula(spread: Fraction, order: Fraction) -> None:
    with working_precision(ROOM):
        m, power = ball(1 / spread), ball(order - 1)

        def part(place: acb, _: Cuts) -> acb:
            x = place + power * m
            return density(x) * (power * (m * m / 2 + m * x)).exp()

        def mean(place: acb, _: Cuts) -> acb:
            return density(place) * (m * m / 2 + m * place)

        answer = ball(gaussian.renyi(spread, order))
        assert (over_the_line(part)).overlaps((power * answer).exp())
        assert over_the_line(mean).overlaps(ball(gaussian.renyi(spread, Fraction(1))))


@SOME
@given(SPREADS, between("1/64", "63/64"))
def test_bound_on_epsilon(spread: Fraction, share: Fraction) -> None:
    with working_precision(ROOM):
        m = ball(1 / spread)
        bound = m * m / 2 + m * (-2 * ball(share).log()).sqrt()
        assert profile(spread, bound) < ball(share)


@SOME
@given(SPREADS, EPSILONS, MORES)
def test_bounds_of_doubles(spread: Fraction, point: Fraction, more: Fraction) -> None:
    with working_precision(ROOM):
        half = 1 / (2 * spread)

        def two_numbers(p: Fraction, h: Fraction) -> arb:
            return phi(ball(p - h)) * (mills(ball(p - h)) - mills(ball(p + h)))

        assert two_numbers(point + more, half) < two_numbers(point, half)
        assert two_numbers(point, half + more) > two_numbers(point, half)
        a, b = ball(point - half), ball(point + half)
        fall = [1 - x * mills(x) for x in (a, (a + b) / 2, b)]
        assert fall[0] > fall[1] > fall[2] > 0
        assert mills(a) - mills(b) < (b - a) * (fall[0] + fall[2]) / 2
        if point > half:
            square = a * a
            assert fall[0] < (square + 3) / (square * square + 6 * square + 3)
