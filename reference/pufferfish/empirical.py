"""A chain from data: the empirical transition matrix of state sequences, exactly.

A gap cuts a series into pieces, and no transition is counted over it. What the data do not tell is
said in sentences: which states never occur, which have no successor, whether there is one
stationary law. Two things no data tell: the initial law, for which "stationary" is an assumption,
and whether a matrix made from the very data that are to be protected may be told to anybody.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..domain.matrices import MAX_STATES
from ..errors import DomainError, InputError
from ..exact import shown
from ..markov.stationary import stationary_law
from ..markov.structure import closed_classes, is_irreducible, period
from ..structures import STATIONARY, ChainLaw, Matrix

_GAP = -1
_LISTED = 5
_TOO_MANY = f"more than {MAX_STATES} states: group them, or mark gaps with None"


class EmpiricalChain(NamedTuple):
    """The states that are kept, in order; how often one follows another; and which are left out.

    ``stationary`` is None where there is no unique stationary law. ``lengths`` are those of the
    pieces between gaps. ``never_seen`` and ``without_next`` are the states that are left out.
    """

    states: tuple[Hashable, ...]
    transitions: tuple[tuple[int, ...], ...]
    P: Matrix
    stationary: tuple[Fraction, ...] | None
    lengths: tuple[int, ...]
    never_seen: tuple[Hashable, ...]
    without_next: tuple[Hashable, ...]
    unidentified: tuple[str, ...]

    def law(self) -> ChainLaw:
        """Return the chain with a stationary start. Raises DomainError if that is not one law."""
        if self.stationary is None:
            raise DomainError(self.unidentified[-1])
        return ChainLaw(STATIONARY, self.P)


def chain_from_sequences(
    sequences: Iterable[Sequence[Hashable] | NDArray[Any]],
    states: Sequence[Hashable] | None = None,
    gap: Hashable = None,
) -> EmpiricalChain:
    """Return the empirical chain of one or several series of states, its matrix in exact rationals.

    ``states`` gives their order, and may name some that never occur; without it they are sorted.
    None and ``gap`` cut a series. A text is a series of characters. Left out, and named, are states
    that never occur and states without a successor, which are the last of their piece wherever they
    occur; the transitions into these are not counted. Raises InputError: no transition is left, a
    state that is not among ``states``, too many of them.
    """
    labels, codes = _coded(sequences, gap)
    order = _in_order(labels, states)
    counts = _counted(codes, len(labels))
    seen = [labels[label] for label in order if label in labels]
    kept = _with_successors(counts, seen)
    if not kept:
        raise InputError("no transition is left: every state leads to an end of its sequence")
    names = {code: label for label, code in labels.items()}
    never = tuple(label for label in order if label not in labels)
    last = tuple(names[code] for code in seen if code not in kept)
    table = counts[np.ix_(kept, kept)]
    matrix = _shares(table)
    remarks = [
        *_left_out(never, last, int(counts.sum() - table.sum())),
        *_structure(matrix, names, kept),
    ]
    return EmpiricalChain(
        states=tuple(names[code] for code in kept),
        transitions=tuple(tuple(map(int, row)) for row in table),
        P=matrix,
        stationary=_stationary(matrix),
        lengths=_piece_lengths(codes),
        never_seen=never,
        without_next=last,
        unidentified=tuple(remarks),
    )


def _coded(
    sequences: Iterable[Sequence[Hashable] | NDArray[Any]], gap: Hashable
) -> tuple[dict[Hashable, int], NDArray[np.int64]]:
    """Return a number for each state, and all series as numbers, with gaps between them."""
    if isinstance(sequences, str | bytes) or not isinstance(sequences, Iterable):
        raise InputError("the sequences are given as a list of them, also when there is only one")
    if not isinstance(gap, Hashable):
        raise InputError("the mark of a gap is one item, such as -1 or '?'")
    labels: dict[Hashable, int] = {}
    codes = np.fromiter(_numbers(sequences, {None, gap}, labels), dtype=np.int64)
    return labels, codes


def _numbers(
    sequences: Iterable[Sequence[Hashable] | NDArray[Any]],
    gaps: set[Hashable],
    labels: dict[Hashable, int],
) -> Iterator[int]:
    """Yield a number for each item, and for a gap after each sequence; fill in the labels."""
    for at, sequence in enumerate(sequences, 1):
        try:
            for item in sequence.tolist() if isinstance(sequence, np.ndarray) else sequence:
                yield _GAP if item in gaps else labels.setdefault(item, len(labels))
                if len(labels) > MAX_STATES:
                    _refuse_unequal_to_themselves(labels)
                    raise InputError(_TOO_MANY)
        except TypeError:
            raise InputError(f"sequence {at} is no list of states that can be told apart") from None
        yield _GAP


def _refuse_unequal_to_themselves(labels: Iterable[Hashable]) -> None:
    """Raise InputError for NaN, of which each occurrence may be one more state."""
    for label in labels:
        try:
            is_state = bool(label == label)  # noqa: PLR0124 (only NaN differs from itself)
        except TypeError:  # pandas.NA says neither
            is_state = False
        if not is_state:
            raise InputError("NaN is no state; mark gaps with None")


def _in_order(
    labels: dict[Hashable, int], states: Sequence[Hashable] | None
) -> tuple[Hashable, ...]:
    """Return the states that are asked for, or those seen: sorted, or as they came if mixed."""
    _refuse_unequal_to_themselves(labels)
    if states is None:
        try:
            return tuple(sorted(labels))  # type: ignore[type-var]
        except TypeError:
            return tuple(labels)
    try:
        asked = tuple(states)
        known = set(asked)
    except TypeError:
        raise InputError("the list of states is no list of states that can be told apart") from None
    if len(known) < len(asked):
        raise InputError("a state stands twice in the list of states")
    stray = [label for label in labels if label not in known]
    if stray:
        raise InputError(f"the sequences have states that are not in the list: {_listed(stray)}")
    return asked


def _counted(codes: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return how often each state follows each one; whole numbers, nothing is rounded."""
    before, after = codes[:-1], codes[1:]
    both = (before != _GAP) & (after != _GAP)
    pairs = before[both] * size + after[both]
    return np.bincount(pairs, minlength=size * size).reshape(size, size).astype(np.int64)


def _with_successors(counts: NDArray[np.int64], seen: list[int]) -> list[int]:
    """Return the states that still have a successor when those that have none are left out."""
    kept = seen
    while True:
        sums = counts[np.ix_(kept, kept)].sum(axis=1)
        fewer = [code for code, total in zip(kept, sums, strict=True) if total]
        if len(fewer) == len(kept):
            return kept
        kept = fewer


def _shares(table: NDArray[np.int64]) -> Matrix:
    return tuple(tuple(Fraction(int(count), int(row.sum())) for count in row) for row in table)


def _piece_lengths(codes: NDArray[np.int64]) -> tuple[int, ...]:
    cuts = np.flatnonzero(np.concatenate(([True], codes == _GAP)))
    return tuple(int(length) for length in np.diff(cuts) - 1 if length)


def _stationary(P: Matrix) -> tuple[Fraction, ...] | None:
    try:
        return stationary_law(P)
    except DomainError:
        return None


def _left_out(never: Sequence[Hashable], last: Sequence[Hashable], dropped: int) -> Iterator[str]:
    if never:
        yield f"states that never occur are left out: {_listed(never)}"
    if last:
        yield (
            f"states without a successor in the data have no row and are left out, with {dropped} "
            f"transitions into them: {_listed(last)}"
        )


def _structure(P: Matrix, names: dict[int, Hashable], kept: Sequence[int]) -> Iterator[str]:
    """Yield what keeps the chain from being irreducible and aperiodic."""
    classes = closed_classes(P)
    if len(classes) > 1:
        firsts = _listed([names[kept[one[0]]] for one in classes])
        yield (
            f"the stationary law is not unique: {len(classes)} sets of states are never left, "
            f"those with {firsts}; give the initial law, or take each set by itself"
        )
    elif not is_irreducible(P):
        passing = [names[kept[x]] for x in range(len(P)) if x not in classes[0]]
        yield (
            "the chain is reducible: these states are not reached again from all others, and have "
            f"no stationary probability: {_listed(passing)}"
        )
    elif len(P) > 1 and period(P) > 1:
        yield f"the chain is periodic with period {period(P)}: it has no eigengap"


def _listed(labels: Sequence[Hashable]) -> str:
    more = f" and {len(labels) - _LISTED} more" if len(labels) > _LISTED else ""
    return ", ".join(shown(label) for label in labels[:_LISTED]) + more
