"""The laws of proofs_notes/private-models.md: a test named for each heading."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product
from math import prod
from pathlib import Path

import pytest
from ball_checks import as_ball, meets
from flint import acb, arb
from hypothesis import given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.certify.models import PrivateNaiveBayes, PrivateTables
from simplexcert.certify.models.dirichlet import _Losses, _planned, _upper
from simplexcert.certify.models.noise import (
    GaussianLoss,
    LaplaceLoss,
    _laplace_divergence,
    gaussian_delta,
)
from simplexcert.certify.models.privacy import budget_of
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.arb.gamma import log_gamma
from simplexcert.reference.arb.integration import Cuts, integrate
from simplexcert.reference.dirichlet import add_remove, profile
from simplexcert.reference.dirichlet.renyi_divergence import divergence, gap

EXAMPLES = instances(8, 20)
repeatable = settings(derandomize=True, deadline=None, database=None, max_examples=EXAMPLES)
ZERO, ONE = Fraction(0), Fraction(1)
ROOT = Path(__file__).parents[3]


def between(low: str, high: str) -> st.SearchStrategy[Fraction]:
    return st.fractions(Fraction(low), Fraction(high), max_denominator=32)


FLOORS, STEPS, EPSILONS = between("1/4", "8"), between("1/8", "3"), between("0", "3")
COUNTS = st.lists(st.integers(0, 6), min_size=2, max_size=4)
ORDERS = between("1", "4")


def rising(base: Fraction, count: int) -> Fraction:
    return prod((base + j for j in range(count)), start=ONE)


def finite_step(alpha: Fraction, step: Fraction, order: Fraction) -> Fraction:
    """Return a step at which the divergence is finite at this order."""
    return min(step, alpha / (2 * order))


def laws(counts: list[int], step: Fraction, alpha: Fraction) -> tuple[Fraction, ...]:
    return tuple(step * count + alpha for count in counts)


def moved(one: list[int], other: list[int], same: bool) -> tuple[list[int], list[int]]:
    """Return both vectors after a record has left the first and entered the second, or stayed."""
    first, second = [one[0] - 1, *one[1:]], list(other)
    if same:
        return [first[0], first[1] + 1, *first[2:]], second
    return first, [second[0] + 1, *second[1:]]


def loss_of_table(
    one: list[int], other: list[int], step: Fraction, alpha: Fraction, order: Fraction, same: bool
) -> arb:
    after = moved(one, other, same)
    pairs = zip((one, other), after, strict=True)
    found = [
        as_ball(divergence(laws(u, step, alpha), laws(v, step, alpha), order)) for u, v in pairs
    ]
    return found[0] + found[1]


@repeatable
@given(a=COUNTS, b=COUNTS, alpha=FLOORS, step=STEPS, order=ORDERS, same=st.booleans())
def test_a_table_is_one_move(
    a: list[int], b: list[int], alpha: Fraction, step: Fraction, order: Fraction, same: bool
) -> None:
    """At every order no move within a vector, nor between two, loses more than the pair."""
    step = finite_step(alpha, step, order)
    spent = loss_of_table([a[0] + 1, *a[1:]], b, step, alpha, order, same)
    assert not spent > as_ball(profile.renyi(alpha, step, order))


@repeatable
@given(alpha=FLOORS, step=STEPS, order=ORDERS, tables=st.integers(1, 5))
def test_all_tables_compose(alpha: Fraction, step: Fraction, order: Fraction, tables: int) -> None:
    """M of so many pairs at order - 1 is e^((order - 1) tables D), whichever vector comes first."""
    from simplexcert.reference.dirichlet.composition.moments import LossMoments, Releases

    step = finite_step(alpha, step, order)
    moments = LossMoments(Releases.of([(alpha, step, tables)]), ZERO)
    spent = tables * as_ball(profile.renyi(alpha, step, order)) * ball(order - 1)
    assert moments.logarithm(ball(order - 1)).overlaps(spent)
    first, second = [alpha, alpha + step], [alpha + step, alpha]
    either = [as_ball(divergence(*pair, order)) for pair in ((first, second), (second, first))]
    assert all((tables * found * ball(order - 1)).overlaps(spent) for found in either)


@repeatable
@given(alpha=FLOORS, step=STEPS, order=ORDERS)
def test_two_vectors_cost_less(alpha: Fraction, step: Fraction, order: Fraction) -> None:
    """Strictly, and more and more as the totals grow."""
    step = finite_step(alpha, step, order)
    found = [
        loss_of_table([1, far], [0, far], step, alpha, order, same=False) for far in (0, 1, 5, 50)
    ]
    rising_to = [*found, as_ball(profile.renyi(alpha, step, order))]
    assert all(low < high for low, high in pairwise(rising_to))


@repeatable
@given(counts=COUNTS, alpha=FLOORS, step=STEPS, powers=st.lists(st.integers(0, 3), min_size=4))
def test_sums_cost_nothing(
    counts: list[int], alpha: Fraction, step: Fraction, powers: list[int]
) -> None:
    """E prod of shares^n sum^k of gammas is that of independent Dirichlet and gamma, exactly."""
    shapes = laws(counts, step, alpha)
    total, powers = sum(shapes, ZERO), powers[: len(shapes)]
    powers += [0] * (len(shapes) - len(powers))
    k = sum(powers)
    # E prod X_c^n_c, and E S^k prod (X_c/S)^n_c with S of Gamma(r n_j + d alpha) independent.
    of_gammas = prod((rising(u, n) for u, n in zip(shapes, powers, strict=True)), start=ONE)
    of_shares = of_gammas / rising(total, k)
    assert total == step * sum(counts) + len(counts) * alpha
    assert of_gammas == rising(total, k) * of_shares
    again = as_ball(log_of_dirichlet_moment(shapes, powers)).exp()
    assert meets(again, of_shares)


def log_of_dirichlet_moment(shapes: tuple[Fraction, ...], powers: list[int]) -> arb:
    """Log E prod of shares^n under a Dirichlet law, through its normalising constant."""
    total = sum(shapes, ZERO)
    terms = (log_gamma(u + n) - log_gamma(u) for u, n in zip(shapes, powers, strict=True))
    return sum(terms, arb(0)) + log_gamma(total) - log_gamma(total + sum(powers))


@repeatable
@given(alpha=FLOORS, step=STEPS, order=ORDERS, features=st.integers(1, 4))
def test_same_class_attains(
    alpha: Fraction, step: Fraction, order: Fraction, features: int
) -> None:
    """The only record of its class changes every feature: so many pairs, exactly."""
    step = finite_step(alpha, step, order)
    one = as_ball(divergence(laws([1, 0], step, alpha), laws([0, 1], step, alpha), order))
    assert (features * one).overlaps(features * as_ball(profile.renyi(alpha, step, order)))


@repeatable
@given(
    alpha=FLOORS,
    step=STEPS,
    order=ORDERS,
    sizes=st.lists(st.integers(2, 5), min_size=1, max_size=4),
    records=st.integers(1, 30),
)
def test_class_change_lies_between(
    alpha: Fraction, step: Fraction, order: Fraction, sizes: list[int], records: int
) -> None:
    """The exact divergence of a change of class is below K + 1 pairs."""
    step = finite_step(alpha, step, order)
    here, there = records, records - 1
    spent = as_ball(
        divergence(
            laws([here, there], step, alpha), laws([here - 1, there + 1], step, alpha), order
        )
    )
    for size in sizes:
        rest = [0] * (size - 2)
        left, entered = [1, here - 1, *rest], [0, there, *rest]
        spent += loss_of_table(left, entered, step, alpha, order, same=False)
    assert spent < (len(sizes) + 1) * as_ball(profile.renyi(alpha, step, order))


@repeatable
@given(counts=COUNTS, alpha=FLOORS, step=STEPS, order=ORDERS)
def test_an_added_record_changes_one_cell_of_each_table(
    counts: list[int], alpha: Fraction, step: Fraction, order: Fraction
) -> None:
    """Both directions stay below the gamma pair's."""
    step = finite_step(alpha, step, order)
    u, v = laws(counts, step, alpha), laws([counts[0] + 1, *counts[1:]], step, alpha)
    most = as_ball(add_remove.renyi(alpha, step, order))
    assert divergence(u, v, order) < most
    assert divergence(v, u, order) < most


@repeatable
@given(alpha=FLOORS, step=STEPS, order=ORDERS, count=st.integers(1, 5), removes=st.booleans())
def test_moments_of_gamma_losses(
    alpha: Fraction, step: Fraction, order: Fraction, count: int, removes: bool
) -> None:
    """Log M(order - 1) is (order - 1) count D; M is 1 at 0 and at -1."""
    step = finite_step(alpha, step, order)
    losses = _Losses(alpha, step, count, ZERO, removes)
    ends = (alpha + step, alpha) if removes else (alpha, alpha + step)
    spent = count * ball(order - 1) * gap(*ends, order)
    assert losses.logarithm(ball(order - 1)).overlaps(spent)
    assert losses.logarithm(arb(0)).contains(0)
    assert losses.logarithm(arb(-1)).contains(0)


def by_integral(losses: _Losses, about: Fraction) -> arb:
    """Enclose delta by guarded integration along a line, its end bounded as in the note."""
    rule = _planned(losses, about)
    assert rule is not None
    height = rule.nodes * rule.step

    def integrand(shift: acb, _: Cuts) -> acb:
        point = rule.crossing + acb(0, 1) * shift
        return losses.logarithm(point).exp() / (point * (point + 1))

    beyond = losses.logarithm(acb(rule.crossing, height)).real.exp() / (arb.pi() * height)
    return integrate(integrand, arb(0), height, 60) / arb.pi() + beyond.union(-beyond)


CASES = [("3/2", "1/10", 2, "1/2"), ("1", "1", 2, "3"), ("1/2", "1/100", 14, "1/10"),
         ("50", "1/2", 14, "1")]  # fmt: skip


def test_trapezoid_rule_overestimates() -> None:
    """For adding and removing, against an integral; and for one table against its quantity."""
    about = Fraction(1, 10**6)
    for alpha, step, count, epsilon in CASES:
        for removes in (False, True):
            losses = _Losses(Fraction(alpha), Fraction(step), count, Fraction(epsilon), removes)
            upper, exact = _upper(losses, about), by_integral(losses, about)
            assert isinstance(upper, Fraction)
            assert not ball(upper) < exact
            assert ball(upper) < exact + ball(about) / 1000
        one = _Losses(Fraction(alpha), Fraction(step), 1, Fraction(epsilon), removes=False)
        known = add_remove.delta(one.alpha, one.step, one.epsilon)
        bound = _upper(one, about)
        assert isinstance(bound, Fraction)
        assert known <= ball(bound) < known + ball(about) / 1000


@settings(repeatable, max_examples=8)
@given(alpha=FLOORS, step=STEPS, epsilon=EPSILONS, count=st.integers(2, 6))
def test_gamma_pairs_cost_less_than_beta_pairs(
    alpha: Fraction, step: Fraction, epsilon: Fraction, count: int
) -> None:
    """In both orders, up to what the rule adds."""
    point = {"releases": [[alpha, step, count]], "epsilon": epsilon}
    beta = evaluate("dirichlet.composition.delta", point).upper
    about = Fraction(1, 10**6)
    for removes in (False, True):
        found = _upper(_Losses(alpha, step, count, epsilon, removes), about)
        assert found is not None
        assert found < beta + about / 1000


def laplace_moment(scale: Fraction, order: Fraction) -> arb:
    """E_q (p/q)^order in three pieces, p of Laplace(scale) about 0 and q about 1.

    Left of 0 p/q is e^(1/scale), right of 1 e^(-1/scale), and p has the masses 1/2 and
    e^(-1/scale)/2 there.
    """
    b, rest = ball(scale), ball(order - 1)

    def middle(x: acb, _: Cuts) -> acb:
        return ((1 - 2 * x) * rest / b - x / b).exp() / (2 * b)

    ends = (rest / b).exp() / 2 + (-(rest + 1) / b).exp() / 2
    return ends + integrate(middle, arb(0), arb(1))


@repeatable
@given(scale=between("1/4", "20"), order=between("9/8", "9"), tables=st.integers(1, 14))
def test_noise_on_counts(scale: Fraction, order: Fraction, tables: int) -> None:
    replaced, added = (budget_of(1, None, order, kind) for kind in ("replace", "add_remove"))
    normal = GaussianLoss(scale, tables)
    assert normal.evidence(replaced).upper() == order * tables / scale
    assert normal.evidence(added).upper() == order * tables / scale / 2
    laplace = LaplaceLoss(scale, tables)
    assert laplace.evidence(replaced).times == 2 * laplace.evidence(added).times == 2 * tables
    known = (ball(order - 1) * _laplace_divergence(scale, order)).exp()
    assert known.overlaps(laplace_moment(scale, order))
    exact = gaussian_delta(Fraction(1), Fraction(1))
    assert 0.126936 < exact < 0.126937


def refusing() -> Iterator[str]:
    """Yield each function of the models that raises or warns, by its module."""
    for file in (ROOT / "certify/models").glob("*.py"):
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef) and any(
                isinstance(one, ast.Raise)
                or (isinstance(one, ast.Attribute) and one.attr == "warn")
                for one in ast.walk(function)
            ):
                yield f"{file.stem}.{function.name}"


@pytest.mark.parametrize("neighbours", ["replace", "add_remove"])
def test_refusals_read_public_facts(neighbours: str) -> None:
    """All functions are in the note's table, and the data sets of the domain are all released.

    The divergences of all neighbours, with refusals, are in tests/fast/certify/models.
    """
    note = (ROOT / "proofs_notes/private-models.md").read_text(encoding="utf-8")
    section = note.split("## refusals-read-public-facts")[1].split("## What is not covered")[0]
    listed = re.findall(r"`(\w+\.\w+)`", section)
    assert sorted(listed) == sorted(set(refusing()))
    made = {"epsilon": 1, "order": 2, "neighbours": neighbours}
    model = PrivateNaiveBayes([3], classes=["no", "yes"], **made)
    tables = PrivateTables([2, 2], [[], [0]], **made)
    for count in range(neighbours == "replace", 3):
        for data in combinations_with_replacement(list(product(range(2), range(2))), count):
            fitted = model.fit([[2 * x] for x, _ in data], [("no", "yes")[y] for _, y in data])
            assert fitted.private_
            assert tables.fit(data).private_
