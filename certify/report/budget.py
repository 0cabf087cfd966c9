"""A ledger's cap, for people: what of it is spent and left, and a picture of how it was spent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from ...reference.dyadic import rational_decimal
from ...reference.errors import InputError
from ...reference.exact import exact_number
from ...reference.grids import nearest_float
from ..pictures import bytes_of, format_of, own_settings
from ..releasing.ledger.composition import Composition, cap_said
from ..releasing.ledger.totals import Total

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INCHES: Final = (7.0, 3.4)
# Each is dark enough on white (WCAG 2.2, 1.4.11).
_SPENT, _CAP, _EXACT = "#1d4ed8", "#9b1c1c", "#0f172a"
# Room above the highest line.
_HEADROOM: Final = 1.15
# Numbers that no axis can show.
_LEAST, _LARGEST = 1e-300, 1e300
_DIGITS: Final = 6


def lines_of_cap(found: Composition) -> Iterator[str]:
    """Yield a ledger's cap, whether it is kept, and what of it is spent and left."""
    if found.cap is None:
        return
    kept = "kept" if found.keeps_its_cap else "not known to be kept, so that it bounds nothing"
    yield f"cap: {cap_said(found.cap)}, fixed before the first release; {kept}"
    if found.spent is not None:
        yield f"spent: {_numbers(found.spent.as_json())} (rounded up)"
    if found.left is not None:
        yield f"left: {_numbers(found.left.as_json())} (rounded down); more is refused"


def _numbers(shape: dict[str, str | None]) -> str:
    said = ((key, shape.get(key)) for key in ("epsilon", "delta"))
    return ", ".join(f"{key} = {text}" for key, text in said if text is not None)


def picture_of_budget(found: Composition, after: Sequence[tuple[int, Total]], path: str) -> bytes:
    """Return a picture, as a file of this name, of what was spent after each release.

    ``after`` is what ``spent_after`` returns. The same ledger gives the same bytes. Raises
    InputError.
    """
    kind = format_of(path)
    keys = ["epsilon"] if not _has_delta(found, after) else ["epsilon", "delta"]
    with own_settings():
        from matplotlib.figure import Figure

        figure = Figure((_INCHES[0], _INCHES[1] * len(keys)), layout="constrained")
        figure.suptitle(budget_said(found), fontsize="medium", parse_math=False, wrap=True)
        panels = figure.subplots(len(keys), 1, squeeze=False).flatten()
        for panel, key in zip(panels, keys, strict=True):
            _draw(panel, key, found, after)
        return bytes_of(figure, kind)


def budget_said(found: Composition) -> str:
    """Return the verdict on a cap, and how much of it is spent: rounded up, the cap down."""
    releases = f"{found.entries} release{'' if found.entries == 1 else 's'}"
    spent = found.spent
    if spent is None:
        return f"NOT KNOWN: {releases} without a total"
    said = [f"epsilon {_short(spent.epsilon, up=True)}{_of_cap(found, 'epsilon')}"]
    if spent.delta is not None:
        said.append(f"delta {_short(spent.delta, up=True)}{_of_cap(found, 'delta')}")
    order = "" if spent.order is None else f" at order {_short(spent.order, up=False)}"
    verdict = "NO CAP" if found.cap is None else "KEPT" if found.keeps_its_cap else "NOT KEPT"
    return f"{verdict}: {releases} spent {', '.join(said)}{order}"


def _short(value: Fraction, *, up: bool) -> str:
    return rational_decimal(value, _DIGITS, up)


def _of_cap(found: Composition, key: str) -> str:
    cap = _cap(found, key)
    return "" if cap is None else f" of {_short(cap, up=False)}"


def _cap(found: Composition, key: str) -> Fraction | None:
    text = None if found.cap is None else getattr(found.cap, key)
    return None if text is None else exact_number(text)


def _has_delta(found: Composition, after: Sequence[tuple[int, Total]]) -> bool:
    """Whether there is a delta to be seen: one above 0, spent or allowed."""
    if after[-1][1].delta is None:
        return False
    return any(total.delta for _, total in after) or bool(_cap(found, "delta"))


def _draw(axes: Axes, key: str, found: Composition, after: Sequence[tuple[int, Total]]) -> None:
    """Draw what was spent after each release as steps, the cap, and the exact total if smaller."""
    from matplotlib.ticker import MaxNLocator

    numbers = [0, *(number for number, _ in after)]
    heights = [0.0, *(_height(getattr(total, key)) for _, total in after)]
    cap = _cap(found, key)
    axes.plot(numbers, heights, color=_SPENT, drawstyle="steps-post", marker="o", markersize=4,
              label="spent: what counts against the cap" if cap is not None
              else "spent: what the releases add up to")  # fmt: skip
    if cap is not None:
        axes.axhline(_height(cap), color=_CAP, linestyle="--", label="cap: nothing may pass it")
    total = found.total
    if total is not None and total != found.spent and key == "epsilon":
        axes.plot(numbers[-1:], [_height(total.epsilon)], color=_EXACT, marker="D",
                  markerfacecolor="none", linestyle="none",
                  label="exact, where all was fixed before any answer")  # fmt: skip
    axes.set_ylim(0, _HEADROOM * max(*heights, _height(cap or Fraction(0))) or 1)
    axes.set_xlim(0, numbers[-1] * 1.02)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("releases")
    order = after[-1][1].order
    axes.set_ylabel(key if order is None else f"{key} at order {_short(order, up=False)}")
    axes.grid(visible=True, color="#e5e8ed")
    axes.set_axisbelow(True)
    if key == "epsilon":  # the lines of the other panel are the same
        axes.legend(fontsize="small", loc="best")


def _height(value: Fraction) -> float:
    height = float(nearest_float(value))
    if height and not _LEAST < height < _LARGEST:
        raise InputError(f"{height:g} is nothing that an axis can show: no plot is drawn")
    return height
