"""The abstract, section 6.2 and appendix E: the taxi trips, whose counts are not printed."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import digamma, log_gamma
from ....reference.dirichlet.good_set import good_set_epsilon
from ....reference.second.directed import Span
from ..evidence import Formula, Instance, NotDecidable, Proof, Reproduced
from ..gohari2020.inputs import Where
from ..statement import Reading, Statement
from ..values import At, Exactly, Worked, at_precision, by_balls, by_spans, draws, span
from .chains import RATE

_NOTE = "benvenuti2025/taxis.md"
_PLACE = "benvenuti2025/taxis.md#"
_NO_DATA = "the counts of the rows are not printed"
_GAMMA = "1e-8"
# (least count, records, transitions) of a row whose least epsilon is a value of Table 1. Rows of
# other counts have it, too.
ROWS = {
    "45.39": (1, 158973, 63),
    "19.82": (2, 5553, 55),
    "4.690": (8, 4406, 50),
    "3.730": (10, 4684, 40),
    "3.078": (12, 4368, 35),
}


def _least_epsilon(least: int, records: int, cells: int) -> At:
    """Return (6) at k = 3/(2 eta), eta the row's own least share."""
    return At(
        "markov.model.epsilon_bound",
        {
            "k": [str(Fraction(3 * records, 2 * least))],
            "eta": [f"{least}/{records}"],
            "N": [records],
            "n": [cells],
            "gamma": [_GAMMA],
        },
    )


def _epsilon_at(least: int, records: int, cells: int, times: str) -> At:
    """Return (6) at so many times that k."""
    given = dict(_least_epsilon(least, records, cells).parameters)
    k = Fraction(times) * Fraction(3 * records, 2 * least)
    return At("markov.model.epsilon_bound", {**given, "k": [str(k)]})


def _row_delta(least: int, records: int, cells: int) -> At:
    """Return (7) at the same k."""
    return At(
        "markov.model.delta_bound",
        {
            "k": [str(Fraction(3 * records, 2 * least))],
            "eta": [f"{least}/{records}"],
            "n": [cells],
            "gamma": [_GAMMA],
        },
    )


def _epsilon_falls_with_records() -> bool:
    """Whether (6) falls as N grows at one eta and k, where 2 (eta + 1/N) <= 1 - eta."""
    for random in draws(91, 30):
        eta, k = Fraction(random.randint(1, 249), 1000), Fraction(random.randint(1, 999), 10)
        records, n = random.randint(8, 90), 3
        gamma = Fraction(random.randint(1, 99), 300)
        few, many = (
            good_set_epsilon(k, eta, eta, Fraction(1, N), n, gamma) for N in (records, 2 * records)
        )
        if not bool(many < few):
            return False
    return True


def _slope_is_positive() -> bool:
    """Whether psi(k (1-2 eta-t)) + log R > psi(k (eta+t)) for eta < 1/4, t <= 1/8, n gamma < 1."""
    for random in draws(92, 30):
        eta, k = Fraction(random.randint(1, 249), 1000), Fraction(random.randint(1, 999), 10)
        step, gamma = Fraction(1, random.randint(8, 99)), Fraction(random.randint(1, 99), 300)
        log_ratio = ball((1 - 2 * gamma) / gamma).log()
        rise = digamma(ball(k * (1 - 2 * eta - step))) - digamma(ball(k * (eta + step)))
        if not bool(rise + log_ratio > 0):
            return False
    return True


# What the trips and zones of Manhattan leave to a pair that is printed. An epsilon that rounds to
# 2.68, or is cut off or rounded up to it, is below TOP.
_TRIPS, _ZONES, _TOP, _SMALL = 2933898, 63, Fraction("2.69"), Fraction(_GAMMA)
_HALVES = Fraction(3, 2)


def _most_by_balls() -> arb:
    """Enclose n (k gamma)^(3/2)/Gamma(5/2) for the largest k, TOP N/log R."""
    k = ball(_TOP) * _TRIPS / ball(1 / _SMALL - _ZONES + 1).log()
    log = ball(_HALVES) * (k * ball(_SMALL)).log() - log_gamma(_HALVES + 1)
    return _ZONES * log.exp()


def _most_by_spans() -> Span:
    """Enclose the same with Gamma(5/2) = 3/2 1/2 Gamma(1/2)."""
    k = span(_TOP * _TRIPS) / span(1 / _SMALL - _ZONES + 1).log()
    log = span(_HALVES) * (k * span(_SMALL)).log() - span(Fraction(1, 2)).lgamma()
    return span(_ZONES / Fraction(3, 4)) * log.exp()


def _least_by_balls() -> arb:
    """Enclose (1 - k gamma) gamma^s for the largest k and s = TOP/log R."""
    s = ball(_TOP) / ball(1 / _SMALL - _ZONES + 1).log()
    return (1 - s * _TRIPS * ball(_SMALL)) * ball(_SMALL) ** s


def _least_by_spans() -> Span:
    s = span(_TOP) / span(1 / _SMALL - _ZONES + 1).log()
    return (span(1) - s * span(_TRIPS * _SMALL)) * (s * span(_SMALL).log()).exp()


def _missing_is_bounded() -> bool:
    """Whether (6) >= s log R, and the chances of both bounds on (7), at drawn rows."""
    for random in draws(93, 30):
        least = random.randint(1, 40)
        records, n = random.randint(5 * least, 10**6), random.randint(3, 63)
        eta, gamma = Fraction(least, records), _SMALL
        k = _HALVES / eta * Fraction(random.randint(10, 40), 10)
        s, f = k / records, k * eta
        ratio = ball((1 - (n - 1) * gamma) / gamma)
        if not bool(
            good_set_epsilon(k, eta, eta, 1 / Fraction(records), n, gamma) >= ball(s) * ratio.log()
        ):
            return False
        near, few = (ball(gamma).beta_lower(ball(a), ball(k - a), regularized=1) for a in (f, s))
        bound = (ball(f) * ball(k * gamma).log() - log_gamma(f + 1)).exp()
        least_of_few = ball(1 - k * gamma) * ball(gamma) ** ball(s)
        if not (bool(near < bound) and (s >= 1 or bool(few > least_of_few))):
            return False
    return True


_BOUNDED = Proof(
    _PLACE + "what-an-epsilon-leaves",
    "(6) is at least (k/N) log R, so that an epsilon bounds k and k/N, and they bound (7)",
    (Formula("(3), (4): drawn rows", at_precision(_missing_is_bounded)),),
    decides=False,
)
MOST_OF_MANHATTAN = Instance(
    "the smallest delta that 0.0214 can stand for is at most the largest (7) over shares of at "
    "least eta_i where (6) is below 2.69",
    Exactly("0.0213", "a delta below all that are printed as 0.0214"),
    "<=",
    Worked(
        "63 (k gamma)^(3/2)/Gamma(5/2), k = 2.69 N/log R, N = 2933898, gamma = 1e-8",
        by_balls(_most_by_balls),
        by_spans(_most_by_spans),
    ),
)
LEAST_OF_MANHATTAN = Instance(
    "the smallest (7) over all counts where (6) is below 2.69 is at most the largest delta that "
    "0.0214 can stand for",
    Worked(
        "(1 - k gamma) gamma^s, s = k/N = 2.69/log R, N = 2933898, gamma = 1e-8",
        by_balls(_least_by_balls),
        by_spans(_least_by_spans),
    ),
    "<=",
    Exactly("0.0215", "a delta above all that are printed as 0.0214"),
)
_OF_MANHATTAN = (
    "2.68 and 0.0214 are of Manhattan, as appendix E says: at most 63 zones and 2933898 trips, any "
    "eta_i and k_i"
)

# A chain of four states in which the last is left seldom; then the last two in one group.
SPARSE = [[50, 20, 20, 10], [20, 50, 20, 10], [20, 20, 50, 10], [8, 8, 8, 4]]
_APART, _TOGETHER = [1, 2, 3, 4], [1, 2, 3, 3]


def _merged(groups: list[int]) -> At:
    """Return the least epsilon of the small chain with these groups of states."""
    given = {"counts": SPARSE, "groups": groups, "gamma": "1/1000"}
    return At("markov.model.merged_epsilon", given)


# The least counts that a row with (6) in [3.7295, 3.7305] can have, and the least records then. At
# 1.4 times the least k such a row passes what rounds to 5.19; at 1.3 times no row comes near.
OF_40_ZONES = ((8, 46), (9, 372), (10, 4669), (11, 61062), (12, 796245))
AT_14 = tuple(
    Instance(
        f"a row of least count {least} whose (6) rounds to 3.730: at 1.4 k it is at most 5.195",
        Where(
            f"(6) at 1.4 k, c = {least}, N = {records}; with fewer records (6) is below 3.7295",
            _epsilon_at(least, records, min(40, records // least), "1.4"),
            ((_least_epsilon(least, records - 1, 3), Exactly("3.7295")),),
        ),
        "<=",
        Exactly("5.195"),
    )
    for least, records in OF_40_ZONES
)
_NO_13 = Instance(
    "a row of least count 13: with all records (6) is below 3.7295, and so it is of larger ones",
    _least_epsilon(13, _TRIPS, 3),
    "<",
    Exactly("3.7295"),
)


def _a_third_more() -> bool:
    """Whether (6) at 1.3 k is below 1.3 times (6) plus 1/10, for rows of c from 8 on."""
    for random in draws(95, 30):
        c, n = random.randint(8, 40), random.randint(3, 40)
        records = random.randint(4 * c + 1, 10**6)
        eta, step = Fraction(c, records), Fraction(1, records)
        once, more = (
            good_set_epsilon(times * _HALVES / eta, eta, eta, step, n, _SMALL)
            for times in (1, Fraction("1.3"))
        )
        if not bool(more < ball(Fraction("1.3")) * once + ball(Fraction(1, 10))):
            return False
    return True


_GRID = Proof(
    _PLACE + "between-two-points-of-the-grid",
    "rows of (6) up to 3.7305 have less than 5 at 1.3 k, and more than 5.195 where it rounds to "
    "3.730 at 1.4 k",
    (Formula("(7): drawn rows", at_precision(_a_third_more)),),
    decides=False,
)

# With one trip to some place a row of FEWER records has less than 45.385, whatever its zones; with
# two a row of all trips has.
_FEWER, _LOWEST = 158000, "45.385"
WEAKEST_ZONE = Instance(
    "the zone of 45.39 has at most the mean of 2933898 records in 63 zones",
    Where(
        "158000 records, which the zone of 45.39 has more of: with them (6) is below 45.385 where "
        "the least count is 1, and with all the records where it is 2",
        Exactly(str(_FEWER)),
        (
            (_least_epsilon(1, _FEWER, 3), Exactly(_LOWEST)),
            (_least_epsilon(2, _TRIPS, 3), Exactly(_LOWEST)),
        ),
    ),
    "<=",
    Exactly(str(Fraction(_TRIPS, _ZONES)), "2933898/63"),
)


def _rises_with_records() -> bool:
    """Whether (6) at k = 3/(2 eta), eta = c/N, rises with N and falls as c or n grows."""
    for random in draws(94, 30):
        c, n = random.randint(1, 9), random.randint(3, 62)
        records = random.randint(5 * c + 5, 10**5)

        def at(c: int, records: int, n: int) -> arb:
            eta = Fraction(c, records)
            return good_set_epsilon(_HALVES / eta, eta, eta, Fraction(1, records), n, _SMALL)

        here = at(c, records, n)
        others = (at(c, records - 1, n), at(c + 1, records, n), at(c, records, n + 1))
        if not all(bool(other < here) for other in others):
            return False
    return True


_OF_A_ROW = Proof(
    _PLACE + "rows-by-their-least-count",
    "(6) rises with N and falls as the least count or the number of transitions grows",
    (Formula("(5): drawn rows", at_precision(_rises_with_records)),),
    decides=False,
)

STATEMENTS = (
    Statement(
        "benvenuti2025.abstract-privacy",
        "number",
        "Abstract; 1, list of contributions; 7",
        "The taxi chain is (3.73, 6e-6)-private, or (3.73, 3e-6)-private, with errors below 2 %.",
        _NOTE,
        (
            NotDecidable(
                f"{_NO_DATA}; of the two values of delta for one epsilon each can be that of some "
                "row whose epsilon is 3.730"
            ),
            Instance(
                "a row of 4684 records: delta is below 3e-6",
                _row_delta(*ROWS["3.730"]),
                "<",
                Exactly("0.000003"),
            ),
            Instance(
                "a row of 61286 records: delta is above 6e-6",
                _row_delta(11, 61286, 40),
                ">",
                Exactly("0.000006"),
            ),
            Reproduced("that row's epsilon", "3.73", _least_epsilon(11, 61286, 40), decides=False),
        ),
    ),
    Statement(
        "benvenuti2025.figure-2",
        "figure",
        "6.2, Figure 2",
        "The private stationary law is near the true one at 3.73, and approaches it.",
        _NOTE,
        (
            NotDecidable(f"{_NO_DATA}, and near is not quantified"),
            *(
                Proof(proof.note, f"it approaches it: {proof.says}", proof.formulas, decides=False)
                for proof in RATE[1:]
            ),
        ),
    ),
    Statement(
        "benvenuti2025.section-6-2-strongest",
        "number",
        "6.2, (2.68, 0.0214), (3.73, 3e-6), (5.19, 5e-9)",
        "The strongest privacy of the taxi chain is (2.68, 0.0214); it is also (3.73, 3e-6), and "
        "another is (5.19, 5e-9).",
        _NOTE,
        (
            NotDecidable(
                f"{_NO_DATA}, nor how many zones each pair is of; 2.68 is below every epsilon of "
                "Table 1"
            ),
        ),
        readings=(
            Reading(
                "both pairs are of one chain, whose smallest epsilon each is said to have",
                (
                    Instance(
                        "two smallest epsilons of one chain",
                        Exactly("2.68", "the first"),
                        "=",
                        Exactly("3.73", "the second"),
                    ),
                ),
            ),
            Reading(
                f"{_OF_MANHATTAN}, (7) being over shares of at least eta_i",
                (MOST_OF_MANHATTAN, _BOUNDED),
            ),
            Reading(f"{_OF_MANHATTAN}, (7) being over all counts", (LEAST_OF_MANHATTAN, _BOUNDED)),
            Reading(
                "5.19 is of Table 1's chain of 40 zones, with 3.73, at a k of the section's grid",
                (*AT_14, _NO_13, _GRID),
            ),
        ),
    ),
    Statement(
        "benvenuti2025.section-6-2-tv",
        "number",
        "6.2, Figure 3",
        "The mean distance of the stationary laws is 0.017 at epsilon = 3.73.",
        _NOTE,
        (NotDecidable(f"{_NO_DATA}, and the mean 0.017 was sampled"),),
    ),
    Statement(
        "benvenuti2025.table-1",
        "number",
        "E Table 1",
        "The least epsilons of 63 to 30 zones are 45.39, 45.39, 19.82, 4.690, 4.690, 3.730, 3.078 "
        "and 3.078.",
        _NOTE,
        (
            NotDecidable(f"{_NO_DATA}; that the model stays accurate is not quantified"),
            *(
                Reproduced(
                    f"a row with this epsilon, (c, N, n) = {row}",
                    printed,
                    _least_epsilon(*row),
                    decides=False,
                )
                for printed, row in ROWS.items()
            ),
        ),
        ("gamma = 1e-8, k_i = 3/(2 eta_i)",),
        garbled="Each number is doubled in the text at hand.",
    ),
    Statement(
        "benvenuti2025.table-1-merging",
        "remark",
        "E, last paragraph; caption of Table 1",
        "Combining zones makes it possible to attain stronger privacy.",
        _NOTE,
        (
            Instance(
                "(2) a chain of four states: with two of them in one group epsilon is smaller",
                _merged(_TOGETHER),
                "<",
                _merged(_APART),
                decides=True,
            ),
        ),
        ("what is possible is shown by one chain", "the groups are public"),
        readings=(
            Reading(
                "every combination of zones gives every row a smaller epsilon, or the same",
                (
                    Instance(
                        "a row of 1000 records, least count 1, of 62 and then of 61 zones",
                        _least_epsilon(1, 1000, 61),
                        "<=",
                        _least_epsilon(1, 1000, 62),
                        {"61 of 1000 records can be there": 1000 > 61},  # noqa: PLR0133
                    ),
                ),
            ),
            Reading(
                "the more zones are combined, the smaller the epsilon in Table 1",
                (
                    Instance(
                        "of 60 zones epsilon is smaller than of 63",
                        Exactly("45.39", "Table 1, 60 zones"),
                        "<",
                        Exactly("45.39", "Table 1, 63 zones"),
                    ),
                ),
            ),
        ),
    ),
    Statement(
        "benvenuti2025.zones-records",
        "remark",
        "E, last paragraph",
        "The larger taxi zones have much stronger privacy, since epsilon depends on N_i.",
        _NOTE,
        (NotDecidable("the zones' trips are not in the paper"),),
        readings=(
            Reading(
                "of any two zones, eta_i being its own least share and k_i = 3/(2 eta_i), as in "
                "Table 1",
                (
                    Instance(
                        "63 zones, one trip to some place: 158973 records against 1000",
                        _least_epsilon(1, 158973, 63),
                        "<=",
                        _least_epsilon(1, 1000, 63),
                        {"k_i = 3/(2 eta_i)": Fraction(3 * 1000, 2) == 3 / (2 * Fraction(1, 1000))},
                    ),
                ),
            ),
        ),
    ),
    Statement(
        "benvenuti2025.zones-impact",
        "remark",
        "E, last paragraph",
        "The smaller taxi zones weaken the privacy of the whole chain more than their share.",
        _NOTE,
        (NotDecidable("the zones' trips are not in the paper, and out-sized is not quantified"),),
        readings=(
            Reading(
                "of the 63 zones of Table 1 the one of 45.39 has no more records than the zones "
                "have in the mean, eta_i being its own least share, k_i = 3/(2 eta_i)",
                (WEAKEST_ZONE, _OF_A_ROW),
            ),
        ),
    ),
    Statement(
        "benvenuti2025.zones-records-repaired",
        "repair",
        "ours, for appendix E",
        "Of two zones the larger has it where eta and k are one for both.",
        _NOTE,
        (
            Proof(
                _PLACE + "more-records",
                "(6) is a concave function of 1/N that rises up to 1/N",
                (
                    Formula("(1): drawn eta, k, gamma", at_precision(_slope_is_positive)),
                    Formula("twice as many records", at_precision(_epsilon_falls_with_records)),
                ),
            ),
        ),
        ("at least 8 records", "n gamma < 1"),
        repairs="benvenuti2025.zones-records",
        adds=("one eta < 1/4 and one k for both zones",),
    ),
    Statement(
        "benvenuti2025.section-6-2-trips",
        "number",
        "6.2; 7",
        "There were 2933898 taxi trips in Manhattan in January 2025.",
        _NOTE,
        (NotDecidable("the month's records are not in the paper"),),
    ),
)
