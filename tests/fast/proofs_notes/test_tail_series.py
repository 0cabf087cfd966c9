"""The laws of proofs_notes/tail-series.md: a test named for each heading, on exact rationals."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, product
from math import comb, factorial, prod

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from instances import instances

EXAMPLES = instances(13, 40)
repeatable = settings(derandomize=True, deadline=None, database=None, max_examples=EXAMPLES)
Series = list[Fraction]

WHOLE = st.integers(1, 4)
CHOICES = st.lists(WHOLE, min_size=1, max_size=3)
PARAMETERS = st.lists(st.fractions(Fraction(1, 16), 6, max_denominator=16), min_size=1, max_size=3)
REST = st.integers(1, 6)
BROKEN_REST = st.fractions(Fraction(1, 16), 6, max_denominator=16)
# gamma in units of 1/count: below 1 the coordinates fit.
SHARE = st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50)
LENGTH = 14


def rising(base: Fraction, count: int) -> Fraction:
    return prod((base + j for j in range(count)), start=Fraction(1))


def falling(c: Fraction, count: int) -> Fraction:
    """(c-1)(c-2)...(c-count)."""
    return prod((c - j for j in range(1, count + 1)), start=Fraction(1))


def convolved(factors: list[Series], length: int) -> Series:
    result = [Fraction(1)] + [Fraction(0)] * (length - 1)
    for factor in factors:
        result = [sum(result[j] * factor[n - j] for j in range(n + 1)) for n in range(length)]
    return result


def outward(alphas: list[Fraction], gamma: Fraction, length: int = LENGTH) -> Series:
    """s_M as the product of the series of each coordinate."""
    factors = [[gamma**n / rising(a + 1, n) for n in range(length)] for a in alphas]
    return convolved(factors, length)


def inward(alphas: list[Fraction], gamma: Fraction, more: int, length: int = LENGTH) -> Series:
    """The same inward, with ``more`` = L - m."""
    factors = [[gamma**n * a / (factorial(n) * (a + n)) for n in range(length)] for a in alphas]
    factors.append([(more * gamma) ** n / factorial(n) for n in range(length)])
    return convolved(factors, length)


def front(alphas: list[Fraction], rest: Fraction, gamma: Fraction) -> Fraction:
    """gamma^A Gamma(k)/(Gamma(c) prod Gamma(a + 1)) for whole parameters."""
    total = int(sum(alphas))
    return gamma**total * rising(rest, total) / prod(factorial(int(a)) for a in alphas)


def all_below(alphas: list[Fraction], rest: int, gamma: Fraction) -> Fraction:
    """P_J by its integral, a polynomial's, for whole parameters."""
    whole = Fraction(0)
    for powers in product(range(rest), repeat=len(alphas)):
        left = rest - 1 - sum(powers)
        if left >= 0:
            ways = Fraction(factorial(rest - 1), factorial(left))
            monomial = prod(
                a / (factorial(n) * (a + n)) for a, n in zip(alphas, powers, strict=True)
            )
            whole += ways * monomial * (-gamma) ** sum(powers)
    return front(alphas, Fraction(rest), gamma) * whole


def all_above(alphas: list[int], rest: int, gamma: Fraction) -> Fraction:
    """P(all >= gamma) by inclusion and exclusion over every subset."""
    whole = Fraction(0)
    for size in range(len(alphas) + 1):
        for chosen in combinations(range(len(alphas)), size):
            whole += (-1) ** size * chance(alphas, chosen, rest, gamma)
    return whole


def chance(alphas: list[int], chosen: tuple[int, ...], rest: int, gamma: Fraction) -> Fraction:
    inside = [Fraction(alphas[i]) for i in chosen]
    others = rest + sum(alphas) - int(sum(inside))
    return all_below(inside, others, gamma) if others else Fraction(0)


def level_sum(alphas: list[int], size: int, rest: int, gamma: Fraction) -> Fraction:
    subsets = combinations(range(len(alphas)), size)
    return sum((chance(alphas, chosen, rest, gamma) for chosen in subsets), Fraction(0))


@repeatable
@given(alphas=CHOICES, rest=REST, share=SHARE)
def test_choice_probability(alphas: list[int], rest: int, share: Fraction) -> None:
    """The integral over the cube is the chance of a_i or more draws in each cell."""
    gamma = share / len(alphas)
    draws = sum(alphas) + rest - 1
    tail = Fraction(0)
    for counts in product(*(range(a, draws + 1) for a in alphas)):
        left = draws - sum(counts)
        if left >= 0:
            ways = factorial(draws) // (factorial(left) * prod(map(factorial, counts)))
            tail += ways * gamma ** sum(counts) * (1 - share) ** left
    assert tail == all_below([Fraction(a) for a in alphas], rest, gamma)


@repeatable
@given(alphas=st.lists(WHOLE, min_size=2, max_size=4), share=SHARE)
def test_not_all_below(alphas: list[int], share: Fraction) -> None:
    """Without a rest the levels below the last are all: they add up to a probability.

    P(all >= gamma) is there known otherwise, by the expansion about gamma.
    """
    gamma = share / len(alphas)
    assert all_above(alphas, 0, gamma) == about_gamma(alphas, 0, gamma)


@repeatable
@given(alphas=CHOICES, rest=REST, share=SHARE)
def test_outward_expansion(alphas: list[int], rest: int, share: Fraction) -> None:
    """For a whole c the series ends, and is the integral."""
    exact = [Fraction(a) for a in alphas]
    gamma, base, c = share / len(alphas), 1 - share, Fraction(rest)
    series = outward(exact, gamma)
    whole = sum(falling(c, n) / base**n * series[n] for n in range(rest))
    assert front(exact, c, gamma) * base ** (rest - 1) * whole == all_below(exact, rest, gamma)


@repeatable
@given(alphas=CHOICES, rest=REST, share=SHARE, more=st.integers(0, 3))
def test_inward_expansion(alphas: list[int], rest: int, share: Fraction, more: int) -> None:
    exact = [Fraction(a) for a in alphas]
    gamma, c = share / (len(alphas) + more), Fraction(rest)
    base, series = 1 + more * gamma, inward(exact, gamma, more)
    whole = sum((-1) ** n * falling(c, n) / base**n * series[n] for n in range(rest))
    assert front(exact, c, gamma) * base ** (rest - 1) * whole == all_below(exact, rest, gamma)


@repeatable
@given(alphas=PARAMETERS, share=SHARE, more=st.integers(0, 3))
def test_coefficient_recurrence(alphas: list[Fraction], share: Fraction, more: int) -> None:
    """(A + M) s_M = p gamma s_(M-1) + sum of a_i s_M of the choice without i, both ways."""
    gamma, count = share / (len(alphas) + more), len(alphas)
    fewer = [alphas[:i] + alphas[i + 1 :] for i in range(count)]
    ways = [
        (count, outward(alphas, gamma), [outward(less, gamma) for less in fewer]),
        (more, inward(alphas, gamma, more), [inward(less, gamma, more + 1) for less in fewer]),
    ]
    for push, whole, parents in ways:
        assert whole[0] == 1
        for n in range(1, LENGTH):
            known = sum(a * parent[n] for a, parent in zip(alphas, parents, strict=True))
            assert (sum(alphas) + n) * whole[n] == push * gamma * whole[n - 1] + known
    assert inward([], gamma, more)[:3] == [1, more * gamma, (more * gamma) ** 2 / 2]


@repeatable
@given(alphas=PARAMETERS, share=SHARE)
def test_coefficients_are_log_concave(alphas: list[Fraction], share: Fraction) -> None:
    series = outward(alphas, share / len(alphas))
    assert all(a * c < b * b for (a, b), (_, c) in pairwise(pairwise(series)))
    small = inward([Fraction(1, 4)], Fraction(1), 0)  # and inward they need not be
    assert small[0] * small[2] > small[1] ** 2


def remainders(terms: Series, start: int) -> Series:
    """Sums of the terms from ``start`` on, up to each of the last ones."""
    sums, whole = [], Fraction(0)
    for term in terms[start:]:
        whole += term
        sums.append(whole)
    return sums


@repeatable
@given(alphas=PARAMETERS, rest=BROKEN_REST, share=SHARE, start=st.integers(1, 8))
def test_outward_remainder(
    alphas: list[Fraction], rest: Fraction, share: Fraction, start: int
) -> None:
    """Past c consecutive partial sums are on both sides; before c there is the ratio."""
    assume(rest.denominator > 1)
    gamma, base = share / 3 / len(alphas), 1 - share / 3
    series = outward(alphas, gamma, 3 * LENGTH)
    terms = [falling(rest, n) / base**n * s for n, s in enumerate(series)]
    first, partial = terms[start], remainders(terms, start)
    assert abs(terms[-1]) < abs(first) / 1000
    if start >= rest - 1:
        assert all(0 < later / first <= 1 for later in partial)
    else:
        ratio = (rest - 1 - start) / base * series[start] / series[start - 1]
        assume(ratio < 1)
        assert all(0 < later / first <= 1 / (1 - ratio) for later in partial)


@repeatable
@given(
    alphas=PARAMETERS,
    rest=BROKEN_REST,
    share=SHARE,
    more=st.integers(0, 2),
    start=st.integers(1, 8),
)
def test_inward_remainder(
    alphas: list[Fraction], rest: Fraction, share: Fraction, more: int, start: int
) -> None:
    assume(rest.denominator > 1)
    levels = len(alphas) + more
    gamma = share / 2 / levels
    base = 1 + more * gamma
    series = inward(alphas, gamma, more, 3 * LENGTH)
    terms = [(-1) ** n * falling(rest, n) / base**n * s for n, s in enumerate(series)]
    first, partial = terms[start], remainders(terms, start)
    # The last partial sum is the remainder but for terms far below the room that the bound leaves.
    assert abs(terms[-1]) < abs(first) / 1000
    assert 0 < partial[-1] / first < 1 / (1 - levels * gamma / base)


@repeatable
@given(alphas=st.lists(WHOLE, min_size=2, max_size=4), rest=st.integers(0, 3), share=SHARE)
def test_levels_bracket(alphas: list[int], rest: int, share: Fraction) -> None:
    gamma = share / len(alphas)
    delta = 1 - about_gamma(alphas, rest, gamma)
    partial = Fraction(0)
    for size in range(1, len(alphas) + 1):
        partial -= (-1) ** size * level_sum(alphas, size, rest, gamma)
        assert (partial - delta) * (-1) ** size <= 0
    assert partial == delta
    for true, levels in product(range(1, 6), range(6)):
        misses = 1 + sum((-1) ** m * comb(true, m) for m in range(1, levels + 1))
        assert misses == (-1) ** levels * comb(true - 1, levels)


@repeatable
@given(alphas=st.lists(WHOLE, min_size=2, max_size=4), rest=st.integers(0, 3), share=SHARE)
def test_survival_bound(alphas: list[int], rest: int, share: Fraction) -> None:
    gamma = share / len(alphas)
    singles = [1 - chance(alphas, (i,), rest, gamma) for i in range(len(alphas))]
    assert 0 < about_gamma(alphas, rest, gamma) < prod(singles)


def about_gamma(alphas: list[int], rest: int, gamma: Fraction) -> Fraction:
    """The expansion about gamma for whole parameters, where it ends."""
    room, mass, total = 1 - len(alphas) * gamma, rest + len(alphas), sum(alphas) + rest
    length = total - mass + 1
    series = convolved([[falling(Fraction(a), n) for n in range(length)] for a in alphas], length)
    whole = sum((room / gamma) ** n / rising(Fraction(mass), n) * s for n, s in enumerate(series))
    scale = Fraction(
        factorial(total - 1), factorial(mass - 1) * prod(factorial(a - 1) for a in alphas)
    )
    return scale * gamma ** (total - mass) * room ** (mass - 1) * whole


@repeatable
@given(alphas=st.lists(WHOLE, min_size=1, max_size=4), rest=REST, share=SHARE)
def test_expansion_about_gamma(alphas: list[int], rest: int, share: Fraction) -> None:
    """Against inclusion and exclusion; for whole parameters it ends, whatever gamma is."""
    gamma = share / len(alphas)
    assert about_gamma(alphas, rest, gamma) == all_above(alphas, rest, gamma)


@repeatable
@given(alphas=PARAMETERS, rest=st.fractions(0, 5, max_denominator=8), reach=SHARE)
def test_majorant(alphas: list[Fraction], rest: Fraction, reach: Fraction) -> None:
    """Term M is at most x^M (B)_M/M!, whose ratios stay below those of the bound."""
    mass, largest = rest + len(alphas), max(abs(a - 1) for a in alphas)
    series = convolved([[falling(a, n) for n in range(LENGTH)] for a in alphas], LENGTH)
    bounds = [reach**n * rising(largest, n) / factorial(n) for n in range(LENGTH)]
    for n in range(LENGTH):
        assert abs(reach**n * series[n] / rising(mass, n)) <= bounds[n]
    for n, later in combinations(range(LENGTH - 1), 2):
        ratio = reach * max(Fraction(1), (largest + n) / (n + 1))
        assert bounds[later + 1] <= ratio * bounds[later]
