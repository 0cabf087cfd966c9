"""The laws of proofs_notes/good-set-epsilon.md: a test named for each heading, on exact numbers."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from ball_checks import meets, printed
from each import each_of
from flint import arb
from instances import instances
from simplexcert.certify.papers.benvenuti2025 import privacy as counting
from simplexcert.certify.papers.gohari2020 import bounds, privacy
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.arb.gamma import log_beta, log_beta_change, log_gamma
from simplexcert.reference.dirichlet import average, counts, identity
from simplexcert.reference.dirichlet.good_set import good_set_epsilon


def height(k: Fraction, eta: Fraction, ceiling: Fraction, t: Fraction, log_ratio: arb) -> arb:
    """h(t) = log B(k eta, k (C-eta)) - log B(k (eta+t), k (C-eta-t)) + k t log R, C = ceiling."""
    return log_beta_change(k * eta, k * (ceiling - eta), k * t) + ball(k * t) * log_ratio


def slope(k: Fraction, eta: Fraction, ceiling: Fraction, t: Fraction, log_ratio: arb) -> arb:
    """h'(t)/k."""
    rise = ball(k * (ceiling - eta - t)).digamma() - ball(k * (eta + t)).digamma()
    return rise + log_ratio


def log_ratio_of(gamma: Fraction, w: int) -> arb:
    return ball((1 - (w - 1) * gamma) / gamma).log()


def test_printed_bound() -> None:
    """One expression, three readings: b/2, b/(2N) and 1/N, eta_bar = eta for the counts."""
    k, eta, bar, b, gamma = (Fraction(x) for x in ("12", "1/10", "1/5", "1/4", "1/50"))
    n = 5
    for w, t, found in (
        (3, b / 2, identity.epsilon_bound(k, eta, bar, b, 3, gamma)),
        (3, b / 14, average.epsilon_bound(k, eta, bar, b, 7, 3, gamma)),
        (n, Fraction(1, 30), counts.epsilon_bound(k, eta, 30, n, gamma)),
    ):
        ceiling = 1 - (eta if w == n else bar)
        log_ratio = log_ratio_of(gamma, w)
        direct = log_beta(k * eta, k * (ceiling - eta))
        direct -= log_beta(k * (eta + t), k * (ceiling - eta - t))
        assert meets(found, direct + ball(k * t) * log_ratio)


def test_recorded_bounds() -> None:
    """The grades of benvenuti2025 by its own formula."""
    k, eta, gamma = Fraction("20.6"), Fraction("0.073"), Fraction("0.0004")
    assert printed("2.2119075").contains(counts.epsilon_bound(k, eta, 98, 5, gamma))


def log_density_ratio(k: Fraction, p: list[Fraction], q: list[Fraction], x: list[Fraction]) -> arb:
    """Log of Dir(k p) over Dir(k q) at x; the sums of the parameters agree."""
    return sum(
        (
            log_gamma(k * there) - log_gamma(k * here) + ball(k * (here - there)) * ball(z).log()
            for here, there, z in zip(p, q, x, strict=True)
        ),
        arb(0),
    )


def drawn(random: Random, w: int) -> tuple[Fraction, ...]:
    eta = Fraction(random.randint(1, 40), 50 * w)
    bar = (1 - w * eta) * Fraction(random.randint(1, 6), 9)
    b = Fraction(random.randint(1, 20), 20)
    gamma = Fraction(random.randint(1, 90), 100 * w)
    return Fraction(random.choice([1, 3, 20, 100])), eta, bar, b, gamma


@each_of("seed", range(instances(4, 25)))
def test_largest_log_ratio(seed: int) -> None:
    """No neighbours and no output of the good set pass h at their distance; it is approached."""
    random = Random(seed)  # noqa: S311
    w = random.randint(2, 4)
    k, eta, bar, b, gamma = drawn(random, w)
    ceiling = 1 - bar - (w - 2) * eta
    room = ceiling - 2 * eta
    log_ratio = log_ratio_of(gamma, w)
    t = min(b / 2, room) * Fraction(random.randint(1, 8), 8)
    low = eta + (room - t) * Fraction(random.randint(0, 4), 8)
    other = eta + (room - t) * Fraction(random.randint(0, 4), 8)
    rest = 1 - low - other - t - (w - 2) * eta
    p = [low + t, other, *[eta] * (w - 2), rest]
    q = [low, other + t, *[eta] * (w - 2), rest]
    free = (1 - w * gamma) * Fraction(1, 10)
    x = [gamma + free * random.randint(0, 4) for _ in range(2)] + [gamma] * (w - 2)
    x.append(1 - sum(x))
    assert log_density_ratio(k, p, q, x) < height(k, eta, ceiling, t, log_ratio)
    # The extreme pair, at outputs that come ever nearer to a vertex of the good set.
    outside = 1 - ceiling - (w - 2) * eta
    p = [eta + t, ceiling - eta - t, *[eta] * (w - 2), outside]
    q = [eta, ceiling - eta, *[eta] * (w - 2), outside]
    tiny = Fraction(1, 10**30)
    x = [1 - (w - 1) * gamma - tiny, *[gamma] * (w - 1), tiny]
    reached = log_density_ratio(k, p, q, x)
    largest = height(k, eta, ceiling, t, log_ratio)
    assert largest - ball(Fraction(1, 10**20)) < reached < largest


@each_of("seed", range(instances(4, 25)))
def test_height_is_concave(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    w = random.randint(2, 4)
    k, eta, bar, _, gamma = drawn(random, w)
    ceiling = 1 - bar
    log_ratio = log_ratio_of(gamma, w)
    shares = sorted(random.sample(range(1, 40), 3))
    points = [(ceiling - eta) * Fraction(share, 41) for share in shares]
    slopes = [slope(k, eta, ceiling, t, log_ratio) for t in points]
    assert slopes[0] > slopes[1] > slopes[2]
    heights = [height(k, eta, ceiling, t, log_ratio) for t in points]
    share = (points[1] - points[0]) / (points[2] - points[0])
    assert heights[1] > ball(1 - share) * heights[0] + ball(share) * heights[2]


def test_when_the_printed_bound_holds() -> None:
    assert privacy.printed_bound_holds()
    assert privacy.hand_condition_is_enough()


# k = 1, eta = 1/100, eta_bar = 12/25, b = 1, w = 2, gamma = e^-5, so R = e^5 - 1.
K, ETA, BAR = Fraction(1), Fraction(1, 100), Fraction(12, 25)


def test_lemma_4_fails() -> None:
    """At p_i - q_i = 0.373 the log-ratio reaches 4.2504, the printed bound is 2.4966."""
    log_ratio = (arb(5).exp() - 1).log()
    bound = height(K, ETA, 1 - BAR, Fraction(1, 2), log_ratio)
    assert printed("2.4966").contains(bound)
    assert meets(bound, log_ratio / 2)  # the two Betas cancel
    best = Fraction(373, 1000)
    assert printed("4.2504").contains(height(K, ETA, 1 - BAR, best, log_ratio))
    for side, falls in ((-1, False), (1, True)):
        beside = slope(K, ETA, 1 - BAR, best + Fraction(side, 2000), log_ratio)
        assert beside < 0 if falls else beside > 0


def test_lemma_4_fails_on_rationals() -> None:
    """The same with gamma = 27/4000, at one output of the open good set: 4.25 above 2.50."""
    gamma, t = Fraction(27, 4000), Fraction(373, 1000)
    p = [ETA + t, 1 - BAR - ETA - t, BAR]
    q = [ETA, 1 - BAR - ETA, BAR]
    assert sum(p) == sum(q) == 1
    assert min(*p[:2], *q[:2]) >= ETA
    assert sum(p[:2]) == sum(q[:2]) == 1 - BAR
    assert sum(abs(here - there) for here, there in zip(p, q, strict=True)) <= 1
    x = [1 - gamma - Fraction(1, 1000), gamma, Fraction(1, 1000)]
    assert min(x[:2]) >= gamma
    reached = log_density_ratio(K, p, q, x)
    bound = identity.epsilon_bound(K, ETA, BAR, Fraction(1), 2, gamma)
    assert printed("2.50").contains(bound)
    assert printed("4.25").contains(reached)


def test_lemma_4_fails_where_delta_is_large() -> None:
    """The counterexample's good set is missed with probability above 0.95."""
    missed = arb(-5).exp().beta_lower(ball(ETA), ball(1 - ETA), regularized=1)
    assert missed > ball(Fraction(95, 100))


@pytest.mark.parametrize("size", [1, 2, 5])
def test_step_is_over_the_number_of_vectors(size: int) -> None:
    """The mean of N vectors moves by b/(2N); with N < n that is more than b/(2n)."""
    n, eta, b = 6, Fraction(1, 20), Fraction(1, 4)
    rest = [Fraction(3, 20)] * 4
    p = [eta, 1 - 4 * rest[0] - eta, *rest]
    q = [eta + b / 2, 1 - 4 * rest[0] - eta - b / 2, *rest]
    assert min(q[:2]) >= eta
    others = [p] * (size - 1)
    means = [
        [sum(column, Fraction(0)) / size for column in zip(vector, *others, strict=True)]
        for vector in (p, q)
    ]
    assert means[1][0] - means[0][0] == b / (2 * size) > b / (2 * n)


@pytest.mark.parametrize("n", [7, 50])
def test_printed_n_understates(n: int) -> None:
    """At N = 1 the bound read with n is passed by one pair, and the bound read with N holds."""
    k, eta, bar, b, gamma = (Fraction(x) for x in ("10", "1/20", "1/10", "1/4", "1/100"))
    t, log_ratio = b / 2, log_ratio_of(gamma, 2)
    reached = height(k, eta, 1 - bar, t, log_ratio)
    assert reached > good_set_epsilon(k, eta, bar, b / (2 * n), 2, gamma)
    assert meets(reached, average.epsilon_bound(k, eta, bar, b, 1, 2, gamma))


def test_beta_bounds() -> None:
    """Lemma 5 down to 1/2 above and to 0 below, strict; at a = c = 1 all three are 1."""
    assert bounds.beta_bounds_hold()


def test_simplified_offset() -> None:
    """Above the printed bound by what neither gamma nor w changes, and above T log R."""
    assert bounds.offset_is_free()


def test_simplified_bound_always_holds() -> None:
    """Also where Lemma 4 fails: w = 2, and the whole step fits."""
    assert bounds.simplified_bound_holds()
    k, eta, bar, b = (Fraction(x) for x in ("60", "0.01", "0.48", "1"))
    gamma = Fraction(2, 5)
    reached = height(k, eta, 1 - bar, Fraction(1, 4), log_ratio_of(gamma, 2))
    assert identity.epsilon_bound(k, eta, bar, b, 2, gamma) < reached
    assert reached < identity.epsilon_simplified(k, eta, bar, b, 2, gamma)


def test_smallest_k_smallest_epsilon() -> None:
    """The printed bound rises with k, from log((eta+t)(c-t)/(eta c)) at 0."""
    assert counting.printed_epsilon_rises_with_k()
    grades = counts.epsilon_minimum(Fraction("0.073"), 98, 5, Fraction("0.0004"))
    assert printed("2.2065002").contains(grades)
    # 3 eta + 1/records > 1: here the printed bound falls with k.
    third = Fraction(1, 3)
    falls = [counts.epsilon_bound(Fraction(k), third, 4, 3, Fraction(3, 10)) for k in (5, 6)]
    assert falls[0] > falls[1]
