"""ponnoprat2023's mechanism: Dirichlet(step f + alpha), f a histogram or of known sensitivities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...reference.dirichlet import renyi
from ...reference.dirichlet.pair import Neighbours
from ...reference.domain import Domain
from ...reference.enclosure import Enclosure
from ...reference.errors import InputError
from ...reference.exact import exact_text, shown
from ...reference.quantity import quantity_named
from . import reading
from .conversion import asked_of_sensitivities, converted
from .hypotheses import Finding, Told, decided
from .nearby import inputs_near
from .printed import Printed, value_of
from .protocol import Claim, Inputs, Release, Vacuity, Worst, asked_of
from .sensitivities import (
    HISTOGRAM_CHANGE,
    REPLACE,
    SENSITIVITIES,
    adjacency_of,
    assumed_of_f,
    is_histogram,
    not_said_of_f,
    require_possible,
)
from .vector import SAMPLING

_LINE_ONE = "dirichlet.renyi.epsilon_bound"
_EQUATION = "dirichlet.renyi.epsilon_bound_alpha"
_NOTE = "proofs_notes/renyi-calibration.md"
_AS_NEAR = "but neighbours with large counts elsewhere come as near to it as one likes"
_ALL_PARTS = 4  # Line 2 of Algorithm 1 sets alpha = 1 + 4 (order - 1) step delta_inf.


@dataclass(frozen=True)
class Histogram:
    """A release of counts, or of any f >= 0 with known sensitivities.

    Where the sensitivities are those of one record of a histogram, f is taken to be one.
    """

    name: str = "dirichlet.renyi"
    example: str = "ponnoprat2023-histogram"

    @property
    def keys(self) -> tuple[str, ...]:
        """The parameters, and which inputs are neighbours."""
        return (*self._domains, "adjacency")

    @property
    def _domains(self) -> dict[str, Domain]:
        known = quantity_named(_EQUATION).parameters
        return {name: known[name] for name in ("step", "alpha", *SENSITIVITIES)}

    def read(self, table: Mapping[str, Any], where: str) -> tuple[Release, None]:
        """Return exact parameters and the adjacency, with a histogram's sensitivities if open."""
        adjacency = adjacency_of(table.get("adjacency", REPLACE), where)
        reading.require_all(table, ("step", "alpha"), where)
        exact = reading.parameters(table, self._domains, self.name, where)
        for key, usual in zip(SENSITIVITIES, HISTOGRAM_CHANGE[adjacency], strict=True):
            exact.setdefault(key, usual)
        open_ones = [key for key in SENSITIVITIES if key not in table]
        release = {**{key: exact[key] for key in self._domains}, "adjacency": adjacency}
        if len(open_ones) == 1 and not is_histogram(release):
            raise InputError(
                f"{where}: this is not what one record of a histogram changes, so [release] needs "
                f"{open_ones[0]}, too"
            )
        require_possible(release, where)
        return release, None

    def told_of_data(self, _claim: Claim) -> tuple[Told, ...]:
        """Return nothing: a claim about a histogram brings no data."""
        return ()

    def vacuity(self, _claim: Claim) -> Vacuity | None:
        """Return None: a claim is about every number of cells and records.

        So there are always neighbours (proofs_notes/vacuous-claims.md, histograms). A release of
        one cell is refused where its cells are told.
        """
        return None

    def worst(self, claim: Claim) -> Worst:
        """Return the pair of laws that bounds every pair of neighbours.

        One record replaced: Beta laws, attained by the counts (1, 0) against (0, 1) next to any
        others (proofs_notes/dominating-pair.md, histogram-attains). One added or removed: gamma
        laws, which large counts elsewhere come near to. Any other f: a bound by its sensitivities.
        """
        facts, sentences = _facts(claim)
        if not is_histogram(claim.release):
            return _of_any_f(claim, facts, sentences)
        point = {"alpha": claim.number("alpha"), "step": claim.number("step")}
        if claim.release["adjacency"] == REPLACE:
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
        )

    def beside_the_data(self, _claim: Claim, worst: Worst) -> Worst:
        """Return the same: a claim about a histogram brings no data."""
        return worst

    def printed(self, claim: Claim) -> Printed:
        """Evaluate line 1 of Algorithm 1, and equation 18, which knows alpha.

        A claimed delta has the order that line 2 gives this alpha, and Lemma 3.
        """
        order = claim.order or _order_of_line_two(claim)
        if order is None:
            lacks = "line 2 of Algorithm 1 sets this alpha for no order above 1"
            return Printed(None, None, claim.values, lacks=lacks, also=_also(None))
        point = {**claim.values, "order": order}
        bounds = [value_of(name, point) for name in (_LINE_ONE, _EQUATION)]
        notes: tuple[str, ...] = ()
        if claim.delta is not None:
            bounds = [converted(bound, order, claim.delta) for bound in bounds]
            notes = (f"both epsilons at order {shown(order)}, put into Lemma 3",)
        return Printed(
            bounds[0],
            None,
            point,
            lacks="the paper has no formula for it",
            notes=notes,
            also=_also(bounds[1]),
            facts={"order": exact_text(order)},
        )

    def findings(self, claim: Claim, printed: Printed) -> list[Finding]:
        """Decide what Algorithm 1 and equation 18 ask, and say what is taken for granted."""
        conditions = (*renyi.ALGORITHM_HYPOTHESES, *renyi.HYPOTHESES)
        return [*decided(conditions, printed.point), assumed_of_f(claim.release), _PUBLIC_CHOICE]

    def non_claims(self, claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        public = "That step and alpha were chosen without looking at the private data."
        return [*not_said_of_f(claim.release), public, SAMPLING]


_PUBLIC_CHOICE = Finding(
    "step and alpha were fixed without looking at the private data", "assumed", _NOTE
)


def _of_any_f(claim: Claim, facts: dict[str, str], sentences: tuple[str, ...]) -> Worst:
    """Return the bound for every f with these sensitivities; nothing is said to attain it."""
    asked, order = asked_of_sensitivities(claim)
    if order is not None:
        facts = {**facts, "order": exact_text(order)}
        sentences = (*sentences, f"through order {shown(order)}, by ponnoprat2023 Lemma 3")
    only = "an upper bound for every f >= 0 with these sensitivities"
    return Worst(Neighbours.BOUNDED, asked, facts, (*sentences, only))


def _facts(claim: Claim) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return floor, step and the supremum of the finite orders, also in words."""
    alpha, step = claim.number("alpha"), claim.number("step")
    most = step * (1 if is_histogram(claim.release) else claim.number("delta_inf"))
    limit = renyi.largest_order(alpha, most)
    facts = {"alpha": exact_text(alpha), "step": exact_text(step)}
    facts["largest_order"] = exact_text(limit)
    return facts, (
        f"floor alpha = {facts['alpha']}, step = {facts['step']}",
        f"the divergence is finite at every order below {facts['largest_order']}",
    )


def _inputs(facts: Mapping[str, str]) -> Inputs:
    others = "any counts, the same in both: none if there is one record in all"
    return Inputs(
        ["1", "0"],
        ["0", "1"],
        others,
        f"counts (1, 0) and (0, 1) in two cells; others: {others}",
        {"alpha": facts["alpha"], "step": facts["step"]},
    )


def _order_of_line_two(claim: Claim) -> Fraction | None:
    """Return the order for which Algorithm 1 takes this step and this alpha; None if none."""
    alpha, step, largest = (claim.number(key) for key in ("alpha", "step", "delta_inf"))
    return 1 + (alpha - 1) / (_ALL_PARTS * step * largest) if alpha > 1 else None


def _also(value: Enclosure | None) -> dict[str, tuple[str, Enclosure | None]]:
    return {"epsilon_bound_alpha": ("equation 18", value)}


HISTOGRAM = Histogram()
