"""Why a model is not private, as sentences."""

from __future__ import annotations


class NotPrivateWarning(UserWarning):
    """A public number was left out and read off the private data."""


def drawn_in_floats(draw: object) -> tuple[str, ...]:
    """Return what is wrong with draws in floats."""
    if draw != "float":
        return ()
    return ("draw='float': floats are no exact draws, and whoever knows the seed undoes them",)


def classes_were_read(classes: object) -> tuple[str, ...]:
    """Return what is wrong with classes that were not given."""
    if classes is not None:
        return ()
    return ("the classes were read off y: give classes=[...], all labels that there may be",)
