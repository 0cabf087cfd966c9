"""Figure 4, upper row: two states, T = 100, all chains that stay with a chance in [a, 1 - a]."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..outcome import Outcome, Plot, Running, Table
from ..registry import Setting
from .figure_4_findings import findings
from .figure_4_plot import drawn
from .figure_4_points import LENGTH, Point, drawn_shares, released, wasserstein
from .mechanisms import EXACT, MECHANISMS

TRIALS, QUICK_TRIALS = 500, 50
EPSILONS = (Fraction(1, 5), Fraction(1), Fraction(5))
# From 0.1 to 0.4 as in the figure.
ALPHAS = tuple(Fraction(at, 100) for at in range(10, 41))
QUICK_ALPHAS = (*(Fraction(at, 10) for at in (1, 2, 3)), Fraction(35, 100), Fraction(4, 10))
# Where the Wasserstein distance is worked out: it takes long, and the figure has none.
WASSERSTEIN_ALPHAS, QUICK_WASSERSTEIN = tuple(Fraction(at, 10) for at in (1, 2, 3, 4)), 1


def figure_4(setting: Setting) -> Running:
    """Draw chains of the class and release the share of state 1 with each mechanism's noise."""
    trials = QUICK_TRIALS if setting.quick else TRIALS
    alphas = QUICK_ALPHAS if setting.quick else ALPHAS
    points: list[Point] = []
    for done, alpha in enumerate(alphas):
        shares = drawn_shares(setting.generator("chains", str(alpha)), float(alpha), trials)
        for epsilon in EPSILONS:
            random = setting.generator("noise", str(alpha), str(epsilon))
            points += released(random, shares, alpha, epsilon)
        yield (done + 1) / len(alphas)
    return Outcome(
        tables=(
            *(error_table(points, epsilon) for epsilon in EPSILONS),
            wasserstein_table(points, quick=setting.quick),
            all_points(points),
        ),
        plots=(Plot("figure-4", "L1 error of the share of state 1", drawn(points)),),
        findings=findings(points),
        notes=(about(trials),),
    )


def about(trials: int) -> str:
    """Return what was done, and where the scales are from."""
    return (
        f"T = {LENGTH}, {trials} trials for each alpha; every initial law is in the class."
        " Scales are the reference's upper ends: MQMExact for all chains of the class"
        " (`quilt_scale_two_state`), MQMApprox with pi_min = alpha and the reversible gap 4 alpha,"
        " GK16 at the class's two corners, which decide it."
    )


def error_table(points: list[Point], epsilon: Fraction) -> Table:
    """Return the mean errors at one epsilon, a row for each alpha."""
    means = {
        (one.alpha, one.mechanism): one.error.value if one.error else None
        for one in points
        if one.epsilon == epsilon
    }
    alphas = dict.fromkeys(alpha for alpha, _mechanism in means)
    return Table(
        f"errors-epsilon-{float(epsilon):g}",
        f"Mean L1 error at epsilon = {float(epsilon):g}",
        ("alpha", *MECHANISMS),
        tuple((float(a), *(means[a, mechanism] for mechanism in MECHANISMS)) for a in alphas),
        note="Empty: the mechanism does not apply.",
    )


def all_points(points: list[Point]) -> Table:
    """Return everything, with the expected errors beside the simulated ones."""
    return Table(
        "points",
        "Expected and simulated errors",
        ("epsilon", "alpha", "mechanism", "expected", "simulated", "standard error"),
        tuple(
            (float(one.epsilon), float(one.alpha), one.mechanism, one.expected)
            + ((one.error.value, one.error.error) if one.error else (None, None))
            for one in points
        ),
    )


def wasserstein_table(points: Sequence[Point], *, quick: bool) -> Table:
    """Return the noise that song2017 Algorithm 1 needs at least, beside that of quilts."""
    expected = {(p.alpha, p.epsilon): p.expected for p in points if p.mechanism == EXACT}
    rows = []
    for alpha in WASSERSTEIN_ALPHAS[: QUICK_WASSERSTEIN if quick else None]:
        distance = wasserstein(alpha)
        for epsilon in EPSILONS:
            least = distance / float(epsilon) / LENGTH
            rows.append((float(alpha), float(epsilon), distance, least, expected[alpha, epsilon]))
    return Table(
        "wasserstein",
        "Not in the figure: the Wasserstein mechanism's expected error, at least",
        ("alpha", "epsilon", "distance in counts", "error, at least", EXACT),
        tuple(rows),
        note="From the float64 backend (`chain_wasserstein`), for the corners of the class alone.",
    )
