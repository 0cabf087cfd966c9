"""Releases of several mechanisms together: a list of events under one neighbour relation.

Each event has a pair of laws that bounds all neighbours; all of them together are bounded by the
product, in both orders (proofs_notes/mixtures.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from ...reference.arb.balls import working_precision
from ...reference.composition.quantities import NOTE, without_a_pair
from ...reference.composition.route import Mixture, removed_shows
from ...reference.dirichlet.pair import Neighbours
from ...reference.domain import Domain
from ...reference.errors import InputError
from ...reference.evaluation import DEFAULT_DIGITS
from ...reference.exact import exact_text, shown
from ...reference.precision import first_bits
from ...reference.quantity import quantity_named
from ...reference.structures import BOUNDED_EVENTS, Event
from . import reading
from .dpsgd import ASSUMED_OF_TRAINING
from .hypotheses import Finding
from .neighbours import ADD_REMOVE, neighbours_of
from .protocol import Claim, Inputs, Parameters, Target, Vacuity, Worst, asked_of
from .questions import Printed, Question
from .tight import Given
from .undrawn import Undrawn

_FAMILY: Final = "composition"
_EVENTS, _NEIGHBOURS = "events", "neighbours"
# The second engine takes longer than anybody waits where samples are small and steps many.
_SECOND_SECONDS: Final = 20.0
_FIXED: Final = (
    "mechanisms, their numbers and counts were fixed without looking at the private data; what is "
    "asked may depend on earlier releases"
)
_AFRESH: Final = "is drawn from the exact law, afresh for each coordinate and release"
_GAUSSIAN: Final = (
    "gaussian: answers at neighbouring data differ by at most the sensitivity in the 2-norm, and "
    f"normal noise of noise_multiplier times that {_AFRESH}"
)
_LAPLACE: Final = (
    "laplace: answers at neighbouring data differ by at most the sensitivity in the 1-norm, and "
    f"Laplace noise of the scale noise_multiplier times that {_AFRESH}"
)
_DIRICHLET: Final = (
    "dirichlet: each release is one draw from a Dirichlet law whose protected parameters are at "
    "least alpha; neighbours move at most step from one of them to another (replace), or add step "
    "to one (add_remove)"
)
_ON_WHOLE_NUMBERS: Final = (
    "answers are single whole numbers that differ by at most sensitivity at neighbouring data, and "
    "the noise is k with a chance in proportion to"
)
_DISCRETE_LAPLACE: Final = f"discrete_laplace: {_ON_WHOLE_NUMBERS} e^(-|k|/scale), drawn afresh"
_DISCRETE_GAUSSIAN: Final = (
    f"discrete_gaussian: {_ON_WHOLE_NUMBERS} e^(-k^2/(2 scale^2)), drawn afresh"
)
_ANSWERS: Final = (
    "randomized_response: each record answers with its own category with chance truth_probability, "
    "else with one of the others, each as likely, by a chance of its own, afresh for each release"
)
_CHOICE: Final = (
    "exponential_mechanism: a candidate is drawn with a chance proportional to exp(c u), u its "
    "utility, afresh for each release; loss_range is 2cD, D the most by which a utility moves "
    "between neighbours, or cD where all move one way"
)
_FLIP: Final = (
    "permute_and_flip: candidates are looked at in random order, and taken with chance exp(c (u - "
    "the largest u)), u the utility, afresh for each release; largest_loss is 2cD, D the most by "
    "which a utility moves between neighbours, or cD where all move one way"
)
# What is taken for granted of the events of each mechanism.
_ASSUMED: Final[Mapping[str, tuple[str, ...]]] = {
    "gaussian": (_GAUSSIAN,),
    "laplace": (_LAPLACE,),
    "dpsgd": tuple(f"dpsgd: {each}" for each in ASSUMED_OF_TRAINING),
    "dirichlet": (_DIRICHLET,),
    "discrete_laplace": (_DISCRETE_LAPLACE,),
    "discrete_gaussian": (_DISCRETE_GAUSSIAN,),
    "randomized_response": (_ANSWERS,),
    "exponential_mechanism": (_CHOICE,),
    "permute_and_flip": (_FLIP,),
}
_ALONE: Final = "Only these releases are covered: others of the same data lose more together."
_NEVER_REACHED: Final = (
    "Anything of queries that change by less than the sensitivities, of gradients that cannot "
    "reach the norm, or of one release alone: what is refuted here may be true of them."
)
_BOTH: Final = "the larger of both orders, one for all events"
_LIMIT: Final = "a Dirichlet draw under add_remove comes near to it at many records elsewhere"
_NOT_ATTAINED: Final = (
    "the pair of a choice by utility is the worst at each epsilon, and nothing is at all of them"
)
_STATISTIC: Final = "the sum over all releases of their log-likelihood ratios"


@dataclass(frozen=True)
class EventsParameters(Parameters):
    """Events, and whose difference is hidden."""

    events: tuple[Event, ...]
    neighbours: str

    @property
    def mixture(self) -> Mixture:
        """All events together."""
        return Mixture.of(self.events, self.neighbours)


class Composition(Undrawn):
    """All releases of a list of events."""

    name = "composition"
    releases = "several releases, of any of the mechanisms that have a pair of laws"

    @property
    def tight(self) -> Given:
        """Nothing: which of the numbers should move nobody can tell."""
        return Given()

    @property
    def keys(self) -> tuple[str, ...]:
        """The events, and which inputs are neighbours."""
        return (_EVENTS, _NEIGHBOURS)

    def target(self, table: Mapping[str, Any], where: str) -> Target:
        """Return a claimed epsilon and delta. Raises InputError."""
        found = super().target(table, where)
        if found[1] is None:
            raise InputError(
                f"{where}: of a composition no Renyi divergence is known here; [claim] needs a "
                "delta, not an order"
            )
        return found

    def read(self, table: Mapping[str, Any], where: str) -> tuple[EventsParameters, None]:
        """Return exact parameters. Raises InputError with a sentence."""
        reading.require_all(table, self.keys, where)
        domains: dict[str, Domain] = {
            _EVENTS: quantity_named(f"{_FAMILY}.delta").parameters[_EVENTS]
        }
        exact = reading.parameters(table, domains, self.name, where)
        neighbours = neighbours_of(table[_NEIGHBOURS], where)
        return EventsParameters.read({**exact, _NEIGHBOURS: neighbours}), None

    def vacuity(self, claim: Claim) -> Vacuity | None:
        """Return which event has no pair under the relation, if one has none."""
        own = EventsParameters.of(claim)
        why = without_a_pair(own.events, own.neighbours)
        return Vacuity(Neighbours.NO_PAIR, why) if why else None

    def worst(self, claim: Claim) -> Worst:
        """Return the product of all pairs; with a choice or a gamma pair it is an upper bound."""
        own = EventsParameters.of(claim)
        asked = tuple(
            Question(each.key, each.claimed, each.terms, _SECOND_SECONDS)
            for each in asked_of(claim, _FAMILY, own.given)
        )
        releases = sum(event.count for event in own.events)
        told = f"{shown(releases)} releases by {', '.join(_mechanisms(own))}"
        if "dirichlet" in _mechanisms(own) and own.neighbours == ADD_REMOVE:
            return Worst(Neighbours.BOUNDED, asked, {}, (told, f"{_BOTH}; {_LIMIT}"))
        if any(mechanism in BOUNDED_EVENTS for mechanism in _mechanisms(own)):
            return Worst(Neighbours.BOUNDED, asked, {}, (told, f"{_BOTH}; {_NOT_ATTAINED}"))
        return Worst(
            Neighbours.ATTAINED,
            asked,
            {},
            (told, f"{_BOTH}; attained"),
            nearby=lambda: _attaining(claim, asked[0]),
        )

    def findings(self, claim: Claim, _printed: Printed) -> list[Finding]:
        """Say what is taken for granted of each mechanism, and of all."""
        names = _mechanisms(EventsParameters.of(claim))
        said = [sentence for name in names for sentence in _ASSUMED[name]]
        return [Finding(sentence, "assumed", NOTE) for sentence in (*said, _FIXED)]

    def non_claims(self, _claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        return [_NEVER_REACHED, _ALONE]


def _mechanisms(own: EventsParameters) -> tuple[str, ...]:
    """Return the mechanisms of the events, each once."""
    return tuple(dict.fromkeys(event.mechanism for event in own.events))


def _attaining(claim: Claim, asked: Question) -> Iterator[tuple[Inputs, Question]]:
    """Yield data that attain the loss, and the set of releases that shows it, if they do."""
    own = EventsParameters.of(claim)
    with working_precision(first_bits(DEFAULT_DIGITS)):
        removed = removed_shows(own.mixture, claim.epsilon, claim.delta or Fraction(0))
    if removed is not None:
        yield _inputs(own, claim.epsilon, removed=removed), asked


def _inputs(own: EventsParameters, epsilon: Fraction, *, removed: bool) -> Inputs:
    """Return data that differ in one record, at which every event loses most."""
    first, second = "with a record that every release is changed most by", "without that record"
    if own.neighbours != ADD_REMOVE:
        second = "with another one in its place"
    if not removed:
        first, second = second, first
    others = "all other records are such that each pair of laws is that of its event"
    sentence = (
        f"data {first} and {second}; {others}; it shows where {_STATISTIC}, the first data over "
        f"the second, is above {shown(epsilon)}"
    )
    facts = {"statistic": _STATISTIC, "above": exact_text(epsilon)}
    return Inputs(first, second, others, sentence, facts)


COMPOSITION = Composition()
