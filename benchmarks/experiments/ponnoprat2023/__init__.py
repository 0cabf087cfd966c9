"""ponnoprat2023: Figures 2 to 5 and 7 to 11."""

from __future__ import annotations

from ..registry import Experiment
from .closeness import figure_3
from .conversions import figure_8
from .naive_bayes import figures_4_5, figures_9_10
from .network import figure_7, figure_11
from .tail_integrals import figure_2

EXPERIMENTS = (
    Experiment(
        "ponnoprat2023.figure-2",
        "Figure 2, Section 2.4",
        "Delta of an earlier guarantee as gamma falls",
        figure_2,
    ),
    Experiment(
        "ponnoprat2023.figure-3",
        "Figure 3, Section 3.2",
        "How close the guarantee is, and what becomes of the draws",
        figure_3,
    ),
    Experiment(
        "ponnoprat2023.figures-4-5",
        "Figures 4 and 5 and Table 1, Section 5.1",
        "Naive Bayes at (5, epsilon)-Renyi privacy",
        figures_4_5,
    ),
    Experiment(
        "ponnoprat2023.figure-7",
        "Figures 6 and 7, Section 5.2",
        "A Bayesian network on Adult at (5, epsilon)-Renyi privacy",
        figure_7,
    ),
    Experiment(
        "ponnoprat2023.figure-8",
        "Figure 8, Appendix B",
        "From Renyi to approximate privacy at four orders",
        figure_8,
    ),
    Experiment(
        "ponnoprat2023.figures-9-10",
        "Figures 9 and 10, Appendix C",
        "Naive Bayes at (epsilon, 1e-5)-privacy",
        figures_9_10,
    ),
    Experiment(
        "ponnoprat2023.figure-11",
        "Figure 11, Appendix C",
        "A Bayesian network on Adult at (epsilon, 1e-5)-privacy",
        figure_11,
    ),
)
