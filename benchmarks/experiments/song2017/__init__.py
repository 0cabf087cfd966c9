"""song2017 Section 5: Figure 4 (upper row) and Tables 1 to 3; and the least noise on such data."""

from ..registry import Experiment
from .figure_4 import figure_4
from .least_noise import least_noise
from .table_1 import table_1
from .table_2 import table_2
from .table_3 import table_3

EXPERIMENTS = (
    Experiment(
        "song2017.figure-4", "Figure 4 (upper row), Section 5.2", "Two states, made up", figure_4
    ),
    Experiment("song2017.table-1", "Table 1, Figure 4 (lower row)", "What people do", table_1),
    Experiment("song2017.table-2", "Table 2, Section 5.3", "A scale's time", table_2),
    Experiment("song2017.table-3", "Table 3, Section 5.3.2", "Power in 51 bins", table_3),
    Experiment(
        "song2017.least-noise", "Algorithms 1 and 3", "The least noise on counts", least_noise
    ),
)
