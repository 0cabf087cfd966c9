"""An entry of the registry of deployments of differential privacy (OpenDP and others, 2025).

An entry is YAML, of github.com/opendp/deployments-registry-data: ``deployment`` holds
``dp_flavor.name``, ``privacy_loss.privacy_parameters`` (epsilon, delta, rho), the privacy unit, and
in words how it was made. These alone are read; other keys of its schema, which grows, are left.
What was released with which noise the schema has in words only. So that an entry can be decided,
its ``implementation.mechanisms``, which is Markdown, may hold one block of code, ```toml, with the
[release] table of a claim file; without it what is missing is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import ModuleType
from typing import Any, Final, TypeAlias

from ...reference.errors import DomainError, InputError
from ...reference.exact import exact_number, exact_text, parse_toml, shown
from ..audits.claim import files_named_in
from ..extras import library
from ..mechanisms.reading import require_keys
from .said import ClaimTable, Published, Said

KIND: Final = "an entry of the DP deployments registry"
# The longest entries have 12,000 bytes, 40 values and are four deep.
MAX_BYTES: Final = 200_000
MAX_NODES: Final = 5_000
MAX_DEPTH: Final = 12
_PARAMETERS: Final = ("epsilon", "delta", "rho")
_PURE, _APPROXIMATE, _CONCENTRATED = "Pure DP", "Approximate DP", "Zero-concentrated DP"
_FLAVORS: Final = (_PURE, _APPROXIMATE, _CONCENTRATED, "Renyi DP", "Custom")
# Whoever states one of these and an epsilon and a delta claims at least these two.
_OF_EPSILON_AND_DELTA: Final = (_PURE, _APPROXIMATE, _CONCENTRATED, "")
_FENCE: Final = "```"
# What a mechanism is called in words, and the template to start from; the first one that is named.
_NAMED: Final = (
    ("dp-sgd", "dpsgd.poisson"),
    ("laplace", "laplace"),
    ("gaussian", "gaussian"),
    ("dirichlet", "dirichlet.counts"),
)
_OF_ALL: Final = "the stated parameters are of all that the [release] table lists, together"
_UNIT: Final = "a record of the [release] table is what the entry protects: {}"
_NOT_SAID: Final = (
    "Anything of what the entry says in words: its privacy unit, its unprotected quantities, and "
    "that what was released is what its [release] table lists."
)
_RHO: Final = "rho = {}: it speaks of all orders, and no claim file does"
_MORE: Final = (
    "what {} is to mean: it says more than epsilon and delta, which alone are decided here as Pure "
    "DP or Approximate DP"
)
_LONGEST_NAME: Final = 200
_LONGEST_NUMBER: Final = 20

Node: TypeAlias = "str | list[Node] | dict[str, Node]"


def published_in(content: bytes, where: str) -> Published:
    """Return what an entry says. Raises InputError with a sentence for what is no entry."""
    entry = _table(_yaml(content, where), "the entry", where)
    if "deployment" not in entry:
        raise InputError(f"{where} is no entry of the registry: it has no key deployment")
    deployment = _table(entry["deployment"], "deployment", where)
    product = _table(deployment.get("product", deployment), "product", where)
    flavor = _flavor(_at(deployment, "dp_flavor", where), where)
    loss = _at(deployment, "privacy_loss", where)
    numbers = _numbers(_at(loss, "privacy_parameters", where), where)
    unit = _text(loss.get("privacy_unit", ""), "privacy_unit", where)
    words = _at(deployment, "implementation", where).get("mechanisms", "")
    mechanisms = _text(words, "implementation.mechanisms", where)
    name = " ".join(_text(product.get("name", ""), "name", where).split())[:_LONGEST_NAME]
    target, lacking = _target(flavor, numbers)
    release = _release(mechanisms, name, where)
    beside = _beside(flavor, numbers) if target else []
    missing = [*lacking, *beside, *([] if release else _facts(unit, mechanisms))]
    claim: ClaimTable | None = None
    if release and target:
        claim = {"release": release, "claim": target}
    said = Said(
        _says(flavor, _at(loss, "privacy_parameters", where), unit),
        None if beside else claim,
        claim if flavor in _OF_EPSILON_AND_DELTA else None,
        (_OF_ALL, _UNIT.format(shown(unit))),
        tuple(missing),
    )
    return Published(
        name or "an entry without a name",
        KIND,
        (said,),
        (_NOT_SAID,),
        "" if release else _next_step(mechanisms),
    )


def _flavor(table: Mapping[str, Any], where: str) -> str:
    """Return the flavor, one of the known ones however it is spaced and in capitals or not."""
    text = " ".join(_text(table.get("name", ""), "dp_flavor.name", where).split())
    return next((known for known in _FLAVORS if known.casefold() == text.casefold()), text)


def _beside(flavor: str, numbers: Mapping[str, Fraction]) -> list[str]:
    """Return what is claimed beside epsilon and delta; nothing here decides it."""
    rho = numbers.get("rho")
    found = [] if rho is None else [_RHO.format(shown(rho))]
    return found if flavor in (_PURE, _APPROXIMATE, "") else [*found, _MORE.format(shown(flavor))]


def _says(flavor: str, numbers: Mapping[str, str], unit: str) -> str:
    """Return what is claimed in a line: words that somebody else chose stand in quotes."""
    known = flavor if flavor in _FLAVORS else shown(flavor) if flavor else "no flavor"
    stated = [f"{key} = {_short(text)}" for key, text in numbers.items() if text.strip()]
    whose = f"of a {shown(unit)}" if unit else "of a privacy unit that is not said"
    return ", ".join([known, *stated, whose])


def _short(text: str) -> str:
    return " ".join(text.split()) if len(text) <= _LONGEST_NUMBER else shown(text)


def _target(
    flavor: str, numbers: Mapping[str, Fraction]
) -> tuple[Mapping[str, object] | None, list[str]]:
    """Return the [claim] that an entry makes, or which of its numbers are missing."""
    epsilon, delta = numbers.get("epsilon"), numbers.get("delta")
    if flavor == _PURE and delta:
        return None, [f"which of the two is claimed: pure DP, or a delta of {shown(delta)}"]
    if flavor == _PURE:
        delta = Fraction(0)
    missing = [
        f"privacy_parameters.{key}"
        for key, value in (("epsilon", epsilon), ("delta", delta))
        if value is None
    ]
    if missing and flavor == _CONCENTRATED:
        missing = [f"{' and '.join(missing)}: a rho speaks of all orders, and no claim file does"]
    if epsilon is None or delta is None:
        return None, missing
    return {"epsilon": exact_text(epsilon), "delta": exact_text(delta)}, []


def _facts(unit: str, mechanisms: str) -> list[str]:
    """Return what an entry without a [release] table says in words alone, or not at all."""
    said = f"in words alone, {shown(unit)}" if unit else "not said"
    how = f"in words alone, {shown(mechanisms)}" if mechanisms else "not said"
    return [
        f"which data are neighbours, add_remove or replace: {said}",
        f"the mechanism, its noise over the sensitivity, and how many releases: {how}",
    ]


def _next_step(mechanisms: str) -> str:
    found = (template for word, template in _NAMED if word in mechanisms.lower())
    mechanism = next(found, "composition")
    return (
        f"`simplexcert audit --template {mechanism}` prints a [release] table to fill in; put it "
        "into implementation.mechanisms as a block of code, ```toml, or audit it as a claim file"
    )


def _release(mechanisms: str, name: str, where: str) -> Mapping[str, object] | None:
    """Return the [release] table in an entry's words, if there is one. Raises InputError."""
    place = f"{where}, implementation.mechanisms"
    blocks = _blocks(mechanisms, place)
    if not blocks:
        return None
    if len(blocks) > 1:
        raise InputError(f"{place} has {len(blocks)} blocks of code in TOML; one claim has one")
    table = parse_toml(blocks[0], place)
    require_keys(table, ("release",), place)
    release = _table(table.get("release"), "[release]", place)
    if files_named_in(table, where):
        raise InputError(f"{place} names a file; no entry opens one")
    return {**({"name": name} if name.isprintable() and name else {}), **release}


def _blocks(text: str, place: str) -> list[str]:
    """Return the blocks of code in TOML of a Markdown text. Raises InputError for an open one."""
    found: list[str] = []
    inside: list[str] | None = None
    for line in text.split("\n"):
        if inside is None:
            inside = [] if line.strip() == f"{_FENCE}toml" else None
        elif line.strip() == _FENCE:
            found.append("\n".join(inside))
            inside = None
        else:
            inside.append(line)
    if inside is not None:
        raise InputError(f"{place} has a block of code in TOML that does not end")
    return found


def _numbers(table: Mapping[str, Any], where: str) -> dict[str, Fraction]:
    """Return the privacy parameters that are stated, exact and in their ranges."""
    place = f"{where}: privacy_parameters"
    require_keys(table, _PARAMETERS, place)
    found = {}
    for key, value in table.items():
        text = _text(value, key, where)
        if text in ("", "null", "~"):
            continue
        number = exact_number(text, f"{place}.{key}")
        if number < 0 or (key == "delta" and number > 1):
            raise DomainError(f"{place}.{key} = {shown(number)} is no privacy parameter")
        found[key] = number
    return found


def _at(table: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    """Return a table in a table; one that is left out, or left empty, is empty."""
    value = table.get(key, "")
    return {} if value == "" else _table(value, key, where)


def _table(value: object, key: str, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{where}: {key} is {shown(value)}, and not a table of keys")
    return value


def _text(value: object, key: str, where: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{where}: {key} is {shown(value)}, and not a text or a number")
    return value


def _yaml(content: bytes, where: str) -> Node:
    """Return a YAML document as texts, lists and tables: no number, date or tag is made of any.

    Raises InputError for what is larger or deeper than any entry, for anchors, aliases and tags,
    with which a short text can stand for a huge one, for keys that stand twice, and for more than
    one document.
    """
    if len(content) > MAX_BYTES:
        raise InputError(f"{where} is larger than {MAX_BYTES} bytes; no entry of the registry is")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{where} is not UTF-8 text: {error.reason}") from None
    yaml = library("yaml", "registry")
    try:
        return _Reader(yaml, where).read(text)
    except InputError:
        raise
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise InputError(
            f"{where} is not YAML{line}: {shown(getattr(error, 'problem', None) or 'unreadable')}"
        ) from None
    except (ValueError, OverflowError):  # of a version's digits, or of an escape beyond Unicode
        raise InputError(f"{where} is not YAML: a number in it is too large") from None


class _Reader:
    """Makes a document of a parser's events, one after the other and within the limits."""

    def __init__(self, yaml: ModuleType, where: str) -> None:
        self._yaml = yaml
        self.where = where
        self._nodes = 0

    def read(self, text: str) -> Node:
        """Return the one document of a text."""
        yaml, documents = self._yaml, 0
        # Tables and lists that are open; of a table, its key that waits for a value.
        root: list[Node] = []
        open_: list[tuple[Node, str | None]] = [(root, None)]
        for event in yaml.parse(text, Loader=yaml.BaseLoader):
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                self._require(documents == 1, "holds several documents")
            elif isinstance(event, yaml.NodeEvent):
                self._require_plain(event)
                self._nodes += 1
                self._require(self._nodes <= MAX_NODES, f"holds more than {MAX_NODES} values")
                node = self._node(event)
                self._put(open_, node)
                if not isinstance(node, str):
                    open_.append((node, None))
                    self._require(len(open_) <= MAX_DEPTH, f"is more than {MAX_DEPTH} deep")
            elif isinstance(event, yaml.CollectionEndEvent):
                open_.pop()
        self._require(len(root) == 1, "is empty")
        return root[0]

    def _node(self, event: Any) -> Node:
        if isinstance(event, self._yaml.MappingStartEvent):
            return {}
        return [] if isinstance(event, self._yaml.SequenceStartEvent) else str(event.value)

    def _put(self, open_: list[tuple[Node, str | None]], node: Node) -> None:
        """Put a node into the innermost list or table that is open; a table's first is a key."""
        inner, key = open_[-1]
        if isinstance(inner, list):
            inner.append(node)
        elif isinstance(inner, dict) and key is not None:
            inner[key] = node
            open_[-1] = (inner, None)
        elif isinstance(inner, dict) and isinstance(node, str):
            self._require(node not in inner, f"has the key {shown(node)} twice in one table")
            open_[-1] = (inner, node)
        else:
            self._require(False, "has a key that is no text")

    def _require_plain(self, event: Any) -> None:
        is_plain = event.anchor is None and not isinstance(event, self._yaml.AliasEvent)
        self._require(is_plain, "has anchors or aliases, which no entry needs")
        self._require(getattr(event, "tag", None) is None, "has tags, which no entry needs")

    def _require(self, holds: bool, otherwise: str) -> None:
        if not holds:
            raise InputError(f"{self.where} {otherwise}; it is not read")
