"""benvenuti2025: Figures 1 to 4 and what Table 1 says of merged zones."""

from __future__ import annotations

from ..registry import Experiment
from .estimates import figure_4
from .grades import figure_1
from .table_1 import table_1
from .taxis import figure_2, figure_3

EXPERIMENTS = (
    Experiment(
        "benvenuti2025.figure-1",
        "Figure 1, Section 6.1",
        "Divergence of private grades over epsilon",
        figure_1,
    ),
    Experiment(
        "benvenuti2025.figure-2",
        "Figure 2, Section 6.2",
        "Stationary law of the private chain of taxi trips",
        figure_2,
    ),
    Experiment(
        "benvenuti2025.figure-3",
        "Figure 3, Section 6.2",
        "Change of the stationary law over epsilon",
        figure_3,
    ),
    Experiment(
        "benvenuti2025.figure-4",
        "Figure 4, Appendix A",
        "Sampled delta against the certified one",
        figure_4,
    ),
    Experiment(
        "benvenuti2025.table-1",
        "Table 1, Appendix E",
        "Zones and the strongest privacy",
        table_1,
    ),
)
