"""The same point asked again gives the same answer."""

from __future__ import annotations

from fractions import Fraction

from ....reference.errors import InputError
from ....reference.quantity import Quantity
from ...verdict import Verdict
from .relation import (
    Ask,
    Declared,
    First,
    Found,
    NoNumberError,
    Ruling,
    Truths,
    Witness,
    Wording,
    answered_as,
    entries_answered,
    point_at,
)


class Determinism:
    """The second answer is held against the first, number by number, in every quantity.

    A backend's answers depend on its arguments alone: certificates assume it. 0 and -0 are one
    number. The witness of an array is the first entry that differs.
    """

    check = "determinism"
    wording = Wording(
        "the same question has the same answer",
        "the first answer",
        "Asked twice, one answer.",
        "Asked twice, two answers.",
    )

    def applies_to(self, quantity: Quantity) -> bool:  # noqa: ARG002
        """Whether the relation says anything about the quantity: it does about all of them."""
        return True

    def found(self, quantity: Quantity, first: First, ask: Ask, declared: Declared) -> Found:  # noqa: ARG002
        """Ask again, and return the first entry that differs, or the first one."""
        before = entries_answered(quantity, first.point, first.answer)
        again = ask(quantity.name, first.point)
        after = entries_answered(quantity, first.point, again)
        if [place for place, _ in before] != [place for place, _ in after]:
            raise NoNumberError(first.point, again, "answered another shape than before")
        pairs = list(zip(before, after, strict=True))
        (place, was), (_, value) = next(
            (pair for pair in pairs if pair[0][1] != pair[1][1]), pairs[0]
        )
        other = answered_as(quantity.name, first.point, was)
        return Found(first.point, value, (other,), place)

    def verdict_on(
        self,
        witness: Witness,
        slack: Fraction,  # noqa: ARG002
        accuracy: Fraction | None,  # noqa: ARG002
        truths: Truths,  # noqa: ARG002
    ) -> Ruling:
        """Compare the two answers, which have to be at one point."""
        if len(witness.others) != 1 or witness.others[0].value is None:
            raise InputError("determinism: one other answer is compared with")
        (other,) = witness.others
        assert other.value is not None
        if other.quantity.name != witness.quantity.name or other.parameters != witness.parameters:
            raise InputError("determinism: the other answer is not one at the same point")
        same = other.value == witness.value
        return Ruling(Verdict.CERTIFIED if same else Verdict.REFUTED, point_at(other.value))
