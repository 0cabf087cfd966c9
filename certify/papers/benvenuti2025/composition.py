"""Section 4: parts that are released side by side, and the chain of rows."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import log_gamma
from ....reference.enclosure import Trilean
from ....reference.evaluation import answer_at
from ..evidence import Formula, Identity, Instance, Proof
from ..statement import Reading, Statement
from ..values import At, Exactly, Worked, by_balls, draws, in_rationals
from .definitions import least_exceptional, needed_delta
from .privacy import (
    EVERY_OUTPUT,
    OVER_ALL_COUNTS,
    OVER_THE_BORDER,
    OVER_THE_FLOOR,
    THEOREM_1,
    TRIED_ON_ALL_COUNTS,
    WORST_COUNTS,
    bad_sets_unite,
)

_NOTE = "benvenuti2025/composition.md"
_PLACE = "benvenuti2025/composition.md#"
_TRIALS = 40
_TENTH = Fraction(1, 10)

# A row of 260 categories, one of two records and 259 of twenty; the neighbour moves one record
# from the first category to the second. Both read k = 3/(2 eta) off their own least count.
_CELLS, _FEW, _MANY = 260, 2, 20
_RECORDS = _FEW + (_CELLS - 1) * _MANY
_GAMMA = "1e-8"
# The product over the 258 categories of twenty records is compared with this level: it lies
# between the two laws' products. UP and DOWN are the powers of Markov's inequality.
_LEVEL = Fraction(11, 2**2083)
ALIKE, _UP, _DOWN = _CELLS - 2, 1, 12
# e^20 is below (68/25)^20, and 20 above the epsilon of (6).
_CLAIMED, _POWER = Fraction(20), Fraction(68, 25) ** 20


def _least_k(least: int) -> Fraction:
    return Fraction(3 * _RECORDS, 2 * least)


def rising_moment(a: Fraction, k: Fraction, power: int) -> Fraction:
    """Return E of the power of a product of ALIKE coordinates of parameter a, the total k."""
    top = prod((a + i for i in range(power)), start=Fraction(1)) ** ALIKE
    return top / prod((k + i for i in range(ALIKE * power)), start=Fraction(1))


def _falling_moment(a: Fraction, k: Fraction, power: int) -> Fraction:
    """Return E of the power -``power`` of the same product."""
    bottom = prod((a - i for i in range(1, power + 1)), start=Fraction(1)) ** ALIKE
    return prod((k - i for i in range(1, ALIKE * power + 1)), start=Fraction(1)) / bottom


def _shown() -> Fraction:
    """Return a lower bound of P(S) - e^20 Q(S), S that the product is at most LEVEL."""
    first, second = _least_k(_FEW), _least_k(_FEW - 1)
    missed = rising_moment(_MANY * first / _RECORDS, first, _UP) / _LEVEL**_UP
    met = _falling_moment(_MANY * second / _RECORDS, second, _DOWN) * _LEVEL**_DOWN
    return 1 - missed - _POWER * met


def _shown_by_gammas() -> arb:
    """Enclose the same, the moments being quotients of Gammas."""

    def moment(k: Fraction, power: int) -> arb:
        a = _MANY * k / _RECORDS
        parts = log_gamma(a + power) - log_gamma(a)
        return ALIKE * parts + log_gamma(k) - log_gamma(k + ALIKE * power)

    level = ball(_LEVEL).log()
    missed = (moment(_least_k(_FEW), _UP) - _UP * level).exp()
    met = (moment(_least_k(_FEW - 1), -_DOWN) + _DOWN * level).exp()
    return 1 - missed - ball(_POWER) * met


def _row(quantity: str) -> At:
    """Return (6) or (7) for the row, with the eta and k that are read off it."""
    given: dict[str, object] = {
        "k": [str(_least_k(_FEW))],
        "eta": [f"{_FEW}/{_RECORDS}"],
        "n": [_CELLS],
        "gamma": [_GAMMA],
    }
    if quantity == "epsilon_bound":
        given["N"] = [_RECORDS]
    return At(f"markov.model.{quantity}", given)


READ_OFF = (
    Instance(
        "the row's (6) is at most 20",
        _row("epsilon_bound"),
        "<=",
        Exactly("20"),
    ),
    Instance(
        "(2) counts (2, 20, ..., 20) against (1, 21, 20, ..., 20): what an event shows at "
        "epsilon = 20 is at most the row's (7)",
        Worked(
            "1 - E[V]/v - 2.72^20 E'[V^-12] v^12, V the product of 258 coordinates, v = 11/2^2083",
            in_rationals(_shown),
            by_balls(_shown_by_gammas),
        ),
        "<=",
        _row("delta_bound"),
        {
            "the records are as many": _RECORDS == (_FEW - 1) + (_MANY + 1) + ALIKE * _MANY,
            "eta < 1/4": Fraction(_FEW, _RECORDS) < Fraction(1, 4),
            "n gamma < 1": _CELLS * Fraction(_GAMMA) < 1,
        },
    ),
)

_Law = dict[tuple[str, ...], Fraction]


def _shown_bits() -> list[_Law]:
    """Return the laws of two blocks that show their record with probability 1/10."""
    found = []
    for data in product("ab", repeat=2):
        law: _Law = {}
        for shows in product((False, True), repeat=2):
            out = tuple(bit if seen else "-" for bit, seen in zip(data, shows, strict=True))
            law[out] = prod((_TENTH if seen else 1 - _TENTH for seen in shows), start=Fraction(1))
        found.append(law)
    return found


def least_bad_chance() -> Fraction:
    """Return the probability under (a, a) of outputs that some neighbour never gives."""
    own, *neighbours = _shown_bits()[:3]
    loud = [out for out in own if any(law.get(out, Fraction(0)) == 0 for law in neighbours)]
    return sum((own[out] for out in loud), Fraction(0))


_SINGLE = (
    {"a": _TENTH, "b": Fraction(0), "-": 1 - _TENTH},
    {"a": Fraction(0), "b": _TENTH, "-": 1 - _TENTH},
)
_UNION = Instance(
    "(1) two blocks that show their record with probability 1/10, neighbours differ in one block: "
    "the outputs that have to be set apart have probability at most max delta_i",
    Exactly(
        str(least_bad_chance()), "the probability of an output that some neighbour never gives"
    ),
    "<=",
    Exactly("1/10", "delta of each block"),
    {"each block is (epsilon, 1/10)-private": least_exceptional(_SINGLE, Fraction(1)) == _TENTH},
)


def blocks_need_no_more() -> bool:
    """Whether a block that is the same on both sides leaves the conventional delta as it is."""
    for random in draws(41, 60):
        rows = [[random.randint(0, 9) for _ in range(size)] + [1] for size in (3, 3, 4)]
        one, other, same = ([Fraction(w, sum(row)) for w in row] for row in rows)
        factor = Fraction(random.randint(4, 12), 4)
        pair = tuple({str(at): p for at, p in enumerate(law)} for law in (one, other))
        both = tuple(
            {f"{at},{by}": p * q for (at, p), (by, q) in product(enumerate(law), enumerate(same))}
            for law in (one, other)
        )
        if needed_delta(pair, factor) != needed_delta(both, factor):
            return False
    return True


def _rows_maximum() -> Trilean:
    """Whether the largest of the rows' (6) and (7) is the value of the model's quantities."""
    rows = ((Fraction(30), "1/10", 20, 3), (Fraction(60), "1/12", 48, 4))
    for name, singles in (("epsilon_bound", "N"), ("delta_bound", "")):
        given = {
            "k": [str(k) for k, *_ in rows],
            "eta": [eta for _, eta, *_ in rows],
            "n": [n for *_, n in rows],
            "gamma": ["1/100"] * len(rows),
            **({"N": [records for _, _, records, _ in rows]} if singles else {}),
        }
        whole = answer_at(f"markov.model.{name}", given)
        each = [
            answer_at(
                f"dirichlet.counts.{name}",
                {
                    "k": str(k),
                    "eta": eta,
                    "n": n,
                    "gamma": "1/100",
                    **({"N": N} if singles else {}),
                },
            )
            for k, eta, N, n in rows
        ]
        if not (
            whole.upper >= max(one.lower for one in each)
            and whole.lower <= max(one.upper for one in each)
        ):
            return Trilean.FALSE
    return Trilean.TRUE


BLOCKS = Proof(
    "markov-printed.md#disjoint-blocks-compose-in-parallel",
    "the blocks that do not change drop out of P(S) - e^epsilon P'(S)",
    (Formula("40 products of finite laws", blocks_need_no_more),),
)
_PUBLIC = ("independent parts", "neighbours differ in one record of one part", "the N_i are public")

STATEMENTS = (
    Statement(
        "benvenuti2025.lemma-1",
        "lemma",
        "4 Lemma 1",
        "Private parts on disjoint blocks are together (max epsilon_i, max delta_i)-private.",
        _NOTE,
        (BLOCKS,),
        (
            *_PUBLIC,
            "conventional privacy of the whole",
            "max epsilon and max delta, printed without an index, are of the epsilon_i and delta_i",
        ),
        of_proof=(_UNION,),
    ),
    Statement(
        "benvenuti2025.lemma-1-proof",
        "equation",
        "C.4 (81), (88)",
        "The parts together are even probabilistically private with max delta_i.",
        _NOTE,
        (_UNION,),
        _PUBLIC,
    ),
    Statement(
        "benvenuti2025.lemma-1-proof-repaired",
        "repair",
        "ours, for C.4 (88)",
        "Together they are probabilistically private with 1 - prod (1 - delta_i).",
        _NOTE,
        (
            Proof(
                _PLACE + "bad-sets-unite",
                "the complement of the product of the good sets is the union of the bad ones",
                (Formula("(3): outcomes of up to four blocks, listed", bad_sets_unite),),
            ),
        ),
        _PUBLIC,
        repairs="benvenuti2025.lemma-1-proof",
    ),
    Statement(
        "benvenuti2025.remark-event-level",
        "remark",
        "1, on other work",
        "The presence of single events is protected by differential privacy.",
        _NOTE,
        (TRIED_ON_ALL_COUNTS, BLOCKS),
        (
            "as Theorem 3 has it: an event is a record, in whose place another may be",
            *_PUBLIC,
            OVER_ALL_COUNTS,
        ),
        readings=(Reading(OVER_THE_FLOOR, (OVER_THE_BORDER,)),),
    ),
    Statement(
        "benvenuti2025.theorem-3",
        "theorem",
        "4 Theorem 3; C.5",
        "The private matrix is (max epsilon_i, max delta_i)-private by its rows' (6) and (7).",
        _NOTE,
        (TRIED_ON_ALL_COUNTS, BLOCKS),
        (*_PUBLIC, "Assumptions 1 to 4 for each row", OVER_ALL_COUNTS),
        readings=(Reading(OVER_THE_FLOOR, (OVER_THE_BORDER,)),),
        of_proof=(EVERY_OUTPUT,),
    ),
    Statement(
        "benvenuti2025.theorem-3-repaired",
        "repair",
        "ours, for Theorem 3",
        "It is so where all rows' shares, and the neighbours', are at least eta_i.",
        _NOTE,
        (
            THEOREM_1,
            WORST_COUNTS,
            BLOCKS,
            Identity("the largest of two rows' (6) and (7)", _rows_maximum, decides=False),
        ),
        (*_PUBLIC, "Assumptions 1 to 4 for each row"),
        repairs="benvenuti2025.theorem-3",
        adds=("the shares of both neighbours are at least eta_i",),
    ),
    Statement(
        "benvenuti2025.algorithm-2",
        "algorithm",
        "4 Algorithm 2",
        "What Algorithm 2 releases is private with the epsilon and delta that it reports.",
        _NOTE,
        (TRIED_ON_ALL_COUNTS, BLOCKS),
        (*_PUBLIC, "Assumptions 1 to 4 for each row", OVER_ALL_COUNTS),
        readings=(Reading(OVER_THE_FLOOR, (OVER_THE_BORDER,)),),
    ),
    Statement(
        "benvenuti2025.algorithm-2-repaired",
        "repair",
        "ours, for Algorithm 2",
        "It is so for data and neighbours whose rows' shares are at least eta_i.",
        _NOTE,
        (THEOREM_1, WORST_COUNTS, BLOCKS),
        (*_PUBLIC, "Assumptions 1 to 4 for each row"),
        repairs="benvenuti2025.algorithm-2",
        adds=("the shares of both neighbours are at least eta_i",),
    ),
    Statement(
        "benvenuti2025.section-6-2-k-from-data",
        "remark",
        "6.2, second paragraph",
        "With k_i from Assumption 4 for every row the private chain protects the records.",
        _NOTE,
        READ_OFF,
        (*_PUBLIC, "the eta_i are the rows' own least shares, as Table 1 has them"),
    ),
    Statement(
        "benvenuti2025.section-6-2-k-from-data-repaired",
        "repair",
        "ours, for section 6.2",
        "It does so with public eta_i.",
        _NOTE,
        (THEOREM_1, WORST_COUNTS, BLOCKS),
        _PUBLIC,
        repairs="benvenuti2025.section-6-2-k-from-data",
        adds=("the eta_i are public, and the shares of both neighbours at least eta_i",),
    ),
)
