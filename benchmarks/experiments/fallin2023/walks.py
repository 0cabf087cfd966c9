"""Figure 2: random walks of ten steps by the true chain and by private ones.

One walk each says little, so many are drawn: each private walk uses the true walk's numbers, one
for each step, and starts where it does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from simplexcert.certify.simulating.comparing import Mean
from simulation.draws import Array

from ..curves import curves
from ..numbers import comes_out
from ..outcome import Cell, Finding, Outcome, Plot, Running, Table, Verdict
from ..registry import Setting
from .traffic import Traffic, exact_delta, privacy, traffic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STEPS, DRAWS, QUICK_DRAWS = 10, 4_000, 200
# Section V: k, and the epsilon and delta that are printed for it.
LOW, HIGH = "9.87", "98.7"
PRINTED = {LOW: ("1.16", "0.011"), HIGH: ("11.12", "0.019")}

Walks = NDArray[np.int64]


@dataclass(frozen=True)
class Private:
    """What private chains of one k do: one walk beside the true one, and how long many agree."""

    epsilon: float
    delta: float
    exact: float
    walk: tuple[int, ...]
    agreement: Mean


def figure_2(setting: Setting) -> Running:
    """Walk by the true chain and by private ones."""
    chain = traffic(setting)
    draws = QUICK_DRAWS if setting.quick else DRAWS
    numbers = setting.generator("numbers").uniform(size=(STEPS, draws))
    starts = setting.generator("starts").integers(len(chain.matrix), size=draws)
    same = np.repeat(chain.alphas(1.0)[None], draws, axis=0)
    true = walks(same, starts, numbers)
    yield 0.3
    found = {}
    for k in PRINTED:
        found[k] = private(setting, chain, k, (true, starts, numbers))
        yield 0.3 + 0.35 * len(found)
    one = tuple(map(int, true[:, 0]))
    return Outcome(
        tables=(agreement_table(found, draws), walk_table(chain, one, found)),
        plots=(Plot("figure-2", "Walks of ten steps", drawn(one, found)),),
        findings=(*(pair(k, it) for k, it in found.items()), resemblance(found)),
        notes=(chain.remark,),
    )


def private(setting: Setting, chain: Traffic, k: str, true: tuple[Walks, Walks, Array]) -> Private:
    """Walk by a new private chain in each draw."""
    walked, starts, numbers = true
    matrices = np.exp(chain.drawn(setting.generator("private", k), float(k), len(starts)))
    taken = walks(matrices, starts, numbers)
    agreed = (taken[1:] == walked[1:]).mean(axis=0)
    epsilon, delta = privacy(k)
    exact = exact_delta(k, PRINTED[k][0])
    return Private(epsilon, delta, exact, tuple(map(int, taken[:, 0])), Mean.of(agreed))


def walks(matrices: Array, starts: Walks, numbers: Array) -> Walks:
    """Return a walk for each matrix, by inversion of uniform numbers; row 0 is the start."""
    cumulative, draws = np.cumsum(matrices, axis=2), np.arange(len(starts))
    states = [starts]
    for step in numbers:
        # Rows add up to 1 within rounding; the scaled number is below the last sum.
        sums = cumulative[draws, states[-1]]
        states.append((sums <= step[:, None] * sums[:, -1:]).sum(axis=1))
    return np.array(states)


def agreement_table(found: Mapping[str, Private], draws: int) -> Table:
    """Return how much of a walk agrees with the true one."""
    rows = tuple(
        (k, it.epsilon, it.delta, it.exact, it.agreement.value, it.agreement.error)
        for k, it in found.items()
    )
    columns = (
        "k",
        "epsilon",
        "delta",
        "exact delta at the printed epsilon, 32 rows",
        "share of steps that agree",
        "its error",
    )
    return Table("agreement", f"Steps like the true walk's, {draws} walks each", columns, rows)


def walk_table(chain: Traffic, true: Sequence[int], found: Mapping[str, Private]) -> Table:
    """Return one walk by each chain."""
    taken = (true, *(it.walk for it in found.values()))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (step, *(chain.state(walk[step]) for walk in taken)) for step in range(STEPS + 1)
    )
    columns = (
        "step",
        "true chain",
        *(f"private, epsilon {it.epsilon:.3g}" for it in found.values()),
    )
    return Table("figure-2", "One walk by each chain", columns, rows)


def drawn(true: Sequence[int], found: Mapping[str, Private]) -> Figure:
    """Return the plot of one walk by each chain."""
    lines = {"true chain": list(enumerate(map(float, true)))}
    for it in found.values():
        lines[f"private, epsilon {it.epsilon:.3g}"] = list(enumerate(map(float, it.walk)))
    return curves({"fallin2023 Figure 2": lines}, xlabel="step", ylabel="state")


def pair(k: str, it: Private) -> Finding:
    """Return the finding on the privacy of one private matrix."""
    epsilon, delta = PRINTED[k]
    claim = f"fallin2023.section-5-{'low' if k == LOW else 'high'}-k"
    out = [comes_out(epsilon, it.epsilon), comes_out(delta, it.delta)]
    said = [
        f"{what} {'comes' if one else 'does not come'} out"
        for what, one in zip(("epsilon", "delta"), out, strict=True)
    ]
    holds = "holds" if it.exact <= float(delta) else "fails"
    return Finding(
        f"epsilon = {epsilon} and delta = {delta} at k = {k} (V)",
        f"by Theorem 1 ({it.epsilon:.4f}, {it.delta:.2g}); exactly, delta at {epsilon} is"
        f" {it.exact:.3g} where all 32 rows may change",
        Verdict.AS_PRINTED if all(out) else Verdict.NOT_AS_PRINTED,
        f"{', '.join(said)}; the pair {holds} (claims {claim}-epsilon, {claim}-delta and"
        f" {claim}-privacy)",
    )


def resemblance(found: Mapping[str, Private]) -> Finding:
    """Return the finding on the walks."""
    low, high = found[LOW], found[HIGH]
    return Finding(
        "walks resemble the true one more as epsilon rises (Figure 2)",
        f"{low.agreement.value:.0%} of the steps agree at epsilon = {low.epsilon:.3g},"
        f" {high.agreement.value:.0%} at {high.epsilon:.3g}",
        Verdict.IN_SHAPE if high.agreement.value > low.agreement.value else Verdict.NOT_AS_PRINTED,
        "other streets, many walks in the place of one (claim fallin2023.figure-2)",
    )
