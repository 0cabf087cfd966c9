"""The laws of proofs_notes/published-statements.md, in exact rationals and by closed forms."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

from simplexcert.certify.published.tensorflow_privacy import half_unit, of_one_example
from simplexcert.reference import evaluate

RANDOM = Random("published statements")  # noqa: S311


def test_once_in_each_pass() -> None:
    """Four passes at sigma/m are one Gaussian answer of half of that."""
    for multiplier, moved in product((Fraction(2), Fraction(7, 3)), (1, 2)):
        event = {
            "mechanism": "gaussian",
            "noise_multiplier": str(multiplier / moved),
            "count": 4,
        }
        both = evaluate("composition.delta", events=[event], neighbours="add_remove", epsilon="0.7")
        one = evaluate("gaussian.delta", noise_multiplier=multiplier / moved / 2, epsilon="0.7")
        assert both.lower <= one.upper
        assert one.lower <= both.upper


def clipped_mean(gradients: list[Fraction]) -> Fraction:
    mean = sum(gradients) / len(gradients)
    return max(min(mean, Fraction(1)), Fraction(-1))


def test_microbatches_move_a_sum_by_one_norm_to_two() -> None:
    def moved(others: list[Fraction], one: Fraction, size: int) -> Fraction:
        """The microbatch of a fixed size with and without the record, for which 0 stands then."""
        assert len(others) == size - 1
        return abs(clipped_mean([*others, one]) - clipped_mean([*others, Fraction(0)]))

    for size in (1, 2, 5):
        zeros = [Fraction(0)] * (size - 1)
        assert moved(zeros, Fraction(size), size) == 1
        for _ in range(200):
            others = [Fraction(RANDOM.randint(-90, 90), 10) for _ in zeros]
            assert moved(others, Fraction(RANDOM.randint(-900, 900), 10), size) <= 2
    assert moved([Fraction(4)], Fraction(-8), 2) == 2


def test_a_users_examples_move_most_together() -> None:
    for most in range(1, 8):
        for spread in product(range(most + 1), repeat=3):
            if sum(spread) == most:
                assert sum(each**2 for each in spread) <= most**2


def hockey_stick(p: list[Fraction], q: list[Fraction], factor: Fraction) -> Fraction:
    return sum((max(a - factor * b, Fraction(0)) for a, b in zip(p, q, strict=True)), Fraction(0))


def random_law(size: int) -> list[Fraction]:
    weights = [RANDOM.randint(1, 30) for _ in range(size)]
    return [Fraction(weight, sum(weights)) for weight in weights]


def test_group_privacy() -> None:
    """For laws one after the other, with exp(e) a rational number; and rounded down of a claim."""
    for _ in range(200):
        many, factor = RANDOM.randint(1, 4), 1 + Fraction(RANDOM.randint(1, 20), 10)
        laws = [random_law(4) for _ in range(many + 1)]
        delta = max(hockey_stick(laws[i], laws[i + 1], factor) for i in range(many))
        bound = delta * sum(factor**j for j in range(many))
        assert hockey_stick(laws[0], laws[many], factor**many) <= bound
    for most, epsilon in product((1, 2, 7), ("0", "0.01", "6.425", "900", "5000")):
        delta = Fraction(1, 10**6)
        each, small = of_one_example(Fraction(epsilon), delta, most)
        assert most * each == min(Fraction(epsilon), 1000)
        # 1 + exp(e) + ... is at least what the first terms of exp(j e) sum to.
        least = sum(1 + j * each + (j * each) ** 2 / 2 for j in range(most))
        assert small * least <= delta
    claimed = evaluate("gaussian.delta", noise_multiplier="1", epsilon="0.5")
    # Two examples of a Gaussian answer are one of half the noise; group privacy says more.
    together = evaluate("gaussian.delta", noise_multiplier="0.5", epsilon="1")
    each, small = of_one_example(Fraction(1), Fraction(together.upper), 2)
    assert each == Fraction(1, 2)
    assert small < claimed.lower


def test_a_printed_number_is_rounded() -> None:
    for _ in range(2_000):
        number = RANDOM.uniform(1, 10) * 10.0 ** RANDOM.randint(-8, 8)
        printed = Fraction(f"{number:.3g}")
        assert abs(Fraction(number) - printed) <= half_unit(printed)
        fixed = Fraction(f"{number:12.3f}".strip())
        assert abs(Fraction(number) - fixed) <= Fraction(1, 2000)
    for number in (0.99951, 9.9951, 99.951, 1.0, 10.0, 1e-5):
        printed = Fraction(f"{number:.3g}")
        assert abs(Fraction(number) - printed) <= half_unit(printed) < printed / 100
