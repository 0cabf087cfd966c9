"""How far two laws are apart: Wasserstein distance, max-divergence, closeness, loss under noise.

W_infinity (song2017 Definition 3.1) of laws on the line is the largest move of the monotone
coupling, which pairs the two laws quantile by quantile; no other coupling moves less far
(proofs_notes/wasserstein.md). Only comparisons of cumulated masses decide which quantiles meet, so
masses that are merely enclosed give the distance exactly as soon as the enclosures tell these
apart.

Closeness is how close an adversary's belief is to a law of the class, in max-divergence
(song2017 2.3).

The privacy loss of a number released with Laplace noise is exact: between neighbouring support
points the ratio of two such densities is a Moebius function of e^(2w/scale), so it is monotone
there, and it is constant outside all of them: its supremum over all outcomes is a maximum over the
support points (proofs_notes/laplace-loss.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, groupby, pairwise
from math import lcm
from operator import itemgetter
from typing import Annotated, NamedTuple

from flint import arb
from gmpy2 import gcd, mpq, mpz

from ..arb.balls import INFINITY, ball, sharpened
from ..domain import AT_LEAST_ZERO, LAW, LINE_LAW, Condition, Law, Positive
from ..domain.matrices import IndexSets
from ..precision import check_budget
from ..quantity import Side, Truth, quantity
from ..relations import UNKNOWN
from ..structures import LineLaw

NOTE = "proofs_notes/wasserstein.md"


class Atoms(NamedTuple):
    """A law on the line: increasing points, and positive whole weights in proportion to its masses.

    Weights need not have the total of another law's: whoever compares two laws cross-multiplies.
    """

    points: tuple[Fraction | int, ...]
    weights: tuple[int, ...]

    @property
    def total(self) -> int:
        """The weight of the whole law."""
        return sum(self.weights)

    def is_same_law(self, other: Atoms) -> bool:
        """Whether both are one law, decided exactly."""
        mine, others = self.total, other.total
        return self.points == other.points and all(
            a * others == b * mine for a, b in zip(self.weights, other.weights, strict=True)
        )


def atoms_of(masses: Iterable[tuple[Fraction, Fraction]]) -> Atoms:
    """Return the law with these (point, mass), points that stand twice added up, zeros left out."""
    # Fractions are slow to compare, hash and add.
    ordered = sorted((mpq(point), mpq(mass), point) for point, mass in masses if mass)
    grouped = [[*group] for _, group in groupby(ordered, key=itemgetter(0))]
    shares = [sum((mass for _, mass, _ in group), mpq(0)) for group in grouped]
    common = lcm(*(share.denominator for share in shares))
    weights = (int(share.numerator * (common // share.denominator)) for share in shares)
    return Atoms(tuple(group[0][2] for group in grouped), tuple(weights))


def atoms_of_law(law: LineLaw) -> Atoms:
    """Return a law given by its points and their masses."""
    return atoms_of(zip(law.points, law.mass, strict=True))


def _monotone_pairs(
    firsts: int, seconds: int, order: Callable[[int, int], int]
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of atoms that the monotone coupling joins, of laws with so many atoms.

    ``order(i, j)`` is the sign of the first law's mass up to its atom i less the second's up to j.
    It is not asked about a law's last atom, which no other mass of the same total can exceed.
    """
    i = j = 0
    while True:
        yield i, j
        if i == firsts - 1 and j == seconds - 1:
            return
        if i == firsts - 1 or j == seconds - 1:
            sign = 1 if i == firsts - 1 else -1
        else:
            sign = order(i, j)
        i, j = i + (sign <= 0), j + (sign >= 0)


def largest_move(first: Atoms, second: Atoms) -> Fraction:
    """Return the infinity-Wasserstein distance of two laws, exactly."""
    # Weights may have as many digits as there are atoms, where Python's own products are slow.
    ours, theirs = ([*accumulate(map(mpz, law.weights))] for law in (first, second))
    shared = gcd(ours[-1], theirs[-1])
    total, their_total = ours[-1] // shared, theirs[-1] // shared

    def order(i: int, j: int) -> int:
        check_budget()
        here, there = ours[i] * their_total, theirs[j] * total
        return int(here > there) - int(here < there)

    here, there = ([mpq(point) for point in law.points] for law in (first, second))
    pairs = _monotone_pairs(len(ours), len(theirs), order)
    move = max(abs(here[i] - there[j]) for i, j in pairs)
    return Fraction(int(move.numerator), int(move.denominator))


class _UndecidedError(ArithmeticError):
    """Two enclosed masses that overlap: which of them is larger is not known."""


def largest_move_of_enclosed(
    first: Sequence[tuple[Fraction, arb]], second: Sequence[tuple[Fraction, arb]]
) -> Fraction | None:
    """Return the infinity-Wasserstein distance of two laws whose masses are only enclosed.

    Points increase; masses are positive, up to one factor for each law. None where the enclosures
    do not tell apart two cumulated masses that the distance depends on: take more bits.
    """
    ours, theirs = _cumulated(first), _cumulated(second)

    def order(i: int, j: int) -> int:
        difference = ours[i] * theirs[-1] - theirs[j] * ours[-1]
        if difference > 0:
            return 1
        if difference < 0:
            return -1
        raise _UndecidedError

    pairs = _monotone_pairs(len(ours), len(theirs), order)
    try:
        return max(abs(first[i][0] - second[j][0]) for i, j in pairs)
    except _UndecidedError:
        return None


def _cumulated(masses: Sequence[tuple[Fraction, arb]]) -> list[arb]:
    if not all(mass > 0 for _, mass in masses):
        raise ValueError("an atom's mass must be certainly positive")
    return list(accumulate(mass for _, mass in masses))


@quantity(
    "pufferfish.wasserstein",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"W_{\infty}(\mu, \nu) = \inf_{\text{couplings}} \; \sup |x - y|",
    within=AT_LEAST_ZERO,
    rises=UNKNOWN,
)
def wasserstein(mu: LINE_LAW, nu: LINE_LAW) -> Fraction:
    """Infinity-Wasserstein distance of two laws on the line, song2017 Definition 3.1, exactly."""
    return largest_move(atoms_of_law(mu), atoms_of_law(nu))


_DEFINITION = "song2017 Definition 2.3"
_CLOSENESS_NOTE = "proofs_notes/closeness.md"
_SECRETS = Annotated[tuple[tuple[int, ...], ...], IndexSets(among="p")]
_SECOND_LAW = Annotated[tuple[Fraction, ...], Law(as_long_as="p")]
_EQUALLY_LONG = Condition(
    "p and q of equal length", lambda p, q: len(p) == len(q), "laws over one finite space"
)
_WITHIN_THE_SPACE = Condition(
    "every number in secrets at most the length of p",
    lambda p, secrets: all(max(secret) <= len(p) for secret in secrets),
    "secrets are sets of points of the space",
)


def largest_ratio(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction | None:
    """Return the largest p_i/q_i where p_i > 0, exactly; None where it is infinite."""
    support = [(ours, theirs) for ours, theirs in zip(p, q, strict=True) if ours]
    if not all(theirs for _, theirs in support):
        return None
    return max(ours / theirs for ours, theirs in support)


def log_ratio(ratio: Fraction | None) -> arb | Fraction:
    """Enclose the logarithm of a ratio that is at least 1; of 1 it is exactly 0, None is infinite.

    Of the excess over 1, for ratios near 1.
    """
    if ratio is None:
        return INFINITY
    return ball(ratio - 1).log1p() if ratio != 1 else Fraction(0)


@quantity(
    "pufferfish.max_divergence",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_DEFINITION,
    formula=r"D_{\infty}(p \,\|\, q) = \max_{i : p_i > 0} \log \frac{p_i}{q_i}",
    conditions=(_EQUALLY_LONG,),
    within=AT_LEAST_ZERO,
    rises=UNKNOWN,
)
def max_divergence(p: LAW, q: _SECOND_LAW) -> arb | Fraction:
    """Largest log(p_i/q_i) over the points that p can give; infinite where q cannot give one."""
    return log_ratio(largest_ratio(p, q))


def conditional(law: Sequence[Fraction], secret: Iterable[int]) -> tuple[Fraction, ...] | None:
    """Return the law given that its point is one of these numbers, from 1; None if it cannot be."""
    members = {number - 1 for number in secret}
    mass = sum((law[at] for at in members), Fraction(0))
    if not mass:
        return None
    return tuple(law[at] / mass if at in members else Fraction(0) for at in range(len(law)))


@quantity(
    "pufferfish.closeness",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_CLOSENESS_NOTE,
    formula=r"\max_{s} \max \{ D_{\infty}(p_s \,\|\, q_s), D_{\infty}(q_s \,\|\, p_s) \}, \quad "
    r"p_s = p(\cdot \mid s)",
    conditions=(_EQUALLY_LONG, _WITHIN_THE_SPACE),
    within=AT_LEAST_ZERO,
    rises=UNKNOWN,
)
def closeness(p: LAW, q: _SECOND_LAW, secrets: _SECRETS) -> arb | Fraction:
    """Largest max-divergence, either way, of two laws given a secret, for song2017 Theorem 2.4.

    Its Delta is the least over the laws q of the class. Infinite where a secret is possible under
    one law only, which the theorem leaves undefined; one impossible under both is left out.
    """
    worst = Fraction(1)
    for secret in secrets:
        ours, theirs = conditional(p, secret), conditional(q, secret)
        if ours is None and theirs is None:
            continue
        if ours is None or theirs is None:
            return INFINITY
        for ratio in (largest_ratio(ours, theirs), largest_ratio(theirs, ours)):
            if ratio is None:
                return INFINITY
            worst = max(worst, ratio)
    return log_ratio(worst)


LOSS_NOTE = "proofs_notes/laplace-loss.md"
# The clock is looked at once in so many points.
_POINTS_BETWEEN_LOOKS = 1024


def _decayed_sums(weights: Iterable[arb], decays: Iterable[arb]) -> Iterator[arb]:
    """Yield at each point what lies at or before it, each weight times its decay up to there.

    Sums of positive terms: their relative error stays near the working precision.
    """
    total = arb(0)
    for at, (weight, decay) in enumerate(zip(weights, (arb(0), *decays), strict=True)):
        if at % _POINTS_BETWEEN_LOOKS == 0:
            check_budget()
        total = total * decay + weight
        yield total


def _densities(law: Atoms, points: Sequence[Fraction | int], decays: Sequence[arb]) -> list[arb]:
    """Enclose, at each point, the density of the law plus noise, times twice the scale.

    That is the sum of mass times e^(-distance/scale): from the left, plus from the right without
    the point itself.
    """
    found = dict(zip(law.points, law.weights, strict=True))
    total = arb(law.total)
    weights = [arb(found[point]) / total if point in found else arb(0) for point in points]
    left = list(_decayed_sums(weights, decays))
    right = list(_decayed_sums(reversed(weights), reversed(decays)))[::-1]
    from_right = [decay * rest for decay, rest in zip(decays, right[1:], strict=True)]
    return [a + b for a, b in zip(left, [*from_right, arb(0)], strict=True)]


def largest_density_ratio(laws: Sequence[Atoms], scale: Fraction) -> arb:
    """Enclose the largest ratio, over outcomes, of any two of the laws' densities under noise.

    At least 1, and 1 only between equal laws.
    """
    points = sorted({point for law in laws for point in law.points})
    gaps = [after - before for before, after in pairwise(points)]
    decay = {gap: (-ball(Fraction(gap) / scale)).exp() for gap in set(gaps)}
    decays = [decay[gap] for gap in gaps]
    worst = arb(1)
    for values in zip(*(_densities(law, points, decays) for law in laws), strict=True):
        worst = worst.max(_largest(values) / _smallest(values))
    return worst


def _largest(values: Sequence[arb]) -> arb:
    found = values[0]
    for value in values[1:]:
        found = found.max(value)
    return found


def _smallest(values: Sequence[arb]) -> arb:
    found = values[0]
    for value in values[1:]:
        found = found.min(value)
    return found


def loss_within(groups: Callable[[], Iterable[Sequence[Atoms]]], scale: Fraction) -> arb:
    """Enclose the largest loss, under Laplace noise of this scale, between two laws of one group.

    Exactly 0 where the laws of each group are one law, as the loss is where there is nothing to
    tell apart. ``groups`` is asked again where the loss is so small that it needs more bits.
    """

    def loss() -> arb:
        worst = arb(1)
        for laws in groups():
            if not all(laws[0].is_same_law(law) for law in laws[1:]):
                worst = worst.max(largest_density_ratio(laws, scale))
        return worst.log()

    return sharpened(loss)


@quantity(
    "pufferfish.laplace_loss",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=LOSS_NOTE,
    formula=r"\sup_x \left| \log \frac{\int e^{-|x - t| / \sigma} \, d\mu(t)}{\int e^{-|x - t| / "
    r"\sigma} \, d\nu(t)} \right|",
    within=AT_LEAST_ZERO,
    falls="scale",
    vanishes="high scale",
    log_ratio=True,
)
def laplace_loss(mu: LINE_LAW, nu: LINE_LAW, scale: Positive) -> arb:
    """Largest log-ratio over outcomes, either way, of two laws' densities under Laplace noise."""
    laws = [atoms_of_law(mu), atoms_of_law(nu)]
    return loss_within(lambda: [laws], scale)
