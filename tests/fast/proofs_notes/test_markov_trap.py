"""The laws of proofs_notes/markov-trap.md: a test named for each heading."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import TYPE_CHECKING

from ball_checks import as_ball, meets, seeded
from exact_chains import chain_of
from flint import arb, arb_mat
from instances import instances
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.arb.gamma import digamma, log_beta, log_gamma, trigamma
from simplexcert.reference.dirichlet.utility import divergence_from, vertex
from simplexcert.reference.markov import printed
from simplexcert.reference.markov.stationary import stationary_law
from simplexcert.reference.markov.structure import is_irreducible, period

if TYPE_CHECKING:
    from exact_chains import Row, Rows

HALF = Fraction(1, 2)
# The walk's rows: 401, 802, 401 of 1604 records, so that eta = 0.2499 is below 1/4 and below each
# share, and k = 6.01 above 3/(2 eta).
COUNT, ETA, K = 401, Fraction("0.2499"), Fraction("6.01")
PARAMETER = K / 4
TILT = HALF
# The first row's k is so many times what its rare entry asks for at least.
SURE = 2**20


def trap(last: int, halvings: int) -> tuple[tuple[int, ...], ...]:
    """Return the counts of the walk on 0..last; it is entered with probability 2^(1 - halvings)."""
    rows = [[0] * (last + 1) for _ in range(last + 1)]
    rows[0][:3] = [2**halvings - 2, 1, 1]
    for at in range(1, last):
        rows[at][at - 1 : at + 2] = [COUNT, 2 * COUNT, COUNT]
    rows[last][last - 2 :] = [COUNT, COUNT, 2 * COUNT]
    return tuple(map(tuple, rows))


def concentrations(last: int, halvings: int) -> Row:
    return (Fraction(SURE * 2**halvings), *[K] * last)


def law_of_trap(last: int, halvings: int) -> Row:
    """Return the stationary law: in units of the first share 8 r, 12 r, ..., 12 r, 8 r, 4 r."""
    rare = Fraction(1, 2**halvings)
    shares = [Fraction(1), 8 * rare, *[12 * rare] * (last - 3), 8 * rare, 4 * rare]
    return tuple(share / sum(shares) for share in shares)


def is_stationary(law: Row, chain: Rows) -> bool:
    after = [Fraction(0)] * len(law)
    for share, row in zip(law, chain, strict=True):
        for at, entry in enumerate(row):
            if entry:
                after[at] += share * entry
    return tuple(after) == law


def tilted_bound(rows: int) -> tuple[arb, arb]:
    """Enclose (log of a lower bound of P(S >= s), s) for a sum of so many logits.

    d^2 is 3/2 of the tilted variance: the tilted sum is within d of its mean a third of the time.
    """
    a = PARAMETER
    up, down = ball(a + TILT), ball(a - TILT)
    log_moment = log_gamma(a + TILT) + log_gamma(a - TILT) - 2 * log_gamma(a)
    mean, spread = digamma(up) - digamma(down), trigamma(up) + trigamma(down)
    width = (ball(Fraction(3 * rows, 2)) * spread).sqrt()
    level = rows * mean - width
    chance = rows * log_moment - ball(TILT) * (rows * mean + width) - arb(3).log()
    return chance, level


def test_moments_of_a_logit() -> None:
    """Of X = log U/V, U and V Gamma(a): E e^(tX), and its tilted law, log U'/V'."""
    for a, t in product((Fraction(3, 2), PARAMETER, Fraction(4)), (HALF, Fraction(1), -HALF)):
        moment = (log_gamma(a + t) + log_gamma(a - t) - 2 * log_gamma(a)).exp()
        # E r^t (1-r)^(-t) of r = U/(U+V), which is Beta(a, a).
        assert meets(moment, (log_beta(a + t, a - t) - log_beta(a, a)).exp())
    third = Fraction(3, 2)
    assert meets((log_gamma(third + HALF) + log_gamma(third - HALF) - 2 * log_gamma(third)).exp(),
                 4 / arb.pi())  # fmt: skip


def upper_tail(level: arb) -> arb:
    """Enclose P(X >= level) of one logit: r >= 1/(1 + e^-level) of a Beta(a, a)."""
    a = ball(PARAMETER)
    return (1 / (1 + level.exp())).beta_lower(a, a, regularized=1)


def test_tilted_tail() -> None:
    """One logit's tail is at least what Chebyshev's inequality leaves under the tilted law."""
    a = PARAMETER
    for tilt in (Fraction(1, 4), HALF, Fraction(1)):
        up, down = ball(a + tilt), ball(a - tilt)
        log_moment = log_gamma(a + tilt) + log_gamma(a - tilt) - 2 * log_gamma(a)
        mean, spread = digamma(up) - digamma(down), trigamma(up) + trigamma(down)
        for square in (Fraction(3, 2), Fraction(2), Fraction(4)):
            width = (ball(square) * spread).sqrt()
            bound = (log_moment - ball(tilt) * (mean + width)).exp() * ball(1 - 1 / square)
            assert bool(bound > 0)
            assert bool(bound < upper_tail(mean - width))
    chances = [tilted_bound(rows) for rows in (50, 100, 200, 400)]
    gains = [chance + level / 2 for chance, level in chances]
    assert all(bool(less < more) for less, more in pairwise(gains))


def test_trap_holds_the_private_walk() -> None:
    """pi_0 <= 1/(1 + P_01 prod P_j(j+1)/P_j(j-1)), j from 1 to last - 2, for any entries."""
    random = seeded(1)
    for _ in range(instances(20, 60)):
        last = random.randint(4, 7)
        weights = [
            tuple(random.randint(1, 9) * bool(seen) for seen in row) for row in trap(last, 3)
        ]
        chain = chain_of(tuple(weights))
        barrier = chain[0][1]
        for at in range(1, last - 1):
            barrier *= chain[at][at + 1] / chain[at][at - 1]
        assert stationary_law(chain)[0] <= 1 / (1 + barrier)


def test_law_of_the_mean_walk() -> None:
    for last, halvings in ((4, 1), (7, 3), (12, 40)):
        chain = chain_of(trap(last, halvings))
        assert stationary_law(chain) == law_of_trap(last, halvings)
        assert is_irreducible(chain)
        assert period(chain) == 1


def mean_distance_floor(last: int, halvings: int) -> arb:
    """Enclose the product of the two chances and what then the first share loses at least."""
    chance, level = tilted_bound(last - 2)
    assert bool(level.exp() > 2 ** (halvings + 1))
    loss = law_of_trap(last, halvings)[0] - HALF
    return chance.exp() * ball(loss * (1 - Fraction(4, SURE)))


def divergence_of(last: int, halvings: int, cells: int) -> arb:
    """Enclose L with so many cells a row; the rows after the first are alike."""
    counts = trap(last, halvings)
    first = law_of_trap(last, halvings)[0]
    k = concentrations(last, halvings)
    bounds = [
        as_ball(divergence_from(vertex(Fraction(1, sum(row)), cells), each))
        for row, each in zip(counts[:2], k, strict=False)
    ]
    return ball(first) * bounds[0] + ball(1 - first) * bounds[1]


def norms_of_fundamental(chain: Rows, law: Row) -> dict[tuple[str, str], arb]:
    """Enclose the row and the column norm of Z, for either sign, in balls."""
    size = range(len(chain))
    entries = [ball((i == j) - chain[i][j] + law[j]) for i in size for j in size]
    plus = arb_mat(len(chain), len(chain), entries).inv().tolist()
    shares = [2 * ball(share) for share in law]
    minus = [[entry - share for entry, share in zip(row, shares, strict=True)] for row in plus]
    found = {}
    for (sign, rows), norm in product((("plus", plus), ("minus", minus)), ("row", "column")):
        lines = rows if norm == "row" else zip(*rows, strict=True)
        largest = arb(0)
        for line in lines:
            largest = largest.max(sum(map(abs, line), arb(0)))
        found[norm, sign] = largest
    return found


def test_theorem_4_fails_with_impossible_moves() -> None:
    """All readings of the claim: both norms, both signs, and n or 3 cells a row."""
    last, halvings = 250, 313
    counts, k = trap(last, halvings), concentrations(last, halvings)
    chain, law = chain_of(counts), law_of_trap(last, halvings)
    assert is_stationary(law, chain)
    assert is_irreducible(chain)
    assert Fraction(1, 4) > ETA
    assert all(min(filter(None, row)) >= ETA for row in chain[1:])
    assert all(each >= 3 / (2 * ETA) for each in k[1:])
    assert k[0] >= Fraction(3, 2) * 2**halvings == 3 / (2 * min(filter(None, chain[0])))
    assert all(sum(row) >= len(row) for row in counts)
    floor = mean_distance_floor(last, halvings)
    for cells, least in ((len(chain), 340), (3, 3_800)):
        divergence = divergence_of(last, halvings, cells)
        for norm_of_inverse in norms_of_fundamental(chain, law).values():
            claimed = norm_of_inverse * (divergence / 2).sqrt()
            assert claimed.rel_accuracy_bits() > 40
            assert floor.rel_accuracy_bits() > 40
            assert bool(floor > least * claimed)


def test_divergence_of_the_trap() -> None:
    """What the refutation evaluates is what is printed."""
    last, halvings = 6, 5
    counts, k = trap(last, halvings), concentrations(last, halvings)
    norms = norms_of_fundamental(chain_of(counts), law_of_trap(last, halvings))
    assert meets(printed.lemma_4(counts, k), divergence_of(last, halvings, last + 1))
    for (norm, sign), norm_of_inverse in norms.items():
        claimed = norm_of_inverse * (divergence_of(last, halvings, last + 1) / 2).sqrt()
        assert meets(printed.theorem_4(counts, k, norm, sign), claimed)
