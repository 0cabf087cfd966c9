"""Section III-C and Theorem 1: the log-ratio of two rows, and the privacy of all rows together."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import log_beta, log_gamma
from ....reference.dirichlet import matrix
from ....reference.dirichlet.good_set import good_set_epsilon
from ....reference.dirichlet.tail import Miss, probability
from ..benvenuti2025.composition import BLOCKS
from ..benvenuti2025.deviation import whole_beta
from ..benvenuti2025.privacy import bad_sets_unite
from ..evidence import Formula, Instance, Proof
from ..gohari2020.inputs import Where, loss
from ..gohari2020.privacy import (
    CONVENTIONAL,
    GOOD_SET,
    LARGEST_LOSS,
    corner_is_largest,
    densities_ratio_is_the_formula,
)
from ..statement import Reading, Statement
from ..values import At, Exactly, Named, Value, as_ball, at_precision, draws
from .inputs import (
    ANY_K,
    ASIDE,
    ASSUMPTIONS,
    HALF,
    LEANING,
    LEANING_OVER,
    MIDDLE,
    OTHER_SIDE,
    THREE,
    THREE_ABOVE,
    TOO_LONG,
    TRAFFIC,
    TRAFFIC_ABOVE,
    WHOLE,
    Rows,
    extreme_rows,
    probability_one,
)

# Formulas of the notes on privacy, tried at exact points.

_TRIALS = 25
_FIRST_STEPS = (Fraction(1, 2), Fraction(3), Fraction(7))


def _below(first: Fraction, second: Fraction, point: arb) -> arb:
    return point.beta_lower(ball(first), ball(second), regularized=1)


def beta_is_a_ratio_of_gammas() -> bool:
    """Whether B(a, b) = (a-1)! (b-1)!/(a+b-1)! for whole numbers, by integrals of polynomials."""
    for a, b in product(range(1, 7), repeat=2):
        integral = sum((Fraction((-1) ** j * comb(b - 1, j), a + j) for j in range(b)), Fraction(0))
        if integral != whole_beta(a, b):
            return False
    return True


def gamma_recurs() -> bool:
    """Whether log Gamma(k+1) = log k + log Gamma(k), at drawn k."""
    for random in draws(1, _TRIALS):
        k = Fraction(random.randint(1, 999), random.choice((7, 1000)))
        if not log_gamma(k + 1).overlaps(ball(k).log() + log_gamma(k)):
            return False
    return True


def strictly_below() -> bool:
    """Whether P(S) - c Q(S) < P(S) where Q(S) > 0, for the S of a hockey-stick of finite laws."""
    for random in draws(2, _TRIALS):
        rows = [[random.randint(1, 9) for _ in range(5)] for _ in range(2)]
        p, q = ([Fraction(x, sum(row)) for x in row] for row in rows)
        factor = Fraction(random.randint(4, 9), 4)
        loud = [at for at in range(5) if p[at] > factor * q[at]]
        needed = sum((p[at] - factor * q[at] for at in loud), Fraction(0))
        if loud and not needed < sum(p[at] for at in loud):
            return False
    return True


def _one_row(z: arb) -> arb:
    """Return the exact delta of one row of THREE at epsilon = log z."""
    return 1 / (1 + z)


def _two_rows(z: arb) -> arb:
    """Return the exact delta of two rows of THREE at epsilon = log z."""
    return (2 * z**2 * z.log() - 3 * z**2 + 4 * z - 1) / (z - 1) ** 3


def _composition_is_the_closed_form() -> bool:
    """Whether the composition's delta of one and two rows is the closed form, at three epsilons."""
    k, eta, b = (Fraction(x) for x in (THREE.k, THREE.eta, THREE.b))
    for epsilon, (rows, form) in product(_FIRST_STEPS, ((1, _one_row), (2, _two_rows))):
        found = matrix.delta(k, eta, b, rows, epsilon).value
        if not as_ball(found).overlaps(form(ball(epsilon).exp())):
            return False
    return True


def two_need_more_than_one() -> bool:
    """Whether two changed rows of THREE need more than one, at drawn epsilons."""
    for random in draws(7, _TRIALS):
        z = ball(Fraction(random.randint(11, 20000), 10))
        if not bool(_one_row(z) < _two_rows(z)):
            return False
    return True


def rows_never_pass_floor_and_step() -> bool:
    """Whether drawn adjacent rows have parameters of at least k eta and steps of at most k T."""
    for random in draws(3, _TRIALS):
        w = random.randint(2, 5)
        eta, b = Fraction(random.randint(1, 9), 10 * w), Fraction(random.randint(1, 10), 10)
        bar = (1 - w * eta) * Fraction(random.randint(1, 9), 10)
        weights = [Fraction(random.randint(0, 9)) for _ in range(w + 1)]
        room = (1 - bar - w * eta) / (sum(weights) or 1)
        row = [eta + room * weight for weight in weights[:w]]
        i, j = random.sample(range(w), 2)
        step = min(b / 2, row[j] - eta)
        other = [x + step * ((at == i) - (at == j)) for at, x in enumerate(row)]
        largest = min(b / 2, 1 - bar - w * eta)
        if min(*row, *other) < eta or sum(other) > 1 - bar or step > largest:
            return False
    return True


def _extreme_rows_attain() -> bool:
    """Whether (eta, eta + T, eta, ...) and the exchanged row are admissible and at distance 2T."""
    for random in draws(4, _TRIALS):
        w = random.randint(2, 5)
        eta, b = Fraction(random.randint(1, 9), 10 * w), Fraction(random.randint(1, 10), 10)
        bar = (1 - w * eta) * Fraction(random.randint(1, 9), 10)
        step = min(b / 2, 1 - bar - w * eta)
        row, other = [eta, eta + step], [eta + step, eta]
        distance = sum(abs(x - y) for x, y in zip(row, other, strict=True))
        if sum(row) + (w - 2) * eta > 1 - bar or not distance == 2 * step <= b:
            return False
    return True


def _printed_delta_covers_every_row() -> bool:
    """Whether one changed row of any width needs at most the delta of any other row.

    Epsilon is printed, with the largest R of two rows; b/2 fits as the law asks.
    """
    for random in draws(5, _TRIALS):
        widths = [random.randint(2, 4) for _ in range(2)]
        eta = Fraction(random.randint(1, 45), 50 * max(widths))
        bar = (1 - max(widths) * eta) * Fraction(random.randint(1, 9), 10)
        fits = min(Fraction(1, 2), 1 - bar - 2 * eta, 1 - max(widths) * eta)
        t = fits * Fraction(random.randint(1, 99), 100)
        k = Fraction(random.randint(1, 400), random.choice((2, 20, 200)))
        gammas = [Fraction(random.randint(1, 99), 100 * w) for w in widths]
        rows = list(zip(widths, gammas, strict=True))
        w, gamma = max(rows, key=lambda row: 1 / row[1] - row[0])
        epsilon = good_set_epsilon(k, eta, bar, t, w, gamma)
        misses = [probability(Miss.of([k * eta] * m, k - m * k * eta, g)) for m, g in rows]
        for m, _ in rows:
            stick = _hockey_stick(k * eta, k * min(t, 1 - bar - m * eta), epsilon)
            if not all(bool(stick < miss) for miss in misses):
                return False
    return True


def _largest_row_decides() -> bool:
    """Whether no step up to b/2 in a row with a smaller R has a larger loss than is printed.

    That is asked where the whole step is the worst in the row with the largest R.
    """
    for random in draws(9, _TRIALS):
        eta, bar = Fraction(random.randint(1, 9), 40), Fraction(random.randint(1, 9), 40)
        t = (1 - bar - 2 * eta) * Fraction(random.randint(1, 99), 100)
        k = Fraction(random.randint(1, 900), 10)
        small, large = sorted(Fraction(x, 100) for x in random.sample(range(1, 50), 2))
        far, near = (ball(k * x).digamma() for x in (1 - bar - eta - t, eta + t))
        if not bool(far + ball((1 - small) / small).log() > near):
            continue
        printed = good_set_epsilon(k, eta, bar, t, 2, small)
        steps = [t * Fraction(share, 8) for share in range(1, 9)]
        losses = [good_set_epsilon(k, eta, bar, step, 2, large) for step in steps]
        if not all(bool(loss < printed) for loss in losses):
            return False
    return True


def _epsilon_is_as_displayed() -> bool:
    """Whether the printed epsilon is that of the quantities, at drawn numbers."""
    for random in draws(8, _TRIALS):
        eta, bar = Fraction(random.randint(1, 9), 40), Fraction(random.randint(1, 9), 40)
        t = (1 - bar - 2 * eta) * Fraction(random.randint(1, 99), 100)
        k, gamma = Fraction(random.randint(1, 900), 10), Fraction(random.randint(1, 32), 100)
        far, ratio = 1 - bar - eta, (1 - 2 * gamma) / gamma
        betas = log_beta(k * eta, k * far) - log_beta(k * (eta + t), k * (far - t))
        displayed = betas + ball(k * t) * ball(ratio).log()
        if not displayed.overlaps(good_set_epsilon(k, eta, bar, t, 3, gamma)):
            return False
    return True


def _hockey_stick(alpha: Fraction, step: Fraction, epsilon: arb) -> arb:
    """Enclose the exact delta of the dominating pair at epsilon."""
    point = 1 / (1 + (epsilon / ball(step)).exp())
    whole = _below(alpha, alpha + step, point)
    return whole - epsilon.exp() * _below(alpha + step, alpha, point)


def misses_rise() -> bool:
    """Whether the worst miss rises with |W| and with gamma, so that the largest is 1 - min."""
    for random in draws(10, _TRIALS):
        w = random.randint(1, 4)
        eta, k = Fraction(random.randint(1, 19), 20 * (w + 1)), Fraction(random.randint(1, 400), 10)
        gammas = sorted(Fraction(x, 100 * (w + 1)) for x in random.sample(range(1, 100), 2))
        wide, low, high = (
            probability(Miss.of([k * eta] * size, k - size * k * eta, gamma))
            for size, gamma in ((w + 1, gammas[0]), (w, gammas[0]), (w, gammas[1]))
        )
        if not (0 < low < wide and low < high):
            return False
    return True


def second_term_is_smaller() -> bool:
    """Whether 1/(1 - eta - eta_bar) < 2 < 1/eta on a grid of Assumption 1."""
    grid = [Fraction(at, 40) for at in range(1, 20)]
    return all(
        1 / (1 - eta - bar) < 1 / HALF < 1 / eta
        for eta, bar in product(grid, grid)
        if eta + bar < HALF
    )


def ranges_of_entries() -> bool:
    """Whether (32) and (33) hold at the vertices of the bordered simplex, w from 2 to 5."""
    for w in range(2, 6):
        eta = Fraction(1, 2 * w)
        bar = (1 - w * eta) / 3
        top = 1 - bar - (w - 1) * eta
        for at in range(w):
            row = [top if j == at else eta for j in range(w)]
            if sum(row) != 1 - bar or not all(eta <= x <= top for x in row):
                return False
    return True


def good_set_needs_gamma() -> bool:
    """Whether the good set has probability 0 at gamma = 1/w and more than 0 below."""
    for random in draws(6, _TRIALS):
        w = random.randint(2, 4)
        alpha = [Fraction(random.randint(1, 50), 10) for _ in range(w)]
        below = Fraction(random.randint(1, 99), 100 * w)
        if not bool(probability(Miss.of(alpha, Fraction(2), below)) < 1):
            return False
    return True


# Formulas of the notes on the log-ratio, tried at exact points.

_RATIO_TRIALS = 40


def _ratios_are_below() -> bool:
    """Whether x_l/x_m <= R for drawn good outputs, attained where all else is gamma."""
    for random in draws(21, _RATIO_TRIALS):
        w = random.randint(2, 5)
        gamma = Fraction(random.randint(1, 99), 100 * w)
        ratio = (1 - (w - 1) * gamma) / gamma
        shares = [Fraction(random.randint(0, 9)) for _ in range(w + 1)]
        free = (1 - w * gamma) / (sum(shares) or 1)
        x = [gamma + free * share for share in shares[:w]]
        if max(x) / min(x) > ratio or (gamma + 1 - w * gamma) / gamma != ratio:
            return False
    return True


_NOTE = "fallin2023/theorem-1.md"
_PLACE = f"{_NOTE}#"
_FITS = "b/2 <= 1 - eta_bar - 2 eta"
_FITS_IN_ALL = "b/2 + |W_i| eta <= 1 for every row"
_ONE_ROW = "adjacent matrices differ in one row"
_WHOLE_STEP = "psi(k (1 - eta_bar - eta - b/2)) + log max R_i >= psi(k (eta + b/2))"


def _above(at: Rows, value: Value, epsilon: str, of: str) -> Where:
    """Return the delta needed at an epsilon that is above the printed one."""
    of = f"{of} at {epsilon}, above the printed epsilon"
    return Where(of, value, ((at.epsilon(), Exactly(epsilon)),))


def _needs_more(says: str, at: Rows, changed: int, epsilon: str) -> Instance:
    """Return Theorem 1 where so many rows change, of which (p, q) or the extreme rows are one."""
    return Instance(
        says,
        _above(at, at.needed(changed, epsilon), epsilon, f"exact delta of {changed} changed rows"),
        "<=",
        at.delta(),
        {**at.assumptions(), **at.step_fits(), **extreme_rows(at)},
    )


THREE_ROWS = _needs_more(
    "(1) k = 4, eta = 1/4, eta_bar = 1/5, b = 1/2, gamma = 1/1000, n = 3, all three rows change",
    THREE,
    3,
    THREE_ABOVE,
)
TWO_OF_THREE = _needs_more("(1) two of these three rows change", THREE, 2, THREE_ABOVE)
ALL_32_ROWS = _needs_more(
    "(2) Section V with k = 10 and |W| = 2, all 32 rows change", TRAFFIC, 32, TRAFFIC_ABOVE
)
STEP_TOO_LONG = Instance(
    "(3) one row, (1/2, 1/4, 1/4) against (1/4, 1/2, 1/4), k = 4, eta_bar = 249/1000, b = 1, "
    "gamma = 1/50",
    _above(
        TOO_LONG,
        At("dirichlet.profile.delta", {"alpha": 1, "step": 1, "epsilon": "1.6"}),
        "1.6",
        "exact delta of one row",
    ),
    "<=",
    TOO_LONG.delta(),
    {**TOO_LONG.assumptions(), **TOO_LONG.row().adjacent("q", LEANING, LEANING_OVER)},
)
LOSS_AT_EQUAL = loss(
    "loss from (2/5, 2/5, 1/5) to (1/5, 3/5, 1/5) at x_1 = x_2, k = 5",
    WHOLE.k,
    MIDDLE[:2],
    ASIDE[:2],
)
EVERY_OUTPUT = Instance(
    "(4) one row p = (2/5, 2/5, 1/5), k = 5, gamma = 9/20: its smallest exceptional set at the "
    "printed epsilon is at most as probable as the printed delta",
    probability_one(LOSS_AT_EQUAL, WHOLE.epsilon()),
    "<=",
    WHOLE.delta(),
    {
        **WHOLE.assumptions(),
        **WHOLE.step_fits(),
        **WHOLE.row().adjacent("q", MIDDLE, ASIDE),
        **WHOLE.row().adjacent("q'", MIDDLE, OTHER_SIDE),
        "the two neighbours are each other's exchange": ASIDE[:2] == OTHER_SIDE[1::-1],
        "p_1 = p_2": MIDDLE[0] == MIDDLE[1],
    },
)
_ONE_ROW_HOLDS = Proof(
    _PLACE + "one-changed-row",
    "one changed row needs at most any row's delta_i at the largest epsilon_i",
    (
        Formula("(9): drawn numbers, |W| = 3", at_precision(_epsilon_is_as_displayed)),
        Formula(
            "(5): exact deltas against misses, two rows",
            at_precision(_printed_delta_covers_every_row),
        ),
    ),
)
DELTAS = tuple(
    At("dirichlet.matrix.delta_bound", {"k": "10", "eta": "0.1", "rows": rows})
    for rows in ([[2, "0.001"]], [[2, "0.001"], [5, "0.001"]])
)

_THEOREM_1_STATEMENTS = (
    Statement(
        "fallin2023.theorem-1",
        "theorem",
        "III-C Theorem 1",
        "The matrix is conventionally (epsilon, delta)-private, with one row's numbers.",
        _NOTE,
        (THREE_ROWS, ALL_32_ROWS),
        (*ASSUMPTIONS, "adjacent matrices may differ in every row, by Definition 4"),
        readings=(
            Reading(f"{_ONE_ROW}, {_FITS}, and {_FITS_IN_ALL}", (BLOCKS, _ONE_ROW_HOLDS)),
            Reading(
                "one row alone, delta its own, and any b of Assumptions 1 to 3", (STEP_TOO_LONG,)
            ),
        ),
        of_proof=(EVERY_OUTPUT, TWO_OF_THREE),
        garbled="delta is printed with a maximum where the proof has a minimum; both are decided.",
    ),
    Statement(
        "fallin2023.theorem-1-one-row",
        "repair",
        "ours, for Theorem 1",
        "Theorem 1 as printed, of matrices that differ in one row, where a step of b/2 fits.",
        _NOTE,
        (BLOCKS, _ONE_ROW_HOLDS),
        (ANY_K,),
        repairs="fallin2023.theorem-1",
        adds=(_ONE_ROW, _FITS, _FITS_IN_ALL),
    ),
    Statement(
        "fallin2023.theorem-1-all-rows",
        "repair",
        "ours, for Theorem 1",
        "Of all rows the exact delta is that of n releases together, and it is attained.",
        _NOTE,
        (
            Proof(
                "matrix.md#never-passes-floor-and-step",
                "no row has a lower floor than k eta or a longer step",
                (Formula("drawn adjacent rows", rows_never_pass_floor_and_step),),
            ),
            Proof(
                "matrix.md#rows-attain",
                "two matrices have that floor and that step in every row",
                (
                    Formula("extreme rows", _extreme_rows_attain),
                    Formula(
                        "(6): one and two of three rows in closed form",
                        at_precision(_composition_is_the_closed_form),
                    ),
                ),
            ),
        ),
        (ANY_K,),
        repairs="fallin2023.theorem-1",
    ),
    Statement(
        "fallin2023.theorem-1-probabilistic",
        "repair",
        "ours, for Theorem 1",
        "All rows together are probabilistically (n epsilon, 1 - prod (1-delta_i))-private.",
        _NOTE,
        (
            LARGEST_LOSS,
            Proof(
                "matrix.md#largest-row-decides",
                "the largest epsilon_i bounds the loss in every row",
                (Formula("(7): drawn pairs of rows", at_precision(_largest_row_decides)),),
            ),
            GOOD_SET,
            Proof(
                "benvenuti2025/composition.md#bad-sets-unite",
                "losses of independent rows add, and the bad sets unite",
                (Formula("(7): outcomes of up to four blocks, listed", bad_sets_unite),),
            ),
        ),
        (ANY_K, _WHOLE_STEP),
        repairs="fallin2023.theorem-1",
        adds=("n epsilon and 1 - prod (1-delta_i) for epsilon and delta", _WHOLE_STEP),
    ),
    Statement(
        "fallin2023.theorem-1-delta",
        "equation",
        "III-C, Theorem 1's delta and the last line of its proof",
        "1 - max_i min P(good set of row i) is the largest delta_i of (7).",
        _NOTE,
        (
            Instance(
                "(8) rows with |W| = 2 and 5, k = 10, eta = 0.1, gamma = 0.001: the smallest "
                "delta_i is the largest",
                DELTAS[0],
                "=",
                DELTAS[1],
            ),
        ),
        ASSUMPTIONS,
        garbled="A maximum for a minimum in the statement; where all rows are alike they agree.",
    ),
    Statement(
        "fallin2023.theorem-1-delta-repaired",
        "repair",
        "ours, for Theorem 1's delta",
        "The largest delta_i is 1 - min_i min P(good set of row i).",
        _NOTE,
        (
            GOOD_SET,
            Proof(
                "matrix.md#miss-rises-with-w-and-gamma",
                "1 - min of survivals is the largest miss, which rises with |W| and gamma",
                (Formula("drawn |W| and gamma", at_precision(misses_rise)),),
            ),
        ),
        ASSUMPTIONS,
        repairs="fallin2023.theorem-1-delta",
    ),
    Statement(
        "fallin2023.theorem-1-row",
        "equation",
        "III-C, last paragraph of the proof",
        "One row is (epsilon_i, delta_i)-private in the probabilistic and the conventional sense.",
        _NOTE,
        (STEP_TOO_LONG, EVERY_OUTPUT),
        ASSUMPTIONS,
    ),
    Statement(
        "fallin2023.theorem-1-row-conventional",
        "repair",
        "ours, for the privacy of one row",
        "One row is (epsilon_i, delta_i)-private in the conventional sense where b/2 fits.",
        _NOTE,
        (CONVENTIONAL,),
        (ANY_K,),
        repairs="fallin2023.theorem-1-row",
        adds=(_FITS, "the conventional sense"),
    ),
    Statement(
        "fallin2023.theorem-1-row-probabilistic",
        "repair",
        "ours, for the privacy of one row",
        "One row is probabilistically so where the whole step is the worst.",
        _NOTE,
        (LARGEST_LOSS, GOOD_SET),
        (ANY_K,),
        repairs="fallin2023.theorem-1-row",
        adds=(_WHOLE_STEP, "for example 2 eta + b + eta_bar <= 1"),
    ),
)


_LOG_RATIO_NOTE = "fallin2023/log-ratio.md"
_GOOD = ("9/20", "9/20", "1/10")

_POWER = Named(
    "(k b/2) log R at k = 5, b = 4/5, gamma = 9/20, the Betas being equal", WHOLE.epsilon()
)
_PASSED = Instance(
    "(1) rows (2/5, 2/5, 1/5) and (1/5, 3/5, 1/5), good output (9/20, 9/20, 1/10), k = 5: the "
    "log-ratio is at most the printed epsilon",
    LOSS_AT_EQUAL,
    "<=",
    WHOLE.epsilon(),
    {
        **WHOLE.assumptions(),
        **WHOLE.step_fits(),
        **WHOLE.row().adjacent("q", MIDDLE, ASIDE),
        "the output is good": sum(map(Fraction, _GOOD)) == 1
        and min(map(Fraction, _GOOD[:2])) >= Fraction(WHOLE.gamma),
        "x_1 = x_2": _GOOD[0] == _GOOD[1],
    },
)
_CORNER = loss("(14) at k = 5, eta = eta_bar = 1/5, b = 4/5", "5", ("3/5", "1/5"), ("1/5", "3/5"))
CORNERS = Instance(
    "(3) P_l = 2/5, Q_l = 1/5, c = 4/5, k = 5: log G is at most (14)",
    LOSS_AT_EQUAL,
    "<=",
    _CORNER,
    {
        **WHOLE.assumptions(),
        **WHOLE.step_fits(),
        "feasible: P_l, Q_l in [eta, 1 - eta_bar - eta], c = 1 - eta_bar": (
            Fraction("1/5") <= min(map(Fraction, MIDDLE[:2] + ASIDE[:2]))
            and max(map(Fraction, MIDDLE[:2] + ASIDE[:2])) <= Fraction("3/5")
        ),
    },
)
SECOND_CORNER = Instance(
    "(4) k = 4, eta = 1/4, eta_bar = 1/5, b = 1/2: the second point of (13) as printed, where "
    "P = Q, has the objective of the first",
    Exactly("0", "log G where P = Q"),
    "=",
    loss("log G at (eta + b/2, eta)", "4", ("1/2", "3/10"), ("1/4", "11/20")),
    THREE.assumptions(),
)

_LOG_RATIO_STATEMENTS = (
    Statement(
        "fallin2023.equation-8",
        "equation",
        "III-C (8)",
        "The log-ratio of two adjacent rows is that of four Gammas and of x_l/x_m to a power.",
        _LOG_RATIO_NOTE,
        (
            Proof(
                "dominating-pair.md#ratio-is-sufficient",
                "all other factors cancel",
                (
                    Formula(
                        "(2): the ratio of the whole densities",
                        at_precision(densities_ratio_is_the_formula),
                    ),
                ),
            ),
        ),
        ("rows that differ in l and m", "k > 0"),
    ),
    Statement(
        "fallin2023.equation-9",
        "equation",
        "III-C (9) and the line after (14)",
        "On the good set the log-ratio of two adjacent rows is at most the printed epsilon_i.",
        _LOG_RATIO_NOTE,
        (_PASSED,),
        ASSUMPTIONS,
        of_proof=(CORNERS,),
    ),
    Statement(
        "fallin2023.equation-9-repaired",
        "repair",
        "ours, for (9)",
        "It is where the whole step is the worst.",
        _LOG_RATIO_NOTE,
        (LARGEST_LOSS,),
        (ANY_K,),
        repairs="fallin2023.equation-9",
        adds=(_WHOLE_STEP, "for example 2 eta + b + eta_bar <= 1"),
    ),
    Statement(
        "fallin2023.equation-12",
        "equation",
        "III-C (10), (12)",
        "(x_l/x_m)^(k (P_l - Q_l)) is at most (k b/2) log R on the good set.",
        _LOG_RATIO_NOTE,
        (
            Instance(
                "(5) at x_l = x_m, k = 5: (10), (x_l/x_m)^(k (P_l - Q_l)) = 1, is at most (12)",
                Exactly("1", "1 to any power"),
                "<=",
                _POWER,
                {
                    **WHOLE.assumptions(),
                    "x_l = x_m is good": 2 * Fraction(WHOLE.gamma) <= 1,
                },
            ),
            Instance(
                "before (12), |W| = 2: the entry 9/20 of the good output (9/20, 9/20, 1/10) is at "
                "most (1 - (|W|-1)) gamma",
                Exactly("9/20", "x_l"),
                "<=",
                Exactly("0", "(1 - (2 - 1)) gamma"),
                {"the output is good": Fraction(WHOLE.gamma) <= Fraction(_GOOD[0])},
            ),
        ),
        (ANY_K,),
    ),
    Statement(
        "fallin2023.equation-12-repaired",
        "repair",
        "ours, for (10) and (12)",
        "It is with a logarithm in (10), and x_l <= 1 - (|W|-1) gamma.",
        _LOG_RATIO_NOTE,
        (
            Proof(
                f"{_LOG_RATIO_NOTE}#power-of-the-ratio",
                "|P_l - Q_l| <= b/2, and x_l/x_m lies between 1/R and R",
                (Formula("(5): good outputs, exactly", _ratios_are_below),),
            ),
        ),
        (ANY_K,),
        repairs="fallin2023.equation-12",
    ),
    Statement(
        "fallin2023.equation-14",
        "equation",
        "III-C (11), (13), (14)",
        "The largest log G is at a corner of (13), where it is (14).",
        _LOG_RATIO_NOTE,
        (CORNERS,),
        ASSUMPTIONS,
        readings=(
            Reading("the first two corners, as printed, have equal objectives", (SECOND_CORNER,)),
        ),
        garbled="The second corner lacks the -b/2 that gohari2020 (13) has; read with it.",
    ),
    Statement(
        "fallin2023.equation-14-repaired",
        "repair",
        "ours, for (11) to (14)",
        "(14) is the largest log G where 2 eta + b <= 1 - eta_bar.",
        _LOG_RATIO_NOTE,
        (
            Proof(
                "gohari2020/log-ratio.md#largest-gamma-part",
                "a symmetric convex function falls most from its end over a whole step",
                (
                    Formula(
                        "no feasible pair passes it",
                        at_precision(corner_is_largest),
                    ),
                ),
            ),
        ),
        (ANY_K,),
        repairs="fallin2023.equation-14",
        adds=("2 eta + b <= 1 - eta_bar",),
    ),
)

STATEMENTS = (*_THEOREM_1_STATEMENTS, *_LOG_RATIO_STATEMENTS)
