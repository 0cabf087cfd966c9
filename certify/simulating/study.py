"""What is simulated: Dirichlet rows with what each should be near to, or Laplace noise."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

from ...reference.errors import DomainError, InputError
from ...reference.exact import shown
from ...reference.markov.structure import is_irreducible
from ..mechanisms.plan import MOST_ENTRIES, NoisePlan, Plan, require_law
from ..mechanisms.protocol import Claim

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
    """So many numbers, each with independent Laplace noise of mean 0 and this scale.

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
    """Return what is simulated of a plan: its laws, held against what they are drawn around."""
    if isinstance(plan, NoisePlan):
        return NoiseStudy(len(plan.centres), plan.scale)
    prior = claim.mechanism.public(claim).prior
    rows = tuple(_row(row.alpha, prior) for row in plan.rows)
    return SimplexStudy(rows, matrix=plan.matrix)


def _row(alpha: tuple[Fraction, ...], prior: Fraction) -> StudyRow:
    """Return a row held against its shares without what every coordinate had before."""
    own = tuple(one - prior for one in alpha)
    total = sum(own, Fraction(0))
    if not total:
        raise DomainError("the data hold no record: there are no shares to be near to")
    return StudyRow(alpha, tuple(one / total for one in own))
