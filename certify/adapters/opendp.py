"""Measurements of OpenDP that draw from a Dirichlet law, with exact privacy profiles for maps.

The extra ``opendp`` brings the library. Chained behind OpenDP's own counting, one record added or
removed:

    >>> import opendp.prelude as dp
    >>> from simplexcert.certify.adapters.opendp import make_histogram
    >>> dp.enable_features("contrib", "honest-but-curious")
    >>> records = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    >>> counting = dp.t.make_count_by_categories(*records, categories=["a", "b"], TOA="i32")
    >>> shares = counting >> make_histogram(3, "0.28", "5.44", "add-remove")
    >>> shares.map(d_in=1).delta(0.5)
    4.35812475788732e-05

``shares(["a", "b", "a"])`` then draws; ``dp.c.make_fix_delta(shares, 1e-6)`` goes on from there.

| constructor | input | d_in counts | exact at |
|---|---|---|---|
| make_histogram, "replace" | cell numbers | records changed | 1; two cells: all |
| make_histogram, "add-remove" | counts | records added or removed | 1 |
| make_dirichlet_counts | category numbers | records changed | 1; two categories: all |
| make_dirichlet_vector | shares | the 1-norm of a change in two protected shares | all |

In OpenDP's words d_in is a change-one distance, an L1 distance of counts, and for the vector a
distance of our own in which changes of other or more shares are not finite. Elsewhere than named
the map is a proved bound and not the exact loss (``losses``). ``measure="renyi"`` gives Renyi
divergences by order in place of the privacy profile. What a map returns are floats at or above the
truth; a profile's ``epsilon``, and what is composed later, is OpenDP's own arithmetic. A d_in that
is below 0, no whole number of records, or beyond ``losses.MAX_CHANGES`` is refused.

A measurement draws by ``simplexcert.reference.sampling``: exactly, from the operating system's
random bits. Another ``draw`` is yours to answer for: the map holds of the exact law alone, and a
draw in floating point is not one. OpenDP asks for "honest-but-curious" because it can check none of
this. All parameters have to be chosen without looking at the data. Data that a domain does not
admit raise an error, which tells as much of them: that eta is kept has to be known beforehand.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...reference.dirichlet import counts, identity
from ...reference.errors import DomainError, InputError
from ...reference.exact import exact_integer, exact_number, exact_text, shown
from ..mechanisms.neighbours import REPLACE, adjacency_of
from ..mechanisms.reading import coordinates
from ..mechanisms.vector import COUNTS, IDENTITY
from .data import OUTSIDE, counts_of, exact_shares, whole_counts
from .drawing import Draw, exact_draw, require_drawable
from .losses import Loss, exact_loss, pair_loss
from .opendp_maps import PROFILE, RENYI, measurement, prelude, records_apart

if TYPE_CHECKING:
    from opendp.mod import Measurement

__all__ = ["PROFILE", "RENYI", "make_dirichlet_counts", "make_dirichlet_vector", "make_histogram"]

TWO = 2
# Nothing here is meant for histograms of more cells.
MAX_CELLS = 1_000_000
# No list is longer, and no count of OpenDP's here is greater.
MAX_COUNT = 2**63


def make_histogram(
    cells: object,
    step: object,
    alpha: object,
    adjacency: str = REPLACE,
    *,
    measure: str = PROFILE,
    draw: Draw = exact_draw,
) -> Measurement:
    """Return the measurement that draws Dirichlet(step counts + alpha), ponnoprat2023 Algorithm 1.

    With "replace" it takes records, each the number of its cell from 0 on; with "add-remove" the
    counts themselves, where one below 0 counts as 0, so that it chains behind OpenDP's counting.
    """
    dp, number = prelude(), exact_integer(cells, "cells")
    if not TWO <= number <= MAX_CELLS:
        raise DomainError(f"cells = {shown(number)}: a histogram has {TWO} to {MAX_CELLS}")
    replaced = adjacency_of(adjacency, "make_histogram") == REPLACE
    loss = exact_loss(alpha, step, replaced=replaced, two_cells=number == TWO)
    require_drawable(loss.alpha, loss.alpha + MAX_COUNT * loss.step, draw)
    counted = counts_of if replaced else whole_counts
    if replaced:
        cell = dp.atom_domain(T="i32", bounds=(0, number - 1))
        space = dp.vector_domain(cell), dp.change_one_distance()
    else:
        space = dp.vector_domain(dp.atom_domain(T="i32")), dp.l1_distance(T="i32")

    def parameters_of(data: Sequence[int]) -> list[Fraction]:
        return [loss.step * count + loss.alpha for count in counted(data, number)]

    return measurement(
        space, lambda d_in: loss.apart(records_apart(d_in)), parameters_of, measure, draw
    )


def make_dirichlet_counts(
    k: object, eta: object, N: object, n: object, *, measure: str = PROFILE, draw: Draw = exact_draw
) -> Measurement:
    """Return the counting query of benvenuti2025: Dirichlet(k counts/N), every share at least eta.

    It takes N records, each the number of its category from 0 to n - 1.
    """
    dp, table = prelude(), {"k": k, "eta": eta, "N": N, "n": n}
    exact: Any = COUNTS.read(table, "make_dirichlet_counts")[0].given
    pair, least = counts.worst_pair(**exact), counts.smallest_count(exact["eta"], exact["N"])
    loss = pair_loss(pair, two_cells=exact["n"] == TWO)
    # Only counts above the floor can move, however many records change.
    spare = exact["N"] - exact["n"] * least
    require_drawable(loss.alpha, exact["k"], draw)

    def parameters_of(data: Sequence[int]) -> list[Fraction]:
        found = counts_of(data, exact["n"])
        if sum(found) != exact["N"] or min(found) < least:
            raise DomainError(f"{OUTSIDE}they are not N, or a share is below eta")
        return [exact["k"] * Fraction(count, exact["N"]) for count in found]

    def loss_at(d_in: object) -> Loss:
        return loss.apart(min(records_apart(d_in), spare))

    domain = _domain(dp, f"records of {_told(exact)}", parameters_of)
    return measurement((domain, dp.change_one_distance()), loss_at, parameters_of, measure, draw)


def make_dirichlet_vector(
    k: object,
    eta: object,
    eta_bar: object,
    W: list[int],
    *,
    measure: str = PROFILE,
    draw: Draw = exact_draw,
) -> Measurement:
    """Return the identity query of gohari2020: Dirichlet(k p) of one private vector p.

    It takes exact shares (fractions, decimals as text, floats as the dyadics they are) that sum to
    one; those in W, which starts at 1, are at least eta, together at most 1 - eta_bar. d_in is the
    1-norm, b in the paper.
    """
    dp, where = prelude(), "make_dirichlet_vector"
    protected = coordinates(W, where)
    table = {"k": k, "eta": eta, "eta_bar": eta_bar, "W": W}
    exact: Any = IDENTITY.read({**table, "b": 1}, where)[0].given
    pair_loss(identity.worst_pair(**exact), two_cells=True)  # refused here, whatever d_in will be
    # What is not protected is the same in neighbours, and so is a refusal for its sake.
    require_drawable(exact["k"] * exact["eta"], exact["k"], draw)

    def loss_at(d_in: object) -> Loss:
        if exact_number(d_in, "d_in") == 0:
            return Loss("", Fraction(0), Fraction(0), changes=0)
        point: Any = IDENTITY.read({**table, "b": d_in}, where)[0].given
        return pair_loss(identity.worst_pair(**point), two_cells=True)

    def parameters_of(data: Sequence[object]) -> list[Fraction]:
        shares = exact_shares(data)
        if sum(shares) != 1 or min(shares) < 0 or len(shares) < max(protected):
            raise DomainError(f"{OUTSIDE}not shares that sum to 1, with all of W")
        mine = [shares[place - 1] for place in protected]
        if min(mine) < exact["eta"] or sum(mine) > 1 - exact["eta_bar"]:
            raise DomainError(f"{OUTSIDE}outside the bordered simplex of eta and eta_bar")
        return [exact["k"] * share for share in shares]

    space = (
        _domain(dp, f"shares of {_told(exact)}, W = {sorted(protected)}", parameters_of),
        dp.user_distance(f"1-norm in two shares among {sorted(protected)}"),
    )
    return measurement(space, loss_at, parameters_of, measure, draw)


def _domain(dp: Any, told: str, parameters_of: Any) -> Any:
    """Return the domain of all data that have Dirichlet parameters; its name tells all of it."""

    def member(data: Any) -> bool:
        try:
            return bool(parameters_of(data))
        except InputError:
            return False

    return dp.user_domain(told, member)


def _told(exact: dict[str, Fraction]) -> str:
    # Neither the step of a neighbour nor a paper's event is a part of the domain.
    return ", ".join(
        f"{key} = {exact_text(exact[key])}" for key in exact if key not in ("b", "gamma")
    )
