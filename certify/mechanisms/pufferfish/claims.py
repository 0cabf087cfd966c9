"""What all Pufferfish claims have in common: what is asked, what is assumed, what is not said.

A claim says that a Laplace release is epsilon-Pufferfish private for the secrets and the class of
laws that it names. Privacy is pure: there is no delta. The exact loss of the released query decides
where it can be had; a scale that a valid mechanism asks for can only certify.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ....reference.domain import Value
from ....reference.errors import DomainError, InputError
from ....reference.exact import exact_number, shown
from ..hypotheses import Finding
from ..printed import Printed
from ..protocol import SAMPLING, Claim
from ..questions import Question, Term

DEFINITION = "song2017 Definition 2.1"
EPSILON = "epsilon_at_scale"
SCALE = "scale_needed"
# Why there is nothing to hide, in the two ways in which a claim says what its secrets are.
ONE_STATE = "under every law of the class each node has one state that is possible"
NO_PAIR = "no pair lists two different secrets that are both possible under one law"
BY_WASSERSTEIN = "song2017 Algorithm 1, the Wasserstein mechanism"
LACKS = "song2017 gives no number"

# The second engine lists what the first one does not: at a length of 100 it takes a minute, and an
# opinion that it has not finished is published as undecided. Short chains take it milliseconds.
SECOND_SECONDS = 3.0
# Of a chain with more nodes than this it lists a few, in a fraction of a second, or far too many.
MANY_NODES = 1_000
SECOND_SECONDS_OF_MANY = 0.5

CLASS_ASSUMED = Finding("the data follow one of the laws of the class", "assumed", DEFINITION)
FIXED_CLASS = Finding(
    "class, query and scale were fixed without looking at the private data", "assumed", DEFINITION
)
NOISE = Finding(
    "the noise on each number of the answer is Laplace of this scale, independent of all else",
    "assumed",
    DEFINITION,
)
ONLY_THE_CLASS = (
    "Only the laws of the class are covered: not mixtures of them, and no law between them."
)
NOT_SAID = (
    ONLY_THE_CLASS,
    "Only the named secrets are covered: a state of one node, or a pair that is listed.",
    SAMPLING,
)


def pure_epsilon(table: Mapping[str, Any], where: str) -> tuple[Fraction, Fraction, None]:
    """Return a claimed epsilon with delta 0. Raises InputError or DomainError with a sentence."""
    if "epsilon" not in table:
        raise InputError(f"{where}: [claim] needs epsilon")
    if "order" in table:
        raise InputError(
            f"{where}: order = {shown(table['order'])}, but Pufferfish privacy has no order; "
            "[claim] needs epsilon alone"
        )
    epsilon, delta = (exact_number(table.get(key, 0), f"{where}: {key}") for key in _CLAIMED)
    if delta != 0:
        raise DomainError(
            f"{where}: delta = {shown(delta)}, but Pufferfish privacy is pure: leave delta out, or "
            "give delta = 0"
        )
    if epsilon <= 0:
        raise DomainError(
            f"{where}: epsilon = {shown(epsilon)}; a Pufferfish claim needs epsilon > 0"
        )
    return epsilon, delta, None


_CLAIMED = ("epsilon", "delta")


def epsilon_asked(claim: Claim, quantity: str, point: Mapping[str, Value]) -> Question:
    """Return the question whether a quantity is at most the claimed epsilon."""
    return Question(EPSILON, claim.epsilon, (Term(quantity, point),))


def group_asked(claim: Claim, scale: Fraction, lipschitz: Fraction, size: int) -> Question:
    """Return the question whether the scale protects all entries at once, whatever their law."""
    point: dict[str, Value] = {"lipschitz": lipschitz, "size": size, "epsilon": claim.epsilon}
    return Question("scale_of_group", scale, (Term("pufferfish.group_scale", point),))


def printed_scales(also: Mapping[str, tuple[str, Any]]) -> Printed:
    """Return what the paper prints: scales, no epsilon of its own."""
    return Printed(None, None, {}, lacks=LACKS, also=also)
