"""The second engine's tails and their roots, in all hard cases."""

from fast.reference.second.test_tail_opinion import *
