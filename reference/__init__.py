"""What is true: exact inputs, proved enclosures, and the registry of quantities."""

from .enclosure import Enclosure
from .evaluation import Answer, evaluate
from .quantity import Quantity, quantities

__all__ = ["Answer", "Enclosure", "Quantity", "evaluate", "quantities"]
