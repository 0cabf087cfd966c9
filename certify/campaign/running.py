"""Run the checks of a backend over the registry, and gather what a certificate needs.

The work is cut into batches that depend on the seed alone, so neither the number of workers nor
their order changes a single byte of the result, and memory does not grow with the number of cases.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from math import ceil

from ...reference.errors import InputError, UnknownNameError
from ...reference.quantity import quantities
from ..backends.loading import load_backend
from ..backends.program import CASE_SECONDS, MAX_CASE_SECONDS, ending_programs
from .batches import Batch, batch_size, batches_of
from .executing import results_of
from .results import Campaign, result_of, tallies_of

DEFAULT_CASES = 200
MAX_CASES = 10_000_000
MAX_SEED = 2**53 - 1  # what JSON carries exactly


@ending_programs()
def certify(
    backend: str | None = None,
    *,
    quantities: str = "*",
    cases: int = DEFAULT_CASES,
    seed: int = 0,
    jobs: int = 1,
    case_seconds: float = CASE_SECONDS,
    on_case: Callable[[str], None] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Campaign:
    """Check a backend, by default the built-in one, and return what was found.

    ``backend`` is an entry point, ``module:attribute`` or ``command:PROGRAM ARG ...``;
    ``quantities`` a glob; ``cases`` counts per quantity; a program, or a module that is not yet
    imported, has ``case_seconds`` for each case. Each case is also a canonical line given to
    ``on_case``, in an order that depends on the seed alone.
    Raises InputError where there is nothing to run or the backend cannot be loaded.
    """
    if not 1 <= cases <= MAX_CASES:
        raise InputError(f"cases = {cases}: ask for 1 to {MAX_CASES}")
    if abs(seed) > MAX_SEED:
        raise InputError(f"seed = {seed}: it must lie within {MAX_SEED} of 0")
    if jobs < 1:
        raise InputError(f"jobs = {jobs}: at least one is needed")
    if not 0 < case_seconds <= MAX_CASE_SECONDS:
        raise InputError(f"case_seconds = {case_seconds:g} is not in (0, {MAX_CASE_SECONDS:g}]")
    loaded = load_backend(backend, case_seconds)
    names = _names(quantities)
    tallies = tallies_of(loaded, names, cases)
    present = [name for name in names if name in loaded.backend.quantities]
    total = len(present) * ceil(cases / batch_size(cases))
    digest = hashlib.sha256()
    batches = batches_of(present, Batch(backend, "", 0, cases, seed, loaded.terms))
    for done, found in enumerate(results_of(batches, jobs), start=1):
        for case in found:
            tallies[case.quantity, case.check].add(case)
            line = case.line()
            digest.update(line.encode())
            if on_case:
                on_case(line)
        if on_progress:
            on_progress(done, total)
    checks = tuple(result_of(key, tally) for key, tally in tallies.items())
    return Campaign(loaded, quantities, cases, seed, checks, digest.hexdigest())


def _names(pattern: str) -> list[str]:
    names = list(quantities(pattern))
    if not names:
        raise UnknownNameError("quantity", pattern, quantities(), "(no quantity matches)")
    return names
