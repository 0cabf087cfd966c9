"""From functions of one-dimensional arrays to functions of keyword arguments, scalars or arrays."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from .doubled import Reals

Answering: TypeAlias = Callable[..., "float | Reals"]

_HUGE = 10**300  # a whole number beyond is not a double; nothing here tells them apart


def _as_reals(value: object) -> Reals:
    if isinstance(value, int):
        value = min(value, _HUGE)
    return np.asarray(value, dtype=np.float64)


def elementwise(function: Callable[..., Reals]) -> Answering:
    """Return the function with keyword arguments that are scalars or arrays of one shape.

    Scalars alone give a float. Warnings of the floating-point unit are off inside: every
    infinity and NaN that may arise on the way is dealt with.
    """
    order = tuple(inspect.signature(function).parameters)

    def answer(**parameters: Any) -> float | Reals:
        given = np.broadcast_arrays(*(_as_reals(parameters[name]) for name in order))
        shape = given[0].shape
        with np.errstate(all="ignore"):
            flat = function(*(np.array(part, dtype=np.float64).ravel() for part in given))
        return flat.reshape(shape) if shape else float(flat[0])

    answer.__name__ = function.__name__
    answer.__doc__ = function.__doc__
    return answer


def one_by_one(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with arrays of one shape for some of its reals, answered one by one.

    Rows that are the same, of which an array may have many, are answered once.
    """
    reals = [name for name, each in inspect.signature(function).parameters.items()
             if each.annotation == "float"]  # fmt: skip

    @functools.wraps(function)
    def answer(**parameters: Any) -> Any:
        names = [name for name in reals if isinstance(parameters.get(name), np.ndarray)]
        if not names:
            return function(**parameters)
        given = np.broadcast_arrays(*(parameters[name] for name in names))
        # As they are written: 0 and -0 are equal, and have answers of their own.
        rows = [*zip(*(part.ravel().tolist() for part in given), strict=True)]
        keys = [tuple(map(repr, row)) for row in rows]
        found = {
            key: function(**parameters | dict(zip(names, row, strict=True)))
            for key, row in dict(zip(keys, rows, strict=True)).items()
        }
        whole = np.array([found[key] for key in keys], dtype=np.float64)
        return whole.reshape(given[0].shape)

    return answer
