"""The data-driven model: rows counted from records, of which one record changes in one row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ....reference.dirichlet.pair import Neighbours
from ....reference.exact import exact_text
from ....reference.markov.model.data import DataModel
from ..bordered import PROBABILISTIC, SAMPLING
from ..hypotheses import Finding
from ..mechanism import Claim, Inputs, Release, Worst, asked_of, asked_of_nothing
from ..printed import Printed, value_of
from ..questions import Question
from . import findings
from .reading import KEYS, read_model
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

    def read(self, table: Mapping[str, Any], where: str) -> tuple[Release, DataModel | None]:
        """Return one exact entry a row for each parameter, and the data if given."""
        return read_model(table, where)

    def worst(self, claim: Claim) -> Worst:
        """Return the largest loss of a row, which is that of the whole.

        Inputs attain it where they attain that of a row that loses as much as any other can.
        """
        losses = Losses.of(claim)
        kinds = {row.pair.neighbours for row in losses.rows}
        if Neighbours.NO_INPUT in kinds:
            return _alone(claim, losses, Neighbours.NO_INPUT)
        movable = [row for row in losses.exact if row.movable]
        if not movable:
            return _alone(claim, losses, Neighbours.NONE)
        asked = _asked(claim, movable)
        attained = [row for row in movable if row.attained]
        reached = all(_reached(losses, question.key, attained, movable) for question in asked)
        first = asked[0].key
        largest = losses.largest(first, movable)
        top = losses.largest(first, attained) if attained else largest
        neighbours = Neighbours.ATTAINED if reached else Neighbours.BOUNDED
        shown = top if reached else largest
        label = losses.label(shown)
        facts = {
            "row": label,
            "alpha": exact_text(shown.pair.alpha),
            "step": exact_text(shown.pair.step),
        }
        return Worst(
            neighbours,
            asked,
            facts,
            (_set_by(losses, label, shown), neighbours.value),
            inputs=top.inputs(losses.label(top)) if reached else None,
            nearby=_nearby(losses, top) if attained and not reached else None,
            rows=losses.table,
        )

    def beside_the_data(self, claim: Claim, worst: Worst) -> Worst | None:
        """Return what stands once the counts are looked at.

        Data below a row's floor are no input of the mechanism that is claimed about. Where only a
        neighbour of theirs is, the floor of both has to do; at a count of 0 nothing can be shown.
        """
        if not isinstance(claim.data, DataModel):
            return worst
        rows: list[Row] = []
        near = False
        for row, least in zip(
            rows_of(claim), findings.least_counts(claim, claim.data), strict=True
        ):
            if least < row.eta * row.N:
                return replace(worst, neighbours=Neighbours.NO_INPUT)
            if row.n == 1:
                continue
            if least - 1 >= row.eta * row.N:
                rows.append(row)
            elif least > 1:
                near = True
                rows.append(replace(row, eta=Fraction(least - 1, row.N)))
            else:
                return None
        if not near:
            return worst
        return replace(worst, asked=_asked(claim, rows), neighbours=Neighbours.BOUNDED)

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


def _alone(claim: Claim, losses: Losses, neighbours: Neighbours) -> Worst:
    sentences = (neighbours.value,)
    if neighbours is Neighbours.NO_INPUT:
        empty = next(row for row in losses.rows if row.pair.neighbours is neighbours)
        sentences = (f"row {losses.label(empty)}: {neighbours.value}",)
    return Worst(neighbours, asked_of_nothing(claim), {}, sentences, rows=losses.table)


def _set_by(losses: Losses, label: str, row: Row) -> str:
    alpha, step = exact_text(row.pair.alpha), exact_text(row.pair.step)
    return (
        f"the largest of {len(losses.rows)} rows, set by row {label}: floor alpha = {alpha}, step "
        f"= {step}"
    )


def _reached(losses: Losses, key: str, attained: list[Row], rows: list[Row]) -> bool:
    """Whether some row whose pair is attained loses at least as much as every other's pair."""
    pairs = {(row.pair.alpha, row.pair.step) for row in attained}
    others = [row for row in rows if (row.pair.alpha, row.pair.step) not in pairs]
    if not attained:
        return False
    most = losses.exact[losses.largest(key, attained)][key].low
    return all(losses.exact[row][key].high <= most for row in others)


def _nearby(losses: Losses, row: Row) -> Any:
    def nearby() -> Iterator[tuple[Inputs, Question]]:
        yield row.inputs(losses.label(row)), row.asked(losses.claim)[0]

    return nearby


MODEL = MarkovModel()
