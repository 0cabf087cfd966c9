"""Numbers of this paper's entries that no quantity answers alone."""

from __future__ import annotations

from fractions import Fraction

from ..gohari2020.forms import Where
from ..values import At, Exactly, Value


def probability_one(loss_at_equal: Value, epsilon: Value) -> Where:
    """Return the probability of the smallest exceptional set of an input p with p_1 = p_2.

    Where the loss to q is above epsilon at x_1 = x_2, it is at all x_1 >= x_2, as it rises with
    x_1/x_2; the loss to q with both exchanged is at all x_1 <= x_2. All outputs are exceptional.
    """
    of = "P(smallest exceptional set of p), the loss at x_1 = x_2 being above epsilon"
    return Where(of, Exactly("1"), ((epsilon, loss_at_equal),))


def deviation(p: str, k: str) -> At:
    """Return the exact mean distance of an entry from p."""
    return At("dirichlet.utility.absolute_deviation", {"p": p, "k": k})


def whole_power(base: Fraction, exponent: Fraction) -> Fraction:
    """Return an exact power. Raises ValueError unless the exponent is whole."""
    if exponent.denominator != 1:
        raise ValueError(f"{exponent} is not whole")
    return base ** int(exponent)
