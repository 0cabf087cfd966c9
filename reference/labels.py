"""Labels of states, and the length of counts: the same limits wherever either is read."""

from __future__ import annotations

from .errors import InputError
from .exact import shown

# More than any number of records that was ever counted; sums stay short.
MAX_COUNT_DIGITS = 18
_MAX_LABEL = 100


def label_of(text: str, place: str) -> str:
    """Return the label of a state. Raises InputError where it is empty, long or not printable."""
    label = text.strip(" ")
    if not label:
        raise InputError(f"{place}: the label is empty; each state needs one")
    if not label.isprintable() or len(label) > _MAX_LABEL:
        raise InputError(
            f"{place}: the label {shown(label)} is not printable text of at most {_MAX_LABEL} "
            "characters"
        )
    return label
