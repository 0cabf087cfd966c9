"""The event that a good set is missed: some protected coordinate of a Dirichlet draw is small."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property


@dataclass(frozen=True)
class Miss:
    """Some protected coordinate of x ~ Dirichlet(protected parameters, rest) is below gamma.

    ``groups`` holds each different parameter of a protected coordinate and how many have it, in
    increasing order; ``rest`` is the sum of all other parameters (0: every coordinate is
    protected). Everything is exact; parameters and gamma are positive.
    """

    groups: tuple[tuple[Fraction, int], ...]
    rest: Fraction
    gamma: Fraction

    @classmethod
    def of(cls, alphas: Iterable[Fraction], rest: Fraction, gamma: Fraction) -> Miss:
        """Return the event for protected parameters in any order."""
        return cls(tuple(sorted(Counter(alphas).items())), rest, gamma)

    @cached_property
    def count(self) -> int:
        """How many coordinates are protected, w."""
        return sum(count for _, count in self.groups)

    @cached_property
    def total(self) -> Fraction:
        """The sum of all parameters, k."""
        return self.rest + sum((alpha * count for alpha, count in self.groups), Fraction(0))

    @cached_property
    def known(self) -> Fraction | None:
        """The probability itself where it is 0 or 1, decided on rationals."""
        if self.count == 1 and self.rest == 0:  # the only coordinate is 1
            return Fraction(int(self.gamma > 1))
        if self.gamma <= 0:
            return Fraction(0)
        return Fraction(1) if self.count * self.gamma >= 1 else None
