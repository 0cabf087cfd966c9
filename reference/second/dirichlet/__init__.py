"""Second opinions on the Dirichlet mechanism: other formulas for what its first rooms enclose."""

from . import (  # noqa: F401
    add_remove,
    composition,
    kl_tail,
    mechanisms,
    pair,
    profile,
    renyi,
    tail,
    utility,
)
