"""What the notes on privacy state in formulas, tried at exact points."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import log_beta, log_gamma
from ....reference.dirichlet import matrix
from ....reference.dirichlet.good_set import good_set_epsilon
from ....reference.dirichlet.tail import Miss, probability
from ..benvenuti2025.deviation import whole_beta
from ..forms import draws
from .inputs import HALF, THREE

_TRIALS = 25
_FIRST_STEPS = (Fraction(1, 2), Fraction(3), Fraction(7))


def _below(first: Fraction, second: Fraction, point: arb) -> arb:
    return point.beta_lower(ball(first), ball(second), regularized=1)


def beta_is_a_ratio_of_gammas() -> bool:
    """Whether B(a, b) = (a-1)! (b-1)!/(a+b-1)! for whole numbers, by integrals of polynomials."""
    for a, b in product(range(1, 7), repeat=2):
        integral = sum((Fraction((-1) ** j * comb(b - 1, j), a + j) for j in range(b)), Fraction(0))
        if integral != whole_beta(a, b):
            return False
    return True


def gamma_recurs() -> bool:
    """Whether log Gamma(k+1) = log k + log Gamma(k), at drawn k."""
    for random in draws(1, _TRIALS):
        k = Fraction(random.randint(1, 999), random.choice((7, 1000)))
        if not log_gamma(k + 1).overlaps(ball(k).log() + log_gamma(k)):
            return False
    return True


def strictly_below() -> bool:
    """Whether P(S) - c Q(S) < P(S) where Q(S) > 0, for the S of a hockey-stick of finite laws."""
    for random in draws(2, _TRIALS):
        rows = [[random.randint(1, 9) for _ in range(5)] for _ in range(2)]
        p, q = ([Fraction(x, sum(row)) for x in row] for row in rows)
        factor = Fraction(random.randint(4, 9), 4)
        loud = [at for at in range(5) if p[at] > factor * q[at]]
        needed = sum((p[at] - factor * q[at] for at in loud), Fraction(0))
        if loud and not needed < sum(p[at] for at in loud):
            return False
    return True


def one_row(z: arb) -> arb:
    """Return the exact delta of one row of THREE at epsilon = log z."""
    return 1 / (1 + z)


def two_rows(z: arb) -> arb:
    """Return the exact delta of two rows of THREE at epsilon = log z."""
    return (2 * z**2 * z.log() - 3 * z**2 + 4 * z - 1) / (z - 1) ** 3


def composition_is_the_closed_form() -> bool:
    """Whether the composition's delta of one and two rows is the closed form, at three epsilons."""
    k, eta, b = (Fraction(x) for x in (THREE.k, THREE.eta, THREE.b))
    for epsilon, (rows, form) in product(_FIRST_STEPS, ((1, one_row), (2, two_rows))):
        found = matrix.delta(k, eta, b, rows, epsilon).value
        if not (found if isinstance(found, arb) else ball(found)).overlaps(
            form(ball(epsilon).exp())
        ):
            return False
    return True


def two_need_more_than_one() -> bool:
    """Whether two changed rows of THREE need more than one, at drawn epsilons."""
    for random in draws(7, _TRIALS):
        z = ball(Fraction(random.randint(11, 20000), 10))
        if not bool(one_row(z) < two_rows(z)):
            return False
    return True


def rows_never_pass_floor_and_step() -> bool:
    """Whether drawn adjacent rows have parameters of at least k eta and steps of at most k T."""
    for random in draws(3, _TRIALS):
        w = random.randint(2, 5)
        eta, b = Fraction(random.randint(1, 9), 10 * w), Fraction(random.randint(1, 10), 10)
        bar = (1 - w * eta) * Fraction(random.randint(1, 9), 10)
        weights = [Fraction(random.randint(0, 9)) for _ in range(w + 1)]
        room = (1 - bar - w * eta) / (sum(weights) or 1)
        row = [eta + room * weight for weight in weights[:w]]
        i, j = random.sample(range(w), 2)
        step = min(b / 2, row[j] - eta)
        other = [x + step * ((at == i) - (at == j)) for at, x in enumerate(row)]
        largest = min(b / 2, 1 - bar - w * eta)
        if min(*row, *other) < eta or sum(other) > 1 - bar or step > largest:
            return False
    return True


def extreme_rows_attain() -> bool:
    """Whether (eta, eta + T, eta, ...) and the exchanged row are admissible and at distance 2T."""
    for random in draws(4, _TRIALS):
        w = random.randint(2, 5)
        eta, b = Fraction(random.randint(1, 9), 10 * w), Fraction(random.randint(1, 10), 10)
        bar = (1 - w * eta) * Fraction(random.randint(1, 9), 10)
        step = min(b / 2, 1 - bar - w * eta)
        row, other = [eta, eta + step], [eta + step, eta]
        distance = sum(abs(x - y) for x, y in zip(row, other, strict=True))
        if sum(row) + (w - 2) * eta > 1 - bar or not distance == 2 * step <= b:
            return False
    return True


def printed_delta_covers_every_row() -> bool:
    """Whether one changed row of any width needs at most the delta of any other row.

    Epsilon is printed, with the largest R of two rows; b/2 fits as the law asks.
    """
    for random in draws(5, _TRIALS):
        widths = [random.randint(2, 4) for _ in range(2)]
        eta = Fraction(random.randint(1, 45), 50 * max(widths))
        bar = (1 - max(widths) * eta) * Fraction(random.randint(1, 9), 10)
        fits = min(Fraction(1, 2), 1 - bar - 2 * eta, 1 - max(widths) * eta)
        t = fits * Fraction(random.randint(1, 99), 100)
        k = Fraction(random.randint(1, 400), random.choice((2, 20, 200)))
        gammas = [Fraction(random.randint(1, 99), 100 * w) for w in widths]
        rows = list(zip(widths, gammas, strict=True))
        w, gamma = max(rows, key=lambda row: 1 / row[1] - row[0])
        epsilon = good_set_epsilon(k, eta, bar, t, w, gamma)
        misses = [probability(Miss.of([k * eta] * m, k - m * k * eta, g)) for m, g in rows]
        for m, _ in rows:
            stick = _hockey_stick(k * eta, k * min(t, 1 - bar - m * eta), epsilon)
            if not all(bool(stick < miss) for miss in misses):
                return False
    return True


def largest_row_decides() -> bool:
    """Whether no step up to b/2 in a row with a smaller R has a larger loss than is printed.

    That is asked where the whole step is the worst in the row with the largest R.
    """
    for random in draws(9, _TRIALS):
        eta, bar = Fraction(random.randint(1, 9), 40), Fraction(random.randint(1, 9), 40)
        t = (1 - bar - 2 * eta) * Fraction(random.randint(1, 99), 100)
        k = Fraction(random.randint(1, 900), 10)
        small, large = sorted(Fraction(x, 100) for x in random.sample(range(1, 50), 2))
        far, near = (ball(k * x).digamma() for x in (1 - bar - eta - t, eta + t))
        if not bool(far + ball((1 - small) / small).log() > near):
            continue
        printed = good_set_epsilon(k, eta, bar, t, 2, small)
        steps = [t * Fraction(share, 8) for share in range(1, 9)]
        losses = [good_set_epsilon(k, eta, bar, step, 2, large) for step in steps]
        if not all(bool(loss < printed) for loss in losses):
            return False
    return True


def epsilon_is_as_displayed() -> bool:
    """Whether the printed epsilon is that of the quantities, at drawn numbers."""
    for random in draws(8, _TRIALS):
        eta, bar = Fraction(random.randint(1, 9), 40), Fraction(random.randint(1, 9), 40)
        t = (1 - bar - 2 * eta) * Fraction(random.randint(1, 99), 100)
        k, gamma = Fraction(random.randint(1, 900), 10), Fraction(random.randint(1, 32), 100)
        far, ratio = 1 - bar - eta, (1 - 2 * gamma) / gamma
        betas = log_beta(k * eta, k * far) - log_beta(k * (eta + t), k * (far - t))
        displayed = betas + ball(k * t) * ball(ratio).log()
        if not displayed.overlaps(good_set_epsilon(k, eta, bar, t, 3, gamma)):
            return False
    return True


def _hockey_stick(alpha: Fraction, step: Fraction, epsilon: arb) -> arb:
    """Enclose the exact delta of the dominating pair at epsilon."""
    point = 1 / (1 + (epsilon / ball(step)).exp())
    whole = _below(alpha, alpha + step, point)
    return whole - epsilon.exp() * _below(alpha + step, alpha, point)


def misses_rise() -> bool:
    """Whether the worst miss rises with |W| and with gamma, so that the largest is 1 - min."""
    for random in draws(10, _TRIALS):
        w = random.randint(1, 4)
        eta, k = Fraction(random.randint(1, 19), 20 * (w + 1)), Fraction(random.randint(1, 400), 10)
        gammas = sorted(Fraction(x, 100 * (w + 1)) for x in random.sample(range(1, 100), 2))
        wide, low, high = (
            probability(Miss.of([k * eta] * size, k - size * k * eta, gamma))
            for size, gamma in ((w + 1, gammas[0]), (w, gammas[0]), (w, gammas[1]))
        )
        if not bool(low < wide) or not bool(low < high):
            return False
    return True


def second_term_is_smaller() -> bool:
    """Whether 1/(1 - eta - eta_bar) < 2 < 1/eta on a grid of Assumption 1."""
    grid = [Fraction(at, 40) for at in range(1, 20)]
    return all(
        1 / (1 - eta - bar) < 1 / HALF < 1 / eta
        for eta, bar in product(grid, grid)
        if eta + bar < HALF
    )


def ranges_of_entries() -> bool:
    """Whether (32) and (33) hold at the vertices of the bordered simplex, w from 2 to 5."""
    for w in range(2, 6):
        eta = Fraction(1, 2 * w)
        bar = (1 - w * eta) / 3
        top = 1 - bar - (w - 1) * eta
        for at in range(w):
            row = [top if j == at else eta for j in range(w)]
            if sum(row) != 1 - bar or not all(eta <= x <= top for x in row):
                return False
    return True


def good_set_needs_gamma() -> bool:
    """Whether the good set has probability 0 at gamma = 1/w and more than 0 below."""
    for random in draws(6, _TRIALS):
        w = random.randint(2, 4)
        alpha = [Fraction(random.randint(1, 50), 10) for _ in range(w)]
        below = Fraction(random.randint(1, 99), 100 * w)
        if not bool(probability(Miss.of(alpha, Fraction(2), below)) < 1):
            return False
    return True
