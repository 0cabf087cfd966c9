"""Mutants of the core modules meet the tests: each that survives asks for a law that is missing.

    python tests/long/mutants --copy DIRECTORY [--count 200] [--against fast|long]

The copy is a clone with its own environment, which has the package `coverage` besides, never the
project itself: a mutant is written into it. First the gate runs there once under coverage, which
says what tests reach which line. Then `fast` shows each mutant the tests of the gate that reach its
line, nearest and quickest first, until one fails; `long` shows the survivors the soak's form of
those tests, and what stands beside their files in tests/long. Each verdict is one line
appended to `results.jsonl`, so a run that was interrupted goes on where it stopped. The latest line
of a mutant holds while the definition around it has the digest that the line names. Two runs at a
time, `--part 1/2` and `2/2`, need two copies; `build/reach`, what the gate under coverage left, may
be copied from one to the other.
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

import coverage

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[2]
RESULTS = HERE / "results.jsonl"
# CPU seconds of the quickest near tests, which a mutant meets before all the others.
FIRST = 20.0
# CPU seconds that the soak's form of a survivor's tests may take, nearest first.
LONG = 60
# Tests of limits in seconds, which a busy machine fails without any mutant.
TIMED = "tests/fast/certify/test_time_limits.py"
STAGES = ("fast", "long")
# Wall seconds after which one test counts as failed: many times what the slowest takes, and where
# CPU seconds are limited far beyond these.
WALL_SECONDS = {"fast": 240, "long": 20 * LONG}
SUBJECTS = {
    "numbers": [f"reference/{name}.py" for name in ("exact", "exact_lists", "enclosure", "dyadic")],
    "arb": ["reference/arb/*.py"],
    "profile": ["reference/dirichlet/profile.py"],
    "composition": ["reference/dirichlet/composition/*.py"],
    "tail": ["reference/dirichlet/tail/*.py"],
    "judgement": ["certify/checks/*.py"],
    "verification": ["certify/certificate/*.py"],
    "release": ["certify/releasing/*.py"],
    "ledger": ["certify/releasing/ledger/*.py"],
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


def definitions(tree: ast.Module, source: str) -> Iterator[tuple[int, int, str]]:
    """Yield the first and last line of each statement of a module, and the digest of its text."""
    lines = source.splitlines()
    for node in tree.body:
        last = node.end_lineno or node.lineno
        text = "\n".join(lines[node.lineno - 1 : last])
        yield node.lineno, last, hashlib.sha256(text.encode()).hexdigest()[:16]


def mutants(root: Path, subject: str, seed: int) -> list[Mutant]:
    """Give the mutants of a subject in an order drawn by the seed, whatever is edited elsewhere."""
    found = []
    seen: dict[str, int] = {}
    for file in sorted({file for pattern in SUBJECTS[subject] for file in root.glob(pattern)}):
        source = file.read_bytes()
        tree = ast.parse(source)
        spans = list(definitions(tree, source.decode()))
        for operator, start, end, after in changes(tree, source):
            path, number = file.relative_to(root).as_posix(), source.count(b"\n", 0, start) + 1
            line = source.splitlines()[number - 1].strip().decode()
            key = "|".join((str(seed), path, operator, line, after))
            seen[key] = seen.get(key, 0) + 1
            name = hashlib.sha256(f"{key}|{seen[key]}".encode()).hexdigest()[:16]
            digest = next((text for first, last, text in spans if first <= number <= last), "")
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


def gate_under_coverage(copy: Path, to: Path) -> None:
    """Run the gate once, and keep what each of its tests reaches and how long it takes."""
    to.mkdir(parents=True)
    settings = to / "coverage.ini"
    files = ",".join(f"{copy}/{pattern}" for patterns in SUBJECTS.values() for pattern in patterns)
    settings.write_text(
        f"[run]\ndata_file = {to / 'lines'}\ninclude = {files}\nparallel = true\nsigterm = true\n"
        "context = ${PYTEST_CURRENT_TEST-}\n"
    )
    asked = ("-m", "pytest", "-n2", "--dist=worksteal", "-q", "-p", "reach", "tests/fast")
    subprocess.run(
        [copy / ".venv/bin/python", *asked], cwd=copy, check=False,
        env=os.environ | {"PYTHONPATH": str(HERE), "REACH": str(settings)},
    )  # fmt: skip
    seconds: dict[str, float] = {}
    for part in to.glob("seconds.*.json"):
        seconds |= json.loads(part.read_text())
    data = coverage.Coverage(config_file=str(settings))
    data.combine()
    data.save()
    (to / "seconds.json").write_text(json.dumps(seconds))


@dataclass
class Reach:
    """What tests of the gate reach a line, nearest and quickest first."""

    copy: Path
    seconds: dict[str, float]
    data: coverage.CoverageData

    @classmethod
    def read(cls, copy: Path) -> Reach:
        """Read what a run of the gate left in the copy, or run it first."""
        kept = copy / "build/reach"
        if not (kept / "seconds.json").exists():
            gate_under_coverage(copy, kept)
        data = coverage.CoverageData(str(kept / "lines"))
        data.read()
        return cls(copy, json.loads((kept / "seconds.json").read_text()), data)

    def tests(self, mutant: Mutant) -> list[str]:
        """Give the tests that reach a mutant's line; of a line run on import, its whole file."""
        # What was kept may have been made in another copy.
        kept = [file for file in self.data.measured_files() if file.endswith(f"/{mutant.file}")]
        lines = self.data.contexts_by_lineno(kept[0]) if kept else {}
        reached = set(lines.get(mutant.line, ()))
        # Where a test starts a process, that names itself for what it imports.
        if "" in reached or not reached:
            reached = {context for contexts in lines.values() for context in contexts}
        # A started process names the part of the test, too.
        reached = {re.sub(r" [(](setup|call|teardown)[)]$", "", test) for test in reached}
        folders = Path(mutant.file).parts

        def turn(test: str) -> tuple[int, float]:
            parts = Path(test.partition("::")[0]).parts[2:]
            shared = sum(1 for ours, theirs in zip(folders, parts, strict=False) if ours == theirs)
            return -shared, self.seconds[test]

        timely = {test for test in self.seconds if not test.startswith(TIMED)}
        return sorted(reached & timely, key=turn)


def meet(
    copy: Path, mutant: Mutant, against: str, reach: Reach, sound: set[str]
) -> dict[str, object]:
    """Show a copy that holds the mutant to the tests, until one fails, and put the copy right.

    A test kills only if it passes without the mutant: those seen to do so are `sound`.
    """
    tests = reach.tests(mutant)
    spent, first = 0.0, 0
    while first < len(tests) and spent < FIRST:
        spent += reach.seconds[tests[first]]
        first += 1
    if against == "fast":
        batches = [tests[:first], tests[first:]]
    else:
        # With all of their rows, which may be others than the gate's.
        laws = list(dict.fromkeys(test.partition("[")[0] for test in tests))
        files = dict.fromkeys(law.partition("::")[0] for law in laws)
        longer = [file.replace("/fast/", "/long/") for file in files]
        batches = [["--many", *(file for file in longer if (copy / file).exists()), *laws]]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    killer = None
    for batch in filter(None, batches):
        killer = killer or killed(copy, mutant, batch, against, sound)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "name": mutant.name,
        "file": mutant.file,
        "line": mutant.line,
        "operator": mutant.operator,
        "before": mutant.before,
        "after": mutant.after,
        "digest": mutant.digest,
        "against": against,
        "tests": len(tests),
        "verdict": "killed" if killer else "survived",
        "by": killer,
        "cpu_seconds": round(
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1
        ),
    }


def killed(
    copy: Path, mutant: Mutant, tests: list[str], against: str, sound: set[str]
) -> str | None:
    """Name the first test that fails with the mutant and passes without it."""
    asked = copy / "build/asked.txt"
    asked.write_text("\n".join(tests))
    command = [
        *(copy / ".venv/bin/python", "-B", "-m", "pytest", "-x", "-q", "-n0", "-rfE"),
        *("-p", "no:cacheprovider", "-o", f"faulthandler_timeout={WALL_SECONDS[against]}"),
        *("-o", "faulthandler_exit_on_timeout=true"),
    ]
    limits = (LONG, LONG + 5) if against == "long" else (resource.RLIM_INFINITY,) * 2
    file = copy / mutant.file
    source = file.read_bytes()
    try:
        file.write_bytes(source[: mutant.start] + mutant.after.encode() + source[mutant.end :])
        run = subprocess.run(
            [*command, f"@{asked}"], cwd=copy, capture_output=True, text=True, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limits),
        )  # fmt: skip
    finally:
        file.write_bytes(source)
    if run.returncode in {0, -signal.SIGXCPU}:
        return None
    if run.returncode < 0 and run.returncode != -signal.SIGSEGV:
        raise SystemExit(f"pytest ended with {run.returncode} and no verdict: {run.stdout[-500:]}")
    found = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", run.stdout, re.MULTILINE)
    by = found[1] if found else "time" if "Timeout" in run.stderr else f"import ({run.returncode})"
    if by not in sound:
        again = [by] if found else ["--collect-only", f"@{asked}"]
        if subprocess.run(
            [*command, *again], cwd=copy, capture_output=True, check=False
        ).returncode:
            raise SystemExit(f"No mutant is needed to fail here: {by}")
        sound.add(by)
    return by


def latest(results: Path) -> dict[tuple[str, str], dict[str, object]]:
    """Read the last verdict on each mutant of each text around it; pass over a torn line."""
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
    parser.add_argument("--against", choices=STAGES, default="fast")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument(
        "--part", default="1/1", help="one of several runs, each with a copy of its own"
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
    reach = Reach.read(copy)
    sound: set[str] = set()
    part, parts = map(int, args.part.split("/"))
    for mutant in drawn(copy, args.count, args.seed)[part - 1 :: parts]:
        row = latest(args.results).get((mutant.name, mutant.digest))
        survived_the_gate = row and row["verdict"] == "survived" and row["against"] == "fast"
        if row if args.against == "fast" else not survived_the_gate:
            continue
        row = meet(copy, mutant, args.against, reach, sound)
        with args.results.open("a") as out:
            out.write(json.dumps(row) + "\n")
        change = f"{row['before']} -> {row['after']}"
        sys.stdout.write(f"{row['file']}:{row['line']} {change}: {row['verdict']} {row['by']}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
