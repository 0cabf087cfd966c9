"""Section 3 and Appendices D and E: the divergence of two Dirichlet laws, and Algorithm 1."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import digamma, log_gamma, trigamma
from ....reference.dirichlet import renyi
from ....reference.dirichlet.renyi_divergence import divergence
from ....reference.enclosure import Trilean
from ..evidence import Formula, Identity, Instance, Proof
from ..statement import Reading, Statement
from ..values import At, Exactly, as_ball, at_precision, draws
from .inputs import REPLACED, just_below, number, total, trigamma_span, worked
from .polygamma import BETWEEN, MISPRINT, POSITIVE, RISES

# Formulas of the note on Algorithm 1, executed in balls and with SymPy.

_ONE = Fraction(1)
_Vector = tuple[Fraction, ...]


def _inputs(random: Random) -> tuple[_Vector, _Vector, Fraction, Fraction]:
    """Return f, f', the squared 2-norm and the maximum norm of their difference, not 0."""
    f = tuple(number(random, 0, 60) for _ in range(3))
    g = (f[0] + number(random), *(number(random, 0, 60) for _ in range(2)))
    moves = [abs(a - b) for a, b in zip(f, g, strict=True)]
    return f, g, sum((move**2 for move in moves), Fraction(0)), max(moves)


def _laws(
    f: _Vector, g: _Vector, step: Fraction, alpha: Fraction
) -> Iterator[tuple[_Vector, _Vector]]:
    u, v = (tuple(step * x + alpha for x in each) for each in (f, g))
    yield u, v
    yield v, u


def _order(random: Random) -> Fraction:
    return random.choice((_ONE, 1 + number(random, 1, 80)))


def is_below_eighteen(
    laws: tuple[_Vector, _Vector], order: Fraction, bound: arb | Fraction
) -> bool:
    """Whether the divergence of two laws is below the right side of (18), both ways."""
    limit = as_ball(bound)
    return all(
        bool(as_ball(divergence(u, v, order)) < limit) for u, v in (laws, (laws[1], laws[0]))
    )


@at_precision
def _eighteen_holds() -> bool:
    """D < order r^2 D2^2 psi'(alpha - kappa r Dinf)/2, both ways, for alpha above the edge."""
    for random in draws(21):
        f, g, squared, largest = _inputs(random)
        order, step = _order(random), number(random)
        alpha = (order - 1) * step * largest + number(random)
        bound = renyi.epsilon_bound_alpha(order, step, alpha, squared, largest)
        if not is_below_eighteen(next(_laws(f, g, step, alpha)), order, bound):
            return False
    return True


@at_precision
def _algorithm_keeps_its_promise() -> bool:
    """With r of line 1 and alpha of line 2 the divergence is below epsilon."""
    for random in draws(22, 8):
        f, g, squared, largest = _inputs(random)
        order, epsilon = _order(random), number(random)
        found = renyi.step(order, epsilon, squared, largest)
        step = just_below(found)
        alpha = 1 + 4 * (order - 1) * step * largest
        for u, v in _laws(f, g, step, alpha):
            if not as_ball(divergence(u, v, order)) < ball(epsilon):
                return False
    return True


def _log_beta(u: _Vector) -> arb:
    return total([log_gamma(x) for x in u]) - log_gamma(sum(u, Fraction(0)))


def _terms(a: Fraction, b: Fraction, kappa: Fraction) -> arb:
    """Enclose G + H of (17) for one coordinate, or for the totals."""
    g = ball(kappa) * (log_gamma(b) - log_gamma(a))
    return g + log_gamma(a + kappa * (a - b)) - log_gamma(a)


@at_precision
def _moments_are_quotients() -> bool:
    """(16) and (17) against the divergence, and G + H of the totals is not negative."""
    for random in draws(23):
        f, g, _, largest = _inputs(random)
        kappa, step = number(random), number(random)
        alpha = kappa * step * largest + number(random)
        for u, v in _laws(f, g, step, alpha):
            w = tuple(a + kappa * (a - b) for a, b in zip(u, v, strict=True))
            known = ball(kappa) * as_ball(divergence(u, v, 1 + kappa))
            by_betas = ball(kappa) * (_log_beta(v) - _log_beta(u)) + _log_beta(w) - _log_beta(u)
            coordinates = total([_terms(a, b, kappa) for a, b in zip(u, v, strict=True)])
            totals = _terms(sum(u, Fraction(0)), sum(v, Fraction(0)), kappa)
            if not (known.overlaps(by_betas) and known.overlaps(coordinates - totals)):
                return False
            if totals < 0:
                return False
    return True


@at_precision
def _kullback_leibler_is_in_digammas() -> bool:
    """The formula of case 2 against the divergence."""
    for random in draws(24):
        f, g, _, _ = _inputs(random)
        for u, v in _laws(f, g, number(random), number(random)):
            whole = digamma(ball(sum(u, Fraction(0))))
            moves = [ball(a - b) * (digamma(ball(a)) - whole) for a, b in zip(u, v, strict=True)]
            if not as_ball(divergence(u, v, _ONE)).overlaps(
                _log_beta(v) - _log_beta(u) + total(moves)
            ):
                return False
    return True


@at_precision
def _totals_are_below_the_tangent() -> bool:
    """Log G(a) - log G(b) - (a-b) psi(a) <= -(a-b)^2 psi'(max)/2 <= 0."""
    for random in draws(25):
        a, b = number(random), number(random)
        left = log_gamma(a) - log_gamma(b) - ball(a - b) * digamma(ball(a))
        right = -(ball(a - b) ** 2) * trigamma(ball(max(a, b))) / 2
        if left > right or right > 0:
            return False
    return True


@at_precision
def _known_bound_makes_room() -> bool:
    """With f >= b, line 1 at 1 + r b + 3 kappa r Dinf keeps the promise; its r is larger."""
    for random in draws(26):
        f, g, squared, largest = _inputs(random)
        order, step, least = _order(random), number(random), number(random)
        alpha = 1 + 4 * (order - 1) * step * largest
        inside = 1 + step * least + 3 * (order - 1) * step * largest
        bound = renyi.spread(order, step, squared, inside)
        if not bound < renyi.epsilon_bound(order, step, squared, largest):
            return False
        moved = [tuple(x + least for x in each) for each in (f, g)]
        for u, v in _laws(moved[0], moved[1], step, alpha):
            if not as_ball(divergence(u, v, order)) < bound:
                return False
    return True


@at_precision
def _other_functions_do_as_well() -> bool:
    """With alpha = 1 + g + kappa r Dinf, (18) is line 1 with g; 1/(1+x) < psi'(1+x) < 2/(1+x)."""
    for random in draws(27):
        order, step, g = _order(random), number(random), number(random, 0)
        squared, largest = number(random), number(random)
        alpha = 1 + g + (order - 1) * step * largest
        line = renyi.spread(order, step, squared, 1 + g)
        if not line.overlaps(renyi.epsilon_bound_alpha(order, step, alpha, squared, largest)):
            return False
        x = ball(1 + g)
        if not 1 / x < trigamma(x) < 2 / x:
            return False
    return True


@at_precision
def _zero_has_a_closed_form() -> bool:
    """With g = 0, r = sqrt(2 epsilon/(order D2^2 psi'(1)))."""
    for random in draws(28):
        order, epsilon, squared = _order(random), number(random), number(random)
        step = (2 * ball(epsilon) / (ball(order * squared) * trigamma(arb(1)))).sqrt()
        if not (ball(order * squared) * step**2 * trigamma(arb(1)) / 2).overlaps(ball(epsilon)):
            return False
    return True


def _square_stays_below_one() -> bool:
    """r^2 (1/(1+r^2) + 1/(1+r^2)^2) = 1 - 1/(1+r^2)^2, by SymPy."""
    import sympy

    r = sympy.Symbol("r", positive=True)
    room = 1 + r**2
    return bool(sympy.cancel(r**2 * (1 / room + 1 / room**2) - 1 + 1 / room**2) == 0)


_NOTE = "ponnoprat2023/calibration.md"
_EIGHTEEN = Proof(
    "renyi-calibration.md#equation-eighteen",
    "every argument of psi' is at least alpha - kappa r Dinf (1)",
    (Formula("(1)", _eighteen_holds),),
)
# One record of (1, 0) moves to the other cell: r = 1, alpha = 1, order 1.
_BEFORE, _AFTER = (2, 1), (1, 2)
_MIDDLE_DISPLAY = Instance(
    "u = (2, 1), u' = (1, 2): u_0 = u'_0 = 3, so the left is 0 with the inner sum or without",
    Exactly(str(0), "log Gamma(u_0) - log Gamma(u'_0) - sum over i of (u_0 - u'_0) psi(u_0)"),
    "<=",
    worked(
        "-(1/2) sum of (u_i - u'_i)^2 psi'(3)",
        lambda: -arb(2).zeta(arb(3)),
        lambda: -trigamma_span(3),
    ),
    {
        "u = r f + alpha for f = (1, 0), r = 1, alpha = 1": _BEFORE == (1 + 1, 0 + 1),
        "u' = r f' + alpha for f' = (0, 1)": _AFTER == (0 + 1, 1 + 1),
        "alpha = 1 + 4 (order - 1) r Dinf at order 1": 1 + 4 * (1 - 1) == 1,
        "sum of (u_i - u'_i)^2 is 2": sum(
            (a - b) ** 2 for a, b in zip(_BEFORE, _AFTER, strict=True)
        )
        == 2,  # noqa: PLR2004
    },
)


_GUARANTEE_STATEMENTS = (
    Statement(
        id="ponnoprat2023.equation-16",
        kind="equation",
        where="Appendix E, (16), (17) and the Kullback-Leibler divergence of case 2",
        says="The moment of order lambda-1 of the ratio of two Dirichlet densities is a quotient "
        "of Beta functions, its logarithm a sum of G + H; the divergence of order 1 is in "
        "digammas.",
        hypotheses=("all u_i + (lambda-1)(u_i - u'_i) > 0, which Algorithm 1 sees to",),
        note=_NOTE,
        evidence=(
            Proof(
                "renyi-calibration.md#divergence-of-dirichlet-laws",
                "the moment integral is a Beta function (3), at order 1 a mean of logarithms (4)",
                (
                    Formula("(3)", _moments_are_quotients),
                    Formula("(4)", _kullback_leibler_is_in_digammas),
                ),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.equation-18",
        kind="equation",
        where="Appendix E, (18)",
        says="The divergence is at most lambda D2^2 r^2 psi'(alpha - (lambda-1) r Dinf)/2.",
        hypotheses=("alpha > (lambda-1) r Dinf, less than the paper has in mind",),
        note=_NOTE,
        evidence=(_EIGHTEEN,),
    ),
    Statement(
        id="ponnoprat2023.equation-18-case-2",
        kind="equation",
        where="Appendix E, case 2 (lambda = 1), the second displayed inequality",
        says="log Gamma(u_0) - log Gamma(u'_0) - sum_i (u_0 - u'_0) psi(u_0) is at most "
        "-(1/2) sum_i (u_i - u'_i)^2 psi'(max(u_0, u'_0)).",
        hypotheses=("lambda = 1",),
        garbled="both sums may be misprints for the one term of the totals, which is the repair",
        note=_NOTE,
        evidence=(_MIDDLE_DISPLAY,),
    ),
    Statement(
        id="ponnoprat2023.equation-18-case-2-repaired",
        kind="repair",
        repairs="ponnoprat2023.equation-18-case-2",
        where="Appendix E, case 2",
        says="log Gamma(u_0) - log Gamma(u'_0) - (u_0 - u'_0) psi(u_0) is at most "
        "-(1/2) (u_0 - u'_0)^2 psi'(max(u_0, u'_0)), hence at most 0.",
        note=_NOTE,
        evidence=(
            Proof(
                "renyi-calibration.md#gap-as-trigammas",
                "Taylor's formula for log Gamma at u_0, psi' falling (5)",
                (Formula("(5)", _totals_are_below_the_tangent),),
            ),
        ),
    ),
)

# For the entries that rest on it.
EIGHTEEN = _EIGHTEEN


_ORDER, _EPSILON = 5, "0.1"

_PRIVATE = Proof(
    f"{_NOTE}#the-algorithm",
    "(18) at alpha = 1 + 4 kappa r Dinf is line 1 (2)",
    (Formula("(2)", _algorithm_keeps_its_promise),),
)


def _substitution_at_order_one() -> Trilean:
    """Whether 3 (order - 1) r Dinf is above 0 for some r > 0 at order 1."""
    order, step, largest = Fraction(1), Fraction(7), Fraction(1)
    return Trilean.of(3 * (order - 1) * step * largest > 0)


def _grows_without_bound() -> Trilean:
    """Whether r^2 psi'(1 + r^2) reaches 1: by (6) it is below 1 - 1/(1 + r^2)^2."""
    return Trilean.FALSE if _square_stays_below_one() else Trilean.UNKNOWN


_CALIBRATION_STATEMENTS = (
    Statement(
        id="ponnoprat2023.algorithm-1",
        kind="algorithm",
        where="Section 3.1, Algorithm 1",
        says="Solve epsilon = lambda r^2 D2^2 psi'(1 + 3 (lambda-1) r Dinf)/2 for r, put alpha = "
        "1 + 4 (lambda-1) r Dinf, draw from Dirichlet(r f + alpha): one r, and the law exists.",
        hypotheses=(
            "lambda >= 1, epsilon > 0",
            "f >= 0 changes by at most D2 in 2-norm and Dinf in each coordinate",
        ),
        note=_NOTE,
        evidence=(
            RISES,
            _PRIVATE,
            Instance(
                "lambda = 5, epsilon = 0.1, one record replaced",
                At("dirichlet.renyi.step", {"order": _ORDER, "epsilon": _EPSILON, **REPLACED}),
                ">",
                Exactly("0.277567689896067"),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.lemma-2",
        kind="lemma",
        where="Section 3.1, Lemma 2; proof in Appendix D",
        says="The right-hand side of line 1 rises strictly from 0 to infinity in r, so line 1 has "
        "exactly one root.",
        hypotheses=("lambda >= 1", "D2, Dinf, epsilon > 0"),
        garbled="x and 1+x in the last display of Appendix D",
        note=_NOTE,
        evidence=(RISES,),
        of_proof=(
            Identity(
                "x = 3 (lambda-1) r Dinf, by which the proof divides, is above 0 at lambda = 1",
                _substitution_at_order_one,
            ),
            POSITIVE,
            MISPRINT,
        ),
    ),
    Statement(
        id="ponnoprat2023.theorem-1",
        kind="theorem",
        where="Section 3.2, Theorem 1; proof in Appendix E",
        says="Algorithm 1 is (lambda, epsilon)-Renyi private.",
        hypotheses=("those of Algorithm 1", "neighbours in either order"),
        note=_NOTE,
        evidence=(EIGHTEEN, _PRIVATE),
    ),
    Statement(
        id="ponnoprat2023.remark-1",
        kind="remark",
        where="Section 3.2, Remark 1; last paragraph of Appendix E",
        says="Line 1 may have psi'(1 + g(r)) and line 2 alpha = 1 + g(r) + (lambda-1) r Dinf, for "
        "any g >= 0; g = 0 gives r in closed form and epsilon of order r^2, g proportional to "
        "(lambda-1) r gives psi' of order 1/(1 + (lambda-1) r).",
        hypotheses=("r solves the equation",),
        garbled="g >= 0 here, g > 0 in Appendix E",
        note=_NOTE,
        evidence=(
            EIGHTEEN,
            BETWEEN,
            Proof(
                f"{_NOTE}#other-functions",
                "(18) at that alpha is line 1 with g (6), and r at g = 0 (7)",
                (
                    Formula("(6)", _other_functions_do_as_well),
                    Formula("(7)", _zero_has_a_closed_form),
                ),
            ),
        ),
        readings=(
            Reading(
                "for any g >= 0 some r solves the equation, whatever epsilon is",
                (
                    Identity(
                        "g(r) = r^2: r^2 psi'(1 + r^2) reaches 1 for some r (8)",
                        _grows_without_bound,
                    ),
                ),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.remark-2",
        kind="remark",
        where="Section 3.2, Remark 2",
        says="If all f_i exceed b > 0 for all inputs, line 1 may have psi'(1 + r b + 3 (lambda-1) "
        "r Dinf), and its r is larger.",
        hypotheses=("alpha as in line 2",),
        note=_NOTE,
        evidence=(
            Proof(
                "renyi-calibration.md#known-lower-bound",
                "alpha + r b in the place of alpha, and the new line 1 rises as well (9)",
                (Formula("(9)", _known_bound_makes_room),),
            ),
            RISES,
        ),
    ),
)

PRIVATE = _PRIVATE

STATEMENTS = (*_GUARANTEE_STATEMENTS, *_CALIBRATION_STATEMENTS)
