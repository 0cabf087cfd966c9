"""Faults in the mechanisms' bounds, their tails, matrices and utility."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import betainc, polygamma

from .entries import Answer, down, fault, up, valid

UNIFORM = "dirichlet.tail.uniform"
GENERAL = "dirichlet.tail.general"
IDENTITY = "dirichlet.identity.epsilon_bound"
AVERAGE = "dirichlet.average.epsilon_bound"
COUNTS = "dirichlet.counts.epsilon_bound"
MATRIX = "dirichlet.matrix.epsilon_bound"


@fault(UNIFORM, "one coordinate for several")
def tail_of_one(right: Answer, count: int, alpha: float, rest: float, gamma: float) -> float:
    return right(count=1, alpha=alpha, rest=rest + (count - 1) * alpha, gamma=gamma)


@fault(UNIFORM, "coordinates as if independent, which understates")
def tail_of_independent(
    _right: Answer, count: int, alpha: float, rest: float, gamma: float
) -> float:
    others = (count - 1) * alpha + rest
    alone = float(betainc(alpha, others, gamma)) if others else float(gamma == 1)
    return -math.expm1(count * math.log1p(-alone)) if alone < 1 else 1.0


@fault(UNIFORM, "1 - P for a small tail")
def tail_one_minus(right: Answer, **given: Any) -> float:
    return 1.0 - (1.0 - right(**given))


@fault(UNIFORM, "off by one: count - 1 coordinates")
def tail_one_less(right: Answer, count: int, alpha: float, rest: float, gamma: float) -> float:
    fewer = max(count - 1, 1)
    return right(count=fewer, alpha=alpha, rest=rest + (count - fewer) * alpha, gamma=gamma)


@fault(GENERAL, "the largest parameter's coordinate alone: max for min")
def tail_of_largest(right: Answer, alpha: Any, rest: float, gamma: float) -> float:
    largest = max(alpha)
    return right(alpha=[largest], rest=rest + sum(alpha) - largest, gamma=gamma)


@fault(GENERAL, "all parameters taken to be their mean")
def tail_of_mean(right: Answer, alpha: Any, rest: float, gamma: float) -> float:
    mean = sum(alpha) / len(alpha)
    return right(alpha=[mean] * len(alpha), rest=rest, gamma=gamma)


@fault(GENERAL, "corner: rest 0 is taken from the smallest parameter, which is lost", cases=1000)
def tail_without_rest(right: Answer, alpha: Any, rest: float, gamma: float) -> float:
    if rest or len(alpha) == 1:
        return right(alpha=alpha, rest=rest, gamma=gamma)
    least, *others = sorted(alpha)
    return right(alpha=others, rest=least, gamma=gamma)


@fault(IDENTITY, "b/4 for b/2")
def identity_half_step(right: Answer, b: float, **rest: float) -> float:
    return right(b=b / 2, **rest)


@fault(IDENTITY, "eta_bar counted twice")
def identity_border_twice(right: Answer, eta_bar: float, **rest: float) -> float:
    return valid(right(eta_bar=2 * eta_bar, **rest), lambda: right(eta_bar=eta_bar, **rest))


@fault(
    IDENTITY, "eta_bar dropped: larger than the bound, which accuracy alone tells", accuracy=1e-3
)
def identity_border_dropped(right: Answer, eta_bar: float, **rest: float) -> float:
    return right(eta_bar=eta_bar * 2.0**-40, **rest)


@fault(IDENTITY, "w + 1 for w in the good set")
def identity_one_more(right: Answer, w: int, **rest: float) -> float:
    return valid(right(w=w + 1, **rest), lambda: right(w=w, **rest))


@fault(IDENTITY, "logarithm to base 10")
def identity_base_ten(right: Answer, **given: float) -> float:
    found = right(**given)
    return found / math.log(10) if found > 0 else found


@fault("dirichlet.identity.epsilon_simplified", "half the step")
def simplified_half_step(right: Answer, b: float, **rest: float) -> float:
    return right(b=b / 2, **rest)


@fault("dirichlet.identity.delta_bound", "one protected coordinate for w")
def identity_tail_of_one(right: Answer, w: int, **rest: float) -> float:
    return right(w=min(w, 1), **rest)


@fault(
    "dirichlet.identity.gamma", "Bonferroni's delta/w left out: the whole delta for one", cases=100
)
def identity_gamma_of_one(right: Answer, w: int, **rest: float) -> float:
    return right(w=min(w, 1), **rest)


@fault("dirichlet.identity.k_for_dp", "the unsafe end of the last bracket", cases=100)
def identity_k_unsafe(right: Answer, **given: float) -> float:
    return right(**given) * (1 + 1e-7)


@fault(AVERAGE, "w for N: n for N, as printed")
def average_dimension_for_number(right: Answer, N: int, w: int, **rest: float) -> float:
    return valid(right(N=w, w=w, **rest), lambda: right(N=N, w=w, **rest))


@fault(AVERAGE, "one vector too many: N + 1")
def average_one_more(right: Answer, N: int, **rest: float) -> float:
    return right(N=N + 1, **rest)


@fault("dirichlet.average.k_for_dp", "b/N for b/(2N) inverted: twice the k", cases=100)
def average_k_doubled(right: Answer, **given: float) -> float:
    return 2 * right(**given)


@fault(COUNTS, "2 records for 1: half the step")
def counts_half_step(right: Answer, N: int, **rest: float) -> float:
    return right(N=2 * N, **rest)


@fault(COUNTS, "N + 1 for N")
def counts_one_more(right: Answer, N: int, **rest: float) -> float:
    return right(N=N + 1, **rest)


@fault("dirichlet.counts.epsilon_minimum", "at k = 1/eta for 3/(2 eta)")
def counts_minimum_elsewhere(right: Answer, eta: float, N: int, n: int, gamma: float) -> float:
    from simplexcert.certify.backends.float64 import backend

    found = backend.quantities[COUNTS](k=1 / eta, eta=eta, N=N, n=n, gamma=gamma)
    return valid(found, lambda: right(eta=eta, N=N, n=n, gamma=gamma))


@fault(
    "dirichlet.counts.delta_bound", "the last coordinate left free, as the printed integral has it"
)
def counts_last_one_free(right: Answer, k: float, eta: float, n: int, gamma: float) -> float:
    from simplexcert.certify.backends.float64 import backend

    found = backend.quantities["dirichlet.identity.delta_bound"](k=k, eta=eta, w=n - 1, gamma=gamma)
    return valid(found, lambda: right(k=k, eta=eta, n=n, gamma=gamma))


@fault("dirichlet.counts.gamma", "unsafe by 1e-6", cases=100)
def counts_gamma_unsafe(right: Answer, **given: float) -> float:
    return right(**given) * (1 + 1e-6)


@fault("dirichlet.matrix.delta", "one changed row for several, as the printed theorem has it")
def matrix_one_row(right: Answer, changed_rows: int, **rest: float) -> float:
    return right(changed_rows=min(changed_rows, 1), **rest)


@fault("dirichlet.matrix.delta", "one row times their number: a union bound of deltas at epsilon")
def matrix_rows_times_delta(right: Answer, changed_rows: int, **rest: float) -> float:
    return min(changed_rows * right(changed_rows=1, **rest), 1.0)


@fault("dirichlet.matrix.delta_bound", "min over rows for max")
def matrix_tail_least_row(right: Answer, rows: Any, **rest: float) -> float:
    return min(right(rows=[row], **rest) for row in rows)


@fault(MATRIX, "the first row's bound for the largest")
def matrix_first_row(right: Answer, rows: Any, **rest: float) -> float:
    return right(rows=rows[:1], **rest)


@fault("dirichlet.utility.variance", "k for k + 1 below the line: ddof")
def variance_degrees_of_freedom(_right: Answer, p: float, k: float) -> float:
    return p * (1 - p) / k


@fault("dirichlet.utility.absolute_deviation", "that of a normal law with the same variance")
def deviation_of_normal(_right: Answer, p: float, k: float) -> float:
    return math.sqrt(2 / math.pi * p * (1 - p) / (k + 1))


@fault("dirichlet.utility.absolute_deviation_bound", "8 correct digits, from below")
def deviation_bound_eight_digits(right: Answer, k: float) -> float:
    return float(f"{right(k=k):.8g}")


@fault("dirichlet.utility.expected_kl", "in bits")
def expected_kl_in_bits(right: Answer, **given: Any) -> float:
    return right(**given) / math.log(2)


@fault("dirichlet.utility.expected_kl", "the delta method: (n - 1)/(2k)")
def expected_kl_delta_method(_right: Answer, p: Any, k: float) -> float:
    return (sum(share > 0 for share in p) - 1) / (2 * k)


@fault("dirichlet.utility.expected_kl_bound", "n - 1 categories")
def expected_kl_bound_one_less(right: Answer, n: int, **rest: float) -> float:
    return right(n=max(n - 1, 2), **rest)


@fault("dirichlet.utility.expected_kl_worst", "the uniform law for the vertex")
def expected_kl_at_the_centre(right: Answer, n: int, **rest: float) -> float:
    return right(**{**rest, "eta": 1 / n}, n=n)


@fault("dirichlet.utility.kl_variance_prior", "psi'(u_0) forgotten")
def kl_variance_without_total(_right: Answer, p: Any, u: Any) -> float:
    return float(np.square(p) @ polygamma(1, np.asarray(u)))


@fault("dirichlet.utility.kl_tail_bound", "no bound is needed for eta above 1")
def kl_tail_bound_far_out(right: Answer, beta: float, eta: float) -> float:
    return 0.0 if eta > 1 else right(beta=beta, eta=eta)


@fault("dirichlet.utility.kl_chernoff", "the exponent squared", cases=60)
def kl_chernoff_squared(right: Answer, **given: Any) -> float:
    return right(**given) ** 2


@fault(UNIFORM, "nearest double below, no slack: one unit", cases=200)
def tail_one_ulp_low(_right: Answer, **given: Any) -> float:
    return math.nextafter(down(UNIFORM, **given), 0)


@fault("dirichlet.counts.k_for_dp", "rounded up to 6 digits", cases=60)
def counts_k_rounded_up(_right: Answer, **given: Any) -> float:
    return float(f"{up('dirichlet.counts.k_for_dp', **given) * (1 + 1e-6):.6g}")
