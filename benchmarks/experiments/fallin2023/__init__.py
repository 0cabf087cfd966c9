"""fallin2023: Figures 1 to 3."""

from __future__ import annotations

from ..registry import Experiment
from .stationary import figure_3
from .tenths import figure_1
from .walks import figure_2

EXPERIMENTS = (
    Experiment(
        "fallin2023.figure-1",
        "Figure 1, Section III-D",
        "Error of the entries of a private matrix",
        figure_1,
    ),
    Experiment(
        "fallin2023.figure-2",
        "Figure 2, Section V",
        "Random walks by private chains of traffic",
        figure_2,
    ),
    Experiment(
        "fallin2023.figure-3",
        "Figure 3, Section V",
        "Error of the stationary law of private chains of traffic",
        figure_3,
    ),
)
