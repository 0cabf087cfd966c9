"""The cap of a ledger: what all its releases may come to together, fixed before the first one.

It is what holds of releases that are chosen in view of earlier answers. Claims are counted against
it, which are fixed when a release is made; what quilts give for all the noise is, of Pufferfish
releases (proofs_notes/ledger.md#a-cap-holds-whatever-comes-next).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ....reference.errors import InputError
from ....reference.exact import exact_number, exact_text, shown
from ...mechanisms.adjacency import Unlike
from .models import Cap, Entry
from .neighbours import in_common
from .totals import Total, exact_total, of_one, sum_of_claims


def cap_of(epsilon: Any = None, delta: Any = None, order: Any = None) -> Cap | None:
    """Return the cap of these numbers, None where none is given. Raises InputError."""
    given = {"epsilon": epsilon, "delta": delta, "order": order}
    texts = {
        key: None if value is None else exact_text(exact_number(value, f"the cap's {key}"))
        for key, value in given.items()
    }
    if all(text is None for text in texts.values()):
        return None
    if texts["epsilon"] is None:
        raise InputError("a cap needs an epsilon, and exactly one of delta and order")
    try:
        return Cap(**texts)  # type: ignore[arg-type]
    except ValueError as error:
        raise InputError(f"this is no cap: {error}") from None


def cap_said(cap: Cap) -> str:
    """Return a cap in words."""
    said = ((key, getattr(cap, key)) for key in ("epsilon", "delta", "order"))
    return ", ".join(f"{key} = {shown(exact_number(text))}" for key, text in said if text)


def require_within(cap: Cap | None, entries: Sequence[Entry], name: str) -> None:
    """Raise InputError where entries pass a cap, or are not known to keep it."""
    if cap is None:
        return
    total = _counted(entries)
    if isinstance(total, str):
        raise InputError(f"{name} has a cap, and nothing shows that this keeps it: {total}")
    why = passed(cap, total)
    if why:
        raise InputError(f"{why}; the cap of {name} is {cap_said(cap)}, and nothing may pass it")


def _counted(entries: Sequence[Entry]) -> Total | str:
    """Return what counts against a cap, or why nothing is known that does."""
    common = in_common(entries)
    if isinstance(common, Unlike):
        return common.why
    releases, protected = common
    if len(entries) == 1:
        return of_one(releases[0])
    if protected.laws:
        return exact_total(releases) or "what quilts give for all the noise is not known in time"
    return sum_of_claims(releases) or "claims are of several kinds, or their deltas reach 1"


def passed(cap: Cap, total: Total) -> str:
    """Return by what a total passes a cap; nothing where it keeps it."""
    if (cap.order is None) != (total.order is None):
        return "claims with a delta are not counted against an order, nor the other way round"
    said = total.as_json()
    if _above(cap.order, total.order):
        return f"a claim is at the order {said['order']}, below the cap's"
    if _above(total.epsilon, cap.epsilon):
        return f"with this release epsilon adds up to {said['epsilon']}"
    if _above(total.delta, cap.delta):
        return f"with this release delta adds up to {said['delta']}"
    return ""


def _above(one: str | Fraction | None, other: str | Fraction | None) -> bool:
    """Whether one number is above another; not where there are none."""
    return one is not None and other is not None and exact_number(one) > exact_number(other)
