"""The common part of all Pufferfish claims: questions, assumptions, song2017's scales, non-claims.

A claim says that a release with Laplace or normal noise is (epsilon, delta)-Pufferfish private for
the secrets and the class of laws that it names, or that their Renyi divergences of an order are at
most epsilon; song2017 has pure privacy, delta = 0. The exact loss of the released query decides
where it can be had; a scale that a valid mechanism asks for, which is for pure privacy, can only
certify.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeVar

from ....reference.domain import Value, Word
from ....reference.enclosure import Enclosure, Trilean
from ....reference.errors import DomainError, InputError
from ....reference.evaluation import answer_at
from ....reference.exact import exact_number, shown
from ....reference.markov.structure import is_irreducible, period
from ....reference.precision import Budget, BudgetSpentError, climb
from ....reference.pufferfish.gap import is_reversible, steps_back_connect
from ....reference.quantity import quantity_named
from ....reference.sampling import Noise, gaussian, laplace
from ....reference.structures import ANY, ChainLaw, Matrix
from ..hypotheses import STATUS, Finding
from ..protocol import SAMPLING, Claim, Target
from ..questions import Printed, Question, Term

Found = TypeVar("Found")
# One step at one precision: the climb is there for its deadline, which inner loops look at.
_BITS = 128


def found_within(seconds: float, look: Callable[[], Found]) -> Found | None:
    """Return what ``look`` finds; None where it is refused, or after so many seconds."""
    found: list[Found] = []

    def once(_bits: int) -> Enclosure:
        found.append(look())
        return Enclosure.nothing_known()

    with suppress(DomainError, BudgetSpentError):
        climb(once, lambda _: True, _BITS, Budget(seconds, _BITS))
    return found[0] if found else None


# The laws of the noise; a claim that names none has the first.
LAPLACE, GAUSSIAN = "laplace", "gaussian"
NOISE_LAW = Word((LAPLACE, GAUSSIAN))
DRAWN: Final[Mapping[str, Noise]] = {LAPLACE: laplace, GAUSSIAN: gaussian}
DEFINITION = "song2017 Definition 2.1"
EPSILON = "epsilon_at_scale"
SCALE = "scale_needed"
# Why there is nothing to hide, in the two ways in which a claim says what its secrets are.
ONE_STATE = "under every law of the class each node has one state that is possible"
NO_PAIR = "no pair lists two different secrets that are both possible under one law"
NO_PRINTED_SCALE = (
    'no mechanism of song2017 has a scale for normal noise, or for epsilon = 0; scale = "least" is '
    "the least of the exact loss of a known query"
)
BY_WASSERSTEIN = "song2017 Algorithm 1, the Wasserstein mechanism"
_LACKS = "song2017 prints scales, and no epsilon of a release"

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
_WORDS = {LAPLACE: "Laplace", GAUSSIAN: "normal"}


def noise_assumed(law: str) -> Finding:
    """Return what is taken for granted of the noise."""
    scale = "of this scale" if law == LAPLACE else "with this scale as its standard deviation"
    return Finding(
        f"the noise on each number of the answer is {_WORDS[law]} {scale}, independent of all else",
        "assumed",
        DEFINITION,
    )


ONLY_THE_CLASS = (
    "Only the laws of the class are covered: not mixtures of them, and no law that it leaves out."
)
NOT_SAID = (
    ONLY_THE_CLASS,
    "Only the named secrets are covered: a state of one node, or a pair that is listed.",
    SAMPLING,
)


def hiding(table: Mapping[str, Any], where: str) -> Target:
    """Return a claimed epsilon, and a delta, 0 unless given, or an order.

    Raises InputError or DomainError.
    """
    if "epsilon" not in table:
        raise InputError(f"{where}: [claim] needs epsilon")
    if "order" in table and "delta" in table:
        raise InputError(
            f"{where}: [claim] has delta and order; a Pufferfish claim needs epsilon, and at most "
            "one of delta (0 unless given) and order, of Renyi"
        )
    epsilon = exact_number(table["epsilon"], f"{where}: epsilon")
    if "order" in table:
        return _by_renyi(epsilon, table["order"], where)
    delta = exact_number(table.get("delta", 0), f"{where}: delta")
    if not 0 <= delta <= 1:
        raise DomainError(f"{where}: delta = {shown(delta)}; a delta is from 0 to 1")
    if epsilon < 0 or (epsilon == 0 and delta == 0):
        raise DomainError(
            f"{where}: epsilon = {shown(epsilon)}; a Pufferfish claim needs epsilon > 0, or "
            "epsilon = 0 with delta > 0"
        )
    return epsilon, delta, None


def _by_renyi(epsilon: Fraction, given: object, where: str) -> Target:
    order = exact_number(given, f"{where}: order")
    if order <= 1:
        raise DomainError(
            f"{where}: order = {shown(order)}; a Pufferfish claim needs an order above 1 (at 1, "
            "which is Kullback and Leibler's, no loss is computed: a larger order bounds it)"
        )
    if epsilon <= 0:
        raise DomainError(f"{where}: epsilon = {shown(epsilon)}; at an order it needs epsilon > 0")
    return epsilon, None, order


def law_of_noise(exact: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was read, without a law of the noise that is the usual one."""
    return {key: value for key, value in exact.items() if (key, value) != ("noise", LAPLACE)}


def is_pure(claim: Claim, law: str) -> bool:
    """Whether song2017's mechanisms and the pure loss speak of it: Laplace noise, delta = 0."""
    return law == LAPLACE and claim.order is None and not claim.delta


def epsilon_asked(claim: Claim, quantity: str, point: Mapping[str, Value]) -> Question:
    """Return the question whether a quantity is at most the claimed epsilon."""
    return Question(EPSILON, claim.epsilon, (Term(quantity, point),))


class Losses(NamedTuple):
    """The quantities that are the exact losses of a known query, and its least scales for them."""

    delta: str
    epsilon: str
    renyi: str
    scale: str
    scale_renyi: str

    @classmethod
    def of(cls, family: str) -> Losses:
        """Return those of a family, whose names begin with this."""
        names = ("delta", "epsilon", "renyi", "scale", "scale_renyi")
        return cls(*(f"{family}least_{name}" for name in names))


def losses_asked(
    claim: Claim, law: str, losses: Losses, point: Mapping[str, Value]
) -> tuple[Question, ...]:
    """Return the questions for the exact losses of a known query: at the order, or by the delta.

    At delta = 0 normal noise has no epsilon that is asked: it is infinite, or the tails'.
    """
    at = {**point, "noise": law}
    if claim.order is not None:
        return (at_order(claim, Term(losses.renyi, {**at, "order": claim.order})),)
    exact = Term(losses.delta, {**at, "epsilon": claim.epsilon})
    found = [Question("delta_at_epsilon", claim.delta or Fraction(0), (exact,))]
    if claim.delta or law == LAPLACE:
        least = Term(losses.epsilon, {**at, "delta": claim.delta or Fraction(0)})
        found.append(Question("epsilon_at_delta", claim.epsilon, (least,)))
    return tuple(found)


def at_order(claim: Claim, term: Term) -> Question:
    """Return the question whether a Renyi divergence is at most the claimed epsilon."""
    return Question("epsilon_at_order", claim.epsilon, (term,))


def group_asked(claim: Claim, scale: Fraction, lipschitz: Fraction, size: int) -> Question:
    """Return the question whether the scale protects all entries at once, whatever their law."""
    point: dict[str, Value] = {"lipschitz": lipschitz, "size": size, "epsilon": claim.epsilon}
    return Question("scale_of_group", scale, (Term("pufferfish.group_scale", point),))


def least_asked(
    claim: Claim, law: str, scale: Fraction, losses: Losses, point: Mapping[str, Value]
) -> Question | None:
    """Return the question for the least scale of the exact loss; None where that is not known."""
    whole = {**point, "noise": law, "epsilon": claim.epsilon}
    quantity = losses.scale
    if claim.order is not None:
        whole["order"], quantity = claim.order, losses.scale_renyi
    else:
        whole["delta"] = claim.delta or Fraction(0)
    if not quantity_named(quantity).admits(whole):
        return None
    return Question("scale_least", scale, (Term(quantity, whole),), SECOND_SECONDS)


def printed_scales(also: Mapping[str, tuple[str, Any]]) -> Printed:
    """Return what the paper prints: scales, no epsilon of its own."""
    return Printed(None, None, {}, lacks=_LACKS, also=also)


_SECTION = "song2017 Section 4.4.2, for MQMApprox"
_NOTE = "proofs_notes/eigengap.md#printed-gap-leaks"
_DROPPED = (
    "song2017 (7) drops every eigenvalue 1 of P P* and so states a gap where there is none; "
    f"Algorithm 4 with it protects nothing ({_NOTE}). MQMExact asks nothing of this kind"
)
# The smallest stationary probability and the gap take an exact solve and a determinant: few states.
_MOST_STATES = 100
_MOST_LENGTH = 1_000
# Nothing rests on these scales: each is looked for so long.
_SECONDS = 10.0
_TOO_LONG = ", which would take too long"
_Scales = Mapping[str, tuple[str, Enclosure | None]]


def chain_findings(chains: Sequence[ChainLaw]) -> list[Finding]:
    """Decide what MQMApprox asks of the chains; MQMExact, which certifies, asks nothing of them."""
    whole = all(is_irreducible(chain.P) for chain in chains)
    once = whole and all(period(chain.P) == 1 for chain in chains)
    gap = whole and all(steps_back_connect(chain.P) for chain in chains)
    return [
        _decided("every chain irreducible", whole),
        _decided("every chain aperiodic", once),
        _decided(
            "every chain's P P* with a positive eigengap, multiplicities counted",
            gap,
            _DROPPED if once and not gap else "",
        ),
    ]


def _decided(statement: str, holds: bool, note: str = "") -> Finding:
    return Finding(statement, STATUS[Trilean.of(holds)], _SECTION, note)


def chain_scales(
    chains: tuple[ChainLaw, ...], length: int, epsilon: Fraction, lipschitz: Fraction, width: int
) -> _Scales:
    """Return MQMApprox's scale, and that of MQMExact for every initial law at once.

    The latter is what song2017 prints for its running example, though X_1 is known there.
    """
    scales: dict[str, tuple[str, Enclosure | None]] = {}
    if length <= _MOST_LENGTH:
        anyhow = tuple(chain._replace(initial=ANY) for chain in chains)
        point: dict[str, Value] = {
            "chains": anyhow,
            "length": length,
            "epsilon": epsilon,
            "width": width,
        }
        found = _times(_soon("pufferfish.quilt_scale_exact", point), lipschitz)
        by = "MQMExact for every initial law" + ("" if found else _TOO_LONG)
        scales["quilt_scale_any_start"] = (by, found)
    approx = found_within(_SECONDS, lambda: _approximate(chains, length, epsilon))
    scales["quilt_scale_approx"] = (_by(chains, approx), _times(approx, lipschitz))
    return scales


def _by(chains: Sequence[ChainLaw], approx: Enclosure | None) -> str:
    """Return what MQMApprox's scale is published by, with why there is none."""
    if approx is not None:
        return "MQMApprox"
    applies = all(finding.may_hold for finding in chain_findings(chains))
    return "MQMApprox" + (_TOO_LONG if applies else ", of which a hypothesis fails")


def _times(value: Enclosure | None, factor: Fraction) -> Enclosure | None:
    """Return an enclosure of so many times the value, which is finite."""
    if value is None or factor == 1:
        return value
    ends = Fraction(value.lower) * factor, Fraction(value.upper) * factor
    return Enclosure(Enclosure.of(ends[0]).low, Enclosure.of(ends[1]).high)


def _approximate(chains: tuple[ChainLaw, ...], length: int, epsilon: Fraction) -> Enclosure | None:
    """Enclose MQMApprox's scale for the least stationary probability and the least gap.

    The gap is rounded down, which gives a scale that is sufficient still.
    """
    matrices = {chain.P for chain in chains}
    if not all(len(P) <= _MOST_STATES and is_irreducible(P) for P in matrices):
        return None
    least = min(_least("pufferfish.stationary_minimum", P) for P in matrices)
    gap = min(_least(_gap_name(P), P) for P in matrices)
    point: dict[str, Value] = {"pi_min": least, "gap": gap, "length": length, "epsilon": epsilon}
    return _soon("pufferfish.quilt_scale_approx", point)


def _gap_name(P: Matrix) -> str:
    return "pufferfish.eigengap_reversible" if is_reversible(P) else "pufferfish.eigengap"


def _least(name: str, P: Matrix) -> Fraction:
    """Return a lower bound, 0 or more; 0 gives no scale."""
    found = _soon(name, {"P": P})
    return Fraction(0 if found is None else found.lower)


def _soon(name: str, point: Mapping[str, Value]) -> Enclosure | None:
    """Return a quantity, narrowly; None outside its domain, or where it takes too long."""
    if not quantity_named(name).admits(point):
        return None
    answer = answer_at(name, point, budget=Budget(_SECONDS))
    return answer.number if answer.narrow else None
