"""A study of a made-up or public input: the claim's mechanism, and what is given to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from ...reference.errors import DomainError, InputError
from ...reference.exact import exact_integer, exact_number, parse_json, shown
from ...reference.markov.model.data import DataModel
from ..mechanisms.markov_model.rows import rows_of
from ..mechanisms.protocol import Claim
from ..mechanisms.pufferfish.noise import laplace_of
from .study import (
    MOST_ENTRIES,
    NoiseStudy,
    SimplexStudy,
    Study,
    StudyRow,
    require_law,
)

# In place of an input: the counts that the claim file holds.
FROM_CLAIM: Final = "claim"
# For a million entries of 60 characters.
MOST_CHARACTERS: Final = 64 * 1024 * 1024
_VECTOR = 'shares that sum to 1, such as ["1/2", "0.3", "0.2"]'
_COUNTS = "counts, such as [8, 20, 20, 25, 25]"


def study_given(claim: Claim, given: str | Sequence[object] | None, where: str) -> Study:
    """Return what is simulated of a claim at an input. Raises InputError."""
    maker = _MAKERS[claim.mechanism.name]
    return maker(claim, _input(claim, given, where), where)


def _input(claim: Claim, given: str | Sequence[object] | None, where: str) -> Any:
    if given is None:
        return None
    if not isinstance(given, str):
        return given
    if given != FROM_CLAIM:
        return _parsed(given)
    if claim.data is None:
        raise InputError(f"{where}: the input is to be the claim's counts, but [release] has none")
    return claim.data.counts if isinstance(claim.data, DataModel) else claim.data


def _parsed(given: str) -> object:
    if len(given) > MOST_CHARACTERS:
        raise InputError(f"an input of more than {MOST_CHARACTERS} characters is not read")
    found = parse_json(given, "the input")
    if not isinstance(found, list):
        raise InputError(f"the input is {shown(found)}; it needs a list in JSON, or the word "
                         f'"{FROM_CLAIM}" for the counts in the claim file')  # fmt: skip
    return found


def _items(value: Any, what: str) -> Sequence[object]:
    if value is None:
        raise InputError(f"give an input that is made up or public (--input): {what}")
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Sequence) or not value:
        raise InputError(f"the input is {shown(value)}; it needs {what}")
    if len(value) > MOST_ENTRIES:
        raise InputError(f"an input of more than {MOST_ENTRIES} entries is not simulated")
    return value


def _shares(value: Any, what: str = _VECTOR) -> tuple[Fraction, ...]:
    found = tuple(exact_number(item, "the input") for item in _items(value, what))
    require_law(found, "the input")
    return found


def _counts(value: Any, what: str = _COUNTS) -> tuple[int, ...]:
    found = tuple(exact_integer(item, "the input") for item in _items(value, what))
    if min(found) < 0 or not sum(found):
        raise DomainError("the input: counts are at least 0, and one at least is positive")
    return found


def _rows(value: Any, number: int, what: str) -> Sequence[object]:
    rows = _items(value, f"{number} rows of {what}")
    if len(rows) != number:
        raise InputError(f"the input has {len(rows)} rows; the claim is of {number}")
    return rows


def scaled(shares: Sequence[Fraction], k: Fraction) -> StudyRow:
    """Return the law Dirichlet(k p), held against p."""
    return StudyRow(tuple(k * share for share in shares), tuple(shares))


def as_shares(counts: Sequence[Fraction | int]) -> tuple[Fraction, ...]:
    """Return counts as shares of their sum, which is positive."""
    total = sum(map(Fraction, counts))
    return tuple(Fraction(count) / total for count in counts)


def _of_vector(claim: Claim, value: Any, _where: str) -> SimplexStudy:
    return SimplexStudy((scaled(_shares(value), claim.number("k")),))


def _of_counts(claim: Claim, value: Any, where: str) -> SimplexStudy:
    counts = _counts(value)
    categories, records = claim.number("n"), claim.number("N")
    if len(counts) != categories or sum(counts) != records:
        raise DomainError(
            f"the input has {len(counts)} counts, {shown(sum(counts))} in all; {where} says "
            f"n = {shown(categories)} and N = {shown(records)}"
        )
    return SimplexStudy((scaled(as_shares(counts), claim.number("k")),))


def _of_histogram(claim: Claim, value: Any, _where: str) -> SimplexStudy:
    counts = _counts(value)
    step, alpha = claim.number("step"), claim.number("alpha")
    drawn = tuple(step * count + alpha for count in counts)
    return SimplexStudy((StudyRow(drawn, as_shares(counts)),))


def _of_matrix(claim: Claim, value: Any, _where: str) -> SimplexStudy:
    from ..mechanisms.rows import sizes_of

    k = claim.number("k")
    rows = _rows(value, len(sizes_of(claim.values)), _VECTOR)
    return SimplexStudy(tuple(scaled(_shares(row), k) for row in rows), matrix=True)


def _of_model(claim: Claim, value: Any, where: str) -> SimplexStudy:
    numbers, found = rows_of(claim), []
    for at, (one, row) in enumerate(
        zip(numbers, _rows(value, len(numbers), _COUNTS), strict=True), 1
    ):
        counts = _counts(row)
        if sum(counts) != one.N:
            raise DomainError(f"the input: row {at} has {shown(sum(counts))} records; {where} "
                              f"says N = {shown(one.N)}")  # fmt: skip
        found.append(scaled(as_shares(counts), one.k))
    return SimplexStudy(tuple(found), matrix=True)


def _of_noise(claim: Claim, value: Any, where: str) -> NoiseStudy:
    """Return the noise on as many numbers as the input has; by default, on one."""
    scale = laplace_of(claim).alone
    if scale is None:
        raise InputError(f"{where}: scales are of several releases; one is simulated at a time")
    return _noise(scale, value)


def _of_one_answer(claim: Claim, value: Any, _where: str) -> NoiseStudy:
    return _noise(claim.number("scale"), value)


def _noise(scale: Fraction, value: Any) -> NoiseStudy:
    if value is None:
        return NoiseStudy(1, scale)
    numbers = _items(value, "as many numbers as the query has, such as [3, 1, 4]")
    return NoiseStudy(len([exact_number(item, "the input") for item in numbers]), scale)


_MAKERS: Final[Mapping[str, Callable[[Claim, Any, str], Study]]] = {
    "dirichlet.identity": _of_vector,
    "dirichlet.average": _of_vector,
    "dirichlet.counts": _of_counts,
    "dirichlet.matrix": _of_matrix,
    "dirichlet.renyi": _of_histogram,
    "markov.model": _of_model,
    "pufferfish.chain": _of_noise,
    "pufferfish.network": _of_noise,
    "pufferfish.wasserstein": _of_one_answer,
}
