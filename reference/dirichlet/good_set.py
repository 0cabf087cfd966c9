"""The papers' route to epsilon: bound the log-ratio of densities on a good set of outputs.

On the good set every protected coordinate of the output is at least gamma. The three papers then
print the same expression with different letters in it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from ..arb.balls import ball, sharpened, sign, working_precision
from ..arb.gamma import digamma, log_beta_change
from ..domain import Condition
from ..enclosure import Trilean
from ..relations import Complete

# A difference of digammas that is nearer to 0 than this precision shows stays undecided.
_DECIDING_BITS = 512
# A level that is seldom missed, as a share of another, and where levels end.
_MUCH_LOWER, _LOWEST = 2.0**-40, 2.0**-200
# No k is raised beyond this: losses of much larger parameters take long to enclose.
_LARGE_K = 4096.0
WORST_STEP = "psi(k (1 - eta_bar - eta - s)) + log((1 - (w - 1) gamma)/gamma) >= psi(k (eta + s))"
WORST_STEP_NOTE = "proofs_notes/good-set-epsilon.md"


def good_set_epsilon(
    k: Fraction, eta: Fraction, eta_bar: Fraction, shift: Fraction, protected: int, gamma: Fraction
) -> arb:
    """Enclose the printed bound on the log-ratio over the good set.

    log B(k eta, k (1 - eta_bar - eta)) - log B(k (eta + shift), k (1 - eta_bar - eta - shift))
    + k shift log((1 - (protected - 1) gamma) / gamma); ``shift`` is the largest change of one
    coordinate of the input (gohari2020 Theorem 1, equation 13; benvenuti2025 equation 6).
    """
    ratio = (1 - (protected - 1) * gamma) / gamma
    return sharpened(
        lambda: (
            log_beta_change(k * eta, k * (1 - eta_bar - eta), k * shift)
            + ball(k * shift) * ball(ratio).log()
        )
    )


def seldom_missed(p: Complete) -> dict[str, Any]:
    """Return a point with a much smaller level gamma, and a k that keeps the floor away from 0."""
    k = {"k": large_k(p["k"], p["eta"])} if "k" in p else {}
    return {**p, **k, "gamma": lower_level(p["gamma"])}


def large_k(k: float, eta: float) -> float:
    """Return a k at which the floor k eta is 2 at least, within limits; any would be right."""
    return max(k, min(2, eta * _LARGE_K) / eta)


def lower_level(gamma: float) -> float:
    """Return a level far below another; any would be right."""
    return max(gamma * _MUCH_LOWER, min(gamma, _LOWEST))


def whole_step_is_worst(
    k: Fraction, eta: Fraction, eta_bar: Fraction, shift: Fraction, protected: int, gamma: Fraction
) -> Trilean:
    """Whether the log-ratio over the good set is largest at a whole step.

    psi(k (1 - eta_bar - eta - shift)) + log((1 - (protected - 1) gamma)/gamma) is then at least
    psi(k (eta + shift)). The log-ratio over the good set is concave in how much is moved; without
    this the printed epsilon is no bound (good-set-epsilon.md).
    """
    far = 1 - eta_bar - eta - shift
    if far <= 0 or not 0 < protected * gamma < 1:
        return Trilean.FALSE
    if eta + shift <= far:
        return Trilean.TRUE  # psi increases, and the logarithm is positive

    def surplus() -> arb:
        ratio = (1 - (protected - 1) * gamma) / gamma
        rest = digamma(ball(k * far)) - digamma(ball(k * (eta + shift)))
        return rest + ball(ratio).log()

    with working_precision(_DECIDING_BITS):
        return sign(sharpened(surplus))


def room_for_good_set(source: str) -> Condition:
    """Return the condition that the good set of W is not empty."""
    return Condition("w gamma < 1", lambda w, gamma: w * gamma < 1, source)
