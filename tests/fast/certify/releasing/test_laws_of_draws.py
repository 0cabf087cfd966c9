"""Exact draws are draws from their laws, as far as 10^5 of them tell.

Error rate: at one seed all subjects below are one campaign, in which sound samplers are refuted
with a probability of at most 10^-9. It is split evenly: each test refutes at 10^-9 over
TESTS_IN_ALL = 500 (Bonferroni, so the tests need not be independent of each other), half of that on
either side of a binomial count, and no more tests are made than so many.
Here those of seven subjects are made at one seed with a twentieth of the draws, in tests/long all
with all, and again with 10^4 draws at 50 more seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from ball_checks import meets
from counted_draws import TESTS_IN_ALL, Counted, refuting
from each import each_of
from exact_draws import (
    DRAWS,
    SCALE,
    SLOPE,
    SMALL,
    beta_tests,
    dirichlet_tests,
    gamma_tests,
    laplace_tests,
    noise_tests,
    normal_noise_tests,
    published_tests,
    uniform_tests,
)
from simplexcert.reference.sampling import (
    Bits,
    beta,
    dirichlet,
    seeded,
)

# Wider than all enclosed chances are, the widest being that of halves, by thresholds of ten digits;
# a law whose enclosure says nothing would refute nothing.
WIDEST = Fraction(1, 2**11)
TWO = (Fraction(1, 100), Fraction("3.7"))
SEED = 1


@dataclass(frozen=True)
class Subject:
    """What is drawn and counted, and how many tests that makes."""

    name: str
    tests: Callable[[Bits, int], Iterable[Counted]]
    number: int
    in_gate: bool = False

    def __str__(self) -> str:
        return self.name

    def counted(self, seed: int, draws: int = DRAWS) -> list[Counted]:
        return list(self.tests(seeded(seed), draws))


def of_gamma(shape: str, *, in_gate: bool = False) -> Subject:
    exact = Fraction(shape)
    return Subject(f"gamma-{shape}", lambda bits, n: gamma_tests(exact, bits, n), 11, in_gate)


def of_alpha(
    name: str, alpha: tuple[Fraction, ...], number: int, *, in_gate: bool = False
) -> Subject:
    return Subject(name, lambda bits, n: dirichlet_tests(alpha, bits, n), number, in_gate)


SUBJECTS = [
    of_gamma("0.001"),
    of_gamma("0.01"),
    of_gamma("0.5"),
    of_gamma("1", in_gate=True),
    of_gamma("3.7"),
    of_gamma("1000"),
    Subject("beta", lambda bits, n: beta_tests(Fraction(1, 2), Fraction("3.7"), bits, n), 11),
    Subject("uniform", uniform_tests, 34, in_gate=True),
    Subject("laplace", lambda bits, n: laplace_tests(SCALE, bits, n), 47, in_gate=True),
    Subject("published-number", noise_tests, 52, in_gate=True),
    Subject("published-normal", normal_noise_tests, 52, in_gate=True),
    of_alpha("dirichlet-small", SMALL, 37, in_gate=True),
    of_alpha("dirichlet-three", SLOPE, 37),
    of_alpha("dirichlet-two", TWO, 23),
    Subject("published-three", lambda b, n: published_tests(SLOPE, b, n), 46, in_gate=True),
    Subject("published-two", lambda b, n: published_tests(TWO, b, n), 10),
    of_alpha("dirichlet-five", tuple(map(Fraction, ("0.001", "0.1", "1", "10", "1000"))), 59),
]


def test_tests_are_as_many_as_the_false_alarms_are_split_into_and_their_chances_known() -> None:
    assert sum(subject.number for subject in SUBJECTS) <= TESTS_IN_ALL
    for subject in SUBJECTS:
        counted = subject.counted(SEED, draws=10)
        assert len(counted) == subject.number
        assert all(one.chance.upper - one.chance.lower < WIDEST for one in counted)


@each_of("subject", [one for one in SUBJECTS if one.in_gate])
def test_draws_follow_their_law(subject: Subject) -> None:
    assert refuting(subject.counted(SEED, DRAWS // 20)) == []


def test_a_beta_draw_is_the_first_share_of_two() -> None:
    for seed in range(50):
        share = beta(*TWO, seeded(seed)).enclosure(60)
        assert meets(share, dirichlet(TWO, seeded(seed)).enclosures(60)[0])
