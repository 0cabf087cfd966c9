"""Figure 3, lower plots: the divergence of a histogram from its private draws, by epsilon-hat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log

import numpy as np
from simplexcert.certify.simulating.comparing import Mean
from simplexcert.reference import evaluate
from simplexcert.reference.exact import exact_text
from simulation.draws import Array, log_rows

from ..numbers import DIGITS, upper
from ..outcome import Finding, Table, Verdict
from ..registry import Setting
from .figure_3_top import ORDERS, alpha_of

COUNTS = (119, 74, 618, 272, 13, 187)
DELTA = "1e-5"
# Where the printed axis of epsilon-hat begins.
LEAST = 0.001
LAW = tuple(Fraction(count, sum(COUNTS)) for count in COUNTS)
# (14) at the smallest r that is tried is its infimum to more digits than are told.
TINY = Fraction(1, 10**9)
# A draw this near to uniform, as a share of f's own divergence from it, is called close.
NEARLY_UNIFORM = 0.5


@dataclass(frozen=True)
class Point:
    """One order and r: both epsilons at delta = 1e-5, and the divergence of the draws."""

    order: int
    r: Fraction
    converted: float
    exact: float
    expected: float
    simulated: Mean


def converted(order: int, r: Fraction) -> float:
    """Return epsilon-hat by (14), cut off at 0."""
    given = {"order": order, "step": exact_text(r)}
    line_1 = evaluate(
        "dirichlet.renyi.epsilon_bound",
        {**given, "delta2_squared": 2, "delta_inf": 1},
        digits=DIGITS,
    )
    return upper(
        "dirichlet.renyi.to_approximate_dp", order=order, epsilon=line_1.upper, delta=DELTA
    )


def exact(order: int, r: Fraction) -> float:
    """Return the least epsilon at delta = 1e-5 of Algorithm 1's draw; for small r it is 0."""
    alpha = exact_text(alpha_of(order, r))
    return upper("dirichlet.profile.epsilon", alpha=alpha, step=exact_text(r), delta=DELTA)


def point(setting: Setting, order: int, r: Fraction, draws: int) -> Point:
    """Return one point, with as many instances."""
    u = [r * count + alpha_of(order, r) for count in COUNTS]
    p = [exact_text(share) for share in LAW]
    expected = upper("dirichlet.utility.expected_kl_prior", p=p, u=[exact_text(x) for x in u])
    logs = log_rows(setting.generator("draws", order, str(r)), np.array([u], dtype=float), draws)
    return Point(
        order, r, converted(order, r), exact(order, r), expected, Mean.of(divergences(logs[:, 0]))
    )


def divergences(logs: Array) -> Array:
    """Return KL(f/N || y) of each draw y, from its logarithms."""
    law = np.array([float(share) for share in LAW])
    found: Array = (law * (np.log(law) - logs)).sum(axis=1)
    return found


def uniform() -> float:
    """Return KL(f/N || uniform)."""
    return log(len(LAW)) + sum(float(share) * log(share) for share in LAW)


def table(points: Sequence[Point]) -> Table:
    """Return all points."""
    rows = tuple(
        (
            *(one.order, float(one.r), one.converted, one.exact, one.expected),
            *(one.simulated.value, one.simulated.error),
        )
        for one in points
    )
    columns = (
        *("lambda", "r", "epsilon-hat by (14)", "epsilon-hat, exact", "mean divergence, exact"),
        *("simulated", "its error"),
    )
    return Table("figure-3-bottom", f"Epsilon-hat at delta = {DELTA} and divergence", columns, rows)


def lines(points: Sequence[Point]) -> dict[str, dict[str, list[tuple[float, float]]]]:
    """Return the lines of a panel for each order."""
    found = {}
    for order in ORDERS:
        own = [one for one in points if one.order == order]
        known = [one for one in own if one.exact > LEAST]
        ends = [min(one.exact for one in known), max(one.converted for one in own)]
        found[f"lambda = {order}"] = {
            "by (14)": [(one.converted, one.expected) for one in own if one.converted > 0],
            "by the exact profile": [(one.exact, one.expected) for one in known],
            "simulated, by (14)": [
                (one.converted, one.simulated.value) for one in own if one.converted > 0
            ],
            "uniform law": [(end, uniform()) for end in ends],
        }
    return found


def findings(points: Sequence[Point]) -> tuple[Finding, ...]:
    """Return the findings on reach and on large orders."""
    least = {order: converted(order, TINY) for order in ORDERS}
    first = {order: min(one.exact for one in points if one.order == order) for order in ORDERS}
    ratios = [one.converted / one.exact for one in points if one.exact > 0]
    last = [one for one in points if one.order == ORDERS[-1]]
    return (
        Finding(
            "some r serves every epsilon-hat from 0.001 to 100 by Theorem 1 and the conversion"
            " (Figure 3, bottom)",
            "(14) gives no epsilon-hat below "
            + ", ".join(f"{value:.5g} for lambda = {order}" for order, value in least.items()),
            Verdict.NOT_AS_PRINTED if max(least.values()) > LEAST else Verdict.AS_PRINTED,
            "the conversion alone costs that much; the same draws have an exact epsilon down to"
            f" {max(first.values()):.2g} here, at least {min(ratios):.3g} times less than by (14)"
            " (claims ponnoprat2023.figure-3-bottom, ponnoprat2023.figure-3-bottom-repaired)",
        ),
        Finding(
            "for very large lambda outputs are close to uniform (3.2)",
            f"at lambda = {ORDERS[-1]} the mean divergence is at least"
            f" {min(one.expected for one in last):.3f}, uniform {uniform():.3f}",
            Verdict.IN_SHAPE
            if min(one.expected for one in last) > NEARLY_UNIFORM * uniform()
            else Verdict.NOT_AS_PRINTED,
            "alpha grows with lambda (claim ponnoprat2023.figure-3-uniform)",
        ),
    )
