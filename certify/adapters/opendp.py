"""Measurements of OpenDP that draw from a Dirichlet law, with exact privacy profiles for maps.

The extra ``opendp`` brings the library. Chained behind OpenDP's own counting, one record added or
removed:

    >>> import opendp.prelude as dp
    >>> from simplexcert.certify.adapters.opendp import make_histogram
    >>> dp.enable_features("contrib", "honest-but-curious")
    >>> records = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    >>> counting = dp.t.make_count_by_categories(*records, categories=["a", "b"], TOA="i32")
    >>> shares = counting >> make_histogram(3, "0.28", "5.44", "add_remove")
    >>> shares.map(d_in=1).delta(0.5)
    4.35812475788732e-05

``shares(["a", "b", "a"])`` then draws; ``dp.c.make_fix_delta(shares, 1e-6)`` goes on from there.

| constructor | input | d_in counts | exact at |
|---|---|---|---|
| make_histogram, "replace" | cell numbers | records changed | 1; two cells: all |
| make_histogram, "add_remove" | counts | records added or removed | 1 |
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
admit raise an error, which tells as much of them: that eta is kept has to be known beforehand, of
whatever may be asked after earlier answers, too (proofs_notes/ledger.md, a-refusal-is-an-answer).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from ...reference.dirichlet import counts, identity
from ...reference.errors import DomainError, InputError, UnknownNameError
from ...reference.exact import exact_integer, exact_number, exact_text, shown
from ...reference.sampling import LEAST_ALPHA, operating_system, published_vector
from ...reference.sampling.draw import GREATEST_ALPHA
from ..extras import library
from ..mechanisms.neighbours import REPLACE, neighbours_of
from ..mechanisms.reading import coordinates
from ..mechanisms.vector import COUNTS, IDENTITY
from .losses import Loss, exact_loss, pair_loss

if TYPE_CHECKING:
    from opendp.mod import Domain, Measurement, Metric


__all__ = ["PROFILE", "RENYI", "make_dirichlet_counts", "make_dirichlet_vector", "make_histogram"]

# Dirichlet parameters in, shares out. A privacy map holds of a draw from the exact law alone.
Draw: TypeAlias = Callable[[Sequence[Fraction]], Sequence[Fraction | float]]

# Shares that are multiples of 2^-53 and at most 1 are floats exactly.
_GRID_BITS = 53


def exact_draw(parameters: Sequence[Fraction]) -> Sequence[Fraction]:
    """Return a draw from the exact Dirichlet law, rounded to the grid, by the system's random bits.

    Rounding is a function of the draw alone, so that it loses nothing more.
    """
    return published_vector(list(parameters), _GRID_BITS, operating_system)


def _require_drawable(least: Fraction, most: Fraction, draw: Draw) -> None:
    """Raise DomainError if the exact draws would refuse some data of a release.

    They refuse small and huge parameters, and a refusal that depends on the data would tell of
    them. All that a neighbour can change are from ``least`` to ``most``.
    """
    if draw is not exact_draw:
        return
    if least < LEAST_ALPHA:
        raise DomainError(
            f"parameters from {shown(least)} on: the exact draws need {shown(LEAST_ALPHA)}"
        )
    if most > GREATEST_ALPHA:
        raise DomainError("parameters above 10^300: the exact draws do not go so far")


_OUTSIDE = "the data are no input of this measurement: "


def _counts_of(data: Sequence[int], cells: int) -> list[int]:
    """Return how many records lie in each cell. Raises DomainError where one lies in none."""
    try:
        found = Counter(data)
    except TypeError:
        raise DomainError(f"{_OUTSIDE}no list of numbers") from None
    counted = [found[cell] for cell in range(cells)]
    if sum(counted) != len(data):
        raise DomainError(f"{_OUTSIDE}a record is no cell's number")
    return counted


def _whole_counts(data: Sequence[int], cells: int) -> list[int]:
    """Return counts, none below 0. Raises DomainError where they are not one a cell."""
    if len(data) != cells:
        raise DomainError(f"{_OUTSIDE}not one count a cell")
    return [max(0, count) for count in data]


def _exact_shares(data: Sequence[object]) -> list[Fraction]:
    """Return shares as exact numbers. Raises DomainError where they are none."""
    try:
        found = [exact_number(share) for share in data]
    except (InputError, TypeError):
        found = []
    if not found:
        raise DomainError(f"{_OUTSIDE}not a list of exact numbers") from None
    return found


_EXTRA = "opendp"
# What a measurement says of its privacy: delta by epsilon, or epsilon by Renyi order.
PROFILE, RENYI = "profile", "renyi"
# OpenDP's name of what is drawn: floats, exactly the shares on the grid.
_SHARES = "Vec<f64>"
# What a distance of inputs loses. Raises InputError where nothing is known.
_LossAt: TypeAlias = Callable[[Any], Loss]
# The Dirichlet parameters that data have. Raises DomainError, with no word of the data.
_ParametersOf: TypeAlias = Callable[[Any], Sequence[Fraction]]


def _prelude() -> Any:
    """Return OpenDP's prelude. Raises InputError with the command that installs it."""
    return library("opendp.prelude", _EXTRA)


def _measurement(
    space: tuple[Domain, Metric],
    loss_at: _LossAt,
    parameters_of: _ParametersOf,
    measure: str,
    draw: Draw,
) -> Measurement:
    """Return an OpenDP measurement that draws from the Dirichlet law of its input."""
    dp = _prelude()
    if measure not in (PROFILE, RENYI):
        raise UnknownNameError("measure", str(measure), (PROFILE, RENYI))
    smoothed = measure == PROFILE
    curve = _profile_of if smoothed else _renyi_curve_of
    found: Measurement = dp.m.make_user_measurement(
        *space,
        output_measure=dp.smoothed_max_divergence() if smoothed else dp.renyi_divergence(),
        function=lambda data: [float(share) for share in draw(parameters_of(data))],
        privacy_map=lambda d_in: curve(loss_at(d_in)),
        TO=_SHARES,
    )
    return found


def _profile_of(loss: Loss) -> Any:
    """Return OpenDP's privacy profile of a loss.

    A callback has to hand OpenDP the profile's own pointer: it knows no profile of Python's.
    """

    def delta_at(epsilon: float) -> float:
        if epsilon == math.inf:  # laws with one support
            return 0.0
        exact = exact_number(epsilon, "epsilon")
        if exact < 0:
            raise DomainError(f"epsilon = {shown(exact)} is below 0")
        return loss.delta(exact)

    return _prelude().new_privacy_profile(delta_at).curve


def _renyi_curve_of(loss: Loss) -> Callable[[float], float]:
    def epsilon_at(order: float) -> float:
        if order == math.inf:  # no pure differential privacy, but where there are no neighbours
            return math.inf if loss.changes else 0.0
        exact = exact_number(order, "order")
        if exact < 1:
            raise DomainError(f"order = {shown(exact)} is below 1")
        return loss.renyi(exact)

    return epsilon_at


def _records_apart(d_in: object) -> int:
    """Return how many records may differ. Raises InputError unless it is a number of records."""
    found = exact_integer(d_in, "d_in")
    if found < 0:
        raise InputError(f"d_in = {shown(found)} is no number of records")
    return found


_TWO = 2
# Nothing here is meant for histograms of more cells.
_MAX_CELLS = 1_000_000
# No list is longer, and no count of OpenDP's here is greater.
_MAX_COUNT = 2**63


def make_histogram(
    cells: object,
    step: object,
    alpha: object,
    neighbours: str = REPLACE,
    *,
    measure: str = PROFILE,
    draw: Draw = exact_draw,
) -> Measurement:
    """Return the measurement that draws Dirichlet(step counts + alpha), ponnoprat2023 Algorithm 1.

    With "replace" it takes records, each the number of its cell from 0 on; with "add_remove" the
    counts themselves, where one below 0 counts as 0, so that it chains behind OpenDP's counting.
    """
    dp, number = _prelude(), exact_integer(cells, "cells")
    if not _TWO <= number <= _MAX_CELLS:
        raise DomainError(f"cells = {shown(number)}: a histogram has {_TWO} to {_MAX_CELLS}")
    replaced = neighbours_of(neighbours, "make_histogram") == REPLACE
    loss = exact_loss(alpha, step, replaced=replaced, two_cells=number == _TWO)
    _require_drawable(loss.alpha, loss.alpha + _MAX_COUNT * loss.step, draw)
    counted = _counts_of if replaced else _whole_counts
    if replaced:
        cell = dp.atom_domain(T="i32", bounds=(0, number - 1))
        space = dp.vector_domain(cell), dp.change_one_distance()
    else:
        space = dp.vector_domain(dp.atom_domain(T="i32")), dp.l1_distance(T="i32")

    def parameters_of(data: Sequence[int]) -> list[Fraction]:
        return [loss.step * count + loss.alpha for count in counted(data, number)]

    return _measurement(
        space, lambda d_in: loss.apart(_records_apart(d_in)), parameters_of, measure, draw
    )


def make_dirichlet_counts(
    k: object, eta: object, N: object, n: object, *, measure: str = PROFILE, draw: Draw = exact_draw
) -> Measurement:
    """Return the counting query of benvenuti2025: Dirichlet(k counts/N), every share at least eta.

    It takes N records, each the number of its category from 0 to n - 1.
    """
    dp, table = _prelude(), {"k": k, "eta": eta, "N": N, "n": n}
    exact: Any = COUNTS.read(table, "make_dirichlet_counts")[0].given
    pair, least = counts.worst_pair(**exact), counts.smallest_count(exact["eta"], exact["N"])
    loss = pair_loss(pair, two_cells=exact["n"] == _TWO)
    # Only counts above the floor can move, however many records change.
    spare = exact["N"] - exact["n"] * least
    _require_drawable(loss.alpha, exact["k"], draw)

    def parameters_of(data: Sequence[int]) -> list[Fraction]:
        found = _counts_of(data, exact["n"])
        if sum(found) != exact["N"] or min(found) < least:
            raise DomainError(f"{_OUTSIDE}they are not N, or a share is below eta")
        return [exact["k"] * Fraction(count, exact["N"]) for count in found]

    def loss_at(d_in: object) -> Loss:
        return loss.apart(min(_records_apart(d_in), spare))

    domain = _domain(dp, f"records of {_told(exact)}", parameters_of)
    return _measurement((domain, dp.change_one_distance()), loss_at, parameters_of, measure, draw)


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
    dp, where = _prelude(), "make_dirichlet_vector"
    protected = coordinates(W, where)
    table = {"k": k, "eta": eta, "eta_bar": eta_bar, "W": W}
    exact: Any = IDENTITY.read({**table, "b": 1}, where)[0].given
    pair_loss(identity.worst_pair(**exact), two_cells=True)  # refused here, whatever d_in will be
    # What is not protected is the same in neighbours, and so is a refusal for its sake.
    _require_drawable(exact["k"] * exact["eta"], exact["k"], draw)

    def loss_at(d_in: object) -> Loss:
        if exact_number(d_in, "d_in") == 0:
            return Loss("", Fraction(0), Fraction(0), changes=0)
        point: Any = IDENTITY.read({**table, "b": d_in}, where)[0].given
        return pair_loss(identity.worst_pair(**point), two_cells=True)

    def parameters_of(data: Sequence[object]) -> list[Fraction]:
        shares = _exact_shares(data)
        if sum(shares) != 1 or min(shares) < 0 or len(shares) < max(protected):
            raise DomainError(f"{_OUTSIDE}not shares that sum to 1, with all of W")
        mine = [shares[place - 1] for place in protected]
        if min(mine) < exact["eta"] or sum(mine) > 1 - exact["eta_bar"]:
            raise DomainError(f"{_OUTSIDE}outside the bordered simplex of eta and eta_bar")
        return [exact["k"] * share for share in shares]

    space = (
        _domain(dp, f"shares of {_told(exact)}, W = {sorted(protected)}", parameters_of),
        dp.user_distance(f"1-norm in two shares among {sorted(protected)}"),
    )
    return _measurement(space, loss_at, parameters_of, measure, draw)


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
