"""The laws of proofs_notes/markov-certificate.md: a test named for each heading."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb
from pathlib import Path
from random import Random

import pytest
from ball_checks import as_ball, seeded
from flint import arb
from instances import first
from simplexcert.certify.releasing import draw_release
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.markov.bounds.certificate import (
    certificate_ergodicity,
    certificate_stationary,
    rounding_entry,
    rounding_norm,
)
from simplexcert.reference.markov.ergodicity import ergodicity_coefficient
from simplexcert.reference.markov.fundamental import group_inverse_of
from simplexcert.reference.markov.stationary import stationary_law
from simplexcert.reference.markov.structure import closed_classes
from simplexcert.reference.sampling import largest_remainder, published_vector
from simplexcert.reference.sampling import seeded as seeded_bits

ZERO, ONE = Fraction(0), Fraction(1)
Rows = tuple[tuple[Fraction, ...], ...]
Counts = Sequence[Sequence[int]]
BETA = Fraction(1, 20)


def some_matrix(rng: Random, n: int) -> Rows:
    rows = []
    for _ in range(n):
        counts = [rng.randint(1, 9) for _ in range(n)]
        rows.append(tuple(Fraction(count, sum(counts)) for count in counts))
    return tuple(rows)


def norm(one: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction:
    return sum((abs(x - y) for x, y in zip(one, other, strict=True)), ZERO)


def inverse(P: Rows) -> list[list[Fraction]]:
    rows = [[Fraction(x) for x in row if isinstance(x, Fraction)] for row in group_inverse_of(P)]
    assert all(len(row) == len(P) for row in rows)
    return rows


def kappa(P: Rows) -> Fraction:
    return max(norm(*pair) for pair in combinations(inverse(P), 2)) / 2


def shares(counts: Counts) -> Rows:
    return tuple(tuple(Fraction(count, sum(row)) for count in row) for row in counts)


def laws(P: Rows) -> Iterator[tuple[Fraction, ...]]:
    """Yield the stationary law of each closed class."""
    for closed in closed_classes(P):
        inside = tuple(tuple(P[i][j] for j in closed) for i in closed)
        law = (ONE,) if len(closed) == 1 else stationary_law(inside)
        found = dict(zip(closed, law, strict=True))
        yield tuple(found.get(state, ZERO) for state in range(len(P)))


def beta_below(a: int, b: int, x: Fraction) -> Fraction:
    """Return P(X <= x), X ~ Beta(a, b) with whole parameters, exactly."""
    x, k = min(max(x, ZERO), ONE), a + b - 1
    return sum((comb(k, j) * x**j * (1 - x) ** (k - j) for j in range(a, k + 1)), ZERO)


def sparse_matrix(rng: Random, n: int) -> Rows:
    """Return rows of which some entries are 0; one entry at least is not."""
    rows = []
    for _ in range(n):
        counts = [rng.choice([0, 0, 1, 1, rng.randint(1, 99)]) for _ in range(n)]
        counts[rng.randrange(n)] += 1
        rows.append(tuple(Fraction(count, sum(counts)) for count in counts))
    return tuple(rows)


def rounded(row: Sequence[Fraction], grid_bits: int) -> tuple[Fraction, ...]:
    """Return what is published of a row, by the rounding that releases have."""

    def enclosures(bits: int) -> list[arb]:
        with working_precision(bits):
            return [ball(share) for share in row]

    return tuple(Fraction(n, 1 << grid_bits) for n in largest_remainder(enclosures, grid_bits))


def with_fractions(fractions: Sequence[Fraction], grid_bits: int) -> list[Fraction]:
    """Return a row that has these fractions of a step, all but for distinct, tiny parts of it."""
    n, missing = len(fractions), 2**grid_bits - int(sum(fractions))
    apart = [Fraction(2 * j + 1 - n, 2**120) for j in range(n)]
    steps = [x + y for x, y in zip(fractions, apart, strict=True)]
    steps[0] += missing
    return [step / 2**grid_bits for step in steps]


def test_rounding_of_a_row() -> None:
    rng = seeded("rounding")
    for n, bits in product((2, 3, 4, 5, 8, 9), (0, 1, 2, 3, 6, 53)):
        norm_bound, entry_bound = rounding_norm(n, bits), rounding_entry(n, bits)
        for _ in range(15):
            masses = [rng.randrange(1, 1 << rng.randrange(2, 60)) for _ in range(n)]
            row = [Fraction(mass, sum(masses)) for mass in masses]
            if len({share * 2**bits % 1 for share in row}) == n:  # draws do not tie
                found = rounded(row, bits)
                assert norm(row, found) <= norm_bound
                assert max(abs(x - y) for x, y in zip(row, found, strict=True)) <= entry_bound
        # No smaller numbers will do: these come as near to both as the tiny parts are.
        near = ONE - Fraction(1, 2**90)
        up = min(n // 2, 2**bits)
        row = with_fractions([Fraction(up, n)] * n, bits)
        assert near * norm_bound < norm(row, rounded(row, bits)) <= norm_bound
        row = with_fractions([Fraction(1, n)] * n, bits)
        moved = [abs(x - y) for x, y in zip(row, rounded(row, bits), strict=True)]
        assert near * entry_bound < max(moved) <= entry_bound
    assert rounding_norm(1, 7) == rounding_entry(1, 7) == 0
    # A coordinate that is 0 stays 0.
    assert rounded([ZERO, Fraction(1, 3), Fraction(2, 3)], 0) == (0, 0, 1)


def test_row_radius() -> None:
    for a, b in ((1, 1), (1, 9), (20, 20), (5, 95)):
        p, k = Fraction(a, a + b), a + b
        for r in (Fraction(j, 16) for j in range(1, 32)):
            tail = beta_below(a, b, p - r / 2) + 1 - beta_below(a, b, p + r / 2)
            assert ball(tail) < 2 * ball(-(k + 1) * r**2 / 2).exp()
    # The third row has one transition: it is released as it is, and takes no part of beta.
    sizes, k, beta = (2, 5), (Fraction(300), Fraction(700)), Fraction(1, 20)
    left = ZERO
    half = as_ball(certificate_ergodicity((*k, ONE), (*sizes, 1), beta, 1024))
    radii = 2 * (half - ball(rounding_entry(2, 1024) + rounding_entry(5, 1024)))
    for one, size in zip(k, sizes, strict=True):
        # At r_i the bound is beta/n.
        square = 2 * ball(2 * (2**size - 2) / beta).log() / ball(one + 1)
        assert (ball(-(one + 1) / 2) * square).exp().overlaps(ball(beta / 2 / (2**size - 2)))
        radii -= square.sqrt()
        left += beta / 2
    assert left == beta
    assert radii.contains(0)
    assert radii.rad() < arb(2) ** -40


def test_distance_from_the_private_chain() -> None:
    rng = seeded("certificate")
    several = narrower = 0
    for at, n in enumerate((2, 3, 4) * 20):
        P, Q = sparse_matrix(rng, n), sparse_matrix(rng, n)  # noqa: N806
        if at % 5 == 0:  # the first two states are never left
            P = (*(tuple(Fraction(i == j) for j in range(n)) for i in range(2)), *P[2:])  # noqa: N806
        apart = [norm(*rows) for rows in zip(P, Q, strict=True)]
        change = abs(ergodicity_coefficient(P) - ergodicity_coefficient(Q))
        entries = (
            max(abs(x - y) for x, y in zip(*rows, strict=True)) for rows in zip(P, Q, strict=True)
        )
        assert change <= sum(entries)
        if len(closed_classes(Q)) > 1:
            continue
        found, condition, one = inverse(Q), kappa(Q), stationary_law(Q)
        several += len(closed_classes(P)) > 1
        narrower += 0 in one
        for law in laws(P):
            moved = [
                sum((p * (x[j] - y[j]) for p, x, y in zip(law, P, Q, strict=True)), ZERO)
                for j in range(n)
            ]
            by_identity = [
                sum((v * row[j] for v, row in zip(moved, found, strict=True)), ZERO)
                for j in range(n)
            ]
            assert by_identity == [x - y for x, y in zip(law, one, strict=True)]
            assert norm(law, one) / 2 <= condition * max(apart) / 2
    # Private chains of several closed classes, and released ones that leave states for good.
    assert several > 3
    assert narrower > 10


def test_largest_coefficient() -> None:
    rng = seeded("coefficients")
    for n in (2, 3, 4, 5) * 10:
        assert 0 <= ergodicity_coefficient(sparse_matrix(rng, n)) <= n // 2
    half = (Fraction(1, 2), Fraction(1, 2), ZERO, ZERO)
    units = ((ONE, ZERO, ZERO, ZERO), (ZERO, ONE, ZERO, ZERO))
    drawn = [ergodicity_coefficient(rows) for rows in product(units, repeat=4)]
    assert Fraction(drawn.count(Fraction(2)), len(drawn)) == Fraction(3, 8)
    assert ergodicity_coefficient((half,) * 4) == 0
    # So the second certificate is no more than that, and may be more than 1.
    given = {"k": ["1e-3"] * 4, "sizes": [2] * 4, "beta": BETA, "grid_bits": 53}
    assert evaluate("markov.certificate_ergodicity", given).exact == 2


def released(folder: Path, counts: Counts, k: Sequence[object], grid_bits: int, seed: int) -> Rows:
    """Return the matrix that `release` publishes; transitions that were never made have count 0."""
    states = [f"s{state}" for state in range(len(counts))]
    totals = [sum(row) for row in counts]
    sizes = [sum(map(bool, row)) for row in counts]
    feasible = {
        label: [to for to, count in zip(states, row, strict=True) if count]
        for label, row in zip(states, counts, strict=True)
    }
    claim = folder / "claim.toml"
    claim.write_text(
        f"""[release]
name = "a chain"
mechanism = "markov.model"
k = {json.dumps([str(one) for one in k])}
eta = {json.dumps([f"1/{total}" for total in totals])}
N = {totals}
n = {sizes}
[claim]
epsilon = "1e9"
delta = "0.9999"
[data]
states = {json.dumps(states)}
public = ["eta", "N", "n", "states", "feasible"]
feasible = {{ {", ".join(f"{key} = {json.dumps(value)}" for key, value in feasible.items())} }}
[output]
grid_bits = {grid_bits}
"""
    )
    data = folder / "private.csv"
    data.write_text(
        "".join(
            f"{','.join(map(str, line))}\n"
            for line in (["", *states], *([x, *row] for x, row in zip(states, counts, strict=True)))
        )
    )
    made = draw_release(claim, data, seed=seed).released
    return tuple(tuple(map(Fraction, row)) for row in made.value)


def certified(Q: Rows, counts: Counts, k: Sequence[object], grid_bits: int) -> list[Fraction]:
    """Return both certificates of a release, of the real quantities."""
    sizes = [sum(map(bool, row)) for row in counts]
    given = {"k": list(k), "sizes": sizes, "beta": BETA, "grid_bits": grid_bits}
    found = (
        evaluate("markov.certificate_stationary", {"Q": Q, **given}),
        evaluate("markov.certificate_ergodicity", given),
    )
    return [Fraction(one.upper) for one in found]


def true_changes(P: Rows, Q: Rows) -> list[Fraction]:
    """Return the largest total variation of stationary laws, and the change of the coefficient."""
    change = abs(ergodicity_coefficient(P) - ergodicity_coefficient(Q))
    return [max(norm(p, q) for p in laws(P) for q in laws(Q)) / 2, change]


MADE = [
    # counts, k, grid_bits: shares of a thousandth and less, and rows that are rounded to a vertex.
    (((999, 2), (20, 981)), ("1501.5", "1501.5"), 7),
    (((999, 2), (2, 999)), ("1.01", "100"), 53),
    (((507, 493), (507, 493)), ("1e6", "1e6"), 6),
    (((507, 493), (493, 507)), ("1e6", "1e6"), 6),
    (((50, 2, 48), (20, 30, 50), (2, 2, 96)), ("1e4", "1e4", "1e7"), 10),
    (((30, 30, 40), (33, 33, 34), (40, 30, 30)), ("1e6", "1e6", "1e6"), 20),
    (((300, 2, 2), (150, 150, 4), (2, 0, 302)), ("1e5", "1e6", "1e7"), 30),
    (((99_998, 2, 0), (0, 2, 99_998), (7, 0, 0)), ("1e5", "1e5", "1e5"), 12),
]


@pytest.mark.parametrize(("counts", "k", "grid_bits"), first(4, MADE))
def test_holds_for_what_is_released(
    tmp_path: Path, counts: Counts, k: Sequence[object], grid_bits: int
) -> None:
    P = shares(counts)  # noqa: N806
    for seed in range(2):
        Q = released(tmp_path, counts, k, grid_bits, seed)  # noqa: N806
        for truth, bound in zip(
            true_changes(P, Q), certified(Q, counts, k, grid_bits), strict=True
        ):
            assert truth <= bound


def test_transitions_may_vanish() -> None:
    """The same draws and the same rounding, of chains with shares down to 2^-60, on all grids."""
    rng = seeded("released")
    telling = absorbed = parted = 0
    for at, grid_bits in enumerate([6, 7, 8, 10, 13, 20, 30, 40, 53] * 12):
        n = rng.choice([2, 3, 4])
        counts = [
            [rng.choice([0, 1, 1, 1 << rng.randrange(60)]) + (i == j) for j in range(n)]
            for i in range(n)
        ]
        P = shares(counts)  # noqa: N806
        # No alpha is below a thousandth: the least that is drawn from.
        k = [max(Fraction(10) ** rng.randrange(3, 20), Fraction(sum(row), 1000)) for row in counts]
        Q = tuple(  # noqa: N806
            tuple(published_vector([one * p for p in row], grid_bits, seeded_bits(100 * at + i)))
            for i, (one, row) in enumerate(zip(k, P, strict=True))
        )
        truths, bounds = true_changes(P, Q), certified(Q, counts, k, grid_bits)
        assert truths[0] <= bounds[0]
        assert truths[1] <= bounds[1]
        telling += truths[0] > 0 and bounds[0] < 1
        classes, before = closed_classes(Q), closed_classes(P)
        parted += len(classes) > len(before)
        absorbed += len(classes) == len(before) == 1 and len(classes[0]) < len(before[0])
    assert telling > 10
    assert absorbed > 3
    assert parted > 3


def test_unrounded_certificate_fails(tmp_path: Path) -> None:
    """Each of the four releases of the table, and what would be certified without the rounding."""
    expected: list[tuple[int, Fraction]] = [
        (0, Fraction(1, 11)),
        (0, Fraction(1, 2)),
        (0, Fraction(7, 1000)),
        (1, Fraction(14, 1000)),
    ]
    for (counts, k, grid_bits), (which, change) in zip(MADE, expected, strict=False):
        P = shares(counts)  # noqa: N806
        Q = released(tmp_path, counts, k, grid_bits, seed=1)  # noqa: N806
        assert true_changes(P, Q)[which] == change
        assert certified(Q, counts, k, grid_bits)[which] >= change
        (closed,) = closed_classes(Q)
        inside = tuple(tuple(Q[i][j] for j in closed) for i in closed)
        radii = [(2 * ball(4 / BETA).log() / ball(Fraction(str(one)) + 1)).sqrt() for one in k]
        without = (
            sum(radii, arb(0)) / 2
            if which
            else (ball(kappa(inside)) if len(closed) > 1 else arb(0)) * radii[0] / 2
        )
        assert without < ball(change)


def test_monotone() -> None:
    rng = seeded("monotone")

    def with_one_more(values: Sequence[int]) -> tuple[int, ...]:
        return (values[0] + 1, *values[1:])

    for n in (2, 3, 4) * 5:
        rows = ([rng.randint(2**16, 2**17) for _ in range(n - 1)] for _ in range(n))
        Q = shares([[*row, 2**20 - sum(row)] for row in rows])  # noqa: N806
        k = tuple(Fraction(rng.randint(10**7, 10**9)) for _ in range(n))
        sizes, bits = tuple(rng.randint(n, 9) for _ in range(n)), 20

        def law(**other: object) -> arb:
            given = {"Q": Q, "k": k, "sizes": sizes, "beta": BETA, "grid_bits": bits}  # noqa: B023
            return as_ball(certificate_stationary(**{**given, **other}))  # type: ignore[arg-type]

        def change(**other: object) -> arb:
            given = {"k": k, "sizes": sizes, "beta": BETA, "grid_bits": bits}  # noqa: B023
            return as_ball(certificate_ergodicity(**{**given, **other}))  # type: ignore[arg-type]

        certificate: Callable[..., arb]
        for certificate in (law, change):
            found = certificate()
            assert found < 1
            assert found < certificate(beta=BETA / 2)
            assert found < certificate(sizes=tuple(size + 1 for size in sizes))
            assert found > certificate(k=tuple(one + 1 for one in k))
            assert found > certificate(grid_bits=21)
        one_transition = (1, *sizes[1:])
        assert change(sizes=one_transition) < change(sizes=(2, *sizes[1:]))
        assert change() < change(sizes=with_one_more(sizes))
        assert change() > change(k=(k[0] + 1, *k[1:]))
    for n, b in product(range(1, 40), range(7)):
        for bound in (rounding_norm, rounding_entry):
            assert bound(n, b) < bound(n + 1, b)
            assert bound(n, b + 1) < bound(n, b) or n == 1
