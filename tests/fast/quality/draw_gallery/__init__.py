"""Samplers with one planted fault each, and sound ones: which the tests of exact draws tell."""

from . import gammas, ours, roundings, sources
from .entries import PLANTED, Planted

__all__ = ["PLANTED", "Planted", "gammas", "ours", "roundings", "sources"]
