"""The laws of proofs_notes/markov-printed.md: a test named for each heading."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import TYPE_CHECKING

from ball_checks import as_ball, meets, printed, seeded
from exact_chains import (
    chain_of,
    difference,
    fundamental,
    norm_of,
    product_of,
    random_counts,
    size_of,
    spread_of_rows,
)
from flint import arb
from instances import instances
from simplexcert.certify.papers.benvenuti2025 import chains, composition
from simplexcert.certify.papers.benvenuti2025 import deviation as deviations
from simplexcert.certify.papers.benvenuti2025 import divergence as divergences
from simplexcert.certify.papers.fallin2023 import bracket, stationary
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.arb.gamma import log_beta
from simplexcert.reference.dirichlet.utility import (
    absolute_deviation,
    absolute_deviation_bound,
    divergence_from,
    variance,
    variance_bound,
    vertex,
)
from simplexcert.reference.markov import printed as papers
from simplexcert.reference.markov.ergodicity import ergodicity_coefficient
from simplexcert.reference.markov.stationary import next_law, stationary_law
from simplexcert.reference.markov.structure import is_irreducible, period

if TYPE_CHECKING:
    from exact_chains import Row, Rows

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
NORMS, SIGNS = ("row", "column"), ("plus", "minus")
# A rare and noisy row between two with very many records, and forty rows all alike.
RARE = ((499999, 1, 500000), (2, 1, 2), (500000, 1, 499999))
EQUAL = ((481, 481, *[1] * 38),) * 40


def total(values: list[arb]) -> arb:
    return sum(values, arb(0))


def smallest_k(counts: tuple[tuple[int, ...], ...]) -> Row:
    """Return benvenuti2025's least k, 3/(2 eta), with the least share of each row as its eta."""
    return tuple(Fraction(3 * sum(row), 2 * min(filter(None, row))) for row in counts)


def deviation(p: Fraction, k: Fraction) -> arb:
    return as_ball(absolute_deviation(p, k))


def divergence(chain: Rows, k: Row) -> arb:
    """Enclose the mean of sum_i pi_i KL(P_i || private row i), benvenuti2025 (18)."""
    rows = zip(stationary_law(chain), chain, k, strict=True)
    return total(
        [ball(pi) * as_ball(divergence_from(Counter(row), each)) for pi, row, each in rows]
    )


def is_proved_below(low: arb, high: arb) -> bool:
    """Whether one is below the other, both being narrow."""
    return low.rel_accuracy_bits() > 40 and high.rel_accuracy_bits() > 40 and bool(low < high)


def test_disjoint_blocks_compose_in_parallel() -> None:
    assert composition.blocks_need_no_more()


def test_good_sets_do_not_compose_in_parallel() -> None:
    """Blocks that show their record with probability delta: what shows one cannot be good."""
    delta = Fraction(1, 10)
    chances = {
        shown: prod((delta if each else 1 - delta for each in shown), start=ONE)
        for shown in product((False, True), repeat=2)
    }
    assert sum(chances.values()) == 1
    bad = sum(chance for shown, chance in chances.items() if any(shown))
    assert bad == 1 - (1 - delta) ** 2 == Fraction(19, 100) > delta
    assert bool(ball(1 - (1 - Fraction("0.0026")) ** 30) > ball(Fraction("0.075")))


def test_divergence_of_a_chain() -> None:
    """With whole parameters E log x is a sum of fractions, and (18) one of logarithms."""
    random = seeded(2)
    for _ in range(10):
        counts = random_counts(random, 3)
        chain, found = chain_of(counts), arb(0)
        for pi, row, seen in zip(stationary_law(chain), chain, counts, strict=True):
            for p, count in zip(row, seen, strict=True):
                mean = -sum(Fraction(1, j) for j in range(count, sum(seen)))  # of log x
                found += ball(pi * p) * (ball(p).log() - ball(mean))
        assert meets(found, divergence(chain, tuple(Fraction(sum(row)) for row in counts)))


def test_printed_l_bounds_the_divergence() -> None:
    """And the printed L rises with the number of categories."""
    assert divergences.printed_l_is_above()
    records, concentration = Fraction(1, 60), Fraction(30)
    levels = [as_ball(divergence_from(vertex(records, n), concentration)) for n in range(2, 61)]
    assert all(is_proved_below(less, more) for less, more in pairwise(levels))


def test_lemma_5_holds_with_row_sums() -> None:
    assert chains.law_moves_by_rows()


def ratio_to_lemma_5(chain: Rows, first: Row, sign: str) -> Fraction:
    """Return the change of the law over the column bound, if the first row is replaced."""
    other = (first, *chain[1:])
    gap = size_of(difference((stationary_law(chain),), (stationary_law(other),))[0])
    bound = norm_of(fundamental(chain, sign), "column") * norm_of(
        difference(chain, other), "column"
    )
    assert meets(as_ball(papers.lemma_5(chain, other, "column", sign)), bound)
    return gap / bound


def row(*entries: str) -> Row:
    return tuple(map(Fraction, entries))


def test_lemma_5_fails_with_column_sums() -> None:
    alike = (row("0.98", "0.01", "0.01"),) * 3
    moved = row("0.981", "0.01", "0.009")
    assert ratio_to_lemma_5(alike, moved, "plus") == Fraction(49, 24975) * 1000 > 1
    sticky = row("0.9895", "0.01", "0.0005")
    chain = (sticky, row("0.1", "0.8995", "0.0005"), sticky)
    moved = row("0.9885", "0.011", "0.0005")
    assert Fraction("1.667") < ratio_to_lemma_5(chain, moved, "plus") < Fraction("1.668")
    assert Fraction("1.579") < ratio_to_lemma_5(chain, moved, "minus") < Fraction("1.581")
    for states in (4, 10):
        small = Fraction(1, 10**6)
        law = (1 - (states - 1) * small, *[small] * (states - 1))
        signs = [1, -1] * (states // 2)
        first = tuple(p + small / 100 * turn for p, turn in zip(law, signs, strict=True))
        found = ratio_to_lemma_5((law,) * states, first, "plus")
        assert Fraction(99, 100) * states < found < states


def test_weighted_deviations_are_bounded() -> None:
    assert divergences.tried(chains.weighted_deviations_are_below, 72)


def test_lemma_6_fails() -> None:
    chain, k = chain_of(RARE), smallest_k(RARE)
    claimed = papers.theorem_5(RARE, k)
    assert is_proved_below(claimed, ball(Fraction("0.0013592")))
    assert bool(claimed.overlaps(printed("0.00135916122163036")))
    by_rows = max(
        total([deviation(p, each) for p in row]) for row, each in zip(chain, k, strict=True)
    )
    columns = zip(*chain, strict=True)
    by_columns = max(
        total([deviation(p, each) for p, each in zip(column, k, strict=True)]) for column in columns
    )
    assert is_proved_below(ball(Fraction("0.38")), by_rows)
    assert is_proved_below(ball(Fraction("0.11")), by_columns)
    assert is_proved_below(280 * claimed, by_rows)
    assert is_proved_below(80 * claimed, by_columns)


def signs_of(column: Row) -> list[int]:
    """Return 1 for the larger half, -1 for the smaller half, 0 for what is left in the middle."""
    order, half = sorted(range(len(column)), key=column.__getitem__), len(column) // 2
    return [(at in order[-half:]) - (at in order[:half]) for at in range(len(column))]


def test_one_entry_moves_the_coefficient() -> None:
    random = seeded(6)
    for _ in range(instances(20, 60)):
        states = random.randint(2, 5)
        chain, other = (chain_of(random_counts(random, states)) for _ in range(2))
        before, after = ergodicity_coefficient(chain), ergodicity_coefficient(other)
        columns = list(zip(*chain, strict=True))
        sums = [sum(map(Fraction.__mul__, map(Fraction, signs_of(c)), c), ZERO) for c in columns]
        assert max(sums) == before
        at = sums.index(before)
        moved = [new[at] - old[at] for old, new in zip(chain, other, strict=True)]
        signs = signs_of(columns[at])
        assert after - before >= sum(s * e for s, e in zip(signs, moved, strict=True))


def coefficient_floor(chain: Rows, k: Row) -> arb:
    """Enclose the largest of half the mean deviations in a column that attains the coefficient."""
    wanted = ergodicity_coefficient(chain)
    found = arb(0)
    for column in zip(*chain, strict=True):
        signs = signs_of(column)
        if sum(s * p for s, p in zip(signs, column, strict=True)) == wanted:
            for s, p, each in zip(signs, column, k, strict=True):
                found = found.max(abs(s) * deviation(p, each) / 2)
    return found


def test_theorem_5_fails_with_a_rare_row() -> None:
    floor = coefficient_floor(chain_of(RARE), smallest_k(RARE))
    assert meets(floor, deviation(Fraction(1, 5), Fraction("7.5")) / 2)
    ratios = []
    for many in (500_000, 10**8 // 2, 10**12 // 2):
        counts = ((many - 1, 1, many), (2, 1, 2), (many, 1, many - 1))
        k = smallest_k(counts)
        assert counts != RARE or k == (Fraction(1500000), Fraction("7.5"), Fraction(1500000))
        claimed = papers.theorem_5(counts, k)
        assert is_proved_below(claimed, coefficient_floor(chain_of(counts), k))
        ratios.append(coefficient_floor(chain_of(counts), k) / claimed)
    assert is_proved_below(ball(40), ratios[0])
    assert is_proved_below(ball(404), ratios[1])
    assert is_proved_below(ball(40_400), ratios[2])


def mean_difference(p: Fraction, k: Fraction) -> arb:
    """Enclose E |X - X'| of two independent coordinates, 4 B(2a, 2b)/(k B(a, b)^2)."""
    a, b = k * p, k * (1 - p)
    return ball(4 / k) * (log_beta(2 * a, 2 * b) - 2 * log_beta(a, b)).exp()


def beta_coefficients(a: int, b: int) -> list[Fraction]:
    """Return the polynomial with the integral x^(a-1) (1-x)^(b-1), its terms from x^0 on."""
    found = [ONE]
    for _ in range(b - 1):
        found = [x - y for x, y in zip([*found, ZERO], [ZERO, *found], strict=True)]
    return [ZERO] * (a - 1) + found


def test_mean_difference_of_a_beta_law() -> None:
    """For whole a and b, E |X - X'| = 2 integral F (1 - F) of polynomials."""
    for a, b in product(range(1, 6), repeat=2):
        density = beta_coefficients(a, b)
        whole = sum(c / (at + 1) for at, c in enumerate(density))
        below = [ZERO, *(c / (at + 1) / whole for at, c in enumerate(density))]
        rest = [ONE - below[0], *(-c for c in below[1:])]
        powers: defaultdict[int, Fraction] = defaultdict(Fraction)
        for (i, x), (j, y) in product(enumerate(below), enumerate(rest)):
            powers[i + j] += x * y
        mean = 2 * sum((c / (at + 1) for at, c in powers.items()), ZERO)
        assert meets(mean, mean_difference(Fraction(a, a + b), Fraction(a + b)))
        assert bool(ball(mean) > deviation(Fraction(a, a + b), Fraction(a + b)))


def test_theorem_5_fails_with_equal_rows() -> None:
    chain, k = chain_of(EQUAL), smallest_k(EQUAL)
    assert ergodicity_coefficient(chain) == 0
    assert set(k) == {Fraction(1500)}
    claimed = papers.theorem_5(EQUAL, k)
    pairs, share = len(chain) // 2, Fraction(481, 1000)
    by_jensen = pairs * deviation(share, k[0])
    exact = pairs * mean_difference(share, k[0])
    assert is_proved_below(claimed, by_jensen)
    assert is_proved_below(by_jensen, exact)
    assert bool(claimed.overlaps(printed("0.169646878746")))
    assert bool(exact.overlaps(printed("0.291062905022859")))


def test_theorem_4_holds_to_first_order() -> None:
    """|pi E Z|_1 <= kappa sum_i pi_i |E_i|_1, for any change of any chain."""
    random = seeded(7)
    for _ in range(instances(20, 60)):
        states = random.randint(2, 4)
        chain, other = (chain_of(random_counts(random, states)) for _ in range(2))
        pi, change = stationary_law(chain), difference(chain, other)
        weighted = sum(map(Fraction.__mul__, pi, map(size_of, change)), ZERO)
        for sign in SIGNS:
            inverted = fundamental(chain, sign)
            first_order = size_of(product_of(product_of(pi, change), inverted))
            assert (
                first_order
                <= spread_of_rows(inverted) * weighted
                <= norm_of(inverted, "row") * weighted
            )


def test_lemma_7_is_exact() -> None:
    random = seeded(8)
    for _ in range(instances(13, 40)):
        p, k = Fraction(random.randint(1, 99), 100), Fraction(random.randint(1, 999), 10)
        if p == HALF:
            continue
        assert is_proved_below(deviation(p, k), as_ball(absolute_deviation_bound(k)))
        assert variance(p, k) < variance_bound(k) == 1 / (4 * (k + 1))
        assert meets(deviation(HALF, k), as_ball(absolute_deviation_bound(k)))
    reversed_step = (ball(2 / Fraction(10)) * (-log_beta(ONE, Fraction(9))).exp()) / 2**10
    assert is_proved_below(reversed_step, ball(Fraction("0.0018")))
    assert is_proved_below(ball(Fraction("0.0697")), deviation(Fraction(1, 10), Fraction(10)))


def test_lemma_8_is_true_and_far() -> None:
    assert deviations.printed_floor_is_below()
    grades = papers.lemma_8(Fraction("20.6"), 98, 5)
    assert is_proved_below(grades, ball(Fraction("4.2e-70")))
    assert bool(deviation(Fraction(1, 98), Fraction("20.6")).overlaps(printed("0.012948")))


def test_divergence_falls_like_one_over_k() -> None:
    assert chains.divergence_is_of_order_one_over_k()
    counts, levels = ((3, 4, 5),) * 3, [Fraction(10) ** power for power in (1, 3, 6)]
    bounds = [papers.lemma_4(counts, (k,) * 3) * ball(k) for k in levels]
    assert all(is_proved_below(more, less) for less, more in pairwise(bounds))
    assert is_proved_below(arb(1), bounds[-1])
    assert is_proved_below(bounds[-1], ball(Fraction("1.00001")))


def test_deviation_falls_like_a_root() -> None:
    """By the fourth moment, which is exact."""
    assert chains.deviation_is_of_order_a_root()
    random = seeded(10)
    for _ in range(instances(13, 40)):
        p = Fraction(random.randint(1, 99), 100)
        k = Fraction(random.randint(1, 10**6), random.choice((1, 10**5)))
        spread = p * (1 - p)
        moments = [prod(((k * p + i) / (k + i) for i in range(j)), start=ONE) for j in range(5)]
        fourth = moments[4] - 4 * p * moments[3] + 6 * p**2 * moments[2] - 3 * p**4
        below = 3 * spread * (2 + spread * (k - 6)) / ((k + 1) * (k + 2) * (k + 3))
        assert fourth == below


def test_law_moves_at_least_so_much() -> None:
    """That pi E = (pi~ - pi)(I - P~), of 1-norm at most twice that of pi~ - pi."""
    random = seeded(11)
    for _ in range(instances(20, 60)):
        states = random.randint(2, 4)
        chain, other = (chain_of(random_counts(random, states)) for _ in range(2))
        pi, gap = (
            stationary_law(chain),
            difference((stationary_law(chain),), (stationary_law(other),))[0],
        )
        forced = product_of(pi, difference(chain, other))
        left = tuple(x - y for x, y in zip(gap, product_of(gap, other), strict=True))
        assert forced == left
        assert size_of(forced) <= 2 * size_of(gap)


def law_floor(chain: Rows, k: Row) -> arb:
    """Enclose the fourth part of the sum over columns of max_i pi_i E |E_ij|."""
    found = arb(0)
    for column in zip(*chain, strict=True):
        largest = arb(0)
        for pi, p, each in zip(stationary_law(chain), column, k, strict=True):
            largest = largest.max(ball(pi) * deviation(p, each))
        found += largest
    return found / 4


def test_error_falls_like_a_root() -> None:
    """Both sides of the mean total variation distance, times k^(1/2), stay between constants."""
    counts = ((3, 4, 5), (1, 6, 5), (4, 4, 4))
    chain = chain_of(counts)
    kappa = spread_of_rows(fundamental(chain, "plus"))
    for power in range(1, 9):
        k = (Fraction(10) ** power,) * 3
        rows = [(2 * as_ball(divergence_from(Counter(row), k[0]))).sqrt() for row in chain]
        low, high = law_floor(chain, k), ball(kappa / 2) * total(rows)
        assert is_proved_below(low, high)
        assert is_proved_below(ball(Fraction("0.03")), low * ball(k[0]).sqrt())
        assert is_proved_below(high * ball(k[0]).sqrt(), arb(8))


def test_no_limit_without_aperiodicity() -> None:
    chain = (row("0", "1"), row("1", "0"))
    assert is_irreducible(chain)
    assert period(chain) == 2
    laws = [row("1", "0")]
    for _ in range(6):
        laws.append(next_law(laws[-1], chain))
    assert laws == [row("1", "0"), row("0", "1")] * 3 + [row("1", "0")]
    assert stationary_law(chain) == (HALF, HALF)


def test_bracket_bounds_the_columns() -> None:
    assert bracket.largest_is_below()
    assert bracket.bracket_bounds_columns()


def test_theorem_3_holds_with_row_sums() -> None:
    for a, b, t in product((HALF, Fraction(3)), (ONE, Fraction(9)), (-20, -1, 2, 30)):
        mean = ball(a / (a + b))
        moment = arb(t).hypgeom_1f1(ball(a), ball(a + b)) * (-t * mean).exp()
        assert bool(moment < (ball(Fraction(t * t) / (8 * (a + b + 1)))).exp())
    assert stationary.roots_are_below_the_bracket()
    assert stationary.bracket_is_above()
    random = seeded(13)
    chain = chain_of(random_counts(random, 4))
    given = Fraction(20), Fraction(1, 20), Fraction(1, 10), (2, 3, 2, 2)
    for norm, sign in product(NORMS, SIGNS):
        whole = papers.theorem_3(chain, *given, norm, sign)
        parts = ball(norm_of(fundamental(chain, sign), norm)) * papers.bracket(4, *given)
        assert meets(whole, parts)
