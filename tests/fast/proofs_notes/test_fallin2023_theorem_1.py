"""The laws of proofs_notes/fallin2023-theorem-1.md: a test named for each heading."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from ball_checks import as_ball, meets, printed, seeded
from flint import arb
from instances import instances
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.dirichlet import identity, matrix
from simplexcert.reference.dirichlet.tail import routed

K, ETA, ETA_BAR, B, GAMMA = (Fraction(x) for x in ("4", "1/4", "1/5", "1/2", "1/1000"))
ROWS = ((2, GAMMA),) * 3
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
# The claim: epsilon is the logarithm of this, and delta.
ODDS, CLAIMED = Fraction("1198.8"), Fraction("0.005988008")
# Decimals just below and just above the logarithm.
BELOW, ABOVE = Fraction("7.0890763354"), Fraction("7.0890763355")
# The steps in y of the sums for three rows grow by so much; they reach from z/10^6 to 10^7 z.
GROWTH, STEPS = Fraction(11, 10), 330


def exact_delta(rows: int, epsilon: Fraction) -> arb:
    return as_ball(matrix.delta(K, ETA, B, rows, epsilon).value)


def one_row(z: arb | Fraction) -> arb:
    return 1 / (1 + as_ball(z))


def two_rows(z: arb | Fraction) -> arb:
    """Enclose (2 z^2 log z - 3 z^2 + 4 z - 1)/(z - 1)^3."""
    odds = as_ball(z)
    return (2 * odds**2 * odds.log() - 3 * odds**2 + 4 * odds - 1) / (odds - 1) ** 3


def test_claim_at_three_rows() -> None:
    """Theorem 1's two numbers, and that all its assumptions hold."""
    printed_epsilon = as_ball(matrix.epsilon_bound(K, ETA, ETA_BAR, B, ROWS))
    assert meets(printed_epsilon, ball(ODDS).log())
    assert bool(ball(BELOW) < printed_epsilon)
    assert bool(printed_epsilon < ball(ABOVE))
    missed = routed(identity.worst_miss(K, ETA, 2, GAMMA)).value
    assert meets(as_ball(missed), 1 - (1 - 2 * GAMMA) ** 3)
    assert 1 - (1 - 2 * GAMMA) ** 3 == CLAIMED
    point = {"k": K, "eta": ETA, "eta_bar": ETA_BAR, "b": B, "rows": ROWS, "changed_rows": 1}
    assert all(each.holds(point).name == "TRUE" for each in matrix.HYPOTHESES)
    row = [HALF, QUARTER, QUARTER]
    other = [QUARTER, HALF, QUARTER]
    for each in (row, other):
        assert sum(each) == 1
        assert min(each[:2]) >= ETA
        assert sum(each[:2]) <= 1 - ETA_BAR
    assert sum(abs(p - q) for p, q in zip(row, other, strict=True)) == B


def test_odds_of_one_row() -> None:
    """P(Y <= y) = (y/(1+y))^2 of the odds, under Q 1 - 1/(1+y)^2, and dP/dQ = y."""
    random = seeded(1)
    for _ in range(instances(8, 20)):
        y = Fraction(random.randint(1, 999), random.randint(1, 99))
        share = ball(y / (1 + y))
        assert meets(share.beta_lower(arb(2), arb(1), regularized=1), (y / (1 + y)) ** 2)
        assert meets(share.beta_lower(arb(1), arb(2), regularized=1), 1 - 1 / (1 + y) ** 2)
        first, second = 2 * y / (1 + y) ** 3, 2 / (1 + y) ** 3
        assert first == y * second
        assert 1 - (y / (1 + y)) ** 2 - y / (1 + y) ** 2 == 1 / (1 + y)
    for epsilon in (Fraction(1, 2), Fraction(3), ABOVE):
        assert meets(exact_delta(1, epsilon), one_row(ball(epsilon).exp()))


def test_two_rows_in_closed_form() -> None:
    random = seeded(2)
    for _ in range(instances(8, 20)):
        y, z = Fraction(random.randint(1, 99), 7), Fraction(random.randint(1, 99), 4) + 1
        far, cubic = 2 * z**2 / (1 - z) ** 3, 2 / (z - 1)
        parts = far / (y + z) - far / (1 + y) - cubic * (2 * z - 1) / (z - 1) / (1 + y) ** 2
        whole = 2 * y / (1 + y) ** 3 * (1 / (1 + z / y))
        assert parts + cubic / (1 + y) ** 3 == whole
        rational = -cubic * (2 * z - 1) / (z - 1) + cubic / 2
        assert rational == (-3 * z**2 + 4 * z - 1) / (z - 1) ** 3
    for epsilon in (Fraction(1, 2), Fraction(3), ABOVE):
        assert meets(exact_delta(2, epsilon), two_rows(ball(epsilon).exp()))


def steps() -> list[Fraction]:
    return [ODDS / 10**6 * GROWTH**at for at in range(STEPS)]


def test_three_rows_by_steps() -> None:
    """H_3 between two sums of H_2 over steps of the first row's odds."""
    points = steps()
    chances = [(y / (1 + y)) ** 2 for y in points]
    values = [two_rows(ODDS / y) for y in points]
    assert all(bool(less < more) for less, more in pairwise(values))
    low, high = arb(0), ball(chances[0]) * values[0]
    for at, (before, after) in enumerate(pairwise(chances)):
        low += ball(after - before) * values[at]
        high += ball(after - before) * values[at + 1]
    low += ball(1 - chances[-1]) * values[-1]
    high += ball(1 - chances[-1])
    exact = exact_delta(3, ABOVE)
    assert bool(low < exact)
    assert bool(exact < high)
    assert bool(low > 6 * ball(CLAIMED))
    assert bool(high < ball(Fraction("0.0413")))


def test_theorem_1_fails_at_three_rows() -> None:
    """One moving row keeps the claim, two and three break it."""
    one, two, three = (exact_delta(rows, ABOVE) for rows in (1, 2, 3))
    assert bool(one < ball(CLAIMED))
    assert bool(two > ball(CLAIMED * Fraction("1.56")))
    assert bool(three > ball(CLAIMED * Fraction("6.63")))
    assert meets(one, one_row(ball(ABOVE).exp()))
    for rows, text in ((1, "0.000833472245"), (2, "0.009350614862"), (3, "0.0397094600")):
        assert exact_delta(rows, BELOW).overlaps(printed(text))


def test_theorem_1_fails_at_all_rows() -> None:
    """Section V with k = 10, which meets every assumption: from 10 of 32 rows on."""
    k, eta, eta_bar, b, rows = (
        Fraction(10),
        Fraction("0.1"),
        Fraction("0.051"),
        Fraction("0.025"),
        32,
    )
    epsilon = Fraction("1.182242")
    table = ((2, GAMMA),) * rows
    assert bool(as_ball(matrix.epsilon_bound(k, eta, eta_bar, b, table)) < ball(epsilon))
    claimed = as_ball(matrix.delta_bound(k, eta, table).value)
    assert claimed.overlaps(printed("0.017857"))
    point = {"k": k, "eta": eta, "eta_bar": eta_bar, "b": b, "rows": table, "changed_rows": 1}
    assert all(each.holds(point).name == "TRUE" for each in matrix.HYPOTHESES)
    for changed, text in ((1, "9.758e-6"), (9, "0.0165035"), (10, "0.0214938"), (32, "0.1763005")):
        found = as_ball(matrix.delta(k, eta, b, changed, epsilon).value)
        assert found.overlaps(printed(text))
        assert bool(found > claimed) == (changed >= 10)
        assert bool(found < claimed) == (changed < 10)


def test_smallest_delta_is_printed() -> None:
    """Rows with 2 and 5 protected entries: the statement names the first one's, 0.017857."""
    k, eta = Fraction(10), Fraction("0.1")
    few, many = (as_ball(matrix.delta_bound(k, eta, ((w, GAMMA),)).value) for w in (2, 5))
    assert few.overlaps(printed("0.017857"))
    assert many.overlaps(printed("0.044110"))
    assert meets(1 - (1 - few).max(1 - many), few)
    assert bool(few < many)
