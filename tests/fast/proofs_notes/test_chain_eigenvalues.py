"""The laws of proofs_notes/chain-eigenvalues.md: a test named for each heading."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from math import comb, lcm, prod

from ball_checks import as_ball, seeded
from drawn_chains import some_chain, some_sparse_chain
from flint import fmpq, fmpq_poly, fmpz, fmpz_poly
from instances import instances
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.markov.eigenvalues import (
    characteristic_numerator,
    eigenvalue_moduli,
    in_order,
)
from simplexcert.reference.markov.stationary import exact_matrix
from simplexcert.reference.markov.structure import closed_classes, period
from simplexcert.reference.second.directed import Span
from simplexcert.reference.second.markov.eigenvalues import roots_in_unit_disk
from simplexcert.reference.structures import Matrix


def numerators(chain: Matrix) -> int:
    return prod(lcm(*(entry.denominator for entry in row)) for row in chain)


def test_bounded_coefficients() -> None:
    rng = seeded("bounded")
    for _ in range(instances(20, 60)):
        chain = some_chain(rng, rng.randint(2, 7))
        found, leading, size = characteristic_numerator(chain), numerators(chain), len(chain)
        assert fmpq_poly(found) == exact_matrix(chain).charpoly() * leading
        assert all(abs(int(c)) <= leading * comb(size, at) for at, c in enumerate(found.coeffs()))

    # The first prime that is tried divides these denominators.
    first = next(p for p in count(2**62 - 1, -1) if fmpz(p).is_prime())
    share = Fraction(1, first)
    chain = ((share, 1 - share), (2 * share, 1 - 2 * share))
    assert fmpq_poly(characteristic_numerator(chain)) == exact_matrix(chain).charpoly() * first**2


def test_modulus_one() -> None:
    rng = seeded("modulus one")
    seen = set()
    for _ in range(instances(20, 60)):
        chain = some_sparse_chain(rng, rng.randint(2, 5))
        classes = closed_classes(chain)
        rest = characteristic_numerator(chain)
        periods = [period([[chain[x][y] for y in part] for x in part]) for part in classes]
        for steps in periods:
            rest, left = divmod(rest, fmpz_poly([-1] + [0] * (steps - 1) + [1]))
            assert left == 0
        moduli = eigenvalue_moduli(chain)
        assert list(moduli[: sum(periods)]) == [1] * sum(periods)
        assert all(as_ball(modulus) < 1 for modulus in moduli[sum(periods) :])
        seen.add((len(classes), max(periods)))
    assert len(seen) >= 4


def test_sorted_ends() -> None:
    rng = seeded("ends")
    for _ in range(instances(66, 200)):
        numbers = [Fraction(rng.randint(0, 40), 8) for _ in range(rng.randint(1, 6))]
        balls = [
            ball(x - Fraction(rng.randint(0, 9), 8)).union(ball(x + Fraction(rng.randint(0, 9), 8)))
            for x in numbers
        ]
        found = in_order(balls)
        ordered = sorted(numbers, reverse=True)
        assert all(as_ball(each).contains(ball(x)) for each, x in zip(found, ordered, strict=True))
        assert in_order(numbers) == tuple(ordered)


def test_roots_around_their_mean() -> None:
    rng = seeded("mean")
    for _ in range(instances(10, 30)):
        p = fmpz_poly([rng.randint(-9, 9) for _ in range(4)] + [rng.randint(1, 9)])
        a, bits, degree = rng.randint(-50, 50), rng.randint(0, 6), p.degree()
        q = fmpq_poly(p)(fmpq_poly([fmpq(a, 2**bits), fmpq(1, 2**bits)])) * 2 ** (bits * degree)
        assert q.denom() == 1
        point = fmpq(rng.randint(-99, 99), 7)
        assert q(point) == 2 ** (bits * degree) * fmpq_poly(p)((point + a) / 2**bits)


def test_roots_in_a_disk() -> None:
    """Polynomials of chosen roots, of modulus up to 2.8, none of them on the rim."""
    rng = seeded("disk")
    decided = 0
    for _ in range(300):
        polynomial, inside = fmpq_poly([1]), 0
        for _ in range(rng.randint(1, 4)):
            x, y = fmpq(rng.randint(-20, 20), 10), fmpq(rng.choice([0, rng.randint(1, 20)]), 10)
            size = x * x + y * y
            if size != 1:
                factor = [size, -2 * x, 1] if y else [-x, 1]
                polynomial *= fmpq_poly(factor)
                inside += (len(factor) - 1) * (size < 1)
        spans = [Span.of(Fraction(int(c.p), int(c.q)), 200) for c in polynomial.coeffs()]
        found = roots_in_unit_disk(spans)
        assert found in (None, inside)
        decided += found is not None
    assert decided > 200
    on_the_rim = [Span.of(c, 64) for c in (1, 0, 1)]
    assert roots_in_unit_disk(on_the_rim) is None
    leading_zero = [Span.of(c, 64) for c in (1, 2, 0)]
    assert roots_in_unit_disk(leading_zero) == 1
