"""Max-divergence and closeness: zeros, equal laws, near-equal laws, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb
from simplexcert.reference import DomainError, evaluate
from simplexcert.reference.arb.balls import working_precision
from simplexcert.reference.pufferfish.divergence import log_ratio


def answers(name: str, **given: object) -> tuple[Fraction | float, Fraction | None]:
    """Return the lower end and the exact value; both engines were asked."""
    one, other = (evaluate(f"pufferfish.{name}", given, engine=e) for e in ("arb", "second"))
    assert one.narrow
    assert other.narrow
    assert one.rigorous
    assert other.rigorous
    assert one.enclosure.overlaps(other.enclosure)
    return one.lower, one.exact


def test_zeros_on_top_are_left_out() -> None:
    found, _ = answers("max_divergence", p=["1/2", "1/2", 0], q=["1/4", "1/2", "1/4"])
    assert Fraction("0.693147") < found < Fraction("0.693148")


@pytest.mark.parametrize("name", ["max_divergence", "closeness"])
def test_a_point_that_only_one_law_gives_is_infinite(name: str) -> None:
    more = {"secrets": [[1, 2]]} if name == "closeness" else {}
    assert answers(name, p=["1/2", "1/2"], q=[1, 0], **more) == (float("inf"), None)


def test_closeness_is_infinite_either_way() -> None:
    for p, q in (([1, 0, 0], ["1/2", "1/2", 0]), (["1/2", "1/2", 0], [1, 0, 0])):
        assert answers("closeness", p=p, q=q, secrets=[[1, 2]])[0] == float("inf")
        assert answers("closeness", p=p, q=q, secrets=[[1], [2]])[0] == float("inf")


def test_a_secret_impossible_under_both_is_left_out() -> None:
    given = {"p": ["1/2", "1/2", 0], "q": ["1/2", "1/2", 0]}
    assert answers("closeness", **given, secrets=[[3], [1, 2]])[1] == 0
    assert answers("closeness", **given, secrets=[[3]])[1] == 0


def test_equal_laws_are_known_to_be_equal() -> None:
    law = ["1/3", "1/3", "1/3"]
    assert answers("max_divergence", p=law, q=law)[1] == 0
    assert answers("closeness", p=law, q=["1/4", "1/4", "1/2"], secrets=[[1, 2]])[1] == 0


def test_laws_that_hardly_differ() -> None:
    tiny = Fraction(1, 10**40)
    half = Fraction(1, 2)
    found, exact = answers("max_divergence", p=[half + tiny, half - tiny], q=[half, half])
    assert exact is None
    # log(1 + 2 tiny), which is 2 tiny to forty digits.
    assert abs(found / (2 * tiny) - 1) < Fraction(1, 10**18)


def test_the_logarithm_of_a_ratio_near_one_keeps_the_working_precision() -> None:
    with working_precision(128):
        found = log_ratio(1 + Fraction(1, 10**40))
        assert isinstance(found, arb)
        assert found.rel_accuracy_bits() > 100


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"q": ["1/2", "1/4", "1/4"]}, "p and q of equal length"),
        ({"secrets": [[1, 3]]}, "every number in secrets at most the length of p"),
        ({"secrets": [[0]]}, "secrets"),
        ({"p": ["1/2", "1/4"]}, "sum"),
    ],
)
def test_outside_the_domain_a_sentence_says_why(given: dict[str, object], sentence: str) -> None:
    whole = {"p": ["1/2", "1/2"], "q": ["1/4", "3/4"], "secrets": [[1, 2]]}
    assert evaluate("pufferfish.closeness", whole).narrow
    with pytest.raises(DomainError, match=sentence):
        evaluate("pufferfish.closeness", {**whole, **given})
