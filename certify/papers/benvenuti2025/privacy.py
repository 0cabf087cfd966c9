"""Sections 2 and 3.1: the counting query's neighbours, Theorem 1 and its consequences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from random import Random
from typing import Any

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import log_beta_change, log_gamma
from ....reference.dirichlet.counts import epsilon_bound, epsilon_minimum
from ....reference.dirichlet.good_set import good_set_epsilon
from ....reference.dirichlet.tail import Miss, probability
from ....reference.second.gamma import log_gamma_exchange
from ..evidence import Formula, Identity, Instance, NotDecidable, Proof, Sampled, exactly
from ..gohari2020.inputs import Where, loss, probability_one
from ..statement import Reading, Statement
from ..values import (
    BITS,
    At,
    Exactly,
    Named,
    Worked,
    at_precision,
    by_balls,
    by_spans,
    draws,
    meets,
    span,
    texts,
)

# Formulas of the notes on the counting query, tried at exact points.

# The numbers of section 6.1, as the paper chooses them.
_GRADES = {"k": "20.6", "eta": "0.073", "N": 98, "n": 5, "gamma": "0.0004"}
_QUARTER = Fraction(1, 4)
_TRIALS = 40


def _loss(k: Fraction, records: int, pair: tuple[int, int], ratio: arb) -> arb:
    """Enclose the log-ratio of counts (a+1, b) to (a, b+1) where x_i/x_j is the ratio."""
    a, b = (k * count / records for count in pair)
    step = k / records
    parts = log_gamma(a) + log_gamma(b + step) - log_gamma(a + step) - log_gamma(b)
    return parts + ball(step) * ratio.log()


def _setting(random: Random) -> tuple[int, int, int, Fraction, Fraction, Fraction]:
    """Return N, n, c, eta, k and gamma in which a record can move, c = ceil(eta N)."""
    n, least = random.randint(3, 5), random.randint(1, 3)
    records = n * least + random.randint(1, 6)
    eta = (least - Fraction(random.randint(0, 9), 10)) / records
    k = Fraction(random.randint(1, 400), random.choice((1, 50)))
    return records, n, least, min(eta, _QUARTER), k, Fraction(random.randint(1, 999), 1000 * n)


def _losses_stay_below() -> bool:
    """Whether no pair of neighbours passes the printed epsilon on the good set, k any number."""
    for random in draws(1, _TRIALS):
        records, n, least, eta, k, gamma = _setting(random)
        printed = good_set_epsilon(k, eta, eta, Fraction(1, records), n, gamma)
        ratio = ball((1 - (n - 1) * gamma) / gamma)
        most = records - (n - 1) * least - 1
        for a, b in product(range(least, most + 1), repeat=2):
            if a + b <= most + least and bool(_loss(k, records, (a, b), ratio) > printed):
                return False
    return True


def _convexity_orders() -> bool:
    """Whether a rise of log Gamma by one step rises with where it begins."""
    for random in draws(2, _TRIALS):
        step, low, more = (Fraction(random.randint(1, 99), 20) for _ in range(3))
        rises = [log_gamma(at + step) - log_gamma(at) for at in (low, low + more)]
        if not bool(rises[0] < rises[1]):
            return False
    return True


def _beta_arguments_are_positive() -> bool:
    """Whether 1 - 2 eta - 1/N > 0 wherever a record can move, and 3 eta + 1/N <= 1."""
    settings = (_setting(random) for random in draws(3, _TRIALS))
    return all(
        1 - 2 * eta - Fraction(1, records) > 0 and 3 * eta + Fraction(1, records) <= 1
        for records, _, _, eta, _, _ in settings
    )


def _databases(records: int, n: int) -> Iterator[tuple[int, ...]]:
    """Yield all data sets of so many records in n categories."""
    return product(range(n), repeat=records)


def _counted(data: Sequence[int], n: int) -> tuple[int, ...]:
    """Return how many records each category has."""
    return tuple(data.count(category) for category in range(n))


def _records_move_one_step() -> bool:
    """Whether neighbours' counts agree or differ by one record in two categories, and no more."""
    n, records = 3, 4
    for data in _databases(records, n):
        for at, other in product(range(records), range(n)):
            changed = (*data[:at], other, *data[at + 1 :])
            pairs = zip(_counted(data, n), _counted(changed, n), strict=True)
            moved = sorted(new - old for old, new in pairs)
            if moved != ([0, 0, 0] if other == data[at] else [-1, 0, 1]):
                return False
    return True


def _shares_add_up() -> bool:
    """Whether each row of shares is non-negative and sums to 1."""
    rows = (_counted(data, 3) for data in _databases(4, 3))
    return all(min(row) >= 0 and sum(Fraction(count, 4) for count in row) == 1 for row in rows)


def _public_floor_holds() -> bool:
    """Whether 1/N is at most each share of counts without a 0."""
    rows = (_counted(data, 3) for data in _databases(4, 3))
    return all(Fraction(min(row), 4) >= Fraction(1, 4) for row in rows if min(row) > 0)


def printed_epsilon_rises_with_k() -> bool:
    """Whether the printed epsilon rises with k at least as fast as (k/N) log R does.

    It does from its limit log((eta+t)(c-t)/(eta c)) at 0, t = 1/N and c = 1 - 2 eta, on.
    """
    for random in draws(4, _TRIALS):
        records, n, _, eta, k, gamma = _setting(random)
        step = Fraction(1, records)
        more = k + Fraction(random.randint(1, 9))
        rise = good_set_epsilon(more, eta, eta, step, n, gamma)
        rise -= good_set_epsilon(k, eta, eta, step, n, gamma)
        if bool(rise < ball((more - k) * step) * ball((1 - (n - 1) * gamma) / gamma).log()):
            return False
    return _rises_from_its_limit()


def _rises_from_its_limit() -> bool:
    """Whether the epsilon of the least k, 3/(2 eta), lies between those of other k."""
    for random in draws(8, 20):
        n, records = random.randint(3, 6), random.randint(3, 300)
        eta = Fraction(random.randint(1, 90), 100 * n)
        gamma, t = Fraction(random.randint(1, 99), 100 * n), Fraction(1, records)
        if 3 * eta + t > 1:
            continue
        far, least = 1 - 2 * eta, 3 / (2 * eta)
        limit = ball((eta + t) * (far - t) / (eta * far)).log()
        levels = (Fraction(1, 10**12), least / random.randint(2, 30), least, 2 * least)
        first, second, at_least, last = (epsilon_bound(k, eta, records, n, gamma) for k in levels)
        known = epsilon_minimum(eta, records, n, gamma)
        rises = limit < first < second < at_least < last
        if not (rises and meets(known, at_least) and first < limit + ball(Fraction(1, 10**6))):
            return False
    return True


@at_precision
def vertex_is_worst() -> bool:
    """Whether the vertex of counts has the largest delta of all counts at its floor.

    And whether delta rises along the steps of the proof, which take coordinates to the floor.
    """
    k, gamma, n, least, records = Fraction(5), Fraction(1, 50), 3, 2, 9
    vectors = [
        (a, b, records - a - b)
        for a in range(least, records)
        for b in range(a, records - a)
        if records - a - b >= b
    ]
    deltas = {each: _missed(k, each, gamma) for each in vectors}
    worst = (least, least, records - (n - 1) * least)
    return _steps_to_a_vertex_rise() and all(
        bool(delta < deltas[worst]) for each, delta in deltas.items() if each != worst
    )


def _steps_to_a_vertex_rise() -> bool:
    for random in draws(9, 16):
        k = random.choice((_QUARTER, Fraction(1), Fraction(7, 2), Fraction(30)))
        n = random.randint(2, 3)
        gamma = Fraction(random.choice((1, 10, 40)), 100 * n)
        eta = Fraction(random.randint(1, 90), 100 * n)
        weights = [random.randint(1, 9) for _ in range(n)]
        p = [eta + (1 - n * eta) * Fraction(weight, sum(weights)) for weight in weights]
        found = [_missed(k, p, gamma)]
        for at in range(n - 1):
            p[at], p[at + 1] = eta, p[at] + p[at + 1] - eta
            found.append(_missed(k, p, gamma))
        if not all(bool(earlier < later) for earlier, later in pairwise(found)):
            return False
    return True


def _missed(k: Fraction, counts: Sequence[int | Fraction], gamma: Fraction) -> arb:
    total = sum(counts)
    return probability(Miss.of([k * count / total for count in counts], Fraction(0), gamma))


def _corners_are_opposite() -> bool:
    """Whether the two first corners of (44) have objectives that add up to 0."""
    for random in draws(5, _TRIALS):
        records, _, _, eta, k, _ = _setting(random)
        first, step = k * eta, k / records
        second = k * (1 - 2 * eta)
        there = log_beta_change(first, second, step)
        back = log_beta_change(first + step, second - step, -step)
        if not (there + back).contains(0) or bool(there < 0):
            return False
    return True


@at_precision
def _rarer_than_a_miss_of_all_counts() -> tuple[int, int]:
    """Return how many neighbours over the border were tried, and how many lose too much too often.

    From counts (c, b, ...), c = eta N, to (c-1, b+1, ...), and back: the chance of a loss above the
    printed epsilon is held against that of a share of 1/N to be below gamma. That is less than (7)
    over all counts without a 0.
    """
    tried = failed = 0
    for random in draws(7, _TRIALS):
        n, least = random.randint(3, 5), random.randint(2, 4)
        records = least * max(n, 4) + random.randint(1, 12)
        eta, step = Fraction(least, records), Fraction(1, records)
        k = 3 / (2 * eta) * Fraction(random.randint(10, 90), 10)
        gamma = step * Fraction(random.randint(1, 99), random.choice((100, 10**5)))
        printed = good_set_epsilon(k, eta, eta, step, n, gamma)
        covered = _below(ball(gamma), k * step, k - k * step)
        for other in range(least, records - (n - 1) * least + 1):
            change = _loss(k, records, (least - 1, other), arb(1))
            at, below = (k * step * count for count in (least, least - 1))
            to, above = (k * step * count for count in (other, other + 1))
            there = 1 / (1 + ((printed - change) / ball(k * step)).exp())
            back = 1 / (1 + ((printed + change) / ball(k * step)).exp())
            tried += 2
            failed += not _below(there, to, at) <= covered
            failed += not _below(back, below, above) <= covered
    return tried, failed


def _below(point: arb, first: Fraction, second: Fraction) -> arb:
    """Enclose the chance that a Beta(first, second) is below the point."""
    return point.beta_lower(ball(first), ball(second), regularized=1)


def bad_sets_unite() -> bool:
    """Whether the complement of a product of good sets has probability 1 - prod(1 - delta_i)."""
    for random in draws(6, _TRIALS):
        bad = [Fraction(random.randint(0, 9), 10) for _ in range(random.randint(1, 4))]
        outcomes = product((False, True), repeat=len(bad))
        missed = sum(
            prod((p if out else 1 - p for p, out in zip(bad, each, strict=True)), start=Fraction(1))
            for each in outcomes
            if any(each)
        )
        if missed != 1 - prod((1 - p for p in bad), start=Fraction(1)):
            return False
    return True


def _density_is_bounded() -> bool:
    """Whether the exponents of (5) are at least 1/2 and the density at most 1/B(k C)."""
    for random in draws(10, _TRIALS):
        n, least = random.randint(3, 5), random.randint(1, 3)
        counts = [least, *(random.randint(least, 9) for _ in range(n - 1))]
        k = 3 * Fraction(sum(counts), 2 * least) * Fraction(random.randint(10, 40), 10)
        exponents = [k * count / sum(counts) - 1 for count in counts]
        weights = [random.randint(0, 9) for _ in range(n - 1)] + [1]
        output = [Fraction(weight, sum(weights)) for weight in weights]
        power = prod(
            (ball(x) ** ball(e) for x, e in zip(output, exponents, strict=True)), start=arb(1)
        )
        if min(exponents) < Fraction(1, 2) or bool(power > 1):
            return False
    return True


# Where what is printed of the counting query fails: the steps of a proof, and other readings.

_K, _ETA, _N = Fraction("20.6"), Fraction("0.073"), 98


def _at_the_grades(quantity: str, **changed: Any) -> At:
    """Return a quantity at the numbers of section 6.1, some of them changed."""
    given = {**_GRADES, **changed}
    wanted = {"epsilon_bound": "k eta N n gamma", "delta_bound": "k eta n gamma"}
    names = wanted.get(quantity, "eta N n gamma").split()
    return At(f"dirichlet.counts.{quantity}", {name: given[name] for name in names})


def _corner(there: bool) -> Worked:
    """Return the objective of (43) at (44)'s first corner, or at its third, for the grades."""
    first, second, step = _K * _ETA, _K * (1 - 2 * _ETA), _K / _N
    if there:
        return Worked(
            "log B(k eta, k (1-2 eta)) - log B(k (eta+1/N), k (1-2 eta-1/N)), grades",
            by_balls(lambda: log_beta_change(first, second, step)),
            by_spans(lambda: log_gamma_exchange(BITS, first, second, step)),
        )
    return Worked(
        "the same with both Betas exchanged",
        by_balls(lambda: log_beta_change(first + step, second - step, -step)),
        by_spans(lambda: -log_gamma_exchange(BITS, first, second, step)),
    )


CORNERS = Instance(
    "(3) after (44): both corners have the same positive value",
    _corner(there=False),
    "=",
    _corner(there=True),
    {"both corners are feasible": _ETA + Fraction(1, _N) <= 1 - 2 * _ETA},
)

FOURTH_CORNER = Instance(
    "(44), grades: the fourth corner's first share, 1 - 2 eta + 1/N, is at most 1 - 2 eta, as (43) "
    "asks",
    Exactly(str(1 - 2 * _ETA + Fraction(1, _N)), "1 - 2 eta + 1/N"),
    "<=",
    Exactly(str(1 - 2 * _ETA), "1 - 2 eta"),
    {"eta < 1/4": _ETA < _QUARTER},
)

# A point of (36) where the shares differ by less than 1/N, and by more than what is best for (43).
_FLOOR, _FOUR, _THIRDS = Fraction("0.24"), 4, Fraction("0.333")
_TOP, _EVEN = 1 - 2 * _FLOOR, Fraction("0.38")
_LOW, _HIGH, _SHORT = (Fraction("6.25") * x for x in (_FLOOR, _TOP, _EVEN - _FLOOR))
SHORTER_STEP = Instance(
    "(4) at eta = 0.24, k = 6.25, gamma = 0.333, N = 4, n = 3: the objective of (36) at "
    "C = (0.38, 0.38, 0.24), C' = (0.24, 0.52, 0.24), x_i = x_j is at most (46)",
    Worked(
        "log B(k 0.24, k 0.52) - log B(k 0.38, k 0.38)",
        by_balls(lambda: log_beta_change(_LOW, _HIGH, _SHORT)),
        by_spans(lambda: log_gamma_exchange(BITS, _LOW, _HIGH, _SHORT)),
    ),
    "<=",
    _at_the_grades("epsilon_bound", k="6.25", eta="0.24", N=_FOUR, n=3, gamma="0.333"),
    {
        "eta < 1/4 and k >= 3/(2 eta)": (
            Fraction(1, 4) > _FLOOR and Fraction("6.25") >= 3 / (2 * _FLOOR)
        ),
        "gamma <= 1/(n-1)": Fraction(1, 2) >= _THIRDS,
        "the step is at most 1/N": 0 < _EVEN - _FLOOR <= Fraction(1, _FOUR),
        "both pairs of shares have one sum": 2 * _EVEN == _FLOOR + _TOP,
        "the shares are in [eta, 1 - 2 eta]": _FLOOR <= _EVEN <= _TOP == Fraction("0.52"),
        "x = (1/3, 1/3, 1/3) is in [gamma, 1 - 2 gamma]": (
            _THIRDS <= Fraction(1, 3) <= 1 - 2 * _THIRDS
        ),
    },
)


def below_the_floor() -> Instance:
    """Return two data sets of the grades' size with a count of 1 that Algorithm 1 takes."""
    share = str(_K / _N)
    return Instance(
        "counts (1, 2, 2, 2, 91) against (2, 1, 2, 2, 91): the exact delta at 2.212, above (6), is "
        "at most the reported (7)",
        At("dirichlet.profile.delta", {"alpha": share, "step": share, "epsilon": "2.212"}),
        "<=",
        _at_the_grades("delta_bound"),
        {
            "the counts add up to N": sum((1, 2, 2, 2, 91)) == _N,
            "no count is 0": True,
            "a share is below eta": Fraction(1, _N) < _ETA,
            "k >= 3/(2 eta)": 3 / (2 * _ETA) <= _K,
        },
    )


# The data lie on the border, their neighbour just below it: (2, 9, 9) against (1, 10, 9) records.
_AT, _BELOW, _ALL, _FEW = (2, 9, 9), (1, 10, 9), 20, "1e-6"
_LEAST_K, _TENTH = Fraction(15), Fraction(1, 10)
_BORDER = {"k": str(_LEAST_K), "eta": str(_TENTH), "n": 3, "gamma": _FEW}
OVER_THE_BORDER = Instance(
    "eta = 1/10, k = 15, gamma = 1e-6, counts (2, 9, 9) and their neighbour (1, 10, 9): what the "
    "neighbour's outputs show against the data's at 12, above (6), is at most (7)",
    Where(
        "delta at 12 of Dirichlet(3/4, 15/2, 27/4) from Dirichlet(3/2, 27/4, 27/4), (6) being less",
        At(
            "dirichlet.pair.delta",
            {
                "u": texts([_LEAST_K * c / _ALL for c in _BELOW]),
                "v": texts([_LEAST_K * c / _ALL for c in _AT]),
                "epsilon": "12",
            },
        ),
        ((At("dirichlet.counts.epsilon_bound", {**_BORDER, "N": _ALL}), Exactly("12")),),
    ),
    "<=",
    At("dirichlet.counts.delta_bound", _BORDER),
    {
        "one record changes": sum(_AT) == sum(_BELOW) == _ALL
        and sum(abs(a - b) for a, b in zip(_AT, _BELOW, strict=True)) == 1 + 1,
        "the data's shares are at least eta": Fraction(min(_AT), _ALL) >= _TENTH,
        "eta < 1/4 and k >= 3/(2 eta)": Fraction(1, 4) > _TENTH and 3 / (2 * _TENTH) <= _LEAST_K,
        "gamma <= 1/(n-1)": Fraction(_FEW) <= Fraction(1, 2),
    },
)
_NO_SHARE = Instance(
    "three records, all of the first category: the least share is at least eta = 1/10^6, and "
    "any eta above 0 is as bad",
    Exactly("0", "the least share of (3, 0, 0)"),
    ">=",
    Exactly("1/1000000", "eta"),
    {"eta < 1/4": Fraction(1, 10**6) < Fraction(1, 4)},
)
_READ_OFF = Instance(
    "eta = 1/98 read off counts with a 1, and a neighbour that has a 0 there: the 1 that the delta "
    "of an output 0 is, is at most (7)",
    Exactly("1", "the delta between data that have a category and data that do not"),
    "<=",
    _at_the_grades("delta_bound", k="147", eta="1/98"),
    {"k = 3/(2 eta)": Fraction(147) == 3 / (2 * Fraction(1, 98))},
)
FLOOR_OF_BOTH = Instance(
    "eta = 8/98 read off the counts (8, 8, 8, 8, 66): the neighbour (7, 8, 8, 8, 67) misses the "
    "good set with probability at most (7)",
    Named(
        "P(M misses the good set) for (7, 8, 8, 8, 67), k = 20.6, gamma = 0.0004",
        At(
            "dirichlet.tail.general",
            {
                "alpha": texts([_K * c / _N for c in (7, 8, 8, 8, 67)]),
                "rest": 0,
                "gamma": _GRADES["gamma"],
            },
        ),
    ),
    "<=",
    _at_the_grades("delta_bound", eta="8/98"),
    {
        "N = 98": sum((7, 8, 8, 8, 67)) == sum((8, 8, 8, 8, 66)) == _N,
        "k >= 3/(2 eta)": 3 / (2 * Fraction(8, 98)) <= _K,
    },
)

# Two records in each of three categories: a record moves to 1 and 3, the share 1/6 being below eta.
_TWOS, _TWOS_N, _TWOS_ETA, _TWOS_K, _TWOS_GAMMA = (2, 2, 2), 6, "0.24", "6.25", "0.3"
EVERY_OUTPUT = Instance(
    "eta = 0.24, k = 6.25, gamma = 0.3, the counts (2, 2, 2): what has to be set apart of their "
    "outputs has probability at most (7)",
    probability_one(
        loss(
            "loss from the counts (2, 2, 2) to (1, 3, 2) at x_1 = x_2, k = 6.25",
            _TWOS_K,
            ("1/3", "1/3"),
            ("1/6", "1/2"),
        ),
        _at_the_grades(
            "epsilon_bound", k=_TWOS_K, eta=_TWOS_ETA, N=_TWOS_N, n=3, gamma=_TWOS_GAMMA
        ),
    ),
    "<=",
    Named(
        "(7) over all counts of 6 records without a 0: those of (1, 1, 4)",
        _at_the_grades("delta_bound", k=_TWOS_K, eta=Fraction(1, _TWOS_N), n=3, gamma=_TWOS_GAMMA),
    ),
    {
        "the data's shares are at least eta": (
            sum(_TWOS) == _TWOS_N and Fraction(min(_TWOS), _TWOS_N) >= Fraction(_TWOS_ETA)
        ),
        "eta < 1/4 and k >= 3/(2 eta)": (
            Fraction(_TWOS_ETA) < _QUARTER and Fraction(_TWOS_K) >= 3 / (2 * Fraction(_TWOS_ETA))
        ),
        "gamma <= 1/(n-1), and n gamma < 1": 3 * Fraction(_TWOS_GAMMA) < 1,
        "the neighbour (1, 3, 2), or (3, 1, 2), has no count of 0": True,
    },
)
LOSS_IS_ABOVE = Instance(
    "the loss to a neighbour, where x_1 = x_2, is above (6)",
    loss(
        "loss from the counts (2, 2, 2) to (1, 3, 2) at x_1 = x_2, k = 6.25",
        _TWOS_K,
        ("1/3", "1/3"),
        ("1/6", "1/2"),
    ),
    ">",
    _at_the_grades("epsilon_bound", k=_TWOS_K, eta=_TWOS_ETA, N=_TWOS_N, n=3, gamma=_TWOS_GAMMA),
)
_CORNER = loss(
    "loss from (2, 9, 9) to (1, 10, 9) at x = (1 - 2 gamma, gamma, gamma), k = 15",
    str(_LEAST_K),
    texts([Fraction(c, _ALL) for c in _AT[:2]]),
    texts([Fraction(c, _ALL) for c in _BELOW[:2]]),
    str((1 - 2 * Fraction(_FEW)) / Fraction(_FEW)),
)
PRINTED_GOOD_SET = Instance(
    "eta = 1/10, k = 15, gamma = 1e-6, the counts (2, 9, 9) and their neighbour (1, 10, 9): at "
    "an output whose coordinates are all at least gamma the loss is at most (6)",
    _CORNER,
    "<=",
    At("dirichlet.counts.epsilon_bound", {**_BORDER, "N": _ALL}),
    OVER_THE_BORDER.hypotheses,
)

# Nine records, eta = 2/9: the pairs (2, 5) to (1, 6), both ways round, lose too much wherever two
# coordinates have a larger quotient than (1 - g)/(2 g), which all outputs below g have.
_NINE, _WIDER, _NINTHS, _NINE_K = 9, "1.3e-6", Fraction(2, 9), Fraction(27, 4)
ONE_GOOD_SET = Instance(
    "eta = 2/9, k = 27/4, gamma = 1e-6: the outputs of the counts (1, 1, 7) with a loss above "
    "(6) for the counts (2, 5, 2) in some order have probability at most (7)",
    Where(
        "P(some coordinate is below 1.3e-6) for (1, 1, 7), k = 27/4; the larger quotient of two "
        "coordinates is then such that (2, 5) loses more than (6) to (1, 6)",
        At(
            "dirichlet.tail.general",
            {
                "alpha": texts([_NINE_K * c / _NINE for c in (1, 1, 7)]),
                "rest": 0,
                "gamma": _WIDER,
            },
        ),
        (
            (
                _at_the_grades(
                    "epsilon_bound", k=str(_NINE_K), eta=str(_NINTHS), N=_NINE, n=3, gamma=_FEW
                ),
                loss(
                    "loss from (2, 5, 2) to (1, 6, 2) at x_1/x_2 = (1 - g)/(2 g), g = 1.3e-6",
                    str(_NINE_K),
                    ("2/9", "5/9"),
                    ("1/9", "2/3"),
                    str((1 - Fraction(_WIDER)) / (2 * Fraction(_WIDER))),
                ),
            ),
        ),
    ),
    "<=",
    Named(
        "(7) over all counts of 9 records without a 0: those of (1, 1, 7)",
        _at_the_grades("delta_bound", k=str(_NINE_K), eta=Fraction(1, _NINE), n=3, gamma=_FEW),
    ),
    {
        "the shares of (2, 5, 2) are at least eta": Fraction(2, _NINE) >= _NINTHS,
        "eta < 1/4 and k >= 3/(2 eta)": _NINTHS < _QUARTER and 3 / (2 * _NINTHS) <= _NINE_K,
        "gamma <= 1/(n-1)": Fraction(_FEW) <= Fraction(1, 2),
    },
)

# gamma next to 1/(n-1), where no output is good and log R is about -3.2.
_WIDE = Fraction("0.49")


def _printed_epsilon(k: int) -> Worked:
    """Return (6) at eta = 1/10, N = 20, n = 3, gamma = 0.49, which Assumption 2 admits."""
    low, high, step = (k * x for x in (_TENTH, 1 - 2 * _TENTH, Fraction(1, _ALL)))
    ratio = (1 - 2 * _WIDE) / _WIDE
    return Worked(
        f"(6) at k = {k}, eta = 1/10, N = 20, n = 3, gamma = 0.49",
        by_balls(lambda: log_beta_change(low, high, step) + ball(step) * ball(ratio).log()),
        by_spans(
            lambda: log_gamma_exchange(BITS, low, high, step) + span(step) * span(ratio).log()
        ),
    )


FALLS_WITH_K = Instance(
    "(6) at k = 3/(2 eta) = 15 is at most (6) at k = 30",
    _printed_epsilon(15),
    "<=",
    _printed_epsilon(30),
    {
        "gamma <= 1/(n-1)": Fraction(1, 2) >= _WIDE,
        "eta < 1/4, k >= 3/(2 eta)": Fraction(1, 4) > _TENTH and 3 / (2 * _TENTH) <= _LEAST_K,
        "the arguments of the Betas are positive": 2 * _TENTH + Fraction(1, _ALL) < 1,
    },
)


_NOTE = "benvenuti2025/counts.md"
_PLACE = "benvenuti2025/counts.md#"
_BOTH = "the shares of both neighbours are at least eta"
_SOME_OUTPUT_IS_GOOD = "delta below 1, so n gamma < 1: else nothing is private"
_DOMAIN = ("n >= 3, 0 < eta < 1/4, 0 < gamma <= 1/(n-1)", "the data's shares are at least eta")

THEOREM_1 = Proof(
    _PLACE + "every-loss-is-at-most-epsilon",
    "the loss on the good set is at most (6), for every k > 0",
    (
        Formula("(1), (2): every pair of neighbouring counts, 40 settings", _losses_stay_below),
        Formula("a step of log Gamma rises with its place", at_precision(_convexity_orders)),
        Formula("the arguments of the Betas are positive", _beta_arguments_are_positive),
    ),
)
WORST_COUNTS = Proof(
    "tail-worst-input.md#vertex-is-the-worst-input",
    "the good set is missed with probability at most (7), by its definition",
    (Formula("the least probability is at the vertex", vertex_is_worst),),
)
# 3.1 defines the set that (7) runs over; Appendix A, and with it 6.1, minimises over another.
OVER_ALL_COUNTS = "(7) is over the counts of N records, as 3.1 defines their set, that have a law"
OVER_THE_FLOOR = "(7) is over the shares of at least eta, as Appendix A takes it"
TRIED_ON_ALL_COUNTS = Sampled(
    "neighbours over the border, by whom conventional privacy would fail: a loss above (6) is at "
    "most as probable as that a share of 1/N comes out below gamma, which (7) is not below",
    _rarer_than_a_miss_of_all_counts,
)

STATEMENTS = (
    Statement(
        "benvenuti2025.definition-3",
        "definition",
        "2.3 Definition 3; C.1 before (33)",
        "Neighbours' counts are equal, or differ by one record in two categories of one part.",
        _NOTE,
        (
            Proof(
                _PLACE + "one-record-moves-one-step",
                "a record that changes moves one share by +1/N, one by -1/N, or nothing",
                (Formula("all data sets of 4 records in 3 categories", _records_move_one_step),),
            ),
        ),
        ("each record is of exactly one category",),
    ),
    Statement(
        "benvenuti2025.equation-4",
        "equation",
        "2.4 (4)",
        "The shares of a part's records, one row a part, make a stochastic matrix.",
        _NOTE,
        (
            Proof(
                _PLACE + "one-record-moves-one-step",
                "each record counts in one category, so a row sums to 1",
                (Formula("all data sets of 4 records in 3 categories", _shares_add_up),),
            ),
        ),
        ("each record is of exactly one category", "every part has a record"),
    ),
    Statement(
        "benvenuti2025.remark-bounded-density",
        "remark",
        "3.1, first sentence",
        "Assumptions 3 and 4 ensure that the law of the private counts is bounded.",
        _NOTE,
        (
            Proof(
                _PLACE + "a-bounded-density",
                "no exponent of (5) is negative, so the density is at most 1/B(k C)",
                (Formula("(6): drawn counts and outputs", at_precision(_density_is_bounded)),),
            ),
        ),
        ("k >= 3/(2 eta)", "the data's shares are at least eta"),
        readings=(
            Reading(
                "the quotient of neighbours' densities is bounded",
                (
                    Identity(
                        "(2, 9, 9) to (1, 10, 9), N = 20: no exponent k (C_i - C'_i) of the "
                        "quotient is negative, k = 15, or any other",
                        exactly(min(a - b for a, b in zip(_AT, _BELOW, strict=True)) >= 0),
                    ),
                ),
            ),
            Reading(
                "of all counts without a 0, as (7) is over them",
                (
                    Instance(
                        "a count of 1 of the grades: the exponent k/N - 1 is at least 0",
                        Exactly(str(_K / _N - 1), "k/N - 1, k = 20.6, N = 98"),
                        ">=",
                        Exactly("0"),
                        {"k >= 3/(2 eta)": 3 / (2 * _ETA) <= _K},
                    ),
                ),
            ),
        ),
    ),
    Statement(
        "benvenuti2025.remark-eta",
        "remark",
        "3.1, after Assumption 4",
        "Assumption 3 can be met by choosing eta, since the shares are at least eta.",
        _NOTE,
        (
            Proof(
                _PLACE + "a-public-floor",
                "a public eta that is at most 1/N and below 1/4 is below every positive share",
                (Formula("(5): all data sets of 4 records in 3 categories", _public_floor_holds),),
            ),
        ),
        ("no count is 0: the mechanism's inputs are of the open simplex, by Definition 5",),
        readings=(
            Reading("a count may be 0, as 2.4 counts", (_NO_SHARE,)),
            Reading(
                "by the construction of counts the shares are at least the eta of section 6.1",
                (
                    Instance(
                        "counts (1, 2, 2, 2, 91): the least share is at least 0.073",
                        Exactly(str(Fraction(1, _N)), "the least share"),
                        ">=",
                        Exactly(str(_ETA), "eta"),
                        {"98 students": sum((1, 2, 2, 2, 91)) == _N},
                    ),
                ),
            ),
            Reading(
                "eta may be read off the data, and (7) still covers the neighbours' outputs",
                (FLOOR_OF_BOTH,),
            ),
            Reading("the same, where a neighbour may have a count of 0", (_READ_OFF,)),
        ),
    ),
    Statement(
        "benvenuti2025.remark-strongest-privacy",
        "remark",
        "3.1, after Assumption 4",
        "Under Assumption 4 no counts can be made arbitrarily private: a least epsilon is left.",
        _NOTE,
        (
            Proof(
                "good-set-epsilon.md#smallest-k-smallest-epsilon",
                "(6) is continuous and rises with k, by at least (log R)/N a unit: without bound",
                (Formula("the rise is at least that", at_precision(printed_epsilon_rises_with_k)),),
            ),
        ),
        (_SOME_OUTPUT_IS_GOOD,),
        readings=(
            Reading(
                "it is the least epsilon of Theorem 1, which has every k > 0",
                (
                    Instance(
                        "at k = 1 (6) is at least epsilon*, grades",
                        _at_the_grades("epsilon_bound", k="1"),
                        ">=",
                        _at_the_grades("epsilon_minimum"),
                    ),
                ),
            ),
            Reading(
                "it is often well within what is typically wanted, by section 6",
                (NotDecidable("neither often nor typically is quantified"),),
            ),
        ),
    ),
    Statement(
        "benvenuti2025.theorem-1",
        "theorem",
        "3.1 Theorem 1, (6), (7); (14)",
        "The release of counts is (epsilon, delta)-probabilistically private by (6) and (7).",
        _NOTE,
        (EVERY_OUTPUT, LOSS_IS_ABOVE),
        (*_DOMAIN, "epsilon >= 0 is at least (6)", OVER_ALL_COUNTS),
        readings=(
            Reading(
                "in the conventional sense, which is said to follow from it", (TRIED_ON_ALL_COUNTS,)
            ),
            Reading(
                "the good set is the one that section 3 prints", (PRINTED_GOOD_SET, FLOOR_OF_BOTH)
            ),
            Reading(
                "one good set serves all the data that (7) is over, as Definition 6 is worded",
                (ONE_GOOD_SET,),
            ),
            Reading(f"in the conventional sense, and {OVER_THE_FLOOR}", (OVER_THE_BORDER,)),
            Reading(
                "both neighbours' shares are at least eta, which section 3.1 takes to be so by the "
                "construction of C",
                (THEOREM_1, WORST_COUNTS),
            ),
        ),
        of_proof=(CORNERS, SHORTER_STEP, FOURTH_CORNER),
    ),
    Statement(
        "benvenuti2025.theorem-1-repaired",
        "repair",
        "ours, for Theorem 1",
        "It is so where the neighbours' shares are at least eta as well.",
        _NOTE,
        (THEOREM_1, WORST_COUNTS),
        (*_DOMAIN[:1], "epsilon >= 0 is at least (6)"),
        repairs="benvenuti2025.theorem-1",
        adds=(_BOTH,),
    ),
    Statement(
        "benvenuti2025.theorem-1-proof",
        "equation",
        "C.1 (36) to (46)",
        "Two corners of (44) give (43) the same positive value, all four are possible solutions of "
        "(43), and (46) bounds the maximum (36).",
        _NOTE,
        (CORNERS, SHORTER_STEP, FOURTH_CORNER),
        ("the numbers of section 6.1", "four records in three categories"),
        garbled="The pairs may be (C, C') or (C', C): in neither order are the two values equal.",
    ),
    Statement(
        "benvenuti2025.theorem-1-proof-repaired",
        "repair",
        "ours, for C.1 (36) to (46)",
        "The two corners have opposite values, the larger is (45), and (46) bounds steps of 1/N.",
        _NOTE,
        (
            Proof(
                _PLACE + "every-loss-is-at-most-epsilon",
                "exchanging C and C' changes the sign, and (45) is at least 0",
                (Formula("(3): the sum is 0", at_precision(_corners_are_opposite)),),
            ),
            THEOREM_1,
        ),
        (*_DOMAIN[:1], _BOTH, "a record moves from one category to another"),
        repairs="benvenuti2025.theorem-1-proof",
    ),
    Statement(
        "benvenuti2025.equation-epsilon-star",
        "equation",
        "3.1, after Theorem 1",
        "Under Assumption 4 the least epsilon is (6) at k = 3/(2 eta), and all above can be had.",
        _NOTE,
        (
            Proof(
                "good-set-epsilon.md#smallest-k-smallest-epsilon",
                "(6) is continuous and rises with k, by at least (log R)/N a unit: without bound",
                (
                    Formula(
                        "the rise is at least that", at_precision(printed_epsilon_rises_with_k)
                    ),
                    Formula("3 eta + 1/N <= 1", _beta_arguments_are_positive),
                ),
            ),
        ),
        (*_DOMAIN[:1], _SOME_OUTPUT_IS_GOOD, "a record can move inside of the bordered simplex"),
        readings=(
            Reading(
                "with every gamma of Assumption 2, also where no output is good, delta is 1 and "
                "(6) below 0",
                (FALLS_WITH_K,),
            ),
        ),
    ),
    Statement(
        "benvenuti2025.algorithm-1",
        "algorithm",
        "3.1 Algorithm 1",
        "What Algorithm 1 releases is private with the epsilon and delta that it reports.",
        _NOTE,
        (TRIED_ON_ALL_COUNTS,),
        (*_DOMAIN, "epsilon >= 0 is at least (6)", OVER_ALL_COUNTS, "conventional privacy"),
        readings=(
            Reading(OVER_THE_FLOOR, (OVER_THE_BORDER,)),
            Reading(
                "the same of data whose shares are below eta, which are no input of Theorem 1",
                (below_the_floor(),),
                beyond=True,
            ),
        ),
    ),
    Statement(
        "benvenuti2025.algorithm-1-repaired",
        "repair",
        "ours, for Algorithm 1",
        "It is so for data and neighbours whose shares are at least eta.",
        _NOTE,
        (THEOREM_1, WORST_COUNTS),
        _DOMAIN[:1],
        repairs="benvenuti2025.algorithm-1",
        adds=(_BOTH,),
    ),
)
