"""Simulate a claim's mechanism: at the claim's own numbers, or tight at several epsilons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from ...reference.errors import DomainError, InputError
from ...reference.exact import exact_integer, exact_number, parse_toml, shown
from ..audits.claim import claim_in, source_of
from ..mechanisms.protocol import Claim
from .comparing import GRAVEST_FIRST, Compared, Finding, Judge, Mean
from .errors import Array, Model, has_chain_errors, noise_errors, simplex_errors
from .expected import expected_errors
from .study import FROM_CLAIM, NoiseStudy, Study, study_given

# Fewer have no standard error to speak of; of more, ten errors of each are 80 MB a study.
FEWEST_DRAWS, MOST_DRAWS = 100, 1_000_000
# Numbers drawn in one run: some minutes on one core.
_MOST_NUMBERS: Final = 2_000_000_000
_MOST_EPSILONS: Final = 100
_MOST_SEED: Final = 2**64 - 1
# Numbers in one batch: 4 MB an array of them. It is part of what a seed stands for.
_BATCH: Final = 500_000
# What a sweep chooses for each epsilon, where the mechanism has it.
CHOSEN: Final = ("k", "step", "scale")
_TIGHT: Final = "tight"

_Progress = Callable[[int, int], None]
_Given = str | Sequence[object] | None


@dataclass(frozen=True)
class Point:
    """One study: the claim at one epsilon, its errors, and their comparisons."""

    claim: Claim
    study: Study
    means: Mapping[str, Mean]
    compared: tuple[Compared, ...]
    values: Mapping[str, Array]
    chain_left_out: bool = False


@dataclass(frozen=True)
class Simulation:
    """A simulation and its comparisons. Never private, whatever it was made from.

    ``data`` names the data file, or the counts in the claim's, where the input was read from one;
    ``swept`` says whether epsilon was.
    """

    where: str
    data: str | None
    draws: int
    seed: int
    swept: bool
    points: tuple[Point, ...]

    @property
    def private(self) -> bool:
        """False: nothing here is."""
        return False

    @property
    def claim(self) -> Claim:
        """The first study's claim."""
        return self.points[0].claim

    @property
    def compared(self) -> list[Compared]:
        """All comparisons of all studies."""
        return [one for point in self.points for one in point.compared]

    @property
    def finding(self) -> Finding:
        """The gravest finding of the comparisons."""
        found = {one.finding for one in self.compared}
        return next((finding for finding in GRAVEST_FIRST if finding in found), Finding.NOTHING)


def simulate(
    claim: str | Path,
    *,
    data: str | Path | None = None,
    given: _Given = None,
    draws: int = 10_000,
    seed: int = 0,
    epsilons: Sequence[object] = (),
    on_progress: _Progress | None = None,
) -> Simulation:
    """Draw a claim's mechanism many times in doubles, and compare the errors with proved values.

    Nothing that comes out is private. The input is ``given``, made up or public: a list, its JSON,
    or "claim" for the counts in the claim file; or it is read from the file ``data`` as a release
    reads it. With ``epsilons`` k, step or scale is chosen tight for each. Raises InputError.
    """
    draws, seed = _draws(draws), _seed(seed)
    if data is not None and given is not None:
        raise InputError("give data or an input, not both")
    content, where = source_of(claim)
    tables = list(_swept(parse_toml(content, where), epsilons, where))
    studies = [_study(table, data, given, where) for table in tables]
    _require_time([study for _, study in studies], draws)
    points = _points(studies, draws, seed, on_progress)
    return Simulation(
        where, _source(data, given, where), draws, seed, bool(epsilons), tuple(points)
    )


def _source(data: str | Path | None, given: _Given, where: str) -> str | None:
    """Return the source of the input's data; None where it was given as made up or public."""
    if data is not None:
        return str(data)
    return f"the counts in {where}" if given == FROM_CLAIM else None


def _draws(draws: int) -> int:
    found = exact_integer(draws, "draws")
    if not FEWEST_DRAWS <= found <= MOST_DRAWS:
        raise DomainError(f"draws = {shown(found)}: from {FEWEST_DRAWS} to {MOST_DRAWS} are made")
    return found


def _seed(seed: int) -> int:
    found = exact_integer(seed, "seed")
    if not 0 <= found <= _MOST_SEED:
        raise DomainError(f"seed {shown(found)} is not a whole number from 0 to 2^64 - 1")
    return found


def _swept(
    table: Mapping[str, Any], epsilons: Sequence[object], where: str
) -> Iterator[Mapping[str, Any]]:
    """Yield the claim file at each epsilon, with its number to be chosen tight; or as it is."""
    if not epsilons:
        yield table
        return
    if len(epsilons) > _MOST_EPSILONS:
        raise InputError(f"{len(epsilons)} epsilons; more than {_MOST_EPSILONS} are not simulated")
    release, said = table.get("release"), table.get("claim")
    if not (isinstance(release, dict) and isinstance(said, dict)):
        raise InputError(f"{where} lacks a table [release] or [claim]")
    chosen = {key: _TIGHT for key in CHOSEN if key in release}
    if not chosen:
        raise InputError(f"{where}: epsilon is swept by choosing {', '.join(CHOSEN[:-1])} or "
                         f"{CHOSEN[-1]}, and [release] has none of these")  # fmt: skip
    for epsilon in epsilons:
        exact = exact_number(epsilon, "--epsilon")
        yield {**table, "release": {**release, **chosen}, "claim": {**said, "epsilon": exact}}


def _study(
    table: Mapping[str, Any], data: str | Path | None, given: _Given, where: str
) -> tuple[Claim, Study]:
    claim = claim_in(table, where)
    vacuity = claim.mechanism.vacuity(claim)
    if claim.calibrated and vacuity:
        chosen = " and ".join(claim.calibrated.parameters)
        raise DomainError(f'{where}: "{_TIGHT}" chooses no {chosen}: {vacuity.sentence}; give one')
    if data is None:
        return claim, study_given(claim, given, where)
    from .study import study_of_data

    return claim, study_of_data(claim, table, Path(data), where)


def _numbers(study: Study) -> int:
    if isinstance(study, NoiseStudy):
        return study.numbers
    return len(study.rows) * len(study.rows[0].alpha)


def _require_time(studies: Sequence[Study], draws: int) -> None:
    asked = draws * sum(map(_numbers, studies))
    if asked > _MOST_NUMBERS:
        raise InputError(f"{shown(asked)} numbers would be drawn, more than {_MOST_NUMBERS}; ask "
                         "for fewer draws")  # fmt: skip


def _points(
    studies: Sequence[tuple[Claim, Study]], draws: int, seed: int, on_progress: _Progress | None
) -> list[Point]:
    """Simulate each study, and compare all; each test has its share of the false alarms."""
    step = _Steps(draws * len(studies), on_progress)
    drawn = []
    for at, (claim, study) in enumerate(studies):
        chain = has_chain_errors(study, draws)
        known = expected_errors(study, claim.mechanism.public(claim), chain=chain)
        drawn.append((known, chain, errors_of(study, draws, [seed, at], step, chain=chain)))
    in_all = sum(len(known) for known, _, _ in drawn)
    found = []
    for (claim, study), (known, chain, values) in zip(studies, drawn, strict=True):
        means = {error: Mean.of(of_draws) for error, of_draws in values.items()}
        judge = Judge.of(study, in_all, chain=chain)
        compared = tuple(judge.compared(one, means[one.error]) for one in known)
        left_out = not chain and not isinstance(study, NoiseStudy) and study.is_chain
        found.append(Point(claim, study, means, compared, values, left_out))
    return found


class _Steps:
    """Counter of the numbers drawn, which calls ``told`` with done and total."""

    def __init__(self, total: int, told: _Progress | None) -> None:
        self._total, self._told, self._done = total, told, 0

    def __call__(self, count: int) -> None:
        self._done += count
        if self._told is not None:
            self._told(self._done, self._total)


def errors_of(
    study: Study, draws: int, seed: Sequence[int], step: Callable[[int], None], *, chain: bool
) -> dict[str, Array]:
    """Draw in batches, and return each error of each draw."""
    random = np.random.default_rng(list(seed))
    model = None if isinstance(study, NoiseStudy) else Model.of(study, chain=chain)
    batch = max(1, min(draws, _BATCH // _numbers(study)))
    parts = []
    for start in range(0, draws, batch):
        count = min(batch, draws - start)
        if isinstance(study, NoiseStudy):
            parts.append(noise_errors(random, study, count))
        elif model is not None:
            parts.append(simplex_errors(random, model, count))
        step(count)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
