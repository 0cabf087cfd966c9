"""Figure 4, lower row: shares of what people do, and what each mechanism publishes of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ..registry import Setting
from .mechanisms import HISTOGRAM, Scales, laplace
from .series import Series

Bars = dict[str, NDArray[np.float64]]


def histograms(setting: Setting, group: Series, found: Scales, epsilon: float) -> Figure:
    """Return the exact histogram of the group beside one private one of each mechanism."""
    figure = Figure(figsize=(8, 4), layout="constrained")
    panel: Any = figure.subplots()
    heights = bars(setting, group, found)
    places, width = np.arange(len(group.bins)), 1 / (len(heights) + 1)
    for number, (label, shares) in enumerate(heights.items()):
        panel.bar(places + number * width, shares, width, label=label)
    panel.set_xticks(places + width * (len(heights) - 1) / 2, group.bins)
    panel.set(ylabel="share of records", title=f"{group.title}, epsilon = {epsilon:g}")
    panel.legend()
    return figure


def bars(setting: Setting, group: Series, found: Scales) -> Bars:
    """Return the heights: exact, and of one release of each mechanism that applies."""
    shares, records = group.shares(), sum(group.lengths)
    heights = {"exact": shares}
    for mechanism, scale in found.items():
        if scale is not None:
            random = setting.generator(group.title, "histogram", mechanism)
            noise = laplace(random, scale * HISTOGRAM / records, 1, len(group.bins))
            heights[mechanism] = shares + noise[0]
    return heights
