"""Exact delta of Gaussian noise between two known laws on the line, and its inverse.

Two laws with finitely many atoms are told apart by a number drawn from one of them plus normal
noise. The difference of densities, the first less e^epsilon times the second, is a difference of
two positive mixtures P - N of disjoint supports. The logarithm of each, plus w^2/(2 sigma^2), is
convex in the outcome w, with the mean of the atoms given w over sigma^2 as its slope; so the means
at two outcomes bound log P - log N between them, and beyond the last: the signs of P - N are proved
cell by cell, and its areas are differences of error functions (proofs_notes/gaussian-profile.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated, NamedTuple

from flint import arb, ctx

from ..arb.balls import ball, sign
from ..arb.roots import positive_near
from ..domain import A_PROBABILITY, AT_LEAST_ZERO, LINE_LAW, Interval, NonNegative, Positive
from ..enclosure import Trilean
from ..precision import check_budget
from ..quantity import Side, Truth, quantity
from ..relations import InverseOf
from ..vocabulary import Meaning
from .divergences import Atoms, atoms_of_law, largest_move
from .laplace_profile import delta_between, least_argument, signed_weights

NOTE = "proofs_notes/gaussian-profile.md"
SIGMA = Annotated[Positive, Meaning("standard deviation of the normal noise", "", r"\sigma")]
# At 0 the divergence would be infinite, or that of the two laws' tails.
_DELTA = Annotated[
    Fraction,
    Interval(above=Fraction(0), at_most=Fraction(1), search=("1e-12", "1"), beyond=("1e-300", "1")),
]
_ZERO = arb(0)
_ALL = arb(0).union(arb(1))
# Steps outward double; by then a place is 2^512 standard deviations away.
_MOST_DOUBLINGS = 512
_MOST_SECANTS = 200
# Around a root whose sign does not show, look so many times as far each time.
_WIDENING, _MOST_WIDENINGS = 16, 16
# What is known to so many times the noise is not known better from closer by.
_NOISY = 4
# Where signs take more cells than this, more bits or other laws are needed.
_MOST_CELLS = 4_096
# Where cells are cut: not in the middle, where symmetric laws have their roots.
_CUT = Fraction(499, 1024)


class _Mixture(NamedTuple):
    """Positive weights at points, in order."""

    points: list[arb]
    weights: list[arb]

    def reflected(self) -> _Mixture:
        return _Mixture([-point for point in reversed(self.points)], self.weights[::-1])


class _Look(NamedTuple):
    """An outcome, log P - log N there, and the mean of the atoms of each given the outcome."""

    at: arb
    excess: arb
    means: tuple[arb, arb]


class _Cell(NamedTuple):
    """Two outcomes, and what is known of P - N between them.

    ``rest`` bounds the area of its positive part where its sign is not known.
    """

    low: arb | None
    high: arb | None
    is_positive: bool
    rest: arb = _ZERO


class _Difference:
    """P - N under normal noise, which is positive here and negative there."""

    def __init__(self, above: _Mixture, below: _Mixture, scale: Fraction) -> None:
        self.above, self.below, self.scale = above, below, scale
        self.precision = ball(1 / scale**2)
        # Of log P - log N near a root: what is left is of the second order in it.
        self.near = arb(2) ** -(ctx.prec // 2 + 8)
        self.negligible = arb(2) ** -ctx.prec

    def reflected(self) -> _Difference:
        return _Difference(self.above.reflected(), self.below.reflected(), self.scale)

    def look(self, at: arb) -> _Look:
        """Return what is known at an outcome, an exact number."""
        check_budget()
        first, last = self.ends
        base = first if at < (first + last) / 2 else last
        logs, means = [], []
        for points, weights in (self.above, self.below):
            total, moment = _ZERO, _ZERO
            for point, weight in zip(points, weights, strict=True):
                further = (point - base) * (at - (point + base) / 2) * self.precision
                share = weight * further.exp()
                total += share
                moment += share * (point - base)
            logs.append(total.log())
            means.append(base + moment / total)
        return _Look(at, logs[0] - logs[1], (means[0], means[1]))

    @property
    def ends(self) -> tuple[arb, arb]:
        """The first and the last point."""
        both = (self.above.points, self.below.points)
        first, last = ((one[at], other[at]) for one, other in [both] for at in (0, -1))
        return (
            min(first[1], first[0]),
            max(last[1], last[0]),
        )

    def slopes(self, low: _Look, high: _Look) -> tuple[arb, arb]:
        """Enclose the least and the largest slope of the excess between two outcomes."""
        least = (low.means[0] - high.means[1]) * self.precision
        return least, (high.means[0] - low.means[1]) * self.precision

    def last_look(self) -> tuple[_Look, bool]:
        """Return an outcome from which on the sign is that of the last point, and whether it is +.

        The slope of the excess from there on has that sign, too.
        """
        last_above, last_below = self.above.points[-1], self.below.points[-1]
        is_positive = bool(last_above > last_below)
        step = ball(self.scale)
        at = self.ends[1] + step
        for _ in range(_MOST_DOUBLINGS):
            here = self.look(at.mid())
            if is_positive:
                slope = (here.means[0] - last_below) * self.precision
            else:
                slope = (here.means[1] - last_above) * self.precision
            height = here.excess if is_positive else -here.excess
            if slope > 0 and height > 0:
                return here, is_positive
            step *= 2
            at = here.at + step
            if slope > 0 and height < 0:
                # It is at least as steep from here on.
                at = here.at - height / slope.lower() * _CLOSE_BEYOND
        raise _UndecidedError

    def cells(self) -> Iterator[_Cell]:
        """Yield cells that cover the line, from left to right, with what is known of each."""
        (mirrored, first_is_positive), (high, is_positive) = (
            one.last_look() for one in (self.reflected(), self)
        )
        low = self.look(-mirrored.at)
        yield _Cell(None, low.at, first_is_positive)
        waiting = [(low, high)]
        for _ in range(_MOST_CELLS):
            if not waiting:
                break
            left, right = waiting.pop()
            found = self._decided(left, right)
            if found is not None:
                yield from found
                continue
            inner = (left.at + (right.at - left.at) * ball(_CUT)).mid()
            if left.at < inner < right.at:
                between = self.look(inner)
                waiting += [(between, right), (left, between)]
            else:  # at this precision there is no outcome between
                yield self._unresolved(left.at, right.at, self._most_between(left, right))
        else:
            raise _UndecidedError
        yield _Cell(high.at, None, is_positive)

    def _changes(self, low: _Look, high: _Look) -> tuple[arb, arb]:
        """Return by how much the excess rises, and falls, at most in half of the way."""
        least, largest = self.slopes(low, high)
        half = (high.at - low.at) / 2
        return largest.max(_ZERO) * half, (-least).max(_ZERO) * half

    def _most_between(self, low: _Look, high: _Look) -> arb:
        """Return a bound on the excess between two outcomes."""
        up, down = self._changes(low, high)
        return (low.excess + up).max(high.excess + down)

    def _decided(self, low: _Look, high: _Look) -> list[_Cell] | None:
        """Return what is known between two outcomes; None if they have to be cut."""
        least, largest = self.slopes(low, high)
        up, down = self._changes(low, high)
        above = self._most_between(low, high)
        if above < 0:
            return [_Cell(low.at, high.at, is_positive=False)]
        if (low.excess - down).min(high.excess - up) > 0:
            return [_Cell(low.at, high.at, is_positive=True)]
        noise = low.excess.rad() + high.excess.rad()
        if above < self.negligible or up + down < _NOISY * noise:
            return [self._unresolved(low.at, high.at, above)]
        if least > 0 or largest < 0:
            if abs(low.excess) < self.near and abs(high.excess) < self.near:
                return [self._unresolved(low.at, high.at, low.excess.max(high.excess))]
            signs = sign(low.excess), sign(high.excess)
            if signs in {(Trilean.TRUE, Trilean.FALSE), (Trilean.FALSE, Trilean.TRUE)}:
                return self._around_root(low, high)
        return None

    def _around_root(self, low: _Look, high: _Look) -> list[_Cell] | None:
        """Return the cells on both sides of the one root between two outcomes, and its own."""
        begin, end = low.at, high.at
        rises = bool(low.excess < 0)
        weights = [low.excess.mid(), high.excess.mid()]
        side = 0
        for _ in range(_MOST_SECANTS):
            share = weights[0] / (weights[0] - weights[1])
            inner = self.look((low.at + (high.at - low.at) * share).mid())
            if not (low.at < inner.at < high.at):
                return None
            if abs(inner.excess) < self.near:
                return self._closed(begin, end, (low, inner, high), rises=rises)
            is_low = (sign(inner.excess) is Trilean.TRUE) != rises
            if is_low:
                low, weights = inner, [inner.excess.mid(), weights[1] / (2 if side < 0 else 1)]
            else:
                high, weights = inner, [weights[0] / (2 if side > 0 else 1), inner.excess.mid()]
            side = -1 if is_low else 1
        return None

    def _closed(
        self, begin: arb, end: arb, looks: tuple[_Look, _Look, _Look], *, rises: bool
    ) -> list[_Cell] | None:
        """Return the cells, with proved signs close around an outcome that is near the root."""
        low, inner, high = looks
        slope = abs((high.excess - low.excess) / (high.at - low.at)).mid()
        margin = self.near / slope
        for _ in range(_MOST_WIDENINGS):
            ends = [self.look((inner.at + way * margin).mid()) for way in (-1, 1)]
            if not (low.at < ends[0].at and ends[1].at < high.at):
                return None
            signs = [
                one.excess > 0 if rises == at else one.excess < 0 for at, one in enumerate(ends)
            ]
            if all(signs):
                most = ends[1 if rises else 0].excess
                return [
                    _Cell(begin, ends[0].at, is_positive=not rises),
                    self._unresolved(ends[0].at, ends[1].at, most),
                    _Cell(ends[1].at, end, is_positive=rises),
                ]
            margin *= _WIDENING
        return None

    def _unresolved(self, low: arb, high: arb, above: arb) -> _Cell:
        """Return a cell where the excess is at most ``above``: P - N <= (e^above - 1) N."""
        most = _ZERO
        for point, weight in zip(*self.below, strict=True):
            away = (low - point).max(point - high).max(_ZERO)
            most += weight * (-(away**2) * self.precision / 2).exp()
        height = most / (ball(self.scale) * (2 * arb.pi()).sqrt())
        area = above.max(_ZERO).expm1() * height * (high - low)
        return _Cell(low, high, is_positive=False, rest=area.upper())

    def area(self, low: arb | None, high: arb | None) -> arb:
        """Enclose the integral of P - N from one outcome to another; None is infinite."""
        total = _ZERO
        for factor, mixture in ((1, self.above), (-1, self.below)):
            for point, weight in zip(*mixture, strict=True):
                total += factor * weight * self._chance(point, low, high)
        return total

    def _chance(self, point: arb, low: arb | None, high: arb | None) -> arb:
        """Enclose the chance that the point plus noise is between two outcomes."""
        unit = ball(self.scale) * arb(2).sqrt()
        left = None if low is None else (low - point) / unit
        right = None if high is None else (high - point) / unit
        if left is not None and left > 0:
            return (left.erfc() - (_ZERO if right is None else right.erfc())) / 2
        if right is not None and right < 0:
            return ((-right).erfc() - (_ZERO if left is None else (-left).erfc())) / 2
        beyond = _ZERO if left is None else (-left).erfc()
        return 1 - (beyond + (_ZERO if right is None else right.erfc())) / 2


# A step to where a straight line meets 0 goes so much further.
_CLOSE_BEYOND = ball(Fraction(9, 8))


class _UndecidedError(ArithmeticError):
    """The precision does not tell where the sign of the last point takes over."""


def gaussian_hockey_stick(first: Atoms, second: Atoms, scale: Fraction, epsilon: Fraction) -> arb:
    """Enclose the hockey-stick at e^epsilon of two laws under normal noise, in this order.

    Exactly 0 where no outcome is e^epsilon times as likely under the first, and that shows.
    """
    points = sorted({*first.points, *second.points})
    weights = signed_weights(first, second, points, epsilon)
    known = [weight for weight in weights if not weight.is_zero()]
    if all(weight < 0 for weight in known):
        return _ZERO
    if not all(weight > 0 or weight < 0 for weight in known):
        return _ALL
    places = [ball(Fraction(point)) for point in points]
    above, below = (
        _Mixture(
            *_unzipped(
                [
                    (at, way * weight)
                    for at, weight in zip(places, weights, strict=True)
                    if way * weight > 0
                ]
            )
        )
        for way in (1, -1)
    )
    difference = _Difference(above, below, scale)
    try:
        cells = [*difference.cells()]
    except _UndecidedError:
        return _ALL
    rest = sum((cell.rest for cell in cells), _ZERO)
    total = _ZERO
    for low, high in _joined(cells):
        total += difference.area(low, high)
    return total + _ZERO.union(rest)


def _unzipped(pairs: Sequence[tuple[arb, arb]]) -> tuple[list[arb], list[arb]]:
    return [one for one, _ in pairs], [other for _, other in pairs]


def _joined(cells: Sequence[_Cell]) -> Iterator[tuple[arb | None, arb | None]]:
    """Yield the ends of each run of cells that are positive."""
    begin: arb | None = None
    inside = False
    for cell in cells:
        if cell.is_positive and not inside:
            begin, inside = cell.low, True
        elif not cell.is_positive and inside:
            yield begin, cell.low
            inside = False
    if inside:
        yield begin, None


@quantity(
    "pufferfish.gaussian_delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\max \left\{ H(\mu, \nu), H(\nu, \mu) \right\}, \quad H(\mu, \nu) = \frac{1}{\sigma "
    r"\sqrt{2 \pi}} \int \Big( \int e^{-(w - x)^2 / 2 \sigma^2} \, d\mu(x) - e^{\varepsilon} \int "
    r"e^{-(w - y)^2 / 2 \sigma^2} \, d\nu(y) \Big)_+ dw",
    within=A_PROBABILITY,
    falls="scale epsilon",
    vanishes="high epsilon, high scale",
    quick="scale <= 10, epsilon <= 3",
    slow=True,
)
def gaussian_delta(mu: LINE_LAW, nu: LINE_LAW, scale: SIGMA, epsilon: NonNegative) -> arb:
    """Exact delta at epsilon of two laws on the line under normal noise, the worse of both orders.

    Areas between proved signs, as differences of error functions. Of two point masses it is
    ``gaussian.delta`` at sigma over their distance.
    """
    laws = [atoms_of_law(mu), atoms_of_law(nu)]
    return delta_between(laws, gaussian_hockey_stick, scale, epsilon)


@quantity(
    "pufferfish.gaussian_epsilon",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\min \{ \varepsilon \ge 0 : \delta(\mu, \nu, \sigma, \varepsilon) \le \delta \}",
    within=AT_LEAST_ZERO,
    falls="scale delta",
    vanishes="high delta, high scale",
    inverse=InverseOf("pufferfish.gaussian_delta", "delta", "epsilon"),
    quick="scale >= 0.1, scale <= 100",
)
def gaussian_epsilon(mu: LINE_LAW, nu: LINE_LAW, scale: SIGMA, delta: _DELTA) -> arb | Fraction:
    """Smallest epsilon at which normal noise leaves two laws on the line at most ``delta``.

    0 from their total variation under the noise on, else the root of a strictly decreasing
    function, bracketed with both signs proved.
    """
    laws = [atoms_of_law(mu), atoms_of_law(nu)]
    if delta == 1 or laws[0].is_same_law(laws[1]):
        return Fraction(0)

    def profile(epsilon: Fraction) -> arb:
        return delta_between(laws, gaussian_hockey_stick, scale, epsilon)

    return least_argument(profile, delta, epsilon_near(largest_move(*laws) / scale, delta))


def epsilon_near(distance: Fraction, delta: Fraction) -> Fraction:
    """Return about half of a bound on epsilon, that of two point masses so far apart."""
    over = ball(distance)
    return positive_near((over**2 / 2 + over * (-2 * ball(delta).log()).sqrt()) / 2)
