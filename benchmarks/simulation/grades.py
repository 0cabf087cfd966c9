"""The grades of benvenuti2025 section 6.1: what their mean KL divergence of .103 can be.

N = 98 grades of n = 5 kinds, eta = .073 and the least k, 20.6. No count over 98 is .073, so every
count is at least 8; the counts themselves are not published.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import log

import numpy as np
from scipy.special import digamma
from simplexcert.certify.simulating.comparing import Mean
from simplexcert.reference import evaluate

from .bounds import DIGITS
from .draws import log_rows
from .tables import simulated

GRADES, KINDS, FLOOR, PRINTED = 98, 5, Fraction(73, 1000), ".103"
K = Fraction(206, 10)
DRAWS, QUICK_DRAWS = 400_000, 20_000


def partitions(total: int, parts: int, least: int) -> Iterator[tuple[int, ...]]:
    """Yield the non-decreasing tuples of whole numbers from ``least`` on with that sum."""
    if parts == 1:
        yield (total,)
        return
    for first in range(least, total // parts + 1):
        for rest in partitions(total - first, parts - 1, first):
            yield first, *rest


def admissible() -> list[tuple[int, ...]]:
    """Return the counts that the paper's eta and N allow, in non-decreasing order."""
    return list(partitions(GRADES, KINDS, -(-GRADES * FLOOR // 1)))


def approximate_kl(counts: tuple[int, ...]) -> float:
    """Return the mean of KL(p || x) in doubles, to see which counts have the least and the most."""
    k, shares = float(K), [count / GRADES for count in counts]
    return sum(p * (log(p) + float(digamma(k)) - float(digamma(k * p))) for p in shares)


def simulated_kl(counts: tuple[int, ...], draws: int, seed: int) -> Mean:
    """Return the simulated mean of KL(p || x)."""
    shares = np.array([counts], dtype=np.float64) / GRADES
    logs = log_rows(np.random.default_rng([seed, *counts]), float(K) * shares, draws)
    shift = logs[:, 0] - np.log(shares[0])
    return Mean.of(np.asarray((np.expm1(shift) - shift) @ shares[0]))


def grade_lines(*, quick: bool, seed: int) -> Iterator[str]:
    """Yield the section of the report on the grades."""
    found = {counts: approximate_kl(counts) for counts in admissible()}
    like = sum(f"{value:.3f}" == f"0{PRINTED}" for value in found.values())
    yield f"\n## Grades of one course: N = {GRADES}, n = {KINDS}, k = {float(K)}\n"
    yield (
        f"{len(found)} multisets of counts have shares of {float(FLOOR)} and more; the mean of "
        f"{like} of them is {PRINTED} when rounded, which is what the paper prints.\n"
    )
    yield "| counts | E KL, proved | simulated |"
    yield "|---|---|---|"
    for counts in (min(found, key=found.__getitem__), max(found, key=found.__getitem__)):
        proved = value("expected_kl", p=[Fraction(count, GRADES) for count in counts])
        mean = simulated_kl(counts, QUICK_DRAWS if quick else DRAWS, seed)
        yield f"| {counts} | {proved:.6f} | {simulated(mean)} |"
    eta = Fraction(min(min(counts) for counts in found), GRADES)
    worst = value("expected_kl_worst", eta=eta, n=KINDS)
    yield f"| the most with shares of {eta} and more | {worst:.6f} | |"
    printed = value("expected_kl_bound", N=GRADES, n=KINDS)
    yield f"| Corollary 1, as printed | {printed:.6f} | |"


def value(name: str, **given: object) -> float:
    """Return the upper end of a quantity of the Dirichlet mechanism at the grades' k."""
    answer = evaluate(f"dirichlet.utility.{name}", {"k": K, **given}, digits=DIGITS)
    assert answer.narrow
    return float(answer.upper)
