"""The textbook's formulas in mpmath, and a library: mpmath at the 15 digits that it starts with.

At many more digits the same lines give the truths that every refutation is confirmed by.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import mpmath
from mpmath import betainc, digamma, exp, log, loggamma, mpf

from .libraries import EXPECTED_KL, RENYI, Imported

_DIGITS = 15


def delta(alpha: float, step: float, epsilon: float) -> Any:
    a, s = mpf(alpha), mpf(step)
    q = 1 / (1 + exp(epsilon / s))
    first = betainc(a, a + s, 0, q, regularized=True)
    return first - exp(epsilon) * betainc(a + s, a, 0, q, regularized=True)


def total_variation(alpha: float, step: float) -> Any:
    return delta(alpha, step, 0.0)


def renyi(alpha: float, step: float, order: float) -> Any:
    a, s, m = mpf(alpha), mpf(step), mpf(order) - 1
    if m * s >= a:
        return mpmath.inf
    if m == 0:
        return s * (digamma(a + s) - digamma(a))
    return (loggamma(a - m * s) + loggamma(a + s + m * s) - loggamma(a) - loggamma(a + s)) / m


def add_remove(alpha: float, step: float, order: float) -> Any:
    a, s, m = mpf(alpha), mpf(step), mpf(order) - 1
    if m * s >= a:
        return mpmath.inf
    if m == 0:
        return loggamma(a + s) - loggamma(a) - s * digamma(a)
    return (loggamma(a - m * s) + m * loggamma(a + s) - (m + 1) * loggamma(a)) / m


def expected_kl(p: Sequence[float], k: float) -> Any:
    k, shares = mpf(k), [mpf(share) for share in p if share]
    parts = (share * (log(k * share) - digamma(k * share)) for share in shares)
    return digamma(k) - log(k) + sum(parts)


def at(digits: int, formula: Callable[..., Any], **given: Any) -> Any:
    """Return what a formula gives at so many digits."""
    with mpmath.workdps(digits):
        return formula(**given)


def _answer(formula: Callable[..., Any], **given: Any) -> float:
    return float(at(_DIGITS, formula, **given))


_FUNCTIONS = {RENYI: partial(_answer, renyi), EXPECTED_KL: partial(_answer, expected_kl)}
library = Imported(
    "mpmath (15 digits)",
    "1.3.0",
    tuple(_FUNCTIONS),
    {RENYI: "1.187436283e-7", EXPECTED_KL: "4.656620116e-10"},
    functions=_FUNCTIONS,
    installed=mpmath.__version__,
    module=__name__,
)
