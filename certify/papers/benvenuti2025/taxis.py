"""The abstract, section 6.2 and appendix E: the taxi trips, whose counts are not printed."""

from __future__ import annotations

from fractions import Fraction

from ....reference.arb.balls import ball
from ....reference.arb.gamma import digamma
from ....reference.dirichlet.good_set import good_set_epsilon
from ..evidence import Formula, Instance, NotDecidable, Proof, Reproduced
from ..statement import Reading, Statement
from ..values import At, Exactly, at_precision, draws
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


# A chain of four states in which the last is left seldom; then the last two in one group.
SPARSE = [[50, 20, 20, 10], [20, 50, 20, 10], [20, 20, 50, 10], [8, 8, 8, 4]]
_APART, _TOGETHER = [1, 2, 3, 4], [1, 2, 3, 3]


def _merged(groups: list[int]) -> At:
    """Return the least epsilon of the small chain with these groups of states."""
    given = {"counts": SPARSE, "groups": groups, "gamma": "1/1000"}
    return At("markov.model.merged_epsilon", given)


STATEMENTS = (
    Statement(
        "benvenuti2025.abstract-privacy",
        "number",
        "1, list of contributions; 7",
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
        garbled="The text at hand has 6 x 10^6 and 3 x 10^6: the exponents' signs are lost.",
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
        "The strongest privacy of the taxi chain is (2.68, 0.0214); it is also (3.73, 3e-6).",
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
        ),
        garbled="The text at hand has 3 x 10^6 and 5 x 10^9: the exponents' signs are lost.",
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
