"""Mutants of the core modules meet the tests: each that survives asks for a law that is missing.

    python tests/long/mutants --copy DIRECTORY [--count 200] [--against near|fast|long]

The copy is a clone with its own environment, never the project itself: a mutant is written into
it. `near` runs the tests of the mutant's own subject, until one fails; `fast` shows the survivors
of `near` to the whole gate, `long` those of `fast` to the rest. Each verdict is one line appended
to `results.jsonl`, so a run that was interrupted goes on where it stopped. The latest line of a
mutant holds while its file has the digest that the line names.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[2]
RESULTS = HERE / "results.jsonl"
# CPU seconds after which a run is stopped: many times what the unchanged tests take.
SECONDS = {"near": 120, "fast": 7200, "long": 36000}
# A mutant is shown first to the tests of its own subject.
SUBJECTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "numbers": (
        (
            "reference/exact.py",
            "reference/exact_lists.py",
            "reference/enclosure.py",
            "reference/dyadic.py",
        ),
        ("reference/test_exact.py", "reference/test_enclosure.py"),
    ),
    "arb": (("reference/arb/*.py",), ("reference/arb",)),
    "profile": (
        ("reference/dirichlet/profile.py",),
        (
            "reference/dirichlet/test_profile.py",
            "proofs_notes/test_monotone_roots.py",
            "proofs_notes/test_profile_integral.py",
        ),
    ),
    "composition": (
        ("reference/dirichlet/composition/*.py",),
        ("reference/dirichlet/test_composition.py", "proofs_notes/test_composition.py"),
    ),
    "tail": (
        ("reference/dirichlet/tail/*.py",),
        (
            "reference/dirichlet/tail",
            "proofs_notes/test_tail_series.py",
            "proofs_notes/test_tail_contour.py",
        ),
    ),
    "judgement": (
        ("certify/checks/*.py",),
        ("certify/checks",),
    ),
    "verification": (("certify/certificate/*.py",), ("certify/certificate",)),
    "release": (("certify/releasing/*.py",), ("certify/releasing",)),
    "ledger": (
        ("certify/releasing/ledger/*.py",),
        (
            "certify/releasing/test_ledger.py",
            "certify/releasing/test_ledger_cap.py",
            "certify/releasing/test_ledger_composition.py",
            "proofs_notes/test_ledger.py",
        ),
    ),
}
COMPARISONS = {ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
               ast.Eq: ("==", "!="), ast.NotEq: ("!=", "==")}  # fmt: skip
ARITHMETIC = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*")}
ENDS = {"lower": "upper", "upper": "lower", "low": "high", "high": "low"}


@dataclass(frozen=True)
class Mutant:
    """One change of one place of a module: bytes start to end become `after`."""

    subject: str
    file: str
    line: int
    operator: str
    start: int
    end: int
    before: str
    after: str
    digest: str
    name: str


def places(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that compute: no annotation, no decorator, no text of a message."""
    skipped = {"annotation", "returns", "decorator_list"}
    for field, value in ast.iter_fields(tree):
        for node in value if isinstance(value, list) else [value]:
            if field in skipped or not isinstance(node, ast.AST) or isinstance(node, ast.JoinedStr):
                continue
            yield node
            if not isinstance(node, ast.Raise):
                yield from places(node)


def changes(  # noqa: C901 (a branch an operator)
    tree: ast.AST, source: bytes
) -> Iterator[tuple[str, int, int, str]]:
    """Yield the operator, the first and last byte and the new text of each mutant of a module."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def span(node: ast.expr | ast.stmt) -> tuple[int, int]:
        return starts[node.lineno - 1] + node.col_offset, starts[(node.end_lineno or 0) - 1] + (
            node.end_col_offset or 0
        )

    def between(left: ast.expr, right: ast.expr, old: str) -> Iterator[tuple[int, int]]:
        first, last = span(left)[1], span(right)[0]
        found = list(
            re.finditer(rb"(?<!\S)" + re.escape(old.encode()) + rb"(?!\S)", source[first:last])
        )
        if len(found) == 1:
            yield first + found[0].start(), first + found[0].end()

    for node in places(tree):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
            old, new = COMPARISONS[type(node.ops[0])]
            yield from (
                ("comparison", *s, new) for s in between(node.left, node.comparators[0], old)
            )
        elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
            old, new = ARITHMETIC[type(node.op)]
            yield from (("arithmetic", *s, new) for s in between(node.left, node.right, old))
        elif isinstance(node, ast.BoolOp):
            old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            yield from (("and-or", *s, new) for s in between(node.values[0], node.values[1], old))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield "no-not", *span(node), source[slice(*span(node.operand))].decode().join("()")
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield "truth", *span(node), str(not node.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            yield "constant", *span(node), str(node.value + 1)
        elif isinstance(node, ast.Raise):
            yield "no-raise", *span(node), "pass"
        elif (
            isinstance(node, ast.Attribute) and node.attr in ENDS and isinstance(node.ctx, ast.Load)
        ):
            last = span(node)[1]
            yield "end", last - len(node.attr), last, ENDS[node.attr]


def mutants(root: Path, subject: str, seed: int) -> list[Mutant]:
    """Give the mutants of a subject in an order drawn by the seed, whatever is edited elsewhere."""
    found = []
    seen: dict[str, int] = {}
    for file in sorted({file for pattern in SUBJECTS[subject][0] for file in root.glob(pattern)}):
        source = file.read_bytes()
        digest = hashlib.sha256(source).hexdigest()
        for operator, start, end, after in changes(ast.parse(source), source):
            path, number = file.relative_to(root).as_posix(), source.count(b"\n", 0, start) + 1
            line = source.splitlines()[number - 1].strip().decode()
            key = "|".join((str(seed), path, operator, line, after))
            seen[key] = seen.get(key, 0) + 1
            name = hashlib.sha256(f"{key}|{seen[key]}".encode()).hexdigest()[:16]
            before = source[start:end].decode()
            found.append(
                Mutant(subject, path, number, operator, start, end, before, after, digest, name)
            )
    return sorted(found, key=lambda mutant: mutant.name)


def drawn(root: Path, count: int, seed: int) -> list[Mutant]:
    """Draw mutants in turn over the subjects."""
    orders = [mutants(root, subject, seed) for subject in SUBJECTS]
    turns = (
        order[turn]
        for turn in range(max(map(len, orders)))
        for order in orders
        if turn < len(order)
    )
    return [mutant for mutant, _ in zip(turns, range(count), strict=False)]


def meet(copy: Path, mutant: Mutant, against: str, sound: set[str]) -> dict[str, object]:
    """Run the tests on a copy that holds the mutant, until one fails, and put the copy right again.

    A test kills only if it passes without the mutant: those seen to do so are `sound`.
    """
    file = copy / mutant.file
    source = file.read_bytes()
    tests = {"fast": ["tests/fast"], "long": ["--many", "tests/fast", "tests/long"]}.get(
        against
    ) or [
        f"tests/fast/{test}"
        for test in SUBJECTS[mutant.subject][1]
        if (copy / "tests/fast" / test).exists()
    ]
    command = [
        str(copy / ".venv/bin/python"),
        "-B",
        "-m",
        "pytest",
        "-x",
        "-q",
        "-n0",
        "-p",
        "no:cacheprovider",
        "-rfE",
    ]
    limit = SECONDS[against]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        file.write_bytes(source[: mutant.start] + mutant.after.encode() + source[mutant.end :])
        run = subprocess.run(
            [*command, *tests], cwd=copy, capture_output=True, text=True, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5)),
        )  # fmt: skip
    finally:
        file.write_bytes(source)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode not in (0, 1, 2, 3, 4, -signal.SIGXCPU, -signal.SIGSEGV):
        raise SystemExit(f"pytest ended with {run.returncode} and no verdict: {run.stdout[-500:]}")
    killer = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", run.stdout, re.MULTILINE)
    by = killer[1] if killer else "time" if run.returncode < 0 else "import"
    if run.returncode > 0 and by not in sound:
        asked = [by] if killer else ["--collect-only", *tests]
        if subprocess.run(
            [*command, *asked], cwd=copy, capture_output=True, check=False
        ).returncode:
            raise SystemExit(f"No mutant is needed to fail here: {' '.join(asked)}")
        sound.add(by)
    return {
        "name": mutant.name,
        "subject": mutant.subject,
        "file": mutant.file,
        "line": mutant.line,
        "operator": mutant.operator,
        "before": mutant.before,
        "after": mutant.after,
        "digest": mutant.digest,
        "against": against,
        "verdict": "killed" if run.returncode else "survived",
        "by": by if run.returncode else None,
        "cpu_seconds": round(
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1
        ),
    }


def latest(results: Path) -> dict[tuple[str, str], dict[str, object]]:
    """Read the last verdict on each mutant of each text of its file; pass over a torn line."""
    held: dict[tuple[str, str], dict[str, object]] = {}
    for line in results.read_text().splitlines() if results.exists() else ():
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        held[row["name"], row["digest"]] = row
    return held


def main() -> None:
    """Draw the mutants and let each that has no verdict yet meet its tests."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--copy", type=Path, required=True, help="a clone with its own .venv, in which mutants live"
    )
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--against", choices=SECONDS, default="near")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument(
        "--part", default="1/1", help="one of several runs, each with a copy of its own: 1/2, 2/2"
    )
    args = parser.parse_args()
    copy = args.copy.resolve()
    if copy == PROJECT:
        raise SystemExit(
            "The copy is this project, and mutants are written into it: name a clone of it."
        )
    if subprocess.run(["/usr/bin/env", "git", "diff", "--quiet"], cwd=copy, check=False).returncode:
        raise SystemExit(
            f"{copy} holds changes, perhaps a killed run's mutant: first undo them with git."
        )
    os.nice(10)
    stages = list(SECONDS)
    sound: set[str] = set()
    part, parts = map(int, args.part.split("/"))
    for mutant in drawn(copy, args.count, args.seed)[part - 1 :: parts]:
        row = latest(args.results).get((mutant.name, mutant.digest))
        asked = stages.index(args.against)
        if asked == 0 and row:
            continue
        if asked and (
            not row or row["verdict"] != "survived" or row["against"] != stages[asked - 1]
        ):
            continue
        row = meet(copy, mutant, args.against, sound)
        with args.results.open("a") as out:
            out.write(json.dumps(row) + "\n")
        change = f"{row['before']} -> {row['after']}"
        sys.stdout.write(f"{row['file']}:{row['line']} {change}: {row['verdict']} {row['by']}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
