"""Pages of the site that are generated: quantities, claims, the commands' own help, Python."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import groupby
from typing import Any

import click
from simplexcert.certify.cli.running import simplexcert
from simplexcert.certify.papers.statement import PAPERS, statements
from simplexcert.certify.report.papers import claims_as_json
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import quantities

QUANTITIES = """# Quantities

Made from the registry, as `simplexcert quantities` prints it. The safe side is the one on which a
wrong answer does no harm: an upper bound is never below the truth. What is outside the domain has
no answer, and ends with exit code 3. A quantity's parameters, an example and its source unfold.

In formulas $I_x(a, b)$ is the regularised incomplete beta function, $P(a, x)$ of two numbers the
regularised lower incomplete gamma function, $B$ the beta function, $\\psi$ the digamma function,
$D_\\lambda$ the Renyi divergence of order $\\lambda$, $\\tilde P$ a private draw of a matrix $P$,
$\\pi$ its stationary law, $e(Q \\mid X)$ the influence of a node on a quilt.
"""
CLAIMS = """# Claims

Every theorem, lemma, algorithm and reported number of the five papers, in our words, with the
verdict that is recorded. `simplexcert claims PAPER.ID --check` works it out again from its
evidence, `simplexcert claims --check --out papers.json` certifies all of them. The evidence stands
in [the notes](../../claims.md).

Undecided is what is neither proved nor refuted here; inapplicable what cannot be decided from what
is published, or has no content to decide.
"""
COMMANDS = """# Commands

What `--help` prints. What of it is fixed, and the exit codes: [the interface](interface.md).
"""
API = """# Python reference

What can be imported, and what of it is promised: made from the docstrings. Everything else may
change at any time. First programs: [in Python](python.md).
"""
# Packages whose `__all__` is public; the first that exports a name explains it.
_PACKAGES = (
    "simplexcert",
    "simplexcert.reference",
    "simplexcert.certify",
    "simplexcert.certify.models",
    "simplexcert.certify.adapters.opendp",
    "simplexcert.certify.adapters.dp_accounting",
)
# As wide as a terminal usually is.
_WIDTH = 80
_MARKS = re.compile(r"([\\`*_\[\]<>|#&$])")
_CODE = re.compile(r"``(.+?)``")
_NOTE = re.compile(r"proofs_notes/([\w./-]+\.md)")
_VERDICTS = (Verdict.CERTIFIED, Verdict.REFUTED, Verdict.UNDECIDED, Verdict.INAPPLICABLE)


def plain(text: str) -> str:
    """Return text that Markdown shows as it is, also in a cell of a table."""
    return _MARKS.sub(r"\\\1", text)


def code(text: str) -> str:
    """Return text as code, also in a cell of a table."""
    return "`" + text.replace("|", "\\|") + "`"


def quantities_page() -> str:
    """Return the page of all quantities, by family."""
    lines = [QUANTITIES]
    found = [quantities()[name].as_json() for name in sorted(quantities())]
    families = dict.fromkeys(map(family_of, found))
    lines += [" · ".join(f"[{one}](#{_anchor(one)})" for one in families), ""]
    for family, members in groupby(found, key=family_of):
        lines += [f"## {family}", ""]
        for item in members:
            lines += _quantity(item)
    return "\n".join(lines)


def family_of(item: dict[str, Any]) -> str:
    """Return the front of a quantity's name: at most two parts of three, one of two."""
    *front, _ = str(item["name"]).split(".")
    return ".".join(front[:2])


def _anchor(heading: str) -> str:
    """Return where a heading of this text is found in the page."""
    return heading.replace(".", "")


def _quantity(item: dict[str, Any]) -> Iterator[str]:
    yield from (f"### {item['name']}", "", _mixed(item["summary"], _CODE, code), "")
    yield from ("$$", item["formula"], "$$", "")
    yield from ("<details>", "<summary>parameters, example, source</summary>", "")
    if item["explanation"]:
        yield from (_mixed(item["explanation"], _CODE, code), "")
    yield from ("| parameter | | meaning | kind | domain |", "|---|---|---|---|---|")
    for one in item["parameters"]:
        symbol = f"${one['symbol']}$" if one["symbol"] else ""
        meaning, kind = plain(one["meaning"]), one["kind"]
        yield f"| {code(one['name'])} | {symbol} | {meaning} | {kind} | {code(one['domain'])} |"
    yield from ("", "```console", f"$ {item['example']}", "```", "")
    if item["conditions"]:
        yield from (f"Needs {'; '.join(map(code, item['conditions']))}.", "")
    source = _mixed(item["source"], _NOTE, lambda note: f"[{note}](../../{note})")
    least = item["least"]
    below = f" (the least: {code(least['quantity'])} at {plain(least['where'])})" if least else ""
    yield from (f"Safe side: {item['safe']}; {item['truth']}{below}. Source: {source}.", "")
    yield from ("</details>", "")


def _mixed(text: str, pattern: re.Pattern[str], marked: Callable[[str], str]) -> str:
    """Return plain text, but for what a pattern finds in it."""
    parts = pattern.split(text)
    return "".join(marked(part) if at % 2 else plain(part) for at, part in enumerate(parts))


def claims_page() -> str:
    """Return the page of all published statements, with their recorded verdicts."""
    found: Any = claims_as_json(list(statements()), None)["claims"]
    lines = [CLAIMS, *_counted(found)]
    for paper, title in PAPERS.items():
        mine = [claim for claim in found if claim["paper"] == paper]
        lines += ["", f"## {paper}", "", f"{title}.", "", *_claims(mine)]
    return "\n".join([*lines, ""])


def _counted(found: Sequence[dict[str, Any]]) -> Iterator[str]:
    numbers = Counter((claim["paper"], claim["verdict"]) for claim in found)
    yield f"| paper | {' | '.join(_VERDICTS)} |"
    yield f"|---|{'---:|' * len(_VERDICTS)}"
    for paper in PAPERS:
        yield f"| [{paper}](#{paper}) | {' | '.join(str(numbers[paper, v]) for v in _VERDICTS)} |"


def _claims(found: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield "| claim | what it says | verdict | rests on |"
    yield "|---|---|---|---|"
    for claim in found:
        name = claim["id"].partition(".")[2]
        note = claim["note"].removeprefix("proofs_notes/")
        first = f"[{name}](../../{note})<br/>{plain(claim['where'])}"
        rests = plain(f"{claim['strength']}; {claim['standing']}")
        yield f"| {first} | {plain(claim['says'])} | {claim['verdict']} | {rests} |"


def commands_page() -> str:
    """Return the page of every command's own help."""
    lines = [COMMANDS, *_help(simplexcert, "simplexcert")]
    for name, command in sorted(simplexcert.commands.items()):
        lines += ["", f"## {name}", "", *_help(command, f"simplexcert {name}")]
    return "\n".join([*lines, ""])


def _help(command: click.Command, name: str) -> Iterator[str]:
    context = click.Context(command, info_name=name, terminal_width=_WIDTH)
    yield from ("```text", *command.get_help(context).splitlines(), "```")


def api_page() -> str:
    """Return the page of all public names, which mkdocstrings fills."""
    lines, explained = [API], set()
    for package in _PACKAGES:
        module = import_module(package)
        names = list(getattr(module, "__all__", ()))
        if names:
            lines += [f"## {package}", "", (module.__doc__ or "").strip().partition("\n")[0], ""]
        for name in names:
            item = getattr(module, name)
            home = f"{getattr(item, '__module__', '')}.{getattr(item, '__qualname__', '')}"
            if home.startswith("simplexcert.") and home not in explained:
                explained.add(home)
                lines += [f"::: {home}", ""]
    return "\n".join(lines)


GENERATED: dict[str, Callable[[], str]] = {
    "quantities.md": quantities_page,
    "claims.md": claims_page,
    "commands.md": commands_page,
    "api.md": api_page,
}
