"""What checking needs is imported before a stranger's program runs, and not while it does.

A program has the rights of whoever checks it: it may write modules into the current folder, or
wherever else its user may. What is in memory by then it does not reach.
"""

from __future__ import annotations

from importlib import import_module

from ...reference.alone import left_alone
from ...reference.quantity import quantities
from ...reference.second import opinions
from ..extras import drawing_library

# What others import when they first need it.
_LATE = (
    "encodings.utf_16_be",
    "encodings.utf_8_sig",
    "numpy.random",
    "simplexcert.reference.arb.balls",
    "simplexcert.certify.releasing.refusals",
)
_LATE_FOR_A_REPORT = (
    "encodings.unicode_escape",
    "html.entities",
    "importlib.readers",
    "jinja2",
    "matplotlib.backends.backend_svg",
    "matplotlib.figure",
    "matplotlib.ticker",
    "simplexcert.certify.report.page",
)


def import_all(*, report: bool = False) -> None:
    """Import what a campaign, or one of its workers, comes to need; twice is once."""
    quantities()
    opinions()
    with left_alone():
        import_module("networkx")
    drawing = drawing_library() if report else None
    for name in (*_LATE, *(_LATE_FOR_A_REPORT if report else ())):
        import_module(name)
    if drawing is not None:
        with drawing.rc_context():
            drawing.rcdefaults()  # imports more, by a name that changes
