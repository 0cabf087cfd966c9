"""Laws of the second opinions on compositions and on the rows of a matrix."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import pairwise

import gmpy2
import mpmath
import pytest
from each import each_of
from gmpy2 import mpc, mpfr
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.dyadic import Dyadic
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.second import opinion_on, trapezoid
from simplexcert.reference.second.directed import OutOfReachError
from simplexcert.reference.second.dirichlet.composition import contour, level, quantities
from simplexcert.reference.second.dirichlet.composition.contour import Chance, Inversion, saddle
from simplexcert.reference.second.dirichlet.composition.level import _next
from simplexcert.reference.second.dirichlet.composition.moments import Losses
from simplexcert.reference.second.dirichlet.series import log_profile
from simplexcert.reference.second.dpsgd import delta as training
from simplexcert.reference.second.dpsgd import few_steps
from simplexcert.reference.second.nearest import Stirling, binary_exponent, widened, working

BITS = 128
DIGITS, ROOT_DIGITS = 30, 25
ONE, TWO, THREE, HALF = Fraction(1), Fraction(2), Fraction(3), Fraction(1, 2)

delta = opinion_on("dirichlet.composition.delta").enclose
epsilon = opinion_on("dirichlet.composition.epsilon").enclose
matrix_delta = opinion_on("dirichlet.matrix.delta").enclose
matrix_miss = opinion_on("dirichlet.matrix.delta_bound").enclose
matrix_bound = opinion_on("dirichlet.matrix.epsilon_bound").enclose
row_miss = opinion_on("dirichlet.identity.delta_bound").enclose
row_bound = opinion_on("dirichlet.identity.epsilon_bound").enclose
single_delta = opinion_on("dirichlet.profile.delta").enclose
single_epsilon = opinion_on("dirichlet.profile.epsilon").enclose


def seeded(name: str) -> random.Random:
    return random.Random(name)  # noqa: S311 (test points, the same every time)


def spread(rng: random.Random, low: float, high: float) -> Fraction:
    """Return a rational of eight figures, log-uniform."""
    return Fraction(f"{math.exp(rng.uniform(math.log(low), math.log(high))):.8g}")


def agree(first: Enclosure, second: Enclosure, digits: int = DIGITS) -> bool:
    """Whether two enclosures overlap, and are both narrow."""
    narrow = first.is_narrow(digits) and second.is_narrow(digits)
    return narrow and first.overlaps(second)


def texts(releases: tuple[tuple[Fraction, Fraction, int], ...]) -> list[list[str]]:
    return [[str(entry) for entry in row] for row in releases]


def test_a_hyperbola_for_one_release_says_what_the_series_of_positive_terms_says() -> None:
    rng = seeded("single")
    for _ in range(instances(3, 12)):
        alpha, step = spread(rng, 0.01, 300), spread(rng, 1e-4, 50)
        loss = spread(rng, 1e-3, 10)
        with working(BITS):
            both = Inversion(Losses([(alpha, step, 1)]), loss, BITS, False).two_chances()
            one, other = (gmpy2.exp(chance.logarithm) for chance in both)
            found = widened(one, other, BITS - 8, ONE)
        assert agree(found, log_profile(200, alpha, step, loss).exp_enclosure()), (
            alpha,
            step,
            loss,
        )


def test_delta_and_what_it_lacks_of_one_come_from_different_lines() -> None:
    rng = seeded("sides")
    for _ in range(instances(3, 8)):
        losses = Losses([(spread(rng, 0.5, 20), spread(rng, 0.2, 5), rng.randint(1, 4))])
        mean = Fraction(float(losses.slope(mpfr(0), Fraction(0))))
        with working(BITS):
            lower, upper = (
                Inversion(losses, mean, BITS, survives).two_chances()[1]
                for survives in (False, True)
            )
            lacking = gmpy2.exp(lower.logarithm) + gmpy2.exp(upper.logarithm) - 1
            slopes = lower.rate * gmpy2.exp(lower.logarithm) + upper.rate * gmpy2.exp(
                upper.logarithm
            )
            assert binary_exponent(lacking) < -110
            assert binary_exponent(slopes) < -110


def test_one_release_alone_has_the_rigorous_answer() -> None:
    row = (THREE, TWO, 1)
    found, expected = delta(BITS, (row,), ONE), single_delta(BITS, THREE, TWO, ONE)
    assert (found.low, found.high) == (expected.low, expected.high)
    found, expected = epsilon(BITS, (row,), HALF), single_epsilon(BITS, THREE, TWO, HALF)
    assert (found.low, found.high) == (expected.low, expected.high)


def test_equal_releases_may_be_written_apart() -> None:
    apart = (THREE, TWO, 1), (ONE, HALF, 1), (THREE, TWO, 1)
    together = (THREE, TWO, 2), (ONE, HALF, 1)
    assert agree(delta(BITS, apart, ONE), delta(BITS, together, ONE))
    assert Losses(apart).single is None


def test_delta_falls_with_epsilon_and_grows_with_every_release() -> None:
    growing = [
        ((THREE, HALF, 2),),
        ((THREE, HALF, 3),),
        ((THREE, HALF, 3), (Fraction(50), Fraction(1, 100), 1)),
        ((THREE, ONE, 3), (Fraction(50), Fraction(1, 100), 1)),
    ]
    losses = [Fraction(0), Fraction(1, 10**6), ONE, Fraction(9)]
    table = [[delta(BITS, releases, loss) for loss in losses] for releases in growing]
    for row in table:
        assert all(later.high < earlier.low for earlier, later in pairwise(row))
    for column in zip(*table, strict=True):
        assert all(smaller.high < larger.low for smaller, larger in pairwise(column))


def test_delta_meets_its_level_at_the_two_ends_of_epsilon() -> None:
    rng = seeded("levels")
    for _ in range(5):
        releases = ((spread(rng, 0.1, 50), spread(rng, 0.01, 5), rng.randint(2, 30)),)
        most = delta(BITS, releases, Fraction(0)).low.as_fraction()
        level = Fraction(most) * spread(rng, 1e-9, 0.99)
        found = epsilon(BITS, releases, level)
        assert found.is_narrow(ROOT_DIGITS)
        low, high = (Fraction(end.as_fraction()) for end in (found.low, found.high))
        assert delta(2 * BITS, releases, low).low.compared_with(level) >= 0
        assert delta(2 * BITS, releases, high).high.compared_with(level) <= 0


def test_epsilon_is_exact_where_it_is_zero_or_infinite() -> None:
    releases = ((THREE, TWO, 2),)
    assert not epsilon(BITS, releases, Fraction(0)).low.is_finite
    assert epsilon(BITS, releases, ONE).exact == 0
    assert epsilon(BITS, releases, Fraction(9, 10)).exact == 0


def test_epsilon_is_left_open_where_delta_cannot_be_told_from_its_largest() -> None:
    releases = ((THREE, TWO, 2),)
    most = delta(4 * BITS, releases, Fraction(0)).low.as_fraction()
    found = epsilon(BITS, releases, Fraction(most))
    assert found.exact is None
    assert found.low.compared_with(Fraction(0)) == 0
    assert not found.high.is_finite


def test_numbers_below_every_exponent_are_narrow() -> None:
    found = delta(BITS, ((TWO, HALF, 2),), Fraction(10**10))
    again = delta(2 * BITS, ((TWO, HALF, 2),), Fraction(10**10))
    assert agree(found, again)
    assert found.high.exponent < -(10**10)


@pytest.mark.parametrize("count", [2, 100, 10_000])
def test_many_releases_cost_no_more_and_agree_with_the_first_engine(count: int) -> None:
    for alpha, step in ((Fraction(100), Fraction(1, 10)), (ONE, Fraction(1, 1000))):
        releases = ((alpha, step, count),)
        first = evaluate(
            "dirichlet.composition.delta", {"releases": texts(releases), "epsilon": "1/2"}
        )
        assert agree(delta(BITS, releases, HALF), first.enclosure, 20)


def test_two_bit_lengths_and_the_first_engine_say_the_same() -> None:
    rng = seeded("engines")
    for _ in range(instances(5, 15)):
        releases = tuple(
            (spread(rng, 0.01, 500), spread(rng, 1e-3, 50), rng.randint(1, 10))
            for _ in range(rng.randint(1, 3))
        )
        loss = spread(rng, 1e-3, 20)
        short, long = delta(BITS, releases, loss), delta(2 * BITS, releases, loss)
        given = {"releases": texts(releases), "epsilon": str(loss)}
        first = evaluate("dirichlet.composition.delta", given).enclosure
        assert agree(short, long)
        assert agree(short, first, 20)


def test_a_contour_with_too_many_nodes_is_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trapezoid, "_MOST_NODES", 10)
    assert not delta(BITS, ((THREE, TWO, 2),), ONE).low.is_finite


def test_a_contour_whose_reach_is_not_found_is_out_of_reach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trapezoid, "_MOST_DOUBLINGS", 1)
    assert not delta(BITS, ((THREE, TWO, 2),), ONE).low.is_finite


def test_a_saddle_that_is_not_found_is_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    losses = Losses([(Fraction(5), Fraction(1, 10**9), 2)])
    assert saddle(losses, ONE, survives=False).to_right > 0
    monkeypatch.setattr(contour, "_MOST_LOGIT", 2.0)
    with pytest.raises(OutOfReachError):
        saddle(losses, ONE, survives=False)


def test_contours_that_disagree_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {0: mpfr(-1), 1: mpfr(-2)}
    monkeypatch.setattr(Inversion, "chance", lambda _, rule, __: Chance(values[rule], mpfr(1)))
    with pytest.raises(OutOfReachError):
        Inversion(Losses([(THREE, TWO, 2)]), ONE, BITS, survives=False).two_chances()


def test_a_sum_of_the_wrong_sign_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(_: object, __: object, u: mpfr, *___: object) -> tuple[mpc, mpc]:
        value = mpc(0, -gmpy2.exp(-u * u))
        return value, value

    monkeypatch.setattr(Inversion, "_value", wrong)
    with pytest.raises(OutOfReachError):
        Inversion(Losses([(THREE, TWO, 2)]), ONE, BITS, survives=False).chance(0)


def test_a_sum_of_the_wrong_sign_is_taken_again_with_more_nodes() -> None:
    def rule(which: int, more: float) -> int:
        if more == 1:
            raise trapezoid.TooFewNodesError
        return which

    assert trapezoid.two_that_agree(rule, lambda *_: BITS, BITS) == (0, 1)
    with pytest.raises(OutOfReachError):
        trapezoid.two_that_agree(rule, lambda *_: BITS - 9, BITS)


def test_sums_of_nearly_exponential_losses_take_a_steep_contour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """M is Gaussian for 100 widths of the saddle, and the angle of a single loss is not enough."""
    releases = ((Fraction(1, 10**8), Fraction(1, 500), 10**4), (ONE, Fraction(1, 50), 2))
    for epsilon in ("1.9e9", "2e9", "2.1e9"):
        given = {"releases": texts(releases), "epsilon": epsilon}
        first = evaluate("dirichlet.composition.delta", given).enclosure
        monkeypatch.setattr(trapezoid, "_ATTEMPTS", 1)
        assert agree(delta(BITS, releases, Fraction(epsilon)), first, 20)


def test_above_the_mean_loss_delta_is_the_smaller_one_without_a_look() -> None:
    """Between -1 and 0 the integrand is one pole there, and a sum for 1 - delta goes wrong."""
    releases = ((Fraction(581_263_863), Fraction(692_606), 10),)
    given = {"releases": texts(releases), "epsilon": 24_743}
    first = evaluate("dirichlet.composition.delta", given).enclosure
    assert agree(delta(BITS, releases, Fraction(24_743)), first, 20)


@pytest.mark.parametrize("limit", ["_MOST_STEPS", "_MOST_POLISHINGS"])
def test_a_root_that_is_not_found_says_nothing(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(level, limit, 1)
    assert not epsilon(BITS, ((THREE, TWO, 2),), Fraction(1, 10**6)).low.is_finite


def test_too_few_nodes_are_noticed_and_more_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    releases = ((THREE, TWO, 2),)
    expected = delta(BITS, releases, ONE)
    monkeypatch.setattr(contour, "_MORE_NODES", 0.2)
    assert agree(delta(BITS, releases, ONE), expected)


@each_of(
    "here, step, low, high, expected",
    [
        (1.0, 0.5, 0.0, math.inf, 1.5),
        (1.0, 1e9, 0.0, math.inf, 16.0),
        (1.0, 9.0, 0.0, 4.0, 2.0),
        (1.0, -2.0, 0.0, 1.0, 0.0),
        (1.0, -0.9, 0.5, 1.0, 0.75),
        (0.0, 0.25, 0.0, 1.0, 0.25),
    ],
)
def test_the_next_point_is_where_the_step_leads_or_inside_the_bracket(
    here: float, step: float, low: float, high: float, expected: float
) -> None:
    assert _next(here, step, low, high) == expected


def test_gamma_by_stirlings_series_is_mpmaths_and_satisfies_its_recurrence() -> None:
    rng, bits = seeded("stirling"), 160
    with working(bits), mpmath.mp.workprec(2 * bits):
        stirling = Stirling(bits)
        for _ in range(instances(20, 60)):
            real, imaginary = rng.uniform(-30, 60), rng.uniform(0.1, 60)
            logarithm, product = stirling.parts(mpc(real, imaginary))
            above, other = stirling.parts(mpc(real, imaginary) + 1)
            found = gmpy2.exp(logarithm) / product
            step = gmpy2.exp(above) / other - found * mpc(real, imaginary)
            size = binary_exponent(gmpy2.exp(above) / other)
            assert binary_exponent(step) < size - bits + 16
            expected = mpmath.mp.gamma(mpmath.mpc(real, imaginary))
            error = abs(mpmath.mpc(mpmath.mpf(found.real), mpmath.mpf(found.imag)) / expected - 1)
            assert error < mpmath.mpf(2) ** (16 - bits)


def test_a_matrix_of_one_row_has_the_bound_of_the_identity_query() -> None:
    rng = seeded("one row")
    for _ in range(instances(8, 20)):
        k, eta, eta_bar = spread(rng, 1, 100), spread(rng, 0.01, 0.2), spread(rng, 0.01, 0.2)
        b, w = spread(rng, 0.001, 0.5), rng.randint(2, 6)
        gamma = spread(rng, 1e-6, 0.9) / w
        found = matrix_bound(BITS, k, eta, eta_bar, b, ((w, gamma),))
        assert agree(found, row_bound(BITS, k, eta, eta_bar, b, w, gamma))


def test_the_bound_of_equal_sums_is_the_logarithm_alone() -> None:
    # eta + b/2 = 1 - eta_bar - eta: the two Betas are the same.
    found = matrix_bound(BITS, Fraction(7), *map(Fraction, ("0.2", "0.3", "0.6")), ((2, HALF / 2),))
    with working(200):
        value = gmpy2.log(mpfr(3)) * 21 / 10
    assert agree(found, widened(value, value, BITS, THREE))


def test_the_bound_of_a_matrix_is_its_worst_rows() -> None:
    given = Fraction(24), Fraction(1, 20), Fraction(1, 20), HALF
    rows = ((2, Fraction(1, 100)), (5, Fraction(1, 50)), (3, Fraction(1, 300)))
    each = [matrix_bound(BITS, *given, (row,)) for row in rows]
    worst = max(each, key=lambda found: found.low)
    assert sum(found.overlaps(worst) for found in each) == 1
    assert agree(matrix_bound(BITS, *given, rows + rows), worst)


def test_the_miss_of_a_matrix_is_its_worst_rows() -> None:
    k, eta = Fraction(24), Fraction(1, 20)
    rows = ((2, Fraction(1, 100)), (5, Fraction(1, 1000)), (3, Fraction(1, 300)))
    each = [row_miss(BITS, k, eta, *row) for row in rows]
    worst = max(each, key=lambda found: found.low)
    assert sum(found.overlaps(worst) for found in each) == 1
    assert agree(matrix_miss(BITS, k, eta, rows), worst)


def test_the_miss_of_a_matrix_is_exact_where_a_row_decides_it() -> None:
    k, eta = Fraction(24), Fraction(1, 20)
    certain, never, other = (2, HALF), (3, Fraction(0)), (2, Fraction(1, 100))
    assert matrix_miss(BITS, k, eta, (other, certain, never)).exact == 1
    assert matrix_miss(BITS, k, eta, (never,)).exact == 0
    assert matrix_miss(BITS, k, eta, (never, other)).exact is None


def test_rows_that_change_together_are_a_composition() -> None:
    k, eta, b = Fraction(24), Fraction(1, 20), HALF
    for count in (1, 3):
        found = matrix_delta(BITS, k, eta, b, count, ONE)
        assert agree(found, delta(BITS, ((k * eta, k * b / 2, count),), ONE))


@pytest.mark.parametrize(("alpha", "step"), [("1e29", "1.25e28"), ("1e300", "1e299")])
def test_next_to_1_delta_takes_no_contour(
    monkeypatch: pytest.MonkeyPatch, alpha: str, step: str
) -> None:
    monkeypatch.setattr(quantities, "Inversion", None)
    found = delta(BITS, ((Fraction(alpha), Fraction(step), 3),), ONE)
    assert found.low < Dyadic(1) == found.high
    assert found.is_narrow(DIGITS)


def test_the_affinity_bounds_what_delta_lacks_of_1() -> None:
    """At 60 nats, where both can be told: the contour's delta lies in the bound's enclosure."""
    releases = ((Fraction(300), Fraction(100), 10),)
    bounded, found = delta(40, releases, ONE), delta(BITS, releases, ONE)
    assert bounded.high == Dyadic(1)
    assert found.high < Dyadic(1)
    assert bounded.low < found.low


@pytest.mark.parametrize(
    ("alpha", "step", "count"), [("1e299", "1.25e298", 3), ("1e9", "1e-300", 5)]
)
def test_what_is_0_as_a_double_is_no_fault(alpha: str, step: str, count: int) -> None:
    """The slope at the root, or the saddle's curvature, is below every double."""
    releases = ((Fraction(alpha), Fraction(step), count),)
    found = epsilon(BITS, releases, Fraction("0.001"))
    assert found == Enclosure.nothing_known()


def test_where_no_rule_is_short_enough_training_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def too_long(*_: object) -> Enclosure:
        raise OutOfReachError

    monkeypatch.setattr(training, "_estimate", too_long)
    given = {"noise_multiplier": 3, "sampling_probability": "1/1000", "steps": 3946, "epsilon": 4}
    second = evaluate("dpsgd.delta", given, engine="second")
    # The truth is 2.12e-232; one step's delta is less.
    assert second.lower < Fraction(1, 10**232)
    assert Fraction(3, 10**232) < second.upper < Fraction(1, 10**150)


def test_where_no_rule_is_short_enough_training_loses_at_least_what_one_step_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def too_long(*_: object) -> Enclosure:
        raise OutOfReachError

    monkeypatch.setattr(training, "_root", too_long)
    given = {"noise_multiplier": "1/2", "sampling_probability": "1/1000", "delta": "6.7e-9"}
    second = evaluate("dpsgd.epsilon", given, steps=31, engine="second")
    one = evaluate("dpsgd.epsilon", given, steps=1)
    assert one.lower <= second.lower <= one.upper
    assert second.upper == math.inf


def test_two_steps_of_training_are_a_mean_of_closed_forms() -> None:
    """Of small samples too, of which M falls too slowly for a contour."""
    given = {"noise_multiplier": 1, "sampling_probability": "0.3", "steps": 2, "epsilon": "1/2"}
    first, second = (evaluate("dpsgd.delta", given, engine=engine) for engine in ("arb", "second"))
    assert second.narrow
    assert first.lower <= second.upper
    assert second.lower <= first.upper
    small, _ = training.orders(ONE, Fraction(1, 1000), 2)
    assert few_steps.estimate(BITS, small, HALF).is_narrow(20)
