"""The printed bounds as quantities: what refutes them, what they refuse, and where they are 0."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from each import each_of
from flint import arb
from simplexcert.reference import evaluate, quantities
from simplexcert.reference.arb.balls import working_precision
from simplexcert.reference.errors import DomainError
from simplexcert.reference.markov import printed

if TYPE_CHECKING:
    from simplexcert.reference import Answer


RARE = [[499999, 1, 500000], [2, 1, 2], [500000, 1, 499999]]
RARE_K = ["1.5e6", "7.5", "1.5e6"]
EQUAL, EQUAL_K = [[481, 481, *[1] * 38]] * 40, [1500] * 40
ALIKE = [["0.98", "0.01", "0.01"]] * 3
MOVED = [["0.981", "0.01", "0.009"], *ALIKE[1:]]
PERMUTATION = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
TWO_CLASSES = [[1, 0, 0], [0, 1, 0], ["1/2", "1/2", 0]]
ROWS = {"k": 10, "eta": "0.1", "eta_bar": "0.051", "w": [2, 2, 2]}


def asked(name: str, **given: Any) -> Answer:
    found = evaluate(f"markov.{name}", given)
    assert found.narrow
    return found


def shares(counts: list[list[int]]) -> list[list[str]]:
    return [[f"{seen}/{sum(row)}" for seen in row] for row in counts]


@pytest.mark.parametrize(("counts", "k"), [(RARE, RARE_K), (EQUAL, EQUAL_K)], ids=["rare", "equal"])
def test_theorem_5_lies_below_a_proved_floor(counts: list[list[int]], k: list[Any]) -> None:
    """Both engines: the claim's upper end is below the lower end of what the mean is at least."""
    chain = shares(counts)
    for engine in ("arb", "second"):
        claimed = evaluate(
            "markov.benvenuti2025.theorem_5", {"counts": counts, "k": k}, engine=engine
        )
        floor = evaluate("markov.ergodicity_floor", {"P": chain, "k": k}, engine=engine)
        assert claimed.narrow
        assert floor.narrow
        assert claimed.upper < floor.lower


@pytest.mark.parametrize("sign", ["plus", "minus"])
def test_lemma_5_with_column_sums_lies_below_an_exact_distance(sign: str) -> None:
    sticky = ["0.9895", "0.01", "0.0005"]
    chain, first = [sticky, ["0.1", "0.8995", "0.0005"], sticky], ["0.9885", "0.011", "0.0005"]
    moved_chain = [first, *chain[1:]]
    moved = 2 * asked("stationary_distance", P=chain, Q=moved_chain).exact
    claimed = asked("benvenuti2025.lemma_5", P=chain, Q=moved_chain, norm="column", sign=sign).exact
    assert Fraction(3, 2) * claimed < moved
    true = asked("benvenuti2025.lemma_5", P=chain, Q=moved_chain, norm="row", sign=sign).exact
    assert moved <= true


def test_lemma_5_is_the_number_of_the_note() -> None:
    claimed = asked("benvenuti2025.lemma_5", P=ALIKE, Q=MOVED, norm="column", sign="plus")
    assert claimed.exact == Fraction(1, 1000)
    assert 2 * asked("stationary_distance", P=ALIKE, Q=MOVED).exact == Fraction(49, 24975)


def test_lemma_8_is_the_number_of_the_note() -> None:
    found = asked("benvenuti2025.lemma_8", k="20.6", N=98, n=5)
    assert Fraction("4.137e-70") < found.lower <= found.upper < Fraction("4.138e-70")


def test_theorem_4_is_half_the_norm_of_z_times_theorem_5() -> None:
    counts, k = [[2, 2, 5], [1, 7, 1], [3, 3, 3]], [10, 20, 30]
    root = asked("benvenuti2025.theorem_5", counts=counts, k=k)
    for norm in ("row", "column"):
        for sign in ("plus", "minus"):
            size = asked("fundamental_norm", P=shares(counts), norm=norm, sign=sign).exact
            found = asked("benvenuti2025.theorem_4", counts=counts, k=k, norm=norm, sign=sign)
            assert found.lower <= root.upper * size / 2
            assert found.upper >= root.lower * size / 2


def test_theorem_3_is_the_norm_of_z_times_the_bracket() -> None:
    chain = [["1/2", "1/4", "1/4"], [0, "1/2", "1/2"], ["1/3", "1/3", "1/3"]]
    bracket = asked("fallin2023.bracket", n=3, **ROWS)
    size = asked("fundamental_norm", P=chain, norm="column", sign="minus").exact
    found = asked("fallin2023.theorem_3", P=chain, norm="column", sign="minus", **ROWS)
    assert found.lower <= bracket.upper * size
    assert found.upper >= bracket.lower * size


def test_bracket_takes_the_row_with_the_largest_lower_bound() -> None:
    """What a row's deviations are at least is taken off, so one row of the better kind decides."""
    few, many, both = (
        asked("fallin2023.bracket", n=3, **{**ROWS, "w": w}) for w in ([1] * 3, [3] * 3, [3, 1, 3])
    )
    smaller, larger = sorted((few, many), key=lambda found: found.lower)
    assert smaller.upper < larger.lower
    assert (both.lower, both.upper) == (smaller.lower, smaller.upper)


def test_a_chain_that_does_not_change_has_the_bound_0() -> None:
    found = asked("benvenuti2025.lemma_5", P=PERMUTATION, Q=PERMUTATION, norm="row", sign="minus")
    assert found.exact == 0


def test_variance_bound_is_fallin2023_16() -> None:
    assert evaluate("dirichlet.utility.variance_bound", {"k": "9"}).exact == Fraction(1, 40)


def test_states_that_are_left_for_good_add_nothing() -> None:
    """Only the closed class counts: the two last states, with the share 1/2 each."""
    sparse = asked("benvenuti2025.lemma_4", counts=[[5, 1, 0], [0, 3, 3], [0, 3, 3]], k=[1, 9, 9])
    other = asked("benvenuti2025.lemma_4", counts=[[1, 1, 4], [0, 3, 3], [0, 3, 3]], k=[99, 9, 9])
    assert sparse.lower == other.lower
    assert sparse.upper == other.upper


def test_a_share_that_is_not_known_to_be_0_is_not_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A wide ball around 0 is neither 0 nor certainly not; its row has to count."""
    unknown = arb(0, 1)
    monkeypatch.setattr(printed, "law_of", lambda _: (unknown, unknown))
    with working_precision(128):
        found = printed.lemma_4(((2, 2), (2, 2)), (Fraction(1), Fraction(1)))
    assert found.rad() > 1


@each_of(
    "name, given, says",
    [
        ("benvenuti2025.lemma_4", {"counts": [[1, 1, 1], [1, 1, 0], [1, 1, 1]], "k": [1, 1, 1]},
         "row 2 has 2 records, and there are 3 states"),
        ("benvenuti2025.theorem_5", {"counts": [[2, 0], [0, 2]], "k": [1, 1]}, r"\{1\}, \{2\}"),
        ("benvenuti2025.theorem_5", {"counts": [[2, 1], [1, 2]], "k": [1, 1, 1]},
         "there are 2 rows and 3 entries"),
        ("benvenuti2025.lemma_5", {"P": ALIKE, "Q": [["1/2", "1/2"]] * 2, "norm": "row",
                                   "sign": "plus"}, "P has 3 rows, Q has 2"),
        ("benvenuti2025.lemma_5", {"P": TWO_CLASSES, "Q": ALIKE, "norm": "row", "sign": "plus"},
         r"\{1\}, \{2\}"),
        ("benvenuti2025.lemma_5", {"P": ALIKE, "Q": MOVED, "norm": "largest", "sign": "plus"},
         "norm one of row, column"),
        ("benvenuti2025.lemma_8", {"k": 1, "N": 3, "n": 4}, "n <= N"),
        ("fallin2023.bracket", {"n": 3, **ROWS, "w": [2, 10, 2]}, "row 2 has 10 protected"),
        ("fallin2023.bracket", {"n": 3, **ROWS, "w": [2, 2]}, "there are 3 rows and 2 sizes"),
        ("fallin2023.theorem_3", {"P": ALIKE, **ROWS, "w": [2], "norm": "row", "sign": "plus"},
         "there are 3 rows and 1 sizes"),
        ("fallin2023.theorem_3", {"P": TWO_CLASSES, **ROWS, "norm": "row", "sign": "plus"},
         r"\{1\}, \{2\}"),
    ],
)  # fmt: skip
def test_what_has_no_value_is_refused_with_the_reason(
    name: str, given: dict[str, Any], says: str
) -> None:
    with pytest.raises(DomainError, match=says):
        evaluate(f"markov.{name}", given)


def test_every_printed_bound_has_its_paper_as_the_source() -> None:
    for paper in ("benvenuti2025", "fallin2023"):
        found = quantities(f"markov.{paper}.*")
        assert found
        assert all(item.source.startswith(paper) for item in found.values())
