"""Section 3.2, Figure 3: how near the guarantee is, and what becomes of large orders."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ....reference.enclosure import Trilean
from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, OverBox, Proof
from ..forms import texts
from ..values import At, Exactly
from . import executed_figures as executed
from .guarantee import EIGHTEEN
from .inputs import COUNTS, EXCHANGED_PAIR, ORDERS, PRINTED_PAIR, line_1

NOTE = "ponnoprat2023/tightness.md"
_RANGE = ("1/1000", "1000")
Pair = tuple[tuple[int, ...], tuple[int, ...]]


def _moves(pair: Pair) -> list[int]:
    return [abs(a - b) for a, b in zip(*pair, strict=True)]


def _meets_sensitivities(pair: Pair) -> Trilean:
    moves = _moves(pair)
    return Trilean.of(
        sum(move**2 for move in moves) <= line_1(2, "1")["delta2_squared"] and max(moves) <= 1
    )


def _is_one_record(pair: Pair) -> Trilean:
    """Whether the histograms differ by one record: replaced, or added or removed."""
    rises = sorted(b - a for a, b in zip(*pair, strict=True) if a != b)
    return Trilean.of(rises in ([-1, 1], [1], [-1]))


def _exact(pair: Pair, order: int, step: str) -> At:
    """Return the divergence of the pair at Algorithm 1's alpha."""
    r = Fraction(step)
    alpha = 1 + 4 * (order - 1) * r
    u, v = (texts([r * x + alpha for x in each]) for each in pair)
    return At("dirichlet.renyi.divergence", {"u": u, "v": v, "order": order})


def _guarantee(order: int, step: str) -> At:
    return At("dirichlet.renyi.epsilon_bound", line_1(order, step))


def _near(pair: Pair) -> tuple[OverBox, ...]:
    return tuple(
        OverBox(
            f"2.6 times the divergence less line 1 for r from 0.001 to 1000, lambda = {order}",
            {"r": _RANGE},
            executed.within_factor(pair, order),
        )
        for order in ORDERS
    )


_PARTS = Proof(
    f"{NOTE}#parts",
    "coordinates' parts rise along rays, and so do the totals' and line 1 (1), (2)",
    (
        Formula("(1)", executed.parts_make_the_divergence),
        Formula("(2)", executed.parts_rise),
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


CLAIMS = (
    Claim(
        id="ponnoprat2023.figure-3-top",
        kind="figure",
        where="Section 3.2, Figure 3 (top) and the paragraph on tightness",
        says="f = (11, 8, 65, 25, 38, 1) and f' = (11, 7, 65, 25, 38, 0) are neighbouring "
        "histograms, and line 1 is close to their exact divergence, lambda = 2, 20, 200.",
        note=NOTE,
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
    Claim(
        id="ponnoprat2023.figure-3-top-repaired",
        kind="repair",
        repairs="ponnoprat2023.figure-3-top",
        where="Section 3.2, Figure 3 (top)",
        says="f = (11, 8, 65, 25, 38, 0) and f' = (11, 7, 65, 25, 38, 1) differ by one replaced "
        "record, and line 1 is above the divergence, at most 2.6 times as much.",
        hypotheses=("r from 0.001 to 1000", "lambda = 2, 20, 200"),
        note=NOTE,
        evidence=(
            Identity("one record is replaced", lambda: _is_one_record(EXCHANGED_PAIR)),
            EIGHTEEN,
            _PARTS,
            *_near(EXCHANGED_PAIR),
            Instance("lambda = 2, r = 1", _guarantee(2, "1"), ">", _exact(EXCHANGED_PAIR, 2, "1")),
        ),
    ),
    Claim(
        id="ponnoprat2023.figure-3-uniform",
        kind="figure",
        where="Section 3.2, end; f = (119, 74, 618, 272, 13, 187)",
        says="As lambda becomes very large the outputs are close to the uniform law.",
        hypotheses=("alpha = 1 + 4 (lambda-1) r", "(lambda-1) r grows without bound"),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#large-orders",
                "the mean tends to the uniform law for every r, and variances are at most "
                "1/(16 d (lambda-1) r) (3)",
                (Formula("(3)", executed.means_come_near_uniform),),
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
