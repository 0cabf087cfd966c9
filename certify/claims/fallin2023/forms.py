"""Numbers of this paper's entries that no quantity answers alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ....reference.enclosure import Enclosure
from ..values import At, Enclosed, Exactly, Value


@dataclass(frozen=True)
class Provided:
    """A number that is as said where one number is certainly below another.

    A way that does not show the strict order says nothing about the number.
    """

    of: str
    value: Value
    smaller: Value
    larger: Value

    def enclosed(self) -> Enclosed:
        """Return the number where a way shows the order, nothing known else."""
        found, low, high = (x.enclosed() for x in (self.value, self.smaller, self.larger))
        nothing = Enclosure.nothing_known()
        return Enclosed(
            self.of,
            found.first if low.first.high < high.first.low else nothing,
            found.second if low.second.high < high.second.low else nothing,
        )


def probability_one(loss_at_equal: Value, epsilon: Value) -> Provided:
    """Return the probability of the smallest exceptional set of an input p with p_1 = p_2.

    Where the loss to q is above epsilon at x_1 = x_2, it is at all x_1 >= x_2, as it rises with
    x_1/x_2; the loss to q with both exchanged is at all x_1 <= x_2. All outputs are exceptional.
    """
    of = "P(smallest exceptional set of p), the loss at x_1 = x_2 being above epsilon"
    return Provided(of, Exactly("1"), epsilon, loss_at_equal)


def deviation(p: str, k: str) -> At:
    """Return the exact mean distance of an entry from p."""
    return At("dirichlet.utility.absolute_deviation", {"p": p, "k": k})


def whole_power(base: Fraction, exponent: Fraction) -> Fraction:
    """Return an exact power. Raises ValueError unless the exponent is whole."""
    if exponent.denominator != 1:
        raise ValueError(f"{exponent} is not whole")
    return base ** int(exponent)
