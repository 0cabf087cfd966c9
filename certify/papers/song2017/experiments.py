"""Sections 5.1 to 5.3: synthetic chains, the group baseline, and the printed tables."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ....reference.enclosure import Enclosure, Trilean
from ....reference.pufferfish.baselines import Gamma, influences
from ....reference.second.directed import Span
from ....reference.structures import STATIONARY, ChainLaw
from ..evidence import Formula, Identity, Instance, NotDecidable, Proof, Relation, Reproduced
from ..statement import Reading, Statement
from ..values import At, Exactly, Named, Worked
from .approx import EXACT_IS_BELOW, SLOW_CHAIN_BY_ALGORITHM_4, influence_bound
from .chains import LENGTH, after, matrix, one_chain, power, reversed_in_time, slow_line, symmetric
from .mixing import RATIOS
from .setting import group_noise_is_enough, one_entry_moves_two_counts
from .slow_chain import SCALE, STATES, STEPS, hypotheses

# Formulas of the note on the synthetic experiment, executed in balls and rationals.

_BITS = 128


def _two_states_are_reversible() -> bool:
    """Pi = (1-p1, 1-p0)/(2-p0-p1) is stationary and satisfies detailed balance."""
    grid = [Fraction(k, 10) for k in range(1, 10)]
    for p0, p1 in product(grid, grid):
        moves = ((p0, 1 - p0), (1 - p1, p1))
        pi = ((1 - p1) / (2 - p0 - p1), (1 - p0) / (2 - p0 - p1))
        if reversed_in_time(moves, pi) != moves or after(pi, moves) != pi:
            return False
    return True


def _larger_classes_need_more() -> bool:
    """W rises as pi_min or g falls; card/(epsilon - e) rises with e and falls with epsilon."""
    with working_precision(_BITS):
        for lag in range(8, 14):
            least = influence_bound(Fraction(1, 5), Fraction(3, 4), lag)
            for pi, gap in (("1/6", "3/4"), ("1/5", "2/3"), ("1/6", "2/3")):
                if not influence_bound(Fraction(pi), Fraction(gap), lag) > least:
                    return False
    scores = [Fraction(3) / (Fraction(epsilon) - e) for epsilon, e in ((2, 1), (2, 0), (3, 0))]
    return scores == sorted(scores, reverse=True)


def _symmetric_line_is_between() -> bool:
    """GK16's condition at T = 100 fails for staying with 0.32 or 0.68, holds for 0.33 or 0.67."""
    found = []
    for stay in ("0.32", "0.68", "0.33", "0.67"):
        own = influences(ChainLaw(STATIONARY, matrix(symmetric(stay))))
        found.append(Gamma(own, 100).norm_below_one())
    return found == [Trilean.FALSE] * 2 + [Trilean.TRUE] * 2


def _corners_have_the_largest_influences() -> bool:
    """Of chains that stay with 0.35 to 0.65 none has larger ratios behind GK16 than the corners."""
    grid = [Fraction(k, 100) for k in range(35, 66, 5)]
    found = {pair: _gk16_ratios(*pair) for pair in product(grid, grid)}
    corners = [found[grid[at], grid[at]] for at in (0, -1)]
    return all(
        one <= max(most)
        for ratios in found.values()
        for one, most in zip(ratios, zip(*corners, strict=True), strict=True)
    )


def _gk16_ratios(p0: Fraction, p1: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """Return e^2 to the influences of an inner node's neighbours, and on the first node."""
    once = ((p0, 1 - p0), (1 - p1, p1))
    twice, pairs = power(once, 2), ((0, 1), (1, 0))
    before = max(
        max(once[x][s] / once[y][s] for s in (0, 1))
        * max(twice[y][s] / twice[x][s] for s in (0, 1))
        for x, y in pairs
    )
    behind = max(
        max(once[s][x] / once[s][y] for s in (0, 1))
        * max(twice[s][y] / twice[s][x] for s in (0, 1))
        for x, y in pairs
    )
    odds = p0 * p1 / ((1 - p0) * (1 - p1))
    return before, behind, max(odds, 1 / odds)


def _corner_ratios_are_below_the_bound() -> bool:
    """Whether log (1+m)/(1-m) < w_t, m = (1-2 alpha)^t, from alpha = 0.1 to 0.4."""
    with working_precision(_BITS):
        for percent, lag in product(range(10, 41, 3), (1, 2, 3, 5, 9, 17, 33, 65)):
            alpha = Fraction(percent, 100)
            m = ball((1 - 2 * alpha) ** lag)
            bound = influence_bound(alpha, 4 * alpha, lag)
            if bound.is_finite() and not ((1 + m) / (1 - m)).log() < bound:
                return False
    return True


_NOTE = "song2017/synthetic.md"


def _exact(alpha: str, epsilon: str) -> At:
    """Return the scale of the class's worst chain, two-state-corner.md#corner-decides."""
    chains = one_chain("any", symmetric(str(1 - Fraction(alpha))))
    given = {"chains": chains, "length": LENGTH, "epsilon": epsilon, "width": LENGTH}
    return At("pufferfish.quilt_scale_exact", given)


def _approx(alpha: str, epsilon: str) -> At:
    given = {"pi_min": alpha, "gap": str(4 * Fraction(alpha)), "length": LENGTH}
    return At("pufferfish.quilt_scale_approx", {**given, "epsilon": epsilon})


def _gk16(alpha: str, epsilon: str) -> At:
    """Return the scale of the class's two worst chains, for every initial law."""
    ends = (alpha, str(1 - Fraction(alpha)))
    chains = [chain for stay in ends for chain in one_chain("any", symmetric(stay))]
    return At("pufferfish.gk16_scale", {"chains": chains, "length": LENGTH, "epsilon": epsilon})


_NESTED = Proof(
    f"{_NOTE}#nested-classes",
    "larger classes have larger suprema, smaller pi_min and g; scores fall with epsilon (1)",
    (Formula("(1)", _larger_classes_need_more),),
)

# One point of either kind for each mechanism.
_COMPARED: tuple[tuple[str, Callable[[str, str], At], str, str, Relation], ...] = (
    ("MQMExact", _exact, "0.35", "1", "<"),
    ("MQMExact", _exact, "0.4", "0.2", ">"),
    ("MQMApprox", _approx, "0.35", "5", "<"),
    ("MQMApprox", _approx, "0.4", "1", ">"),
)

_APPROX_NOTE = "song2017/mqm-approx.md"
_EPSILONS = ("0.2", "1", "5")

_SYNTHETIC_STATEMENTS = (
    Statement(
        id="song2017.remark-exact-below-approx",
        kind="remark",
        where="Sections 5.2, 5.3.1 and 5.4",
        says="In the experiments MQMExact is more accurate than MQMApprox.",
        hypotheses=(
            "of section 5.2, whose classes are given: alpha from 0.1 to 0.4",
            "errors are expected ones: the scale times the Lipschitz constant",
        ),
        note=_APPROX_NOTE,
        evidence=(
            Proof(
                f"{_APPROX_NOTE}#on-the-synthetic-classes",
                "MQMApprox's best quilts are not trivial, and each has a smaller influence (8)",
                (Formula("(8)", _corner_ratios_are_below_the_bound),),
            ),
            *(
                Instance(
                    f"no quilt is trivial: MQMApprox at alpha = 0.1, epsilon = {epsilon} is below "
                    "T/epsilon",
                    _approx("0.1", epsilon),
                    "<",
                    Exactly(str(LENGTH / Fraction(epsilon)), "T/epsilon"),
                    decides=True,
                )
                for epsilon in _EPSILONS
            ),
            *(
                Instance(
                    f"MQMExact against MQMApprox at alpha = {alpha}, epsilon = 1",
                    _exact(alpha, "1"),
                    "<",
                    _approx(alpha, "1"),
                )
                for alpha in ("0.1", "0.4")
            ),
        ),
        readings=(
            Reading(
                "of sections 5.3.1 and 5.4 as well",
                (NotDecidable("the data sets are not part of the paper"),),
            ),
            Reading(
                "of every class of reversible chains, or with eigenvalues counted by multiplicity: "
                "MQMExact's scale is at most MQMApprox's",
                (EXACT_IS_BELOW, RATIOS),
                beyond=True,
            ),
            Reading(
                "of every class, with g by (7)",
                (
                    Instance(
                        "ten states, T = 50, epsilon = 1: MQMExact's scale is at most 36.66",
                        Named(
                            "MQMExact's scale for the slow chain of ten states",
                            At(
                                "pufferfish.quilt_scale_exact",
                                {
                                    "chains": one_chain("stationary", slow_line(STATES)),
                                    "length": STEPS,
                                    "epsilon": 1,
                                    "width": STEPS,
                                },
                            ),
                        ),
                        "<=",
                        Exactly(SCALE),
                        hypotheses(STATES, STEPS),
                    ),
                    SLOW_CHAIN_BY_ALGORITHM_4,
                ),
                beyond=True,
            ),
        ),
    ),
    Statement(
        id="song2017.synthetic-reversible",
        kind="remark",
        where="Section 5.2",
        says="Chains of two states with 0 < p0, p1 < 1 are irreducible, aperiodic and reversible, "
        "and the share of state 1, which decides the histogram, is 1/T-Lipschitz.",
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#two-states",
                "positive transitions, and detailed balance (2); one entry moves one count by 1",
                (
                    Formula("(2)", _two_states_are_reversible),
                    Formula("counts", one_entry_moves_two_counts),
                ),
            ),
        ),
    ),
    Statement(
        id="song2017.synthetic-monotone",
        kind="figure",
        where="Section 5.2, Figure 4; Section 5.4",
        says="The expected errors of GK16, MQMApprox and MQMExact fall as the class shrinks and as "
        "epsilon grows.",
        hypotheses=("errors are expected ones: the scale times the Lipschitz constant",),
        note=_NOTE,
        evidence=(
            _NESTED,
            Instance("MQMExact, 0.35 and 0.4", _exact("0.4", "1"), "<", _exact("0.35", "1")),
            Instance("MQMApprox, 0.35 and 0.4", _approx("0.4", "1"), "<", _approx("0.35", "1")),
            Instance("GK16, 0.35 and 0.4", _gk16("0.4", "1"), "<", _gk16("0.35", "1")),
        ),
    ),
    Statement(
        id="song2017.synthetic-gk16-line",
        kind="figure",
        where="Section 5.2, Figure 4; Section 5.4",
        says="GK16 applies right of one line in alpha only, the same for every epsilon; both quilt "
        "mechanisms apply everywhere.",
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#one-line",
                "the condition has no epsilon and holds for subclasses; the trivial quilt's scale "
                "is T/epsilon; at T = 100 the corner chains pass between 0.32 and 0.33 (3)",
                (Formula("(3)", _symmetric_line_is_between),),
            ),
        ),
    ),
    Statement(
        id="song2017.synthetic-comparison",
        kind="figure",
        where="Sections 5.2 and 5.4, Figure 4",
        says="Where all apply, each quilt mechanism needs less noise than GK16 for some parameters "
        "and more for others.",
        hypotheses=(
            "GK16 as the paper describes it, its scale 2/epsilon times the largest row sum",
        ),
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#corners",
                "the corners of the class decide each of the three scales (4)",
                (Formula("(4)", _corners_have_the_largest_influences),),
            ),
            *(
                Instance(
                    f"{name} against GK16 at alpha = {alpha}, epsilon = {epsilon}",
                    scale(alpha, epsilon),
                    relation,
                    _gk16(alpha, epsilon),
                    decides=True,
                )
                for name, scale, alpha, epsilon, relation in _COMPARED
            ),
        ),
    ),
    Statement(
        id="song2017.synthetic-curves",
        kind="figure",
        where="Figure 4, upper row",
        says="Average errors of 500 random trials.",
        note=_NOTE,
        evidence=(NotDecidable("the values are drawn and not stated, and the trials are random"),),
    ),
    Statement(
        id="song2017.gk16-description",
        kind="remark",
        where="Sections 5.1 and 5.4",
        says="GK16 is private where the spectral norm of its influence matrix is below 1.",
        note=_NOTE,
        evidence=(NotDecidable("it is a theorem of another paper, not stated in this one"),),
    ),
)


_GROUP = "song2017/group-baseline.md"
# Table 3: 20 trials with 51 bins, at epsilon = 0.2, 1, 5.
_VARIABLES = 20 * 51
_GROUP_ERRORS = {"0.2": "516.1555", "1": "102.8868", "5": "19.8712"}
_GROUP_BASELINE_BITS = 256


def _group(epsilon: str) -> At:
    given = {"lipschitz": "1/100", "size": LENGTH, "epsilon": epsilon}
    return At("pufferfish.group_scale", given)


def _tail(total: Fraction) -> Worked:
    """Return the chance that so many standard exponential variables have a larger sum."""

    def first() -> Enclosure:
        with working_precision(_GROUP_BASELINE_BITS):
            return enclosure_of(ball(total).gamma_upper(_VARIABLES, regularized=True))

    def second() -> Enclosure:
        """Sum the Poisson probabilities of fewer than so many events."""
        term, summed = Span.of(1, _GROUP_BASELINE_BITS), Span.of(0, _GROUP_BASELINE_BITS)
        at = Span.of(total, _GROUP_BASELINE_BITS)
        for k in range(_VARIABLES):
            summed += term
            term = term * at / Span.of(k + 1, _GROUP_BASELINE_BITS)
        return (summed / at.exp()).enclosure()

    return Worked(f"P(Gamma({_VARIABLES}) > {total})", first, second)


def _chance(epsilon: str, scale: int) -> Worked:
    """Return the chance of a larger average error than Table 3's, at scale/epsilon a bin."""
    return _tail(20 * Fraction(_GROUP_ERRORS[epsilon]) * Fraction(epsilon) / scale)


_GROUP_BASELINE_STATEMENTS = (
    Statement(
        id="song2017.synthetic-group",
        kind="number",
        where="Section 5.2; caption of Figure 4",
        says="Group privacy has expected errors of the frequency of state 1 of about 5, 1, 0.2 for "
        "epsilon = 0.2, 1, 5.",
        garbled="the caption has epsilon = 0.5 where the text has 0.2",
        note=_GROUP,
        evidence=tuple(
            Reproduced(f"scale 1/epsilon at {epsilon}, the mean of |Lap|", printed, _group(epsilon))
            for epsilon, printed in (("0.2", "5"), ("1", "1"), ("5", "0.2"))
        ),
        readings=(
            Reading("5 is for epsilon = 0.5", (Reproduced("scale at 0.5", "5", _group("0.5")),)),
        ),
    ),
    Statement(
        id="song2017.group-noise",
        kind="algorithm",
        where="Section 5.1 (Lap(1/epsilon) a bin); Section 5.3.1 (Lap(M/(T epsilon)))",
        says="GroupDP, with noise of scale 1/epsilon on each bin of the relative histogram, is "
        "epsilon-private for the whole chain.",
        note=_GROUP,
        evidence=(
            Instance(
                "a chain all in state 1 or all in state 2, epsilon = 1: two bins, each of which "
                "moves by 1, lose at most 1 together",
                At(
                    "pufferfish.laplace_loss",
                    {
                        "mu": {"points": [1], "mass": [1]},
                        "nu": {"points": [0], "mass": [1]},
                        "scale": 1,
                    },
                    times="2",
                ),
                "<=",
                Exactly("1"),
            ),
        ),
        readings=(
            Reading(
                "for one bin alone, as in Section 5.2",
                (
                    Proof(
                        "baselines.md#one-group",
                        "the share of one state moves by at most 1",
                        (Formula("group", group_noise_is_enough),),
                    ),
                ),
            ),
        ),
    ),
    Statement(
        id="song2017.group-noise-repaired",
        kind="repair",
        repairs="song2017.group-noise",
        where="Sections 5.1 and 5.3.1",
        says="With scale 2/epsilon a bin, or 2M/(T epsilon) for pieces of length at most M, it is "
        "private, and no smaller scale is.",
        note=_GROUP,
        evidence=(
            Proof(
                "baselines.md#one-group",
                "all mass moved between two bins changes the 1-norm by 2 (1)",
                (
                    Formula("(1)", one_entry_moves_two_counts),
                    Formula("group", group_noise_is_enough),
                ),
            ),
        ),
    ),
    Statement(
        id="song2017.table-3-group",
        kind="number",
        where="Table 3, GroupDP",
        says="Average 1-norm errors of 516.1555, 102.8868 and 19.8712 over 20 trials with 51 bins.",
        note=_GROUP,
        evidence=(
            NotDecidable(
                "the errors are random: with the text's scale 1/epsilon they are practically "
                "excluded, with 2/epsilon they are ordinary"
            ),
            *(
                Instance(
                    f"chance of a larger average at epsilon = {epsilon} with scale 1/epsilon",
                    _chance(epsilon, 1),
                    "<",
                    Exactly("1e-100"),
                )
                for epsilon in _GROUP_ERRORS
            ),
            *(
                Instance(
                    f"chance of a larger average at epsilon = {epsilon} with scale 2/epsilon",
                    _chance(epsilon, 2),
                    ">",
                    Exactly("0.3"),
                )
                for epsilon in _GROUP_ERRORS
            ),
        ),
    ),
)


_TABLES = "song2017/tables.md"
_EXACT_ERRORS = {"0.2": ("0.1298", "0.25"), "1": ("0.0188", "0.04")}
# Table 2, seconds: MQMApprox and MQMExact on the power data.
_APPROX_SECONDS, _EXACT_SECONDS = "0.0567", "282.2273"
# Table 1: GroupDP, MQMApprox, MQMExact; then DP where it is given.
_TABLE_1 = (
    ("0.0834", "0.0107", "0.0074", "0.2918"),
    ("2.3157", "0.6319", "0.4077"),
    ("0.1138", "0.0156", "0.0098", "0.8746"),
    ("1.7860", "0.2790", "0.1742"),
    ("0.0458", "0.0048", "0.0033", "0.4763"),
    ("1.1492", "0.1967", "0.1316"),
)
_MINUTES_OF_TWO_YEARS = 2 * 365 * 24 * 60


def _errors_are_in_order() -> Trilean:
    rows = [tuple(map(Fraction, row)) for row in _TABLE_1]
    return Trilean.of(all(row[2] < row[1] < min((row[0], *row[3:])) for row in rows))


_TABLES_STATEMENTS = (
    Statement(
        id="song2017.table-3-per-bin",
        kind="number",
        where="Section 5.3.2; Table 3, MQMExact",
        says="The errors 0.1298 and 0.0188 over 51 bins are about 0.25 and 0.04 percent a bin.",
        note=_TABLES,
        evidence=tuple(
            Reproduced(
                f"percent a bin at epsilon = {epsilon}",
                printed,
                Exactly(str(100 * Fraction(error) / 51)),
            )
            for epsilon, (error, printed) in _EXACT_ERRORS.items()
        ),
    ),
    Statement(
        id="song2017.table-2-ratio",
        kind="number",
        where="Section 5.3.2; Table 2, power data",
        says="MQMExact takes at least an order of magnitude longer than MQMApprox, and less than 5 "
        "minutes.",
        note=_TABLES,
        evidence=(
            Instance(
                "ratio of the printed times",
                Exactly(str(Fraction(_EXACT_SECONDS) / Fraction(_APPROX_SECONDS))),
                ">=",
                Exactly("10"),
                decides=True,
            ),
            Instance("printed seconds", Exactly(_EXACT_SECONDS), "<", Exactly("300"), decides=True),
        ),
        readings=(
            Reading(
                "one order of magnitude and not two",
                (
                    Instance(
                        "ratio of the printed times",
                        Exactly(str(Fraction(_EXACT_SECONDS) / Fraction(_APPROX_SECONDS))),
                        "<",
                        Exactly("100"),
                    ),
                ),
                beyond=True,
            ),
        ),
    ),
    Statement(
        id="song2017.table-1",
        kind="number",
        where="Tables 1 and 3, Figure 4 (lower row), Section 5.3",
        says="Errors and times on the activity and power data, and that GK16 does not apply there.",
        note=_TABLES,
        evidence=(
            NotDecidable("the data sets are not part of the paper, and the trials are random"),
            Identity(
                "in each column of Table 1 MQMExact is below MQMApprox, that below GroupDP and DP",
                _errors_are_in_order,
                decides=False,
            ),
        ),
    ),
    Statement(
        id="song2017.data-size",
        kind="number",
        where="Sections 1 and 5.3.2",
        says="One observation a minute for about two years makes about, and over, a million.",
        note=_TABLES,
        evidence=(
            Identity(
                f"2 x 365 x 24 x 60 = {_MINUTES_OF_TWO_YEARS} is more than a million",
                lambda: Trilean.of(_MINUTES_OF_TWO_YEARS > 10**6),
            ),
        ),
    ),
)

STATEMENTS = (*_SYNTHETIC_STATEMENTS, *_GROUP_BASELINE_STATEMENTS, *_TABLES_STATEMENTS)
