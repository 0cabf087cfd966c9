"""Errors, one class per kind, each with a sentence for the person who asked."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

# No name that exists is longer; of a longer one so much is shown.
_LONGEST_NAME = 60


class SimplexcertError(Exception):
    """The base of every error that this project raises on purpose."""


class InputError(SimplexcertError, ValueError):
    """An input cannot be used; the message names it, the reason, and the remedy."""


class UnknownNameError(InputError):
    """A name that does not exist; the message offers the nearest one that does."""

    def __init__(self, kind: str, name: str, known: Iterable[str], hint: str = "") -> None:
        given = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."
        near = get_close_matches(given, list(known), n=1, cutoff=0.5)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        super().__init__(f"unknown {kind} {given!r}{meant}{' ' + hint if hint else ''}")


class DomainError(InputError):
    """A parameter lies where the quantity is not defined."""


class SoundnessError(SimplexcertError, AssertionError):
    """Two enclosures of one number do not meet: one of our own engines is wrong."""
