"""Figure 4, upper row: two states, T = 100, all chains that stay with a chance in [a, 1 - a].

The chains, each mechanism's scale for the class and releases of shares; then what the figure and
the text beside it say, held against what came out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from simplexcert.certify.simulating.comparing import Mean
from simplexcert.reference import evaluate
from simplexcert.reference.errors import DomainError

from ..outcome import Finding, Outcome, Plot, Running, Table, Verdict
from ..registry import Setting
from .mechanisms import APPROX, EXACT, GK16, GROUP, MECHANISMS, float64, laplace

LENGTH = 100
# Scales are multiplied with drawn doubles: more digits would be of no use.
DIGITS = 16


@dataclass(frozen=True)
class Point:
    """One mechanism at one alpha and epsilon: its expected error, and that of the trials.

    Both are None where the mechanism does not apply.
    """

    epsilon: Fraction
    alpha: Fraction
    mechanism: str
    expected: float | None
    error: Mean | None


def drawn_shares(random: np.random.Generator, alpha: float, trials: int) -> NDArray[np.float64]:
    """Return the share of state 1 in a sequence of each of so many chains of the class."""
    # song2017 Section 5.2: p0, p1 and the initial law are uniform.
    stay = random.uniform(alpha, 1 - alpha, size=(2, trials))
    state = (random.uniform(size=trials) < random.uniform(size=trials)).astype(np.int64)
    ones = np.zeros(trials)
    for _ in range(LENGTH):
        ones += state
        leaves = random.uniform(size=trials) >= stay[state, np.arange(trials)]
        state = np.where(leaves, 1 - state, state)
    return ones / LENGTH


def released(
    random: np.random.Generator, shares: NDArray[np.float64], alpha: Fraction, epsilon: Fraction
) -> Iterator[Point]:
    """Yield what each mechanism's releases are off by."""
    for mechanism, scale in class_scales(alpha, epsilon).items():
        if scale is None:
            yield Point(epsilon, alpha, mechanism, None, None)
            continue
        # One entry moves the share by 1/T; Laplace noise is off by its scale in the mean.
        expected = scale / LENGTH
        private = shares + laplace(random, expected, len(shares), 1)[:, 0]
        yield Point(epsilon, alpha, mechanism, expected, Mean.of(np.abs(private - shares)))


def class_scales(alpha: Fraction, epsilon: Fraction) -> dict[str, float | None]:
    """Return each mechanism's scale for the class, per unit of Lipschitz."""
    known = {"length": LENGTH, "epsilon": epsilon}
    ends = {"low": alpha, "high": 1 - alpha, "width": LENGTH}
    return {
        GROUP: upper_end("group_scale", lipschitz=1, size=LENGTH, epsilon=epsilon),
        GK16: gk16_scale(alpha, epsilon),
        APPROX: upper_end("quilt_scale_approx", pi_min=alpha, gap=4 * alpha, **known),
        EXACT: upper_end("quilt_scale_two_state", **ends, **known),
    }


def gk16_scale(alpha: Fraction, epsilon: Fraction) -> float | None:
    """Return GK16's scale for the class's two corners, or None where it does not apply.

    All transitions are positive, so outside its domain is where a spectral norm is 1 or more.
    """
    corners = [
        {"initial": "any", "P": [[stay, 1 - stay], [1 - stay, stay]]} for stay in (alpha, 1 - alpha)
    ]
    try:
        return upper_end("gk16_scale", chains=corners, length=LENGTH, epsilon=epsilon)
    except DomainError:
        return None


def upper_end(name: str, **given: object) -> float:
    """Return a quantity's proved upper end."""
    return float(evaluate(f"pufferfish.{name}", given, digits=DIGITS).upper)


def wasserstein(alpha: Fraction) -> float:
    """Return the Wasserstein distance of the number of 1s for a part of the class.

    The part: its two corners, each from either state and from the uniform, stationary law. For
    the class it is no smaller.
    """
    a, b = float(alpha), float(1 - alpha)
    chains = [
        {"initial": start, "P": [[stay, leave], [leave, stay]]}
        for stay, leave in ((a, b), (b, a))
        for start in ([1.0, 0.0], [0.0, 1.0], [0.5, 0.5])
    ]
    return float64("chain_wasserstein", chains=chains, length=LENGTH, values=[[0.0, 1.0]])


# song2017 Section 5.2: GroupDP's errors at epsilon = 0.2, 1 and 5, "around".
GROUP_ERRORS = {Fraction(1, 5): 5.0, Fraction(1): 1.0, Fraction(5): 0.2}
# A mean of trials may be so many standard errors off.
STANDARD_ERRORS = 4
Errors = dict[tuple[Fraction, Fraction], float]


def findings(points: Sequence[Point]) -> tuple[Finding, ...]:
    """Return a finding for each statement."""
    return (
        line_of_gk16(points),
        fall_with_alpha(points),
        exact_below_approx(points),
        *(against_gk16(points, mechanism) for mechanism in (APPROX, EXACT)),
        group_errors(points),
    )


def verdict(*, holds: bool) -> Verdict:
    """Return the verdict on a statement in words."""
    return Verdict.AS_PRINTED if holds else Verdict.NOT_AS_PRINTED


def expected(points: Sequence[Point], mechanism: str) -> Errors:
    """Return a mechanism's expected errors by epsilon and alpha, where it applies."""
    return {
        (one.epsilon, one.alpha): one.expected
        for one in points
        if one.mechanism == mechanism and one.expected is not None
    }


def line_of_gk16(points: Sequence[Point]) -> Finding:
    """Return whether GK16 applies from one alpha on, whatever epsilon is."""
    applies = expected(points, GK16)
    alphas = sorted({one.alpha for one in points})
    by_epsilon = {e: {a for a in alphas if (e, a) in applies} for e, _a in expected(points, EXACT)}
    first = min((min(found) for found in by_epsilon.values() if found), default=None)
    right = {a for a in alphas if first is not None and a >= first}
    holds = first is not None and all(found == right for found in by_epsilon.values())
    before = max((a for a in alphas if first is not None and a < first), default=None)
    return Finding(
        "GK16 applies right of one line in alpha only, the same for every epsilon (Section 5.2)",
        f"it applies from alpha = {told(first)} on, and not at {told(before)}, for every epsilon"
        if holds
        else "there is no such line",
        verdict(holds=holds),
        "the condition, a spectral norm below 1, has no epsilon; where the line is is only drawn",
    )


def told(alpha: Fraction | None) -> str:
    """Return an alpha for a sentence."""
    return "none" if alpha is None else f"{float(alpha):g}"


def fall_with_alpha(points: Sequence[Point]) -> Finding:
    """Return whether each mechanism's expected error falls as alpha grows."""
    rising = [
        f"{mechanism} at epsilon = {float(e):g} from alpha = {told(a)} to {told(b)}"
        for mechanism in (GK16, APPROX, EXACT)
        for errors in [expected(points, mechanism)]
        for (e, a), (other, b) in pairwise(sorted(errors))
        if e == other and errors[e, a] <= errors[e, b]
    ]
    return Finding(
        "errors of GK16, MQMApprox and MQMExact fall as alpha grows (Section 5.2)",
        "expected errors do, everywhere" if not rising else f"not {'; '.join(rising)}",
        verdict(holds=not rising),
        "expected errors are compared, the scale over T; means of trials scatter about them",
    )


def exact_below_approx(points: Sequence[Point]) -> Finding:
    """Return whether MQMExact's expected errors are below MQMApprox's."""
    exact, approx = expected(points, EXACT), expected(points, APPROX)
    ratios = [approx[place] / exact[place] for place in exact]
    return Finding(
        "MQMExact is more accurate than MQMApprox (Section 5.2)",
        f"MQMApprox's error is {min(ratios):.3g} to {max(ratios):.3g} times MQMExact's",
        verdict(holds=min(ratios) > 1),
        "expected errors are compared; our MQMExact has no limit on how wide a quilt may be",
    )


def against_gk16(points: Sequence[Point], mechanism: str) -> Finding:
    """Return whether a quilt mechanism is better than GK16 for some parameters, worse for others.

    The paper's words for how much, "significantly" and "somewhat", are not numbers: in shape.
    """
    other, quilts = expected(points, GK16), expected(points, mechanism)
    ratios = [quilts[place] / other[place] for place in other]
    both = bool(ratios) and min(ratios) < 1 < max(ratios)
    better = sum(ratio < 1 for ratio in ratios)
    found = f"better at {better} of {len(ratios)} points where GK16 applies"
    reach = f"; its error is {min(ratios):.3g} to {max(ratios):.3g} times GK16's" if ratios else ""
    return Finding(
        f"where all apply, {mechanism} is significantly better than GK16 for a range of parameters"
        " and somewhat worse for the rest (Sections 5.2 and 5.4)",
        found + reach,
        Verdict.IN_SHAPE if both else Verdict.NOT_AS_PRINTED,
        "near the line GK16's scale grows without bound, so it loses there; the words for how much"
        " are not numbers",
    )


def group_errors(points: Sequence[Point]) -> Finding:
    """Return whether GroupDP's mean errors are about those of the text, at every alpha together."""
    means, near = [], True
    for epsilon, printed in GROUP_ERRORS.items():
        found = list(group_means(points, epsilon))
        mean = sum(value for value, _error in found) / len(found)
        error = sum(error**2 for _value, error in found) ** 0.5 / len(found)
        near &= abs(mean - printed) <= STANDARD_ERRORS * error
        means.append(f"{mean:.3g} ± {error:.1g}")
    return Finding(
        "GroupDP's error is about 5, 1 and 0.2 at epsilon = 0.2, 1 and 5 (Section 5.2)",
        f"{', '.join(means)} over all alphas",
        verdict(holds=near),
        f"noise of scale T/epsilon on a sum that is divided by T = {LENGTH}; the figure's caption"
        " has the epsilons as 0.5, 1 and 5, with which the first would be 2",
    )


def group_means(points: Sequence[Point], epsilon: Fraction) -> Iterator[tuple[float, float]]:
    """Yield GroupDP's mean errors and their standard errors."""
    for one in points:
        if one.mechanism == GROUP and one.epsilon == epsilon and one.error is not None:
            yield one.error.value, one.error.error


MARKS = {GK16: "^", APPROX: "s", EXACT: "o"}


def drawn(points: Sequence[Point]) -> Figure:
    """Return a panel for each epsilon, GroupDP left out as in the paper."""
    epsilons = list(dict.fromkeys(one.epsilon for one in points))
    figure = Figure(figsize=(15, 4.5), layout="constrained")
    for panel, epsilon in zip(figure.subplots(1, len(epsilons)), epsilons, strict=True):
        _panel(panel, [one for one in points if one.epsilon == epsilon], epsilon)
    return figure


def _panel(panel: Any, points: Sequence[Point], epsilon: Fraction) -> None:
    for mechanism, mark in MARKS.items():
        shown = [one for one in points if one.mechanism == mechanism and one.error]
        alphas = [float(one.alpha) for one in shown]
        means = [one.error.value for one in shown if one.error]
        (line,) = panel.plot(alphas, means, mark, markersize=4, label=f"{mechanism}, trials")
        panel.plot(alphas, [one.expected for one in shown], "-", color=line.get_color())
    applies = [one.alpha for one in points if one.mechanism == GK16 and one.error]
    if applies:
        panel.axvline(float(min(applies)), color="black", linestyle="--", label="GK16 from here on")
    panel.set(yscale="log", xlabel="alpha", title=f"epsilon = {float(epsilon):g}")
    panel.set_ylabel("L1 error of the share of state 1")
    panel.legend(fontsize="small")


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
