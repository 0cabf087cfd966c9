"""Section 4, after Theorem 2: how much data is enough."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ....reference.arb.balls import ball
from ....reference.dirichlet import renyi
from ....reference.dirichlet.kl_tail import kl_tail
from ....reference.enclosure import Trilean
from ..evidence import Formula, Identity, Instance, Proof
from ..statement import Reading, Statement
from ..values import At, Exactly, as_ball, at_precision, draws
from .inputs import REPLACED, just_above, law, number
from .polygamma import BETWEEN
from .setting import MEANS
from .tail import FROM_ONE_HALF

# Formulas of the note on sample complexity, executed in balls and with SymPy.


@at_precision
def _step_is_between() -> bool:
    """Line 1 lies between L r^2/(2(1+x)) and L r^2/(1+x), L = lambda D2^2, x = 3 kappa r Dinf.

    So r > 3 Dinf epsilon/(2 D2^2) for lambda >= 2, and r > (epsilon/lambda)^(1/2)/D2.
    """
    for random in draws(81):
        order, r, squared, largest = 2 + number(random, 0), *(number(random) for _ in range(3))
        epsilon = renyi.epsilon_bound(order, r, squared, largest)
        x = 3 * (order - 1) * r * largest
        top = ball(order * squared * r**2)
        if not top / (2 * ball(1 + x)) < epsilon < top / ball(1 + x):
            return False
        if not ball(r) > ball(3 * largest / (2 * squared)) * epsilon:
            return False
        if not ball(r**2 * squared * order) > epsilon:
            return False
    return True


@at_precision
def _limits_are_as_said() -> bool:
    """epsilon/r -> lambda D2^2/(6 kappa Dinf) far out; epsilon/(lambda r^2) -> D2^2 psi'(1)/2."""
    for random in draws(82):
        order, squared, largest = 2 + number(random, 0), number(random), number(random)
        far, near = Fraction(10**30), Fraction(1, 10**30)
        large = renyi.epsilon_bound(order, far, squared, largest) / ball(far)
        small = renyi.epsilon_bound(order, near, squared, largest) / ball(order * near**2)
        wanted = ball(order * squared / (6 * (order - 1) * largest))
        if abs(large / wanted - 1) > ball(Fraction(1, 10**20)):
            return False
        limit = ball(squared) * arb(2).zeta(arb(1)) / 2
        if abs(small / limit - 1) > ball(Fraction(1, 10**20)):
            return False
    return True


@at_precision
def _enough_data_is_enough() -> bool:
    """The larger of d alpha/(e^(eta/2)-1) and 4 (4+eta) log(1/s)/eta^2 for beta leaves s."""
    for random in draws(83, 5):
        p, alpha, eta = law(random), Fraction(1) + number(random, 0, 40), number(random, 1, 20)
        missed = Fraction(1, random.randint(2, 40))
        beta = ball(len(p) * alpha) / (ball(eta / 2).exp() - 1)
        beta = beta.max(ball(4 * (4 + eta) / eta**2) * -ball(missed).log())
        exact = just_above(beta)
        chance = kl_tail(p, exact, alpha, eta)
        if not as_ball(chance) <= ball(missed):
            return False
    return True


@at_precision
def _markov_is_enough() -> bool:
    """Beta = d (alpha + 1)/(s eta) leaves s at most; for alpha >= 1/2 d alpha/(s eta) does."""
    for random in draws(84, 5):
        p, alpha, eta = law(random), number(random, 1, 60), number(random, 1, 20)
        missed = Fraction(1, random.randint(2, 40))
        extra = Fraction(1) if alpha < Fraction(1, 2) else Fraction(0)
        beta = len(p) * (alpha + extra) / (missed * eta)
        chance = kl_tail(p, beta, alpha, eta)
        if not as_ball(chance) <= ball(missed):
            return False
    return True


@at_precision
def _root_is_needed() -> bool:
    """Below an epsilon r is at most c epsilon^(1/2); the chance to meet eta rises with r N.

    Where all records are alike the divergence is -log y_1, y_1 ~ Beta(r N + alpha, (d-1) alpha).
    """
    for random in draws(86):
        order, squared, largest = 2 + number(random, 0), number(random), number(random)
        far, r = (number(random) for _ in range(2))
        near = min(r, far)
        at_far, at_near = (
            renyi.epsilon_bound(order, each, squared, largest) for each in (far, near)
        )
        c = (2 * ball(1 + 3 * (order - 1) * far * largest) / ball(order * squared)).sqrt()
        if at_near > at_far or not ball(near) < c * at_near.sqrt():
            return False
        alpha, d = 1 + 4 * (order - 1) * near * largest, random.randint(2, 6)
        rest = 1 - (-ball(number(random, 1, 20))).exp()
        met = [
            rest.beta_lower(ball((d - 1) * alpha), ball(more + alpha), regularized=1)
            for more in (Fraction(0), Fraction(1, 2), Fraction(1))
        ]
        if not met[0] < met[1] < met[2]:
            return False
    return True


def _inverse_square_is_needed() -> Trilean:
    """Whether beta eta^2 stays above some c > 0 where beta suffices as eta -> 0.

    beta = d alpha/(s eta) suffices, and beta eta^2 tends to 0.
    """
    import sympy

    eta, d, alpha, s = sympy.symbols("eta d alpha s", positive=True)
    return Trilean.of(sympy.limit(d * alpha / (s * eta) * eta**2, eta, 0, "+") != 0)


def _constants_are_free_of_the_order() -> Trilean:
    """Whether beta = r N, N = C (lambda/epsilon)^(1/2), is enough for a C free of lambda.

    d = 2, f = (N, 0): E y_1 = (beta + alpha)/(beta + 2 alpha), alpha > 4 kappa r, so it tends to
    1/2, and P(y_1 >= e^(-eta)) <= e^eta E y_1, which tends to e^eta/2, at eta = 1/4 below 2/3.
    """
    import sympy

    order, r, c, epsilon = sympy.symbols("lambda r C epsilon", positive=True)
    # beta/alpha is below this, whatever r is.
    ratio = r * c * sympy.sqrt(order / epsilon) / (4 * (order - 1) * r)
    tends = sympy.limit(ratio, order, sympy.oo)
    kept = sympy.exp(sympy.Rational(1, 4)) / 2
    return Trilean.of(not (tends == 0 and bool(kept < sympy.Rational(2, 3))))


@at_precision
def _regimes_are_covered() -> bool:
    """1/r < m and alpha/r < m + 4 kappa Dinf, where r solves line 1 for epsilon.

    m is the least of 2 D2^2/(3 Dinf epsilon) and D2 (lambda/epsilon)^(1/2).
    """
    for random in draws(85):
        order, r, squared, largest = 2 + number(random, 0), *(number(random) for _ in range(3))
        epsilon = renyi.epsilon_bound(order, r, squared, largest)
        most = (ball(2 * squared / (3 * largest)) / epsilon).min(
            (ball(squared * order) / epsilon).sqrt()
        )
        alpha = 1 + 4 * (order - 1) * r * largest
        more = ball(4 * (order - 1) * largest)
        if not (1 / ball(r) < most and ball(alpha / r) < most + more):
            return False
    return True


_NOTE = "ponnoprat2023/sample-complexity.md"
_ENOUGH = Proof(
    f"{_NOTE}#sufficient",
    "the tail bound of Theorem 2 for alpha >= 1/2, solved for N_f (1)",
    (Formula("(1)", _enough_data_is_enough),),
)
_MARKOV = Proof(
    f"{_NOTE}#by-the-mean",
    "Markov's inequality for the mean divergence (2)",
    (Formula("(2)", _markov_is_enough),),
)
_BRACKET = Proof(
    f"{_NOTE}#steps",
    "line 1 between two quotients, by the bounds on psi' (3), (4)",
    (
        Formula("(3)", _step_is_between),
        Formula("(4)", _limits_are_as_said),
    ),
)
_REGIMES = Proof(
    f"{_NOTE}#regimes",
    "bounds on 1/r and alpha/r (5) in the sufficient condition (1)",
    (Formula("(5)", _regimes_are_covered),),
)

_NEEDED = Proof(
    f"{_NOTE}#needed",
    "one record at least; and with r N bounded data that are all alike are missed too often (7)",
    (Formula("(7)", _root_is_needed),),
)
_NOT_NEEDED = Identity(
    "r fixed, beta = d alpha/(s eta) leaves s by (2): beta eta^2 stays above some c > 0",
    _inverse_square_is_needed,
)

STATEMENTS = (
    Statement(
        id="ponnoprat2023.sample-complexity",
        kind="corollary",
        where="Section 4, the order of N_f for a divergence of eta",
        says="For a divergence KL(f/N_f || y) of eta with high probability N_f has to be at least "
        "of the order 1/(r eta^2) + d alpha/(r (e^(eta/2) - 1)).",
        hypotheses=("eta < 1",),
        garbled="the divergence is printed to be above eta with high probability",
        note=_NOTE,
        evidence=(_NOT_NEEDED,),
        readings=(
            Reading(
                "a constant times it is enough for at most eta, where alpha is at least 1/2",
                (FROM_ONE_HALF, _ENOUGH),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.sample-complexity-repaired",
        kind="repair",
        repairs="ponnoprat2023.sample-complexity",
        where="Section 4",
        says="N_f >= d (alpha + 1)/(r s eta) leaves a chance of s at most, for every alpha > 0; "
        "for alpha >= 1/2 d alpha/(r s eta) is enough, and so is what Theorem 2 asks.",
        hypotheses=("0 < s < 1",),
        note=_NOTE,
        evidence=(MEANS, _MARKOV, _ENOUGH),
    ),
    Statement(
        id="ponnoprat2023.equation-8-9-limits",
        kind="equation",
        where="Section 4, (8), (9) and the limits after them",
        says="As epsilon -> infinity r is of the order epsilon and alpha of (lambda-1) epsilon; as "
        "epsilon -> 0 r is of the order (epsilon/lambda)^(1/2) and alpha of 1.",
        hypotheses=("lambda >= 2, D2 and Dinf fixed",),
        note=_NOTE,
        evidence=(BETWEEN, _BRACKET),
    ),
    Statement(
        id="ponnoprat2023.sample-complexity-regimes",
        kind="corollary",
        where="Section 4, the two cases for N_f",
        says="N_f of the order 1/(epsilon eta^2) + d (lambda-1)/(e^(eta/2) - 1) for epsilon >= 1, "
        "(lambda/epsilon)^(1/2) (1/eta^2 + d/(e^(eta/2) - 1)) for epsilon < 1.",
        hypotheses=("needed, as Omega says", "constants that may depend on lambda >= 2", "eta < 1"),
        note=_NOTE,
        evidence=(_NOT_NEEDED,),
        readings=(
            Reading("enough", (_ENOUGH, _BRACKET, _REGIMES)),
            Reading(
                "enough, with constants free of lambda, for epsilon < 1",
                (
                    Identity(
                        "f = (N, 0), eta = 1/4: some C free of lambda will do (6)",
                        _constants_are_free_of_the_order,
                    ),
                    Instance(
                        "r at lambda = 200, epsilon = 1/2 against 10 (epsilon/lambda)^(1/2)",
                        At(
                            "dirichlet.renyi.step",
                            {"order": 200, "epsilon": "1/2", **REPLACED},
                        ),
                        ">",
                        Exactly("1/2", "10 (epsilon/lambda)^(1/2)"),
                    ),
                ),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.sample-complexity-regimes-repaired",
        kind="repair",
        repairs="ponnoprat2023.sample-complexity-regimes",
        where="Section 4, the two cases for N_f",
        says="With m the least of 2 D2^2/(3 Dinf epsilon) and D2 (lambda/epsilon)^(1/2), N_f at "
        "least m 4 (4+eta) log(1/s)/eta^2 and (m + 4 (lambda-1) Dinf) d/(e^(eta/2) - 1) is enough, "
        "for all lambda >= 2.",
        hypotheses=("all epsilon, eta > 0", "0 < s < 1"),
        note=_NOTE,
        evidence=(_ENOUGH, _BRACKET, _REGIMES),
    ),
    Statement(
        id="ponnoprat2023.sample-complexity-categorical",
        kind="corollary",
        where="Section 4, last paragraph",
        says="For categorical data N_f = N, and with lambda and eta fixed N of the order "
        "1/epsilon + 1 for epsilon >= 1 and epsilon^(-1/2) for epsilon < 1 is needed.",
        hypotheses=(
            "for all data, d fixed",
            "the chance of failure is below a constant, else the prior alone may do",
        ),
        note=_NOTE,
        evidence=(_NEEDED,),
        readings=(Reading("enough, d and the chance of failure fixed", (_ENOUGH, _REGIMES)),),
    ),
)
