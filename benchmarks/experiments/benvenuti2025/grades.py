"""Figure 1: the divergence of private grades, with Theorem 2 and Corollary 1, over epsilon.

Beside it stands what section 6.1 prints.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from simplexcert.certify.simulating.comparing import Mean
from simulation.chains import NoDataError
from simulation.draws import log_rows
from simulation.grades import FLOOR, GRADES, KINDS, K, admissible, approximate_kl

from ..curves import curves
from ..numbers import comes_out, falls, upper
from ..outcome import Finding, Outcome, Plot, Running, Table, Verdict
from ..registry import Setting

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# (6) rounds to 3.31 for k between 31.06 and 31.26 alone; the note has the proof.
SECOND_K = Fraction("31.16")
_CLAIM = "claim benvenuti2025."


def findings(points: Sequence[Point], even: str, uneven: str) -> tuple[Finding, ...]:
    """Return all findings on Figure 1 and its text."""
    return (
        strongest(points[0]),
        second_pair(),
        divergence(points[0], even, uneven),
        tightness(points),
    )


def strongest(first: Point) -> Finding:
    """Return the finding on the pair at the least k."""
    return Finding(
        "epsilon = 2.255 and delta = 0.0026 at k = 20.6 (6.1)",
        f"(6) is {first.epsilon:.5g} and (7) is {first.delta:.5g}; exactly, delta ="
        f" {exact_delta(first.k, '2.255'):.2g} at 2.255",
        as_printed(("2.255", first.epsilon), ("0.0026", first.delta)),
        "neither formula gives its number at the printed inputs, in no rounding of them for"
        f" epsilon; the pair holds all the same ({_CLAIM}section-6-1-epsilon)",
    )


def second_pair() -> Finding:
    """Return the finding on the pair at a larger k."""
    given = {"k": SECOND_K, "eta": FLOOR, "n": KINDS, "gamma": Fraction(4, 10_000)}
    epsilon = upper("dirichlet.counts.epsilon_bound", **given, N=GRADES)
    delta = upper("dirichlet.counts.delta_bound", **given)
    return Finding(
        "delta = 1.3e-4 where epsilon = 3.31 (6.1)",
        f"(7) is {delta:.2g} at k = {float(SECOND_K)}, where (6) is {epsilon:.3f}",
        as_printed(("3.31", epsilon), ("0.00013", delta)),
        f"about half of what is printed, which therefore holds ({_CLAIM}section-6-1-second-pair)",
    )


def as_printed(*pairs: tuple[str, float]) -> Verdict:
    """Return whether each printed number comes out, in some rounding."""
    out = all(comes_out(printed, value) for printed, value in pairs)
    return Verdict.AS_PRINTED if out else Verdict.NOT_AS_PRINTED


def exact_delta(k: Fraction, epsilon: str) -> float:
    """Return the exact delta of all neighbours with shares of at least eta."""
    return upper("dirichlet.profile.delta", alpha=k * FLOOR, step=k / GRADES, epsilon=epsilon)


def divergence(first: Point, even: str, uneven: str) -> Finding:
    """Return the finding on the mean divergence at the least k."""
    others = "".join(
        f", {name} {mean.value:.4f}"
        for name, mean in first.simulated.items()
        if name not in {even, uneven}
    )
    return Finding(
        "mean divergence 0.103 at the smallest epsilon (6.1)",
        f"simulated: {even} {first.simulated[even].value:.4f}, {uneven}"
        f" {first.simulated[uneven].value:.4f}{others}; exactly {first.expected[even]:.4f} to"
        f" {first.expected[uneven]:.4f}",
        Verdict.IN_SHAPE,
        "0.103 is among the means of the counts that N and eta allow; the counts themselves are"
        f" not printed ({_CLAIM}section-6-1-kl)",
    )


def tightness(points: Sequence[Point]) -> Finding:
    """Return the finding on the bound's way to the mean."""
    name = list(points[0].expected)[-1]
    gaps = [one.corollary_1 - one.expected[name] for one in points]
    above = all(one.corollary_1 >= mean for one in points for mean in one.expected.values())
    first, last = points[0], points[-1]
    return Finding(
        "Corollary 1 bounds the mean and comes nearer to it as privacy weakens (Figure 1)",
        f"gap ({name}) from {gaps[0]:.3g} at epsilon = {first.epsilon:.2f} to {gaps[-1]:.3g} at"
        f" {last.epsilon:.2f}; bound over mean from {first.corollary_1 / first.expected[name]:.3f}"
        f" to {last.corollary_1 / last.expected[name]:.3f}",
        Verdict.AS_PRINTED if falls(gaps) and above else Verdict.NOT_AS_PRINTED,
        f"proved ({_CLAIM}corollary-1, {_CLAIM}corollary-1-tightness)",
    )


GAMMA = Fraction(4, 10_000)
# k from 20.6 to 110.6, as the section has it.
FULL_STEPS, QUICK_STEPS, LAST = 1, 30, 90
DRAWS, QUICK_DRAWS = 2_000, 400
SECTIONS = "grades/uiuc_section_counts_ABCDF.csv.gz"
EVEN, UNEVEN = "most even", "most uneven"

Counts = tuple[int, ...]


@dataclass(frozen=True)
class Point:
    """One k: its privacy by (6) and (7), both bounds, and the means of each distribution."""

    k: Fraction
    epsilon: float
    delta: float
    corollary_1: float
    sharp: float
    expected: Mapping[str, float]
    simulated: Mapping[str, Mean]


def figure_1(setting: Setting) -> Running:
    """Privatise distributions of 98 grades at each k and average their divergence."""
    grades, absent = distributions(setting)
    points = []
    for step in range(0, LAST + 1, QUICK_STEPS if setting.quick else FULL_STEPS):
        points.append(point(setting, grades, K + step))
        yield (step + 1) / (LAST + 1)
    return Outcome(
        tables=(table(points, grades),),
        plots=(Plot("figure-1", "Mean divergence of private grades", drawn(points)),),
        findings=findings(points, EVEN, UNEVEN),
        skipped=absent,
        notes=(note(grades),),
    )


def note(grades: Mapping[str, Counts]) -> str:
    """Return what is privatised, and what is known of the paper's counts."""
    return (
        f"N = {GRADES}, {KINDS} grades, eta = {float(FLOOR)}, gamma = {float(GAMMA)}. The paper's"
        " counts are not printed; all that its N and eta allow have a mean between those of"
        f" {grades[EVEN]} and {grades[UNEVEN]} (claim benvenuti2025.section-6-1-kl)."
    )


def distributions(setting: Setting) -> tuple[dict[str, Counts], tuple[str, ...]]:
    """Return the counts that are privatised by name, and why one is not there."""
    allowed = admissible()
    extremes = {EVEN: min(allowed, key=approximate_kl), UNEVEN: max(allowed, key=approximate_kl)}
    try:
        return {**extremes, **real_sections(setting)}, ()
    except NoDataError as error:
        return extremes, (f"real sections of {GRADES} grades: {error}",)


def real_sections(setting: Setting) -> dict[str, Counts]:
    """Return the sections at hand that have 98 grades and no share below eta."""
    with gzip.open(setting.data(SECTIONS), "rt", encoding="utf-8", newline="") as stream:
        _, *lines = csv.reader(stream)
    counted = ((line[0], tuple(map(int, line[1:]))) for line in lines)
    return {
        f"section of {term}": counts
        for term, counts in counted
        if sum(counts) == GRADES and min(counts) >= FLOOR * GRADES
    }


def point(setting: Setting, grades: Mapping[str, Counts], k: Fraction) -> Point:
    """Return what one k has."""
    given = {"k": k, "eta": FLOOR, "n": KINDS, "gamma": GAMMA}
    draws = QUICK_DRAWS if setting.quick else DRAWS
    laws = {name: [Fraction(one, GRADES) for one in counts] for name, counts in grades.items()}
    return Point(
        k,
        upper("dirichlet.counts.epsilon_bound", **given, N=GRADES),
        upper("dirichlet.counts.delta_bound", **given),
        upper("dirichlet.utility.expected_kl_bound", k=k, N=GRADES, n=KINDS),
        upper("dirichlet.utility.expected_kl_worst", k=k, eta=FLOOR, n=KINDS),
        {name: upper("dirichlet.utility.expected_kl", p=law, k=k) for name, law in laws.items()},
        {
            name: mean_divergence(setting.generator(name, str(k)), law, float(k), draws)
            for name, law in laws.items()
        },
    )


def mean_divergence(random: np.random.Generator, law: list[Fraction], k: float, draws: int) -> Mean:
    """Return the mean of KL(p || x) over draws of x."""
    shares = np.array([law], dtype=np.float64)
    shift = log_rows(random, k * shares, draws)[:, 0] - np.log(shares[0])
    # e^x - 1 adds up to 0 over a row; with it no term is negative and none is large.
    return Mean.of(np.asarray((np.expm1(shift) - shift) @ shares[0]))


def table(points: list[Point], grades: Mapping[str, Counts]) -> Table:
    """Return all points."""
    each = [(f"Theorem 2, {name}", f"simulated, {name}", "its error") for name in grades]
    columns = ("k", "epsilon (6)", "delta (7)", "Corollary 1", "sharp bound", *sum(each, ()))
    rows = tuple(tuple(cells(one)) for one in points)
    note = "The sharp bound is over all shares of at least eta; an error is a standard error."
    return Table("figure-1", "Mean KL divergence from the grades", columns, rows, note)


def cells(one: Point) -> Iterator[float]:
    """Yield the row of a point."""
    yield from (float(one.k), one.epsilon, one.delta, one.corollary_1, one.sharp)
    for name, expected in one.expected.items():
        yield from (expected, one.simulated[name].value, one.simulated[name].error)


def drawn(points: list[Point]) -> Figure:
    """Return the plot."""
    bounds = {
        "Corollary 1": [(one.epsilon, one.corollary_1) for one in points],
        "sharp bound for eta": [(one.epsilon, one.sharp) for one in points],
    }
    for name in points[0].expected:
        bounds[f"Theorem 2, {name}"] = [(one.epsilon, one.expected[name]) for one in points]
        bounds[f"simulated, {name}"] = [(one.epsilon, one.simulated[name].value) for one in points]
    axes = {"xlabel": "epsilon by (6)", "ylabel": "mean KL divergence"}
    return curves({"benvenuti2025 Figure 1": bounds}, **axes)
