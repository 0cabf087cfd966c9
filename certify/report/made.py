"""What `release` prints for people: the verdict, how it was drawn, what it comes to with others."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from ..releasing.ledger import Composition
from ..releasing.ledger.composition import cap_said
from ..releasing.published import Made
from .facts import audit_said, facts_of
from .ledger import warned, whose_of
from .terminal import headline, print_sentences


def print_made(console: Console, made: Made) -> None:
    """Print what was made; the values stand in the release's file."""
    predicate = made.statement.predicate
    console.print(headline(predicate.verdict, audit_said(made.audit)))
    grid = f"rounded to multiples of {made.released.grid}"
    if made.private:
        line = f"drawn exactly, from the operating system's random bits, {grid}"
    else:
        line = f"NOT PRIVATE: drawn from the seed {made.released.seed}, {grid}"
    console.print(line, markup=False, soft_wrap=True)
    for label, fact in facts_of(made.audit):
        if label == "calibrated":
            console.print(f"chosen for the claim: {fact}", markup=False, soft_wrap=True)
    for line in _about_the_ledger(made):
        console.print(line, markup=False, soft_wrap=True)
    print_sentences(console, "Not claimed:", predicate.non_claims)


def _about_the_ledger(made: Made) -> Iterator[str]:
    """Yield what an earlier run had left to be written, and what all releases lose together."""
    if made.delivered:
        yield (
            f"an earlier run was cut short; what it had recorded is written now: "
            f"{', '.join(made.delivered)}"
        )
    if made.composition is not None:
        yield from _together(made.composition)
    if made.beside is not None:
        yield from warned(made.beside)


def _together(found: Composition) -> Iterator[str]:
    releases = (
        f"the ledger's {found.entries} releases together"
        if found.entries > 1
        else "the ledger's only release"
    )
    if found.total is None:
        yield f"{releases}: no total, for {found.why}"
        return
    said = found.total.as_json()
    numbers = (f"{key} = {said[key]}" for key in ("epsilon", "delta", "order") if said[key])
    yield f"{releases}: {', '.join(numbers)} ({said['by']})"
    if found.cap is not None:
        yield f"the ledger's cap: {cap_said(found.cap)}"
    yield from (f"  {line}" for line in whose_of(found))
    yield from (f"  rests on: {sentence}" for sentence in found.rests_on)
