"""Section 4.3: the example's influences and scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from ....reference.enclosure import Enclosure, Trilean
from ..entries import Claim
from ..evidence import Identity, Instance, Reproduced
from ..values import At, Enclosed
from .exact_chains import influence_by_formula, influence_by_paths, near
from .inputs import P_1, START_OF_THREE, matrix, numbers

NOTE = "song2017/networks.md"
# The quilts of node 2 of 3 in the order of the paper: lags to the left and right.
_QUILTS = {(0, 0): "the empty quilt", (1, 0): "{X_1}", (0, 1): "{X_3}", (1, 1): "{X_1, X_3}"}
_SCORES = ("0.3", "0.2437", "0.2437", "0.1558")
_EPSILON = 10


@dataclass(frozen=True)
class Score:
    """The score of a quilt: so many nodes over epsilon less an influence, by both engines."""

    card: int
    epsilon: Fraction
    influence: At

    def enclosed(self) -> Enclosed:
        """Return the score; it rises with the influence."""
        e = self.influence.enclosed()
        of = f"{self.card}/({self.epsilon} - {e.of})"
        return Enclosed(of, self._of(e.first), self._of(e.second))

    def _of(self, e: Enclosure) -> Enclosure:
        ends = (
            Enclosure.of(self.card / (self.epsilon - Fraction(end))) for end in (e.lower, e.upper)
        )
        low, high = ends
        return Enclosure(low.low, high.high)


def _influence(lags: tuple[int, int]) -> At:
    left, right = lags
    given = {"initial": START_OF_THREE, "P": P_1, "node": 2, "left": left, "right": right}
    return At("pufferfish.max_influence", given)


def _score(lags: tuple[int, int]) -> Score:
    return Score(near(2, 3, *lags), Fraction(_EPSILON), _influence(lags))


def _influences_are(expected: tuple[int, ...]) -> Callable[[], Trilean]:
    def found() -> Trilean:
        start, moves = numbers(START_OF_THREE), matrix(P_1)
        by_formula = [influence_by_formula(start, moves, 2, *lags) for lags in _QUILTS]
        by_paths = [
            influence_by_paths(start, moves, 3, 2, [1] * left + [3] * right)
            for left, right in _QUILTS
        ]
        return Trilean.of(by_formula == by_paths == list(expected))

    return found


CLAIMS = (
    Claim(
        id="song2017.example-4-3-influences",
        kind="number",
        where="Section 4.3, example after Definition 4.5",
        says="For X_2 of three nodes the four quilts have influences 0, log 6, log 6, log 36 and "
        "leave 3, 2, 2, 1 nodes.",
        garbled="quilt sizes are those of X_N",
        note=NOTE,
        evidence=(
            Identity(
                "e to the influences, by the formula and over all paths",
                _influences_are((1, 6, 6, 36)),
            ),
            Identity(
                "nodes left with X_2",
                lambda: Trilean.of([near(2, 3, *lags) for lags in _QUILTS] == [3, 2, 2, 1]),
            ),
        ),
    ),
    Claim(
        id="song2017.example-4-3-scores",
        kind="number",
        where="Section 4.3, same example, epsilon = 10",
        says="The scores are 0.3, 0.2437, 0.2437 and 0.1558, so {X_1, X_3} is active.",
        note=NOTE,
        evidence=(
            *(
                Reproduced(f"score of {name}", printed, _score(lags))
                for (lags, name), printed in zip(_QUILTS.items(), _SCORES, strict=True)
            ),
            Instance("the last is the least", _score((1, 1)), "<", _score((1, 0)), decides=True),
        ),
    ),
)
