"""Section 4, after Theorem 2: how much data is enough."""

from __future__ import annotations

from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, Proof
from ..values import At, Exactly
from . import executed_complexity as executed
from .inputs import REPLACED
from .polygamma import BETWEEN
from .setting import MEANS
from .tail import FROM_ONE_HALF

NOTE = "ponnoprat2023/sample-complexity.md"
_ENOUGH = Proof(
    f"{NOTE}#sufficient",
    "the tail bound of Theorem 2 for alpha >= 1/2, solved for N_f (1)",
    (Formula("(1)", executed.enough_data_is_enough),),
)
_MARKOV = Proof(
    f"{NOTE}#by-the-mean",
    "Markov's inequality for the mean divergence (2)",
    (Formula("(2)", executed.markov_is_enough),),
)
_BRACKET = Proof(
    f"{NOTE}#steps",
    "line 1 between two quotients, by the bounds on psi' (3), (4)",
    (
        Formula("(3)", executed.step_is_between),
        Formula("(4)", executed.limits_are_as_said),
    ),
)
_REGIMES = Proof(
    f"{NOTE}#regimes",
    "bounds on 1/r and alpha/r (5) in the sufficient condition (1)",
    (Formula("(5)", executed.regimes_are_covered),),
)

_NEEDED = Proof(
    f"{NOTE}#needed",
    "one record at least; and with r N bounded data that are all alike are missed too often (7)",
    (Formula("(7)", executed.root_is_needed),),
)
_NOT_NEEDED = Identity(
    "r fixed, beta = d alpha/(s eta) leaves s by (2): beta eta^2 stays above some c > 0",
    executed.inverse_square_is_needed,
)

CLAIMS = (
    Claim(
        id="ponnoprat2023.sample-complexity",
        kind="corollary",
        where="Section 4, the order of N_f for a divergence of eta",
        says="For a divergence KL(f/N_f || y) of eta with high probability N_f has to be at least "
        "of the order 1/(r eta^2) + d alpha/(r (e^(eta/2) - 1)).",
        hypotheses=("eta < 1",),
        garbled="the divergence is printed to be above eta with high probability",
        note=NOTE,
        evidence=(_NOT_NEEDED,),
        readings=(
            Reading(
                "a constant times it is enough for at most eta, where alpha is at least 1/2",
                (FROM_ONE_HALF, _ENOUGH),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.sample-complexity-repaired",
        kind="repair",
        repairs="ponnoprat2023.sample-complexity",
        where="Section 4",
        says="N_f >= d (alpha + 1)/(r s eta) leaves a chance of s at most, for every alpha > 0; "
        "for alpha >= 1/2 d alpha/(r s eta) is enough, and so is what Theorem 2 asks.",
        hypotheses=("0 < s < 1",),
        note=NOTE,
        evidence=(MEANS, _MARKOV, _ENOUGH),
    ),
    Claim(
        id="ponnoprat2023.equation-8-9-limits",
        kind="equation",
        where="Section 4, (8), (9) and the limits after them",
        says="As epsilon -> infinity r is of the order epsilon and alpha of (lambda-1) epsilon; as "
        "epsilon -> 0 r is of the order (epsilon/lambda)^(1/2) and alpha of 1.",
        hypotheses=("lambda >= 2, D2 and Dinf fixed",),
        note=NOTE,
        evidence=(BETWEEN, _BRACKET),
    ),
    Claim(
        id="ponnoprat2023.sample-complexity-regimes",
        kind="corollary",
        where="Section 4, the two cases for N_f",
        says="N_f of the order 1/(epsilon eta^2) + d (lambda-1)/(e^(eta/2) - 1) for epsilon >= 1, "
        "(lambda/epsilon)^(1/2) (1/eta^2 + d/(e^(eta/2) - 1)) for epsilon < 1.",
        hypotheses=("needed, as Omega says", "constants that may depend on lambda >= 2", "eta < 1"),
        note=NOTE,
        evidence=(_NOT_NEEDED,),
        readings=(
            Reading("enough", (_ENOUGH, _BRACKET, _REGIMES)),
            Reading(
                "enough, with constants free of lambda, for epsilon < 1",
                (
                    Identity(
                        "f = (N, 0), eta = 1/4: some C free of lambda will do (6)",
                        executed.constants_are_free_of_the_order,
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
    Claim(
        id="ponnoprat2023.sample-complexity-regimes-repaired",
        kind="repair",
        repairs="ponnoprat2023.sample-complexity-regimes",
        where="Section 4, the two cases for N_f",
        says="With m the least of 2 D2^2/(3 Dinf epsilon) and D2 (lambda/epsilon)^(1/2), N_f at "
        "least m 4 (4+eta) log(1/s)/eta^2 and (m + 4 (lambda-1) Dinf) d/(e^(eta/2) - 1) is enough, "
        "for all lambda >= 2.",
        hypotheses=("all epsilon, eta > 0", "0 < s < 1"),
        note=NOTE,
        evidence=(_ENOUGH, _BRACKET, _REGIMES),
    ),
    Claim(
        id="ponnoprat2023.sample-complexity-categorical",
        kind="corollary",
        where="Section 4, last paragraph",
        says="For categorical data N_f = N, and with lambda and eta fixed N of the order "
        "1/epsilon + 1 for epsilon >= 1 and epsilon^(-1/2) for epsilon < 1 is needed.",
        hypotheses=(
            "for all data, d fixed",
            "the chance of failure is below a constant, else the prior alone may do",
        ),
        note=NOTE,
        evidence=(_NEEDED,),
        readings=(Reading("enough, d and the chance of failure fixed", (_ENOUGH, _REGIMES)),),
    ),
)
