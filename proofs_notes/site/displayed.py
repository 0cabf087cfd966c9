"""Formulas that a note writes as indented lines of plain text, as MathML that browsers draw.

The notes are read as text, too, so their formulas are not LaTeX. What is raised and lowered is what
``raised`` says; a root has what its brackets hold below it, and a sum, product, integral or largest
value "over" something "of" something has the first below it. Nothing is read into a slash, which
stays one: what it divides is for the reader. A number in brackets at the end of a line is its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as ET

from raised import raised

_MINUS, _PRIME, _TWO_PRIMES = "\N{MINUS SIGN}", "\N{PRIME}", "\N{DOUBLE PRIME}"
_STAR, _TIMES = "\N{ASTERISK OPERATOR}", "\N{MULTIPLICATION SIGN}"
# Names of functions, operators and parameters stand upright, as all that are longer than a letter.
_NAMES = {
    "log", "exp", "max", "min", "sup", "sin", "sinh", "cosh", "erfc", "Re", "Im", "Var", "KL",
    "TV", "He", "MAD", "Beta", "Gamma", "alpha", "delta", "epsilon", "eta", "gamma", "kappa",
    "mu", "phi", "pi", "psi", "tau",
}  # fmt: skip
_SHORT_WORDS = {
    "an", "as", "at", "by", "if", "in", "is", "it", "no", "of", "on", "or", "so", "to", "up",
    "th", "all", "and", "any", "are", "but", "can", "col", "for", "has", "its", "law", "low",
    "non", "not", "one", "put", "ray", "row", "set", "sum", "the", "two",
}  # fmt: skip
# Of a word of so many letters that is none of those each letter is a name: kp, dt, ihj.
_FEW = 3
_OVER = dict(zip("ΣΠ∏∫∮", "∑∏∏∫∮", strict=True))
_LIMITS = {"∑", "∏", "max", "min", "sup"}
_OPEN, _CLOSE = set("([{⌊⌈"), set(")]}⌋⌉")
_BARS = set("|‖")
_INFIX = set(f"=<>≤≥≠→+{_MINUS}±·{_TIMES}/~⊗:;,")
_READ_AS = {"-": _MINUS, "<=": "≤", ">=": "≥", "...": "…", "*": _STAR}
_FIGURES = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉₊₋", f"01234567890123456789+{_MINUS}", strict=True))
_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<number>\d+(?:\.\d+)?)|(?P<root>√)"
    r"|(?P<sup>[⁰¹²³⁴-⁹]+)|(?P<sub>[₀-₉₊₋]+)|"
    rf"(?P<prime>[{_PRIME}{_TWO_PRIMES}'])"
    r"|_(?P<low>[A-Za-z]+|\d+[a-z]?|∞|\([^()]*\))|(?<=[A-Z])\^(?P<power>[a-z])(?=\()"
    r"|(?P<word>-th\b|(?:non-)?[A-Za-z]{2,})(?![\u0300-\u036f])"
    r"|(?P<letter>[^\W\d_][\u0300-\u036f]?|∞|½)|(?P<operator><=|>=|\.\.\.|.)"
)
_NAMED = re.compile(r"^(.*?)(?:\s{4,}(\(\d+\)))?$")
_NO_SPACE, _THIN, _WIDE = "", "0.17em", "1.5em"


def displayed(text: str) -> str:
    """Return indented lines as HTML: each a formula, with its name beside it."""
    parts = []
    for line in filter(str.strip, text.splitlines()):
        found = _NAMED.match(line.rstrip())
        assert found is not None
        shown = ET.Element("math", {"display": "block", "alttext": line.strip()})
        shown.append(_row(found[1]))
        name = f'<span class="name">{found[2]}</span>' if found[2] else ""
        parts.append(f"<div>{ET.tostring(shown, encoding='unicode')}{name}</div>")
    return f'<div class="formula">{"".join(parts)}</div>'


def _row(text: str) -> ET.Element:
    """Return a line as a row of MathML."""
    return _made(ET.fromstring(f"<row>{raised(text)}</row>"))  # noqa: S314 (the text is our own)


def _made(raised_row: ET.Element) -> ET.Element:
    """Return the row of an element of HTML whose children are raised and lowered parts."""
    items: list[ET.Element] = list(_atoms(raised_row.text or ""))
    for child in raised_row:
        tail = child.tail or ""
        if child.tag == "sup" and len(child) == 0 and (child.text or "").isalpha():
            # The prime of a name that is raised is the name's.
            end = len(tail) - len(tail.lstrip(f"{_PRIME}{_TWO_PRIMES}'"))
            child.text, tail = f"{child.text}{tail[:end]}", tail[end:]
        _attach(items, _made(child), child.tag)
        items += _atoms(tail)
    row = ET.Element("mrow")
    row.extend(_spaced(_joined(_with_limits(_with_roots(_scripted(items))))))
    return row


def _atoms(text: str) -> Iterator[ET.Element]:
    """Yield what a piece of text is made of; a script waits for what it belongs to."""
    found = list(_TOKEN.finditer(text))
    for at, token in enumerate(found):
        kind, said = token.lastgroup or "", token[0]
        if kind == "space":
            yield _element("space", said)
        elif kind in ("sup", "sub"):
            script = ET.Element("script", {"kind": kind})
            script.append(_figures(said))
            yield script
        elif kind in ("low", "power"):
            # Of a matrix, in capitals, a power stands before its entry: P^t(x, y).
            script = ET.Element("script", {"kind": "sub" if kind == "low" else "sup"})
            script.append(_row(token[kind].strip("()")))
            yield script
        elif kind == "prime":
            script = ET.Element("script", {"kind": "sup"})
            script.append(_element("mo", _PRIME if said == "'" else said))
            yield script
        elif kind == "number":
            yield _element("mn", said)
        elif kind == "word":
            yield from _word(said)
        elif kind == "letter":
            article = said == "a" and _is_text(found, at + 2)
            yield _element("word" if article else "mi", said)
        elif kind == "operator" and said in "~*" and _follows_a_name(found, at, text):
            script = ET.Element("script", {"kind": "over" if said == "~" else "sup"})
            script.append(_element("mo", _READ_AS.get(said, said)))
            yield script
        else:
            yield _element("mo", _READ_AS.get(said, said))


def _element(tag: str, text: str) -> ET.Element:
    made = ET.Element(tag)
    made.text = text
    return made


def _figures(said: str) -> ET.Element:
    text = "".join(_FIGURES[each] for each in said)
    return _element("mn" if text.isdigit() else "mo", text)


def _word(said: str) -> Iterator[ET.Element]:
    letters = len(said) <= _FEW or re.search("[a-z][A-Z]", said)
    if said in _NAMES:
        yield _element("mi", said)
    elif letters and said.lower() not in _SHORT_WORDS:
        yield from (_element("mi", letter) for letter in said)
    else:
        yield _element("word", said)


def _is_text(found: Sequence[re.Match[str]], at: int) -> bool:
    if at >= len(found) or found[at].lastgroup != "word":
        return False
    return next(_word(found[at][0])).tag == "word"


def _follows_a_name(found: Sequence[re.Match[str]], at: int, text: str) -> bool:
    """Whether a tilde or a star stands right behind a name, and right before none."""
    after = text[found[at].end() : found[at].end() + 1]
    return at > 0 and found[at - 1].lastgroup in ("letter", "word") and not after.isalnum()


def _scripted(items: Sequence[ET.Element]) -> list[ET.Element]:
    """Return the items with each script of the first piece of text where it belongs."""
    made: list[ET.Element] = []
    for item in items:
        if item.tag == "script":
            _attach(made, item[0], item.get("kind", "sup"))
        else:
            made.append(item)
    return made


def _attach(items: list[ET.Element], script: ET.Element, kind: str) -> None:
    """Raise or lower a part beside what stands last."""
    while items and items[-1].tag == "script":
        waiting = items.pop()
        _attach(items, waiting[0], waiting.get("kind", "sup"))
    base = items.pop() if items else ET.Element("mrow")
    if base.tag == "word":
        base.tag = "mi"
    made = ET.Element({"sub": "msub", "over": "mover"}.get(kind, "msup"))
    if {base.tag, made.tag} == {"msub", "msup"}:
        made = ET.Element("msubsup")
        inner, other = base
        made.extend([inner, *((script, other) if kind == "sub" else (other, script))])
    else:
        made.extend([base, script])
    items.append(made)


def _base(item: ET.Element) -> ET.Element:
    """Return what an item is without its scripts."""
    return _base(item[0]) if item.tag in {"msub", "msup", "msubsup", "mover"} else item


def _said(item: ET.Element) -> str:
    return _base(item).text or ""


def _end_of(items: Sequence[ET.Element], start: int) -> int | None:
    """Return where the bracket that opens at a place is closed."""
    depth = 0
    for at in range(start, len(items)):
        depth += (_said(items[at]) in _OPEN) - (_said(items[at]) in _CLOSE)
        if not depth:
            return at
    return None


def _with_roots(items: Sequence[ET.Element]) -> list[ET.Element]:
    """Return the items with what each root is of below it."""
    made: list[ET.Element] = []
    at = 0
    while at < len(items):
        item, at = items[at], at + 1
        if item.text != "√" or at == len(items):
            made.append(item)
            continue
        end = _end_of(items, at) if _said(items[at]) in _OPEN else at
        if end is None:
            made.append(item)
            continue
        root = ET.Element("msqrt")
        if end == at:
            root.append(items[at])
            made.append(root)
        else:
            inside = _with_roots(items[at + 1 : end])
            root.extend(_spaced(_joined(_with_limits(inside))))
            made.append(_in_place_of_base(items[end], root))
        at = end + 1
    return made


def _in_place_of_base(item: ET.Element, base: ET.Element) -> ET.Element:
    """Return an item with its scripts beside another base."""
    if item.tag not in {"msub", "msup", "msubsup"}:
        return base
    made = ET.Element(item.tag)
    made.extend([_in_place_of_base(item[0], base), *list(item)[1:]])
    return made


def _with_limits(items: Sequence[ET.Element]) -> list[ET.Element]:
    """Return the items with what a sum is over below it, where both words say so."""
    made: list[ET.Element] = []
    at = 0
    while at < len(items):
        item, at = _as_operator(items, at), at + 1
        made.append(item)
        sign = _said(item)
        if sign not in _LIMITS and sign not in _OVER.values():
            continue
        words = [k for k in range(at, len(items)) if items[k].tag != "space"]
        if words and items[words[0]].text == "over":
            end = _of(items, words[0])
            if end is None:
                continue
            below = ET.Element("mrow")
            below.extend(_spaced(_joined(_trimmed(items[words[0] + 1 : end]))))
            under = ET.Element("munder")
            under.extend([item, below])
            made[-1] = under
            at = end + 1
        elif item.tag == "msub" and sign in _LIMITS:
            item.tag = "munder"
    return made


def _as_operator(items: Sequence[ET.Element], at: int) -> ET.Element:
    """Return a Sigma or Pi as a sum's or product's sign, unless nothing follows it."""
    item = items[at]
    sign = _OVER.get(_said(item))
    after = next((_said(each) for each in items[at + 1 :] if each.tag != "space"), "")
    if sign is not None and after and after not in _CLOSE and after not in _INFIX:
        base = _base(item)
        base.tag, base.text = "mo", sign
    return item


def _of(items: Sequence[ET.Element], start: int) -> int | None:
    """Return where the word is that ends what a sum is over."""
    depth = 0
    for at in range(start, len(items)):
        depth += (_said(items[at]) in _OPEN) - (_said(items[at]) in _CLOSE)
        if depth < 0:
            return None
        if not depth and items[at].tag == "word" and items[at].text == "of":
            return at
    return None


def _trimmed(items: Sequence[ET.Element]) -> list[ET.Element]:
    kept = list(items)
    while kept and kept[0].tag == "space":
        kept.pop(0)
    while kept and kept[-1].tag == "space":
        kept.pop()
    return kept


def _joined(items: Sequence[ET.Element]) -> list[ET.Element]:
    """Return the items with words that stand beside each other as one text."""
    made: list[ET.Element] = []
    for item in items:
        if item.tag != "word":
            made.append(item)
        elif [each.tag for each in made[-2:]] == ["mtext", "space"]:
            made.pop()
            made[-1].text = f"{made[-1].text} {item.text}"
        else:
            made.append(_element("mtext", item.text or ""))
    return made


def _spaced(items: Sequence[ET.Element]) -> Iterator[ET.Element]:
    """Yield the items with the spaces that are seen, and signs as what they are there."""
    for at, item in enumerate(items):
        before = items[at - 1] if at else None
        after = items[at + 1] if at + 1 < len(items) else None
        if item.tag == "space":
            if before is not None:
                width = _width(item.text or "", before, after)
                if width:
                    yield ET.Element("mspace", {"width": width})
            continue
        if item.tag == "mo" or item.tag in {"msub", "msup", "msubsup"}:
            _as_it_stands(_base(item), before)
        yield item


def _width(space: str, before: ET.Element, after: ET.Element | None) -> str:
    if len(space) > 1:
        return _WIDE
    if after is None:
        return _NO_SPACE
    texts = "mtext" in (before.tag, after.tag)
    signs = {_said(before), _said(after)}
    if not texts and signs & _INFIX:
        return _NO_SPACE  # a browser sets those apart
    return "0.3em" if texts or signs & _BARS else _THIN


def _as_it_stands(sign: ET.Element, before: ET.Element | None) -> None:
    """Say of a sign that a bracket does not grow, and that a first minus is one number's."""
    if sign.tag != "mo":
        return
    text = sign.text or ""
    if text in _OPEN | _CLOSE | _BARS:
        sign.set("stretchy", "false")
    if text in _BARS or text == "/":
        sign.set("lspace", "0")
        sign.set("rspace", "0")
    first = before is None or _said(before) in _OPEN | _INFIX
    if text in {_MINUS, "+", "±"} and first:
        sign.set("form", "prefix")
