"""Decide a claim by the truth: the exact profile of the mechanism's worst pair.

An upper bound on the truth can only certify. A claim is refuted only where a pair of neighbouring
inputs attains the truth, and then that pair is the witness.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from ...reference.dirichlet.pair import Neighbours, Pair
from ...reference.enclosure import Enclosure, Trilean
from ...reference.evaluation import DEFAULT_DIGITS, climb_quantity
from ...reference.exact import exact_text
from ...reference.precision import Budget
from ...reference.quantity import quantity_named
from ..checks.second import second_opinion_on
from ..verdict import Verdict
from .claim import Claim
from .hypotheses import Finding, findings
from .mechanisms import PROBABILISTIC, PUBLIC, SAMPLING
from .printed import Printed, printed_bounds

_ZERO = Enclosure.of(Fraction(0))
_INVERSE = "dirichlet.profile.epsilon"


@dataclass(frozen=True)
class Audit:
    """A claim, what was found, and the verdict. Enclosures are None where nothing exists."""

    claim: Claim
    verdict: Verdict
    hypotheses: list[Finding]
    pair: Pair
    paper: Printed
    exact: Mapping[str, Enclosure]
    off_lattice: Mapping[str, Enclosure]
    witness: Mapping[str, object] | None
    second: str

    @property
    def attained(self) -> bool:
        """Whether some pair of neighbouring inputs loses exactly what is stated."""
        return self.pair.neighbours in (Neighbours.ATTAINED, Neighbours.NONE)

    @property
    def bound_applies(self) -> bool:
        """Whether no hypothesis of the paper's theorem is known to fail."""
        return all(finding.status in ("holds", "assumed") for finding in self.hypotheses)

    @property
    def non_claims(self) -> list[str]:
        """What the verdict does not say."""
        return [PROBABILISTIC, self.claim.mechanism.adjacency, PUBLIC, SAMPLING]

    def as_json(self) -> dict[str, object]:
        """Return the published shape."""
        exact: dict[str, object] = {key: written(value) for key, value in self.exact.items()}
        return {
            "schema_version": 1,
            "verdict": self.verdict.value,
            "claim": self.claim.as_json(),
            "hypotheses": [finding.as_json() for finding in self.hypotheses],
            "paper": {
                "epsilon_bound": written(self.paper.epsilon),
                "delta_bound": written(self.paper.delta),
                "gamma": None if self.paper.gamma is None else exact_text(self.paper.gamma),
                "gamma_chosen": self.paper.chosen,
                "applies": self.bound_applies,
            },
            "exact": {
                **exact,
                "attained": self.attained,
                "alpha": exact_text(self.pair.alpha),
                "step": exact_text(self.pair.step),
                "second": self.second,
            },
            "bound_off_lattice": {key: written(value) for key, value in self.off_lattice.items()},
            "witness": self.witness,
            "non_claims": self.non_claims,
        }


def written(value: Enclosure | None) -> dict[str, str] | None:
    """Return an enclosure's ends as outward-rounded decimals."""
    if value is None:
        return None
    lower, upper = value.decimals(DEFAULT_DIGITS)
    return {"lower": lower, "upper": upper}


def decide(claim: Claim) -> Audit:
    """Decide a claim. Raises InputError where the claim file itself cannot be used."""
    pair = claim.mechanism.pair(claim.release)
    exact, verdict = _truth(claim, pair)
    verdict = _given_the_data(claim, pair, verdict)
    paper = printed_bounds(claim)
    return Audit(
        claim,
        verdict,
        findings(claim, paper.release),
        pair,
        paper,
        exact,
        _off_lattice(claim, pair),
        _witness(claim, pair, exact) if verdict is Verdict.REFUTED else None,
        _second_opinion(claim, pair, exact),
    )


def _second_opinion(claim: Claim, pair: Pair, exact: Mapping[str, Enclosure]) -> str:
    """Ask the second engine about the number that decides the claim; raises SoundnessError."""
    if pair.neighbours in (Neighbours.NONE, Neighbours.NO_INPUT):
        return "inapplicable"
    deciding = _deciding(claim)
    point = {"alpha": pair.alpha, "step": pair.step, **deciding.given}
    return second_opinion_on(deciding.quantity, point, exact[deciding.key])


@dataclass(frozen=True)
class _Deciding:
    """The number that decides a claim: its quantity, what is given, and what was claimed of it."""

    key: str
    quantity: str
    given: Mapping[str, Fraction]
    claimed: Fraction


def _deciding(claim: Claim) -> _Deciding:
    if claim.order is not None:
        given = {"order": claim.order}
        return _Deciding("epsilon_at_order", "dirichlet.profile.renyi", given, claim.epsilon)
    given = {"epsilon": claim.epsilon}
    claimed = claim.delta or Fraction(0)
    return _Deciding("delta_at_epsilon", "dirichlet.profile.delta", given, claimed)


def _truth(claim: Claim, pair: Pair) -> tuple[dict[str, Enclosure], Verdict]:
    if pair.neighbours is Neighbours.NO_INPUT:
        return {}, Verdict.INAPPLICABLE
    deciding = _deciding(claim)
    truth = _exactly(pair, deciding.quantity, deciding.given, deciding.claimed)
    exact = {deciding.key: truth}
    if claim.delta is not None:
        inverse = _exactly(pair, _INVERSE, {"delta": claim.delta}, claim.epsilon)
        exact["epsilon_at_delta"] = inverse
    return exact, _verdict(truth, deciding.claimed, pair)


def _given_the_data(claim: Claim, pair: Pair, verdict: Verdict) -> Verdict:
    """Return what stands of a certified claim once the data themselves are looked at.

    Data below the floor are no input of the mechanism that is claimed about. Where only a
    neighbour of theirs is, the floor of both has to do; at a count of 0 nothing is left to show.
    """
    counts = claim.counts
    if counts is None or verdict is not Verdict.CERTIFIED:
        return verdict
    floor = Fraction(claim.release["eta"]) * sum(counts)
    if min(counts) < floor:
        return Verdict.INAPPLICABLE
    if min(counts) - 1 >= floor:
        return verdict
    if min(counts) <= 1 or pair.neighbours is Neighbours.NONE:
        return Verdict.UNDECIDED
    lower = Fraction(claim.release["k"]) * Fraction(min(counts) - 1, sum(counts))
    both = replace(pair, alpha=min(pair.alpha, lower), neighbours=Neighbours.BOUNDED)
    return _truth(claim, both)[1]


def _off_lattice(claim: Claim, pair: Pair) -> dict[str, Enclosure]:
    """Return the same at the floor that eta alone gives: upper bounds, for comparison."""
    if pair.off_lattice is None:
        return {}
    return _truth(claim, replace(pair, alpha=pair.off_lattice, off_lattice=None))[0]


def _exactly(pair: Pair, name: str, given: Mapping[str, Fraction], claimed: Fraction) -> Enclosure:
    """Enclose a profile so narrowly that the claim about it is decided, if that can be done."""
    if pair.neighbours is Neighbours.NONE:
        return _ZERO
    quantity = quantity_named(name)
    exact = quantity.read({"alpha": pair.alpha, "step": pair.step, **given})
    return climb_quantity(
        quantity,
        exact,
        lambda found: (
            found.is_narrow(DEFAULT_DIGITS) and found.is_above(claimed) is not Trilean.UNKNOWN
        ),
        Budget(),
    ).enclosure


def _verdict(truth: Enclosure, claimed: Fraction, pair: Pair) -> Verdict:
    above = truth.is_above(claimed)
    if above is Trilean.FALSE:
        return Verdict.CERTIFIED
    attained = pair.neighbours is not Neighbours.BOUNDED
    return Verdict.REFUTED if above is Trilean.TRUE and attained else Verdict.UNDECIDED


def _witness(claim: Claim, pair: Pair, exact: Mapping[str, Enclosure]) -> dict[str, object]:
    """Return inputs that satisfy the definition and lose more than was claimed."""
    deciding = _deciding(claim)
    return {
        "first": [exact_text(value) for value in pair.first],
        "second": [exact_text(value) for value in pair.second],
        "other_coordinates": pair.others,
        "alpha": exact_text(pair.alpha),
        "step": exact_text(pair.step),
        deciding.key: written(exact[deciding.key]),
        "claimed": exact_text(deciding.claimed),
    }
