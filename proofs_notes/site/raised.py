"""Powers and indices of formulas that a note writes within a sentence: e^(2x) and x_i.

What stands behind ``^`` is raised, what stands behind the ``_`` of a letter is lowered: a group in
round or curly brackets, or a word. What could be read in two ways, as e^f(x), stays as it is.
"""

from __future__ import annotations

import re
from html import escape

_OPENING = {"(": ")", "{": "}"}
_MINUS, _PRIME = "\N{MINUS SIGN}", "\N{PRIME}"
_SMALL = "²³¹⁰⁴-⁹"  # raised already
_OVER = "\u0300-\u036f"  # a tilde or a bar over the letter before it
# A base: a letter or digit, what closes a bracket, a prime, an index in small figures.
_RAISED = re.compile(rf"(?<=[^\W_]|[)\]}}|'{_PRIME}{_OVER}₀-₉₊₋])\^")
# Of a letter that stands alone, with a factor before it or not, of an operator and of a norm: a
# longer name is a parameter's.
_OPERATORS = "(?<=(?<![^\\W\\d])(?:sum|max|min|sup|inf|Var))(?=_(?:\\(|\\w(?!\\w)))"
_LOWERED = re.compile(
    rf"(?:(?<=(?<![^\W\d])[^\W\d_])|(?<=[)\]}}{_PRIME}{_OVER}])|{_OPERATORS}|(?<=[|‖])(?=_\d))_"
)
_SIGN = re.compile("|".join(f"(?P<{tag}>{each.pattern})" for tag, each in
                            (("sup", _RAISED), ("sub", _LOWERED))))  # fmt: skip
# A number, a word in small letters, or one letter: of what else is one the notes alone can tell.
_NAME = "(?:[0-9]+|[a-z]+[0-9]*|[A-Z]|[\u0391-\u03c9])"
_WORD = re.compile(rf"[{_MINUS}-]?(?:{_NAME}|[½∞*+])(?:_{_NAME})?(?![^\W{_SMALL}]|\()")
_INDEX = re.compile(rf"{_NAME}(?![^\W{_SMALL}])|[+*]")


def raised(text: str) -> str:
    """Return the text as HTML."""
    made, at = "", 0
    for sign in _SIGN.finditer(text):
        if sign.start() < at:
            continue
        tag = sign.lastgroup or ""
        found = _group(text, sign.end()) or (_WORD if tag == "sup" else _INDEX).match(
            text, sign.end()
        )
        if found is None:
            continue
        inside, end = found if isinstance(found, tuple) else (found[0], found.end())
        made += f"{escape(text[at : sign.start()])}<{tag}>{raised(inside)}</{tag}>"
        at = end
    return made + escape(text[at:])


def _group(text: str, start: int) -> tuple[str, int] | None:
    """Return what the bracket that opens there holds, and where it ends; None if it does not."""
    sign = text[start : start + 1]
    if sign in (_MINUS, "-"):
        found = _group(text, start + 1)
        return None if found is None else (text[start : found[1]], found[1])
    closing = _OPENING.get(sign)
    if closing is None:
        return None
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == text[start]) - (text[at] == closing)
        if not depth:
            # A list, as that of a Jacobi polynomial's parameters, keeps its brackets.
            listed = "," in text[start:at]
            return text[start + 1 - listed : at + listed], at + 1
    return None
