"""The hypotheses of benvenuti2025 Theorem 3 row by row, and of what it says of the chain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ....reference.dirichlet import counts
from ....reference.domain import Parameters
from ....reference.enclosure import Trilean
from ....reference.exact import shown
from ....reference.markov.model.data import DataModel
from ....reference.markov.model.rows import EachRow, listed
from ...verdict import Verdict
from ..hypotheses import (
    LEAVES,
    STATUS,
    Finding,
    Told,
    fixed_eta,
    of_unseen_data,
)
from ..protocol import Claim
from .rows import ModelParameters

_CONDITIONS = [EachRow.of(each) for each in (*counts.EPSILON_CONDITIONS, *counts.HYPOTHESES)]
_BORDERED = "benvenuti2025 Definition 2"
_ADJACENT = "benvenuti2025 Definition 3"
_SEEN = "benvenuti2025 Assumption 6"
_REACHED = "benvenuti2025 Assumption 5"
_CONVERGES = "the stationary law is a limit only then"
_COROLLARY = "benvenuti2025 Corollary 1"
_FLOOR = Told(
    "in each row every count is at least eta N", _BORDERED, leaves=(Verdict.INAPPLICABLE,)
)
# Asked where eta is not public: it was read off the data.
_FLOOR_OF_NEIGHBOURS = Told(
    "in each row every neighbour of the data has counts of at least eta N",
    _BORDERED,
    leaves=(Verdict.CERTIFIED, Verdict.UNDECIDED),
)
# What the paper asks of the chain for its accuracy; privacy does not need it.
_ALL_SEEN = Told(
    "every feasible transition was seen", _SEEN, ("holds", "assumed"), bears_on_privacy=False
)
_IRREDUCIBLE = Told("the chain is irreducible", _REACHED, bears_on_privacy=False)
_APERIODIC = Told(
    "the chain is aperiodic", _CONVERGES, ("holds", "fails", "undecided"), bears_on_privacy=False
)
_HAS_VALUE = Told(
    "in each row N is at least the number of states (the printed L has a value)",
    _COROLLARY,
    bears_on_privacy=False,
)
_OF_CHAIN = (_ALL_SEEN, _IRREDUCIBLE, _APERIODIC, _HAS_VALUE)


def told_of(claim: Claim) -> tuple[Told, ...]:
    """Return what the data are asked: of neighbours' floors only where eta was read off them."""
    floors = (_FLOOR, _FLOOR_OF_NEIGHBOURS) if eta_was_read_off(claim) else (_FLOOR,)
    return (*floors, *_OF_CHAIN)


def eta_was_read_off(claim: Claim) -> bool:
    """Whether the claim says that eta was read off the private data, so that it is not public."""
    return "eta" in ModelParameters.of(claim).read_off_the_data


def of_rows(point: Parameters, labels: Sequence[str]) -> list[Finding]:
    """Decide the conditions of the paper's theorem in each row, and name the rows that fail."""
    found = []
    for condition in _CONDITIONS:
        if set(condition.names) <= set(point):
            status, failing = condition.holds(point), condition.rows_without(point)
            note = f"not in {_named(labels, failing)}" if failing else ""
            found.append(Finding(condition.statement, STATUS[status], condition.source, note))
    return found


def _named(labels: Sequence[str], rows: Iterable[int]) -> str:
    return listed(shown_label(labels[at - 1]) for at in rows)


def shown_label(label: str) -> str:
    """Return a label as it stands in a sentence: a number as it is, a name in quotes."""
    return label if label.isascii() and label.isdigit() else shown(label)


def of_data(claim: Claim, data: DataModel | None) -> list[Finding]:
    """Decide what the data decide, and say what has to be assumed of them."""
    of_inputs = of_unseen_data(_BORDERED)[:1] if data is None else _floors(claim, data)
    of_chain = [] if data is None else _of_chain(data)
    eta = fixed_eta(_BORDERED, read_off=eta_was_read_off(claim))
    return [*of_inputs, eta, _public(claim), *of_chain]


def least_counts(claim: Claim, data: DataModel) -> list[int]:
    """Return each row's least count over its feasible transitions, 0 where one was not seen."""
    rows = zip(data.rows, ModelParameters.of(claim).n, strict=True)
    return [row.least if row.feasible == feasible else 0 for row, feasible in rows]


def _floors(claim: Claim, data: DataModel) -> list[Finding]:
    own = ModelParameters.of(claim)
    rows = list(zip(least_counts(claim, data), own.eta, own.N, own.n, strict=True))
    below = [at for at, (least, eta, size, _) in enumerate(rows, 1) if least < eta * size]
    near = [
        at for at, (least, eta, size, n) in enumerate(rows, 1) if n > 1 and least - 1 < eta * size
    ]
    labels, moving = data.labels, f"moving one record out of the smallest category {LEAVES}"
    if eta_was_read_off(claim):
        of_neighbours = _finding(_FLOOR_OF_NEIGHBOURS, near, labels, f": {moving}")
        return [_finding(_FLOOR, below, labels), of_neighbours]
    remark = f"in {_named(labels, near)} {moving}" if near else ""
    found = _finding(_FLOOR, below, labels)
    return [replace(found, note="; ".join(filter(None, (found.note, remark))))]


def _finding(told: Told, failing: list[int], labels: Sequence[str], why: str = "") -> Finding:
    note = f"not in {_named(labels, failing)}{why}" if failing else ""
    return told.stands(STATUS[Trilean.of(not failing)], note)


def _public(claim: Claim) -> Finding:
    """Return that sizes and feasible transitions are public; the note says what was read off.

    It is told from the claim's parameters alone, so that it is the same without the data.
    """
    own = ModelParameters.of(claim)
    off, out = own.read_off_the_data, own.left_out_of_the_data
    read = f"{', '.join(off)} were read off the private data, so they have to be public"
    left = (
        f"records from or to {listed(map(shown_label, out), 'state')} are left out: they are not "
        "counted, nor protected"
    )
    some = any(n != len(own.n) for n in own.n)
    unseen = "a transition beyond a row's n counts as known to be infeasible"
    notes = ((read, off), (left, out), (unseen, some))
    note = "; ".join(sentence for sentence, is_told in notes if is_told)
    return Finding(
        "every N, n, and which transitions are feasible, are public", "assumed", _ADJACENT, note
    )


def _of_chain(data: DataModel) -> list[Finding]:
    """Decide what the paper asks of the chain for its accuracy."""
    return [_seen(data), _irreducible(data), _aperiodic(data), _corollary(data)]


def _seen(data: DataModel) -> Finding:
    return _ALL_SEEN.stands("holds" if data.all_seen else "assumed")


def _irreducible(data: DataModel) -> Finding:
    cut = data.unreachable()
    note = ""
    if cut:
        source, missed = cut[0]
        note = f"from {shown(source)} there is no way to {listed(map(shown, missed), 'state')}"
    return _IRREDUCIBLE.stands(STATUS[Trilean.of(not cut)], note)


def _aperiodic(data: DataModel) -> Finding:
    period = data.period
    status = "undecided" if period is None else STATUS[Trilean.of(period == 1)]
    note = "" if period == 1 else "no one period: it is not irreducible"
    if period is not None and period > 1:
        note = f"its period is {period}"
    return _APERIODIC.stands(status, note)


def _corollary(data: DataModel) -> Finding:
    """Return whether the printed accuracy bound has a value: N >= n, the number of states."""
    states = len(data.labels)
    small = [at for at, row in enumerate(data.rows, 1) if row.records < states]
    return _finding(_HAS_VALUE, small, data.labels)
