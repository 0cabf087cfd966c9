"""How long `verify` takes over a long transcript, and how much memory.

Run as ``python benchmarks/verify_transcript.py [CASES] [RECHECKED]``; prints a table in Markdown.
The transcript is a campaign's, of as many cases as are asked for. Each row is a process of its own,
started anew, the start counted in. Nothing is asserted.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from simplexcert.certify import certify_backend
from simplexcert.certify.campaign import transcript_writer
from simplexcert.certify.certificate import canonical_bytes, statement_of

SCOPE = "dirichlet.utility.variance"
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
    """Write a certificate and its transcript of so many cases of each check; return how many."""
    with transcript_writer(transcript) as append:
        statement = statement_of(certify_backend(quantities=SCOPE, cases=cases, on_case=append))
    certificate.write_bytes(canonical_bytes(statement))
    return statement.predicate.transcript.cases


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
