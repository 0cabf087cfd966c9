"""Section 2.1: Renyi privacy and its composition."""

from __future__ import annotations

from fractions import Fraction

from ..entries import Claim, Reading
from ..evidence import Formula, Instance, Proof
from ..values import Exactly
from . import executed_privacy_model as executed
from .forms import rational

NOTE = "ponnoprat2023/setting.md"
_EVEN = (Fraction(1, 2), Fraction(1, 2))


def _moment_of_the_sum() -> Fraction:
    """Return sum P^2/Q of the two outputs' sum modulo 2, which is secret xor B."""
    kept = Fraction(3, 4)
    return kept**2 / (1 - kept) + (1 - kept) ** 2 / kept


_SHARED = Instance(
    "M_1 = K, M_2 = x xor K xor B, one even bit K for both, P(B = 0) = 3/4, order 2: e^D <= e^0",
    rational(
        "sum P^2/Q of both outputs",
        lambda: executed.squares_over(executed.shared_key(0), executed.shared_key(1)),
        _moment_of_the_sum,
    ),
    "<=",
    Exactly("1", "e^(epsilon_1 + epsilon_2)"),
    {
        f"M_{place + 1} alone is (2, 0)-Renyi private": all(
            executed.alone(place, secret) == _EVEN for secret in (0, 1)
        )
        for place in (0, 1)
    },
)
CLAIMS = (
    Claim(
        id="ponnoprat2023.definition-2-2",
        kind="definition",
        where="Section 2.1, Definitions 2.1 to 2.3 and the sentence after them",
        says="(lambda, epsilon)-Renyi privacy bounds the moments of the privacy loss; it is "
        "stronger for smaller epsilon and larger lambda.",
        hypotheses=("lambda >= 1",),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#orders",
                "the divergence does not fall as the order grows (1)",
                (Formula("(1)", executed.divergence_rises_with_the_order),),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.lemma-1",
        kind="lemma",
        where="Section 2.1, Lemma 1",
        says="Two mechanisms that are (lambda_i, epsilon_i)-Renyi private are together "
        "(min lambda_i, epsilon_1 + epsilon_2)-Renyi private.",
        hypotheses=("their randomness is independent, which goes without saying in the paper",),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#composition",
                "at one order divergences of products add (2), and orders may be lowered (1)",
                (
                    Formula("(1)", executed.divergence_rises_with_the_order),
                    Formula("(2)", executed.products_add),
                ),
            ),
        ),
        readings=(Reading("whatever randomness the two share", (_SHARED,), beyond=True),),
    ),
)
