"""How long `verify` takes over a long transcript, and how much memory.

Run as ``python benchmarks/verify_transcript.py [CASES] [RECHECKED]``; prints a table in Markdown.
The transcript is a small campaign's with each line repeated, as many lines as are asked for. Each
row is a process of its own, started anew, the start counted in. Nothing is asserted.
"""

from __future__ import annotations

import gzip
import hashlib
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec
from simplexcert.certify import certify
from simplexcert.certify.certificate import canonical_bytes, statement_of

SCOPE = "dirichlet.profile.*"
# Of each quantity, before they are repeated.
CASES = 100
COMMAND = [sys.executable, "-c", "from simplexcert.certify.cli import main; main()", "verify"]


def main(cases: int, rechecked: int) -> None:
    """Print the times."""
    with tempfile.TemporaryDirectory() as folder:
        certificate, transcript = Path(folder) / "certificate.json", Path(folder) / "cases.jsonl.gz"
        lines = write(certificate, transcript, cases)
        print("| | seconds | largest process, MiB |\n|---|---|---|")  # noqa: T201
        given = [str(certificate)], ["--transcript", str(transcript)]
        tell("without a transcript", given[0])
        tell(f"its transcript, {lines} cases", [*given[0], *given[1]])
        tell(f"and {rechecked} of them anew", [*given[0], *given[1], "--recheck", str(rechecked)])


def write(certificate: Path, transcript: Path, cases: int) -> int:
    """Write a certificate and its transcript of about so many cases; return how many."""
    lines: list[str] = []
    statement = statement_of(certify(quantities=SCOPE, cases=CASES, on_case=lines.append))
    times, digest = max(1, cases // len(lines)), hashlib.sha256()
    with gzip.open(transcript, "wb") as stream:
        for line in lines:
            block = line.encode() * times
            stream.write(block)
            digest.update(block)
    predicate, replace = statement.predicate, msgspec.structs.replace
    made = replace(
        predicate,
        scope=replace(predicate.scope, cases=CASES * times),
        checks=[replace(check, cases=check.cases * times) for check in predicate.checks],
        transcript=replace(
            predicate.transcript, sha256=digest.hexdigest(), cases=len(lines) * times
        ),
    )
    certificate.write_bytes(canonical_bytes(replace(statement, predicate=made)))
    return len(lines) * times


def tell(what: str, arguments: list[str]) -> None:
    """Run one `verify`, and print a row."""
    start = time.perf_counter()
    subprocess.run([*COMMAND, *arguments], check=True, stdout=subprocess.DEVNULL)  # noqa: S603
    seconds = time.perf_counter() - start
    # Of all that ended so far; the rows come in the order of what they need.
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"| {what} | {seconds:.2f} | {peak:.0f} |")  # noqa: T201


if __name__ == "__main__":
    sizes = [int(text) for text in sys.argv[1:]]
    main(*(sizes + [100_000, 1_000][len(sizes) :]))
