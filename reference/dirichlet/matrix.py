"""The matrix mechanism of fallin2023: the rows of a stochastic matrix, each a Dirichlet release.

Row i has w_i protected coordinates W_i, each at least eta, their sum at most 1 - eta_bar. Adjacent
matrices may differ in every row at once, in each by at most b in the 1-norm and in two coordinates
of W_i (Definition 4). Given the matrix the rows of the output are independent.

Rows with zero entries (Section V) are released on their support, which is public: w counts the
protected coordinates among the non-zero ones, at most all but one of them. No formula here knows
how many coordinates a row has, so nothing else changes (proofs_notes/matrix.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, TypeAlias

from flint import arb

from ..arb.balls import ball
from ..domain import (
    A_PROBABILITY,
    ROWS,
    Condition,
    Distance,
    Hypothesis,
    NonNegative,
    Positive,
    Share,
    count_from,
)
from ..enclosure import Trilean
from ..quantity import Routed, Side, Truth, quantity
from ..relations import Complete, GoodSet, Promise, Trend, more
from . import identity
from .composition import Releases
from .composition import routed as composed
from .good_set import (
    WORST_STEP,
    WORST_STEP_NOTE,
    good_set_epsilon,
    large_k,
    lower_level,
    whole_step_is_worst,
)
from .identity import SHORT_STEP, neighbours
from .pair import Neighbours, Pair, why_no_row
from .tail import routed

_NOTE = "proofs_notes/matrix.md"
_THEOREM = "fallin2023 Theorem 1"
_CHANGED = Annotated[int, count_from(1, 50, 1_000)]
_Row: TypeAlias = tuple[int, Fraction]


def _whole_step_is_worst(
    k: Fraction, eta: Fraction, eta_bar: Fraction, b: Fraction, rows: tuple[_Row, ...]
) -> Trilean:
    if not all(gamma > 0 for _, gamma in rows):
        return Trilean.FALSE
    return whole_step_is_worst(k, eta, eta_bar, b / 2, *_widest(rows))


def _widest(rows: tuple[_Row, ...]) -> _Row:
    """Return the row of the largest (1 - (w - 1) gamma)/gamma, which is 1/gamma - (w - 1)."""
    return max(rows, key=lambda row: 1 / row[1] - row[0])


HYPOTHESES: tuple[Hypothesis, ...] = (
    Hypothesis("b <= 1", lambda b: b <= 1, "fallin2023 Definition 4"),
    Hypothesis(
        "eta + eta_bar < 1/2", lambda eta, eta_bar: 2 * (eta + eta_bar) < 1, "its Assumption 1"
    ),
    Hypothesis(
        "w >= 2 in every row",
        lambda rows: all(w >= 2 for w, _ in rows),  # noqa: PLR2004
        "its Assumption 1",
    ),
    Hypothesis(
        "k >= 1/eta and k >= 1/(1 - eta - eta_bar)",
        lambda k, eta, eta_bar: k * eta >= 1 and k * (1 - eta - eta_bar) >= 1,
        "its Assumption 2",
    ),
    Hypothesis(
        "gamma <= 1/w in every row",
        lambda rows: all(w * gamma <= 1 for w, gamma in rows),
        "its Assumption 3",
    ),
    Hypothesis(
        "w eta + eta_bar <= 1 in every row (there is a matrix)",
        lambda eta, eta_bar, rows: all(w * eta + eta_bar <= 1 for w, _ in rows),
        "its Definition 3",
    ),
    Hypothesis(
        "b/2 <= 1 - eta_bar - w eta in every row (a whole step fits)",
        lambda eta, eta_bar, b, rows: all(b / 2 <= 1 - eta_bar - w * eta for w, _ in rows),
        _THEOREM,
    ),
    Hypothesis(
        f"{WORST_STEP}, s = b/2, in the row that gives the maximum",
        _whole_step_is_worst,
        WORST_STEP_NOTE,
    ),
    Hypothesis("at most one row changes", lambda changed_rows: changed_rows <= 1, _NOTE),
)


def _with_room(p: Complete) -> dict[str, Any]:
    """Return a point where a whole step fits into every row."""
    widest = max(w for w, _ in p["rows"])
    room = identity.with_room({**p, "w": widest})
    return {name: room[name] for name in p}


def _seldom_missed(p: Complete) -> dict[str, Any]:
    """Return a point with much smaller levels gamma, and a k that keeps the floor away from 0."""
    rows = tuple((w, lower_level(gamma)) for w, gamma in p["rows"])
    return {**p, "k": large_k(p["k"], p["eta"]), "rows": rows}


_GOOD_SET = GoodSet(
    "dirichlet.matrix.delta_bound",
    Condition(
        "s <= 1 - eta_bar - w eta and 2 (eta + s) <= 1 - eta_bar in every row, s = b/2",
        lambda b, eta, eta_bar, rows: all(
            identity.step_fits(b / 2, eta, eta_bar, w) for w, _ in rows
        ),
        WORST_STEP_NOTE,
    ),
    _with_room,
    _seldom_missed,
)


@quantity(
    "dirichlet.matrix.epsilon_bound",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_THEOREM,
    formula=r"\max_i \left[ \log \frac{B(k \eta, k (1 - \bar\eta - \eta))}{B(k (\eta + "
    r"\frac{b}{2}), k (1 - \bar\eta - \eta - \frac{b}{2}))} + \frac{k b}{2} \log \frac{1 "
    r"- (w_i - 1) \gamma_i}{\gamma_i} \right]",
    conditions=(
        Condition(
            "in every row w >= 2, gamma > 0 and w gamma < 1",
            lambda rows: all(w >= 2 and 0 < w * gamma < 1 for w, gamma in rows),  # noqa: PLR2004
            _THEOREM,
        ),
        Condition(
            "eta + eta_bar + b/2 < 1",
            lambda eta, eta_bar, b: eta + eta_bar + b / 2 < 1,
            _THEOREM,
        ),
    ),
    rises=(more("rows"), Trend("k", where=SHORT_STEP)),
    falls="eta eta_bar",
    promise=Promise("epsilon", neighbours, good_set=_GOOD_SET),
)
def epsilon_bound(k: Positive, eta: Share, eta_bar: Share, b: Distance, rows: ROWS) -> arb:
    """Epsilon that fallin2023 Theorem 1 prints: the largest of all rows'.

    Each row is [w, gamma]. The theorem takes it for all rows together, which is right only if at
    most one row changes (proofs_notes/matrix.md).
    """
    return good_set_epsilon(k, eta, eta_bar, b / 2, *_widest(rows))


@quantity(
    "dirichlet.matrix.delta_bound",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"\max_i \; \max_p \; P\left( \min_{j \in W_i} x_j < \gamma_i \right), \quad x \sim "
    r"\mathrm{Dirichlet}(k p)",
    within=A_PROBABILITY,
    conditions=(
        Condition(
            "w eta <= 1 in every row",
            lambda eta, rows: all(w * eta <= 1 for w, _ in rows),
            "fallin2023 Definition 3",
        ),
    ),
    rises=more("rows"),
    falls="eta",
)
def delta_bound(k: Positive, eta: Share, rows: ROWS) -> Routed:
    """Largest probability over inputs and rows that a row of the output misses its good set.

    max over rows of 1 - min P(good set). fallin2023 Theorem 1 prints 1 - max over rows of
    min P(good set), the smallest of all rows', against its own proof.
    """
    found = [routed(identity.worst_miss(k, eta, *row)) for row in _front(rows)]
    if len(found) == 1:
        return found[0]
    ways = ", ".join(dict.fromkeys(answer.route for answer in found))
    known = [answer.value for answer in found if isinstance(answer.value, Fraction)]
    if 1 in known:
        return Routed(Fraction(1), "known exactly")
    total = arb(0)
    for answer in found:
        value = answer.value
        total = total.max(ball(value) if isinstance(value, Fraction) else value)
    return Routed(total, ways)


def _front(rows: tuple[_Row, ...]) -> list[_Row]:
    """Return the rows that could have the largest miss: no other has w and gamma as large.

    The miss rises with gamma, and with w: more coordinates, each with the same law.
    """
    front: list[_Row] = []
    for w, gamma in sorted(set(rows), reverse=True):
        if not front or gamma > front[-1][1]:
            front.append((w, gamma))
    return front


@quantity(
    "dirichlet.matrix.delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"\sup_A \; P^r(A) - e^{\varepsilon} Q^r(A), \quad P = \mathrm{Beta}(\alpha, \alpha "
    r"+ s), \; Q = \mathrm{Beta}(\alpha + s, \alpha), \; \alpha = k \eta, \; s = \frac{k "
    r"b}{2}",
    within=A_PROBABILITY,
    conditions=(identity.ROOM_FOR_TWO,),
    rises="k b changed_rows",
    falls="eta epsilon",
    vanishes="high epsilon",
    promise=Promise("delta", neighbours),
    slow=True,
)
def delta(
    k: Positive, eta: Share, b: Distance, changed_rows: _CHANGED, epsilon: NonNegative
) -> Routed:
    """Exact delta where so many rows of the matrix change at once, each by a whole step k b/2.

    The composition of ``changed_rows`` equal releases of floor k eta and step k b/2: the largest
    for all matrices with this eta and b, as rows with two protected coordinates have room for it.
    """
    return composed(Releases.of([(k * eta, k * b / 2, changed_rows)]), epsilon)


@dataclass(frozen=True)
class WorstRows:
    """The worst change of a matrix: its release, and a pair of inputs for each changed row.

    ``pairs`` are those of the rows that change most, the largest step first, and ``numbers`` tells
    which rows these are, counted from 1; ``neighbours`` says whether two matrices lose as much as
    all these releases together. Without neighbours ``why`` says what leaves none.
    """

    releases: tuple[tuple[Fraction, Fraction, int], ...]
    neighbours: Neighbours
    pairs: tuple[Pair, ...] = ()
    numbers: tuple[int, ...] = ()
    why: str = ""


def worst_rows(
    k: Fraction,
    eta: Fraction,
    eta_bar: Fraction,
    b: Fraction,
    rows: tuple[_Row, ...],
    changed_rows: int,
) -> WorstRows:
    """Return the releases of the worst adjacent matrices, and the inputs that attain them.

    The rows with the fewest protected coordinates have the most room, so the largest step; rows
    with no two inputs, or one protected coordinate, do not change at all. There are no two
    neighbours exactly where none changes (proofs_notes/vacuous-claims.md, rows-of-a-matrix).
    """
    pairs = [identity.worst_pair(k, eta, eta_bar, b, w) for w, _ in rows]
    for at, pair in enumerate(pairs, 1):
        if pair.neighbours is Neighbours.NO_INPUT:
            return WorstRows((), Neighbours.NO_INPUT, why=f"in row {at} {pair.why}")
    if changed_rows == 0:
        return WorstRows((), Neighbours.NONE, why="changed_rows = 0 allows no change")
    movable = {
        at: pair for at, pair in enumerate(pairs, 1) if pair.neighbours is Neighbours.ATTAINED
    }
    numbers = sorted(movable, key=lambda at: movable[at].step, reverse=True)[:changed_rows]
    if not numbers:
        return WorstRows((), Neighbours.NONE, why=why_no_row([pair.why for pair in pairs]))
    worst = tuple(movable[at] for at in numbers)
    releases = Releases.of((pair.alpha, pair.step, 1) for pair in worst)
    return WorstRows(releases.kinds, Neighbours.ATTAINED, worst, tuple(numbers))
