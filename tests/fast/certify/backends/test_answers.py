"""Answers are read as the numbers that they hold, and not as what a class of its own says."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from each import each_of
from simplexcert.certify.backends.answers import real_answers


class Told(float):
    def __float__(self) -> float:
        return 1.0


class ToldDouble(np.float64):
    def item(self, *_: Any) -> float:
        return 1.0


class ToldArray(np.ndarray[Any, Any]):
    def item(self, *_: Any) -> float:
        return 1.0

    def tolist(self) -> Any:
        return [1.0] * self.size


class ToldList(list[float]):
    def __iter__(self) -> Any:
        return iter([1.0] * len(self))


class Scalar:
    """What only looks like a scalar of NumPy."""

    shape = ()

    def item(self) -> float:
        return 1.0


class EqualToFloat(type):
    def __eq__(cls, other: object) -> bool:
        return other is float

    __hash__ = type.__hash__


class Equal(metaclass=EqualToFloat):
    def __float__(self) -> float:
        return 1.0


HALF = Fraction(1, 2)


@each_of(
    "answer, read",
    [
        (0.5, HALF),
        (Decimal("0.5"), HALF),
        (np.float64(0.5), HALF),
        (np.float32(0.5), HALF),
        (np.int64(3), 3),
        (np.array(0.5), HALF),
        (np.array([0.5, 3.0]), (HALF, 3)),
        (np.array([0.5, 3], dtype=object), (HALF, 3)),
        ([np.array([0.5]), (np.float64(3),)], ((HALF,), (3,))),
    ],
)
def test_numbers_of_python_and_numpy_are_what_they_hold(answer: object, read: object) -> None:
    assert real_answers(answer) == (read, "")


@each_of(
    "answer, says",
    [
        (Told(0.0), "made of float"),
        (ToldDouble(0.0), "made of float64"),
        (np.zeros(()).view(ToldArray), "made of ndarray"),
        (np.zeros(2).view(ToldArray), "made of ndarray"),
        ([np.zeros(2).view(ToldArray)], "made of ndarray"),
        (np.array([Told(0.0)], dtype=object), "made of float"),
        (np.array(ToldDouble(0.0), dtype=object), "made of float64"),
        (ToldList([0.0]), "made of list"),
        (np.ma.masked_array([0.5], mask=True), "made of ndarray"),
        (np.ma.masked, "a class of its own"),
        (Scalar(), "which is not a real number"),
        (Equal(), "which is not a real number"),
        (np.longdouble(0.5), "which is not a real number"),
        (np.complex128(0.5), "which is not a real number"),
        (np.bool_(True), "which is not a real number"),
        (True, "which is not a real number"),
    ],
)
def test_what_a_class_of_its_own_says_it_is_is_no_answer(answer: object, says: str) -> None:
    found, reason = real_answers(answer)
    assert found is None
    assert says in reason
