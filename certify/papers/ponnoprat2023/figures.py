"""Section 3.2, Figure 3: the tightness of the guarantee, and large orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import trigamma
from ....reference.dirichlet.renyi_divergence import divergence
from ....reference.enclosure import Trilean
from ..evidence import Formula, Identity, Instance, OverBox, Proof
from ..statement import Reading, Statement
from ..values import At, Exactly, as_ball, at_precision, draws, texts
from .guarantee import EIGHTEEN
from .inputs import COUNTS, EXCHANGED_PAIR, ORDERS, PRINTED_PAIR, line_1, number

# Section 3.2, Figure 3: guarantees against exact divergences over ranges of r.

_Pair = tuple[Sequence[int], Sequence[int]]
# How many times the exact divergence the guarantee may be, over the range of r below.
FACTOR = Fraction(13, 5)


def _gap(u: arb, v: arb, order: int) -> arb:
    """Enclose T(u, v), the part of one coordinate, order > 1."""
    kappa = order - 1
    far = order * u - kappa * v
    return (far.lgamma() + kappa * v.lgamma() - order * u.lgamma()) / kappa


def _part(r: arb, counts: tuple[int, int], share: int, order: int) -> arb:
    """Enclose T for r f + share alpha against r f' + share alpha, alpha = 1 + 4 kappa r."""
    alpha = share * (1 + 4 * (order - 1) * r)
    return _gap(counts[0] * r + alpha, counts[1] * r + alpha, order)


def _line_1(r: arb, order: int) -> arb:
    """Enclose line 1 for D2^2 = 2 and Dinf = 1."""
    return order * r**2 * trigamma(1 + 3 * (order - 1) * r)


def within_factor(pair: _Pair, order: int) -> Callable[..., arb]:
    """Return FACTOR times a lower bound on D less an upper bound on line 1, over balls of r.

    All parts of D and line 1 rise in r, so the ends of the range bound each of them.
    """
    f, g = pair
    moved = [(a, b) for a, b in zip(f, g, strict=True) if a != b]

    def room(r: arb) -> arb:
        low, high = r.lower(), r.upper()
        least = sum((_part(low, each, 1, order) for each in moved), arb(0))
        if sum(f) != sum(g):
            least -= _part(high, (sum(f), sum(g)), len(f), order)
        return ball(FACTOR) * least - _line_1(high, order)

    return room


@at_precision
def _parts_rise() -> bool:
    """T for r f + alpha against r f' + alpha rises in r, f, f' >= 0 and alpha = 1 + 4 kappa r."""
    for random in draws(71):
        least = random.randint(0, 70)
        order, share = random.choice((2, 20, 200)), random.randint(1, 6)
        more_counts = least + random.choice((1, 2))
        counts = random.choice(((least, more_counts), (more_counts, least)))
        r, more = number(random), number(random)
        one, other = (_part(ball(x), counts, share, order) for x in (r, r + more))
        if not 0 < one < other:
            return False
        if not _line_1(ball(r), order) < _line_1(ball(r + more), order):
            return False
    return True


@at_precision
def _parts_make_the_divergence() -> bool:
    """Parts of the coordinates less that of the totals against the divergence."""
    for random in draws(72):
        r, order = number(random), random.choice((2, 20, 200))
        alpha = 1 + 4 * (order - 1) * r
        u, v = (tuple(r * x + alpha for x in each) for each in PRINTED_PAIR)
        known = divergence(u, v, Fraction(order))
        parts = [_part(ball(r), (a, b), 1, order) for a, b in zip(*PRINTED_PAIR, strict=True)]
        whole = _part(ball(r), (sum(PRINTED_PAIR[0]), sum(PRINTED_PAIR[1])), len(u), order)
        if not (sum(parts, arb(0)) - whole).overlaps(as_ball(known)):
            return False
    return True


def _means_come_near_uniform() -> bool:
    """The mean is w f/N + (1-w)/d, w = r N/(r N + d alpha) < N/(N + 4 d kappa), in rationals."""
    records, d = sum(COUNTS), len(COUNTS)
    for random in draws(73):
        r, kappa = number(random), Fraction(random.choice((1, 19, 199, 10**6)))
        alpha = 1 + 4 * kappa * r
        whole = r * records + d * alpha
        w = r * records / whole
        if not w < Fraction(records) / (records + 4 * d * kappa):
            return False
        for count in COUNTS:
            mean = (r * count + alpha) / whole
            if mean != w * Fraction(count, records) + (1 - w) / d:
                return False
            if mean * (1 - mean) / (whole + 1) > 1 / (16 * d * kappa * r):
                return False
    return True


_NOTE = "ponnoprat2023/tightness.md"
_RANGE = ("1/1000", "1000")
_CountsPair = tuple[tuple[int, ...], tuple[int, ...]]


def _moves(pair: _CountsPair) -> list[int]:
    return [abs(a - b) for a, b in zip(*pair, strict=True)]


def _meets_sensitivities(pair: _CountsPair) -> Trilean:
    moves = _moves(pair)
    return Trilean.of(
        sum(move**2 for move in moves) <= line_1(2, "1")["delta2_squared"] and max(moves) <= 1
    )


def _is_one_record(pair: _CountsPair) -> Trilean:
    """Whether the histograms differ by one record: replaced, or added or removed."""
    rises = sorted(b - a for a, b in zip(*pair, strict=True) if a != b)
    return Trilean.of(rises in ([-1, 1], [1], [-1]))


def _exact(pair: _CountsPair, order: int, step: str) -> At:
    """Return the divergence of the pair at Algorithm 1's alpha."""
    r = Fraction(step)
    alpha = 1 + 4 * (order - 1) * r
    u, v = (texts([r * x + alpha for x in each]) for each in pair)
    return At("dirichlet.renyi.divergence", {"u": u, "v": v, "order": order})


def _guarantee(order: int, step: str) -> At:
    return At("dirichlet.renyi.epsilon_bound", line_1(order, step))


def _near(pair: _CountsPair) -> tuple[OverBox, ...]:
    return tuple(
        OverBox(
            f"2.6 times the divergence less line 1 for r from 0.001 to 1000, lambda = {order}",
            {"r": _RANGE},
            within_factor(pair, order),
        )
        for order in ORDERS
    )


_PARTS = Proof(
    f"{_NOTE}#parts",
    "coordinates' parts rise along rays, and so do the totals' and line 1 (1), (2)",
    (
        Formula("(1)", _parts_make_the_divergence),
        Formula("(2)", _parts_rise),
    ),
)


def _mean_divergence(step: str) -> At:
    """Return E KL(f/N || y) at lambda = 200 and Algorithm 1's alpha."""
    r, records = Fraction(step), sum(COUNTS)
    alpha = 1 + 4 * (ORDERS[-1] - 1) * r
    return At(
        "dirichlet.utility.expected_kl_prior",
        {
            "p": texts([Fraction(count, records) for count in COUNTS]),
            "u": texts([r * count + alpha for count in COUNTS]),
        },
    )


STATEMENTS = (
    Statement(
        id="ponnoprat2023.figure-3-top",
        kind="figure",
        where="Section 3.2, Figure 3 (top) and the paragraph on tightness",
        says="f = (11, 8, 65, 25, 38, 1) and f' = (11, 7, 65, 25, 38, 0) are neighbouring "
        "histograms, and line 1 is close to their exact divergence, lambda = 2, 20, 200.",
        note=_NOTE,
        evidence=(
            Identity(
                "one record is replaced, added or removed; the entries sum to 148 and 146",
                lambda: _is_one_record(PRINTED_PAIR),
            ),
        ),
        readings=(
            Reading(
                "neighbouring: within D2^2 = 2 and Dinf = 1; close: above it, and at most 2.6 "
                "times as much, r from 0.001 to 1000",
                (
                    Identity(
                        "the pair is within D2^2 = 2 and Dinf = 1",
                        lambda: _meets_sensitivities(PRINTED_PAIR),
                    ),
                    EIGHTEEN,
                    _PARTS,
                    *_near(PRINTED_PAIR),
                    Instance(
                        "lambda = 2, r = 1", _guarantee(2, "1"), ">", _exact(PRINTED_PAIR, 2, "1")
                    ),
                    Instance(
                        "lambda = 200, r = 1",
                        _guarantee(200, "1"),
                        ">",
                        _exact(PRINTED_PAIR, 200, "1"),
                    ),
                ),
            ),
            Reading(
                "close: at most twice the divergence",
                (
                    Instance(
                        "lambda = 2, r = 1",
                        _guarantee(2, "1"),
                        "<=",
                        replace(_exact(PRINTED_PAIR, 2, "1"), times="2"),
                    ),
                ),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.figure-3-top-repaired",
        kind="repair",
        repairs="ponnoprat2023.figure-3-top",
        where="Section 3.2, Figure 3 (top)",
        says="f = (11, 8, 65, 25, 38, 0) and f' = (11, 7, 65, 25, 38, 1) differ by one replaced "
        "record, and line 1 is above the divergence, at most 2.6 times as much.",
        hypotheses=("r from 0.001 to 1000", "lambda = 2, 20, 200"),
        note=_NOTE,
        evidence=(
            Identity("one record is replaced", lambda: _is_one_record(EXCHANGED_PAIR)),
            EIGHTEEN,
            _PARTS,
            *_near(EXCHANGED_PAIR),
            Instance("lambda = 2, r = 1", _guarantee(2, "1"), ">", _exact(EXCHANGED_PAIR, 2, "1")),
        ),
    ),
    Statement(
        id="ponnoprat2023.figure-3-uniform",
        kind="figure",
        where="Section 3.2, end; f = (119, 74, 618, 272, 13, 187)",
        says="As lambda becomes very large the outputs are close to the uniform law.",
        hypotheses=("alpha = 1 + 4 (lambda-1) r", "(lambda-1) r grows without bound"),
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#large-orders",
                "the mean tends to the uniform law for every r, and variances are at most "
                "1/(16 d (lambda-1) r) (3)",
                (Formula("(3)", _means_come_near_uniform),),
            ),
            Instance(
                "lambda = 200, r = 10: the mean divergence against log 6 less the entropy of f/N",
                _mean_divergence("10"),
                "<",
                Exactly("0.3"),
            ),
        ),
    ),
)
