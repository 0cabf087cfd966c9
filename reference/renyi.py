"""From Renyi privacy of one order to approximate privacy, with nothing given away.

A mechanism is (order, epsilon)-Renyi private when every two neighbouring inputs, taken in either
order, have laws of a divergence of at most epsilon. What that implies is decided by pairs of laws
on two points: merging the outcomes of a large and of a small ratio keeps a hockey-stick and raises
no divergence. Proofs: proofs_notes/renyi-to-dp.md, whose letters stand in the comments here.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from .arb.balls import ball, enclosure_of, middle, sharpened, sign
from .arb.roots import positive_near, positive_root
from .domain import AT_LEAST_ZERO, NonNegative, OpenProbability, Order
from .enclosure import Trilean
from .quantity import Side, Truth, quantity

_NOTE = "proofs_notes/renyi-to-dp.md"

# A power of e is built as it is up to this exponent; above it, logarithms of powers are added.
_SMALL_POWER = 64


@quantity(
    "renyi.epsilon_for_dp",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"mironov2017 Definition 4, both orders of a pair; the least: {_NOTE}",
    formula=r"\hat\varepsilon = \max \left\{ 0, \; \sup_{p, q} \log \frac{p - \delta}{q} "
    r"\right\}, \quad D_{\lambda}(p \,\|\, q), D_{\lambda}(q \,\|\, p) \le \varepsilon",
    within=AT_LEAST_ZERO,
    rises="epsilon",
    falls="order delta",
)
def epsilon_for_dp(order: Order, epsilon: NonNegative, delta: OpenProbability) -> arb | Fraction:
    """Least epsilon-hat at which (order, epsilon)-Renyi privacy always gives (epsilon-hat, delta).

    Least: some mechanism of that Renyi privacy has exactly this epsilon-hat at delta. Order 1 is
    Kullback-Leibler. 0 from the largest total variation distance on, else the logarithm of the
    largest (p - delta)/q over the laws (p, 1 - p) and (q, 1 - q) whose divergences, one from the
    other and back, are at most epsilon.
    """
    if epsilon == 0:
        return Fraction(0)
    corner_covers = sign(_response(order, 2 * ball(delta).atanh()) - ball(epsilon))
    if corner_covers is Trilean.TRUE:
        return Fraction(0)
    corner = positive_root(
        lambda x: _response(order, ball(x)) - ball(epsilon), _corner_near(order, epsilon)
    )
    at_corner = sharpened(lambda: _at_corner(corner, delta))
    if corner_covers is Trilean.UNKNOWN:
        return arb(0).union(at_corner) if at_corner.is_finite() else at_corner
    inside = sign(sharpened(lambda: at_corner - _slope(order, corner).log()))
    if inside is Trilean.FALSE:
        return at_corner
    if inside is Trilean.UNKNOWN:  # next to the line between the cases: one bounds, one attains
        near = positive_near(corner)
        return at_corner.union(sharpened(lambda: _dual(order, epsilon, delta, ball(near))))
    bend = positive_root(
        lambda y: sharpened(lambda: _attained(order, epsilon, delta, ball(y))) - ball(epsilon),
        min(order * delta, middle(corner) / 2),
    )
    return sharpened(lambda: _dual(order, epsilon, delta, bend))


def _response(order: Fraction, x: arb) -> arb:
    """Enclose the divergence of randomised response, of the odds e^x, from its mirror image.

    log(cosh((order - 1/2) x)/cosh(x/2))/(order - 1), as a sum of positive terms.
    """
    half = (x / 2).tanh()
    if order == 1:
        return x * half
    over = ball(order - 1)
    power = over * x
    if power < _SMALL_POWER:
        grown = 2 * (power / 2).sinh() ** 2 + power.sinh() * half
        return grown.log1p() / over
    shrunk = (-2 * power).exp()
    return x + (((1 + shrunk) + (1 - shrunk) * half) / 2).log() / over


def _corner_near(order: Fraction, epsilon: Fraction) -> Fraction:
    """Return about the odds' logarithm at the corner: a matter of speed alone."""
    root = enclosure_of((2 * ball(epsilon / order)).sqrt()).lower
    return epsilon + (root if isinstance(root, Fraction) else 0)


def _at_corner(corner: arb, delta: Fraction) -> arb:
    """Enclose the log of (p - delta)/q at p = 1 - q, the odds of p to q being e^corner."""
    if corner < _SMALL_POWER:
        return (ball(1 - delta) * corner.expm1() - ball(2 * delta)).log1p()
    return corner + (ball(1 - delta) - ball(delta) * (-corner).exp()).log()


def _slope(order: Fraction, x: arb) -> arb:
    """Enclose dp/dq of the first constraint's boundary where p = 1 - q; s in the note."""
    if order == 1:
        return x.sinh() / x
    over = ball(order - 1)
    return over / ball(order) * x.exp() * (-2 * ball(order) * x).expm1() / (-2 * over * x).expm1()


def _log_spare(order: Fraction, epsilon: Fraction, y: arb) -> arb:
    """Enclose the logarithm of (E b^-(order - 1) - order + (order - 1) b)/(order - 1), b = e^-y.

    At order 1 of its limit, epsilon + y - (1 - b). N in the note.
    """
    shorter = -(-y).expm1()
    if order == 1:
        return (ball(epsilon) + y - shorter).log()
    over = ball(order - 1)
    grown = _log_expm1(over * (ball(epsilon) + y)) - over.log()
    return grown + (-shorter * (-grown).exp()).log1p()


def _width(order: Fraction, epsilon: Fraction, delta: Fraction, y: arb) -> arb:
    """Enclose log(a/b), where b = e^-y and a is the one at which the tangents' bound is delta."""
    spare = _log_spare(order, epsilon, y)
    if order == 1:
        return spare.exp() / ball(delta)
    over = ball(order - 1)
    share = spare + (over / ball(order * delta)).log()
    if share > 0:
        return (share + (-share).exp().log1p()) / over
    return share.exp().log1p() / over


def _dual(order: Fraction, epsilon: Fraction, delta: Fraction, y: arb) -> arb:
    """Enclose log t of the tangents at a and b = e^-y: never below the answer, for any y."""
    width = _width(order, epsilon, delta, y)
    spare = _log_spare(order, epsilon, y)
    return ball(delta).log() + _log_expm1(ball(order) * width) - spare - y


def _attained(order: Fraction, epsilon: Fraction, delta: Fraction, y: arb) -> arb:
    """Enclose the divergence of the pair of laws on two points whose ratios are a and b = e^-y."""
    width = _width(order, epsilon, delta, y)
    x = width - y
    if not x > 0:
        return arb("nan")
    first = (-y).expm1() / (-width).expm1()
    second = (-y).exp() * (-x).expm1() / (-width).expm1()
    if order == 1:
        return first * x - second * y
    over = ball(order - 1)
    if over * x < _SMALL_POWER:
        return (first * (over * x).expm1() + second * (-over * y).expm1()).log1p() / over
    return x + (first + second * (-over * width).exp()).log() / over


def _log_expm1(z: arb) -> arb:
    """Enclose log(e^z - 1) of a positive number, small or large."""
    return z + (-(-z).expm1()).log()
