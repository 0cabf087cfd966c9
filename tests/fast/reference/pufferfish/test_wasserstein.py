"""Finite instantiations: which pair sets the scale, impossible secrets, refusals, both engines."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from each import each_of
from instances import instances
from simplexcert.reference import DomainError, evaluate
from simplexcert.reference.pufferfish.wasserstein import Farthest, farthest

# Two bits: data sets 00, 01, 10, 11 with the sum as the query; the secrets are each bit's value.
VALUES = tuple(map(Fraction, (0, 1, 1, 2)))
SECRETS = ((1, 2), (3, 4), (1, 3), (2, 4))
PAIRS = ((1, 2), (3, 4))
FAIR = (Fraction(1, 4),) * 4
TWINS = tuple(Fraction(x) for x in ("1/2", "0", "0", "1/2"))
ZEROS = (Fraction(1), Fraction(0), Fraction(0), Fraction(0))


def given(laws: object, **more: object) -> dict[str, object]:
    return {"values": VALUES, "laws": laws, "secrets": SECRETS, "pairs": PAIRS, **more}


def scale(laws: object, epsilon: object = 1) -> Fraction:
    asked = given(laws, epsilon=epsilon)
    one, other = (
        evaluate("pufferfish.wasserstein_scale", asked, engine=e).exact for e in ("arb", "second")
    )
    assert one is not None
    assert one == other
    return one


def test_differential_privacy_is_the_case_of_independent_records() -> None:
    laws = [
        tuple((a if x else 1 - a) * (b if y else 1 - b) for x, y in product((0, 1), repeat=2))
        for a, b in product([Fraction(k, 5) for k in range(6)], repeat=2)
    ]
    assert scale(laws, "1/2") == 2


def test_records_that_agree_need_twice_the_scale() -> None:
    assert scale([TWINS]) == 2
    assert scale([FAIR, TWINS], 4) == Fraction(1, 2)


def test_a_pair_with_an_impossible_secret_is_left_out() -> None:
    assert scale([ZEROS]) == 0
    for engine in ("arb", "second"):
        found = evaluate("pufferfish.instantiation_loss", given([ZEROS], scale=1), engine=engine)
        assert found.upper == 0


def test_the_pair_and_the_law_that_set_the_scale_are_named() -> None:
    uneven = tuple(map(Fraction, ("1/2", "1/2", "0", "0")))
    found = farthest(VALUES, (ZEROS, uneven, FAIR, TWINS), SECRETS, PAIRS)
    assert found == Farthest(Fraction(2), 4, (1, 2))
    assert farthest(VALUES, (uneven,), SECRETS, PAIRS) == Farthest(Fraction(1), 1, (3, 4))
    assert farthest(VALUES, (ZEROS,), SECRETS, PAIRS) is None


def test_both_engines_agree_at_random() -> None:
    random = Random(1)  # noqa: S311
    for _ in range(instances(10, 30)):
        size = random.randint(2, 5)
        laws = []
        for _ in range(random.randint(1, 2)):
            weights = [random.choice((0, 1, 3, 1000)) for _ in range(size)]
            weights[0] += 1
            laws.append([Fraction(weight, sum(weights)) for weight in weights])
        asked = {
            "values": [Fraction(random.randint(-9, 9), random.randint(1, 3)) for _ in range(size)],
            "laws": laws,
            "secrets": [random.sample(range(1, size + 1), random.randint(1, size)) for _ in "123"],
            "pairs": [[1, 2], [2, 3]],
        }
        extra = {"wasserstein_scale": "epsilon", "instantiation_loss": "scale"}
        for name, last in extra.items():
            found = [
                evaluate(f"pufferfish.{name}", {**asked, last: "0.7"}, engine=engine)
                for engine in ("arb", "second")
            ]
            assert all(each.narrow for each in found)
            assert found[0].enclosure.overlaps(found[1].enclosure)


def test_the_scale_of_algorithm_one_keeps_its_promise() -> None:
    for laws, epsilon in product(([FAIR], [TWINS], [FAIR, TWINS]), (Fraction(1, 5), Fraction(4))):
        needed = scale(laws, epsilon)
        found = evaluate("pufferfish.instantiation_loss", given(laws, scale=needed))
        assert found.narrow
        assert found.lower <= epsilon


@each_of(
    "change, sentence",
    [
        ({"laws": [FAIR[:3] + (Fraction(1, 8),) * 2]}, "in every law as many entries as in values"),
        ({"laws": [[1, 1, -1, 0]]}, "laws"),
        ({"secrets": [[1, 5], [2]]}, "every number in secrets at most the length of values"),
        ({"pairs": [[1, 5]]}, "every number in pairs at most the number of secrets"),
        ({"pairs": [[1, 2, 3]]}, "pairs"),
        ({"epsilon": 0}, "0 < epsilon"),
    ],
)
def test_outside_the_domain_a_sentence_says_why(change: dict[str, object], sentence: str) -> None:
    whole = given([FAIR], epsilon=1)
    assert evaluate("pufferfish.wasserstein_scale", whole).narrow
    with pytest.raises(DomainError, match=sentence):
        evaluate("pufferfish.wasserstein_scale", {**whole, **change})
