"""The page of a release's certificate: what was claimed, what is true, and how it was drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ....reference.exact import exact_number
from ...audits.decision import Audit
from ...certificate.grids import grid_said
from ...certificate.models import (
    ClaimPredicate,
    ClaimStatement,
    ReleaseClaim,
)
from ...mechanisms.hypotheses import ACCURACY, DATA
from ...mechanisms.markov_model.findings import shown_label
from ...mechanisms.markov_model.rows import SAID
from ...verdict import Verdict
from ..because import because, given_away, would_do
from ..wording import (
    PLACES,
    claim_said,
    facts_of,
    fails_first,
    quoted,
    said_exactly,
    worst_rows,
)
from .loss_plot import release_picture
from .parts import Origin, page_context, release_sentence, rendered, title_of

_SEEDED = (
    "This release is not private: it was drawn from a seed, for a test. Whoever knows the seed can "
    "undo the noise. The claim, below, is of the same mechanism drawn from bits that nobody knows."
)
_EXACT = (
    "Its issuer says that each number is the rounding, to the grid, of an exact draw, from random "
    "bits of the operating system that nobody kept. Nobody can see that in the numbers."
)


@dataclass(frozen=True)
class _Drawn:
    """How a release was drawn: from private bits or not, and the facts to list."""

    private: bool
    facts: tuple[tuple[str, str], ...]

    @property
    def kind(self) -> str:
        """Kind of the certificate, as its title."""
        private = "a private release" if self.private else "a release that is not private"
        return f"Certificate of {private}, and of how it was made"

    @property
    def sentence(self) -> str:
        """Meaning of the way it was drawn."""
        return _EXACT if self.private else _SEEDED


def _drawn_in(statement: ClaimStatement) -> _Drawn | None:
    """Return how the release was made, None where a certificate is of the claim alone."""
    made = statement.predicate.release
    if made is None:
        return None
    facts = [
        ("private", "yes" if made.private else "NO"),
        ("drawn from", "a seed" if made.seed is not None else f"the {made.drawn_from}"),
        *([] if made.seed is None else [("seed", made.seed)]),
        ("grid", f"multiples of {grid_said(made.grid)}"),
        *([] if made.protected is None else [("protected", _protected(made.protected))]),
        ("file", made.file.name),
        ("its sha256", made.file.digest.sha256),
        *([] if made.ledger is None else [("added to the ledger whose head was", made.ledger)]),
    ]
    return _Drawn(made.private, tuple(facts))


def _protected(written: Sequence[Sequence[str]]) -> str:
    """Return the protected coordinates row by row, in one line that is cut where it is too long."""
    said = "; ".join(", ".join(names) for names in written)
    return said if len(said) <= _MOST else f"{said[:_MOST]}..."


_WITNESS = "witness"
# Of a release with more rows these are shown; the certificate has all of them.
_MOST_ROWS = 20
# Beyond this a parameter is cut; the certificate has all of it.
_MOST = 2_000
_THE_DATA = (
    "The data that were looked at, or neighbours of theirs, are no inputs that the definition "
    "admits: see the hypotheses that were told from the data."
)
_NUMBER = re.compile(r"-?[0-9]{1,60}(/[0-9]{1,60})?")


def release_report(statement: ClaimStatement, origin: Origin, audit: Audit | None) -> bytes:
    """Return the page for a release.

    ``audit`` is its claim, decided; None where that could not be done again, which is undecided.
    """
    predicate, drawn = statement.predicate, _drawn_in(statement)
    claim = predicate.claim
    facts = list(_grouped(facts_of(audit))) if audit else list(_as_certified(predicate))
    picture = release_picture(audit) if audit else None
    witness = [sentence for label, said in facts if label == _WITNESS for sentence in said]
    rows = worst_rows(audit.worst.parts.rows, _MOST_ROWS) if audit else None
    hypotheses = fails_first(predicate.hypotheses)
    said = claim_said(*(_number(text) for text in (claim.epsilon, claim.delta, claim.order)))
    specific: dict[str, Any] = {
        "word": title_of(origin.verdict, len(audit.assumptions) if audit else 0),
        "because": list(_because(origin.verdict, audit)),
        "kind": "Verdict on a privacy claim" if drawn is None else drawn.kind,
        "drawn": drawn,
        "title": quoted(claim.name),
        "sentence": _sentence(origin.verdict, audit, drawn),
        "exactly": f"Claimed: {_notion(claim)} with {said}, of the mechanism {claim.mechanism}.",
        "qualified": _qualification(predicate),
        "would_do": list(would_do(audit)) if audit else [],
        "claimed": said,
        "numbers": [(label, listed) for label, listed in facts if label != _WITNESS],
        "picture": picture,
        "witness": witness,
        "mechanism": claim.mechanism,
        "rows": rows,
        "parameters": [(name, _readable(name, value)) for name, value in claim.release.items()],
        "hypotheses": [item for item in hypotheses if item.bears_on != ACCURACY],
        "of_accuracy": [item for item in hypotheses if item.bears_on == ACCURACY],
        "evidence": predicate.evidence,
    }
    contents = [("made", "Drawn")] if drawn else []
    contents += [("would-do", "What would do")] if specific["would_do"] else []
    contents += [("hypotheses", "Hypotheses"), ("numbers", "Numbers")]
    contents += [("witness", "Witness")] if witness else []
    contents += [("plot", "Plot")] if picture else []
    contents += [("rows", "Rows")] if rows else []
    contents += [("release", "Release"), ("evidence", "Evidence")]
    return rendered("release.html", page_context(statement, origin, contents) | specific)


def _because(verdict: Verdict, audit: Audit | None) -> Iterator[str]:
    """Yield why the claim has its verdict, and what it gives away; nothing of another verdict."""
    if audit is None or audit.verdict is not verdict:
        return
    yield f"Because: {because(audit)}."
    if given := given_away(audit):
        yield f"Given away: {given}."


def _sentence(verdict: Verdict, audit: Audit | None, drawn: _Drawn | None) -> str:
    """Return the meaning of the verdict; of a release that is not private, that alone."""
    if drawn is not None and not drawn.private:
        return drawn.sentence
    return release_sentence(verdict, audit.claim if audit else None)


def _as_certified(predicate: ClaimPredicate) -> Iterator[tuple[str, list[str]]]:
    """Yield each number as the certificate states it, where it could not be found again."""
    for item in predicate.evidence:
        where = PLACES.get(item.question, "")
        yield item.question, [f"between {item.lower} and {item.upper} {where} (as it states)"]


def _qualification(predicate: ClaimPredicate) -> str | None:
    """Say where the data that were looked at keep a claim from being certified."""
    failing = any(x.rests_on == DATA and x.status == "fails" for x in predicate.hypotheses)
    open_ones = (Verdict.UNDECIDED, Verdict.INAPPLICABLE)
    return _THE_DATA if failing and predicate.verdict in open_ones else None


def _number(text: str | None) -> Any:
    return None if text is None else exact_number(text)


def _notion(claim: ReleaseClaim) -> str:
    """Return which kind of privacy is claimed."""
    if claim.order is not None:
        return "Renyi differential privacy"
    if claim.mechanism.startswith("pufferfish."):
        return "Pufferfish privacy"
    return "differential privacy"


def _readable(name: str, value: object) -> str:
    """Return a parameter as text: numbers as decimals where they have short ones; cut if long."""
    words = value if name in SAID and isinstance(value, list) else []
    text = ", ".join(map(shown_label, words)) or _plain(value)
    return text if len(text) <= _MOST else f"{text[:_MOST]}... ({len(text)} characters)"


def _plain(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_plain, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_plain(item)}' for key, item in value.items())}}}"
    return said_exactly(exact_number(value)) if _NUMBER.fullmatch(str(value)) else str(value)


def _grouped(facts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, list[str]]]:
    """Yield each label with all of its facts; a fact without a label belongs to the one before."""
    label, said = "", list[str]()
    for name, fact in facts:
        if name and said:
            yield label, said
            said = []
        label = name or label
        said.append(fact)
    if said:
        yield label, said
