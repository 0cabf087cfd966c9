"""Textbook code on SciPy, as a user would write it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import scipy
from scipy.sparse.csgraph import connected_components
from scipy.special import betainc, digamma, expit, gammaln

from .libraries import (
    ADD_REMOVE,
    CLASSES,
    DELTA,
    EXPECTED_KL,
    RENYI,
    TAIL,
    TOTAL_VARIATION,
    VARIANCE,
    Answer,
    Imported,
)


def delta(alpha: float, step: float, epsilon: float) -> float:
    q = expit(-epsilon / step)
    first, second = betainc(alpha, alpha + step, q), betainc(alpha + step, alpha, q)
    return float(first - np.exp(epsilon) * second)


def total_variation(alpha: float, step: float) -> float:
    return float(betainc(alpha, alpha + step, 0.5) - betainc(alpha + step, alpha, 0.5))


def renyi(alpha: float, step: float, order: float) -> float:
    m = order - 1
    if m * step >= alpha:
        return math.inf
    if m == 0:
        return float(step * (digamma(alpha + step) - digamma(alpha)))
    top = gammaln(alpha - m * step) + gammaln(alpha + order * step)
    return float((top - gammaln(alpha) - gammaln(alpha + step)) / m)


def add_remove(alpha: float, step: float, order: float) -> float:
    m = order - 1
    if m * step >= alpha:
        return math.inf
    if m == 0:
        return float(gammaln(alpha + step) - gammaln(alpha) - step * digamma(alpha))
    top = gammaln(alpha - m * step) + m * gammaln(alpha + step)
    return float((top - order * gammaln(alpha)) / m)


def tail(alpha: float, count: int, rest: float, gamma: float) -> float:
    """The chance that the first coordinate falls below gamma, times their number."""
    others = (count - 1) * alpha + rest
    if others == 0:
        return float(gamma >= 1)
    return min(float(count * betainc(alpha, others, gamma)), 1.0)


def expected_kl(p: Sequence[float], k: float) -> float:
    shares = np.asarray([share for share in p if share])
    return float(digamma(k) - np.log(k) + shares @ (np.log(k * shares) - digamma(k * shares)))


def variance(p: float, k: float) -> float:
    return p * (1 - p) / (k + 1)


def classes(P: Sequence[Sequence[float]]) -> int:
    count, _ = connected_components(np.asarray(P), connection="strong")
    return int(count)


_FUNCTIONS: dict[str, Answer] = {
    DELTA: delta,
    TOTAL_VARIATION: total_variation,
    RENYI: renyi,
    ADD_REMOVE: add_remove,
    TAIL: tail,
    EXPECTED_KL: expected_kl,
    VARIANCE: variance,
    CLASSES: classes,
}
library = Imported(
    "SciPy",
    "1.17.1",
    tuple(_FUNCTIONS),
    {
        DELTA: "0",
        TOTAL_VARIATION: "4.204394166e-9",
        RENYI: "1.187436283e-7",
        ADD_REMOVE: "5.913898349e-8",
        TAIL: "0",
        EXPECTED_KL: "4.656621755e-10",
        CLASSES: "2",
    },
    functions=_FUNCTIONS,
    installed=scipy.__version__,
    module=__name__,
)
