"""Published texts for people and for programs: what is said, what was decided of it, and why."""

from __future__ import annotations

from collections import Counter

from rich.console import Console

from ..published.decided import Decided, Decisions
from ..verdict import GRAVEST_FIRST, Verdict
from .because import because
from .terminal import console_here, print_folded, print_grounds, print_sentences, print_verdict
from .wording import quoted, visible


def decisions_as_json(found: Decisions) -> dict[str, object]:
    """Return the published shape: the verdict on the text, and on each thing that it says."""
    return {
        "schema_version": 1,
        "format": found.format,
        "kind": found.published.kind,
        "name": found.published.name,
        "verdict": found.verdict.value,
        "claims": [_as_json(part) for part in found.parts],
        "non_claims": found.non_claims,
        "next_step": found.published.next_step,
    }


def _as_json(part: Decided) -> dict[str, object]:
    return {
        "says": part.said.says,
        "verdict": part.verdict.value,
        "because": _because(part),
        "how": part.said.how,
        "missing": list(part.missing),
        "assumptions": part.assumptions,
        "claim_file": part.file or None,
        "audit": part.audit.as_json() if part.audit else None,
    }


def print_decisions(found: Decisions, *, quiet: bool = False, verbose: bool = False) -> None:
    """Print the verdict on a text, then each thing that it says, with its verdict and why.

    ``quiet`` is the first line alone; ``verbose`` adds the claim files that were audited, and what
    each verdict rests on.
    """
    console = console_here()
    counted = Counter(part.verdict for part in found.parts)
    of_them = [f"{counted[each]} {each.value}" for each in GRAVEST_FIRST if each in counted]
    about = f"{quoted(found.published.name)} ({found.published.kind}): {', '.join(of_them)}"
    taken = found.assumptions
    print_verdict(console, found.verdict, about, assumptions=len(taken), quiet=quiet)
    if quiet:
        return
    for part in found.parts:
        _print_part(console, part, verbose=verbose)
    if taken:
        print_sentences(console, "Assumed:", [str(visible(each)) for each in taken])
    if found.non_claims:
        print_sentences(console, "Not claimed:", found.non_claims)
    if found.published.next_step:
        print_folded(console, found.published.next_step, "\nTo decide it: ", "  ")
    elif not verbose and any(part.file for part in found.parts):
        print_folded(console, "-v prints each as a claim file, to certify it with --out", "\n", "")


def _print_part(console: Console, part: Decided, *, verbose: bool) -> None:
    console.print()
    print_verdict(console, part.verdict, part.said.says, assumptions=len(part.assumptions))
    if why := _because(part):
        print_folded(console, f"because: {visible(why)}")
    for fact in part.missing:
        print_folded(console, str(visible(fact)), "missing: ", " " * 9)
    if not verbose or part.audit is None:
        return
    print_grounds(console, part.audit, verbose=True)
    console.print("\nIts claim file:", markup=False)
    for line in part.file.splitlines():
        console.print(f"  {visible(line)}".rstrip(), markup=False, soft_wrap=True)


def _because(part: Decided) -> str:
    """Return why, from the audit that decides, and how that is of what is said; maybe nothing."""
    if part.audit is None:
        return ""
    why = because(part.audit)
    if part.verdict is Verdict.UNDECIDED and part.audit.verdict is Verdict.REFUTED:
        return f"at worst {why}; at best it is not refuted"
    if part.verdict is Verdict.CERTIFIED and part.said.how:
        return f"{why}; {part.said.how}"
    return why
