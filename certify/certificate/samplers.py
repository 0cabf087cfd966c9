"""What a certificate says of a backend's samplers: which were offered, which tested, and how.

A sampler that was offered and asked for has a result at each point that the campaign's seed gives,
with each of its tests. The draws are not there; what follows from their counts is worked out again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec

from ...reference.errors import InputError
from ..campaign import EVERYTHING, Campaign
from ..samplers import NON_CLAIM, require_all_points, sampler_verdict
from ..verdict import Verdict
from .errors import AlgebraError, WitnessError
from .models import Predicate, Sampler, SamplerName

NOTHING_DRAWN: Final = (
    "Nothing is said about sampling: a draw in floating point is not a draw from the law."
)


@dataclass(frozen=True)
class Samplers:
    """The samplers that a backend offers, by name, and the results of those that were tested."""

    offered: list[SamplerName]
    tested: list[Sampler]


def samplers_of(campaign: Campaign) -> Samplers:
    """Return the samplers of a campaign's backend and what was found of them."""
    offered = msgspec.convert(sorted(campaign.loaded.backend.samplers), list[SamplerName])
    found = [result.as_json() for result in campaign.samplers]
    return Samplers(offered, msgspec.convert(found, list[Sampler]))


def samplers_in(predicate: Predicate) -> Samplers:
    """Return the samplers that a certificate tells of."""
    return Samplers(predicate.samplers_offered, predicate.samplers)


def about_samplers(samplers: Samplers) -> list[str]:
    """Return what is not said of sampling."""
    if samplers.tested:
        return [NON_CLAIM]
    untested = f"Samplers are offered and were not tested: {', '.join(samplers.offered)}."
    return [untested, NOTHING_DRAWN] if samplers.offered else [NOTHING_DRAWN]


def require_samplers(predicate: Predicate) -> None:
    """Require a result for each sampler that was offered and asked for, and all tests of each.

    Raises AlgebraError.
    """
    offered, scope = predicate.samplers_offered, predicate.scope
    if list(offered) != sorted(set(offered)):
        raise AlgebraError("a sampler is offered twice, or they are not in order")
    if scope.quantities == EVERYTHING and not scope.samplers:
        raise AlgebraError("with all quantities all samplers are asked for; these were not")
    if scope.samplers and not predicate.samplers and scope.quantities != EVERYTHING:
        raise AlgebraError("samplers are said to be asked for, and none is told of")
    needed = set(offered) if scope.samplers else set()
    if {one.sampler for one in predicate.samplers} != needed:
        raise AlgebraError("the samplers that were tested are not those that were to be")
    try:
        require_all_points(msgspec.to_builtins(predicate.samplers), predicate.seed)
    except InputError as error:
        raise AlgebraError(str(error)) from None


def counts_verdict(sampler: Sampler) -> Verdict:
    """Return what follows from a sampler's counts. Raises WitnessError where that is not stated."""
    try:
        return sampler_verdict(msgspec.to_builtins(sampler))
    except InputError as error:
        raise WitnessError(str(error)) from None
