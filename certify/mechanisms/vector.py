"""Releases whose neighbours one pair of Beta laws bounds: identity, average, counts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ...reference.dirichlet import average, counts, identity
from ...reference.dirichlet.pair import Neighbours, Pair
from ...reference.domain import ONE, ZERO, Hypothesis, Interval, Parameters, count_from
from ...reference.errors import InputError
from ...reference.exact import Texts, exact_number, exact_text
from ...reference.quantity import quantity_named
from . import reading
from .hypotheses import OF_COUNTS, Finding, Told, decided, of_counts, of_unseen_data
from .nearby import pair_near
from .printed import Printed, value_of
from .protocol import Claim, Inputs, Release, Vacuity, Worst, asked_of
from .questions import Question

# A chosen gamma is told in full, so it has no more figures than a person would copy.
_GAMMA_DIGITS = 12
# Privacy does not depend on it; a claim may leave it out.
_OPTIONAL = "gamma"
_FAMILY = "dirichlet.profile"

PROBABILISTIC = (
    "The papers state probabilistic differential privacy, which is stronger: certifying the "
    "conventional claim does not certify theirs, refuting it refutes theirs."
)
PUBLIC = "That k, eta and gamma were chosen without looking at the private data."
SAMPLING = "That the release was drawn from the exact law; a draw in floating point is not."
# The distance of neighbours; at 0 no two different inputs are.
NO_DISTANCE_TOO = Interval(at_least=ZERO)
NOT_GIVEN = "gamma is not given, and none could be chosen for the claim"


@dataclass(frozen=True)
class Bordered:
    """One release of a vector in the bordered simplex.

    ``bound``, ``delta_bound`` and ``level`` name the quantities that are the paper's epsilon, its
    delta, and the gamma at which that delta is reached. Where the truth can be had beyond the
    bound's domain, or there is none to be had (no two neighbours), ``wider`` holds that domain.
    """

    name: str
    bound: str
    delta_bound: str
    level: str
    hypotheses: tuple[Hypothesis, ...]
    worst_pair: Callable[..., Pair]
    adjacency: str
    example: str
    wider: Mapping[str, Interval]

    @property
    def domains(self) -> dict[str, Interval]:
        """The release's parameters by name: those of the paper's bound."""
        numbers = {
            name: domain
            for name, domain in quantity_named(self.bound).parameters.items()
            if isinstance(domain, Interval)
        }
        return {**numbers, **self.wider}

    @property
    def keys(self) -> tuple[str, ...]:
        """The parameters; W instead of w, and counts where there are categories."""
        names = tuple(self.domains)
        return (*names, *(["W"] if "w" in names else []), *(["counts"] if "n" in names else []))

    def told_of_data(self, _claim: Claim) -> tuple[Told, ...]:
        """Return what counts decide, where there are categories."""
        return (OF_COUNTS,) if "counts" in self.keys else ()

    def read(self, table: Mapping[str, Any], where: str) -> tuple[Release, tuple[int, ...] | None]:
        """Return exact parameters, and the counts if given."""
        given = dict(table)
        if "W" in table:
            if "w" in table:
                raise InputError(f"{where}: give W or w, not both")
            given["w"] = len(reading.coordinates(table["W"], where))
        if "w" in self.domains and "w" not in given:
            raise InputError(
                f"{where}: [release] needs W = [1, 2, ...], the protected coordinates, or w, how "
                "many they are"
            )
        reading.require_all(given, (key for key in self.domains if key != _OPTIONAL), where)
        exact = reading.parameters(given, self.domains, self.name, where)
        return exact, reading.category_counts(table.get("counts"), exact, where)

    def vacuity(self, claim: Claim) -> Vacuity | None:
        """Return why no two different inputs are neighbours, if so."""
        pair = self._pair(claim)
        return None if pair.neighbours.exist else Vacuity(pair.neighbours, pair.why)

    def worst(self, claim: Claim) -> Worst:
        """Return the pair of Beta laws, and inputs that attain it where some do."""
        return _of_pair(claim, self._pair(claim))

    def _pair(self, claim: Claim) -> Pair:
        names = inspect.signature(self.worst_pair).parameters
        return self.worst_pair(**{name: claim.release[name] for name in names})

    def beside_the_data(self, claim: Claim, worst: Worst) -> Worst:
        """Return what stands once the counts are looked at.

        Data below the floor are no input of the mechanism that is claimed about; all others are,
        whatever their neighbours: eta stands in the claim, and is taken for public.
        """
        if not isinstance(claim.data, tuple):
            return worst
        below = min(claim.data) < claim.number("eta") * sum(claim.data)
        return replace(worst, neighbours=Neighbours.NO_INPUT) if below else worst

    def printed(self, claim: Claim) -> Printed:
        """Evaluate the paper's formulas, at the best gamma where the claim names none."""
        point, chosen = claim.values, "gamma" not in claim.release
        best: Fraction | None = None
        if chosen:
            best = best_gamma(self.level, point, claim.delta)
            if best is None:
                return Printed(None, None, point, chosen=True, lacks=NOT_GIVEN)
            point["gamma"] = best
        epsilon, delta = value_of(self.bound, point), value_of(self.delta_bound, point)
        gamma = best if chosen else claim.number("gamma")
        return Printed(epsilon, delta, point, gamma, chosen)

    def findings(self, claim: Claim, printed: Printed) -> list[Finding]:
        """Decide the conditions of the paper's bound and the other hypotheses."""
        conditions = (*quantity_named(self.bound).conditions, *self.hypotheses)
        counts = claim.data if isinstance(claim.data, tuple) else ()
        data = of_counts(counts, claim.number("eta")) if counts else of_unseen_data()
        return [*decided(conditions, printed.point), *data]

    def non_claims(self, _claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        return [PROBABILISTIC, self.adjacency, PUBLIC, SAMPLING]


def _of_pair(claim: Claim, pair: Pair) -> Worst:
    """Return what a claim asks of a pair of Beta laws."""
    facts = {"alpha": exact_text(pair.alpha), "step": exact_text(pair.step)}
    inputs, attained = _inputs(pair, facts), pair.neighbours is Neighbours.ATTAINED
    return Worst(
        pair.neighbours,
        _asked(claim, pair.alpha, pair.step),
        facts,
        (f"floor alpha = {facts['alpha']}, step = {facts['step']}", pair.neighbours.value),
        inputs if attained else None,
        None if attained else lambda: pair_near(claim, pair, inputs),
        off_lattice=(
            () if pair.off_lattice is None else _asked(claim, pair.off_lattice, pair.step)
        ),
    )


def _asked(claim: Claim, alpha: Fraction, step: Fraction) -> tuple[Question, ...]:
    return asked_of(claim, _FAMILY, {"alpha": alpha, "step": step})


def _inputs(pair: Pair, facts: Mapping[str, Texts]) -> Inputs:
    """Return the inputs of a pair, in the two coordinates in which they differ."""
    first, second = ([exact_text(value) for value in one] for one in (pair.first, pair.second))
    return Inputs(
        list(first),
        list(second),
        pair.others,
        f"inputs ({', '.join(first)}) and ({', '.join(second)}) in two protected coordinates; "
        f"others: {pair.others}",
        facts,
    )


def best_gamma(level: str, point: Parameters, delta: Fraction | None) -> Fraction | None:
    """Return the best gamma for a claimed delta, rounded down; None where there is none.

    The largest whose delta is at most the claimed one, hence of the smallest epsilon.
    """
    if delta is None:
        return None
    found = value_of(level, {**point, "delta": delta})
    if found is None:
        return None
    try:
        gamma = exact_number(found.decimals(_GAMMA_DIGITS - 2)[0])
    except InputError:  # so small that no formula reads it
        return None
    return gamma if gamma > 0 else None


_TWO_COORDINATES = (
    "Changes of more than two coordinates of one vector, or outside the protected set, "
    "are not covered."
)
# Of one protected coordinate, or at distance 0, nothing is claimed; the audit says so.
_VECTORS = {"w": count_from(1, 50), "b": NO_DISTANCE_TOO}
IDENTITY = Bordered(
    "dirichlet.identity",
    "dirichlet.identity.epsilon_bound",
    "dirichlet.identity.delta_bound",
    "dirichlet.identity.gamma",
    identity.HYPOTHESES,
    identity.worst_pair,
    _TWO_COORDINATES,
    "identity",
    _VECTORS,
)
AVERAGE = Bordered(
    "dirichlet.average",
    "dirichlet.average.epsilon_bound",
    "dirichlet.identity.delta_bound",
    "dirichlet.identity.gamma",
    average.HYPOTHESES,
    average.worst_pair,
    _TWO_COORDINATES,
    "gohari2020-experts",
    _VECTORS,
)
COUNTS = Bordered(
    "dirichlet.counts",
    "dirichlet.counts.epsilon_bound",
    "dirichlet.counts.delta_bound",
    "dirichlet.counts.gamma",
    counts.HYPOTHESES,
    counts.worst_pair,
    "Neighbours differ in one record that changes its category; the number of records "
    "is public. A record added or removed is not covered.",
    "benvenuti2025-grades",
    {"n": count_from(1, 50), "eta": Interval(above=ZERO, at_most=ONE)},
)
