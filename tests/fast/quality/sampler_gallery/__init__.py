"""Samplers written for the tests: faulty ones, each with one realistic fault, and sound ones."""

from . import faulty_dirichlet, faulty_laplace, sound
from .entries import Entry, dirichlet_entries, laplace_entries

__all__ = [
    "Entry",
    "dirichlet_entries",
    "faulty_dirichlet",
    "faulty_laplace",
    "laplace_entries",
    "sound",
]
