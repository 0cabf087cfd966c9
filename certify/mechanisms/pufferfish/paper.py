"""What song2017 asks of chains, and the scales that it gives, besides the one that decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ....reference.domain import Value
from ....reference.enclosure import Enclosure, Trilean
from ....reference.evaluation import evaluate
from ....reference.markov.structure import is_irreducible, period
from ....reference.precision import Budget
from ....reference.pufferfish.eigengap import is_reversible, steps_back_connect
from ....reference.quantity import quantity_named
from ....reference.structures import ANY, ChainLaw, Matrix
from ..hypotheses import STATUS, Finding
from .limit import found_within

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
Scales = Mapping[str, tuple[str, Enclosure | None]]


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
) -> Scales:
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
    answer = evaluate(name, point, budget=Budget(_SECONDS))
    return answer.number if answer.narrow else None
