"""ponnoprat2023's mechanism: Dirichlet(step f + alpha), f a histogram or of known sensitivities.

A claimed delta is reached from Renyi privacy by Lemma 3, for a given or the best order.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from ...reference.dirichlet import renyi
from ...reference.dirichlet.pair import Neighbours
from ...reference.domain import Domain
from ...reference.dyadic import rational_decimal
from ...reference.enclosure import Enclosure
from ...reference.errors import DomainError, InputError
from ...reference.evaluation import answer_at
from ...reference.exact import exact_text, shown
from ...reference.labels import MAX_COUNT_DIGITS
from ...reference.quantity import quantity_named
from . import reading
from .hypotheses import Finding, decided
from .laid_out import require_vector
from .neighbours import (
    ADD_REMOVE,
    HISTOGRAM_CHANGE,
    RECORD_ADDED,
    RECORD_CHANGED,
    REPLACE,
    SENSITIVITIES,
    Adjacency,
    HistogramParameters,
    Unlike,
    assumed_of_f,
    counted_in,
    inputs_near,
    neighbours_of,
    not_said_of_f,
    require_possible,
)
from .plan import SimplexPlan, counts_in, drawn_from, require_reach, vector_plan
from .protocol import (
    SAMPLING,
    Claim,
    Inputs,
    Layout,
    Mechanism,
    Public,
    PublicSettings,
    Worst,
    asked_of,
)
from .questions import Printed, Question, Term, value_of
from .reading import LEAST_LABELS, labels_in
from .tight import LargestOnGrid
from .vector import CATEGORIES, COLUMN, counted, require_column

_FIGURES = 8
_CONVERSION = "dirichlet.renyi.to_approximate_dp"
_BOUND = "dirichlet.renyi.epsilon_sensitivity"
# Every order gives a bound; so many are compared, to so few digits, closer together near 1.
_ORDERS = 48
_ROUGHLY = 6


def _converted(bound: Enclosure | None, order: Fraction, delta: Fraction) -> Enclosure | None:
    """Return the epsilon at a delta that a bound at one order gives; it rises with the bound."""
    if bound is None:
        return None
    low, high = (_epsilon_at(end, order, delta) for end in (bound.lower, bound.upper))
    return None if low is None or high is None else Enclosure(low.low, high.high)


def _epsilon_at(bound: Fraction | float, order: Fraction, delta: Fraction) -> Enclosure | None:
    if not isinstance(bound, Fraction):
        return Enclosure.infinite()
    return value_of(_CONVERSION, {"order": order, "epsilon": bound, "delta": delta})


def _asked_of_sensitivities(claim: Claim) -> tuple[tuple[Question, ...], Fraction | None]:
    """Return what bounds every f with the claim's sensitivities, and the order that was chosen.

    A claimed order needs no choice. At delta 0 nothing finite is known and at delta 1 nothing is
    needed, whatever the laws.
    """
    if claim.order is not None:
        term = Term(_BOUND, _point(claim, claim.order))
        return (Question("epsilon_at_order", claim.epsilon, (term,)),), None
    delta = claim.delta or Fraction(0)
    if not 0 < delta < 1:
        own = HistogramParameters.of(claim)
        asked = asked_of(claim, "dirichlet.profile", {"alpha": own.alpha, "step": own.step})
        return tuple(each for each in asked if each.key == "epsilon_at_delta"), None
    order = _best_order(claim, delta)
    given = {"order": order, "epsilon": _bound_above(claim, order, 2 * _ROUGHLY), "delta": delta}
    return (Question("epsilon_at_delta", claim.epsilon, (Term(_CONVERSION, given),)),), order


def _best_order(claim: Claim, delta: Fraction) -> Fraction:
    """Return about the order, among those of a finite bound, of the smallest epsilon at delta."""
    own = HistogramParameters.of(claim)
    span = own.alpha / (own.step * own.delta_inf)
    orders = [1 + span * Fraction(part, _ORDERS) ** 3 for part in range(1, _ORDERS)]

    def epsilon(order: Fraction) -> Fraction | float:
        bound = _bound_above(claim, order, _ROUGHLY)
        given = {"order": order, "epsilon": bound, "delta": delta}
        return answer_at(_CONVERSION, given, digits=_ROUGHLY).number.upper

    return min(orders, key=epsilon)


def _bound_above(claim: Claim, order: Fraction, digits: int) -> Fraction:
    """Return an upper bound on the divergence at an order where it is finite."""
    found = answer_at(_BOUND, _point(claim, order), digits=digits).upper
    if not isinstance(found, Fraction):
        raise TypeError(f"the bound at order {shown(order)} is not finite")
    return found


def _point(claim: Claim, order: Fraction) -> dict[str, Fraction]:
    own = HistogramParameters.of(claim)
    return {
        "step": own.step,
        "alpha": own.alpha,
        "delta2_squared": own.delta2_squared,
        "delta_inf": own.delta_inf,
        "order": order,
    }


_LINE_ONE = "dirichlet.renyi.epsilon_bound"
_EQUATION = "dirichlet.renyi.epsilon_bound_alpha"
_NOTE = "proofs_notes/renyi-calibration.md"
_AS_NEAR = "but neighbours with large counts elsewhere come as near to it as one likes"
_SOURCE = "ponnoprat2023 Section 5.1"
_ALL_PARTS = 4  # Line 2 of Algorithm 1 sets alpha = 1 + 4 (order - 1) step delta_inf.


def _require_a_histogram(claim: Claim, where: str) -> None:
    if not HistogramParameters.of(claim).is_histogram:
        raise DomainError(
            f"{where}: step and alpha are chosen together for a histogram alone; give alpha"
        )


def _in_order(claim: Claim) -> bool:
    """Whether the steps are in order along the alphas: not proved of add-remove with a delta."""
    return HistogramParameters.of(claim).neighbours == REPLACE or claim.order is not None


class _Histogram(Mechanism):
    """A release of counts, or of any f >= 0 with known sensitivities.

    Where the sensitivities are those of one record of a histogram, f is taken to be one. There are
    always neighbours, since a claim is about every number of cells and records
    (proofs_notes/vacuous-claims.md, histograms); a release of one cell is refused where its cells
    are told.
    """

    name = "dirichlet.renyi"
    releases = "a histogram, or another f of the records, as Dirichlet(step f + alpha)"
    paper = "ponnoprat2023"
    tight = LargestOnGrid("step", "alpha", _require_a_histogram, _in_order)
    data_keys = (COLUMN, CATEGORIES)

    @property
    def keys(self) -> tuple[str, ...]:
        """The parameters, and which inputs are neighbours."""
        return (*self._domains, "neighbours")

    @property
    def _domains(self) -> dict[str, Domain]:
        known = quantity_named(_EQUATION).parameters
        return {name: known[name] for name in ("step", "alpha", *SENSITIVITIES)}

    def read(self, table: Mapping[str, Any], where: str) -> tuple[HistogramParameters, None]:
        """Return exact parameters and the neighbours, with a histogram's sensitivities if open."""
        neighbours = neighbours_of(table.get("neighbours", REPLACE), where)
        reading.require_all(table, ("step", "alpha"), where)
        exact = reading.parameters(table, self._domains, self.name, where)
        for key, usual in zip(SENSITIVITIES, HISTOGRAM_CHANGE[neighbours], strict=True):
            exact.setdefault(key, usual)
        own = HistogramParameters.read({**exact, "neighbours": neighbours})
        open_ones = [key for key in SENSITIVITIES if key not in table]
        if len(open_ones) == 1 and not own.is_histogram:
            raise InputError(
                f"{where}: this is not what one record of a histogram changes, so [release] needs "
                f"{open_ones[0]}, too"
            )
        require_possible(own, where)
        return own, None

    def worst(self, claim: Claim) -> Worst:
        """Return the pair of laws that bounds every pair of neighbours.

        One record replaced: Beta laws, attained by the counts (1, 0) against (0, 1) next to any
        others (proofs_notes/dominating-pair.md, histogram-attains). One added or removed: gamma
        laws, which large counts elsewhere come near to. Any other f: a bound by its sensitivities.
        """
        own = HistogramParameters.of(claim)
        facts, sentences = _facts(own)
        if not own.is_histogram:
            return _of_any_f(claim, facts, sentences)
        point = {"alpha": own.alpha, "step": own.step}
        if own.neighbours == REPLACE:
            asked = asked_of(claim, "dirichlet.profile", point)
            sentences = (*sentences, Neighbours.ATTAINED.value)
            return Worst(Neighbours.ATTAINED, asked, facts, sentences, _inputs(facts))
        asked = asked_of(claim, "dirichlet.add_remove", point)
        sentences = (*sentences, Neighbours.BOUNDED.value, _AS_NEAR)
        return Worst(
            Neighbours.BOUNDED,
            asked,
            facts,
            sentences,
            nearby=lambda: inputs_near(claim, facts),
            approached=True,
        )

    def printed(self, claim: Claim) -> Printed:
        """Evaluate line 1 of Algorithm 1, and equation 18, which knows alpha.

        A claimed delta has the order that line 2 gives this alpha, and Lemma 3.
        """
        own = HistogramParameters.of(claim)
        order = claim.order or _order_of_line_two(own)
        if order is None:
            lacks = "line 2 of Algorithm 1 sets this alpha for no order above 1"
            return Printed(None, None, own.point, lacks=lacks, also=_also(None))
        point = {**own.point, "order": order}
        bounds = [value_of(name, point) for name in (_LINE_ONE, _EQUATION)]
        notes: tuple[str, ...] = ()
        if claim.delta is not None:
            bounds = [_converted(bound, order, claim.delta) for bound in bounds]
            notes = (f"both epsilons at order {_near(order)}, put into Lemma 3",)
        return Printed(
            bounds[0],
            None,
            point,
            lacks="the paper has no formula for it",
            notes=notes,
            also=_also(bounds[1]),
            by="Algorithm 1",
            facts={"order": exact_text(order)},
        )

    def findings(self, claim: Claim, printed: Printed) -> list[Finding]:
        """Decide what Algorithm 1 and equation 18 ask, and say what is taken for granted."""
        conditions = (*renyi.ALGORITHM_HYPOTHESES, *renyi.HYPOTHESES)
        assumed = assumed_of_f(HistogramParameters.of(claim))
        return [*decided(conditions, printed.point), assumed, _PUBLIC_CHOICE]

    def non_claims(self, claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        public = "That step and alpha were chosen without looking at the private data."
        return [*not_said_of_f(HistogramParameters.of(claim)), public, SAMPLING]

    def public_names(self, claim: Claim, _settings: PublicSettings) -> tuple[str, ...]:
        """Return the cells; and how many records there are, where neighbours have as many."""
        size = ("N",) if HistogramParameters.of(claim).neighbours == REPLACE else ()
        return (*size, CATEGORIES)

    def require_columns(self, _claim: Claim, settings: PublicSettings) -> None:
        """Raise InputError unless the column of records, if there is one, is a text."""
        require_column(settings)

    def require_releasable(self, claim: Claim, where: str) -> None:
        """Raise DomainError for another f than a histogram, or what is out of the samplers' reach.

        As many records as one cell can have in a file that is read are within it.
        """
        own = HistogramParameters.of(claim)
        _require_sensitivities(own, where)
        require_reach(own.alpha, own.step * 10**MAX_COUNT_DIGITS + own.alpha, where)

    def layout(self, claim: Claim, settings: PublicSettings) -> Layout:
        """Return the cells. Raises InputError."""
        self.require_releasable(claim, settings.where)
        return Layout(labels_in(settings, CATEGORIES))

    def require_possible(self, _claim: Claim, seen: Layout) -> None:
        """Raise DomainError unless there is one vector of cells."""
        require_vector(seen, LEAST_LABELS)

    def plan(self, claim: Claim, settings: PublicSettings, file: Path) -> SimplexPlan:
        """Return step counts + alpha. Raises InputError, with no private value in its sentence."""
        own, categories = HistogramParameters.of(claim), self.layout(claim, settings).names
        counts = counted(settings, categories, file)
        return vector_plan(categories, own.drawn_from(counts), str(file))

    def adjacency(self, claim: Claim, data: Mapping[str, Any]) -> Adjacency | Unlike:
        """Return the neighbours of a histogram; those of another f are not said."""
        own = HistogramParameters.of(claim)
        if not own.is_histogram:
            return Unlike(
                f"{self.name} with sensitivities that are not a histogram's does not say what its "
                "neighbours are"
            )
        words = RECORD_ADDED if own.neighbours == ADD_REMOVE else RECORD_CHANGED
        return Adjacency(words, {}, counted=counted_in(data, all_occur=False))

    def plan_of_input(self, claim: Claim, value: Any, _where: str) -> SimplexPlan:
        """Return step counts + alpha of given counts."""
        return drawn_from(HistogramParameters.of(claim).drawn_from(counts_in(value)))

    def public(self, claim: Claim) -> Public:
        """Return alpha, which every cell has before any record."""
        return Public(prior=HistogramParameters.of(claim).alpha)


def _require_sensitivities(own: HistogramParameters, where: str) -> None:
    """Raise DomainError where one record of a histogram changes more than the claim says."""
    for key, given, change in zip(
        SENSITIVITIES, own.sensitivities, HISTOGRAM_CHANGE[own.neighbours], strict=True
    ):
        if given < change:
            raise DomainError(f"{where}: {key} is below {change}, which one record of a "
                              f"histogram changes ({_SOURCE})")  # fmt: skip


_PUBLIC_CHOICE = Finding(
    "step and alpha were fixed without looking at the private data", "assumed", _NOTE
)


def _of_any_f(claim: Claim, facts: dict[str, str], sentences: tuple[str, ...]) -> Worst:
    """Return the bound for every f with these sensitivities; nothing is said to attain it."""
    asked, order = _asked_of_sensitivities(claim)
    if order is not None:
        facts = {**facts, "order": exact_text(order)}
        sentences = (*sentences, f"through order {_near(order)}, by ponnoprat2023 Lemma 3")
    only = "an upper bound for every f >= 0 with these sensitivities"
    return Worst(Neighbours.BOUNDED, asked, facts, (*sentences, only))


def _facts(own: HistogramParameters) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return floor, step and the supremum of the finite orders, also in words."""
    alpha, step = own.alpha, own.step
    most = step * (1 if own.is_histogram else own.delta_inf)
    limit = renyi.largest_order(alpha, most)
    facts = {"alpha": exact_text(alpha), "step": exact_text(step)}
    facts["largest_order"] = exact_text(limit)
    return facts, (
        f"floor alpha = {shown(alpha)}, step = {shown(step)}",
        f"the Renyi divergence is finite at every order below {_near(limit)}",
    )


def _near(order: Fraction) -> str:
    """Return an order by few decimals, rounded down where it has more."""
    down, up = (rational_decimal(order, _FIGURES, side) for side in (False, True))
    return down if down == up else f"{down} (rounded down)"


def _inputs(facts: Mapping[str, str]) -> Inputs:
    others = "the same counts in both"
    return Inputs(
        ["1", "0"],
        ["0", "1"],
        others,
        f"counts (1, 0) and (0, 1) in two cells; others: {others}",
        {"alpha": facts["alpha"], "step": facts["step"]},
    )


def _order_of_line_two(own: HistogramParameters) -> Fraction | None:
    """Return the order for which Algorithm 1 takes this step and this alpha; None if none."""
    parts = _ALL_PARTS * own.step * own.delta_inf
    return 1 + (own.alpha - 1) / parts if own.alpha > 1 else None


def _also(value: Enclosure | None) -> dict[str, tuple[str, Enclosure | None]]:
    return {"epsilon_bound_alpha": ("equation 18", value)}


HISTOGRAM = _Histogram()
