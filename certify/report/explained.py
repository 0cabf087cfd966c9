"""What there is, for people: one quantity explained, the mechanisms, the shipped claims."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from tomllib import loads
from typing import Final

from ...reference.quantity import Quantity, Side, Truth
from ..audits.claim import EXAMPLE_PREFIX, example_names, example_text
from ..mechanisms import MECHANISMS, mechanism_named
from ..mechanisms.protocol import Mechanism
from ..papers.statement import AUTHORS, PAPERS, year_of
from ..published.decided import FORMATS, statement_names

_WIDEST: Final = 100
_NARROWEST: Final = 40
# Of the labels that stand before what they say.
_LABEL: Final = 11
GLOSSARY: Final = "proofs_notes/site/pages/glossary.md"
SAFE_SIDE: Final[Mapping[Side, str]] = {
    Side.UPPER: "upper: an answer at the truth or above it does no harm; act on the upper bound",
    Side.LOWER: "lower: an answer at the truth or below it does no harm; act on the lower bound",
    Side.NONE: "none: an answer is to be near the truth; both bounds count",
}
_LEAST: Final[Mapping[Side, str]] = {
    Side.UPPER: "least: the number itself; nothing below it is sound",
    Side.LOWER: "least: the number itself; nothing above it is sound",
    Side.NONE: "least: the number itself",
}
_PRINTED: Final[Mapping[Side, str]] = {
    Side.UPPER: "printed: what a formula gives; something smaller may be sound as well",
    Side.LOWER: "printed: what a formula gives; something larger may be sound as well",
    Side.NONE: "printed: what a formula gives",
}


def _width() -> int:
    """Return how wide lines are: a terminal's width, and at most what fits any page."""
    here = shutil.get_terminal_size((_WIDEST, 1)).columns
    return min(max(here, _NARROWEST), _WIDEST)


def quantity_explained(item: Quantity) -> Iterator[str]:
    """Yield the lines that explain a quantity, each as wide as fits."""
    yield from _folded(f"{item.name}: {item.summary}", "", "  ")
    if item.explanation:
        yield ""
        yield from _folded(item.explanation, "", "")
    yield ""
    yield "parameters"
    names = max(map(len, item.parameters), default=0)
    for name, domain in item.parameters.items():
        says = item.meanings[name].says
        yield from _folded(says, f"  {name:{names}}  ", " " * (names + 4))
        needs = f"{domain.kind}: {domain.describe(name)}"
        yield from _folded(needs, " " * (names + 4), " " * (names + 6))
    yield ""
    for label, said in _facts(item):
        yield from _folded(said, f"{label:{_LABEL}}", " " * _LABEL)
    yield from _command(item.example, f"{'example':{_LABEL}}")
    yield from _folded(GLOSSARY, f"{'words':{_LABEL}}", " " * _LABEL)


def _facts(item: Quantity) -> Iterator[tuple[str, str]]:
    if item.conditions:
        yield "needs", "; ".join(condition.statement for condition in item.conditions)
    yield "formula", f"{item.formula} (LaTeX)"
    yield "safe side", SAFE_SIDE[item.safe]
    yield "truth", _truth(item)
    yield "source", item.source


def _truth(item: Quantity) -> str:
    """Return whether the number is the least sound one, and which one is if not."""
    if item.truth is Truth.LEAST:
        return _LEAST[item.safe]
    if item.least is None:
        return _PRINTED[item.safe]
    return f"{_PRINTED[item.safe]}; the least: {item.least.quantity} at {item.least.where}"


def _folded(text: str, first: str, after: str) -> list[str]:
    """Return a text in lines that fit; no word, option or number is broken."""
    return wrap(
        " ".join(text.split()),
        _width(),
        initial_indent=first,
        subsequent_indent=after,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _command(command: str, first: str) -> Iterator[str]:
    """Yield a command in lines that fit and that a shell takes as it took the one line.

    A line breaks between options, or after a comma of a JSON value, which means nothing there.
    """
    width, after = _width(), " " * (_LABEL + 2)
    options = command.split(" -p ")
    line = first + options[0]
    for option in options[1:]:
        if len(line) + len(f" -p {option} \\") <= width:
            line += f" -p {option}"
            continue
        yield f"{line} \\"
        line = f"{after}-p {option}"
        while len(line) > width - 2:
            at = line.rindex(",", len(after) + 1, width) + 1
            yield line[:at]
            line = f"{after} {line[at:]}"
    yield line


def paper_said(paper: str) -> str:
    """Return a paper's authors, year and title."""
    return f"{AUTHORS[paper]} {year_of(paper)}: {PAPERS[paper]}"


def mechanism_as_json(mechanism: Mechanism) -> dict[str, object]:
    """Return the published shape of a line of the registry of mechanisms."""
    paper = mechanism.paper
    return {
        "name": mechanism.name,
        "releases": mechanism.releases,
        "paper": {
            "key": paper,
            "authors": AUTHORS[paper],
            "year": int(year_of(paper)),
            "title": PAPERS[paper],
        }
        if paper
        else None,
        "template": _template(mechanism.name),
    }


def _template(name: str) -> str:
    return f"simplexcert audit --template {name}"


def mechanisms_explained(mechanisms: Sequence[Mechanism]) -> Iterator[str]:
    """Yield the lines that tell of each mechanism what it releases, its paper, and its template."""
    for mechanism in mechanisms:
        yield mechanism.name
        yield from _folded(mechanism.releases, "  releases  ", " " * 12)
        if mechanism.paper:
            yield from _folded(paper_said(mechanism.paper), "  paper     ", " " * 12)
        yield f"  to start  {_template(mechanism.name)} > claim.toml"


def templates_explained() -> Iterator[str]:
    """Yield the lines that list the mechanisms with what each releases, and how one is begun."""
    width = max(map(len, MECHANISMS)) + 2
    for name in sorted(MECHANISMS):
        yield from _folded(mechanism_named(name).releases, f"{name:{width}}", " " * width)
    yield ""
    yield f"{_template('NAME')} > claim.toml   writes a claim to start from, with comments"


def examples_explained() -> Iterator[str]:
    """Yield the lines that list the claims that are shipped: of papers, then one a mechanism."""
    names = sorted(example_names(), key=lambda name: (name in MECHANISMS, name))
    width = max(map(len, names)) + len(EXAMPLE_PREFIX) + 2
    for name in names:
        release = loads(example_text(name))["release"]
        about = release["name"]
        if name not in MECHANISMS:
            about = f"{about} ({mechanism_named(release['mechanism']).name})"
        yield from _folded(about, f"{EXAMPLE_PREFIX + name:{width}}", " " * width)
    for form in FORMATS:
        for name in statement_names(form):
            about = f"with --format {form}"
            yield from _folded(about, f"{EXAMPLE_PREFIX + name:{width}}", " " * width)
