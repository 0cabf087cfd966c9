"""SciPy's graphs once more, from a sparse matrix, whose entries are all kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from .libraries import CLASSES, Imported


def classes(P: Sequence[Sequence[float]]) -> int:
    count, _ = connected_components(csr_array(np.asarray(P)), connection="strong")
    return int(count)


library = Imported(
    "SciPy (sparse)",
    "1.17.1",
    (CLASSES,),
    {},
    functions={CLASSES: classes},
    installed=scipy.__version__,
    module=__name__,
)
