"""Section 4 and Appendix F: the tail of the divergence."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random

from flint import arb

from ....reference.arb.balls import ball, working_precision
from ....reference.arb.gamma import digamma, log_gamma
from ....reference.dirichlet.kl_moments import Divergence
from ....reference.dirichlet.kl_tail import kl_tail, kl_tail_bound
from ....reference.second.directed import Span
from ..evidence import Formula, Instance, Proof
from ..statement import Reading, Statement
from ..values import (
    BITS,
    At,
    Exactly,
    Worked,
    as_ball,
    at_precision,
    certainly_below,
    draws,
    fractions,
    span,
)
from .inputs import just_above, law, number, worked
from .polygamma import STATEMENTS as _POLYGAMMA

# Formulas of the note on the tail of the divergence, executed in balls and with SymPy.

_HALF = Fraction(1, 2)


def _threshold(random: Random, cells: int, alpha: Fraction, eta: Fraction) -> Fraction:
    """Return a beta at or a little above d alpha/(e^(eta/2) - 1)."""
    least = ball(cells * alpha) / (ball(eta / 2).exp() - 1)
    return just_above(least) + number(random, 0, 60)


@at_precision
def _chernoff_bounds_hold() -> bool:
    """(20) in Gammas at 0 <= t < beta + alpha/max p, against M(t) and the chance."""
    for random in draws(41, 6):
        p, beta, alpha, eta = law(random), number(random), number(random), number(random, 1, 20)
        item = Divergence.of(p, beta, alpha)
        t = item.limit * Fraction(random.randint(0, 19), 20)
        whole = beta + len(p) * alpha
        found = log_gamma(whole) - log_gamma(whole - t) - ball(t * eta)
        for x in p:
            b = beta * x + alpha
            found += ball(t * x) * ball(x).log() + log_gamma(b - t * x) - log_gamma(b)
        if not found.overlaps(item.log_moment_at(t) - ball(t * eta)):
            return False
        chance = kl_tail(p, beta, alpha, eta)
        if not as_ball(chance) <= found.exp():
            return False
    return True


@at_precision
def _tangents_are_below() -> bool:
    """Both first-order bounds after (20), with alpha for d alpha in the second."""
    for random in draws(42):
        p, beta, alpha = law(random), number(random), number(random)
        t, whole = beta * Fraction(random.randint(-40, 20), 20), beta + 3 * alpha
        one = log_gamma(whole) - log_gamma(whole - t) - ball(t) * digamma(ball(whole))
        if one > 0:
            return False
        for x in (*p, Fraction(0)):
            b, moved = beta * x + alpha, ball(t * x)
            rest = digamma(ball(b - t * x))
            if log_gamma(b - t * x) - log_gamma(b) + moved * rest > 0:
                return False
    return True


@at_precision
def bound_holds_from_one_half() -> bool:
    """P(KL > eta) <= exp(-beta eta^2/(4(4+eta))), below the printed bound, for alpha >= 1/2."""
    for random in draws(43, 30):
        p, eta = _law_with_zeros(random), Fraction(f"{10 ** random.uniform(-2, 1):.6g}")
        alpha = _HALF + random.choice((0, 1)) * Fraction(f"{10 ** random.uniform(-3, 1):.6g}")
        least = just_above(ball(len(p) * alpha) / (ball(eta / 2).exp() - 1))
        beta = least * Fraction(random.randint(1000, 3000), 1000)
        sharper = (-ball(beta * eta**2 / (4 * (4 + eta)))).exp()
        chance = as_ball(kl_tail(p, beta, alpha, eta))
        if not (certainly_below(chance, sharper) and sharper < kl_tail_bound(beta, eta)):
            return False
    return True


def _law_with_zeros(random: Random) -> tuple[Fraction, ...]:
    """Return a drawn law of two to six cells, some of them empty."""
    counts = [random.choice((0, 1, 1, random.randint(1, 50))) for _ in range(random.randint(0, 4))]
    counts += [random.randint(1, 9), 1]
    return tuple(Fraction(count, sum(counts)) for count in counts)


@at_precision
def _exponent_is_least_where_said() -> bool:
    """f(t) is least at t* = beta (1 - 1/w), w e^w = beta e^(1+eta)/A, and f(t*) is as said."""
    for random in draws(44):
        w, beta, eta = 1 + number(random, 1, 60), number(random), number(random)
        # Choose A so that w solves the equation: A = beta e^(1+eta) e^(-w)/w.
        whole = ball(beta) * (ball(1 + eta - w)).exp() / ball(w)
        t = beta * (1 - 1 / w)
        least = -ball(t * eta) + ball(t) * (whole / ball(beta - t)).log()
        if not least.overlaps(-ball(beta * (1 - 1 / w) * (w - 1))):
            return False
        for other in (t * Fraction(9, 10), t + (beta - t) / 10):
            if not -ball(other * eta) + ball(other) * (whole / ball(beta - other)).log() > least:
                return False
    return True


@at_precision
def _lambert_is_above() -> bool:
    """w0 = l - log l + log l/(2l) has w0 + log w0 <= l, l >= 1; and 1 + h is below w0."""
    for random in draws(45):
        eta = ball(number(random))
        length = 1 + eta / 2
        log = length.log()
        w0 = length - log + log / (2 * length)
        h = eta / (2 * (2 + eta))
        if not (w0 + w0.log() < length and 1 + h < w0):
            return False
    return True


def _exponents_agree() -> bool:
    """h^2/(1+h) = eta^2/(2 (2+eta) (4+3 eta)), and the coefficient (1+eta)/(2+eta), by SymPy."""
    import sympy

    eta = sympy.Symbol("eta", positive=True)
    h = eta / (2 * (2 + eta))
    differences = (
        h**2 / (1 + h) - eta**2 / (2 * (2 + eta) * (4 + 3 * eta)),
        1 - 1 / (2 * (1 + eta / 2)) - (1 + eta) / (2 + eta),
        eta / 2 - eta / 2 * (1 + eta) / (2 + eta) - h,
    )
    return all(sympy.cancel(each) == 0 for each in differences)


# Where the tail bound of Theorem 2 fails: laws, and the chance bounded without an integral.

# The exponent at which exponential moments bound the chance that the divergence is small.
_POWER = 7


@dataclass(frozen=True)
class Row:
    """p uniform on so many cells, and the parameters of Theorem 2."""

    cells: int
    alpha: str
    eta: str
    beta: str

    def hypotheses(self) -> dict[str, bool]:
        """Return those of Theorem 2, decided exactly or by balls that exclude equality."""
        beta, prior = Fraction(self.beta), self.cells * Fraction(self.alpha)
        with working_precision(BITS):
            allowed = bool(ball(beta) * (ball(Fraction(self.eta) / 2).exp() - 1) > ball(prior))
        return {
            "alpha > 0": Fraction(self.alpha) > 0,
            "eta > 0": Fraction(self.eta) > 0,
            "beta >= d alpha/(e^(eta/2) - 1)": allowed,
        }

    def chance(self) -> At:
        """Return P(KL(p || q) > eta)."""
        law = [f"1/{self.cells}"] * self.cells
        given = {"p": law, "beta": self.beta, "alpha": self.alpha, "eta": self.eta}
        return At("dirichlet.utility.kl_tail", given)

    def bound(self) -> At:
        """Return the bound that is printed."""
        return At("dirichlet.utility.kl_tail_bound", {"beta": self.beta, "eta": self.eta})

    def kept(self) -> Worked:
        """Enclose e^(7 eta) E e^(-7 KL), a bound on the chance that KL <= eta."""
        return worked(f"e^({_POWER} eta) E e^(-{_POWER} KL)", self._kept, self._kept_in_spans)

    def surely_missed(self) -> Worked:
        """Enclose 1 - e^(7 eta) E e^(-7 KL), at most P(KL > eta)."""
        return worked(
            f"1 - e^({_POWER} eta) E e^(-{_POWER} KL), at most P(KL > eta)",
            lambda: 1 - self._kept(),
            lambda: span(1) - self._kept_in_spans(),
        )

    def _kept(self) -> arb:
        law = (Fraction(1, self.cells),) * self.cells
        item = Divergence.of(law, Fraction(self.beta), Fraction(self.alpha))
        level = ball(_POWER * Fraction(self.eta))
        return (item.log_moment_at(Fraction(-_POWER)) + level).exp()

    def _kept_in_spans(self) -> Span:
        """Return it from whole steps: Gamma(x + 7)/Gamma(x) = x (x+1) ... (x+6) for the total.

        E e^(-s KL) = d^s E prod y_i^(s/d), as p is uniform.
        """
        beta, alpha, d = Fraction(self.beta), Fraction(self.alpha), self.cells
        whole = beta + d * alpha
        rising = Fraction(1)
        for j in range(_POWER):
            rising *= whole + j
        each = beta / d + alpha
        moved = span(each + Fraction(_POWER, d)).lgamma() - span(each).lgamma()
        logarithm = span(d) * moved - span(rising).log() + span(_POWER) * span(d).log()
        return (logarithm + span(_POWER * Fraction(self.eta))).exp()

    def instance(self) -> Instance:
        """Return the theorem at this point."""
        at = f"alpha = {self.alpha}, eta = {self.eta}, beta = {self.beta}"
        says = f"d = {self.cells}, p uniform, {at}"
        return Instance(says, self.chance(), "<=", self.bound(), self.hypotheses())


# In the order of their cells; beta is a little above the least that the theorem admits.
ROWS = (
    Row(3, "0.001", "1", "0.004624484"),
    Row(20, "0.1", "1", "3.082988474"),
    Row(100, "0.22", "0.5", "77.457864359"),
)
WITNESS = ROWS[1]
_WITHOUT_AN_INTEGRAL = Instance(
    "d = 20, p uniform, alpha = 0.1: the bound against what exponential moments leave",
    WITNESS.surely_missed(),
    "<=",
    WITNESS.bound(),
    WITNESS.hypotheses(),
)


_NOTE = "ponnoprat2023/divergence-tail.md"
_DIGAMMA = next(claim for claim in _POLYGAMMA if claim.id == "ponnoprat2023.equation-19").evidence

_FROM_ONE_HALF = Proof(
    "kl-tail.md#published-bound-from-one-half",
    "the printed route at 1 - t/beta = 1/(1 + eta/4) (2)",
    (Formula("(2)", bound_holds_from_one_half),),
)
_MOMENTS = Proof(
    "kl-tail.md#chernoff-minimum",
    "Markov's inequality and the moment function (3)",
    (Formula("(3)", _chernoff_bounds_hold),),
)
_SECOND_BOUND = Instance(
    "p = (1, 0), alpha = 1/2, the second cell: log Gamma(1/2) <= log Gamma(1) at every t",
    worked(
        "log Gamma(1/2)",
        lambda: ball(fractions("1/2")[0]).lgamma(),
        lambda: span("1/2").lgamma(),
    ),
    "<=",
    Exactly("0", "log Gamma(d alpha) - t p_2 psi(alpha), d alpha = 1 and p_2 = 0"),
    {"alpha > 0": fractions("1/2")[0] > 0, "p sums to 1": 1 + 0 == 1, "d alpha = 1": 2 / 2 == 1},
)

STATEMENTS = (
    Statement(
        id="ponnoprat2023.theorem-2",
        kind="theorem",
        where="Section 4, Theorem 2; proof in Appendix F",
        says="For q of Dirichlet(beta p + alpha), P(KL(p || q) > eta) is at most exp(-beta eta^2/"
        "(2 (2+eta)(4+3 eta))), for every alpha > 0.",
        hypotheses=("eta > 0", "beta >= d alpha/(e^(eta/2) - 1)"),
        note=_NOTE,
        evidence=(_WITHOUT_AN_INTEGRAL, *(row.instance() for row in ROWS)),
    ),
    Statement(
        id="ponnoprat2023.theorem-2-repaired",
        kind="repair",
        repairs="ponnoprat2023.theorem-2",
        where="Section 4, Theorem 2",
        says="For alpha >= 1/2 it holds as printed, and with the smaller exp(-beta eta^2/"
        "(4 (4+eta))).",
        hypotheses=("eta > 0", "beta >= d alpha/(e^(eta/2) - 1)"),
        adds=("alpha >= 1/2, which Algorithm 1 sees to",),
        note=_NOTE,
        evidence=(_FROM_ONE_HALF,),
    ),
    Statement(
        id="ponnoprat2023.corollary-theorem-2",
        kind="corollary",
        where="Section 4, the display after Theorem 2",
        says="For Algorithm 1's output y and N_f >= d alpha/(r (e^(eta/2) - 1)), KL(f/N_f || y) "
        "exceeds eta with probability exp(-r N_f eta^2/(2 (2+eta)(4+3 eta))) at most.",
        hypotheses=("alpha >= 1, as in Algorithm 1",),
        note=_NOTE,
        evidence=(_FROM_ONE_HALF,),
        readings=(
            Reading(
                "the Dirichlet mechanism of Section 2.2, with any alpha > 0",
                (_WITHOUT_AN_INTEGRAL, WITNESS.instance()),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.equation-20",
        kind="equation",
        where="Appendix F, (20)",
        says="The chance is at most e^(-t eta) E e^(t KL), a quotient of Gammas, for t <= beta.",
        hypotheses=("alpha > 0",),
        garbled="the argument of B in the line before, beta p - t p_i + alpha",
        note=_NOTE,
        evidence=(
            Instance(
                "t = -7 at d = 20, p uniform, alpha = 0.1, eta = 1",
                WITNESS.surely_missed(),
                "<=",
                WITNESS.kept(),
                WITNESS.hypotheses(),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.equation-20-repaired",
        kind="repair",
        repairs="ponnoprat2023.equation-20",
        where="Appendix F, (20)",
        says="It is for t from 0 to beta, as Markov's inequality asks.",
        hypotheses=("alpha > 0",),
        adds=("t >= 0",),
        note=_NOTE,
        evidence=(_MOMENTS,),
    ),
    Statement(
        id="ponnoprat2023.equation-20-taylor",
        kind="equation",
        where="Appendix F, the two displays between (20) and (21)",
        says="log Gamma(beta + d alpha) <= log Gamma(beta - t + d alpha) + t psi(beta + d alpha), "
        "and log Gamma(beta p_i - t p_i + alpha) <= log Gamma(beta p_i + d alpha) - t p_i "
        "psi(beta p_i - t p_i + alpha).",
        hypotheses=("t <= beta", "alpha > 0"),
        garbled="d alpha in the second may be a misprint for alpha, which is the repair",
        note=_NOTE,
        evidence=(_SECOND_BOUND,),
    ),
    Statement(
        id="ponnoprat2023.equation-20-taylor-repaired",
        kind="repair",
        repairs="ponnoprat2023.equation-20-taylor",
        where="Appendix F, between (20) and (21)",
        says="Both hold with alpha for d alpha in the second.",
        hypotheses=("t <= beta", "alpha > 0"),
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#tangents",
                "log Gamma is convex, so it lies above its tangents (4)",
                (Formula("(4)", _tangents_are_below),),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.theorem-2-exponent",
        kind="equation",
        where="Appendix F, (21), (22) and the displays after them",
        says="f(t) = -t eta + t log((beta + d alpha)/(beta - t)) is least at beta (1 - 1/W), is "
        "-beta (1 - 1/W)(W - 1) there, and W >= 1 + eta/(2 (2+eta)), which gives the exponent.",
        hypotheses=("beta >= d alpha/(e^(eta/2) - 1)", "alpha > 0"),
        note=_NOTE,
        evidence=(_WITHOUT_AN_INTEGRAL, *(row.instance() for row in ROWS)),
    ),
    Statement(
        id="ponnoprat2023.theorem-2-exponent-repaired",
        kind="repair",
        repairs="ponnoprat2023.theorem-2-exponent",
        where="Appendix F, (21)",
        says="All of it gives the exponent where (19) may be used.",
        hypotheses=("beta >= d alpha/(e^(eta/2) - 1)",),
        adds=("alpha >= 1/2",),
        note=_NOTE,
        evidence=(
            _FROM_ONE_HALF,
            *_DIGAMMA,
            Proof(
                f"{_NOTE}#exponent",
                "f' is 0 at w = beta/(beta - t) with w e^w = beta e^(1+eta)/A (5), the bound on "
                "W by 1 - a + a/(2l) <= e^(-a/2) (6), and the algebra (7)",
                (
                    Formula("(5)", _exponent_is_least_where_said),
                    Formula("(6)", _lambert_is_above),
                    Formula("(7)", _exponents_agree),
                ),
            ),
        ),
    ),
)

FROM_ONE_HALF = _FROM_ONE_HALF
