"""Text that somebody else chose, on a terminal: nothing in it is obeyed, and nothing hidden."""

from __future__ import annotations


def visible_text(text: str) -> str:
    """Return text with every character that cannot be seen spelled out; all else as it is.

    So no text can move a terminal's cursor, turn the direction of what stands around it, or hide a
    part of itself.
    """
    if text.isprintable():
        return text
    return "".join(x if x.isprintable() else x.encode("unicode_escape").decode() for x in text)
