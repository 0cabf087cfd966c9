"""What is true: exact inputs, proved enclosures, and the registry of quantities."""

from typing import TYPE_CHECKING

from .lazy import lazily

if TYPE_CHECKING:
    from .enclosure import Enclosure
    from .errors import DomainError, InputError, UnknownNameError
    from .evaluation import Answer, evaluate
    from .quantity import Quantity, quantities

__all__ = [
    "Answer",
    "DomainError",
    "Enclosure",
    "InputError",
    "Quantity",
    "UnknownNameError",
    "evaluate",
    "quantities",
]

__getattr__ = lazily(
    __name__,
    {
        "Answer": ".evaluation",
        "DomainError": ".errors",
        "Enclosure": ".enclosure",
        "InputError": ".errors",
        "UnknownNameError": ".errors",
        "Quantity": ".quantity",
        "evaluate": ".evaluation",
        "quantities": ".quantity",
    },
)
