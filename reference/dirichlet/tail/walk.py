"""A walk through the protected coordinates of a Dirichlet draw, from the last to the first."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import arb

from ...arb.balls import ball
from ...arb.gamma import log_beta

_PAIR = 2


@dataclass(frozen=True)
class Walk:
    """The protected parameters still ahead, the last one next, and the sum of all others.

    An object lives for one evaluation at one working precision, for which it keeps its constants.
    """

    alphas: tuple[Fraction, ...]
    rest: Fraction

    @cached_property
    def last(self) -> Fraction:
        """The parameter a of the last coordinate."""
        return self.alphas[-1]

    @cached_property
    def others(self) -> Fraction:
        """The sum b of all parameters but the last coordinate's, whose law is Beta(a, b)."""
        return sum(self.alphas[:-1], self.rest)

    @cached_property
    def without_last(self) -> Walk:
        """The draw of all the others, in proportion, when the last coordinate is given."""
        return Walk(self.alphas[:-1], self.rest)

    @cached_property
    def last_in_rest(self) -> Walk:
        """The same draw, its last coordinate no longer protected."""
        return Walk(self.alphas[:-1], self.rest + self.last)

    @cached_property
    def last_decides(self) -> bool:
        """Whether no earlier coordinate can be small when the last is, count * level being < 1."""
        return len(self.alphas) == 1 or (self.rest == 0 and len(self.alphas) == _PAIR)

    @cached_property
    def log_beta(self) -> arb:
        """Enclose log B(a, b)."""
        return log_beta(self.last, self.others)

    def scale(self, level: arb) -> arb:
        """Enclose level^a / B(a, b)."""
        return (ball(self.last) * level.log() - self.log_beta).exp()

    def last_below_upper(self, level: arb) -> arb:
        """Bound P(last < level), by the largest (1 - y)^(b-1) times the integral of y^(a-1)/B."""
        largest = (1 - level) ** ball(min(self.others - 1, Fraction(0)))
        return self.scale(level) * largest / ball(self.last)
