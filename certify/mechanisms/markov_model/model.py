"""The data-driven model: rows counted from records, of which one record changes in one row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ....reference.dirichlet.pair import Neighbours, why_no_row
from ....reference.exact import exact_text
from ....reference.markov.model.data import DataModel
from ..hypotheses import Finding, Told
from ..printed import Printed, value_of
from ..protocol import Claim, Release, Vacuity, Worst, asked_of
from ..questions import Question
from ..vector import PROBABILISTIC, SAMPLING
from . import findings
from .reading import KEYS, read_model
from .refuting import Refuting
from .rows import Losses, Row, labels_of, rows_of

_FAMILY = "markov.model"
_BOUND = "markov.model.epsilon_bound"
_DELTA_BOUND = "markov.model.delta_bound"
_EVENT = (
    "Neighbours differ in one record, which keeps its row and changes its category there. A record "
    "that changes its origin, a record added or removed, and all records of one person together "
    "are not covered."
)
_PUBLIC = (
    "That k, eta and gamma, every N, and which transitions are feasible were known or chosen "
    "without looking at the private data; nothing here hides them."
)
_ACCURACY = "How near the private chain is to the true one."


@dataclass(frozen=True)
class MarkovModel:
    """A release of all rows of a matrix that is counted from records, each row by itself."""

    name: str = _FAMILY
    example: str = "markov-model"

    @property
    def keys(self) -> tuple[str, ...]:
        """The parameters of the rows, the data, and which states to leave out."""
        return KEYS

    def told_of_data(self, claim: Claim) -> tuple[Told, ...]:
        """Return what counts decide of the floors, and of the chain."""
        return findings.told_of(claim)

    def read(self, table: Mapping[str, Any], where: str) -> tuple[Release, DataModel | None]:
        """Return one exact entry a row for each parameter, and the data if given."""
        return read_model(table, where)

    def vacuity(self, claim: Claim) -> Vacuity | None:
        """Return why no row has two different neighbouring inputs, or one has none, if so."""
        pairs = [row.pair for row in rows_of(claim)]
        for label, pair in zip(labels_of(claim), pairs, strict=True):
            if pair.neighbours is Neighbours.NO_INPUT:
                return Vacuity(pair.neighbours, f"in row {findings.shown_label(label)} {pair.why}")
        if any(pair.neighbours.exist for pair in pairs):
            return None
        return Vacuity(Neighbours.NONE, why_no_row([pair.why for pair in pairs]))

    def worst(self, claim: Claim) -> Worst:
        """Return the largest loss of a row, which is that of the whole.

        Inputs attain it where they attain that of a row that loses as much as any other can.
        """
        losses = Losses.of(claim)
        movable = list(losses.exact)
        asked = _asked(claim, movable)
        refuting = Refuting.of(losses, movable, [question.key for question in asked])
        shown = refuting.worst
        label = losses.label(shown)
        facts = {
            "row": label,
            "alpha": exact_text(shown.pair.alpha),
            "step": exact_text(shown.pair.step),
        }
        neighbours = Neighbours.ATTAINED if refuting.reached else Neighbours.BOUNDED
        return Worst(
            neighbours,
            asked,
            facts,
            (_set_by(losses, label, refuting), neighbours.value),
            inputs=refuting.inputs,
            nearby=refuting.nearby,
            rows=losses.table,
            in_time=losses.in_time,
        )

    def beside_the_data(self, claim: Claim, worst: Worst) -> Worst | None:
        """Return what stands once the counts are looked at.

        Data below a row's floor are no input of the mechanism that is claimed about. An eta that
        was read off them is not public: where a neighbour of theirs is below it, the floor of both
        has to do, and at a count of 0 nothing can be shown.
        """
        if not isinstance(claim.data, DataModel):
            return worst
        rows = list(zip(rows_of(claim), findings.least_counts(claim, claim.data), strict=True))
        if any(least < row.eta * row.N for row, least in rows):
            return replace(worst, neighbours=Neighbours.NO_INPUT)
        if not findings.eta_was_read_off(claim):
            return worst
        movable = [(row, least) for row, least in rows if row.n > 1]
        near = {least for row, least in movable if least - 1 < row.eta * row.N}
        if not near:
            return worst
        if 1 in near:
            return None
        both = [_with_floor(row, least - 1) for row, least in movable]
        return replace(worst, asked=_asked(claim, both), neighbours=Neighbours.BOUNDED)

    def printed(self, claim: Claim) -> Printed:
        """Evaluate the theorem's formulas, the largest of all rows'."""
        point = claim.values
        if "gamma" not in point:
            return Printed(None, None, point, lacks="gamma is not given")
        notes = (f"the largest of {len(rows_of(claim))} rows each",)
        return Printed(value_of(_BOUND, point), value_of(_DELTA_BOUND, point), point, notes=notes)

    def findings(self, claim: Claim, printed: Printed) -> list[Finding]:
        """Decide the assumptions of the theorem, row by row, and what the data say of the chain."""
        data = claim.data if isinstance(claim.data, DataModel) else None
        return [
            *findings.of_rows(printed.point, labels_of(claim)),
            *findings.of_data(claim, data),
        ]

    def non_claims(self, _claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        return [PROBABILISTIC, _EVENT, _PUBLIC, _ACCURACY, SAMPLING]


def _asked(claim: Claim, rows: list[Row]) -> tuple[Question, ...]:
    """Return what the claim asks of all rows together."""
    numbers = sorted({(row.k, row.eta, row.N) for row in rows})
    k, eta, size = zip(*numbers, strict=True)
    return asked_of(claim, _FAMILY, {"k": k, "eta": eta, "N": size})


def _with_floor(row: Row, least: int) -> Row:
    """Return the row with a floor of at most so many records."""
    return replace(row, eta=min(row.eta, Fraction(least, row.N)))


def _set_by(losses: Losses, label: str, refuting: Refuting) -> str:
    pair = refuting.worst.pair
    near = " (others are too near to be told apart)" if len(refuting.candidates) > 1 else ""
    return (
        f"the largest of {len(losses.rows)} rows, set by row {label}{near}: floor alpha = "
        f"{exact_text(pair.alpha)}, step = {exact_text(pair.step)}"
    )


MODEL = MarkovModel()
