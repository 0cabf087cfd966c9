"""Studies: Dirichlet rows with the shares each should be near to, or Laplace noise.

A study is made from a claim and an input that is made up, public, or read from a data file exactly
as a release of it would read it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, TypeAlias

from ...reference.errors import DomainError, InputError
from ...reference.exact import parse_json, shown
from ...reference.markov.model.data import DataModel
from ...reference.markov.structure import is_irreducible
from ...reference.sampling import laplace
from ..mechanisms.plan import MOST_ENTRIES, NoisePlan, Plan, require_law
from ..mechanisms.protocol import Claim, PublicSettings
from ..mechanisms.public import public_in
from ..releasing.refusals import quietly

# Below, logarithms of draws reach beyond 10^9 times what a double resolves.
LEAST_ALPHA: Final = Fraction(1, 10**9)
# Beyond, a draw differs from its mean by less than 10^-5, and in doubles its divergence, a square,
# would keep fewer figures than ``comparing.RELATIVE_ROUNDING`` leaves room for.
MOST_TOTAL: Final = 10**10
# A million numbers of noise, the largest of all draws, times these are normal doubles.
LEAST_SCALE, MOST_SCALE = Fraction(1, 10**150), Fraction(10**150)


@dataclass(frozen=True, repr=False)
class StudyRow:
    """Draws from Dirichlet(alpha), which should be near to ``target``, the true shares."""

    alpha: tuple[Fraction, ...]
    target: tuple[Fraction, ...]

    @property
    def total(self) -> Fraction:
        """The concentration: the sum of the alphas."""
        return sum(self.alpha, Fraction(0))

    @property
    def mean(self) -> tuple[Fraction, ...]:
        """The mean of the draws."""
        total = self.total
        return tuple(alpha / total for alpha in self.alpha)

    @property
    def unbiased(self) -> bool:
        """Whether the draws have the truth as their mean: a pseudo-count moves it."""
        return self.mean == self.target


@dataclass(frozen=True, repr=False)
class SimplexStudy:
    """Rows that are drawn independently; ``matrix`` tells a matrix of one row from a vector."""

    rows: tuple[StudyRow, ...]
    matrix: bool = False

    def __post_init__(self) -> None:
        widths = {len(row.alpha) for row in self.rows} | {len(row.target) for row in self.rows}
        if len(widths) != 1 or 0 in widths:
            raise InputError("the rows of an input have one length, of at least one coordinate")
        if len(self.rows) * widths.pop() > MOST_ENTRIES:
            raise InputError(f"more than {MOST_ENTRIES} entries a draw are not simulated")
        for row in self.rows:
            _require_drawable(row)

    @property
    def P(self) -> tuple[tuple[Fraction, ...], ...]:  # noqa: N802 - as the quantities call it
        """The true matrix."""
        return tuple(row.target for row in self.rows)

    @property
    def is_chain(self) -> bool:
        """Whether this is an irreducible chain whose draws have it as their mean."""
        square = self.matrix and len(self.rows) == len(self.rows[0].target)
        return square and all(row.unbiased for row in self.rows) and is_irreducible(self.P)


@dataclass(frozen=True, repr=False)
class NoiseStudy:
    """``numbers`` numbers, each with independent Laplace noise of mean 0 and this scale.

    What the numbers are does not matter: the error is the noise.
    """

    numbers: int
    scale: Fraction

    def __post_init__(self) -> None:
        if not 1 <= self.numbers <= MOST_ENTRIES:
            raise InputError(f"{self.numbers} numbers: from 1 to {MOST_ENTRIES} are simulated")
        if not LEAST_SCALE <= self.scale <= MOST_SCALE:
            raise DomainError(f"scale = {shown(self.scale)} is not simulated: it is not between "
                              "1e-150 and 1e150")  # fmt: skip


Study: TypeAlias = SimplexStudy | NoiseStudy


def _require_drawable(row: StudyRow) -> None:
    """Raise DomainError for a law that is not drawn in doubles, or a target off the simplex."""
    if any(alpha < 0 or 0 < alpha < LEAST_ALPHA for alpha in row.alpha):
        raise DomainError("a parameter of a Dirichlet law is below 0, or above 0 and below 1e-9: "
                          "not simulated")  # fmt: skip
    if not 0 < row.total <= MOST_TOTAL:
        raise DomainError("the parameters of a Dirichlet law add up to 0, or to more than "
                          "10^10: not simulated")  # fmt: skip
    require_law(row.target, "the input")
    if any(share and not alpha for share, alpha in zip(row.target, row.alpha, strict=True)):
        raise DomainError("a coordinate with a positive share has parameter 0, and is never drawn")


def study_of_plan(plan: Plan, claim: Claim) -> Study:
    """Return the study of a plan: its laws, compared with the shares they are drawn around."""
    if isinstance(plan, NoisePlan):
        if plan.noise is not laplace:
            raise DomainError(f"{claim.name}: normal noise is drawn in releases, not simulated")
        return NoiseStudy(len(plan.centres), plan.scale)
    prior = claim.mechanism.public(claim).prior
    rows = tuple(_row(row.alpha, prior) for row in plan.rows)
    return SimplexStudy(rows, matrix=plan.matrix)


def _row(alpha: tuple[Fraction, ...], prior: Fraction) -> StudyRow:
    """Return a row compared with its shares without the prior of each coordinate."""
    own = tuple(one - prior for one in alpha)
    total = sum(own, Fraction(0))
    if not total:
        raise DomainError("the data hold no record: there are no shares to be near to")
    return StudyRow(alpha, tuple(one / total for one in own))


# In place of an input: the counts that the claim file holds.
FROM_CLAIM: Final = "claim"
# For a million entries of 60 characters.
_MOST_CHARACTERS: Final = 64 * 1024 * 1024


def study_given(claim: Claim, given: str | Sequence[object] | None, where: str) -> Study:
    """Return the study of a claim at an input. Raises InputError."""
    plan = claim.mechanism.plan_of_input(claim, _input(claim, given, where), where)
    return study_of_plan(plan, claim)


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
    if len(given) > _MOST_CHARACTERS:
        raise InputError(f"an input of more than {_MOST_CHARACTERS} characters is not read")
    found = parse_json(given, "the input")
    if not isinstance(found, list):
        raise InputError(f"the input is {shown(found)}; it needs a list in JSON, or the word "
                         f'"{FROM_CLAIM}" for the counts in the claim file')  # fmt: skip
    return found


def study_of_data(claim: Claim, table: Mapping[str, Any], file: Path, where: str) -> Study:
    """Return the study of a claim at the data. Raises InputError.

    What [data] lists as public is not asked for: nothing that comes out is private anyway.
    """
    mechanism = claim.mechanism
    data = table.get("data")
    if not isinstance(data, dict):
        raise InputError(f"{where} has no table [data], which says how the data file is read; "
                         "`simplexcert release --template MECHANISM` prints one")  # fmt: skip
    settings = PublicSettings(where, table["release"], data, public_in(data, where))
    return study_of_plan(quietly(lambda: mechanism.plan(claim, settings, file), "reading"), claim)
