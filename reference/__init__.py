"""Exact inputs, proved enclosures, and the registry of quantities: the part that is proved."""

from typing import TYPE_CHECKING

from .lazy import lazily

if TYPE_CHECKING:
    from .enclosure import Enclosure
    from .errors import DomainError, InputError, UnknownNameError
    from .evaluation import Answer
    from .grids import Answers, evaluate
    from .markov.model.data import DataModel, counts_from
    from .precision import Budget
    from .quantity import Quantity, quantities

__all__ = [
    "Answer",
    "Answers",
    "Budget",
    "DataModel",
    "DomainError",
    "Enclosure",
    "InputError",
    "Quantity",
    "UnknownNameError",
    "counts_from",
    "evaluate",
    "quantities",
]

__getattr__ = lazily(
    __name__,
    {
        "Answer": ".evaluation",
        "Answers": ".grids",
        "Budget": ".precision",
        "DataModel": ".markov.model.data",
        "DomainError": ".errors",
        "Enclosure": ".enclosure",
        "InputError": ".errors",
        "UnknownNameError": ".errors",
        "Quantity": ".quantity",
        "counts_from": ".markov.model.data",
        "evaluate": ".grids",
        "quantities": ".quantity",
    },
)
