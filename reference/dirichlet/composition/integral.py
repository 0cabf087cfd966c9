"""delta of a composition by guarded integration along a path that is bent to the right.

For releases so different, or epsilons so far out, that a line would have too many nodes. On the
line the integrand would turn with e^(-i y epsilon); on z = c + (1 + 2i) r, r > 0, it falls with
e^(-r epsilon). ``integrate`` splits the path until each piece is short beside its distance from
the poles, which lie on the real axis; so the cost grows with the logarithm of the path's length.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb, ctx

from ...arb.balls import ball, working_precision
from ...arb.integration import Cuts, integrate
from .convex import Strip, curvature_at_saddle, middle_strip, right_strip, saddle
from .line import integrand
from .moments import LossMoments, Releases
from .plan import MOST_BITS, Aim, bits_needed, planned_for

# Doublings of the saddle's width within which the integrand has to be negligible.
_MOST_DOUBLINGS = 4_000
_DIRECTION = (1, 2)


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
        return path_in_strip(releases, epsilon, aim, strip)


def path_in_strip(releases: Releases, epsilon: Fraction, aim: Aim, strip: Strip) -> Path | None:
    """Return the path through the saddle in a strip."""
    crossing = saddle(aim.moments, strip)
    width = (1 / curvature_at_saddle(aim.moments, crossing).sqrt()).mid()
    end = width
    for _ in range(_MOST_DOUBLINGS):
        path = Path(crossing, width, end, 0)
        if beyond_the_end(releases, epsilon, aim.moments, path).abs_upper().log() < aim.negligible:
            bits = bits_needed(aim, acb(crossing), path.point(end / width))
            return Path(crossing, width, end, bits) if bits <= MOST_BITS else None
        end = 2 * end
    return None


def delta_on_path(releases: Releases, epsilon: Fraction, path: Path) -> arb:
    """Enclose delta by any path from between two poles; wide or NaN where that is hard."""
    tolerance = ctx.prec
    with working_precision(max(path.bits, ctx.prec)):
        moments, c = LossMoments(releases, epsilon), path.crossing
        scale = integrand(moments, acb(c)).real
        if not (c > -1 and path.end > 0 and path.width > 0 and scale.is_finite()):
            return arb("nan")
        across = acb(*_DIRECTION) * acb(0, -1)  # dz/i = across dr

        def scaled(place: acb, _: Cuts) -> acb:
            return across * integrand(moments, path.point(place)) / scale

        whole = integrate(scaled, arb(0), path.end / path.width, tolerance)
        part = c.sgn() * scale * path.width / arb.pi() * whole
        part += beyond_the_end(releases, epsilon, moments, path)
        return part if c > 0 else 1 - part


def beyond_the_end(releases: Releases, epsilon: Fraction, moments: LossMoments, path: Path) -> arb:
    """Enclose by [-b, b] what the two halves of the path contribute beyond their ends.

    b = sqrt 5 e^Re f(z) prod coth(2 pi step R)^count/(4 pi R^2 rate) with z the end, R = Re z - c
    and rate = epsilon + sum of count pi (2 step - sqrt 5 |2 alpha + step - 1|/(2 R)); NaN unless
    every part of the rate is positive.
    """
    end, root = path.end, arb(5).sqrt()
    rate, logarithm = ball(epsilon), moments.logarithm(path.point(end / path.width)).real
    for alpha, step, count in releases.kinds:
        part = 2 * ball(step) - root * ball(abs(2 * alpha + step - 1)) / (2 * end)
        if not part > 0:
            return arb("nan")
        rate += count * arb.pi() * part
        logarithm -= count * (2 * arb.pi() * ball(step) * end).tanh().log()
    bound = root * logarithm.exp() / (4 * arb.pi() * end**2 * rate)
    return bound.union(-bound)
