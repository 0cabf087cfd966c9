"""Section 5 and appendix B: the chains and the proofs that their entries share."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from flint import arb

from ....reference.arb.balls import ball
from ....reference.markov.stationary import stationary_law
from ....reference.second.directed import Span
from ..evidence import Formula, Instance, Proof
from ..forms import Named, at_precision, by_balls, by_spans, span, texts
from ..values import At, Exactly, Worked
from . import chain_formulas as tried_on
from .divergence_formulas import tried
from .forms import Total, shares
from .trap import FLOOR, claimed, hypotheses

LAW_NOTE, COEFFICIENT_NOTE = "benvenuti2025/stationary-law.md", "benvenuti2025/coefficient.md"
LAW_LAWS, COEFFICIENT_LAWS = f"{LAW_NOTE}#", f"{COEFFICIENT_NOTE}#"
IRREDUCIBLE = ("irreducible", "every feasible transition is counted", "k_i >= 3/(2 eta_i)")

# A rare and noisy row between two of very many records; and forty rows all alike.
RARE = ((499999, 1, 500000), (2, 1, 2), (500000, 1, 499999))
EQUAL = ((481, 481, *[1] * 38),) * 40


def least_k(counts: tuple[tuple[int, ...], ...]) -> list[str]:
    """Return 3/(2 eta_i), eta_i the least share of each row."""
    return [str(Fraction(3 * sum(row), 2 * min(row))) for row in counts]


def admissible(counts: tuple[tuple[int, ...], ...]) -> dict[str, bool]:
    """Return what Theorems 4 and 5 ask, for counts without a 0 and k_i = 3/(2 eta_i)."""
    return {
        "every count is at least 1: irreducible and aperiodic": min(map(min, counts)) >= 1,
        "eta_i, the least share, is below 1/4": all(4 * min(row) < sum(row) for row in counts),
        "as many rows as states, at least 3": all(len(row) == len(counts) >= 3 for row in counts),  # noqa: PLR2004
        "N_i >= n": all(sum(row) >= len(row) for row in counts),
    }


def _of_counts(quantity: str, counts: tuple[tuple[int, ...], ...], **more: Any) -> At:
    given: dict[str, Any] = {"k": least_k(counts)}
    if quantity.startswith("benvenuti2025"):
        given["counts"] = [list(row) for row in counts]
    else:
        given["P"] = [texts(shares(row)) for row in counts]
    return At(f"markov.{quantity}", given, **more)


CLAIMED_RARE = _of_counts("benvenuti2025.theorem_5", RARE)
RARE_ROW = At(
    "markov.expected_deviations", _of_counts("expected_deviations", RARE).parameters, (2,)
)
RARE_COLUMN = Total(
    "the mean of the first column's sum of |E|",
    tuple(
        At("dirichlet.utility.absolute_deviation", {"p": str(shares(row)[0]), "k": k})
        for row, k in zip(RARE, least_k(RARE), strict=True)
    ),
)
RARE_FLOOR = _of_counts("ergodicity_floor", RARE)
EQUAL_FLOOR = Named(
    "the floor of E |tau(P~) - tau(P)|, 40 equal rows", _of_counts("ergodicity_floor", EQUAL)
)
EQUAL_CLAIM = Named("(2 L)^(1/2), 40 equal rows", _of_counts("benvenuti2025.theorem_5", EQUAL))

# One chain and one change of its second row, in whose place no average is taken.
_BEFORE = tuple(map(shares, RARE))
_AFTER = (_BEFORE[0], (Fraction(1, 5), Fraction(3, 5), Fraction(1, 5)), _BEFORE[2])
_SECOND = Fraction(1, 800001)


def _divergence_in_balls() -> arb:
    parts = [ball(p) * ball(p / q).log() for p, q in zip(_BEFORE[1], _AFTER[1], strict=True)]
    return (2 * ball(_SECOND) * sum(parts, arb(0))).sqrt()


def _divergence_in_spans() -> Span:
    """Enclose the same from 4/5 log 2 - 1/5 log 3."""
    inside = span("4/5") * span(2).log() - span("1/5") * span(3).log()
    return ((span(2 * _SECOND) * inside).log() / span(2)).exp()


_PATH = Worked(
    "(2 pi_2 KL_2)^(1/2), one row changed",
    by_balls(_divergence_in_balls),
    by_spans(_divergence_in_spans),
)


def pathwise(kind: str) -> Instance:
    """Return (29) for the rare row's chain and one change of that row."""
    moved = tried_on.norm(tried_on.less(_AFTER, _BEFORE), kind)
    return Instance(
        f"(29) with {kind} sums, the row (2, 1, 2)/5 changed to (1, 3, 1)/5",
        Exactly(str(moved), f"|P - P~| by {kind} sums"),
        "<=",
        _PATH,
        {"pi_2 = 1/800001": stationary_law(_BEFORE)[1] == _SECOND, **admissible(RARE)},
    )


def lemma_5(
    chain: list[list[str]], first: list[str], kind: str, sign: str, holds: bool
) -> Instance:
    """Return Lemma 5 at a chain whose first row is replaced."""
    moved = [first, *chain[1:]]
    return Instance(
        f"{kind} sums, Z with the sign {sign}, first row changed to ({', '.join(first)})",
        At("markov.stationary_distance", {"P": chain, "Q": moved}, times="2"),
        "<=",
        At("markov.benvenuti2025.lemma_5", {"P": chain, "Q": moved, "norm": kind, "sign": sign}),
        {} if holds else {"no entry is 0": "0" not in [x for row in [*chain, first] for x in row]},
    )


ALIKE, ALIKE_MOVED = [["0.98", "0.01", "0.01"]] * 3, ["0.981", "0.01", "0.009"]
_STICKY = ["0.9895", "0.01", "0.0005"]
STICKY, STICKY_MOVED = (
    [_STICKY, ["0.1", "0.8995", "0.0005"], _STICKY],
    ["0.9885", "0.011", "0.0005"],
)


def trap_refutes(kind: str, sign: str, cells: int) -> Instance:
    """Return Theorem 4 in the trap: a lower bound of the mean is at most what is claimed."""
    return Instance(
        f"(4) in the trap: {kind} sums, sign {sign}, n = {cells} in L",
        FLOOR,
        "<=",
        claimed(kind, sign, cells),
        hypotheses(),
    )


ROWS = Proof(
    "markov-printed.md#lemma-5-holds-with-row-sums",
    "pi~ - pi = pi~ E Z, and the rows of E sum to 0",
    (Formula("(1): pairs of chains, both signs of Z", tried_on.law_moves_by_rows),),
)
WEIGHTED = Proof(
    "markov-printed.md#weighted-deviations-are-bounded",
    "Pinsker's inequality for each row, and Jensen's",
    (
        Formula(
            "(3): drawn counts and k",
            at_precision(partial(tried, tried_on.weighted_deviations_are_below, 72)),
        ),
    ),
)
COLUMNS = Proof(
    "markov-coefficient.md#change-by-columns",
    "tau is the largest z.P_j over balanced z with entries in [-1, 1]",
    (Formula("(1): pairs of chains", tried_on.coefficient_moves_by_columns),),
)
FIRST_ORDER = Proof(
    "markov-printed.md#theorem-4-holds-to-first-order",
    "the first-order part of the mean is at most the claim with row sums",
    (
        Formula(
            "drawn counts and k",
            at_precision(partial(tried, tried_on.weighted_deviations_are_below, 73)),
        ),
    ),
    decides=False,
)
RATE = (
    Proof(
        "markov-printed.md#divergence-falls-like-one-over-k",
        "k L_i tends to (n-1)/2 from above, so that (2 L)^(1/2) is of order k^(-1/2)",
        (
            Formula(
                "(5): drawn shares and k", at_precision(tried_on.divergence_is_of_order_one_over_k)
            ),
        ),
    ),
    Proof(
        "markov-printed.md#error-falls-like-a-root",
        "the mean distance of the laws lies between two constants times k^(-1/2)",
        (
            Formula("(6): drawn shares and k", at_precision(tried_on.deviation_is_of_order_a_root)),
            Formula("(7): pairs of chains", tried_on.law_moves_at_least_so_much),
        ),
    ),
)
CYCLE = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
POSITIVE_HALVES = [["0.97", "0.01", "0.01", "0.01"]] * 2 + [["0.01", "0.97", "0.01", "0.01"]] * 2
