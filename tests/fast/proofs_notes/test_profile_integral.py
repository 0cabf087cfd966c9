"""The laws of proofs_notes/profile-integral.md: a test named for each heading."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import pytest
from ball_checks import as_ball
from each import each_of
from flint import acb, arb
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.arb.gamma import log_beta
from simplexcert.reference.arb.integration import Cuts, integrate
from simplexcert.reference.dirichlet import profile
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.second.directed import Span
from simplexcert.reference.second.dirichlet import series
from simplexcert.reference.second.dirichlet.profile_integral import log_integral

EXAMPLES = instances(8, 25)
repeatable = settings(derandomize=True, deadline=None, database=None, max_examples=EXAMPLES)


def between(low: str, high: str) -> st.SearchStrategy[Fraction]:
    return st.fractions(Fraction(low), Fraction(high), max_denominator=64)


@dataclass(frozen=True)
class Pair:
    """alpha, step and epsilon/step: q = 1/(1 + e^slope)."""

    alpha: Fraction
    step: Fraction
    slope: Fraction

    @property
    def q(self) -> arb:
        return 1 / (1 + ball(self.slope).exp())

    @property
    def whole(self) -> arb:
        return ball(2 * self.alpha + self.step)

    def share(self, v: acb) -> acb:
        falling = self.q * (-v).exp()
        found: acb = falling / (1 - self.q + falling)
        return found

    def phi(self, v: acb) -> acb:
        found: acb = -ball(self.alpha) * v - self.whole * (1 - self.q + self.q * (-v).exp()).log()
        return found

    def rise(self, v: acb) -> acb:
        found: acb = self.whole * self.share(v) - ball(self.alpha)
        return found

    def bend(self, v: acb) -> arb:
        return (self.whole * self.share(v) * (1 - self.share(v))).real

    def g(self, v: acb) -> acb:
        found: acb = v * (1 - (-ball(self.step) * v).exp()) * self.phi(v).exp()
        return found

    def integral(self) -> arb:
        """The sum of T_n, from the first engine's delta."""
        log_front = -ball(self.alpha * self.slope) + self.whole * (1 - self.q).log()
        front = (log_front - log_beta(self.alpha, self.alpha + self.step)).exp()
        return as_ball(profile.delta(self.alpha, self.step, self.slope * self.step)) / front


def here(v: Fraction) -> acb:
    return acb(ball(v))


PAIRS = st.builds(Pair, between("1/2", "40"), between("1/4", "30"), between("0", "3"))
PLACES = between("1/64", "20")
TANGENTS = between("-3/4", "3/4")
SIZES = [(2, 1, 0), (5, 3, "1/2"), (30, 7, "1/100"), (3, 40, "1/4"), (4, 60, "3/2")]
SEVERAL = [Pair(*map(Fraction, sizes)) for sizes in SIZES]


def lost(tau: Fraction) -> Fraction:
    """Return kappa tau."""
    return tau / (1 - Fraction(44, 100) * tau)


@each_of("pair", SEVERAL)
def test_sum_is_the_integral(pair: Pair) -> None:
    """By the guarded integral of k e^phi over all that counts, and by the rule itself."""

    def integrand(v: acb, cuts: Cuts) -> acb:
        inside = cuts.log(1 - pair.q + pair.q * (-v).exp())
        power = -ball(pair.alpha) * v - pair.whole * inside
        return power.exp() * -(-ball(pair.step) * v).expm1()

    found = integrate(integrand, arb(0), arb(60), tolerance_bits=80)
    assert abs(found - pair.integral()) < arb(2) ** -60 * pair.integral()
    slope = Span.of(pair.slope, 256)
    one = Span.of(1, 256)
    by_rule = log_integral(100, pair.alpha, pair.step, one / (one + slope.exp()))
    assert by_rule.exp().is_within(90)
    assert overlaps(by_rule.exp().enclosure(), pair.integral())


def overlaps(found: Enclosure, known: arb) -> bool:
    low, high = found.lower, found.upper
    assert isinstance(low, Fraction)
    assert isinstance(high, Fraction)
    return not (ball(low) > known or ball(high) < known)


@repeatable
@given(pair=PAIRS, v=PLACES, more=PLACES)
def test_curvature_falls(pair: Pair, v: Fraction, more: Fraction) -> None:
    assert abs(pair.phi(acb(0))) < arb(2) ** -90
    bend = pair.bend(here(v))
    assert bend > pair.bend(here(v + more))
    fallen = pair.rise(acb(0)).real * ball(v) - pair.phi(here(v)).real
    assert fallen > bend * ball(v * v) / 2
    hair = Fraction(1, 2**20)
    slope = (pair.phi(here(v + hair)) - pair.phi(here(v - hair))).real / ball(2 * hair)
    assert pair.rise(here(v + hair)).real < slope < pair.rise(here(v - hair)).real


@repeatable
@given(pair=PAIRS, a=PLACES, tangent=TANGENTS)
def test_off_the_real_line(pair: Pair, a: Fraction, tangent: Fraction) -> None:
    assume(tangent != 0)
    w, at = acb(ball(a), ball(a * tangent)), here(a)
    fallen = pair.rise(acb(0)).real * ball(a) - pair.phi(at).real
    steep = ball(lost(tangent**2))
    assert abs(pair.phi(w).exp()) < (pair.phi(at).real + steep * fallen).exp()
    kept, on_line = 1 - (-ball(pair.step) * w).exp(), 1 - (-ball(pair.step) * at).exp()
    assert abs(kept) < 2 / (1 - (arb(-1)).exp()) * on_line.real


@repeatable
@given(z=between("0", "30"))
def test_bent_less_than_stated(z: Fraction) -> None:
    """The 0.44 of off-the-real-line."""
    assert (ball(z) / ball(z).cosh()) ** 2 < ball(Fraction(44, 100))


def sum_of_sizes(pair: Pair, angle: arb, step: Fraction) -> arb:
    """The rule's sum for the integral of |g| on a line; 60 e-folds left, and right to the end."""
    total = arb(0)
    for j in range(int(-30 / step), int(5 / step)):
        v = (acb(ball(j * step)) + acb(0, 1) * angle).exp()
        total += abs(pair.g(v))
    return total * ball(step)


def right_of(pair: Pair, mu: arb) -> Fraction:
    """Return R."""
    place = Fraction(1, 64)
    while not (
        pair.phi(here(place)).real <= 0 and ball(place) * (pair.rise(here(place)).real + mu) <= -2
    ):
        place *= Fraction(9, 8)
    return place


@each_of("pair", SEVERAL)
@each_of("tangent", ["3/4", "1/2", "1/4"])
def test_lines_cost_a_constant(pair: Pair, tangent: str) -> None:
    tau = Fraction(tangent) ** 2
    theta = 1 - lost(tau)
    assert theta > 0
    mu = pair.rise(acb(0)).real.max(arb(0)) * ball(1 / theta - 1)
    if not ball(pair.alpha) > mu:
        return  # there is no R: a flatter line has one
    bound = ball(4 / theta**2) * pair.integral()
    if mu > 0:
        bound = bound * ball(Fraction(5, 2)) * (mu * ball(right_of(pair, mu))).exp()
    angle = ball(Fraction(tangent)).atan()
    assert sum_of_sizes(pair, angle, Fraction(1, 16)) < bound


@pytest.mark.parametrize("pair", SEVERAL[:3])
def test_rule_errs_by_a_part(pair: Pair) -> None:
    """At steps so coarse that it errs visibly."""
    theta = 1 - lost(Fraction(9, 16))
    if pair.rise(acb(0)).real > 0:
        mu = pair.rise(acb(0)).real * ball(1 / theta - 1)
        cost = ball(Fraction(5, 2)) * (mu * ball(right_of(pair, mu))).exp()
    else:
        cost = arb(1)
    for step in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)):
        rounds = 2 * arb.pi() * ball(Fraction(3, 4)).atan() / ball(step)
        part = 2 * ball(4 / theta**2) * cost / rounds.expm1()
        total = sum_of_sizes(pair, arb(0), step)
        assert abs(total - pair.integral()) < part * pair.integral()


@repeatable
@given(pair=PAIRS, v=PLACES, step=between("1/16", "1"))
def test_rests_are_below_values(pair: Pair, v: Fraction, step: Fraction) -> None:
    left = sum((pair.g(here(v) * (-ball(j * step)).exp()).real for j in range(1, 60)), arb(0))
    kept = ball(v) * -(-ball(pair.step * v)).expm1()
    assert ball(step) * left < kept * (pair.rise(acb(0)).real.max(arb(0)) * ball(v)).exp()
    assume(bool(ball(v) * pair.rise(here(v)).real <= -2))
    right = sum((pair.g(here(v) * ball(j * step).exp()).real for j in range(1, 12)), arb(0))
    assert ball(step) * right < pair.g(here(v)).real


@repeatable
@given(pair=PAIRS, share=between("1/64", "63/64"))
def test_hidden_by_a_moment(pair: Pair, share: Fraction) -> None:
    moved = share * pair.step
    other = log_beta(pair.alpha + moved, pair.alpha + pair.step - moved)
    bound = ball(moved * pair.slope) + other - log_beta(pair.alpha, pair.alpha + pair.step)
    assert 1 - as_ball(profile.delta(pair.alpha, pair.step, pair.slope * pair.step)) < bound.exp()


@each_of(
    "alpha, step, epsilon",
    [("1e5", "1", "0"), ("1e5", "300", "1"), ("1e5", "1e3", "30"), ("3e6", "50", "1/4"),
     ("4e4", "9e3", "2e3"), ("1e6", "1e4", "90")],
)  # fmt: skip
def test_series_and_integral_agree(
    alpha: str, step: str, epsilon: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The series and the integral, at sizes where both can be had."""
    point = tuple(map(Fraction, (alpha, step, epsilon)))
    monkeypatch.setattr(series, "_LONG_SUM", 10**7)
    summed = series.log_profile(100, *point).enclosure()
    monkeypatch.setattr(series, "_LONG_SUM", 0)
    by_rule = series.log_profile(100, *point).enclosure()
    assert summed.overlaps(by_rule)
    assert by_rule.is_narrow(20)
