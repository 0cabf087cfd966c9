"""Pictures as files: their formats by name, their marks, and bytes that are the same each time."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..reference.errors import InputError
from .extras import drawing_library, require_plots
from .marks import PDF, PNG, SVG, Mark

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARKS: Final[Mapping[str, Mark]] = {"svg": SVG, "pdf": PDF, "png": PNG}
# By this a picture is known to be ours, and may be written over.
_MADE_BY: Final = "simplexcert"
_DPI: Final = 110
# Without the time, so that the same drawing gives the same bytes.
_METADATA: Final[Mapping[str, Mapping[str, str | None]]] = {
    "png": {"Software": _MADE_BY},
    "svg": {"Date": None, "Creator": _MADE_BY},
    "pdf": {"CreationDate": None, "Creator": _MADE_BY},
}


def format_of(path: str | Path) -> str:
    """Return the format that a picture's name asks for. Raises InputError."""
    suffix = Path(path).suffix.lower().removeprefix(".")
    if suffix not in MARKS:
        raise InputError(f"{path}: a plot's name ends in .svg, .pdf or .png")
    return suffix


def mark_of(path: str | Path) -> Mark:
    """Return the mark of the format that a picture's name asks for. Raises InputError."""
    return MARKS[format_of(path)]


# What a date is taken from; matplotlib reads it where none is to be told, too.
_DATE: Final = "SOURCE_DATE_EPOCH"


@contextmanager
def undated() -> Iterator[None]:
    """Let no date in the environment play a part: a drawing has none, and one may be no number."""
    date = os.environ.pop(_DATE, None)
    try:
        yield
    finally:
        if date is not None:
            os.environ[_DATE] = date


@contextmanager
def own_settings() -> Iterator[None]:
    """Draw as matplotlib does by itself: a user's settings, or the folder's, play no part.

    Raises InputError where matplotlib is missing.
    """
    require_plots("a plot")
    mpl = drawing_library()
    with mpl.rc_context(), undated():
        mpl.rcdefaults()
        mpl.rcParams["svg.hashsalt"] = _MADE_BY
        yield


def bytes_of(figure: Figure, kind: str) -> bytes:
    """Return the file of a figure that was drawn in ``own_settings``."""
    stream = io.BytesIO()
    figure.savefig(stream, format=kind, dpi=_DPI, metadata=dict(_METADATA[kind]))
    return stream.getvalue()
