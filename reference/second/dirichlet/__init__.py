"""Second opinions on the Dirichlet mechanism, by other formulas than the first engine's."""

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
