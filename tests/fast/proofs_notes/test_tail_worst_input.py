"""The laws of proofs_notes/tail-worst-input.md: a test named for each heading, on exact numbers."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from random import Random
from typing import TYPE_CHECKING

import pytest
from ball_checks import meets, printed
from each import each_of
from flint import arb
from instances import instances
from simplexcert.certify.papers.benvenuti2025 import privacy as counting
from simplexcert.certify.papers.gohari2020 import good_set, privacy
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.gamma import log_beta
from simplexcert.reference.arb.incomplete_beta import regularised_incomplete_beta
from simplexcert.reference.dirichlet import average, counts, tail
from simplexcert.reference.dirichlet.tail import Miss

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# The grades of benvenuti2025 section 6.1, and the Dirichlet law of ponnoprat2023 section 2.4.
GRADES_K, GRADES_ETA, GRADES_GAMMA = Fraction("20.6"), Fraction("0.073"), Fraction("0.0004")
R, R_ETA, R_ETA_BAR = Fraction("171.87"), Fraction("0.028"), Fraction("0.114")
SIZES = [Fraction(1, 4), Fraction(1), Fraction(7, 2), Fraction(30)]
# Two rare events together are 10^-45 of one of them in some of the draws.
RESOLVING_BITS = 320


def missed(alphas: Sequence[Fraction], rest: Fraction, gamma: Fraction) -> arb:
    """Delta for these protected parameters and this sum of the others."""
    return tail.probability(Miss.of(alphas, rest, gamma))


def at_the_floor(k: Fraction, eta: Fraction, w: int, gamma: Fraction) -> arb:
    return missed([k * eta] * w, k * (1 - w * eta), gamma)


def at_the_vertex(k: Fraction, eta: Fraction, n: int, gamma: Fraction) -> arb:
    return missed([*[k * eta] * (n - 1), k * (1 - (n - 1) * eta)], Fraction(0), gamma)


def below(alpha: Fraction, total: Fraction, gamma: Fraction) -> arb:
    """Return I_gamma(alpha, total - alpha)."""
    return regularised_incomplete_beta(alpha, total - alpha, gamma)


def some_gamma(random: Random, w: int) -> Fraction:
    return Fraction(random.choice([1, 10, 40]), 100 * w)


def shared_out(random: Random, mass: Fraction, count: int) -> list[Fraction]:
    """Return positive shares of a mass, at random."""
    weights = [random.randint(1, 9) for _ in range(count)]
    return [mass * weight / sum(weights) for weight in weights]


def test_floor_is_the_worst_input() -> None:
    """Every other input, and every step towards the floor, for all k; eta_bar plays no part."""
    assert privacy.floor_misses_most()


@each_of("seed", range(instances(4, 24)))
def test_folded_logit_orders(seed: int) -> None:
    """P(|logit r| > t) = P(r < m or r > 1 - m) rises, t = log((1-m)/m)."""
    random = Random(seed)  # noqa: S311
    whole = random.choice([*SIZES, Fraction(200)])
    middle = Fraction(random.randint(1, 49), 100)
    distances = [whole / 2 * Fraction(share, 20) for share in sorted(random.sample(range(20), 4))]
    outside = [
        below(whole / 2 + distance, whole, middle) + below(whole / 2 - distance, whole, middle)
        for distance in distances
    ]
    assert all(earlier < later for earlier, later in pairwise(outside))
    # The likelihood ratio that the proof rests on: cosh(d' v)/cosh(d v) rises.
    near, far = (ball(d) for d in distances[:2])
    ratios = [(far * v).cosh() / (near * v).cosh() for v in (arb(1) / 8, arb(1), arb(3))]
    assert ratios[0] < ratios[1] < ratios[2]


@pytest.mark.parametrize("seed", range(instances(3, 16)))
def test_spreading_two_coordinates(seed: int) -> None:
    """Delta rises with |a_1 - a_2| at a fixed sum, with and without a rest."""
    random = Random(seed)  # noqa: S311
    k, w = SIZES[seed % 4], random.randint(2, 3)
    gamma = some_gamma(random, w)
    others = w - 2 + seed % 2 + (w == 2)
    together, *fixed = shared_out(random, k, 1 + others)
    distances = sorted(random.sample(range(10), 3))
    found = [
        missed(
            [together * Fraction(10 - d, 20), together * Fraction(10 + d, 20), *fixed[: w - 2]],
            sum(fixed[w - 2 :], Fraction(0)),
            gamma,
        )
        for d in distances
    ]
    assert found[0] < found[1] < found[2]


def test_vertex_is_the_worst_input() -> None:
    """All coordinates protected: every other input, and every step of the proof."""
    assert counting.vertex_is_worst()


def count_vectors(total: int, n: int, least: int) -> Iterator[tuple[int, ...]]:
    """Yield the vectors of n counts that are at least ``least``, in increasing order."""
    if n == 1:
        yield (total,)
        return
    for first in range(least, total // n + 1):
        for others in count_vectors(total - first, n - 1, first):
            yield (first, *others)


@pytest.mark.parametrize(("records", "n", "eta"), [(9, 3, "0.15"), (9, 3, "1/9"), (8, 2, "0.3")])
def test_counts_have_a_higher_floor(records: int, n: int, eta: str) -> None:
    """Of all vectors of counts the worst is the vertex of floor ceil(eta N)/N."""
    k, gamma, floor_of = Fraction(5), Fraction(1, 50), Fraction(eta)
    least = ceil(floor_of * records)
    worst = at_the_vertex(k, Fraction(least, records), n, gamma)
    extreme = (*[least] * (n - 1), records - (n - 1) * least)
    vectors = list(count_vectors(records, n, least))
    assert extreme in vectors
    for vector in vectors:
        assert min(vector) * Fraction(1, records) >= floor_of
        found = missed([k * Fraction(count, records) for count in vector], Fraction(0), gamma)
        assert meets(found, worst) if vector == extreme else found < worst
    bound = at_the_vertex(k, floor_of, n, gamma)
    whole = (floor_of * records).denominator == 1
    assert meets(bound, worst) if whole else worst < bound
    assert not list(count_vectors(n * least - 1, n, least))


@each_of(
    "alphas, rest",
    [(["2"], "3"), (["1/2", "1/2"], "4"), (["3", "2"], "0"), (["1", "2", "3"], "0")],
)
def test_delta_rises_with_gamma(alphas: list[str], rest: str) -> None:
    """Strictly, from 0 to 1; and the printed epsilon falls with gamma."""
    protected, w = [Fraction(alpha) for alpha in alphas], len(alphas)
    assert good_set.tail_rises_with_gamma()
    tiny = Fraction(1, 10**30)
    assert 0 < missed(protected, Fraction(rest), tiny) < ball(Fraction(1, 10**12))
    assert Miss.of(protected, Fraction(rest), Fraction(0)).known == 0
    assert Miss.of(protected, Fraction(rest), Fraction(1, w)).known == 1
    near = missed(protected, Fraction(rest), (1 - Fraction(1, 10**4)) / w)
    assert ball(Fraction(99, 100)) < near < 1
    printed_epsilons = [
        counts.epsilon_bound(GRADES_K, GRADES_ETA, 98, 5, gamma)
        for gamma in (Fraction(1, 10**6), Fraction(1, 100), Fraction(19, 100))
    ]
    assert printed_epsilons[0] > printed_epsilons[1] > printed_epsilons[2]


@pytest.mark.parametrize("seed", range(instances(3, 16)))
def test_bracket(seed: int) -> None:
    """Strict on both sides but for two coordinates that are all; and how wide it is."""
    random = Random(seed)  # noqa: S311
    k, w = SIZES[seed % 4], random.randint(2, 4)
    parts, gamma = shared_out(random, k, w + 1), some_gamma(random, w)
    with working_precision(RESOLVING_BITS):
        single = [below(alpha, k, gamma) for alpha in parts[:w]]
        upper, none_below = sum(single, arb(0)), arb(1)
        for one in single:
            none_below *= 1 - one
        lower = 1 - none_below
        assert lower < missed(parts[:w], parts[w], gamma) < upper
        widest = ball(Fraction(w - 1, 2 * w)) * upper**2  # attained by two equal parameters
        assert upper - lower < widest * (1 + arb(2) ** -100)
    first = parts[0]
    two = below(first, k, gamma) + below(k - first, k, gamma)
    assert meets(missed([first, k - first], Fraction(0), gamma), two)


def test_one_coordinate_in_closed_form() -> None:
    random = Random("one coordinate")  # noqa: S311 (the same every time)
    for _ in range(instances(20, 60)):
        a, b = (Fraction(random.choice([1, 7, 40, 900]), 10) for _ in range(2))
        gamma, mean = Fraction(random.randint(1, 39), 40), a / (a + b)
        below_gamma = below(a, a + b, gamma)
        front = (ball(a) * ball(gamma).log() - ball(a).log() - log_beta(a, b)).exp()
        bent = ball(b - 1) * ball(1 - gamma).log()
        if b == 1:
            assert meets(front, below_gamma)
        else:
            assert front * bent.min(arb(0)).exp() < below_gamma < front * bent.max(arb(0)).exp()
        entropy = (
            ball(a) * ball(mean / gamma).log() + ball(b) * ball((1 - mean) / (1 - gamma)).log()
        )
        rarer = below_gamma if gamma <= mean else below(b, a + b, 1 - gamma)
        assert rarer < (-entropy).exp() or gamma == mean


@pytest.mark.parametrize("seed", range(instances(3, 16)))
def test_small_together_is_rarer(seed: int) -> None:
    """P(x_1, x_2 < gamma) by inclusion and exclusion, below the product; so for three."""
    random = Random(seed)  # noqa: S311
    k, gamma = SIZES[seed % 4], Fraction(random.choice([5, 20, 40]), 300)
    one, two, three, rest = shared_out(random, k, 4)
    single = [below(alpha, k, gamma) for alpha in (one, two, three)]

    def either(*pair: Fraction) -> arb:
        return missed(pair, k - sum(pair), gamma)

    assert 0 < single[0] + single[1] - either(one, two) < single[0] * single[1]
    pairs = either(one, two) + either(one, three) + either(two, three)
    all_three = sum(single, arb(0)) - pairs + missed([one, two, three], rest, gamma)
    assert 0 < all_three < single[0] * single[1] * single[2]


def test_last_coordinate_left_free() -> None:
    """The difference is a part of P(x_n < gamma): tiny at the worst input, a quarter elsewhere."""
    k, eta, gamma, n = GRADES_K, GRADES_ETA, GRADES_GAMMA, 5
    large = 1 - (n - 1) * eta
    with working_precision(RESOLVING_BITS):
        every = at_the_vertex(k, eta, n, gamma)
        free = at_the_floor(k, eta, n - 1, gamma)
        assert printed("3.8796e-46").contains(every - free)
        assert 0 < every - free < below(k * large, k, gamma)
        floor_left_free = missed([*[k * eta] * (n - 2), k * large], k * eta, gamma)
        assert printed("0.0014968").contains(floor_left_free)
        assert 0 < every - floor_left_free < below(k * eta, k, gamma)
        assert floor_left_free < free


def test_published_delta_is_refuted() -> None:
    """Below 2.1e-4 at gamma = 1e-3 for every w that has an input, and ever smaller with gamma."""
    claimed, w_most = ball(Fraction("2.1e-4")), floor((1 - R_ETA_BAR) / R_ETA)
    assert w_most == 31
    assert w_most * R_ETA <= 1 - R_ETA_BAR < (w_most + 1) * R_ETA
    gamma = Fraction("1e-3")
    found = {w: at_the_floor(R, R_ETA, w, gamma) for w in (2, 3, 4, 5, 16, w_most)}
    assert all(earlier < later for earlier, later in pairwise(found.values()))
    assert found[w_most] < claimed
    recorded = {2: "3.8341e-6", 3: "5.7512e-6", 4: "7.6683e-6", 5: "9.5853e-6", 31: "5.9428e-5"}
    for w, text in recorded.items():
        assert printed(text).contains(found[w])
    assert printed("1.6707e-10").contains(at_the_floor(R, R_ETA, 5, Fraction("1e-4")))
    assert printed("4.0186e-20").contains(at_the_floor(R, R_ETA, 5, Fraction("1e-6")))
    smallest = at_the_floor(R, R_ETA, w_most, Fraction("1e-100"))
    assert 0 < smallest < ball(Fraction("1e-300"))


def test_published_deltas_are_enclosed() -> None:
    """What the stated inputs of the papers give, beside what is stated."""
    eta, gamma = GRADES_ETA, GRADES_GAMMA
    for found in (
        at_the_vertex(GRADES_K, eta, 5, gamma),
        at_the_floor(GRADES_K, eta, 4, gamma),
    ):
        assert printed("0.00199534929640666").contains(found)
        assert found < printed("0.0026")
    on_lattice = at_the_vertex(GRADES_K, Fraction(8, 98), 5, gamma)
    assert printed("0.00073036721").contains(on_lattice)
    for stated_epsilon, least_k, delta, stated_delta in (
        ("2.255", "21.014817", "0.0017391", "0.0026"),
        ("3.31", "31.161339", "6.2495e-5", "1.3e-4"),
    ):
        ends = [Fraction(least_k) + Fraction(side, 10**6) for side in (-1, 1)]
        low, high = (counts.epsilon_bound(k, eta, 98, 5, gamma) for k in ends)
        assert low < ball(Fraction(stated_epsilon)) < high
        assert all(printed(delta).contains(at_the_vertex(k, eta, 5, gamma)) for k in ends)
        assert at_the_vertex(ends[0], eta, 5, gamma) < printed(stated_delta)
    experts = Fraction(24), Fraction("0.05")
    low, high = (at_the_floor(*experts, 2, Fraction(g)) for g in ("0.002260725", "0.002260735"))
    assert low < ball(Fraction("0.05")) < high
    b, eta_bar, root = Fraction(1), Fraction("0.05"), Fraction("0.00226073")
    epsilon = average.epsilon_bound(*experts, eta_bar, b, 100, 2, root)
    assert printed("1.122318").contains(epsilon)
    assert epsilon < printed("1.18")


def mean_error(draws: int, delta: Fraction) -> arb:
    """E|X/M - delta| for M draws by De Moivre's formula."""
    v = floor(draws * delta) + 1
    choose = ball(draws + 1).lgamma() - ball(v + 1).lgamma() - ball(draws - v + 1).lgamma()
    powers = ball(v) * ball(delta).log() + ball(draws - v + 1) * ball(1 - delta).log()
    return (choose + powers).exp() * ball(Fraction(2 * v, draws))


@each_of("draws, delta", [(1, "1/3"), (7, "2/7"), (12, "0.31"), (9, "0.99")])
def test_monte_carlo_error(draws: int, delta: str) -> None:
    """De Moivre's formula against the definition, and its value for 10^6 draws."""
    share = Fraction(delta)
    weights = [Fraction(1)]  # C(M, x) d^x (1-d)^(M-x), without the last power
    for x in range(draws):
        weights.append(weights[-1] * (draws - x) / (x + 1) * share / (1 - share))
    mean = sum(
        abs(Fraction(x, draws) - share) * weight * (1 - share) ** draws
        for x, weight in enumerate(weights)
    )
    assert meets(mean_error(draws, share), ball(mean))
    million = 10**6
    for value, percent in (
        ("0.00199534929640666", "1.78"), ("0.0063", "1.002"), ("0.0064", "0.994"),
    ):  # fmt: skip
        relative = mean_error(million, Fraction(value)) / ball(Fraction(value))
        assert printed(percent).contains(100 * relative)
