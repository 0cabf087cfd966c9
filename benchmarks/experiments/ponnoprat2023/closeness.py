"""Figure 3: how close the guarantee is, and what becomes of the draws."""

from __future__ import annotations

from ..curves import curves
from ..outcome import Outcome, Plot, Running
from ..registry import Setting
from . import figure_3_bottom as bottom
from . import figure_3_top as top

# Powers of ten between which r lies. The paper's own range of the upper plots is not in its text.
RANGE, QUICK_RANGE = (-3, 3), (-1, 1)
LOW_RANGE, QUICK_LOW_RANGE = (-5, 3), (-1, 1)
DRAWS, QUICK_DRAWS = 2_000, 100
SKIPPED = (
    "The curves of gohari2020's guarantee: its gamma, eta, eta' and W are not stated (claim"
    " ponnoprat2023.figure-3-comparison)."
)
NOTE = (
    "All of it is certified but what is called simulated. Divergences are from f divided by its"
    " sum, KL(f/N || y), as in the text: the caption has it the other way round."
)


def figure_3(setting: Setting) -> Running:
    """Work out divergences, and draw instances."""
    upper_steps = top.steps(*(QUICK_RANGE if setting.quick else RANGE))
    lower_steps = top.steps(*(QUICK_LOW_RANGE if setting.quick else LOW_RANGE))
    draws = QUICK_DRAWS if setting.quick else DRAWS
    above, below = [], []
    for at, order in enumerate(top.ORDERS):
        above += [top.point(order, r) for r in upper_steps]
        yield (2 * at + 1) / 6
        below += [bottom.point(setting, order, r, draws) for r in lower_steps]
        yield (2 * at + 2) / 6
    axes = {"xscale": "log", "yscale": "log"}
    return Outcome(
        tables=(top.table(above), bottom.table(below)),
        plots=(
            Plot(
                "figure-3-top",
                "Renyi divergence by r",
                curves(top.lines(above), **axes, xlabel="r", ylabel="divergence"),
            ),
            Plot(
                "figure-3-bottom",
                "KL divergence from f/N by epsilon-hat",
                curves(bottom.lines(below), **axes, xlabel="epsilon-hat", ylabel="KL divergence"),
            ),
        ),
        findings=(*top.findings(above), *bottom.findings(below)),
        skipped=(SKIPPED,),
        notes=(NOTE,),
    )
