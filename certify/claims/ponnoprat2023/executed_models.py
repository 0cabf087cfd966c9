"""Formulas of the note on the models of Section 5, executed in rationals and balls."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ....reference.arb.balls import ball
from ....reference.dirichlet import renyi
from ....reference.dirichlet.renyi_laws import divergence as renyi_divergence
from ....reference.enclosure import Trilean
from ..forms import at_precision, draws
from .forms import divergence, law, number, total

# Counts of two classes that are always in the one bin c, Section 5.1.
CLASS_COUNTS = (9, 1)


@at_precision
def frequencies_are_likeliest() -> bool:
    """Sum N_j log pi_j at pi = N_j/N less the same at another law is N KL, which is above 0."""
    for random in draws(91):
        counts, other = tuple(random.randint(1, 30) for _ in range(3)), law(random)
        own = tuple(Fraction(count, sum(counts)) for count in counts)
        ratios = [
            count * (ball(a) / ball(b)).log()
            for count, a, b in zip(counts, own, other, strict=True)
        ]
        known = sum(counts) * divergence(own, other)
        if not total(ratios).overlaps(known) or (own != other and not known > 0):
            return False
    return True


def posterior_is_the_product() -> bool:
    """Two binary features: P(j, a, b) = P(j) P(a|j) P(b|j) over its sum, by enumeration."""
    for random in draws(92):
        prior = law(random, 2)
        first, second = ([law(random, 2) for _ in prior] for _ in (0, 1))
        joint = {
            (j, a, b): prior[j] * first[j][a] * second[j][b]
            for j in (0, 1)
            for a in (0, 1)
            for b in (0, 1)
        }
        for a, b in ((0, 0), (0, 1), (1, 0), (1, 1)):
            seen = sum(joint[j, a, b] for j in (0, 1))
            if seen and sum(joint[j, a, b] / seen for j in (0, 1)) != 1:
                return False
            products = [prior[j] * first[j][a] * second[j][b] for j in (0, 1)]
            if any(joint[j, a, b] / seen != products[j] / sum(products) for j in (0, 1)):
                return False
    return True


def conditionals_of_one_value_sum_to_one() -> Trilean:
    """Whether P(x = c | y = j), over the classes j, sum to 1, as entries of one draw do."""
    conditionals = [Fraction(count, count) for count in CLASS_COUNTS]
    return Trilean.of(sum(conditionals) == 1)


def means_come_near_the_classes() -> bool:
    """Entries drawn over the classes have means near N_jc/sum_j N_jc, here 9/10 and 1/10."""
    far = Fraction(10**9)
    whole = far * sum(CLASS_COUNTS) + len(CLASS_COUNTS)
    return all(
        abs((far * count + 1) / whole - Fraction(count, sum(CLASS_COUNTS))) < Fraction(1, 10**8)
        for count in CLASS_COUNTS
    )


def means_come_near_the_conditionals() -> bool:
    """Entries drawn over the values sum to 1, with means near N_jc/N_j."""
    far = Fraction(10**9)
    for random in draws(93):
        counts = [random.randint(0, 30) for _ in range(4)]
        whole = sum(counts)
        if not whole:
            continue
        means = [(far * count + 1) / (far * whole + len(counts)) for count in counts]
        near = all(
            abs(mean - Fraction(count, whole)) < Fraction(1, 10**6)
            for mean, count in zip(means, counts, strict=True)
        )
        if sum(means) != 1 or not near:
            return False
    return True


def _after_a_move(
    counts: list[list[int]], source: tuple[int, int], to: tuple[int, int]
) -> list[list[int]]:
    moved = [list(row) for row in counts]
    moved[source[0]][source[1]] -= 1
    moved[to[0]][to[1]] += 1
    return moved


@at_precision
def a_moved_row_costs_no_more() -> bool:
    """Vectors of one table, a record moved within one or between two: at most line 1, D2^2 = 2."""
    for random in draws(94):
        counts = [[random.randint(1, 9) for _ in range(3)] for _ in range(2)]
        source = random.randint(0, 1), random.randint(0, 2)
        to = random.choice([(i, j) for i in (0, 1) for j in (0, 1, 2) if (i, j) != source])
        order, r = 1 + number(random, 0, 80), number(random)
        alpha = 1 + 4 * (order - 1) * r
        spent = arb(0)
        for before, after in zip(counts, _after_a_move(counts, source, to), strict=True):
            u, v = (tuple(r * x + alpha for x in each) for each in (before, after))
            one = renyi_divergence(u, v, order)
            spent += one if isinstance(one, arb) else ball(one)
        if spent > renyi.epsilon_bound(order, r, Fraction(2), Fraction(1)):
            return False
    return True


def gaussian_budget_is_epsilon() -> bool:
    """K + 1 tables of lambda 2/(2 sigma^2), sigma^2 = lambda (K+1)/epsilon; and K likewise."""
    import sympy

    order, epsilon, k = sympy.symbols("lambda epsilon K", positive=True)
    for tables in (k + 1, k):
        variance = order * tables / epsilon
        if sympy.simplify(tables * order * 2 / (2 * variance) - epsilon) != 0:
            return False
    return True


def laplace_budget_is_epsilon() -> Trilean:
    """Whether K + 1 tables, in each two cells of epsilon/K, cost epsilon, K = 1, 2, 3."""
    sums = [2 * (k + 1) * Fraction(1, k) for k in (1, 2, 3)]
    return Trilean.of(all(each <= 1 for each in sums))


@at_precision
def equal_laws_do_not_differ() -> bool:
    """The divergence of a law from itself is 0, at every order."""
    for random in draws(95):
        u = tuple(number(random) for _ in range(3))
        if renyi_divergence(u, u, 1 + number(random)) != 0:
            return False
    return True
