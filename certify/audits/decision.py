"""Decide a claim by the truth about the mechanism's neighbouring inputs.

An upper bound on the truth can only certify. A claim is refuted only where a pair of neighbouring
inputs loses more than was claimed, and then that pair is the witness. A claim that is true of
releases which hide nothing in practice is certified, and the verdict says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Final

from ...reference.dirichlet.pair import Neighbours
from ...reference.enclosure import Enclosure, Trilean
from ...reference.errors import DomainError, SoundnessError
from ...reference.evaluation import DEFAULT_DIGITS
from ...reference.exact import exact_text
from ...reference.precision import Budget, BudgetSpentError, first_bits
from ..mechanisms.hypotheses import Finding
from ..mechanisms.neighbours import named
from ..mechanisms.protocol import Claim, Inputs, Vacuity, Worst
from ..mechanisms.questions import Printed, Question, Truth, truth_of, written
from ..verdict import Verdict

# So rarely errs, of all people alive, nobody.
LEAST_ERROR: Final = Fraction(1, 10**10)
# A bit that is flipped with LEAST_ERROR is private by log(1/LEAST_ERROR - 1) < 24, at any delta and
# any order; and one that is told with probability MOST_DELTA, and else not at all, by that delta.
MOST_EPSILON: Final = Fraction(24)
MOST_DELTA: Final = 1 - LEAST_ERROR

HIDES_NOTHING: Final = "it hides nothing in practice"
_NOT_HIDDEN: Final = (
    f"That anything is hidden in practice: of an epsilon above {MOST_EPSILON}, or a delta above "
    f"1 - {LEAST_ERROR}, the claim is true also where whoever sees the release tells neighbouring "
    f"inputs apart and errs with a probability below {LEAST_ERROR}."
)


def is_beyond_practice(epsilon: Fraction, delta: Fraction | None) -> bool:
    """Whether a claim with a delta, or with None at an order, is kept by what hides nothing."""
    return epsilon > MOST_EPSILON or (delta is not None and delta > MOST_DELTA)


_EPSILONS: Final = ("epsilon_at_delta", "epsilon_at_order", "epsilon_at_scale")
# Why nothing is said of data that were looked at; which of the hypotheses fails says more.
BELOW = "the data are no input of the mechanism: a count is below eta N"
# Inputs near to a bound that take longer than this to judge refute nothing.
_NEARBY_SECONDS = 20.0


@dataclass(frozen=True)
class Witness:
    """Two neighbouring inputs, and what they lose: more than was claimed."""

    inputs: Inputs
    truth: Truth

    def as_json(self, digits: int = DEFAULT_DIGITS) -> dict[str, object]:
        """Return the published shape."""
        question = self.truth.question
        return {
            "first": self.inputs.first,
            "second": self.inputs.second,
            "other_coordinates": self.inputs.others,
            **self.inputs.facts,
            question.key: written(self.truth.value, digits),
            "claimed": exact_text(question.claimed),
        }


@dataclass(frozen=True)
class Repair:
    """A parameter, and the decimal that would do in place of its own, or a list of them by row.

    ``said`` is by which criterion it was chosen; where ``value`` is None, why there is none.
    ``word`` is what a claim file may say in place of the number, if anything.
    """

    parameter: str
    value: str | list[str] | None
    said: str
    word: str = ""

    def as_json(self) -> dict[str, object]:
        """Return the published shape."""
        return {"parameter": self.parameter, "value": self.value, "said": self.said}


@dataclass(frozen=True)
class Audit:
    """A claim, what was found, and the verdict. Enclosures are None where nothing exists.

    ``truths`` are the numbers that were asked for, those that only bound in ``truths_off_lattice``.
    Of a claim that speaks of no two inputs ``vacuity`` says why, and nothing was asked.
    ``would_do`` is what was looked for after the verdict (``repairs_of``), and nothing rests on it.
    """

    claim: Claim
    verdict: Verdict
    hypotheses: list[Finding]
    worst: Worst
    paper: Printed
    truths: tuple[Truth, ...]
    truths_off_lattice: tuple[Truth, ...]
    refuted_by: Witness | None
    second: str
    vacuity: Vacuity | None = None
    would_do: tuple[Repair, ...] = ()

    @property
    def is_kept(self) -> bool:
        """Whether the claim is true of all inputs that the definition admits."""
        return any(truth.above is Trilean.FALSE for truth in self.deciding)

    @property
    def deciding(self) -> tuple[Truth, ...]:
        """The truths of which each decides alone: the first that was asked, and what certifies."""
        keys = {question.key for question in self.worst.sufficient}
        rest = (truth for truth in self.truths[1:] if truth.question.key in keys)
        return (*self.truths[:1], *rest)

    @property
    def epsilon_needed(self) -> Enclosure | None:
        """The epsilon that the mechanism keeps, at the claim's delta, order or scale, if known."""
        found = (self.exact.get(key) for key in _EPSILONS)
        return next((value for value in found if value is not None), None)

    @property
    def assumptions(self) -> list[str]:
        """What the verdict takes for granted of data, laws and noise, where it certifies."""
        if self.verdict is not Verdict.CERTIFIED:
            return []
        return [
            item.statement
            for item in self.hypotheses
            if item.status == "assumed" and item.bears_on_privacy
        ]

    @property
    def neighbours(self) -> str | None:
        """Whose difference is hidden: ``replace``, ``add_remove``, or in words; None if unknown."""
        return named(self.claim.mechanism.adjacency(self.claim, {}))

    def __repr__(self) -> str:
        return f"{self.verdict.value}: {self.claim.name!r} ({self.claim.mechanism.name})"

    @property
    def why(self) -> str:
        """Why the claim is inapplicable; nothing where it is not."""
        if self.verdict is not Verdict.INAPPLICABLE:
            return ""
        return self.vacuity.sentence if self.vacuity else BELOW

    @property
    def remark(self) -> str:
        """What the first line says beside the verdict; nothing where that says it all."""
        if self.verdict is not Verdict.CERTIFIED:
            return ""
        return HIDES_NOTHING if is_beyond_practice(self.claim.epsilon, self.claim.delta) else ""

    @property
    def exact(self) -> Mapping[str, Enclosure]:
        """The numbers that were asked for, by what they are published as."""
        return {truth.question.key: truth.value for truth in self.truths}

    @property
    def off_lattice(self) -> Mapping[str, Enclosure]:
        """The numbers that hold for the whole simplex, where the data lie on a lattice."""
        return {truth.question.key: truth.value for truth in self.truths_off_lattice}

    @property
    def attained(self) -> bool:
        """Whether some pair of neighbouring inputs loses exactly what is stated."""
        return self.worst.attained

    @property
    def witness(self) -> Mapping[str, object] | None:
        """The inputs that refute the claim, in their published shape."""
        return self.refuted_by.as_json() if self.refuted_by else None

    @property
    def bound_applies(self) -> bool:
        """Whether no hypothesis of the paper's theorem is known to fail."""
        return all(item.may_hold for item in self.hypotheses if item.bears_on_privacy)

    @property
    def non_claims(self) -> list[str]:
        """What the verdict does not say; the same whether or not data left a claim certified."""
        said = self.claim.mechanism.non_claims(self.claim)
        if self.verdict is Verdict.REFUTED:
            return said
        beyond = is_beyond_practice(self.claim.epsilon, self.claim.delta)
        return [_NOT_HIDDEN, *said] if beyond else said

    @property
    def _calibrated(self) -> dict[str, object]:
        chosen = self.claim.calibrated
        return {"calibrated": chosen.as_json()} if chosen else {}

    def as_json(self, digits: int = DEFAULT_DIGITS) -> dict[str, object]:
        """Return the published shape, enclosures with so many digits and two more."""
        rows = [row.as_json(digits) for row in self.worst.parts.rows]
        return {
            "schema_version": 1,
            "verdict": self.verdict.value,
            "claim": self.claim.as_json(),
            **self._calibrated,
            "hypotheses": [finding.as_json() for finding in self.hypotheses],
            "paper": {**self.paper.as_json(digits), "applies": self.bound_applies},
            "exact": {
                **{key: written(value, digits) for key, value in self.exact.items()},
                "attained": self.attained,
                **self.worst.facts,
                "second": self.second,
            },
            "quantities": {
                truth.question.key: list(truth.question.quantities) for truth in self.truths
            },
            "bound_off_lattice": {
                key: written(value, digits) for key, value in self.off_lattice.items()
            },
            **({"rows": rows} if rows else {}),
            "witness": self.refuted_by.as_json(digits) if self.refuted_by else None,
            "would_do": [repair.as_json() for repair in self.would_do],
            "assumptions": self.assumptions,
            "neighbours": self.neighbours,
            "non_claims": self.non_claims,
        }


def decide(claim: Claim) -> Audit:
    """Decide a claim. Raises InputError where the claim file itself cannot be used.

    That it speaks of no two inputs is found before anything else: then nothing is true of it.
    """
    mechanism = claim.mechanism
    vacuity = mechanism.vacuity(claim)
    if vacuity is not None:
        return _inapplicable(claim, vacuity)
    worst = mechanism.worst(claim)
    enough = _sufficient(worst)
    settled = _any_certifies(enough)
    ask = partial(_if_any, settled=True) if settled else truth_of
    truths = list(map(ask, _deciding(worst, settled=settled)))
    witness = None if settled else _witness(worst, truths)
    verdict = _verdict(worst, truths, enough, witness)
    if verdict is Verdict.CERTIFIED:
        verdict = _given_the_data(claim, worst)
    truths += _beside(worst, truths)
    paper = mechanism.printed(claim)
    return Audit(
        claim,
        verdict,
        mechanism.findings(claim, paper),
        worst,
        paper,
        (*truths, *enough),
        tuple(truth_of(question) for question in worst.published),
        witness,
        truths[0].second() if truths else "inapplicable",
    )


def _inapplicable(claim: Claim, vacuity: Vacuity) -> Audit:
    """Return what is told of a claim about no two inputs: its hypotheses, and no number."""
    paper = Printed(None, None, claim.parameters.point, lacks=vacuity.neighbours.value)
    said = vacuity.sentence
    key = "no_pair" if vacuity.neighbours is Neighbours.NO_PAIR else "vacuous"
    worst = Worst(vacuity.neighbours, (), {key: said}, (said,))
    return Audit(
        claim,
        Verdict.INAPPLICABLE,
        claim.mechanism.findings(claim, paper),
        worst,
        paper,
        (),
        (),
        None,
        "inapplicable",
        vacuity,
    )


def _deciding(worst: Worst, *, settled: bool = False) -> tuple[Question, ...]:
    """Return the question that decides, every one where that is settled; none without an input."""
    if worst.neighbours is Neighbours.NO_INPUT:
        return ()
    return tuple(worst.asked if settled else worst.asked[:1])


def _beside(worst: Worst, truths: list[Truth]) -> list[Truth]:
    """Return the numbers beside the one that decides: nothing rests on them, so they come last.

    Next to 0 or 1 they would take a precision that nobody needs, and get the first one alone.
    """
    beside = worst.asked[len(truths) :] if truths else ()
    settled = all(truth.above is not Trilean.UNKNOWN for truth in truths)
    if not any(truth.is_extreme for truth in truths):
        return [truth_of(question, settled=settled) for question in beside]
    budget = Budget(bits=first_bits(DEFAULT_DIGITS))
    return [truth_of(question, budget, settled=settled) for question in beside]


def _sufficient(worst: Worst) -> list[Truth]:
    """Return the numbers of which each certifies alone; none is decided after one that does."""
    found: list[Truth] = []
    for question in worst.sufficient:
        found.append(_if_any(question, settled=_any_certifies(found)))
    return found


def _if_any(question: Question, *, settled: bool) -> Truth:
    """Enclose a number that can only help; one that is refused is not known, and does not."""
    try:
        return truth_of(question, settled=settled)
    except DomainError:
        nothing = Enclosure.nothing_known()
        return Truth(question, nothing, (nothing,) * len(question.terms))


def _any_certifies(truths: list[Truth]) -> bool:
    return any(truth.above is Trilean.FALSE for truth in truths)


def _verdict(
    worst: Worst, truths: list[Truth], enough: list[Truth], witness: Witness | None
) -> Verdict:
    if not truths:
        return Verdict.INAPPLICABLE
    if _any_certifies(enough):
        if worst.attained and truths[0].above is Trilean.TRUE:
            raise SoundnessError(
                f"{enough[0].question.key} and {truths[0].question.key} contradict each other"
            )
        return Verdict.CERTIFIED
    if truths[0].above is Trilean.FALSE:
        return Verdict.CERTIFIED
    return Verdict.REFUTED if witness else Verdict.UNDECIDED


def _given_the_data(claim: Claim, worst: Worst) -> Verdict:
    """Return what stands of a certified claim once the data themselves are looked at."""
    seen = claim.mechanism.beside_the_data(claim, worst)
    if seen is worst:
        return Verdict.CERTIFIED
    if seen is None:
        return Verdict.UNDECIDED
    return _verdict(seen, list(map(truth_of, _deciding(seen))), [], None)


def _witness(worst: Worst, truths: list[Truth]) -> Witness | None:
    """Return inputs that satisfy the definition and lose more than was claimed, if known."""
    if not truths or truths[0].above is not Trilean.TRUE:
        return None
    if worst.neighbours is Neighbours.ATTAINED and worst.inputs:
        return Witness(worst.inputs, truths[0])
    return _near_witness(worst, truths[0])


def _near_witness(worst: Worst, bound: Truth) -> Witness | None:
    """Return the first of the inputs near to a bound that lose more than was claimed."""
    with suppress(BudgetSpentError):
        for inputs, question in worst.nearby() if worst.nearby else ():
            found = truth_of(question, Budget(_NEARBY_SECONDS))
            if found.above is Trilean.TRUE:
                if not found.is_made_of(bound):  # of that the second engine is asked anyway
                    found.second()
                return Witness(inputs, found)
    return None
