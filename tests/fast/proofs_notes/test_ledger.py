"""The laws of proofs_notes/ledger.md, on finite experiments in exact rationals."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from simplexcert.certify.audits.claim import claim_in
from simplexcert.certify.mechanisms.plan import SimplexPlan
from simplexcert.certify.mechanisms.protocol import Claim, PublicSettings
from simplexcert.certify.releasing.ledger.composition import (
    OF_NEIGHBOURS,
    cap_of,
    composed,
    require_within,
)
from simplexcert.certify.releasing.ledger.contents import entry_of
from simplexcert.certify.releasing.ledger.totals import Total, added
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.errors import DomainError

Law = tuple[Fraction, ...]
Experiment = tuple[Law, Law]

SEEDS = range(40)
TRUTH = Fraction(2, 5)
RIGHT = Fraction(4, 5)


def law(draw: random.Random, size: int) -> Law:
    """Return a law on so many outcomes, all of them possible."""
    weights = [draw.randint(1, 12) for _ in range(size)]
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def experiment(draw: random.Random) -> Experiment:
    return law(draw, 3), law(draw, 3)


def hockey_stick(pair: Experiment, threshold: Fraction) -> Fraction:
    return sum(
        (max(p - threshold * q, Fraction(0)) for p, q in zip(*pair, strict=True)), Fraction(0)
    )


def together(first: Experiment, second: Sequence[Experiment]) -> Experiment:
    """Return both answers, the second by the experiment that the first one's outcome chooses."""
    one, other = (
        tuple(a * b for a, then in zip(first[side], second, strict=True) for b in then[side])
        for side in (0, 1)
    )
    return one, other


def power_mean(pair: Experiment, order: int) -> Fraction:
    """Return e^((order - 1) D) of a whole order above 1."""
    return sum((p**order / q ** (order - 1) for p, q in zip(*pair, strict=True)), Fraction(0))


def drawn() -> Iterator[tuple[Experiment, list[Experiment]]]:
    for seed in SEEDS:
        draw = random.Random(seed)  # noqa: S311
        yield experiment(draw), [experiment(draw) for _ in range(3)]


def test_sums_hold_whatever_comes_next() -> None:
    """Thresholds e^epsilon are rationals; after each outcome the second has what is left."""
    least = Fraction(1)
    for first, second in drawn():
        for t1, t in product((Fraction(1), Fraction(5, 4)), (Fraction(3, 2), Fraction(3))):
            left = max(hockey_stick(then, t / t1) for then in second)
            bound = hockey_stick(first, t1) + left
            found = hockey_stick(together(first, second), t)
            assert found <= bound
            least = min(least, bound - found)
    assert least < Fraction(1, 50)  # the bound is met nearly


def two_columns(first: tuple[int, int], second: tuple[int, int]) -> str:
    """Return 20 records of two columns with so many u and v in each."""
    columns = [["u"] * u + ["v"] * v for u, v in (first, second)]
    return "\n".join(["A,B", *(",".join(pair) for pair in zip(*columns, strict=True))])


def counts_of(column: str, eta: str = "1/10") -> tuple[Claim, PublicSettings]:
    release = {"mechanism": "dirichlet.counts", "k": 3, "eta": eta, "N": 20, "n": 2}
    said = {"epsilon": 1, "delta": "1/20"}
    data = {"column": column, "categories": ["u", "v"], "public": []}
    settings = PublicSettings("it", release, data, frozenset())
    return claim_in({"release": release, "claim": said}, "it"), settings


def asked(column: str, file: Path, eta: str = "1/10") -> tuple[Fraction, ...] | None:
    """Return what the first or the second column's shares are drawn from; None where refused."""
    claim, settings = counts_of(column, eta)
    try:
        plan = claim.mechanism.plan(claim, settings, file)
    except DomainError:
        return None
    assert isinstance(plan, SimplexPlan)
    return plan.rows[0].alpha


def test_a_refusal_is_an_answer(tmp_path: Path) -> None:
    """After a first share below 1/2 the second column is asked, else the first one again."""
    x, y = tmp_path / "x.csv", tmp_path / "y.csv"
    x.write_text(two_columns((10, 10), (2, 18)), encoding="utf-8")
    y.write_text(two_columns((9, 11), (1, 19)), encoding="utf-8")
    records, others = (Counter(file.read_text().split()) for file in (x, y))
    assert sum((records - others).values()) == sum((others - records).values()) == 1
    assert asked("A", x) == (Fraction(3, 2), Fraction(3, 2))  # so that half of all answers are low
    assert asked("A", y) == (Fraction(27, 20), Fraction(33, 20))
    assert asked("B", x) is not None
    assert asked("B", y) is None
    # Under a cap the floor alone may be chosen on the way: 1/10 after a low answer, else 1/20.
    assert None not in (asked("B", x, "1/20"), asked("B", y, "1/20"))
    for chosen in ("1/10", "1/20"):
        way = [counts_of("A"), counts_of("B", chosen)]
        entries = [entry_of(claim, said.data, private=True) for claim, said in way]
        require_within(cap_of(2, "1/10"), entries, "ledger.json")
    half = Fraction(1, 2)
    entries = [entry_of(claim, said.data, private=True) for claim, said in [counts_of("A")] * 2]
    found = composed(entries)
    assert found.total is not None
    assert found.total.delta == Fraction(1, 10)
    for low in (Fraction(1, 100), half, Fraction(99, 100)):
        # Low and a second release, low and none, high and a second release.
        ways = ((half, Fraction(0), half), (Fraction(0), low, 1 - low))
        for threshold in (Fraction(1), Fraction(3), Fraction(10**9)):
            assert hockey_stick(ways, threshold) >= half > found.total.delta
    assert "might have been after other answers" in OF_NEIGHBOURS
    assert OF_NEIGHBOURS in found.rests_on


def test_divergences_add_up() -> None:
    for first, second in drawn():
        for order in (2, 3, 5):
            bound = power_mean(first, order) * max(power_mean(then, order) for then in second)
            assert power_mean(together(first, second), order) <= bound
        with working_precision(128):
            rest = max(kullback_leibler(then).upper() for then in second)
            whole = kullback_leibler(together(first, second))
            assert not whole > kullback_leibler(first) + rest


def kullback_leibler(pair: Experiment):  # noqa: ANN201
    return sum((ball(p) * (ball(p) / ball(q)).log() for p, q in zip(*pair, strict=True)), ball(0))


def test_smaller_orders_lose_no_more() -> None:
    """E^(1/(order - 1)) does not fall: compared as powers, in rationals; below order 2 in balls."""
    for first, _ in drawn():
        for one, two in ((2, 3), (3, 5), (2, 7)):
            assert power_mean(first, one) ** (two - 1) <= power_mean(first, two) ** (one - 1)
        with working_precision(128):
            assert not kullback_leibler(first) > ball(power_mean(first, 2)).log()


def test_exact_totals_want_fixed_parameters() -> None:
    first = ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3)))
    tells = ((TRUTH, Fraction(0), 1 - TRUTH), (Fraction(0), TRUTH, 1 - TRUTH))
    answers = ((RIGHT, 1 - RIGHT), (1 - RIGHT, RIGHT))
    at = Fraction(3, 2)
    assert hockey_stick(together(first, [tells, tells]), at) == Fraction(1, 2)
    assert hockey_stick(together(first, [answers, answers]), at) == Fraction(1, 2)
    assert hockey_stick(together(first, [answers, tells]), at) == Fraction(17, 30)


def test_what_was_spent_on_the_way_is_no_total() -> None:
    """After the first outcome the same release comes again, after the second nothing follows."""
    first = ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3)))
    nothing = ((Fraction(1),), (Fraction(1),))
    stopped = together(first, [first, nothing])
    assert hockey_stick(first, Fraction(2)) == 0
    assert hockey_stick(stopped, Fraction(2)) == Fraction(2, 9)
    assert power_mean(first, 2) == Fraction(3, 2)
    assert power_mean(stopped, 2) == Fraction(13, 6) < Fraction(3, 2) ** 2


def choosing(
    draw: random.Random, left: tuple[Fraction, Fraction], releases: int
) -> tuple[Experiment, tuple[Fraction, Fraction]]:
    """Return a tree of releases that each answer chooses anew, and the most that a path spends.

    Where what is left of a factor e^epsilon and a delta does not suffice, nothing follows.
    """
    nothing = ((Fraction(1),), (Fraction(1),)), (Fraction(1), Fraction(0))
    if not releases:
        return nothing
    one = experiment(draw)
    at = draw.choice((Fraction(9, 8), Fraction(3, 2)))
    spent = hockey_stick(one, at)
    if at > left[0] or spent > left[1]:
        return nothing
    further = (left[0] / at, left[1] - spent)
    then = [choosing(draw, further, releases - 1) for _ in one[0]]
    most = max(at * t for _, (t, _) in then), max(spent + d for _, (_, d) in then)
    return together(one, [tree for tree, _ in then]), most


def test_a_cap_holds_whatever_comes_next() -> None:
    """The factors and deltas of every path stay within the cap, and so does the whole tree."""
    cap, most, all_paths = (Fraction(2), Fraction(2, 5)), Fraction(0), 0
    for seed in range(200):
        tree, spent = choosing(random.Random(seed), cap, 3)  # noqa: S311
        assert spent[0] <= cap[0]
        assert spent[1] <= cap[1]
        found = hockey_stick(tree, cap[0])
        assert found <= cap[1]
        most, all_paths = max(most, found), all_paths + len(tree[0])
    assert most > Fraction(1, 20)  # so the cap is put to a test
    assert all_paths > 1_000


def test_a_cap_holds_pointwise() -> None:
    """Each release's ratio is bounded after every answer: on each path by the product."""
    for seed in SEEDS:
        draw = random.Random(seed)  # noqa: S311
        first, *then = (experiment(draw) for _ in range(4))
        whole = together(first, then)
        paths = [
            ratio(first, at) * ratio(one, to)
            for at, one in enumerate(then)
            for to in range(len(one[0]))
        ]
        assert [ratio(whole, at) for at in range(len(whole[0]))] == paths


def ratio(pair: Experiment, at: int) -> Fraction:
    return pair[0][at] / pair[1][at]


def test_the_order_of_fixed_releases_is_free() -> None:
    """The first outcome chooses which of two comes second; the other one comes third."""
    for seed in SEEDS:
        draw = random.Random(seed)  # noqa: S311
        first, one, other = experiment(draw), experiment(draw), experiment(draw)
        orders = [together(one, [other] * 3), together(other, [one] * 3)]
        plain = together(first, [orders[0]] * 3)
        chosen = together(first, [orders[0], orders[1], orders[0]])
        cut_short = together(first, [orders[0], other, orders[1]])
        for t in (Fraction(1, 2), Fraction(1), Fraction(2)):
            assert hockey_stick(chosen, t) == hockey_stick(plain, t)
            assert hockey_stick(cut_short, t) <= hockey_stick(plain, t)


def test_what_is_not_seen_is_not_lost() -> None:
    for first, (then, *_) in drawn():
        same = (then[0], then[0])
        for t in (Fraction(1, 2), Fraction(1), Fraction(2)):
            assert hockey_stick(together(first, [same] * 3), t) == hockey_stick(first, t)
            assert hockey_stick(same, t) <= hockey_stick(then, t)


def test_one_row_at_a_time() -> None:
    """Two releases of two rows each; the data differ in one row, the other one only adds noise."""
    for seed in SEEDS:
        draw = random.Random(seed)  # noqa: S311
        rows = [[experiment(draw), experiment(draw)] for _ in range(2)]
        for changed, t in product((0, 1), (Fraction(1), Fraction(3, 2))):
            whole = [rows_of_release(release, changed) for release in rows]
            found = hockey_stick(together(whole[0], [whole[1]] * len(whole[0][0])), t)
            alone = together(rows[0][changed], [rows[1][changed]] * 3)
            assert found == hockey_stick(alone, t)


def rows_of_release(rows: list[Experiment], changed: int) -> Experiment:
    """Return a release of two rows, of which one has the same law on both sides."""
    same = (rows[1 - changed][0], rows[1 - changed][0])
    return together(rows[changed], [same] * 3)


@pytest.mark.parametrize("t", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)])
def test_exact_losses_do_not_add(t: Fraction) -> None:
    """At the answers (0, 0) the noise's density is 1 or t = e^(-1/scale), up to a factor."""

    def density(secret: int, seen: Callable[[int, int], Sequence[int]]) -> Fraction:
        return sum(
            (Fraction(1, 2) * t ** sum(seen(one, one ^ secret)) for one in (0, 1)), Fraction(0)
        )

    for alone in (lambda one, _: [one], lambda _, two: [two]):
        assert density(0, alone) == density(1, alone)
    ratio = density(0, lambda *both: both) / density(1, lambda *both: both)
    assert ratio == (1 + t**2) / (2 * t) > 1


def test_sums_are_rounded_up() -> None:
    tenths = [(Fraction(1, 10), 3)] * 10
    assert added(tenths) == 3
    long = [(Fraction(1, 3**5_000), 1), (Fraction(1, 7**3_000), 2)]
    exactly = sum((value * times for value, times in long), Fraction(0))
    assert exactly < added(long) < exactly + Fraction(1, 2**4_090)
    shape = Total(Fraction(1, 3), Fraction(2, 3), Fraction(7, 3), "").as_json()
    assert Fraction(shape["epsilon"] or 0) > Fraction(1, 3)
    assert Fraction(shape["delta"] or 0) > Fraction(2, 3)
    assert Fraction(shape["order"] or 0) < Fraction(7, 3)
