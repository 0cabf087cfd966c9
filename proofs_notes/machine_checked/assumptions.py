"""Compare what the machine-checked theorems assume with assumptions.txt, and look for gaps.

``python3 assumptions.py FOLDER`` reads the compiled files of FOLDER: Coq prints the assumptions of
each theorem that assumptions.txt names, and any difference is an error, as is a word that leaves a
proof open or adds an axiom. ``make proofs`` calls it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIST = HERE / "assumptions.txt"

_GAP = re.compile(
    r"\b(?:Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|bypass_check)\b"
    r"|^\s*(?:#\[\w*\]\s*)?(?:Unset\s+(?:Guard|Positivity|Universe)\s+Check\w*)",
    re.MULTILINE,
)
_COMMENT = re.compile(r"\(\*|\*\)")
_DECLARED = re.compile(
    r"^\s*(?:Theorem|Lemma|Corollary|Proposition|Definition|Fixpoint)\s+(\w+)", re.MULTILINE
)


class WrongError(ValueError):
    """A proof has a gap, or assumes what is not listed; the message says which."""


def without_comments(text: str) -> str:
    """Return Coq text without its comments, which nest."""
    kept, depth, end = [], 0, 0
    for mark in _COMMENT.finditer(text):
        if depth == 0:
            kept.append(text[end : mark.start()])
        depth += 1 if mark[0] == "(*" else -1
        end = mark.end()
    return "".join([*kept, text[end:]])


def gaps(text: str) -> list[str]:
    """Return the words of a Coq file that leave something unproved."""
    return [found[0].strip() for found in _GAP.finditer(without_comments(text))]


def declared(text: str) -> set[str]:
    """Return the theorems, lemmas and definitions of a Coq file."""
    return set(_DECLARED.findall(without_comments(text)))


def listed(text: str) -> dict[str, set[str]]:
    """Return each theorem of assumptions.txt with what it may assume.

    A line ``group = axiom axiom ...`` names a set, ``File.theorem: group ...`` uses it.
    """
    groups: dict[str, set[str]] = {"nothing": set()}
    theorems: dict[str, set[str]] = {}
    for line in text.splitlines():
        name, sign, rest = (part.strip() for part in re.split(r"([=:])", f"{line}=:", maxsplit=1))
        words = rest.removesuffix("=:").split()
        if not line.strip() or line.startswith("#"):
            continue
        if sign == "=":
            groups[name] = set(words)
        else:
            unknown = [word for word in words if word not in groups]
            if unknown or not words:
                raise WrongError(
                    f"assumptions.txt, {name}: name groups that stand above, not {unknown}"
                )
            theorems[name] = set[str]().union(*(groups[word] for word in words))
    return theorems


def printed(theorems: Mapping[str, set[str]], folder: Path) -> dict[str, set[str]]:
    """Return what Coq says each theorem assumes.

    Each question costs a second and more, so theorems with one list are asked together: what any of
    them assumes is told of all.
    """
    files = sorted({name.split(".")[0] for name in theorems})
    asked: dict[frozenset[str], list[str]] = {}
    for name, axioms in theorems.items():
        asked.setdefault(frozenset(axioms), []).append(name)
    lines = [f"From Simplexcert Require {' '.join(files)}."]
    for place, names in enumerate(asked.values()):
        lines.append(f"Definition asked{place} := ({', '.join(names)}).")
        lines.append(f'Goal True. idtac "theorem {" ".join(names)}". Abort.')
        lines.append(f"Print Assumptions asked{place}.")
    (folder / "PrintAssumptions.v").write_text("\n".join(lines) + "\n", "utf-8")
    done = subprocess.run(
        ["coqc", "-q", "-w", "none", "-Q", ".", "Simplexcert", "PrintAssumptions.v"],  # noqa: S607
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise WrongError(f"coqc does not print the assumptions: {done.stderr.strip()}")
    return dict(_assumed(done.stdout))


def _assumed(text: str) -> Iterator[tuple[str, set[str]]]:
    for part in text.split("theorem ")[1:]:
        name, _, rest = part.partition("\n")
        assumed = set(re.findall(r"^([\w.']+)(?= :|$)", rest, re.MULTILINE)) - {"Axioms"}
        for each in name.split():
            yield each, assumed


def main(arguments: list[str]) -> str | None:
    """Return what is wrong, one line each; nothing where all is as listed."""
    if len(arguments) != 1:
        return "usage: python3 assumptions.py FOLDER"
    told = [
        f"{file.name} has `{word}`: prove it, or take it out"
        for file in sorted(HERE.glob("*.v"))
        for word in gaps(file.read_text("utf-8"))
    ]
    try:
        allowed = listed(LIST.read_text("utf-8"))
        found = printed(allowed, Path(arguments[0]))
    except WrongError as wrong:
        return "\n".join([*told, str(wrong)])
    for name, axioms in allowed.items():
        assumed = found.get(name, set())
        told += [f"{name} assumes {axiom}, which is not listed" for axiom in assumed - axioms]
        told += [f"{name} does not assume {axiom}: drop it" for axiom in axioms - assumed]
    if not told:
        sys.stdout.write(
            f"{len(allowed)} theorems proved; they assume what assumptions.txt lists\n"
        )
    return "\n".join(told) or None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
