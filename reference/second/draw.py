"""The protected coordinates of a Dirichlet draw, seen as gamma variables at complex points."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from gmpy2 import mpc

from ..precision import check_budget
from .gamma_shares import GammaLaw, Shares


class Draw:
    """Protected coordinates: how many have each parameter; ``rest`` is the sum of all others."""

    def __init__(self, groups: Mapping[Fraction, int], rest: Fraction) -> None:
        self.groups = groups
        self._laws = [(GammaLaw(alpha), count) for alpha, count in groups.items()]
        self.count = sum(groups.values())
        self.total = rest + sum((alpha * count for alpha, count in groups.items()), Fraction(0))
        self.is_alone = self.count == 1 and rest == 0

    def shares(self, point: mpc, bits: int, scaled: bool) -> Shares:
        """Return 1 - prod Q(a_i, z), prod Q(a_i, z) and z times the former's derivative.

        Or, ``scaled``, no number and the other two times e^(w z). Each different parameter is
        evaluated once.
        """
        found: Shares | None = None
        for law, count in self._laws:
            check_budget()
            several = _repeated(law.shares(point, bits, scaled), count)
            found = several if found is None else _either(found, several)
        if found is None:
            raise ValueError("no coordinate is protected")
        return found


def _either(first: Shares, second: Shares) -> Shares:
    """Return 1 - Q_1 Q_2 = P_1 + Q_1 P_2, which does not cancel where both P are small."""
    return Shares(
        first.lower + first.upper * second.lower,
        first.upper * second.upper,
        first.density * second.upper + first.upper * second.density,
    )


def _repeated(one: Shares, count: int) -> Shares:
    """Return 1 - Q^n and the rest by doubling, n at least 1."""
    result, square, left = one, one, count - 1
    while left:
        if left & 1:
            result = _either(result, square)
        left >>= 1
        square = _either(square, square) if left else square
    return result
