"""Releases of a Markov chain that is known only within bounds: all chains between them, any start.

Of two states quilts are decided by two corners of the class, exactly; of more by Birkhoff's
contraction, which bounds them. What is certified holds for every member; what is refuted is lost
under one member that is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from ....reference.domain import Domain, Value
from ....reference.domain.kinds import Entries, Interval
from ....reference.domain.matrices import Counts, MatrixKind
from ....reference.errors import DomainError, InputError
from ....reference.exact import Texts, shown
from ....reference.markov.structure import Pattern
from ....reference.pufferfish.quilt.contraction import tightened, within_bounds
from ....reference.pufferfish.quilt.exact import corners
from ....reference.structures import ANY, ChainLaw, Matrix
from ..hypotheses import Finding
from ..neighbours import Adjacency, Unlike
from ..protocol import Claim
from ..questions import Question, Term
from .chain import SequenceParameters
from .chain_class import NO_TOTAL, ChainClass
from .claims import DEFINITION, LAPLACE, SCALE, group_asked
from .counted import bounds_of
from .noise import Added, require_one_of, require_values_for_chains, spread

_TWO = 2
# Bounds on more states are not read: their ratios take a time with the cube of that.
_MOST_STATES = 100
_KEYS = ("low", "high", "transitions", "confidence")
_BOUNDS = MatrixKind(Entries(Interval(at_least=Fraction(0), at_most=Fraction(1))))
_NOT_NORMAL = (
    'noise = "gaussian" is audited for bounds on two states, of which no probability may be 0; for '
    "others by Laplace noise alone"
)
_COUNTED = (
    "the counted transitions are those of a chain with the law of the data, and are public or "
    "independent of the data"
)


@dataclass(frozen=True, kw_only=True)
class IntervalParameters(SequenceParameters):
    """Bounds on each transition probability, or counts from which they come, and the noise."""

    low: Matrix | None = None
    high: Matrix | None = None
    transitions: tuple[tuple[int, ...], ...] | None = None
    confidence: Fraction | None = None

    @property
    def laws(self) -> dict[str, Value]:
        """The bounds first."""
        found = super().laws
        return {key: found[key] for key in (*_KEYS, *found) if key in found}

    @property
    def bounds(self) -> tuple[Matrix, Matrix]:
        """The lower and the upper bounds, as tight as the sums of rows allow."""
        return _bounds(self.low, self.high, self.transitions, self.confidence)

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.bounds[0])

    @property
    def corners(self) -> tuple[ChainLaw, ...]:
        """The chains that decide quilts: none of more than two states, or where a bound is 0."""
        low, high = self.bounds
        if self.states != _TWO or not all(entry > 0 for row in low for entry in row):
            return ()
        first, second = ((low[at][at], high[at][at]) for at in range(_TWO))
        return tuple(corners(first, second))

    @property
    def ratios(self) -> tuple[Fraction, Fraction] | None:
        """The ratio and the cross-ratio that no member exceeds; None where there are none."""
        return _ratios(*self.bounds)


# An audit asks several times; of a hundred states it takes seconds.
_ratios = lru_cache(maxsize=64)(within_bounds)


@lru_cache(maxsize=64)
def _bounds(
    low: Matrix | None,
    high: Matrix | None,
    transitions: tuple[tuple[int, ...], ...] | None,
    confidence: Fraction | None,
) -> tuple[Matrix, Matrix]:
    if transitions is not None and confidence is not None:
        low, high = bounds_of(transitions, confidence)
    if low is None or high is None:
        raise TypeError("a class has bounds, or counts with a confidence")
    return tightened(low, high)


def _members(low: Matrix, high: Matrix) -> Iterator[Matrix]:
    """Yield chains that stay as long as the bounds allow, as shortly, in each state, and between.

    They are found by filling each row up from its lower bounds; that one of them loses most is not
    claimed.
    """
    rows = range(len(low))
    stays = [[_filled(low[x], high[x], [x]), _filled(low[x], high[x], _but(x, rows))] for x in rows]
    middle = [[(a + b) / 2 for a, b in zip(*both, strict=True)] for both in stays]
    if len(low) == _TWO:
        choices = [[*both, tuple(mean)] for both, mean in zip(stays, middle, strict=True)]
        yield from ((one, two) for one in choices[0] for two in choices[1])
        return
    yield tuple(both[0] for both in stays)
    yield tuple(both[1] for both in stays)
    yield tuple(tuple(mean) for mean in middle)
    for state in rows:
        yield tuple(_filled(low[x], high[x], [state]) for x in rows)


def _but(state: int, rows: range) -> list[int]:
    return [other for other in rows if other != state]


def _filled(
    least: Sequence[Fraction], most: Sequence[Fraction], first: Sequence[int]
) -> tuple[Fraction, ...]:
    """Return a row within bounds, with as much as they allow in some places, from the first on."""
    row = list(least)
    for at in (*first, *(at for at in range(len(row)) if at not in first)):
        row[at] += min(most[at] - least[at], 1 - sum(row))
    return tuple(row)


class _IntervalChain(ChainClass):
    """All chains whose transition probabilities lie within bounds, with every initial law."""

    name = "pufferfish.interval_chain"
    releases = "queries of a sequence that follows some chain within bounds, with noise"
    law_keys = (*_KEYS, "length", "lengths")

    def law_domains(self) -> dict[str, Domain]:
        """Return the domains of the keys."""
        return {
            "low": _BOUNDS,
            "high": _BOUNDS,
            "transitions": Counts(),
            "confidence": Interval(above=Fraction(0), below=Fraction(1)),
            **self.length_domains(),
        }

    def require(self, table: Mapping[str, Any], where: str) -> None:
        """Raise InputError unless there are bounds or counts, and a length or lengths."""
        require_one_of(table, "low", "transitions", where)
        if ("low" in table) != ("high" in table):
            raise InputError(f"{where}: [release] needs low and high together")
        if ("transitions" in table) != ("confidence" in table):
            raise InputError(f"{where}: [release] needs transitions and confidence together")
        super().require(table, where)

    def require_laws(self, exact: Mapping[str, Any], where: str) -> None:
        """Raise DomainError unless some chain lies within the bounds, of a few states."""
        keys = ("transitions",) if "transitions" in exact else ("low", "high")
        for key in keys:
            rows = exact[key]
            if not 1 < len(rows) == len(rows[0]) <= _MOST_STATES:
                raise DomainError(
                    f"{where}: {key} has {len(rows)} rows of {len(rows[0])} entries; it needs as "
                    f"many rows as states, from 2 to {_MOST_STATES}, each with an entry for each"
                )
        if "low" in exact:
            _require_some_chain(exact["low"], exact["high"], where)

    def spreads(self, exact: Mapping[str, Any], where: str) -> Sequence[Fraction]:
        """Return the spread of each row of values. Raises DomainError: not a row a node."""
        states = len(exact["low"] if "low" in exact else exact["transitions"])
        require_values_for_chains(exact, states, where)
        return [spread(row) for row in exact["values"]]

    def made_of(self, exact: Mapping[str, Any]) -> IntervalParameters:
        """Return the parameters."""
        return IntervalParameters.read(exact)

    def states(self, claim: Claim) -> int:
        """Return how many states the chains have."""
        return IntervalParameters.of(claim).states

    def class_of(self, _claim: Claim) -> str:
        """Return the class in words."""
        return "the class of all chains within the bounds that the claim gives"

    def longest(self, claim: Claim) -> dict[str, Value]:
        """Return the corners, which decide quilts of two states, and the longest piece's length."""
        own = IntervalParameters.of(claim)
        return {"chains": own.corners, "length": own.longest}

    def members(self, claim: Claim) -> tuple[ChainLaw, ...]:
        """Return chains that stay long, shortly and between."""
        found = dict.fromkeys(_members(*IntervalParameters.of(claim).bounds))
        return tuple(ChainLaw(ANY, P) for P in found)

    def allowed(self, claim: Claim) -> list[tuple[Pattern, Pattern]]:
        """Return that every start is possible, and each move that has an upper bound above 0.

        The mean of a few members has them all.
        """
        _, high = IntervalParameters.of(claim).bounds
        moves = np.array([[entry > 0 for entry in row] for row in high])
        return [(np.ones(len(high), dtype=np.bool_), moves)]

    def _bound(self, claim: Claim, noise: Added) -> tuple[Question, ...]:
        own = IntervalParameters.of(claim)
        if own.corners or noise.law != LAPLACE:
            return super()._bound(claim, noise)
        if own.ratios is None or not claim.epsilon:
            return (group_asked(claim, noise.together, noise.lipschitz, own.longest),)
        return (Question(SCALE, noise.together, (self._scale(claim, noise),)),)

    def _normal_scale(self, claim: Claim, noise: Added) -> Question:
        if not IntervalParameters.of(claim).corners:
            raise DomainError(f"{claim.name}: {_NOT_NORMAL}")
        return super()._normal_scale(claim, noise)

    def _scale(self, claim: Claim, noise: Added) -> Term:
        own = IntervalParameters.of(claim)
        if own.corners or own.ratios is None:
            return super()._scale(claim, noise)
        ratio, cross = own.ratios
        point: dict[str, Value] = {"ratio": ratio, "cross": cross, "length": own.longest}
        point["epsilon"] = claim.epsilon
        return Term("pufferfish.quilt_scale_contraction", point, noise.lipschitz)

    def _sufficient(self, claim: Claim, noise: Added, *, exactly: bool) -> tuple[Question, ...]:
        found = super()._sufficient(claim, noise, exactly=exactly)
        own = IntervalParameters.of(claim)
        known = own.corners or own.ratios is not None
        return found if known else tuple(one for one in found if one.key != SCALE)

    def adjacency(self, claim: Claim, data: Mapping[str, Any]) -> Adjacency | Unlike:
        """Return the secrets of the class; several releases are bounded together by its corners."""
        if not IntervalParameters.of(claim).corners:
            return Unlike(NO_TOTAL)
        return super().adjacency(claim, data)

    def _facts(
        self, claim: Claim, noise: Added
    ) -> tuple[Mapping[str, Texts | None], tuple[str, ...]]:
        facts, sentences = super()._facts(claim, noise)
        own = IntervalParameters.of(claim)
        if own.corners:
            listed = " and ".join(f"P = {shown(chain.P)}" for chain in own.corners)
            said = f"quilts ask most under the members that stay longest or shortest: {listed}"
        elif own.ratios is not None:
            ratio, cross = map(shown, own.ratios)
            said = f"no member has a ratio above {ratio} or a cross-ratio above {cross}"
        else:
            said = "a probability may be 0: no part of a chain is known to forget another"
        return facts, (*sentences, said)

    def law_findings(self, claim: Claim) -> list[Finding]:
        """Say what is taken for granted of counts."""
        confidence = IntervalParameters.of(claim).confidence
        if confidence is None:
            return []
        sure = (
            f"the bounds hold for the law of the data: they do with confidence {shown(confidence)} "
            "in the counts; where they do not, nothing is promised, and no delta covers it"
        )
        note = "proofs_notes/counted-chains.md"
        return [Finding(one, "assumed", DEFINITION, note) for one in (_COUNTED, sure)]


def _require_some_chain(low: Matrix, high: Matrix, where: str) -> None:
    if len(low) != len(high):
        raise DomainError(
            f"{where}: low has {len(low)} rows and high {len(high)}; both are of the same states"
        )
    for at, (least, most) in enumerate(zip(low, high, strict=True), 1):
        if any(one > other for one, other in zip(least, most, strict=True)):
            raise DomainError(f"{where}: row {at} of low has an entry above that of high")
        if not sum(least) <= 1 <= sum(most):
            raise DomainError(
                f"{where}: row {at} holds no law: low sums to {shown(sum(least))} and high to "
                f"{shown(sum(most))}; it needs at most 1 and at least 1"
            )


INTERVAL_CHAIN = _IntervalChain()
