"""Whether what is published of an audit agrees with what is found: texts equal, numbers overlap."""

from __future__ import annotations

import enum
from typing import Any, Final

from ...reference.enclosure import Enclosure
from .enclosures import stated_enclosure
from .errors import CertificateError, ClaimError, ShapeError
from .texts import DECIMAL

# What an audit looks for during some seconds and tells if it is found; no verdict rests on it.
SEARCHED: Final = frozenset({"set_by", "distance"})
_ENDS: Final = {"lower", "upper"}
# Stated ends of so many digits are not confirmed by an enclosure of fewer.
_DIGITS: Final = 15


class Known(enum.Enum):
    """Whether as much is found as is stated, or less, which confirms nothing."""

    AS_WELL = "as well"
    LESS = "less"


def agreement_of(stated: Any, found: Any, where: str = "the certificate") -> Known:
    """Return whether as much is found as is stated. Raises ClaimError where they differ.

    Where something that is searched for was not found, on either side, that is no difference.
    """
    if isinstance(found, dict) and set(found) == _ENDS:
        return _numbers(stated, found, where)
    if isinstance(found, dict):
        return _tables(stated, found, where)
    if isinstance(found, list):
        if not isinstance(stated, list) or len(stated) != len(found):
            raise ClaimError(f"{where} is not the list that is found")
        pairs = zip(stated, found, strict=True)
        return _least([agreement_of(one, other, where) for one, other in pairs])
    if type(stated) is not type(found) or stated != found:
        raise ClaimError(f"{where} is not what is found")
    return Known.AS_WELL


def _tables(stated: Any, found: dict[str, Any], where: str) -> Known:
    if not isinstance(stated, dict) or set(stated) != set(found):
        raise ClaimError(f"{where} does not have the parts that are found")
    known = []
    for key, value in found.items():
        if key in SEARCHED and None in (stated[key], value):
            known.append(Known.AS_WELL if stated[key] is None else Known.LESS)
        else:
            known.append(agreement_of(stated[key], value, f"{where}, {key}"))
    return _least(known)


def _numbers(stated: Any, found: dict[str, str], where: str) -> Known:
    if not isinstance(stated, dict) or set(stated) != _ENDS:
        raise ClaimError(f"{where} is no enclosure")
    lower, upper = (_decimal(stated[key], where) for key in ("lower", "upper"))
    one = stated_enclosure(lower, upper, where, ClaimError)
    other = stated_enclosure(found["lower"], found["upper"], where, CertificateError)
    if not one.overlaps(other):
        raise ClaimError(f"{where}: the stated enclosure is not that of the truth")
    return known_as_well(one, other)


def _decimal(text: object, where: str) -> str:
    if not isinstance(text, str) or not DECIMAL.fullmatch(text):
        raise ShapeError(f"{where} holds no decimal number")
    return text


def known_as_well(stated: Enclosure, found: Enclosure) -> Known:
    """Return whether an enclosure that overlaps is narrow wherever the stated one is."""
    wide = stated.is_narrow(_DIGITS) and not found.is_narrow(_DIGITS)
    return Known.LESS if wide else Known.AS_WELL


def _least(known: list[Known]) -> Known:
    return Known.LESS if Known.LESS in known else Known.AS_WELL
