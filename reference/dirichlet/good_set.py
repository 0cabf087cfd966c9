"""The papers' route to epsilon: bound the log-ratio of densities on a good set of outputs.

On the good set every protected coordinate of the output is at least gamma. The three papers then
print the same expression with different letters in it.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ..arb.balls import ball, sharpened
from ..arb.gamma import log_beta_change
from ..quantity import Condition


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
        lambda: log_beta_change(k * eta, k * (1 - eta_bar - eta), k * shift)
        + ball(k * shift) * ball(ratio).log()
    )


def room_for_good_set(source: str) -> Condition:
    """Return the condition that the good set of W is not empty."""
    return Condition("w gamma < 1", lambda w, gamma: w * gamma < 1, source)
