"""The laws of proofs_notes/laws-of-answers.md: a test named for each heading.

The facts are those that the checks use: every one is tried at drawn points, by enclosures of the
truth at both ends of a move, which must not be certainly out of order.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from math import prod
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.certify.checks.relations.inverse import forward_point
from simplexcert.certify.checks.relations.limit import at_the_end
from simplexcert.certify.checks.relations.monotone import moves_of
from simplexcert.certify.checks.relations.relation import rounded
from simplexcert.certify.points import exact_point
from simplexcert.certify.search.strategies import points_from
from simplexcert.reference import evaluate, quantities
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.precision import Budget
from simplexcert.reference.quantity import Quantity, Side, quantity_named
from simplexcert.reference.relations import Trend

# Of one truth; what is not enclosed by then decides nothing.
SECONDS, DIGITS = 2.0, 12
POINTS, POINTS_OF_SLOW = instances(4, 12), instances(1, 3)
SLOW = {
    "dirichlet.composition.delta", "dirichlet.composition.epsilon", "dirichlet.utility.kl_tail",
    "dirichlet.utility.kl_chernoff", "pufferfish.network_scale", "pufferfish.network_epsilon",
    "pufferfish.network_loss", "dirichlet.counts.k_for_dp", "dirichlet.identity.k_for_dp",
    "dirichlet.average.k_for_dp", "dirichlet.matrix.delta", "pufferfish.chain_loss",
    "pufferfish.quilt_scale_pieces", "dirichlet.counts.gamma", "dirichlet.identity.gamma",
    "dirichlet.tail.general", "markov.model.epsilon", "pufferfish.instantiation_loss",
}  # fmt: skip
SHARES = st.fractions(0, 1, max_denominator=97).filter(lambda share: share < 1)
NUMBERS = st.fractions(-9, 9, max_denominator=97)


def drawn(quantity: Quantity, many: int) -> list[dict[str, Any]]:
    """Return points as campaigns draw them."""
    return list(islice(points_from(quantity, quantity.name), many))


def truth(name: str, point: Any) -> Enclosure:
    answer = evaluate(name, exact_point(point), digits=DIGITS, budget=Budget(SECONDS, 1024))
    return answer.number


def pairs(quantity: Quantity, trend: Trend, many: int) -> Iterator[tuple[Any, Any]]:
    """Yield points and their moves, the lower one in the trend's sense first."""
    for turn, point in enumerate(drawn(quantity, many)):
        moved = next(moves_of(quantity, trend, point, turn), None)
        if moved is None:
            continue
        here, there = exact_point(point)[trend.parameter], exact_point(moved)[trend.parameter]
        if trend.order.is_at_most(here, there) is trend.rises:
            yield point, moved
        else:
            yield moved, point


def require_trends(*names: str) -> None:
    """Require of every trend of these quantities that no two truths are certainly out of order."""
    for name in names:
        quantity, tried = quantity_named(name), 0
        for trend in quantity.trends or ():
            for low, high in pairs(quantity, trend, POINTS_OF_SLOW if name in SLOW else POINTS):
                first, second = truth(name, low), truth(name, high)
                assert first.low <= second.high, (name, trend.parameter, low, high)
                tried += 1
        assert tried


def family(prefix: str, *names: str) -> list[str]:
    return [f"{prefix}.{name}" for name in names]


@settings(derandomize=True, deadline=None, database=None)
@given(t=NUMBERS, more=SHARES, d=SHARES, m=SHARES, off=st.tuples(SHARES, SHARES, st.booleans()))
def test_declared_deviations_keep_the_order(
    t: Fraction, more: Fraction, d: Fraction, m: Fraction, off: tuple[Fraction, Fraction, bool]
) -> None:
    other = t + more * abs(t)
    first, second, whole = off
    sizes = (Fraction(1), Fraction(1)) if whole else (first, second)
    v = t + sizes[0] * max(d * abs(t), m)
    w = other - sizes[1] * max(d * abs(other), m)
    assert v - w <= d / (1 - d) * (abs(v) + abs(w)) + 2 * m


@settings(derandomize=True, deadline=None, database=None)
@given(table=st.lists(st.lists(st.integers(0, 9), min_size=5, max_size=5), min_size=2, max_size=2))
def test_inverses_inherit(table: list[list[int]]) -> None:
    """On finite tables f(x, p) that fall in x and rise in p, and their mirror images."""
    low = sorted(table[0], reverse=True)
    high = [a + b for a, b in zip(low, sorted(table[1], reverse=True), strict=True)]

    def least(f: list[int], target: int) -> int:
        return next((x for x, value in enumerate(f) if value <= target), len(f))

    def largest(f: list[int], target: int) -> int:
        return max((x for x, value in enumerate(f) if value <= target), default=-1)

    for target in range(18):
        assert least(low, target) <= least(high, target)
        assert least(low, target + 1) <= least(low, target)
        assert largest(high[::-1], target) <= largest(low[::-1], target)
        assert largest(low[::-1], target) <= largest(low[::-1], target + 1)


def test_profiles() -> None:
    require_trends(
        *family("dirichlet.profile", "delta", "total_variation", "renyi", "largest_order"),
        *family("dirichlet.profile", "epsilon", "step_for_dp", "step_for_renyi"),
        "dirichlet.matrix.delta",
    )


def test_added_and_removed() -> None:
    require_trends(
        *family("dirichlet.add_remove", "delta", "renyi", "epsilon", "step_for_dp"),
        "dirichlet.add_remove.step_for_renyi",
    )


def test_calibrated_concentrations() -> None:
    require_trends(
        *(f"dirichlet.{mechanism}.k_for_dp" for mechanism in ("identity", "average", "counts"))
    )


def test_compositions() -> None:
    require_trends("dirichlet.composition.delta", "dirichlet.composition.epsilon")


def test_more_coordinates_fall_below() -> None:
    require_trends("dirichlet.tail.uniform", "dirichlet.tail.general")


def test_wider_sets_of_inputs() -> None:
    require_trends(
        *(f"dirichlet.{mechanism}.delta_bound" for mechanism in ("identity", "counts", "matrix")),
        "dirichlet.identity.gamma",
        "dirichlet.counts.gamma",
    )


def test_printed_epsilons() -> None:
    require_trends(
        *(
            f"dirichlet.{mechanism}.epsilon_bound"
            for mechanism in ("identity", "average", "counts", "matrix")
        ),
        "dirichlet.counts.epsilon_minimum",
    )


@settings(derandomize=True, deadline=None, database=None)
@given(
    weights=st.lists(
        st.tuples(st.integers(1, 20), st.integers(1, 20), st.booleans()), min_size=2, max_size=6
    ).filter(lambda outputs: any(good for *_, good in outputs)),
    part=SHARES,
)
def test_chances_that_are_not_answered(
    weights: list[tuple[int, int, bool]], part: Fraction
) -> None:
    """Two laws on few outputs, some of them good: at a ratio that bounds those, and beside it."""
    first, second = (Fraction(sum(column)) for column in list(zip(*weights, strict=True))[:2])
    laws = [(p / first, q / second, good) for p, q, good in weights]
    missed = sum((p for p, _, good in laws if not good), Fraction(0))
    largest = max(p / q for p, q, good in laws if good)
    for ratio in (max(largest, Fraction(1)), max(largest * part, Fraction(1)), Fraction(1)):
        lost = sum((max(p - ratio * q, Fraction(0)) for p, q, _ in laws), Fraction(0))
        assert lost <= missed or ratio < largest


@settings(derandomize=True, deadline=None, database=None)
@given(
    atoms=st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=4
    ),
    rates=st.lists(st.integers(1, 4), min_size=1, max_size=3),
    outcome=st.integers(0, 9),
)
def test_releases_with_noise(
    atoms: list[tuple[int, int, int]], rates: list[int], outcome: int
) -> None:
    """At equal outcomes several releases are one; e is replaced by 3, rates are 1/scale."""
    base = Fraction(1, 3)

    def density(point: int, rate: int) -> Fraction:
        return base ** (abs(outcome - point) * rate)

    for side in (0, 1):
        joint = sum(
            (atom[2] * prod(density(atom[side], rate) for rate in rates) for atom in atoms),
            Fraction(0),
        )
        assert joint == sum(atom[2] * density(atom[side], sum(rates)) for atom in atoms)


def test_simplified_epsilon() -> None:
    require_trends("dirichlet.identity.epsilon_simplified")


def test_orders_of_divergences() -> None:
    require_trends(
        *family("dirichlet.renyi", "divergence", "epsilon_sensitivity", "epsilon_bound_alpha")
    )


def test_algorithm_one() -> None:
    require_trends("dirichlet.renyi.epsilon_bound", "dirichlet.renyi.step")


def test_conversions() -> None:
    require_trends("dirichlet.renyi.to_approximate_dp", "renyi.epsilon_for_dp")


def test_noise_falls_with_concentration() -> None:
    require_trends(
        *family("dirichlet.utility", "variance", "absolute_deviation", "expected_kl"),
        *family("dirichlet.utility", "variance_bound", "absolute_deviation_bound"),
        *family("dirichlet.utility", "expected_kl_worst", "expected_kl_bound"),
        "markov.expected_kl",
    )


def test_levels_are_exceeded_less_often() -> None:
    require_trends("dirichlet.utility.kl_tail", "dirichlet.utility.kl_chernoff")


def test_models_of_chains() -> None:
    require_trends(
        *family("markov.model", "delta", "epsilon", "renyi", "delta_bound", "epsilon_bound")
    )


def test_certificates_of_releases() -> None:
    require_trends(*family("markov", "certificate_stationary", "certificate_ergodicity"))


def test_scales_of_quilts() -> None:
    require_trends(
        *family("pufferfish", "quilt_scale_exact", "quilt_scale_pieces", "quilt_scale_two_state"),
        *family("pufferfish", "quilt_scale_approx", "quilt_scale_approx_stationary"),
        *family("pufferfish", "network_scale", "quilt_epsilon", "network_epsilon"),
    )


def test_influences_and_losses() -> None:
    require_trends(
        *family("pufferfish", "max_influence", "laplace_loss", "chain_loss", "network_loss"),
        "pufferfish.instantiation_loss",
    )


def test_scales_of_entries() -> None:
    require_trends(*family("pufferfish", "entry_scale", "group_scale", "wasserstein_scale"))


def test_ends_of_ranges() -> None:
    """At each end the truth is at most what it is at the point, and nowhere below 0."""
    for name, quantity in quantities().items():
        for end in quantity.vanishes:
            for point in drawn(quantity, POINTS_OF_SLOW):
                moved = at_the_end(quantity, end, point)
                if not quantity.admits(exact_point(moved)):
                    continue
                there = truth(name, moved)
                assert there.low <= truth(name, point).high, (name, end, point)
                assert there.low >= Enclosure.of(Fraction(0)).low


def test_twice_is_needless() -> None:
    """The forward quantity meets the target at the inverse, and is on either side beside it."""
    inverses = {name: item for name, item in quantities().items() if item.inverse}
    for name, quantity in inverses.items():
        forward = quantity.inverse
        assert forward is not None
        for point in drawn(quantity, POINTS_OF_SLOW):
            inverse = truth(name, point)
            if not inverse.high.is_finite or inverse.low <= Enclosure.of(Fraction(0)).high:
                continue
            target = Fraction(point[forward.target])
            keeps = 1 if quantity.safe is Side.UPPER else -1
            for end, sign in ((inverse.upper, 1), (inverse.lower, -1)):
                value = rounded(Fraction(end) * (1 + sign * Fraction(1, 8)), sign)
                if not quantity_named(forward.quantity).admits(
                    exact_point(forward_point(quantity, point, value, sign * keeps))
                ):
                    continue
                found = truth(forward.quantity, forward_point(quantity, point, value, sign * keeps))
                assert (
                    found.low.compared_with(target) <= 0
                    if sign == keeps
                    else found.high.compared_with(target) >= 0
                ), (name, point)
