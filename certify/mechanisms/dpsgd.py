"""DP-SGD with Poisson samples: Gaussian noise on the sums of clipped gradients, many steps.

One pair of laws a step bounds all neighbours by adding or removing a record, in both orders, and
gradients that may be chosen attain it (proofs_notes/dpsgd.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any, Final

from ...reference.arb.balls import working_precision
from ...reference.dirichlet.pair import Neighbours
from ...reference.domain import Domain, Value
from ...reference.dpsgd.quantities import NOTE
from ...reference.dpsgd.route import Training, removed_shows
from ...reference.errors import DomainError, InputError, UnknownNameError
from ...reference.evaluation import DEFAULT_DIGITS
from ...reference.exact import exact_number, exact_text, shown
from ...reference.precision import first_bits
from ...reference.quantity import quantity_named
from . import reading
from .hypotheses import Finding
from .neighbours import ADD_REMOVE, neighbours_of
from .protocol import Claim, Inputs, Parameters, Target, Vacuity, Worst, asked_of
from .questions import Printed, Question, Term
from .tight import Enough, Least
from .undrawn import LEAST_MULTIPLIER, Undrawn, least_multiplier

_FAMILY: Final = "dpsgd"
_RATE, _STEPS = "sampling_probability", "steps"
_BATCH, _RECORDS, _EPOCHS = "batch", "records", "epochs"
_BATCHES, _SHOWN = "batches", "shown"
_POISSON, _EVERY_SUM, _LAST_MODEL = "poisson", "every_sum", "last_model"
# Words of a claim; the first one is meant where none is given.
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    _BATCHES: (_POISSON, "fixed", "shuffled"),
    _SHOWN: (_EVERY_SUM, _LAST_MODEL),
}
# The second engine takes longer than anybody waits where samples are small and steps many.
_SECOND_SECONDS: Final = 10.0

_SAMPLED: Final = (
    "each record takes part in each step by a fresh coin of its own, with the sampling probability "
    "(Poisson sampling)"
)
_CLIPPED: Final = "each gradient is clipped to the stated 2-norm before it is added"
_NOISY: Final = (
    "the noise on each sum is normal, its standard deviation noise_multiplier times that norm, "
    "independent of all else and drawn from the exact law"
)
_SUMS: Final = "the noisy sums are not divided by the random size of a sample"
# Of every training run; that samples are Poisson's is the first.
ASSUMED_OF_TRAINING: Final = (_SAMPLED, _CLIPPED, _NOISY, _SUMS)
_FIXED: Final = (
    "noise, sampling probability and steps were fixed without looking at the private data"
)
_NOT_SAID: Final = (
    "Anything about the last model alone, nor about gradients that cannot reach the norm: the "
    "verdict is on all noisy sums together, for every sequence of clipped gradients that may be "
    "chosen. What is refuted here may be true of those."
)
_OTHER_SAMPLES: Final = (
    "Samples of a fixed size, or shuffled data, are not covered, nor is a record that is replaced."
)
_ALONE: Final = (
    "Only this one training run is covered: several, to choose parameters by, lose more."
)
_WITH: Final = "with a record whose gradient is the same in every step, of the stated norm"
_WITHOUT: Final = "without that record"
_OTHERS: Final = "all other gradients are 0"
_STATISTIC: Final = "the sum over the steps of log(1 - q + q exp((2 y - 1)/(2 s^2)))"
_ONLY_BOUND: Final = "an upper bound for the last model, which tells no more than all sums together"
_BY: Final = "the pair of a step, zhu2022 Theorem 11"
_PAIR: Final = "the larger of both orders, a record removed or added; attained"
_NO_PAIR_REPLACED: Final = (
    "neighbours = replace, for which no pair of data sets loses most in all steps"
)


@dataclass(frozen=True)
class TrainingParameters(Parameters):
    """Noise, samples and steps; whose difference is hidden, how samples are made, what is seen."""

    noise_multiplier: Fraction
    sampling_probability: Fraction
    steps: int
    neighbours: str
    batches: str
    shown: str

    @property
    def training(self) -> Training:
        """The numbers."""
        return Training(self.noise_multiplier, self.sampling_probability, self.steps)


class Poisson(Undrawn):
    """All noisy sums of a training run, each over a Poisson sample of the records."""

    name = "dpsgd.poisson"
    releases = "the noisy sums of clipped gradients of DP-SGD, over Poisson samples"

    @property
    def tight(self) -> Least:
        """The least noise multiplier that keeps the claim."""
        return Least("noise_multiplier", _enough)

    @property
    def keys(self) -> tuple[str, ...]:
        """The parameters, and what probability and steps are worked out from."""
        return (*self._domains, _EPOCHS, _BATCH, _RECORDS, "neighbours", *_WORDS)

    @property
    def _domains(self) -> dict[str, Domain]:
        known = quantity_named(f"{_FAMILY}.delta").parameters
        return {name: known[name] for name in ("noise_multiplier", _RATE, _STEPS)}

    def target(self, table: Mapping[str, Any], where: str) -> Target:
        """Return a claimed epsilon and delta. Raises InputError."""
        found = super().target(table, where)
        if found[1] is None:
            raise InputError(f"{where}: of {self.name} no Renyi divergence is known here; [claim] "
                             "needs a delta, not an order")  # fmt: skip
        return found

    def read(self, table: Mapping[str, Any], where: str) -> tuple[TrainingParameters, None]:
        """Return exact parameters. Raises InputError with a sentence."""
        reading.require_all(table, ("noise_multiplier", "neighbours"), where)
        numbers = {**table, **_worked_out(table, where)}
        exact = reading.parameters(numbers, self._domains, self.name, where)
        words = {key: _word(table, key, where) for key in _WORDS}
        neighbours = neighbours_of(table["neighbours"], where)
        return TrainingParameters.read({**exact, "neighbours": neighbours, **words}), None

    def vacuity(self, claim: Claim) -> Vacuity | None:
        """Return why the pair is not that of the claim, if so."""
        own = TrainingParameters.of(claim)
        if own.batches != _POISSON:
            why = f"batches = {own.batches}, another mechanism than Poisson samples"
            return Vacuity(Neighbours.NO_PAIR, why)
        if own.neighbours != ADD_REMOVE:
            return Vacuity(Neighbours.NO_PAIR, _NO_PAIR_REPLACED)
        return None

    def worst(self, claim: Claim) -> Worst:
        """Return the pair of all steps; of the last model alone it is an upper bound."""
        own = TrainingParameters.of(claim)
        point = {key: own.given[key] for key in self._domains}
        asked = tuple(
            Question(each.key, each.claimed, each.terms, _SECOND_SECONDS)
            for each in asked_of(claim, _FAMILY, point)
        )
        facts = {_RATE: exact_text(own.sampling_probability), _STEPS: exact_text(own.steps)}
        sentences = (
            f"sampling probability {shown(own.sampling_probability)}, {shown(own.steps)} steps",
        )
        if own.shown == _LAST_MODEL:
            return Worst(Neighbours.BOUNDED, asked, facts, (*sentences, _ONLY_BOUND))
        return Worst(
            Neighbours.ATTAINED,
            asked,
            facts,
            (*sentences, _PAIR),
            nearby=lambda: _attaining(claim, asked[0]),
        )

    def most(self, claim: Claim) -> tuple[str, Question]:
        """Return the steps, and what asks for the most of them that keep the claim."""
        own = TrainingParameters.of(claim)
        point: dict[str, Value] = {key: own.given[key] for key in ("noise_multiplier", _RATE)}
        said: dict[str, Value] = {"epsilon": claim.epsilon, "delta": claim.delta or Fraction(0)}
        term = Term(f"{_FAMILY}.steps_for_dp", {**point, **said})
        return _STEPS, Question("steps_kept", Fraction(own.steps), (term,))

    def findings(self, claim: Claim, _printed: Printed) -> list[Finding]:
        """Say what is taken for granted, and that other samples are not Poisson's."""
        sampled = "assumed" if TrainingParameters.of(claim).batches == _POISSON else "fails"
        return [
            Finding(_SAMPLED, sampled, NOTE),
            *(Finding(each, "assumed", NOTE) for each in (_CLIPPED, _NOISY, _SUMS, _FIXED)),
        ]

    def non_claims(self, _claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        return [_NOT_SAID, _OTHER_SAMPLES, _ALONE]


def _enough(claim: Claim) -> Sequence[Enough]:
    """Return the least noise multiplier of a claimed delta. Raises DomainError where none is."""
    own = TrainingParameters.of(claim)
    point: dict[str, Value] = {_RATE: own.sampling_probability, _STEPS: own.steps}
    return least_multiplier(
        claim, own.noise_multiplier, f"{_FAMILY}.{LEAST_MULTIPLIER}", point, _BY
    )


def _word(table: Mapping[str, Any], key: str, where: str) -> str:
    known = _WORDS[key]
    value = table.get(key, known[0])
    if not isinstance(value, str):
        raise InputError(f"{where}: {key} is {shown(value)}; it is one of {', '.join(known)}")
    if value not in known:
        raise UnknownNameError(key, value, known, f"in {where} (known: {', '.join(known)})")
    return value


def _worked_out(table: Mapping[str, Any], where: str) -> dict[str, Fraction | int]:
    """Return sampling probability and steps where they are given by batch, records and epochs."""
    sizes = [key for key in (_BATCH, _RECORDS) if key in table]
    if (_RATE in table) == bool(sizes) or len(sizes) == 1:
        raise InputError(f"{where}: [release] needs {_RATE}, or both {_BATCH} and {_RECORDS}")
    if (_STEPS in table) == (_EPOCHS in table):
        raise InputError(f"{where}: [release] needs exactly one of {_STEPS} and {_EPOCHS}")
    if not sizes:
        if _EPOCHS in table:
            raise InputError(f"{where}: {_EPOCHS} needs {_BATCH} and {_RECORDS}, too")
        return {}
    batch, records = (_positive(table, key, where) for key in (_BATCH, _RECORDS))
    if records.denominator != 1:
        raise DomainError(f"{where}: {_RECORDS} = {shown(records)} is no whole number")
    if batch > records:
        raise DomainError(
            f"{where}: {_BATCH} = {shown(batch)} is more than {_RECORDS} = {shown(records)}"
        )
    found: dict[str, Fraction | int] = {_RATE: batch / records}
    if _EPOCHS in table:
        found[_STEPS] = ceil(_positive(table, _EPOCHS, where) * records / batch)
    return found


def _positive(table: Mapping[str, Any], key: str, where: str) -> Fraction:
    value = exact_number(table[key], f"{where}: {key}")
    if value <= 0:
        raise DomainError(f"{where}: {key} = {shown(value)} is not above 0")
    return value


def _attaining(claim: Claim, asked: Question) -> Iterator[tuple[Inputs, Question]]:
    """Yield the data that attain the loss, and the set of sums that shows it, if they do."""
    training = TrainingParameters.of(claim).training
    with working_precision(first_bits(DEFAULT_DIGITS)):
        removed = removed_shows(training, claim.epsilon, claim.delta or Fraction(0))
    if removed is not None:
        yield _inputs(claim.epsilon, removed=removed), asked


def _inputs(epsilon: Fraction, *, removed: bool) -> Inputs:
    """Return data with a record, and without it; the larger ones first if it is removed."""
    data = (_WITH, _WITHOUT) if removed else (_WITHOUT, _WITH)
    seen = f"above {shown(epsilon)}" if removed else f"below {shown(-epsilon)}"
    sentence = (
        f"data {data[0]} and {data[1]}; {_OTHERS}; it shows where {_STATISTIC} is {seen}, y being "
        "each noisy sum along that gradient, over the norm"
    )
    which = "removed" if removed else "added"
    bound = {("above" if removed else "below"): exact_text(epsilon if removed else -epsilon)}
    facts = {"record": which, "statistic": _STATISTIC, **bound}
    return Inputs(data[0], data[1], _OTHERS, sentence, facts)


POISSON = Poisson()
