"""What a reader of a certificate demands of it beyond that it checks.

A certificate that checks certifies what its issuer chose to ask. Whether that is enough is the
reader's to say, in bounds that are held against what was decided again. What a bound has nothing to
be compared with in is not met, so that no bound is passed by a certificate of another kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ...reference.errors import InputError, UnknownNameError
from ...reference.exact import shown
from ...reference.quantity import quantities, quantities_matching
from ..backends.declarations import AS, said_ranges
from ..checks.judgement import AGAINST_THE_TRUTH, overall_of_checks
from ..mechanisms import mechanism_named
from ..mechanisms.neighbours import NAMES, Adjacency, named
from ..mechanisms.protocol import Claim
from ..verdict import Verdict
from .claim import claim_of
from .errors import PolicyError
from .models import AnyStatement, ClaimStatement, Statement
from .worst_case import ranges_of, slack_of


@dataclass(frozen=True, kw_only=True)
class Policy:
    """Bounds that a certificate has to keep; None where nothing is demanded.

    Privacy is bounded by ``max_epsilon`` with exactly one of ``max_delta`` and ``order``, which a
    Renyi claim of this order or a larger one meets. ``mechanism`` and ``neighbours`` are names that
    a claim has to be about. Of a backend every quantity that the glob ``quantities`` matches has to
    be certified, in ``min_cases`` cases at least, with a slack of ``max_slack`` at most: of 0 where
    anything else is demanded and this is not. Without a safe side an accuracy beyond the usual one
    is slack.
    """

    max_epsilon: Fraction | None = None
    max_delta: Fraction | None = None
    order: Fraction | None = None
    mechanism: str | None = None
    neighbours: str | None = None
    quantities: str | None = None
    min_cases: int | None = None
    max_slack: Fraction | None = None
    require_signed: bool = False

    def __post_init__(self) -> None:
        """Raise InputError for a policy that nothing could be held against."""
        lone = (self.max_delta is None) == (self.order is None)
        if self.max_epsilon is not None and lone:
            raise InputError("--max-epsilon needs exactly one of --max-delta and --order")
        if self.max_epsilon is None and (self.max_delta is not None or self.order is not None):
            raise InputError("--max-delta and --order bound privacy with --max-epsilon: give it")
        self._require_numbers()
        if self.mechanism is not None:
            mechanism_named(self.mechanism)
        if self.neighbours is not None and self.neighbours not in NAMES:
            known = f"(known: {', '.join(NAMES)})"
            raise UnknownNameError("neighbours", self.neighbours, list(NAMES), known)
        if self.quantities is not None:
            quantities_matching(self.quantities)

    def _require_numbers(self) -> None:
        for option, value in (("epsilon", self.max_epsilon), ("slack", self.max_slack)):
            if value is not None and value < 0:
                raise InputError(f"--max-{option} {shown(value)}: it is 0 at least")
        if self.max_delta is not None and not 0 <= self.max_delta < 1:
            raise InputError(f"--max-delta {shown(self.max_delta)}: it is in [0, 1)")
        if self.order is not None and self.order <= 1:
            raise InputError(f"--order {shown(self.order)}: an order of Renyi is above 1")
        if self.min_cases is not None and self.min_cases < 1:
            raise InputError(f"--min-cases {shown(self.min_cases)}: ask for one case at least")


def require_policy(policy: Policy, statement: AnyStatement, claim: Claim | None) -> None:
    """Raise PolicyError, with every reason, where a certificate does not keep the bounds.

    ``claim`` is the one that was decided again, None where there was no time to. A verdict that is
    no pass stays none, whatever the bounds.
    """
    if reasons := tuple(_missed(policy, statement, claim)):
        raise PolicyError(*reasons)


def _missed(policy: Policy, statement: AnyStatement, claim: Claim | None) -> Iterator[str]:
    """Yield each reason why a certificate does not keep the bounds."""
    if isinstance(statement, ClaimStatement):
        yield from _idle(_on_backends(policy), "a claim")
        yield from _missed_by_claim(policy, claim or claim_of(statement.predicate.claim))
    elif isinstance(statement, Statement):
        yield from _idle(_on_claims(policy), "a backend")
        yield from _missed_by_backend(policy, statement)
    else:
        both = {**_on_claims(policy), **_on_backends(policy)}
        yield from _idle(both, "the register of claims")


def _on_claims(policy: Policy) -> dict[str, object]:
    return {
        "--max-epsilon": policy.max_epsilon,
        "--mechanism": policy.mechanism,
        "--neighbours": policy.neighbours,
    }


def _on_backends(policy: Policy) -> dict[str, object]:
    return {
        "--quantities": policy.quantities,
        "--min-cases": policy.min_cases,
        "--max-slack": policy.max_slack,
    }


def _idle(options: dict[str, object], kind: str) -> Iterator[str]:
    for option, value in options.items():
        if value is not None:
            yield (f"{option} has nothing to be compared with in the certificate of {kind}")


def _missed_by_claim(policy: Policy, claim: Claim) -> Iterator[str]:
    if policy.mechanism not in (None, claim.mechanism.name):
        yield f"it is about {claim.mechanism.name}, not {policy.mechanism}"
    if policy.neighbours is not None:
        found = claim.mechanism.adjacency(claim, {})
        if named(found) != policy.neighbours:
            words = found.words if isinstance(found, Adjacency) else "none that have a name"
            yield f"its neighbours are {words}, not those asked for"
    if policy.max_epsilon is not None:
        yield from _missed_privacy(policy, claim, policy.max_epsilon)


def _missed_privacy(policy: Policy, claim: Claim, most: Fraction) -> Iterator[str]:
    if policy.order is not None:
        if claim.order is None:
            yield "--order is met by a Renyi claim alone, and it states a delta"
        elif claim.order < policy.order:
            yield (f"its order {shown(claim.order)} is below the least, {shown(policy.order)}")
    elif claim.delta is None:
        yield (
            "--max-delta has nothing to be compared with in a Renyi claim, which states no delta; "
            f"require its order instead: --order {shown(claim.order)}"
        )
    elif policy.max_delta is not None and claim.delta > policy.max_delta:
        yield (f"its delta {shown(claim.delta)} is above the most, {shown(policy.max_delta)}")
    if claim.epsilon > most:
        yield f"its epsilon {shown(claim.epsilon)} is above the most, {shown(most)}"


def _missed_by_backend(policy: Policy, statement: Statement) -> Iterator[str]:
    predicate = statement.predicate
    if policy.min_cases is not None and predicate.scope.cases < policy.min_cases:
        yield (
            f"{shown(predicate.scope.cases)} cases of a quantity were asked, below the least, "
            f"{shown(policy.min_cases)}"
        )
    most = policy.max_slack or Fraction(0)
    slacks = {(check.quantity, slack_of(check)) for check in predicate.checks if check.cases}
    for name, slack in sorted(slacks):
        if slack > most:
            yield f"{name}: its slack {shown(slack)} is above the most, {shown(most)}"
    if policy.quantities is None:
        return
    for name in quantities(policy.quantities):
        checks = [check for check in predicate.checks if check.quantity == name]
        found = {one.verdict for one in checks if one.check in AGAINST_THE_TRUTH}
        if not found or {*found, overall_of_checks(checks)} != {Verdict.CERTIFIED}:
            yield f"{name} does not stand certified in it"
        for check in checks:
            if check.domain or check.direction:
                said = said_ranges(ranges_of(check) or {}) or AS[check.direction or "estimate"]
                yield f"{name} stands certified in it on terms of its own: {said}"
