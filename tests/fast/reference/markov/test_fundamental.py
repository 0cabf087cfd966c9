"""Chain quantities: hand-worked values, balls against rationals, and what is refused and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest
from ball_checks import as_ball, meets, seeded
from drawn_chains import some_settling_chain
from each import each_of
from flint import arb, ctx
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import enclosure_of, working_precision
from simplexcert.reference.enclosure import entries_of, mapped, overlap
from simplexcert.reference.errors import DomainError
from simplexcert.reference.markov import fundamental
from simplexcert.reference.markov.fundamental import group_inverse_of, law_of
from simplexcert.reference.markov.stationary import stationary_law
from simplexcert.reference.precision import Budget
from simplexcert.reference.second import opinion_on
from simplexcert.reference.second.markov import fundamental as second_chain
from simplexcert.reference.second.markov import fundamental as second_ergodicity
from simplexcert.reference.second.markov.fundamental import reached
from simplexcert.reference.structures import Matrix

CYCLE = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
SONG = [["9/10", "1/10"], ["4/10", "6/10"]]
# State 1 is left for good; states 2 and 3 take turns.
TURNS = [["1/2", "1/4", "1/4"], [0, 0, 1], [0, 1, 0]]
SPLIT = [[1, 0, 0], ["1/2", 0, "1/2"], [0, 0, 1]]


def exactly(name: str, **parameters: object) -> Any:
    return evaluate(f"markov.{name}", parameters).exact


def in_balls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no chain be cheap in rationals."""
    monkeypatch.setattr(fundamental, "_is_cheap_exactly", lambda chain, states: False)  # noqa: ARG005


def numbers(found: Any) -> Iterator[arb | Fraction]:
    if isinstance(found, tuple):
        for part in found:
            yield from numbers(part)
    else:
        yield found


def fractions(text: str) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(map(Fraction, row.split())) for row in text.split(";"))


def test_song2017_running_example() -> None:
    assert exactly("stationary", P=SONG) == (Fraction(4, 5), Fraction(1, 5))
    assert exactly("group_inverse", P=SONG) == fractions("2/5 -2/5; -8/5 8/5")
    assert exactly("fundamental", P=SONG) == fractions("6/5 -1/5; -4/5 9/5")
    assert exactly("condition_number", P=SONG) == 2


def test_a_cycle_has_them_all_though_it_is_periodic() -> None:
    assert exactly("stationary", P=CYCLE) == (Fraction(1, 3),) * 3
    assert exactly("group_inverse", P=CYCLE) == fractions("1/3 0 -1/3; -1/3 1/3 0; 0 -1/3 1/3")
    assert exactly("condition_number", P=CYCLE) == Fraction(2, 3)


def test_states_that_are_left_for_good() -> None:
    assert exactly("stationary", P=TURNS) == (0, Fraction(1, 2), Fraction(1, 2))
    assert exactly("group_inverse", P=TURNS) == fractions("2 -1 -1; 0 1/4 -1/4; 0 -1/4 1/4")


@each_of(
    "norm, sign, expected",
    [
        ("row", "plus", "13/5"),
        ("row", "minus", "19/5"),
        ("column", "plus", "2"),
        ("column", "minus", "14/5"),
    ],
)
def test_norms_of_both_fundamental_matrices(norm: str, sign: str, expected: str) -> None:
    """Z+ = ((6/5, -1/5), (-4/5, 9/5)) and Z- = ((-2/5, -3/5), (-12/5, 7/5))."""
    assert exactly("fundamental_norm", P=SONG, norm=norm, sign=sign) == Fraction(expected)


def test_distance_of_two_laws() -> None:
    other = [["1/2", "1/2"], ["1/2", "1/2"]]
    assert exactly("stationary_distance", P=SONG, Q=other) == Fraction(3, 10)
    assert exactly("stationary_distance", P=CYCLE, Q=CYCLE) == 0
    assert exactly("stationary_distance", P=CYCLE, Q=TURNS) == Fraction(1, 3)


@each_of(
    "quantity",
    [
        fundamental.stationary,
        fundamental.group_inverse,
        fundamental.fundamental,
        fundamental.condition_number,
        lambda chain: fundamental.fundamental_norm(chain, "row", "minus"),
        lambda chain: fundamental.fundamental_norm(chain, "column", "plus"),
        lambda chain: fundamental.stationary_distance(
            chain, tuple((*row[1:], row[0]) for row in chain)
        ),
    ],
)
def test_balls_and_rationals_agree(
    quantity: Callable[[Matrix], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Zeros that the pattern does not tell are in balls around 0; all others are narrow."""
    rng = seeded("balls")
    chains = [some_settling_chain(rng, size) for size in (2, 3, 4, 5, 8) for _ in range(6)]
    shifted = [tuple((*row[1:], row[0]) for row in chain) for chain in chains]
    chains = [
        chain
        for chain, Q in zip(chains, shifted, strict=True)
        if len(fundamental.closed_classes(Q)) == 1
    ]
    exact = [tuple(numbers(quantity(chain))) for chain in chains]
    in_balls(monkeypatch)
    with working_precision(256):
        for chain, known in zip(chains, exact, strict=True):
            for one, other in zip(known, numbers(quantity(chain)), strict=True):
                assert isinstance(one, Fraction)
                narrow = one == 0 and as_ball(other).contains(0) and as_ball(other).rad() < 1e-40
                assert narrow or meets(one, other, 60)
    assert len(chains) > 20


def test_zeros_of_the_pattern_are_exact_in_balls(monkeypatch: pytest.MonkeyPatch) -> None:
    in_balls(monkeypatch)
    chain = fractions("1/2 1/4 1/4 0; 0 0 1 0; 0 1/3 2/3 0; 1/7 2/7 3/7 1/7")
    law, table = law_of(chain), group_inverse_of(chain)
    assert (law[0], law[3], table[0][3], table[1][0], table[2][3]) == (0, 0, 0, 0, 0)
    assert all(isinstance(table[x][y], Fraction) for x, y in ((0, 3), (1, 0), (2, 3)))
    assert as_ball(table[3][0]) > 0


def test_equal_rows_are_exact_in_balls(monkeypatch: pytest.MonkeyPatch) -> None:
    in_balls(monkeypatch)
    chain = fractions("1/2 1/3 1/6; 1/2 1/3 1/6; 1/2 1/3 1/6")
    assert fundamental.stationary(chain) == chain[0]
    assert fundamental.fundamental(chain) == fractions("1 0 0; 0 1 0; 0 0 1")
    assert fundamental.condition_number(chain) == 1


def test_a_chain_is_at_no_distance_from_itself_in_balls(monkeypatch: pytest.MonkeyPatch) -> None:
    in_balls(monkeypatch)
    chain = fractions("1/2 1/3 1/6; 1/7 2/7 4/7; 0 1/9 8/9")
    assert fundamental.stationary_distance(chain, chain) == 0


def test_as_many_bits_as_the_rationals_have_are_had_from_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So the ladder decides zeros that no ball decides: here all of the first superdiagonal's."""
    monkeypatch.setattr(fundamental, "_CHEAP_SECONDS", -1.0)
    answer = evaluate("markov.group_inverse", {"P": CYCLE})
    assert answer.narrow
    assert answer.exact == fractions("1/3 0 -1/3; -1/3 1/3 0; 0 -1/3 1/3")


def test_chains_too_large_for_rationals_are_answered_in_balls() -> None:
    """Seventy states with counts of eighteen digits: the rationals would take a few seconds."""
    rng = seeded("large")
    chain = tuple(
        tuple(Fraction(count, sum(row)) for count in row)
        for row in [[rng.randrange(10**18) for _ in range(70)] for _ in range(70)]
    )
    answer = evaluate("markov.stationary", {"P": chain})
    assert answer.narrow
    assert answer.exact is None
    law = stationary_law(chain)
    assert overlap(answer.enclosure, mapped(enclosure_of, law))
    kappa = evaluate("markov.condition_number", {"P": chain})
    assert kappa.narrow
    assert kappa.exact is None


def test_an_inverse_that_would_pass_the_deadline_is_not_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_balls(monkeypatch)
    rng = seeded("deadline")
    chain = some_settling_chain(rng, 150)

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(fundamental, "_shifted_balls", refuse)
    for name in ("stationary", "fundamental", "condition_number"):
        answer = evaluate(f"markov.{name}", {"P": chain}, budget=Budget(seconds=0.02))
        assert not answer.narrow


def test_the_precision_is_given_back() -> None:
    before = ctx.prec
    rng = seeded("precision")
    fundamental.fundamental(some_settling_chain(rng, 5))
    assert ctx.prec == before


@each_of("name", ["stationary", "group_inverse", "fundamental", "condition_number"])
def test_two_closed_classes_are_refused_by_name(name: str) -> None:
    with pytest.raises(DomainError, match=r"2 sets of states that are never left \(\{1\}, \{3\}\)"):
        exactly(name, P=SPLIT)


def test_two_closed_classes_of_the_other_chain_are_refused() -> None:
    with pytest.raises(DomainError, match=r"Q with one closed class.*\{1\}, \{3\}"):
        exactly("stationary_distance", P=CYCLE, Q=SPLIT)


def test_chains_of_different_sizes_have_no_distance() -> None:
    with pytest.raises(DomainError, match="P has 3 rows, Q has 2"):
        exactly("stationary_distance", P=CYCLE, Q=SONG)


def test_large_sets_of_states_are_cut_short_in_the_sentence() -> None:
    two = [[int(y == 10 * (x // 10) + (x + 1) % 10) for y in range(20)] for x in range(20)]
    with pytest.raises(DomainError, match=r"\{1, 2, 3, 4, 5, 6, 7, 8, \.\.\.\}, \{11, "):
        exactly("stationary", P=two)


@each_of("name", ["stationary", "group_inverse", "fundamental", "condition_number"])
def test_the_second_opinion_agrees(name: str) -> None:
    rng = seeded(f"second {name}")
    for _ in range(instances(13, 40)):
        chain = some_settling_chain(rng, rng.randint(2, 4))
        first = evaluate(f"markov.{name}", {"P": chain}).enclosure
        second = opinion_on(f"markov.{name}").enclose(128, P=chain)
        assert all(entry.exact is not None for _, entry in entries_of(second))
        assert second.exact == first.exact


def test_the_second_engine_looks_once_from_each_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once for each pair of states would take hours for a chain of 1000."""
    seen = []

    def counted(P: Matrix, source: int) -> set[int]:
        seen.append(source)
        return reached(P, source)

    monkeypatch.setattr(second_chain, "reached", counted)
    size = 12
    cycle = tuple(tuple(Fraction(y == (x + 1) % size) for y in range(size)) for x in range(size))
    answer = evaluate("markov.stationary", {"P": cycle}, engine="second")
    assert answer.exact == (Fraction(1, size),) * size
    assert sorted(seen) == list(range(size))


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("markov.stationary", 12**3 // 2),  # a step of one elimination for each state
        ("markov.communicating_classes", 12**2),  # a state that is reached from another
        ("markov.ergodicity_coefficient", 12**2),  # an entry that is a centre
    ],
)
def test_the_second_engine_looks_at_the_clock_often(
    monkeypatch: pytest.MonkeyPatch, name: str, least: int
) -> None:
    """What comes between two looks is a sum over the states at most."""
    looks = []
    for module in (second_chain, second_ergodicity):
        monkeypatch.setattr(module, "check_budget", lambda: looks.append(1))
    size = 12
    uniform = ((Fraction(1, size),) * size,) * size
    evaluate(name, {"P": uniform}, engine="second")
    assert len(looks) >= least
