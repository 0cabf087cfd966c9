"""Figure 1: the divergence of private grades, with Theorem 2 and Corollary 1, over epsilon."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from simplexcert.certify.simulating.comparing import Mean
from simulation.chains import NoDataError
from simulation.draws import log_rows
from simulation.grades import FLOOR, GRADES, KINDS, K, admissible, approximate_kl

from ..certified import upper
from ..curves import curves
from ..outcome import Outcome, Plot, Running, Table
from ..registry import Setting
from .grades_findings import findings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
