"""Exact inputs of gohari2020's counterexamples, and numbers that no quantity answers alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import factorial, prod
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ....reference.arb.gamma import log_beta_change
from ....reference.enclosure import Enclosure, entry_at
from ....reference.evaluation import answer_at
from ....reference.second.directed import Span, hull
from ....reference.second.gamma import log_gamma_exchange
from ..values import BITS, At, Enclosed, Exactly, Value, Worked, agreed, fractions, span


@dataclass(frozen=True)
class Setting:
    """The parameters of Theorem 1, W = {1, 2}: the mechanism's k, the domain, b, and gamma."""

    k: str
    eta: str
    eta_bar: str
    b: str
    gamma: str

    def epsilon(self) -> At:
        """Return the epsilon that Theorem 1 prints."""
        return At(
            "dirichlet.identity.epsilon_bound",
            {
                "k": self.k,
                "eta": self.eta,
                "eta_bar": self.eta_bar,
                "b": self.b,
                "w": 2,
                "gamma": self.gamma,
            },
        )

    def epsilon_of_mean(self, vectors: int) -> At:
        """Return the epsilon of Theorem 2 with so many vectors in the place of its n."""
        given = dict(self.epsilon().parameters)
        return At("dirichlet.average.epsilon_bound", {**given, "N": vectors})

    def delta(self) -> At:
        """Return the delta of (8)."""
        given = {"k": self.k, "eta": self.eta, "w": 2, "gamma": self.gamma}
        return At("dirichlet.identity.delta_bound", given)

    def step_fits(self) -> Mapping[str, bool]:
        """Return whether the numbers are of the ranges printed, and a step of b/2 fits."""
        eta, bar, b = fractions(self.eta, self.eta_bar, self.b)
        return {**self.in_range(), "b/2 <= 1 - eta_bar - 2 eta": b / 2 <= 1 - bar - 2 * eta}

    def in_range(self) -> Mapping[str, bool]:
        """Return whether the numbers are of the ranges printed, and epsilon has a value."""
        k, eta, bar, b, gamma = fractions(self.k, self.eta, self.eta_bar, self.b, self.gamma)
        return {
            "k > 0": k > 0,
            "eta, eta_bar, gamma in (0, 1)": all(0 < x < 1 for x in (eta, bar, gamma)),
            "0 < b <= 1": 0 < b <= 1,
            "2 gamma < 1": 2 * gamma < 1,
            "eta + eta_bar + b/2 < 1": eta + bar + b / 2 < 1,
        }

    def adjacent(self, name: str, p: Sequence[str], q: Sequence[str]) -> Mapping[str, bool]:
        """Return whether p and q lie in the bordered simplex and are b-adjacent, by Definition 1.

        W = {1, 2} are the first two of at least three coordinates.
        """
        vectors = (fractions(*p), fractions(*q))
        eta, bar, b = fractions(self.eta, self.eta_bar, self.b)
        distance = sum(abs(x - y) for x, y in zip(*vectors, strict=True))
        return {
            f"p and {name} sum to 1": all(sum(v) == 1 for v in vectors),
            f"p and {name} are positive": all(min(v) > 0 for v in vectors),
            f"p, {name} >= eta on W": all(min(v[:2]) >= eta for v in vectors),
            f"p, {name} sum to at most 1 - eta_bar on W": all(
                v[0] + v[1] <= 1 - bar for v in vectors
            ),
            f"p and {name} differ in W alone": vectors[0][2:] == vectors[1][2:],
            f"|p - {name}|_1 <= b": 0 < distance <= b,
        }


# A step of b/2 fits, and the two Betas of epsilon cancel: epsilon = log(4)/5.
HALF_WAY = Setting("1/2", "1/5", "1/5", "4/5", "1/5")
# The same with k eta = 1.
LARGER = Setting("5", "1/5", "1/5", "4/5", "9/20")
MIDDLE = ("2/5", "2/5", "1/5")
ASIDE = ("1/5", "3/5", "1/5")
OTHER_SIDE = ("3/5", "1/5", "1/5")

# A step of b/2 does not fit: eta + b/2 = 3/4 and 1 - eta_bar - eta - b/2 = 1/1000.
TOO_LONG = Setting("4", "1/4", "249/1000", "1", "1/50")
LEANING = ("1/2", "1/4", "1/4")
LEANING_OVER = ("1/4", "1/2", "1/4")

# Two vectors, of which one may move by half of b: the mean moves by 1/8.
TWO_VECTORS = Setting("1/4", "3/10", "3/20", "1", "1/4")
FIRST_VECTOR = ("11/20", "3/10", "3/20")
SECOND_VECTOR = ("3/10", "11/20", "3/20")

# Lemma 4 at its worst place but one in a thousand: a step of 0.373, where b/2 = 0.5 fits.
INTERIOR = Setting("1", "1/100", "12/25", "1", "27/4000")
INTERIOR_P = ("0.383", "0.137", "0.48")
INTERIOR_Q = ("0.01", "0.51", "0.48")
INTERIOR_OUTPUT = ("0.99225", "0.00675", "0.001")

# Section VI, Table I: the means of both collections, as printed.
MEAN_P = ("0.314923", "0.315923", "0.320923")
MEAN_Q = ("0.314923", "0.320923", "0.315923")


def swapped(p: Sequence[str]) -> tuple[str, ...]:
    """Return the vector with its first two coordinates exchanged."""
    return (p[1], p[0], *p[2:])


def is_good(output: Sequence[str], gamma: str) -> bool:
    """Whether an output is of the simplex and its first two coordinates are at least gamma."""
    x = fractions(*output)
    return sum(x) == 1 and min(x) >= 0 and min(x[:2]) >= Fraction(gamma)


# Numbers of this paper's entries that no quantity answers alone, and formulas tried at draws.

_DIGITS = 20


def loss(of: str, k: str, here: Sequence[str], there: Sequence[str], ratio: str = "1") -> Worked:
    """Return the log-ratio of Dirichlet(k p) to Dirichlet(k q) where x_i/x_j is ``ratio``.

    p is (.., p_i, p_j, ..) with ``here`` = (p_i, p_j), q the same with ``there``; both have one
    sum, so what is left is (9): a ratio of four Gammas, and the ratio of the outputs to a power.
    """
    (first, second), (reached, _) = (
        tuple(Fraction(k) * Fraction(x) for x in pair) for pair in (there, here)
    )
    moved = reached - first
    odds = Fraction(ratio)

    def by_balls() -> Enclosure:
        with working_precision(BITS):
            power = ball(moved) * ball(odds).log()
            return enclosure_of(log_beta_change(first, second, moved) + power)

    def by_spans() -> Enclosure:
        power = span(moved) * span(odds).log() if odds != 1 else span(0)
        return (exchanged(first, second, moved) + power).enclosure()

    return Worked(of, by_balls, by_spans)


def exchanged(first: Fraction, second: Fraction, part: Fraction) -> Span:
    """Enclose log [Gamma(x) Gamma(y) / (Gamma(x+c) Gamma(y-c))] without a Gamma, in any order."""
    least, reached = min(first, second), min(first + part, second - part)
    if least == reached:
        return span(0)
    if least < reached:
        return log_gamma_exchange(BITS, least, max(first, second), reached - least)
    return -log_gamma_exchange(BITS, reached, max(first + part, second - part), least - reached)


@dataclass(frozen=True)
class Combined:
    """A formula of several values, worked out in balls from the first ways, in spans from others.

    The formula has to be one of sums, products and ``exp``, which balls and spans both have.
    """

    of: str
    parts: tuple[Value, ...]
    formula: Callable[..., Any]

    def enclosed(self) -> Enclosed:
        """Return the formula, each way by itself."""
        found = [part.enclosed() for part in self.parts]
        with working_precision(BITS):
            balls = (ball(low).union(ball(high)) for low, high in map(_ends, _firsts(found)))
            first = enclosure_of(self.formula(*balls))
        spans = (hull(span(low), span(high)) for low, high in map(_ends, _seconds(found)))
        return agreed(self.of, first, self.formula(*spans).enclosure())


def _firsts(found: Sequence[Enclosed]) -> Iterator[Enclosure]:
    return (one.first for one in found)


def _seconds(found: Sequence[Enclosed]) -> Iterator[Enclosure]:
    return (one.second for one in found)


def _ends(enclosure: Enclosure) -> tuple[Fraction, Fraction]:
    return Fraction(enclosure.lower), Fraction(enclosure.upper)


@dataclass(frozen=True)
class Where:
    """A number that is as said where other numbers are in order: (smaller, larger) pairs.

    A way that does not show each pair's strict order says nothing about the number.
    """

    of: str
    value: Value
    orders: tuple[tuple[Value, Value], ...]

    def enclosed(self) -> Enclosed:
        """Return the number where a way shows the orders, nothing known else."""
        found = self.value.enclosed()
        pairs = [(low.enclosed(), high.enclosed()) for low, high in self.orders]
        first = all(low.first.high < high.first.low for low, high in pairs)
        second = all(low.second.high < high.second.low for low, high in pairs)
        nothing = Enclosure.nothing_known()
        ways = (found.first if first else nothing, found.second if second else nothing)
        return Enclosed(self.of, *ways)


def probability_one(loss_at_equal: Value, epsilon: Value) -> Where:
    """Return the probability of the smallest exceptional set of an input p with p_i = p_j.

    Where the loss to q is above epsilon at x_i = x_j, it is at all x_i >= x_j, as it rises with
    x_i/x_j; the loss to q with i and j exchanged is at all x_i <= x_j. So all outputs are
    exceptional, and the probability is 1. Where that is not shown, nothing is said.
    """
    of = "P(smallest exceptional set of p): every output passes epsilon to one of two neighbours"
    return Where(of, Exactly("1"), ((epsilon, loss_at_equal),))


def at_root(
    of: str, root: Mapping[str, Any], quantity: str, parameters: Mapping[str, Any]
) -> Worked:
    """Return a quantity that falls with gamma at gamma = dirichlet.identity.gamma(root)."""

    def way(engine: str) -> Callable[[], Enclosure]:
        def enclosed() -> Enclosure:
            gamma = _answer("dirichlet.identity.gamma", root, engine)
            high, low = (
                _answer(quantity, {**parameters, "gamma": str(end)}, engine)
                for end in (gamma.lower, gamma.upper)
            )
            return Enclosure(low.low, high.high)

        return enclosed

    return Worked(of, way("arb"), way("second"))


def _answer(quantity: str, parameters: Mapping[str, Any], engine: str) -> Enclosure:
    """Return an engine's answer, which is a number."""
    found = answer_at(quantity, parameters, digits=_DIGITS, engine=engine)
    return entry_at(found.enclosure, ())


# Exact integrals of polynomials over parts of the simplex, and identities of polynomials.

_CONTEXT = fmpq_mpoly_ctx.get(("x", "y", "z"), Ordering.lex)


def vanishes(polynomial: Callable[..., Fraction], degrees: Sequence[int]) -> bool:
    """Whether a polynomial of at most these degrees is 0: it is, if it is on a large enough grid.

    A polynomial of degree d in one variable that is 0 at d + 1 points is 0; so for each in turn.
    """
    points = (range(1, degree + 2) for degree in degrees)
    return all(polynomial(*map(Fraction, point)) == 0 for point in product(*points))


def good_mass(parameters: Sequence[int], low: Fraction, floors: int) -> Fraction:
    """Return P(t_i >= low for the first ``floors`` coordinates) of Dirichlet(parameters).

    Whole parameters, three or four; the density is integrated from the last free coordinate on.
    """
    *powers, rest = parameters
    gens = _CONTEXT.gens()[: len(powers)]
    found = _total(gens) ** (rest - 1)
    for coordinate, power in zip(gens, powers, strict=True):
        found *= coordinate ** (power - 1)
    for at in reversed(range(len(powers))):
        # What is left for this coordinate: 1 less those before it, and no floor comes after it.
        start = low if at < floors else Fraction(0)
        tops = _total(gens[:at]) - _constant(low * max(0, floors - at - 1))
        found = _between(found, at, _constant(start), tops)
    return _value(found) / beta(parameters)


def beta(parameters: Sequence[int]) -> Fraction:
    """Return the multivariate Beta function of whole parameters."""
    return Fraction(prod(factorial(a - 1) for a in parameters), factorial(sum(parameters) - 1))


def _total(coordinates: Sequence[fmpq_mpoly]) -> fmpq_mpoly:
    """Return 1 less the coordinates."""
    return _constant(Fraction(1)) - sum(coordinates, _constant(Fraction(0)))


def _constant(value: Fraction) -> fmpq_mpoly:
    return _CONTEXT.constant(fmpq(value.numerator, value.denominator))


def _between(polynomial: fmpq_mpoly, at: int, start: fmpq_mpoly, end: fmpq_mpoly) -> fmpq_mpoly:
    """Integrate over one variable, from ``start`` to ``end``."""
    whole = polynomial.integral(at)
    upper, lower = ([*_CONTEXT.gens()] for _ in range(2))
    upper[at], lower[at] = end, start
    return whole.compose(*upper, ctx=_CONTEXT) - whole.compose(*lower, ctx=_CONTEXT)


def _value(polynomial: fmpq_mpoly) -> Fraction:
    """Return a constant polynomial's value. Raises ValueError for any other."""
    if not polynomial.is_constant():
        raise ValueError(f"{polynomial} is not constant")
    value = polynomial(0, 0, 0)
    return Fraction(int(value.p), int(value.q))
