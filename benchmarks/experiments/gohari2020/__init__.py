"""gohari2020: Figures 1 and 3, and Table I."""

from __future__ import annotations

from ..registry import Experiment
from .beta_bounds import figure_1
from .experts import figure_3

EXPERIMENTS = (
    Experiment(
        "gohari2020.figure-1",
        "Figure 1, Section III-B",
        "Epsilon with and without the bounds of the Beta function",
        figure_1,
    ),
    Experiment(
        "gohari2020.figure-3",
        "Figure 3 and Table I, Section VI",
        "Private average of 100 opinions",
        figure_3,
    ),
)
