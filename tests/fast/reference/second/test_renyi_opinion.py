"""Laws of the second opinions on Renyi divergences and on records added or removed."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import pairwise, permutations

import gmpy2
import pytest
from each import each_of
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.second import gamma as gap_module
from simplexcert.reference.second import opinion_on
from simplexcert.reference.second.directed import OutOfReachError, Span
from simplexcert.reference.second.dirichlet import add_remove
from simplexcert.reference.second.dirichlet.add_remove import log_gamma_profile
from simplexcert.reference.second.gamma import gap

BITS = 128
# At 128 bits a formula is narrower than 10^-30 of itself, a root than 10^-25.
DIGITS, ROOT_DIGITS = 30, 25

divergence = opinion_on("dirichlet.renyi.divergence").enclose
epsilon_bound = opinion_on("dirichlet.renyi.epsilon_bound").enclose
epsilon_bound_alpha = opinion_on("dirichlet.renyi.epsilon_bound_alpha").enclose
epsilon_sensitivity = opinion_on("dirichlet.renyi.epsilon_sensitivity").enclose
calibrated_step = opinion_on("dirichlet.renyi.step").enclose
to_approximate_dp = opinion_on("dirichlet.renyi.to_approximate_dp").enclose
replaced = opinion_on("dirichlet.profile.renyi").enclose
delta = opinion_on("dirichlet.add_remove.delta").enclose
epsilon = opinion_on("dirichlet.add_remove.epsilon").enclose
renyi = opinion_on("dirichlet.add_remove.renyi").enclose
step_for_dp = opinion_on("dirichlet.add_remove.step_for_dp").enclose
step_for_renyi = opinion_on("dirichlet.add_remove.step_for_renyi").enclose


def seeded(name: str) -> random.Random:
    return random.Random(name)  # noqa: S311 (test points, the same every time)


def spread(rng: random.Random, low: float, high: float) -> Fraction:
    """Return a rational of eight figures, log-uniform."""
    return Fraction(f"{math.exp(rng.uniform(math.log(low), math.log(high))):.8g}")


def contains(found: Enclosure, value: Fraction) -> bool:
    return found.low.compared_with(value) <= 0 <= found.high.compared_with(value)


def agree(first: Enclosure, second: Enclosure, digits: int = DIGITS) -> bool:
    """Whether two enclosures overlap, and are both narrow."""
    narrow = first.is_narrow(digits) and second.is_narrow(digits)
    return narrow and first.overlaps(second)


def by_log_gammas(bits: int, u: Fraction, v: Fraction, order: Fraction) -> Enclosure:
    """Enclose the gap as the difference of log Gammas that it is."""
    at_u, at_v = Span.of(u, bits).lgamma(), Span.of(v, bits).lgamma()
    if order == 1:
        slope = Span.of(u - v, bits) * Span.of(u, bits).digamma()
        return (at_v - at_u + slope).enclosure()
    far = Span.of(u - (order - 1) * (v - u), bits).lgamma()
    return ((far - at_u) / Span.of(order - 1, bits) + at_v - at_u).enclosure()


def test_the_gap_is_the_difference_of_log_gammas_that_it_stands_for() -> None:
    rng = seeded("gap")
    for trial in range(120):
        u, v = spread(rng, 1e-4, 1e4), spread(rng, 1e-4, 1e4)
        order = Fraction(1)
        if trial % 4:
            order = 1 + spread(rng, 1e-6, 100)
            if v > u:
                order = min(order, 1 + u / (v - u) * Fraction(rng.randrange(1, 1000), 1000))
        assert agree(gap(BITS, u, v, order).enclosure(), by_log_gammas(600, u, v, order))


def test_the_gap_keeps_its_bits_for_a_small_change_and_an_order_near_one() -> None:
    for size in (10, 60, 250):
        change = Fraction(1, 10**size)
        for order in (Fraction(1), 1 + change, Fraction(7)):
            found = gap(BITS, Fraction(5), 5 + change, order).enclosure()
            assert agree(found, by_log_gammas(40 * size + 400, Fraction(5), 5 + change, order))


def test_the_gap_of_whole_changes_is_the_logarithm_of_a_rational() -> None:
    rng = seeded("whole gap")
    for change in (1, 2, 5):
        u = change + spread(rng, 0.01, 50)
        # Gamma(u - h) Gamma(u + h)/Gamma(u)^2.
        product = math.prod(((u + j) / (u - change + j) for j in range(change)), start=Fraction(1))
        logarithm = Span.of(product, 200).log().enclosure()
        assert agree(gap(BITS, u, u + change, Fraction(2)).enclosure(), logarithm)


def test_the_gap_rises_with_the_order() -> None:
    orders = [1, 1 + Fraction(1, 10**12), Fraction(11, 10), 2, 5]
    for v in (Fraction(7, 2), Fraction(1)):
        found = [gap(BITS, Fraction(3), v, Fraction(order)).enclosure() for order in orders]
        assert all(one.high < other.low for one, other in pairwise(found))


def test_the_remainder_is_in_the_enclosure_whatever_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    truth = by_log_gammas(600, Fraction(5), Fraction(6), Fraction(3))
    monkeypatch.setattr(gap_module, "_SHIFT_PER_BIT", Fraction(1, 64))
    for bits in (16, 40, 90):
        assert gap(bits, Fraction(5), Fraction(6), Fraction(3)).enclosure().overlaps(truth)


def test_too_many_bits_of_a_gap_are_out_of_reach() -> None:
    with pytest.raises(OutOfReachError):
        gap(1 << 15, Fraction(5), Fraction(6), Fraction(3))


def test_a_swapped_pair_has_the_divergence_of_a_replaced_record() -> None:
    rng = seeded("swapped")
    for _ in range(instances(8, 20)):
        alpha, step = spread(rng, 0.01, 100), spread(rng, 0.001, 10)
        order = 1 + alpha / step * Fraction(rng.randrange(1000), 1000)
        rest = spread(rng, 0.1, 10)
        found = divergence(
            BITS, (alpha, alpha + step, rest), (alpha + step, alpha, rest), Fraction(order)
        )
        assert agree(found, replaced(BITS, alpha, step, order))


def test_kullback_leibler_of_permuted_whole_parameters_contains_the_rational_it_is() -> None:
    u = (Fraction(1), Fraction(3), Fraction(2))
    for v in permutations(u):
        # psi(1), psi(2), psi(3) are 0, 1, 3/2 above psi(1).
        rise = {1: Fraction(0), 2: Fraction(1), 3: Fraction(3, 2)}
        value = sum((a - b) * rise[int(a)] for a, b in zip(u, v, strict=True))
        assert contains(divergence(BITS, u, v, Fraction(1)), Fraction(value))


def test_equal_laws_and_one_coordinate_alone_have_divergence_exactly_zero() -> None:
    one, two = Fraction(1), Fraction(2)
    assert divergence(BITS, (one, two), (one, two), Fraction(50)).exact == 0
    assert divergence(BITS, (one,), (Fraction(9),), Fraction(50)).exact == 0


def test_divergences_are_infinite_exactly_from_their_edge_on() -> None:
    one, two, edge = Fraction(1), Fraction(2), Fraction(2)
    inside = edge - Fraction(1, 10**30)
    for found in (
        divergence(BITS, (one, two), (two, one), edge),
        renyi(BITS, one, one, edge),
        epsilon_sensitivity(BITS, edge, one, one, two, one),
        epsilon_bound_alpha(BITS, edge, one, one, two, one),
    ):
        assert not found.low.is_finite
    for found in (
        divergence(BITS, (one, two), (two, one), inside),
        renyi(BITS, one, one, inside),
        epsilon_sensitivity(BITS, inside, one, one, two, one),
        epsilon_bound_alpha(BITS, inside, one, one, two, one),
    ):
        assert found.is_narrow(20)


def test_the_sensitivity_bound_lies_between_a_single_step_and_equation_eighteen() -> None:
    rng = seeded("sensitivity")
    for order in (1, Fraction(3, 2), 2, 5):
        alpha, step, squared = spread(rng, 1, 50), spread(rng, 0.01, 0.2), spread(rng, 1, 5)
        tight = epsilon_sensitivity(BITS, Fraction(order), step, alpha, squared, Fraction(1))
        printed = epsilon_bound_alpha(BITS, Fraction(order), step, alpha, squared, Fraction(1))
        single = renyi(BITS, alpha, step, Fraction(order))
        assert single.high < tight.low or squared == 1
        assert tight.overlaps(printed) if order == 1 else tight.high < printed.low
        assert tight.is_narrow(DIGITS)
        assert printed.is_narrow(DIGITS)


def test_the_printed_bound_encloses_epsilon_at_the_two_ends_of_its_step() -> None:
    for order in (1, Fraction(6, 5), 20):
        for aim in (Fraction(1, 1000), Fraction(3)):
            given = Fraction(order), aim, Fraction(2), Fraction(1)
            found = calibrated_step(BITS, *given)
            assert found.is_narrow(ROOT_DIGITS)
            low, high = (Fraction(end.as_fraction()) for end in (found.low, found.high))
            below = epsilon_bound(4 * BITS, given[0], low, *given[2:])
            above = epsilon_bound(4 * BITS, given[0], high, *given[2:])
            assert below.high.compared_with(aim) <= 0 <= above.low.compared_with(aim)


def test_a_tie_of_the_conversion_is_exactly_zero_and_its_neighbours_are_not_the_tie() -> None:
    tiny = Fraction(1, 10**20)
    for order in (2, 3, 10):
        tie = Fraction((order - 1) ** (order - 1), order**order)
        assert to_approximate_dp(BITS, Fraction(order), Fraction(0), tie).exact == 0
        assert to_approximate_dp(BITS, Fraction(order), Fraction(0), tie + tiny).exact == 0
        above = to_approximate_dp(BITS, Fraction(order), Fraction(0), tie - tiny)
        assert above.low.compared_with(Fraction(0)) > 0
    # Two hundred digits from a tie that is none at that order, nothing is decided; never below 0.
    nearly = Fraction(1, 4) + Fraction(1, 10**2000)
    found = to_approximate_dp(BITS, Fraction(2), Fraction(0), nearly)
    assert found.low.compared_with(Fraction(0)) == 0
    assert found.high.compared_with(tiny) < 0


def test_powers_of_a_very_large_order_are_not_built() -> None:
    found = to_approximate_dp(BITS, Fraction(10**12), Fraction(0), Fraction(1, 10**13))
    assert found.is_narrow(DIGITS)


def test_a_unit_step_at_epsilon_zero_is_a_gamma_density() -> None:
    rng = seeded("unit step")
    for _ in range(instances(8, 20)):
        alpha = spread(rng, 0.001, 1000)
        logarithm = Span.of(alpha, 300) * Span.of(alpha, 300).log() - Span.of(alpha, 300)
        density = (logarithm - Span.of(alpha + 1, 300).lgamma()).exp().enclosure()
        assert agree(delta(BITS, alpha, Fraction(1), Fraction(0)), density)


def test_either_side_of_the_incomplete_gamma_gives_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    point = Fraction(3), Fraction(20), Fraction(2)
    found = []
    for hidden in (True, False):
        monkeypatch.setattr(add_remove, "_is_hidden", lambda *_, hidden=hidden: hidden)
        found.append(log_gamma_profile(BITS, *point).exp_enclosure())
    # Here Q's bound is all that is known of Q: true, and not narrow.
    assert found[0].overlaps(found[1])
    assert found[1].is_narrow(DIGITS)
    assert found[0].is_narrow(2)


def test_what_follows_the_terms_of_a_series_is_in_the_enclosure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    point = Span.of(Fraction(3), BITS)
    truth = ((point.exp() - Span.of(1, BITS)) / point).enclosure()
    assert agree(add_remove._series(Fraction(1), point).enclosure(), truth)
    for count in (1, 2, 3, 5):  # the ratio of the next term is 3/2, 1, 3/4 and 1/2
        cut = Span.of(0, BITS).low, count
        monkeypatch.setattr(add_remove, "_summed_until_small", lambda *_, cut=cut: cut)
        found = add_remove._series(Fraction(1), point)
        assert found.enclosure().overlaps(truth)
        assert gmpy2.is_infinite(found.high) == (count < 3)


def test_delta_of_a_record_added_falls_with_epsilon_and_grows_with_the_step() -> None:
    steps = [Fraction(1, 10**6), Fraction(1, 3), Fraction(7, 2), Fraction(40)]
    epsilons = [Fraction(0), Fraction(1, 10**6), Fraction(1, 3), Fraction(5), Fraction(25)]
    table = [[delta(200, Fraction(11, 2), s, e) for e in epsilons] for s in steps]
    for row in table:
        assert all(later.high < earlier.low for earlier, later in pairwise(row))
    for column in zip(*table, strict=True):
        assert all(smaller.high < larger.low for smaller, larger in pairwise(column))


def test_delta_is_never_above_one() -> None:
    for step in (Fraction(300), Fraction(10**6)):
        assert delta(BITS, Fraction(5), step, Fraction(1)).high.compared_with(Fraction(1)) <= 0


def test_delta_encloses_its_level_at_the_two_ends_of_a_step_and_of_an_epsilon() -> None:
    rng = seeded("levels")
    for _ in range(8):
        alpha, level = spread(rng, 0.01, 100), spread(rng, 1e-9, 0.9)
        loss = spread(rng, 0.01, 10)
        steps = step_for_dp(BITS, alpha, loss, level)
        assert steps.is_narrow(ROOT_DIGITS)
        low, high = (Fraction(end.as_fraction()) for end in (steps.low, steps.high))
        assert delta(4 * BITS, alpha, low, loss).high.compared_with(level) <= 0
        assert delta(4 * BITS, alpha, high, loss).low.compared_with(level) >= 0
        wide = 2 * high  # a larger step needs more than ``loss``
        losses = epsilon(BITS, alpha, wide, level)
        assert losses.is_narrow(ROOT_DIGITS)
        assert losses.low.compared_with(loss) > 0
        low, high = (Fraction(end.as_fraction()) for end in (losses.low, losses.high))
        assert delta(4 * BITS, alpha, wide, low).low.compared_with(level) >= 0
        assert delta(4 * BITS, alpha, wide, high).high.compared_with(level) <= 0


def test_epsilon_is_exact_where_it_is_zero_or_infinite() -> None:
    three, two = Fraction(3), Fraction(2)
    assert not epsilon(BITS, three, two, Fraction(0)).low.is_finite
    assert epsilon(BITS, three, two, Fraction(1)).exact == 0
    assert epsilon(BITS, three, two, Fraction(9, 10)).exact == 0


def test_epsilon_next_to_the_total_variation_is_not_said_to_be_zero() -> None:
    distance = delta(1000, Fraction(1), Fraction(1), Fraction(0))
    target = Fraction(distance.low.as_fraction())
    found = epsilon(BITS, Fraction(1), Fraction(1), target)
    assert found.exact is None
    assert found.low.compared_with(Fraction(0)) >= 0


def test_nothing_above_bounds_a_share_whose_point_may_be_below_its_parameter() -> None:
    """Q/F is positive; an end of minus infinity would say that delta is infinite."""
    wide = Span(Span.of(1, BITS).low, Span.of(1000, BITS).high)
    found = add_remove._upper_factor(Fraction(5), wide)
    assert found.low == 0
    assert gmpy2.is_infinite(found.high)
    near = add_remove._upper_factor(Fraction(5), Span.of(1000, BITS))
    assert contains(near.enclosure(), Fraction(1, 996))


def test_a_step_for_a_tiny_delta_is_found_at_the_first_precision() -> None:
    """Near 0 delta is a multiple of the step; log x has to be known to far more bits than that."""
    for digits in (30, 200):
        tiny = Fraction(1, 10**digits)
        found, smaller = (step_for_dp(BITS, Fraction(5), Fraction(0), d) for d in (tiny, tiny / 10))
        assert found.is_narrow(ROOT_DIGITS)
        first = evaluate(
            "dirichlet.add_remove.step_for_dp", {"alpha": 5, "epsilon": 0, "delta": tiny}
        )
        assert agree(found, first.enclosure, 20)
        assert smaller.is_narrow(ROOT_DIGITS)
        assert smaller.high < found.low


def test_divergences_enclose_epsilon_at_the_two_ends_of_their_step() -> None:
    for order in (1, Fraction(3, 2), 30):
        for aim in (Fraction(1, 10**6), Fraction(20)):
            found = step_for_renyi(BITS, Fraction(3), Fraction(order), aim)
            low, high = (Fraction(end.as_fraction()) for end in (found.low, found.high))
            assert found.is_narrow(ROOT_DIGITS)
            below = renyi(4 * BITS, Fraction(3), low, Fraction(order))
            above = renyi(4 * BITS, Fraction(3), high, Fraction(order))
            assert below.high.compared_with(aim) <= 0 <= above.low.compared_with(aim)


def test_a_series_that_is_too_long_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(add_remove, "_MAX_TERMS", 30)
    found = delta(BITS, Fraction(10**4), Fraction(1), Fraction(0))
    assert not found.low.is_finite


@each_of(
    "point",
    [
        ("dirichlet.renyi.epsilon_bound", "order step delta2_squared delta_inf"),
        ("dirichlet.renyi.epsilon_bound_alpha", "order step alpha delta2_squared delta_inf"),
        ("dirichlet.renyi.epsilon_sensitivity", "order step alpha delta2_squared delta_inf"),
        ("dirichlet.renyi.step", "order epsilon delta2_squared delta_inf"),
        ("dirichlet.renyi.to_approximate_dp", "order epsilon delta"),
        ("renyi.epsilon_for_dp", "order epsilon delta"),
        ("dirichlet.add_remove.delta", "alpha step epsilon"),
        ("dirichlet.add_remove.epsilon", "alpha step delta"),
        ("dirichlet.add_remove.renyi", "alpha step order"),
        ("dirichlet.add_remove.step_for_dp", "alpha epsilon delta"),
        ("dirichlet.add_remove.step_for_renyi", "alpha order epsilon"),
    ],
)
def test_two_bit_lengths_and_the_first_engine_say_the_same(point: tuple[str, str]) -> None:
    name, letters = point
    rng, enclose = seeded(name), opinion_on(name).enclose
    for _ in range(instances(3, 12)):
        given = {
            letter: 1 + spread(rng, 0.001, 20)
            if letter == "order"
            else spread(rng, 1e-9, 0.99)
            if letter == "delta"
            else spread(rng, 0.01, 50)
            for letter in letters.split()
        }
        short, long = enclose(BITS, **given), enclose(3 * BITS, **given)
        first = evaluate(name, given).enclosure
        for found in (short, long):
            assert agree(found, first, 20), given
        assert short.overlaps(long)
