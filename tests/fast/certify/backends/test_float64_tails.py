"""The float64 backend's tails, their inverses and closed bounds: safe, and near to the truth."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from each import each_of
from flint import acb, arb
from instances import instances
from scipy import special
from simplexcert.certify.backends.float64 import backend, hyperbola, tail_contour
from simplexcert.certify.backends.float64.doubled import single
from simplexcert.certify.backends.float64.hyperbola import Path, path_through_saddle
from simplexcert.certify.backends.float64.incomplete_beta import log_incomplete_beta
from simplexcert.certify.backends.float64.tail_contour import incomplete_gamma
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, working_precision

Point = dict[str, Any]
UNIFORM, GENERAL = "dirichlet.tail.uniform", "dirichlet.tail.general"
DELTAS = ("dirichlet.identity.delta_bound", "dirichlet.counts.delta_bound")
LEVELS = ("dirichlet.identity.gamma", "dirichlet.counts.gamma")
EXCESS = Fraction(5, 10**12)  # relative, for every parameter from 0.01 on; measured: 1e-12
SMALL_TOTAL_EXCESS = Fraction(2, 10**11)  # the contour loses 1/k where k is small; measured 1.2e-11


def answer(name: str, point: Point) -> float:
    value = backend.quantities[name](**point)
    assert isinstance(value, float)
    return value


def excess(name: str, point: Point) -> Fraction:
    """How far the answer is beyond the truth, relatively; it must not be on the other side."""
    truth = evaluate(name, point, digits=25)
    assert truth.narrow, point
    value = Fraction(answer(name, point))
    if truth.quantity.safe.value == "lower":
        assert value <= truth.lower, point
        return 1 - value / Fraction(truth.upper)
    assert value >= truth.upper, point
    return value / Fraction(truth.lower) - 1


def log_uniform(random: np.random.Generator, low: float, high: float) -> float:
    return float(10 ** random.uniform(math.log10(low), math.log10(high)))


def gamma_for(random: np.random.Generator, alpha: float, total: float, count: int) -> float:
    """A gamma at which a single coordinate misses with probability 1e-15 to 1."""
    target = log_uniform(random, 1e-15, 1)
    gamma = float(special.betaincinv(alpha, total - alpha, target))
    return gamma if 1e-12 < gamma < 1 / count else random.uniform(0.5, 0.999) / count


def uniform_points(seed: int, least: float, most: float) -> Iterator[Point]:
    random = np.random.default_rng(seed)
    while True:
        alpha, count = log_uniform(random, least, most), int(random.choice((2, 3, 5, 10, 30, 50)))
        rest = float(random.choice((0.0, log_uniform(random, 1e-3, most))))
        gamma = gamma_for(random, alpha, alpha * count + rest, count)
        yield {"alpha": alpha, "count": count, "rest": rest, "gamma": gamma}


def floor_points(seed: int, name: str) -> Iterator[Point]:
    random = np.random.default_rng(seed)
    letter, least = ("w", 2) if "identity" in name else ("n", 3)
    while True:
        count, total = int(random.integers(least, 30)), log_uniform(random, 0.5, 2000)
        eta = float(random.choice((1.0, random.uniform(0.05, 1)))) / count
        if count * Fraction(eta) <= 1 and total * eta > 0.05:
            gamma = gamma_for(random, total * eta, total, count)
            yield {"k": total, "eta": eta, letter: count, "gamma": gamma}


MANY, SOME = instances(20, 150), instances(8, 60)


def first(points: Iterator[Point], count: int) -> list[Point]:
    return [next(points) for _ in range(count)]


def test_a_uniform_tail_is_safe_and_near_the_truth() -> None:
    assert (
        max(excess(UNIFORM, point) for point in first(uniform_points(1, 0.01, 1e3), MANY)) < EXCESS
    )


def test_small_parameters_lose_a_little_more() -> None:
    points = first(uniform_points(2, 1e-3, 1e-2), SOME)
    assert max(excess(UNIFORM, point) for point in points) < SMALL_TOTAL_EXCESS


def test_a_general_tail_is_safe_and_near_the_truth() -> None:
    random, worst = np.random.default_rng(3), Fraction(0)
    for _ in range(instances(20, 80)):
        alpha = [log_uniform(random, 0.01, 500) for _ in range(random.integers(2, 9))]
        rest = float(random.choice((0.0, log_uniform(random, 1e-3, 500))))
        gamma = gamma_for(random, min(alpha), sum(alpha) + rest, len(alpha))
        worst = max(worst, excess(GENERAL, {"alpha": alpha, "rest": rest, "gamma": gamma}))
    assert worst < EXCESS


@pytest.mark.parametrize("name", DELTAS)
def test_the_delta_of_a_paper_is_safe_and_near_the_truth(name: str) -> None:
    assert max(excess(name, point) for point in first(floor_points(4, name), SOME)) < EXCESS


def test_alike_parameters_in_a_list_are_a_uniform_tail() -> None:
    for point in first(uniform_points(5, 0.05, 50), 20):
        listed = {"alpha": [point["alpha"]] * point["count"], "rest": point["rest"]}
        assert answer(GENERAL, listed | {"gamma": point["gamma"]}) == answer(UNIFORM, point)


def test_a_rational_truth_is_not_missed() -> None:
    """With alpha = 1 the probability is 1 - (1 - w gamma)^(w - 1 + rest)."""
    random = np.random.default_rng(6)
    for _ in range(instances(50, 200)):
        count, rest = int(random.integers(2, 40)), int(random.integers(0, 30))
        gamma = float(random.choice((log_uniform(random, 1e-12, 1), random.uniform(0, 1)))) / count
        truth = 1 - (1 - count * Fraction(gamma)) ** (count - 1 + rest)
        point = {"alpha": 1.0, "count": count, "rest": float(rest), "gamma": gamma}
        assert truth <= Fraction(answer(UNIFORM, point)) < truth * (1 + EXCESS)


def test_tiny_tails_keep_their_relative_accuracy() -> None:
    random, seen = np.random.default_rng(7), 0
    for _ in range(100):
        alpha, count, rest = log_uniform(random, 0.5, 1e3), 5, log_uniform(random, 1, 1e3)
        gamma = log_uniform(random, 1e-12, 0.1)
        point = {"alpha": alpha, "count": count, "rest": rest, "gamma": gamma}
        if 1e-300 < answer(UNIFORM, point) < 1e-13:
            seen += 1
            assert excess(UNIFORM, point) < EXCESS
    assert seen > 20


@each_of("count", [1, 2, 3, 7, 10, 49, 50])
def test_it_is_1_exactly_from_count_gamma_1_on(count: int) -> None:
    """On doubles next to 1/count, by the exact product; 49 * (1/49) rounds to 1 - 2^-53."""
    for alpha, rest in ((1.0, 2.0), (3.5, 0.0 if count > 1 else 2.0), (200.0, 30.0)):
        beside = 1 / count
        for gamma in (math.nextafter(beside, 0), beside, math.nextafter(beside, 1)):
            point = {"alpha": alpha, "count": count, "rest": rest, "gamma": min(gamma, 1.0)}
            reached = count * Fraction(point["gamma"]) >= 1
            value = answer(UNIFORM, point)
            assert value == 1.0 if reached else value >= evaluate(UNIFORM, point).upper


def test_it_is_0_exactly_where_nothing_can_be_missed() -> None:
    level = backend.quantities[UNIFORM]
    assert answer(UNIFORM, {"alpha": 2.0, "count": 3, "rest": 1.0, "gamma": 0.0}) == 0.0
    assert answer(UNIFORM, {"alpha": 2.0, "count": 1, "rest": 0.0, "gamma": 1.0}) == 0.0
    assert answer(GENERAL, {"alpha": [1e305], "rest": 0.0, "gamma": 0.5}) == 0.0
    assert answer(GENERAL, {"alpha": [2.0, 1.0], "rest": 0.0, "gamma": 0.0}) == 0.0
    both = level(
        alpha=np.ones(2), count=np.ones(2), rest=np.zeros(2), gamma=np.array([0.5, 5e-324])
    )
    assert np.array_equal(both, [0.0, 0.0])


def test_a_tail_that_decays_slowly_along_the_path_is_not_cut() -> None:
    """Where w gamma is next to 1 the product falls like a power; a hump hides how slowly."""
    random = np.random.default_rng(8)
    seen = {"alpha": 4.868314206002042, "count": 6, "rest": 0.0, "gamma": 0.16617771291209738}
    points = [seen]
    for _ in range(instances(15, 60)):
        count = int(random.choice((2, 3, 6, 20)))
        gamma = (1 - log_uniform(random, 1e-8, 0.1)) / count
        rest = float(random.choice((0.0, log_uniform(random, 1e-3, 3))))
        alpha = log_uniform(random, 0.01, 100)
        points.append({"alpha": alpha, "count": count, "rest": rest, "gamma": gamma})
    assert max(excess(UNIFORM, point) for point in points) < EXCESS


EDGES: tuple[Point, ...] = (
    {"alpha": 1e-30, "count": 50, "rest": 1.0, "gamma": 1e-290},
    {"alpha": 1e-150, "count": 50, "rest": 1e-150, "gamma": 1e-150},
    {"alpha": 5e4, "count": 2, "rest": 0.0, "gamma": 0.4999},
    {"alpha": 1e5, "count": 50, "rest": 1e5, "gamma": 0.019},
    {"alpha": 1000.0, "count": 50, "rest": 1000.0, "gamma": 0.0195},
    {"alpha": 1e-3, "count": 50, "rest": 1000.0, "gamma": 1e-12},
    {"alpha": 1e300, "count": 2, "rest": 5e-324, "gamma": 0.25},
)


@each_of("point", EDGES)
def test_edges_are_safe(point: Point) -> None:
    value = answer(UNIFORM, point)
    assert value == 1.0 or value >= evaluate(UNIFORM, point).upper


@pytest.mark.parametrize("name", LEVELS)
def test_a_level_is_safe_and_near_the_truth(name: str) -> None:
    random = np.random.default_rng(9)
    for point in first(floor_points(10, name), 12):
        delta = log_uniform(random, 1e-12, 0.9)
        del point["gamma"]
        assert 0 <= excess(name, point | {"delta": delta}) < Fraction(1, 10**10)


@pytest.mark.parametrize("name", LEVELS)
def test_the_delta_at_a_level_is_at_most_what_was_asked(name: str) -> None:
    bound = name.replace("gamma", "delta_bound")
    for point in first(floor_points(11, name), 20):
        delta = point.pop("gamma")
        level = answer(name, point | {"delta": delta})
        # The answer is rounded upward once more than what was compared with delta.
        assert answer(bound, point | {"gamma": level}) <= delta * (1 + 2**-50)
        assert 0 <= level < 1


def test_a_level_below_every_double_is_0() -> None:
    for name, letter in zip(LEVELS, "wn", strict=True):
        assert answer(name, {"k": 0.1, "eta": 0.01, letter: 3, "delta": 1e-9}) == 0.0


def test_a_level_is_found_at_any_distance_from_1() -> None:
    """1e-79 and 1e-2 in one array; the condition number of the first is 1000."""
    k, eta = np.array([0.1273173024030682, 24.0]), np.array([0.040031779559325305, 0.05])
    delta = np.array([0.9988425569443364, 0.05])
    both = backend.quantities[LEVELS[0]](k=k, eta=eta, w=np.array([14, 2]), delta=delta)
    for index, value in enumerate(np.asarray(both)):
        point = {"k": k[index], "eta": eta[index], "w": (14, 2)[index], "delta": delta[index]}
        truth = evaluate(LEVELS[0], point).lower
        assert truth * (1 - Fraction(1, 10**8)) <= Fraction(float(value)) <= truth


SIMPLIFIED, MINIMUM = "dirichlet.identity.epsilon_simplified", "dirichlet.counts.epsilon_minimum"


def test_the_simplified_epsilon_is_safe_next_to_its_poles_and_zeros() -> None:
    random, worst = np.random.default_rng(12), Fraction(0)
    for _ in range(instances(100, 300)):
        eta, eta_bar = log_uniform(random, 1e-3, 0.6), log_uniform(random, 1e-3, 0.3)
        k = float(random.choice((0.5 / eta, 2 / (1 - eta_bar), log_uniform(random, 1, 1e3))))
        k = math.nextafter(k, math.inf) * float(random.choice((1.0, 1 + 1e-12, 1.1)))
        point = {"k": k, "eta": eta, "eta_bar": eta_bar, "b": 0.01, "w": 3, "gamma": 0.01}
        if min(k * eta, k * (1 - eta_bar - eta)) > 0.5 and eta + eta_bar < 0.99:
            truth, value = evaluate(SIMPLIFIED, point, digits=25), answer(SIMPLIFIED, point)
            assert Fraction(value) >= truth.upper, point
            worst = max(worst, Fraction(value) - Fraction(truth.lower))
    assert 0 < worst < Fraction(1, 10**11)


def test_the_smallest_printed_epsilon_is_safe_and_near_the_truth() -> None:
    random = np.random.default_rng(13)
    for _ in range(instances(66, 200)):
        n, N = int(random.integers(3, 51)), round(log_uniform(random, 10, 1e4))  # noqa: N806
        eta = float(random.choice((1 / 3, log_uniform(random, 1e-3, 1) / n)))
        gamma = float(random.choice((math.nextafter(1 / n, 0), log_uniform(random, 1e-12, 1) / n)))
        point = {"eta": eta, "N": N, "n": n, "gamma": gamma}
        if n * Fraction(eta) <= 1 and n * Fraction(gamma) < 1:
            assert 0 <= excess(MINIMUM, point) < Fraction(1, 10**12)


def test_the_incomplete_beta_is_never_too_low() -> None:
    random = np.random.default_rng(14)
    alpha, others = (10 ** random.uniform(-6, 3, 300) for _ in range(2))
    point = np.clip(alpha / (alpha + others) * 10 ** random.normal(0, 1, 300), 1e-300, 0.9)
    point[:30] = 10 ** random.uniform(-320, -100, 30)
    with np.errstate(all="ignore"):
        values = log_incomplete_beta(alpha, single(others), point)
    for a, b, x, value in zip(alpha, others, point, values, strict=True):
        with working_precision(2000):
            exact = [ball(Fraction(float(part))) for part in (a, b, x)]
            truth = exact[2].beta_lower(exact[0], exact[1], regularized=1).log()
            assert arb(float(value)) > truth
            assert arb(float(value)) < truth + (1 - truth) * arb(2) ** -40


def test_the_incomplete_gamma_is_within_its_doubt() -> None:
    random = np.random.default_rng(15)
    alpha = 10 ** random.uniform(-4, 3, 200)
    size, angle = (alpha + 5) * 10 ** random.uniform(-3, 0.5, 200), random.uniform(0, 2.2, 200)
    argument = size * np.exp(1j * angle)
    with np.errstate(all="ignore"):
        given = incomplete_gamma(alpha, argument)
    for index in np.flatnonzero(given.doubt < 1e-6 * np.abs(given.mantissa)):
        with working_precision(6000):
            z = acb(float(argument[index].real), float(argument[index].imag))
            a = acb(float(alpha[index]))
            lower = z.gamma_lower(a, regularized=1)
            truth = 1 - lower if given.upper[index] else lower
            logarithm, mantissa = complex(given.logarithm[index]), complex(given.mantissa[index])
            found = acb(logarithm.real, logarithm.imag).exp()
            doubt = abs(found) * arb(float(given.doubt[index]))
            found *= acb(mantissa.real, mantissa.imag)
            assert abs(found - truth) < doubt


def test_the_aliasing_is_below_what_is_allowed_for_it() -> None:
    """The integrals over the two outer hyperbolas, next to that over the path itself."""
    allowed, worst = tail_contour._ALIASED, 0.0
    for point in first(uniform_points(16, 1e-3, 1e3), 40):
        alpha, count = np.array([point["alpha"]]), np.array([float(point["count"])])
        total, gamma = point["alpha"] * point["count"] + point["rest"], point["gamma"]
        with np.errstate(all="ignore"):
            path = path_through_saddle(alpha, count, total, gamma)
            sine = path.lean / (1 + path.lean)
            width = hyperbola._SHARE * math.asin(sine)
            sizes = []
            for angle in (math.asin(sine) + turn for turn in (0.0, -width, width)):
                crossing = path.crossing * (1 - math.sin(angle)) / (1 - sine)
                other = Path(crossing, math.sin(angle) / (1 - math.sin(angle)), path.step)
                front = tail_contour._front(total, crossing)[0]
                sizes.append(
                    sum(
                        np.sum(
                            np.abs(
                                tail_contour._terms(
                                    nodes, other, alpha, count, total, gamma, front
                                ).value
                            )
                        )
                        for nodes in (
                            hyperbola.nodes(other, start, 32) for start in range(0, 320, 32)
                        )
                    )
                )
        worst = max(
            worst, (sizes[1] + sizes[2]) / sizes[0] * math.exp(-2 * math.pi * width / path.step)
        )
    assert 0 < worst < allowed / 100


def test_the_profile_stays_within_1e_12_down_to_1e_100_and_2e_12_down_to_1e_290() -> None:
    """For alpha in [0.001, 1000] and step/alpha in [1e-6, 1000]."""
    random, name, below = np.random.default_rng(17), "dirichlet.profile.delta", 0
    for index in range(300):
        alpha = log_uniform(random, 1e-3 if index % 2 else 50.0, 1e3)
        step = alpha * log_uniform(random, 1e-6, 1e3)
        wide = step * math.sqrt((2 * alpha + step) / (alpha * (alpha + step)))
        steep = step / alpha * random.uniform(200, 668)
        epsilon = steep if index % 4 == 1 else wide * random.uniform(0, 20 if index % 4 else 38)
        point = {"alpha": alpha, "step": step, "epsilon": epsilon}
        value = answer(name, point)
        if value < 1e-290:
            continue
        truth = evaluate(name, point)
        small = value < 1e-100
        below += small
        assert Fraction(value) >= min(truth.upper, Fraction(1))
        assert Fraction(value) <= truth.lower * (1 + Fraction(2 if small else 1, 10**12)), point
    assert below > 60
