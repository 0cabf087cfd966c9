"""Parts of every page: the certificate's bytes, the words for verdicts, and the template's frame.

Everything that a certificate says is shown as text, whatever it contains. A page holds no script
and asks for nothing: its Content-Security-Policy admits one style sheet, the one that it carries,
by its digest.
"""

from __future__ import annotations

import base64
import hashlib
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup, escape

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ...certificate.models import AnyStatement
from ...certificate.models_papers import PapersStatement
from ...extras import require_plots
from ...mechanisms.protocol import Claim
from ...verdict import Verdict, under
from ..wording import said_exactly, visible
from .drawing import colour_rules

if TYPE_CHECKING:
    from jinja2 import Environment

# A larger certificate is not put into its own report.
_MOST_CARRIED = 512 * 1024


@dataclass(frozen=True)
class Origin:
    """The bytes of a certificate, envelope and all, and the verdict of checking it.

    ``keyids`` are the fingerprints of the keys that are said to have signed it. ``verdict`` is that
    of checking it, or the one just found where it is new. ``again`` says that it was checked
    once more for this report.
    """

    content: bytes
    name: str
    keyids: tuple[str, ...]
    verdict: Verdict
    again: bool

    @property
    def file(self) -> str:
        """The file's name without the folders that it lies in."""
        return PurePath(self.name).name or "certificate.json"

    @property
    def sha256(self) -> str:
        """The digest of the file."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def carried(self) -> str | None:
        """The file in base64, to be saved from the report; None where it is too large."""
        if len(self.content) > _MOST_CARRIED:
            return None
        return base64.b64encode(self.content).decode()

    def commands(self, subjects: list[str]) -> list[str]:
        """Return the commands that check the certificate, for a POSIX shell."""
        file = self._quoted(self.file)
        check = [f"simplexcert verify {file}"]
        check += [f"--key PUBLIC.pem --fingerprint {keyid}" for keyid in self.keyids]
        if len(subjects) == 1:
            check.append(f"--subject {self._quoted(subjects[0])}")
        return [
            f"echo {self._quoted(f'{self.sha256}  {self.file}')} | sha256sum --check",
            " ".join(check),
        ]

    def _quoted(self, text: str) -> str:
        # A name that begins with a dash would be taken for an option.
        return shlex.quote(f"./{text}" if text.startswith("-") else text)


_BITS = 64
_FIGURES = 3
# A larger factor than e^50 is no protection that anybody would put into words.
_LARGEST_EXPONENT = 50

_TITLES = {
    Verdict.CERTIFIED: "Certified",
    Verdict.REFUTED: "Refuted",
    Verdict.UNDECIDED: "Undecided",
    Verdict.INAPPLICABLE: "Inapplicable",
    Verdict.ERROR: "Error",
}
# Shapes that can be told apart without colours.
_SIGNS = {Verdict.CERTIFIED: "\u2713", Verdict.REFUTED: "\u2717", Verdict.ERROR: "\u2717"}
_COLOURS = {Verdict.CERTIFIED: "certified", Verdict.REFUTED: "refuted", Verdict.ERROR: "refuted"}
_RELEASE = {
    Verdict.REFUTED: "The claim is false: there are inputs that the release tells apart better "
    "than was claimed. They are shown below.",
    Verdict.UNDECIDED: "It could not be decided whether the claim is true. That is not a pass.",
    Verdict.INAPPLICABLE: "The claim speaks of no two inputs, or not of these data, so it promises "
    "nothing. That is not a pass.",
    Verdict.ERROR: "The claim could not be examined. That is not a pass.",
}
_UNSAFE = (
    "This software gave at least one answer on the wrong side of the truth. Whoever relies on it "
    "could promise more privacy than there is."
)
_BACKEND = {
    Verdict.REFUTED: "Something that this software answers, or draws, is not what was asked for: "
    "an answer is further off than it may be, answers do not go together, or draws are not from "
    "their law. Which it is stands below.",
    Verdict.UNDECIDED: "Not every answer of this software could be judged. That is not a pass.",
    Verdict.INAPPLICABLE: "This software offers nothing of what was asked for. That is not a pass.",
    Verdict.ERROR: "This software failed, or gave no usable answer, at least once.",
}


def title_of(verdict: Verdict, assumptions: int = 0) -> str:
    """Return a verdict as the first words of a headline; what it assumes, where it certifies."""
    return _TITLES[verdict] + under(assumptions if verdict is Verdict.CERTIFIED else 0)


def sign_of(verdict: Verdict) -> str:
    """Return a sign for a verdict; a question mark where nothing is known."""
    return _SIGNS.get(verdict, "?")


def colour_of(verdict: Verdict) -> str:
    """Return the name of a verdict's colour."""
    return _COLOURS.get(verdict, "open")


def backend_sentence(verdict: Verdict, cases: int, checks: int, *, unsafe: bool = False) -> str:
    """Return the meaning of a verdict on a backend; ``unsafe`` where some answer proved unsafe."""
    if verdict is Verdict.REFUTED and unsafe:
        return _UNSAFE
    if verdict is Verdict.CERTIFIED:
        return (
            f"Nothing wrong was found: this software answered at {cases:,} points, each answer was "
            "held against numbers that are proved, and none was on the unsafe side or further off "
            f"than it promises. {checks} checks; a search is not a proof that there is no error."
        )
    return _BACKEND[verdict]


def release_sentence(verdict: Verdict, claim: Claim | None) -> str:
    """Return the meaning of a verdict on a claim; a claim that was not decided again is no pass."""
    if verdict is not Verdict.CERTIFIED:
        return _RELEASE[verdict]
    if claim is None:
        return _RELEASE[Verdict.UNDECIDED]
    return f"The claim is true. {_promise(claim)}"


def _promise(claim: Claim) -> str:
    """Return the promise of a true claim in words."""
    if claim.order is not None:
        return (
            f"By the Renyi divergence of order {said_exactly(claim.order)}, the release differs by "
            f"at most {said_exactly(claim.epsilon)} between inputs that count as neighbours."
        )
    between = (
        "of the secrets that must not be told apart, either"
        if claim.mechanism.laws
        else "of two inputs that count as neighbours, either"
    )
    more = f", plus {said_exactly(claim.delta)}" if claim.delta else ""
    return (
        f"Whatever somebody looks for in the release: {between} one makes it at most "
        f"{_factor(claim.epsilon)} times as likely as the other{more}."
    )


def _factor(epsilon: Fraction) -> str:
    """Return e^epsilon rounded up, where that is a number that says something."""
    if epsilon > _LARGEST_EXPONENT:
        return f"e^{said_exactly(epsilon)}"
    with working_precision(_BITS):
        return enclosure_of(ball(epsilon).exp()).decimals(_FIGURES - 2)[1]


# Beyond this a parameter's lists are cut; the certificate has all of them.
_MOST_OF_PARAMETER = 2_000


def named_values(parameters: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return parameters by name, each in decimals and as it is written."""
    return [(name, *both(value)) for name, value in parameters.items()]


def as_double(share: str) -> str:
    """Return a share as the shortest decimal that gives the same double, where it is a double."""
    try:
        exact = Fraction(share)
        double = float(exact)  # only writes the number, where it is the same
    except (ZeroDivisionError, OverflowError):
        return share
    return repr(double) if Fraction(double) == exact else share


def both(value: object) -> tuple[str, str]:
    """Return a parameter in decimals and as it is written; the same twice where they agree."""
    return _cut(_said(_readable(value))), _cut(_said(value))


def _said(value: object) -> str:
    """Return a parameter as text: lists in brackets, the parts of an object by their names."""
    if isinstance(value, list):
        return f"[{', '.join(map(_said, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_said(item)}' for key, item in value.items())}}}"
    return str(value)


def _cut(text: str) -> str:
    most = _MOST_OF_PARAMETER
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


def _readable(value: object) -> Any:
    """Return doubles in hex as the shortest decimals that give the same doubles."""
    if isinstance(value, str):
        try:
            return repr(float.fromhex(value)) if "0x" in value else value
        except (ValueError, OverflowError):
            return value
    if isinstance(value, list):
        return [_readable(item) for item in value]
    if isinstance(value, dict):
        return {key: _readable(item) for key, item in value.items()}
    return str(value) if isinstance(value, int) else value


_LAST = [
    ("not-claimed", "Not claimed"),
    ("verify", "How to verify"),
    ("provenance", "Provenance"),
]
_EXAMPLE = "example:"
_NOT_ALL = (
    "When the certificate was checked for this report, not every verdict could be derived again in "
    "the time that is given."
)
_STATUS_COLOURS = {"holds": "certified", "fails": "refuted", "undecided": "open", "assumed": "open"}


def page_context(
    statement: AnyStatement, origin: Origin, contents: list[tuple[str, str]]
) -> dict[str, Any]:
    """Return the names that the template of every page needs."""
    predicate = statement.predicate
    names = [item.name for item in statement.subject if not item.name.startswith(_EXAMPLE)]
    return {
        "word": title_of(origin.verdict),
        "sign": sign_of(origin.verdict),
        "colour": colour_of(origin.verdict),
        "differs": _difference(statement, origin),
        "contents": contents + _LAST,
        "non_claims": predicate.non_claims,
        "commands": origin.commands(names),
        "origin": origin,
        "checked": _how_checked(origin),
        "tool": predicate.tool,
        "engines": predicate.engines,
        "issued": predicate.issued,
        "subjects": statement.subject,
        "status_colours": _STATUS_COLOURS,
    }


def _difference(statement: AnyStatement, origin: Origin) -> str | None:
    """Return a sentence where checking found another verdict than the certificate states."""
    if isinstance(statement, PapersStatement):
        return None if origin.verdict is Verdict.CERTIFIED else _NOT_ALL
    said = statement.predicate.verdict
    if said is origin.verdict:
        return None
    return (
        f"The certificate says {said.value}; when it was checked for this report, that could not "
        f"be found again in the time that is given, and it came to {origin.verdict.value}."
    )


def _how_checked(origin: Origin) -> str:
    if origin.again:
        return "It was verified when this page was made."
    return "This page was made together with it."


_TEMPLATES: Final = "templates"


def rendered(template: str, context: Mapping[str, Any]) -> bytes:
    """Return a page made from a template; the same context gives the same bytes."""
    style = _style()
    page = _environment().get_template(template)
    text = page.render(**context, style=Markup(style), style_digest=_digest(style))  # noqa: S704
    return text.encode("utf-8", errors="backslashreplace")


def _dotted(name: object) -> Markup:
    """Return a name that a narrow column may break between its parts, escaped."""
    text = escape(visible(str(name)))
    for mark in "._/":
        text = text.replace(mark, Markup("{}<wbr>").format(mark))
    return text


def _as_markup(svg: str) -> Markup:
    """Return a drawing as a part of the page; drawings are made here and escape what they say."""
    return Markup(svg)  # noqa: S704


@cache
def _environment() -> Environment:
    require_plots("a report")
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_resource),
        autoescape=True,
        finalize=visible,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["dotted"] = _dotted
    environment.filters["drawing"] = _as_markup
    return environment


def _resource(name: str) -> str:
    return (files(__package__) / _TEMPLATES / name).read_text(encoding="utf-8")


@cache
def _style() -> str:
    """Return the whole style sheet. It holds no ``<``, which alone could end its element."""
    return colour_rules() + _resource("page.css")


def _digest(style: str) -> str:
    """Return the source by which a Content-Security-Policy knows a style sheet."""
    return f"sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}"
