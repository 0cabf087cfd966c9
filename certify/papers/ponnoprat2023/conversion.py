"""Section 2.4, Appendices A and B: approximate privacy, earlier guarantees, Figure 3 (bottom)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import log_beta
from ....reference.dirichlet import profile, renyi
from ....reference.dirichlet.identity import epsilon_bound
from ....reference.dirichlet.renyi import to_approximate_dp
from ....reference.second.directed import Span
from ..evidence import Formula, Instance, NotDecidable, OverBox, Proof
from ..fallin2023.privacy import misses_rise
from ..statement import Reading, Statement
from ..values import At, Exactly, Worked, as_ball, at_precision, draws, span
from .guarantee import EIGHTEEN, PRIVATE
from .inputs import (
    DELTA,
    FIGURE_8_ORDERS,
    ORDERS,
    just_above,
    law,
    number,
    total,
    trigamma_span,
    worked,
)
from .polygamma import RISES

# Formulas of the notes on earlier guarantees and on approximate privacy, executed in balls.


@at_precision
def _bounded_likelihoods_are_private() -> bool:
    """Posteriors of likelihoods between e^-B and e^B differ by a factor of e^(4B) at most."""
    for random in draws(61):
        prior, bound = law(random, 4), number(random, 1, 40)
        one, other = (
            [ball(bound * Fraction(random.randint(-9, 9), 9)).exp() for _ in prior] for _ in (0, 1)
        )
        norms = [total([w * ball(p) for w, p in zip(x, prior, strict=True)]) for x in (one, other)]
        most = ball(4 * bound).exp()
        for a, b in zip(one, other, strict=True):
            if (a / norms[0]) / (b / norms[1]) > most:
                return False
    return True


def _likelihood_has_no_floor() -> bool:
    """y_1^(r f_1) falls below e^-B for every B: at y_1 = e^(-(B+1)/(r f_1)), in exponents."""
    for random in draws(62):
        power, bound = number(random), number(random)
        exponent = -(bound + 1) / power
        if not power * exponent < -bound:
            return False
    return True


@at_precision
def _any_prior_is_approximately_private() -> bool:
    """For alpha > 0 some order lambda > 1 has alpha > kappa r Dinf, so (18) is finite."""
    for random in draws(63):
        alpha, step, squared, largest = (number(random) for _ in range(4))
        order = 1 + alpha / (2 * step * largest)
        epsilon = renyi.epsilon_bound_alpha(order, step, alpha, squared, largest)
        if not epsilon.is_finite():
            return False
        above = just_above(epsilon)
        delta = number(random, 1, 19)
        found = to_approximate_dp(order, above, delta)
        if not as_ball(found).is_finite():
            return False
    return True


@at_precision
def _replaced_records_have_a_profile() -> bool:
    """A replaced record's delta at epsilon is below 1."""
    for random in draws(64):
        found = profile.delta(number(random), number(random), number(random))
        if not as_ball(found) < 1:
            return False
    return True


@at_precision
def _ratio_is_a_power() -> bool:
    """Two coordinates: the ratio of densities is B(u')/B(u) y_1^(-r f) (1-y_1)^(-r g)."""
    for random in draws(65):
        u = number(random), number(random)
        v = u[0] + number(random), number(random)
        constant = log_beta(*v) - log_beta(*u)
        near = [Fraction(1, 10**power) for power in (20, 40, 80)]
        found = [
            constant + ball(u[0] - v[0]) * ball(y).log() + ball(u[1] - v[1]) * ball(1 - y).log()
            for y in near
        ]
        if not found[0] < found[1] < found[2]:
            return False
    return True


@at_precision
def _printed_epsilon_is_of_that_order() -> bool:
    """g/(k log(1/gamma)) is within |c|/(k log(1/gamma)) of b/2, c free of gamma."""
    eta, eta_bar, b, w = Fraction(1, 20), Fraction(1, 10), Fraction(1, 5), 2
    k = Fraction(30)
    changes = log_beta(k * eta, k * (1 - eta_bar - eta)) - log_beta(
        k * (eta + b / 2), k * (1 - eta_bar - eta - b / 2)
    )
    for power in (2, 5, 20, 100):
        gamma = Fraction(1, 10**power)
        size = ball(k) * (1 / ball(gamma)).log()
        ratio = epsilon_bound(k, eta, eta_bar, b, w, gamma) / size
        room = (abs(changes) + ball(k * b / 2) * ball(w).log()) / size
        if abs(ratio - ball(b / 2)) > room:
            return False
    return True


@at_precision
def _conversion_is_solved() -> bool:
    """Delta of (13) at the epsilon-hat of (14) is delta again."""
    for random in draws(66):
        order, epsilon = 1 + number(random), number(random)
        delta, kappa = number(random, 1, 19), ball(order - 1)
        rest = ball(delta).log() + ball(order) * ball(order).log()
        hat = ball(epsilon) + kappa.log() - rest / kappa
        found = (kappa * (ball(epsilon) - hat)).exp() / kappa * (kappa / ball(order)) ** ball(order)
        if not found.overlaps(ball(delta)):
            return False
        known = to_approximate_dp(order, epsilon, delta)
        if hat > 0 and not as_ball(known).overlaps(hat):
            return False
    return True


def _floor_of(order: int, delta: Fraction = DELTA) -> arb:
    """Enclose epsilon-hat less epsilon: log(1 - 1/lambda) - log(delta lambda)/(lambda - 1)."""
    return (1 - 1 / arb(order)).log() - ball(delta * order).log() / (order - 1)


@at_precision
def _another_order_serves() -> bool:
    """(18) at lambda' = 1 + 1/(2r) plus the conversion's term is below its bound, and small."""
    squared, largest = Fraction(2), Fraction(1)
    for denominator in (2, 10, 1000, 10**5):
        r = Fraction(1, denominator)
        order = 1 + 1 / (2 * r)
        bound = ball(r**2 + r / 2) * arb.pi() ** 2 / 2
        floor = (1 - 1 / ball(order)).log() - ball(DELTA * order).log() / ball(order - 1)
        if not floor < 2 * ball(r) * ball(1 / DELTA).log():
            return False
        for named in (2, 20, 200):
            alpha = 1 + 4 * (named - 1) * r
            if renyi.epsilon_bound_alpha(order, r, alpha, squared, largest) > bound:
                return False
    return bool(bound + 2 * ball(r) * ball(1 / DELTA).log() < ball(Fraction(1, 1000)))


def falls_between(order: int, other: int) -> Callable[..., arb]:
    """Return by how much (14) falls from one order to another, as a function of balls of r."""

    def gap(r: arb) -> arb:
        terms = (lam * r**2 * arb(2).zeta(1 + 3 * (lam - 1) * r) for lam in (order, other))
        first, second = terms
        return first - second + _floor_of(order) - _floor_of(other)

    return gap


@at_precision
def _gaps_are_positive_near_zero() -> bool:
    """For r <= 1/100: lambda r^2 psi'(1) < c(lambda') - c(lambda), at each next order lambda."""
    most = arb(2).zeta(arb(1)) / 10**4
    pairs = pairwise(FIGURE_8_ORDERS)
    return all(other * most < _floor_of(one) - _floor_of(other) for one, other in pairs)


def _gaps_are_positive_far_out() -> bool:
    """With (6), r = 1 + s: lower bound less upper bound has positive coefficients in s."""
    import sympy

    s = sympy.Symbol("s")
    r = 1 + s
    for one, other in pairwise(FIGURE_8_ORDERS):
        x, y = (1 + 3 * (order - 1) * r for order in (one, other))
        low = one * r**2 * (1 / x + 1 / (2 * x**2))
        high = other * r**2 * (1 / y + 1 / y**2)
        parts = sympy.fraction(sympy.together(low - high))
        for part in parts:
            if not all(each > 0 for each in sympy.Poly(sympy.expand(part), s).all_coeffs()):
                return False
    return True


_NOTE = "ponnoprat2023/earlier-work.md"
_BORDERS: dict[str, Any] = {"k": "171.87", "eta": "0.028"}
# The most coordinates that fit: 31 x 0.028 = 0.868 <= 1 - 0.114 < 32 x 0.028.
_MOST = 31
_GAMMA = "0.001"


def _missed(w: int, gamma: str, **changed: str) -> At:
    return At("dirichlet.identity.delta_bound", {**_BORDERS, "w": w, "gamma": gamma, **changed})


_FITS = {
    "w eta <= 1 - eta'": _MOST * Fraction(_BORDERS["eta"]) <= 1 - Fraction("0.114"),
    "w gamma < 1": _MOST * Fraction(_GAMMA) < 1,
}
_WORST = Proof(
    "tail-worst-input.md#floor-is-the-worst-input",
    "the least probability is taken with all of W at eta; what is missed rises with W and with "
    "gamma, from 0",
    (Formula("rising", at_precision(misses_rise)),),
)
_ORDER = Proof(
    f"{_NOTE}#equation-7",
    "the printed epsilon is a constant plus k (b/2) log(1/gamma), but for a bounded term (4)",
    (Formula("(4)", _printed_epsilon_is_of_that_order),),
)
# With alpha = 1 and d = 2 the draws from f = (0, 0) and (1, 0) have the densities 1 and (r+1) y^r.
_LAST_DISPLAY = Instance(
    "r = 2, alpha = 1, d = 2, y_1 = 1/2: the ratio of densities in the last display, with 1/y_1",
    Exactly("4/3", "1/(3 y_1^2)"),
    "=",
    Exactly("2/3", "1/(3 y_1)"),
)
# With r = 1, alpha = 1 and f = (1, 0): Dirichlet(2, 1) has the density 2 y_1; the printed exponents
# are those of Dirichlet(3, 2), which has 12 y_1^2 y_2.
_PRINTED_DENSITY = Instance(
    "r = 1, alpha = 1, d = 2, f = (1, 0): the density at (1/2, 1/2), with the printed exponents",
    Exactly("3/2", "12 y_1^2 y_2"),
    "=",
    Exactly("1", "2 y_1"),
)

_EARLIER_WORK_STATEMENTS = (
    Statement(
        id="ponnoprat2023.remark-bounded-likelihood",
        kind="remark",
        where="Section 2.4, on Wang et al. 2015; Section 1, on McSherry and Talwar",
        says="If |log p(x|y)| <= B everywhere, one draw from the posterior is 4B-private; the "
        "densities prod y_i^(r f_i + alpha) of Dirichlet(r f + alpha) come near 0, and the "
        "divergence as a loss is not bounded.",
        note=_NOTE,
        evidence=(_PRINTED_DENSITY,),
    ),
    Statement(
        id="ponnoprat2023.remark-bounded-likelihood-repaired",
        kind="repair",
        repairs="ponnoprat2023.remark-bounded-likelihood",
        where="Section 2.4, on Wang et al. 2015; Section 1, on McSherry and Talwar",
        says="One draw is so private; the densities are prod y_i^(r f_i + alpha - 1), whose "
        "likelihoods prod y_i^(r f_i) come near 0, and the divergence as a loss is not bounded.",
        hypotheses=("f_i > 0 for some i",),
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#bounded-likelihoods",
                "densities and normalisers change by e^(2B) at most (1); a power of y_1 has no "
                "floor (2)",
                (
                    Formula("(1)", _bounded_likelihoods_are_private),
                    Formula("(2)", _likelihood_has_no_floor),
                ),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.remark-approximate-dp",
        kind="remark",
        where="Section 2.4, on Dimitrakakis et al. and Machanavajjhala et al.; Appendix B",
        says="With all parameters at least alpha > 0 one draw is (epsilon, delta)-private with "
        "some epsilon, and so are any number of multinomial samples drawn from it.",
        hypotheses=("f has finite sensitivities", "delta > 0"),
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#approximate-privacy",
                "(18) at an order near 1 and its conversion (3); what is made of a draw is no "
                "less private; for counts the exact delta is below 1",
                (
                    Formula("(3)", _any_prior_is_approximately_private),
                    Formula("counts", _replaced_records_have_a_profile),
                ),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.remark-cited",
        kind="remark",
        where="Section 2.4: five papers' results",
        says="Summaries of what other papers show.",
        note=_NOTE,
        evidence=(NotDecidable("other papers' statements do not follow from this one"),),
    ),
    Statement(
        id="ponnoprat2023.equation-7",
        kind="equation",
        where="Section 2.4, the set Omega, (7), and the order of epsilon-hat",
        says="gohari2020's delta is 1 less the least probability that all coordinates in W exceed "
        "gamma, and its epsilon is of the order r log(1/gamma).",
        hypotheses=("p_i > gamma in Omega, and p_i comes near gamma",),
        note=_NOTE,
        evidence=(
            Instance(
                "r = 171.87, two coordinates, gamma = 0.001: the delta of the floor gamma, and "
                "gohari2020's of the floor eta",
                _missed(2, "0.001", eta=_GAMMA),
                "=",
                _missed(2, _GAMMA),
                _FITS,
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.equation-7-repaired",
        kind="repair",
        repairs="ponnoprat2023.equation-7",
        where="Section 2.4, the set Omega",
        says="They are with p_i >= eta in Omega, as in gohari2020.",
        hypotheses=("r and the borders fixed, gamma -> 0",),
        note=_NOTE,
        evidence=(_WORST, _ORDER),
    ),
    Statement(
        id="ponnoprat2023.figure-2",
        kind="figure",
        where="Section 2.4, before Figure 2; Figure 2; Section 3.2, end",
        says="At r = 171.87, eta = 0.028, eta' = 0.114 the numerical delta of (7) does not go "
        "below 2.1e-4, for lack of precision in an integral.",
        hypotheses=("about the integrals as they were computed, which both passages say",),
        note=_NOTE,
        evidence=(
            NotDecidable("the scheme of integration, and the size of W, are not in the paper"),
        ),
        readings=(
            Reading(
                "about delta itself, for every W that fits",
                (
                    Instance(
                        "31 coordinates, the most that fit, at eta = 0.028, eta' = 0.114, gamma "
                        "= 0.001",
                        _missed(_MOST, _GAMMA),
                        ">=",
                        Exactly("0.00021"),
                        _FITS,
                    ),
                    Instance(
                        "2 coordinates, gamma = 0.001",
                        _missed(2, _GAMMA),
                        ">=",
                        Exactly("0.00021"),
                        _FITS,
                    ),
                ),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.figure-2-repaired",
        kind="repair",
        repairs="ponnoprat2023.figure-2",
        where="Section 2.4, Figure 2",
        says="At these borders delta is below 6e-5 at gamma = 0.001 for every W that fits, and "
        "tends to 0 with gamma; 1e-5 is reached at a gamma above 0.0006 for all of them.",
        note=_NOTE,
        evidence=(
            _WORST,
            Instance(
                "31 coordinates, gamma = 0.001",
                _missed(_MOST, _GAMMA),
                "<",
                Exactly("0.00006"),
                _FITS,
                decides=True,
            ),
            Instance(
                "the gamma of 31 coordinates for delta = 1e-5",
                At("dirichlet.identity.gamma", {**_BORDERS, "w": _MOST, "delta": str(DELTA)}),
                ">",
                Exactly("0.0006"),
                _FITS,
                decides=True,
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.proposition-3",
        kind="proposition",
        where="Appendix A, Proposition 3",
        says="For no epsilon is the draw from Dirichlet(r f + alpha) purely epsilon-private.",
        hypotheses=("f differs for some neighbours", "d >= 2", "r, alpha > 0"),
        garbled="exponents without -1, which cancels",
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#no-pure-privacy",
                "the ratio of densities is unbounded where a coordinate with f_i < f'_i is near 0 "
                "(5)",
                (Formula("(5)", _ratio_is_a_power),),
            ),
        ),
        of_proof=(_LAST_DISPLAY,),
    ),
)


_CONVERSION_NOTE = "ponnoprat2023/conversion.md"
# Decimals just below the infima, for the orders of Figure 3.
_BELOW = ("10.1266", "0.39697", "0.026216")
# Where (14) is negative and rises with lambda: r so small that epsilon does not matter.
_TINY = "1/1000000000"


def floor(order: int) -> Worked:
    """Enclose the infimum of (14) over r > 0: log(1 - 1/lambda) - log(delta lambda)/kappa."""
    return worked(
        f"infimum of (14) over r, lambda = {order}, delta = 1e-5",
        lambda: _floor_of(order),
        lambda: (
            (span(order - 1).log() - span(order).log())
            - (span(DELTA).log() + span(order).log()) / span(order - 1)
        ),
    )


def _fourteen(order: int) -> Worked:
    """Enclose (14) at r = 1e-9, D2^2 = 2 and Dinf = 1."""
    r = Fraction(_TINY)
    x = 1 + 3 * (order - 1) * r

    def balls() -> arb:
        return order * ball(r) ** 2 * arb(2).zeta(ball(x)) + _floor_of(order)

    def spans() -> Span:
        kappa = span(order - 1)
        rest = (span(DELTA).log() + span(order) * span(order).log()) / kappa
        return span(order * r**2) * trigamma_span(x) + kappa.log() - rest

    return worked(f"(14) at r = 1e-9, lambda = {order}, delta = 1e-5", balls, spans)


_CONVERTED = Proof(
    "renyi-calibration.md#conversion-to-approximate-privacy",
    "(1 - 1/z) z^(1-lambda) is at most its value at z = lambda/(lambda-1); solved for epsilon-hat "
    "(1)",
    (Formula("(1)", _conversion_is_solved),),
)
_OTHER = Proof(
    f"{_CONVERSION_NOTE}#another-order",
    "at lambda' = 1 + 1/(2r) both epsilon and what the conversion adds are of the order r (5)",
    (Formula("(5)", _another_order_serves),),
)
_ENDS = Proof(
    f"{_CONVERSION_NOTE}#figure-8",
    "for r <= 1/100 by psi' <= psi'(1) (3), for r >= 1 by the bounds on psi' (4)",
    (
        Formula("(3)", _gaps_are_positive_near_zero),
        Formula("(4)", _gaps_are_positive_far_out),
    ),
)

_CONVERSION_STATEMENTS = (
    Statement(
        id="ponnoprat2023.figure-3-bottom",
        kind="figure",
        where="Section 3.2, Figure 3 (bottom), for lambda = 2, 20, 200",
        says="For every epsilon-hat from 0.001 to 100 some r > 0 makes a draw "
        "(epsilon-hat, 1e-5)-private by Theorem 1 and the conversion of Appendix B.",
        hypotheses=("the conversion at the lambda that is named", "alpha = 1 + 4 (lambda-1) r"),
        note=_CONVERSION_NOTE,
        evidence=tuple(
            Instance(
                f"lambda = {order}: (14) at any r > 0 is above this, and should be 0.001 at some r",
                floor(order),
                "<=",
                Exactly("0.001"),
                {"lambda > 1": order > 1},
            )
            for order in ORDERS
        ),
        readings=(
            Reading("by (18) and the conversion at any order", (EIGHTEEN, _CONVERTED, _OTHER)),
        ),
    ),
    Statement(
        id="ponnoprat2023.figure-3-bottom-repaired",
        kind="repair",
        repairs="ponnoprat2023.figure-3-bottom",
        where="Section 3.2, Figure 3 (bottom); Appendix B",
        says="For every epsilon-hat above log(1 - 1/lambda) - log(delta lambda)/(lambda-1), and "
        "for no other, there is such an r, and it is one.",
        hypotheses=("where that number is not negative",),
        note=_CONVERSION_NOTE,
        evidence=(
            Proof(
                f"{_CONVERSION_NOTE}#least",
                "(14) is that number plus line 1, which rises strictly from 0 without bound (2)",
                (Formula("(2)", RISES.formulas[0].holds),),
            ),
            PRIVATE,
            _CONVERTED,
            *(
                Instance(f"lambda = {order}", floor(order), ">", Exactly(below), decides=True)
                for order, below in zip(ORDERS, _BELOW, strict=True)
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.figure-3-comparison",
        kind="figure",
        where="Section 3.2, Figure 3 (bottom), against gohari2020",
        says="The guarantee of Theorem 1 generally gives smaller divergences than gohari2020's.",
        note=_CONVERSION_NOTE,
        evidence=(
            NotDecidable(
                "gohari2020's gamma, eta, eta' and W are not stated, and draws are random; the "
                "missing points are of the numerical integral of (7)"
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.lemma-3",
        kind="lemma",
        where="Appendix B, Lemma 3 and (13)",
        says="(lambda, epsilon)-Renyi privacy gives (epsilon-hat, delta)-privacy with delta = "
        "e^((lambda-1)(epsilon - epsilon-hat)) (1 - 1/lambda)^lambda/(lambda-1).",
        hypotheses=("lambda > 1: at lambda = 1, which Algorithm 1 admits, it divides by 0",),
        note=_CONVERSION_NOTE,
        evidence=(_CONVERTED,),
    ),
    Statement(
        id="ponnoprat2023.equation-14",
        kind="equation",
        where="Appendix B, the logarithm of (13), its solution, and (14)",
        says="epsilon-hat is epsilon + log(lambda-1) - (log delta + lambda log lambda)/(lambda-1), "
        "and with line 1 a function of r, lambda and delta.",
        hypotheses=("lambda > 1", "where it is negative, epsilon-hat = 0 is reached"),
        note=_CONVERSION_NOTE,
        evidence=(_CONVERTED, PRIVATE),
    ),
    Statement(
        id="ponnoprat2023.figure-8",
        kind="figure",
        where="Appendix B, Figure 8 and the last sentence",
        says="At delta = 1e-5, epsilon-hat of (14) rises with r, and falls as lambda goes from 2 "
        "to 10, 50 and 200.",
        hypotheses=("all r > 0", "Dinf = 1 and D2^2 at most 2"),
        note=_CONVERSION_NOTE,
        evidence=(
            RISES,
            *(
                OverBox(
                    f"(14) at lambda = {one} less (14) at lambda = {other}, D2^2 = 2",
                    {"r": ("1/100", "1")},
                    falls_between(one, other),
                    _ENDS,
                )
                for one, other in pairwise(FIGURE_8_ORDERS)
            ),
        ),
        readings=(
            Reading(
                "for all lambda > 1, without a clamp at 0",
                (
                    Instance(
                        "from lambda = 100000 to lambda = 1000000 at r = 1e-9",
                        _fourteen(10**6),
                        "<=",
                        _fourteen(10**5),
                        {"r > 0": Fraction(_TINY) > 0, "lambda > 1": 10**5 > 1},
                    ),
                ),
            ),
        ),
    ),
)

STATEMENTS = (*_EARLIER_WORK_STATEMENTS, *_CONVERSION_STATEMENTS)
