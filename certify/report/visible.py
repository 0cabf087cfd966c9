"""Show text that somebody else wrote as it is, and what cannot be seen by its number."""

from __future__ import annotations

from markupsafe import Markup


def visible(value: object) -> object:
    """Return text with every character that cannot be seen spelled out; all else as it is.

    So no text can turn the direction of what stands around it, or hide a part of itself.
    """
    if not isinstance(value, str) or isinstance(value, Markup) or value.isprintable():
        return value
    return "".join(x if x.isprintable() else x.encode("unicode_escape").decode() for x in value)


def quoted(text: str) -> str:
    """Return a name that somebody else chose in quotes, so that it reads as no words of ours.

    Quotes in it, and what cannot be seen, are spelled out.
    """
    return repr(text)
