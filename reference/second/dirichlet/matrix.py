"""Second opinions on the matrix mechanism of fallin2023, row by row.

The printed epsilon by ``gamma``, which knows no Gamma, and for every row; the largest miss over
all rows one by one, where the first engine drops rows that another one dominates; delta of equal
rows that change together as their composition's.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from ...enclosure import Enclosure
from ..directed import Span, or_nothing, sharpened
from ..gamma import log_gamma_exchange
from ..opinion import second_opinion
from .composition.moments import Losses
from .composition.quantities import composed_delta
from .series import log_of
from .tail.quantities import identity_delta_bound

Row: TypeAlias = tuple[int, Fraction]


@second_opinion("dirichlet.matrix.epsilon_bound", engine="mpfr", rigorous=True)
@or_nothing
def epsilon_bound(
    bits: int,
    k: Fraction,
    eta: Fraction,
    eta_bar: Fraction,
    b: Fraction,
    rows: tuple[Row, ...],
) -> Enclosure:
    """Enclose fallin2023 Theorem 1's epsilon, the largest over all rows; rigorous.

    log B(k eta, k c) - log B(k (eta+b/2), k (c-b/2)) + (k b/2) log(1/gamma - w + 1), where
    c = 1 - eta_bar - eta, as a sum over Gauss's product and logarithms of rationals.
    """
    shift = b / 2
    near, far = k * eta, k * (1 - eta_bar - eta)

    def at(precision: int) -> Span:
        change = _log_beta_change(precision, near, far, k * shift)
        scale = Span.of(k * shift, precision)
        found = [scale * log_of(1 / gamma - w + 1, precision) for w, gamma in sorted(set(rows))]
        largest = Span(max(each.low for each in found), max(each.high for each in found))
        return change + largest

    return sharpened(bits, at).enclosure()


def _log_beta_change(bits: int, near: Fraction, far: Fraction, part: Fraction) -> Span:
    """Enclose log [Gamma(x) Gamma(y)/(Gamma(x+c) Gamma(y-c))]: the wider pair's product is larger.

    Both pairs have one sum, so the pair with the smaller least number is the wider one.
    """
    before, after = sorted((near, far)), sorted((near + part, far - part))
    if before[0] == after[0]:
        return Span.of(0, bits)
    if before[0] < after[0]:
        return log_gamma_exchange(bits, before[0], before[1], after[0] - before[0])
    return -log_gamma_exchange(bits, after[0], after[1], before[0] - after[0])


@second_opinion("dirichlet.matrix.delta_bound", engine="mpmath", rigorous=False)
@or_nothing
def delta_bound(bits: int, k: Fraction, eta: Fraction, rows: tuple[Row, ...]) -> Enclosure:
    """Enclose the largest tail over all rows, one by one; not rigorous."""
    found = [identity_delta_bound(bits, k, eta, *row) for row in sorted(set(rows))]
    known = [each.exact for each in found if each.exact is not None]
    if 1 in known or len(known) == len(found):
        return Enclosure.of(max(known), bits)
    return Enclosure(max(each.low for each in found), max(each.high for each in found))


@second_opinion("dirichlet.matrix.delta", engine="mpmath", rigorous=False)
@or_nothing
def delta(
    bits: int, k: Fraction, eta: Fraction, b: Fraction, changed_rows: int, epsilon: Fraction
) -> Enclosure:
    """Enclose delta of so many equal releases, floor k eta and step k b/2; not rigorous."""
    return composed_delta(bits, Losses([(k * eta, k * b / 2, changed_rows)]), epsilon)
