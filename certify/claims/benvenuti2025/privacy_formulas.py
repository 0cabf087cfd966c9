"""What the notes on the counting query state in formulas, tried at exact points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from random import Random

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import log_beta_change, log_gamma
from ....reference.dirichlet.good_set import good_set_epsilon
from ....reference.dirichlet.tail import Miss, probability
from ..forms import at_precision, draws

# The numbers of section 6.1, as the paper chooses them.
GRADES = {"k": "20.6", "eta": "0.073", "N": 98, "n": 5, "gamma": "0.0004"}
_QUARTER = Fraction(1, 4)
_TRIALS = 40


def loss(k: Fraction, records: int, pair: tuple[int, int], ratio: arb) -> arb:
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


def losses_stay_below() -> bool:
    """Whether no pair of neighbours passes the printed epsilon on the good set, k any number."""
    for random in draws(1, _TRIALS):
        records, n, least, eta, k, gamma = _setting(random)
        printed = good_set_epsilon(k, eta, eta, Fraction(1, records), n, gamma)
        ratio = ball((1 - (n - 1) * gamma) / gamma)
        most = records - (n - 1) * least - 1
        for a, b in product(range(least, most + 1), repeat=2):
            if a + b <= most + least and bool(loss(k, records, (a, b), ratio) > printed):
                return False
    return True


def convexity_orders() -> bool:
    """Whether a rise of log Gamma by one step rises with where it begins."""
    for random in draws(2, _TRIALS):
        step, low, more = (Fraction(random.randint(1, 99), 20) for _ in range(3))
        rises = [log_gamma(at + step) - log_gamma(at) for at in (low, low + more)]
        if not bool(rises[0] < rises[1]):
            return False
    return True


def beta_arguments_are_positive() -> bool:
    """Whether 1 - 2 eta - 1/N > 0 wherever a record can move, and 3 eta + 1/N <= 1."""
    settings = (_setting(random) for random in draws(3, _TRIALS))
    return all(
        1 - 2 * eta - Fraction(1, records) > 0 and 3 * eta + Fraction(1, records) <= 1
        for records, _, _, eta, _, _ in settings
    )


def databases(records: int, n: int) -> Iterator[tuple[int, ...]]:
    """Yield all data sets of so many records in n categories."""
    return product(range(n), repeat=records)


def counted(data: Sequence[int], n: int) -> tuple[int, ...]:
    """Return how many records each category has."""
    return tuple(data.count(category) for category in range(n))


def records_move_one_step() -> bool:
    """Whether neighbours' counts agree or differ by one record in two categories, and no more."""
    n, records = 3, 4
    for data in databases(records, n):
        for at, other in product(range(records), range(n)):
            changed = (*data[:at], other, *data[at + 1 :])
            pairs = zip(counted(data, n), counted(changed, n), strict=True)
            moved = sorted(new - old for old, new in pairs)
            if moved != ([0, 0, 0] if other == data[at] else [-1, 0, 1]):
                return False
    return True


def shares_add_up() -> bool:
    """Whether each row of shares is non-negative and sums to 1."""
    rows = (counted(data, 3) for data in databases(4, 3))
    return all(min(row) >= 0 and sum(Fraction(count, 4) for count in row) == 1 for row in rows)


def public_floor_holds() -> bool:
    """Whether 1/N is at most each share of counts without a 0."""
    rows = (counted(data, 3) for data in databases(4, 3))
    return all(Fraction(min(row), 4) >= Fraction(1, 4) for row in rows if min(row) > 0)


def printed_epsilon_rises_with_k() -> bool:
    """Whether the printed epsilon rises with k at least as fast as (k/N) log R does."""
    for random in draws(4, _TRIALS):
        records, n, _, eta, k, gamma = _setting(random)
        step = Fraction(1, records)
        more = k + Fraction(random.randint(1, 9))
        rise = good_set_epsilon(more, eta, eta, step, n, gamma)
        rise -= good_set_epsilon(k, eta, eta, step, n, gamma)
        if bool(rise < ball((more - k) * step) * ball((1 - (n - 1) * gamma) / gamma).log()):
            return False
    return True


def vertex_is_worst() -> bool:
    """Whether the vertex of counts has the largest delta of all counts at its floor."""
    k, gamma, n, least, records = Fraction(5), Fraction(1, 50), 3, 2, 9
    vectors = [
        (a, b, records - a - b)
        for a in range(least, records)
        for b in range(a, records - a)
        if records - a - b >= b
    ]
    deltas = {each: _missed(k, each, gamma) for each in vectors}
    worst = (least, least, records - (n - 1) * least)
    return all(bool(delta < deltas[worst]) for each, delta in deltas.items() if each != worst)


def _missed(k: Fraction, counts: Sequence[int], gamma: Fraction) -> arb:
    total = sum(counts)
    return probability(Miss.of([k * count / total for count in counts], Fraction(0), gamma))


def corners_are_opposite() -> bool:
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
def rarer_than_a_miss_of_all_counts() -> tuple[int, int]:
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
            change = loss(k, records, (least - 1, other), arb(1))
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
