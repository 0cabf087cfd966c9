"""delta of a composition by guarded integration along a path that is bent to the right.

For releases so different, or epsilons so far out, that a line would have too many nodes. On the
line the integrand would turn with e^(-i y epsilon); on z = c + (1 + 2i) r, r > 0, it falls with
e^(-r epsilon). ``integrate`` splits the path until each piece is short beside its distance from
the poles, which lie on the real axis; so the cost grows with the logarithm of the path's length.
Where it ends a vertical ray follows, whose contribution is bounded.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, cast

from flint import acb, arb, ctx

from ...arb.balls import ball, working_precision
from ...arb.integration import Cuts, integrate
from .convex import Strip, curvature_at_saddle, middle_strip, right_strip, saddle
from .line import beyond, integrand, over_poles
from .moments import LossMoments, Releases
from .plan import MOST_BITS, Aim, bits_needed, planned_for

# Doublings of the saddle's width within which the integrand has to be negligible.
_MOST_DOUBLINGS = 4_000
_DIRECTION = (1, 2)
# log M at places of one path, by precision and place.
Seen: TypeAlias = dict[Hashable, acb]


@dataclass(frozen=True)
class Path:
    """The points crossing + (1 + 2i) r, 0 <= r <= end, and those below; all numbers are exact.

    ``width`` is the saddle's, by which the path is scaled.
    """

    crossing: arb
    width: arb
    end: arb
    bits: int

    def point(self, along: acb | arb) -> acb:
        """Return the point at ``along`` times the width."""
        return self.crossing + acb(*_DIRECTION) * self.width * along


def planned_path(releases: Releases, epsilon: Fraction) -> Path | None:
    """Return a path through a saddle; None where f is not to be told.

    It begins between -1 and 0 where the mean loss is above epsilon, else on the right of 0.
    """
    with planned_for(releases, epsilon) as aim:
        large = aim.moments.slope(arb(0)) > 0
        strip = middle_strip() if large else right_strip(releases)
        return _path_in_strip(aim, strip)


def _path_in_strip(aim: Aim, strip: Strip) -> Path | None:
    """Return the path through the saddle in a strip."""
    crossing = saddle(aim.moments, strip)
    width = (1 / curvature_at_saddle(aim.moments, crossing).sqrt()).mid()
    end = width
    for _ in range(_MOST_DOUBLINGS):
        path = Path(crossing, width, end, 0)
        if beyond_the_end(aim.moments, path).abs_upper().log() < aim.negligible:
            bits = bits_needed(aim, acb(crossing), path.point(end / width))
            return Path(crossing, width, end, bits) if bits <= MOST_BITS else None
        end = 2 * end
    return None


def delta_on_path(
    releases: Releases, epsilon: Fraction, path: Path, seen: Seen | None = None
) -> arb:
    """Enclose delta by any path from between two poles; wide or NaN where that is hard.

    What was ``seen`` on the same path, at any epsilon, is not enclosed again.
    """
    tolerance = ctx.prec
    with working_precision(max(path.bits, ctx.prec)):
        moments, c = LossMoments(releases, epsilon), path.crossing
        scale = integrand(moments, acb(c)).real
        if not (c > -1 and path.end > 0 and path.width > 0 and scale.is_finite()):
            return arb("nan")
        across = acb(*_DIRECTION) * acb(0, -1)  # dz/i = across dr

        def scaled(place: acb, _: Cuts) -> acb:
            point = path.point(place)
            if seen is None:
                return across * integrand(moments, point) / scale
            key = ctx.prec, _ends_of(place.real), _ends_of(place.imag)
            log_moment = seen.get(key)
            if log_moment is None:
                seen[key] = log_moment = moments.log_moment(point)
            return across * over_poles(moments.moved(log_moment, point), point) / scale

        whole = integrate(scaled, arb(0), path.end / path.width, tolerance)
        part = c.sgn() * scale * path.width / arb.pi() * whole
        part += beyond_the_end(moments, path)
        return part if c > 0 else 1 - part


def _ends_of(part: arb) -> Hashable:
    """Return what tells one finite ball from every other."""
    return part.mid().man_exp(), part.rad().man_exp()


class Paths:
    """The path to delta that was planned last, for epsilons next to each other.

    A path serves every epsilon rigorously, and one that is next to its own as well; log M on it is
    enclosed once for all of them. What is found depends on what was asked before: for one root.
    """

    def __init__(self) -> None:
        self._epsilon, self._path = Fraction(0), cast("Path | None", None)
        self._seen: Seen = {}

    def delta(self, releases: Releases, epsilon: Fraction) -> arb | None:
        """Enclose delta by the path at hand, or by one that is planned; None where there is none.

        For the same releases and at the same precision each time.
        """
        away = abs(ball(epsilon - self._epsilon))
        if self._path is None or not away * self._path.end < 1:
            self._epsilon, self._path = epsilon, planned_path(releases, epsilon)
            self._seen = {}
        if self._path is None:
            return None
        return delta_on_path(releases, epsilon, self._path, self._seen)


def beyond_the_end(moments: LossMoments, path: Path) -> arb:
    """Enclose by [-b, b] what the two vertical rays contribute that follow the ends of the path.

    b = e^Re f(z)/(pi Im z) at the end z, as on a line: on every vertical |M| falls.
    """
    corner = path.point(path.end / path.width)
    return beyond(moments, corner.real, corner.imag)
