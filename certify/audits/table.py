"""Claims as tables in Python, written as the text of a claim file: each number as it exactly is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from numbers import Rational, Real

from ...reference.errors import InputError
from ...reference.exact import exact_number, exact_text, shown

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def toml_of(table: Mapping[str, object]) -> str:
    """Return a table of tables, [release] and [claim] among them, as TOML that is read as it.

    A float is written as the dyadic number that it is, any number that is no integer in quotes.
    Raises InputError for what no claim file can hold.
    """
    lines: list[str] = []
    for name, inner in table.items():
        if not isinstance(inner, Mapping):
            raise InputError(f"{shown(name)}: a claim has tables such as release and claim, "
                             f"and {shown(inner)} is none")  # fmt: skip
        lines.append(f"[{_key(name)}]")
        lines += [f"{_key(key)} = {_value(value, key)}" for key, value in inner.items()]
        lines.append("")
    return "\n".join(lines)


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise InputError(f"the key {shown(key)} is no text")
    return key if _BARE_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def _value(value: object, name: str) -> str:
    if isinstance(value, str):
        return json.dumps(str(value), ensure_ascii=False)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Real | Decimal):
        text = exact_text(exact_number(value, name))
        return text if isinstance(value, Rational) and "/" not in text else json.dumps(text)
    if isinstance(value, Mapping):
        inner = (f"{_key(key)} = {_value(item, key)}" for key, item in value.items())
        return f"{{{', '.join(inner)}}}"
    items = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(items, Sequence) and not isinstance(items, bytes):
        return f"[{', '.join(_value(item, name) for item in items)}]"
    raise InputError(f"{name}: {shown(value)} is no number, text, list or table")
