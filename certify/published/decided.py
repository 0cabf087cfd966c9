"""Claims as others publish them: a text that says one or several things, each decided alone.

What is said becomes claim files: one that certifies it, one that refutes it. They are the same one
where the text holds all that the loss depends on. Else the first loses at least as much as what is
spoken of, and the second at most: between the two nothing is decided, and the facts are named that
would decide (proofs_notes/published-statements.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from ...reference.errors import UnknownNameError
from ...reference.exact import parse_toml
from ..audits.claim import EXAMPLE_PREFIX, TOML, claim_in
from ..audits.decision import Audit, decide
from ..audits.table import toml_of
from ..files import content_at, name_of
from ..verdict import Verdict, overall
from . import deployment, tensorflow_privacy
from .said import ClaimTable, Published, Said

# How each format is read: the text, and what it is called in messages.
FORMATS: Final[Mapping[str, Callable[[bytes, str], Published]]] = {
    "tfp": tensorflow_privacy.published_in,
    "registry": deployment.published_in,
}


@dataclass(frozen=True)
class Decided:
    """What is said, the verdict on it, and the audit that shows it; None where none could be made.

    ``file`` is the text of the claim file that was audited; ``missing`` are the facts without which
    it is not decided.
    """

    said: Said
    verdict: Verdict
    audit: Audit | None
    file: str
    missing: tuple[str, ...] = ()

    @property
    def assumptions(self) -> list[str]:
        """What the verdict takes for granted, where it certifies."""
        if self.verdict is not Verdict.CERTIFIED or self.audit is None:
            return []
        return [*self.audit.assumptions, *self.said.assumes]


@dataclass(frozen=True)
class Decisions:
    """A published text, and what was decided of each thing that it says."""

    format: str
    published: Published
    parts: tuple[Decided, ...]

    @property
    def verdict(self) -> Verdict:
        """The gravest verdict of all."""
        return overall(part.verdict for part in self.parts)

    @property
    def assumptions(self) -> list[str]:
        """What the verdicts take for granted, each once."""
        return list(dict.fromkeys(each for part in self.parts for each in part.assumptions))

    @property
    def non_claims(self) -> list[str]:
        """What the verdicts do not say, each once."""
        audits = [part.audit for part in self.parts if part.audit is not None]
        said = [sentence for audit in audits for sentence in audit.non_claims]
        return list(dict.fromkeys([*self.published.not_said, *said]))


def require_format(name: str) -> None:
    """Raise UnknownNameError for a format that is not read."""
    known = (TOML, *FORMATS)
    if name not in known:
        raise UnknownNameError("format", name, known, f"(known: {', '.join(known)})")


def statement_names(form: str) -> list[str]:
    """Return the names of the texts of a format that are shipped."""
    folder = files(__package__) / "statements"
    names = (item.name.split(".") for item in folder.iterdir())
    return sorted(name for name, of, *_ in names if of == form)


def statement_source(where: str, form: str) -> tuple[bytes, str]:
    """Return the bytes of a file, ``-`` or ``example:NAME``, and its name. Raises InputError."""
    if not where.startswith(EXAMPLE_PREFIX):
        return content_at(where), name_of(where)
    name, known = where.removeprefix(EXAMPLE_PREFIX), statement_names(form)
    if name not in known:
        listed = f"(of --format {form}: {', '.join(known)})"
        raise UnknownNameError("example", name, known, listed)
    folder = files(__package__) / "statements"
    file = next(item for item in folder.iterdir() if item.name.startswith(f"{name}.{form}."))
    return file.read_bytes(), where


def decide_published(content: bytes, where: str, form: str) -> Decisions:
    """Read a text of a format, and decide what it says. Raises InputError with a sentence."""
    found = FORMATS[form](content, where)
    return Decisions(form, found, tuple(_decided(said, where) for said in found.said))


def _decided(said: Said, where: str) -> Decided:
    enough = _audited(said.certified_by, where)
    if enough and enough[0].verdict is Verdict.CERTIFIED:
        return Decided(said, Verdict.CERTIFIED, *enough)
    if enough and said.refuted_by == said.certified_by:
        return Decided(said, enough[0].verdict, *enough)
    attained = _audited(said.refuted_by, where)
    if attained and attained[0].verdict is Verdict.REFUTED:
        return Decided(said, Verdict.REFUTED, *attained)
    missing = [*said.missing]
    if said.rounded and (not enough or not attained or _near(said, enough[0], attained[0])):
        missing.append(said.rounded.fact)
    audit, file = enough or attained or (None, "")
    return Decided(said, Verdict.UNDECIDED, audit, file, tuple(missing))


def _near(said: Said, enough: Audit, attained: Audit) -> bool:
    """Whether the digits that were rounded away may decide; it chooses what is asked for, alone."""
    worst, best = enough.epsilon_needed, attained.epsilon_needed
    if said.rounded is None or worst is None or best is None or said.how:
        return True
    return best.lower > said.rounded.printed or worst.lower <= said.rounded.most


def _audited(table: ClaimTable | None, where: str) -> tuple[Audit, str] | None:
    """Decide a claim file that is made here, from its own text; the text can be audited again."""
    if table is None:
        return None
    text = toml_of(table)
    return decide(claim_in(parse_toml(text, where), where, choosing=False)), text
