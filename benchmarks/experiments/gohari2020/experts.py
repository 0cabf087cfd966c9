"""Figure 3 and Table I: the private average of the opinions of 100 experts, and their spread.

The opinions are not printed. These are drawn, in pairs that exchange their first two coordinates,
so that, as in Table I, both collections' means differ by an exchange of two coordinates; here both
lie in W = {1, 2}, as Theorem 2 needs (claim gohari2020.table-1-inputs).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from simplexcert.certify.simulating.comparing import Mean
from simulation.draws import Array, log_rows

from ..certified import upper
from ..outcome import Outcome, Plot, Running
from ..registry import Setting
from .expert_findings import findings
from .expert_tables import drawn, spreads_table, statistics, tails

EXPERTS, KS, ETA, ETA_BAR, PROTECTED, ADJACENT = 100, (24, 10), "0.05", "0.05", 2, 1
DELTA = "0.05"
# The opinions are in thousandths. One expert has this opinion or its exchange: 1 apart.
GRAIN, ONE, EVEN = 1_000, (150, 650, 200), (333, 333, 334)
DRAWS, QUICK_DRAWS = 200_000, 4_000
# Runs behind one Table I, which are not printed, and how many such tables are drawn.
RUNS, TABLES, QUICK_TABLES = (20, 100, 1_000), 1_000, 50
DESIRED = 0.01
# Opinions drawn before those that the bordered simplex excludes are dropped: half of them are left.
_TRIED = 1_000

Law = tuple[Fraction, ...]


@dataclass(frozen=True)
class Outputs:
    """What came of one k: outputs of both collections, and what is certified of them."""

    k: int
    outputs: dict[str, Array]
    variances: dict[str, tuple[float, ...]]
    apart: float
    guessed: Mean
    missed: Mean
    missing: float


@dataclass(frozen=True)
class Spread:
    """The six empirical variances of tables of so many runs."""

    runs: int
    least: float
    largest: float
    above: float


def figure_3(setting: Setting) -> Running:
    """Privatise the averages of two adjacent collections of opinions."""
    means = averages(setting.generator("opinions"))
    gamma = upper("dirichlet.identity.gamma", k=KS[0], eta=ETA, w=PROTECTED, delta=DELTA)
    found = []
    for k in KS:
        found.append(outputs_of(setting, means, k, gamma))
        yield 0.4 * len(found)
    spreads = [spread(setting, means, runs) for runs in RUNS]
    given = {"k": KS[0], "eta": ETA, "eta_bar": ETA_BAR, "b": ADJACENT, "w": PROTECTED}
    epsilon = upper("dirichlet.average.epsilon_bound", **given, N=EXPERTS, gamma=gamma)
    return Outcome(
        tables=(statistics(means, found), tails(found), spreads_table(spreads)),
        plots=(Plot("figure-3", "Outputs from both collections", drawn(found)),),
        findings=findings(epsilon, found, spreads),
        notes=(note(gamma),),
    )


def note(gamma: float) -> str:
    """Return what the reader has to know of the opinions."""
    return (
        f"{EXPERTS} made-up opinions, W = {{1, 2}}, eta = eta_bar = {ETA}, b = {ADJACENT}, gamma ="
        f" {gamma:.5g}, which is dirichlet.identity.gamma for delta = {DELTA} at k = {KS[0]}."
    )


def averages(random: np.random.Generator) -> dict[str, Law]:
    """Return the means of the two collections."""
    pairs = opinions(random, EXPERTS // 2 - 1)
    rest = [*pairs, *((b, a, c) for a, b, c in pairs), EVEN]
    exchanged = (ONE[1], ONE[0], ONE[2])
    return {"P": mean([ONE, *rest]), "Q": mean([exchanged, *rest])}


def opinions(random: np.random.Generator, many: int) -> list[tuple[int, ...]]:
    """Return opinions of the bordered simplex, in thousandths."""
    drawn = np.floor(GRAIN * random.dirichlet((1.0, 1.0, 1.0), size=_TRIED)).astype(int)
    drawn[:, 2] = GRAIN - drawn[:, :2].sum(axis=1)
    # Floors of 0.05 on W and for what is left, which is eta_bar.
    inside = drawn[drawn.min(axis=1) >= GRAIN // 20]
    return [tuple(map(int, one)) for one in inside[:many]]


def mean(vectors: Sequence[Sequence[int]]) -> Law:
    """Return the mean of vectors of thousandths."""
    return tuple(
        Fraction(sum(column), GRAIN * len(vectors)) for column in zip(*vectors, strict=True)
    )


def outputs_of(setting: Setting, means: dict[str, Law], k: int, gamma: float) -> Outputs:
    """Draw outputs from both collections, and from the worst input."""
    draws = QUICK_DRAWS if setting.quick else DRAWS
    drawn = {
        name: released(setting.generator(k, name), law, k, draws) for name, law in means.items()
    }
    floor = Fraction(ETA)
    worst = released(setting.generator(k, "worst"), (floor, floor, 1 - 2 * floor), k, draws)
    given = {"alpha": k * min(means["P"][:2]), "step": Fraction(k * ADJACENT, 2 * EXPERTS)}
    return Outputs(
        k,
        drawn,
        {
            name: tuple(upper("dirichlet.utility.variance", p=p, k=k) for p in law)
            for name, law in means.items()
        },
        upper("dirichlet.profile.total_variation", **given),
        Mean.of(guesses(drawn)),
        Mean.of((worst[:, :PROTECTED].min(axis=1) < gamma).astype(np.float64)),
        upper("dirichlet.identity.delta_bound", k=k, eta=ETA, w=PROTECTED, gamma=gamma),
    )


def released(random: np.random.Generator, law: Law, k: int, draws: int) -> Array:
    """Return outputs of the mechanism."""
    alphas = k * np.array([law], dtype=np.float64)
    return np.asarray(np.exp(log_rows(random, alphas, draws)[:, 0]))


def guesses(drawn: dict[str, Array]) -> NDArray[np.float64]:
    """Return 1 where the likelier collection is the true one, for outputs of either.

    The means are exchanges of each other, and P has the smaller first coordinate: the likelier one
    is P where the output's first coordinate is the smaller.
    """
    of_p = drawn["P"][:, 0] < drawn["P"][:, 1]
    of_q = drawn["Q"][:, 0] > drawn["Q"][:, 1]
    return np.concatenate([of_p, of_q]).astype(np.float64)


def spread(setting: Setting, means: dict[str, Law], runs: int) -> Spread:
    """Return how the six variances of Table I spread over tables of so many runs at the first k."""
    tables = QUICK_TABLES if setting.quick else TABLES
    six = []
    for name, law in means.items():
        random = setting.generator("table", name, runs)
        drawn = released(random, law, KS[0], tables * runs)
        six.append(drawn.reshape(tables, runs, -1).var(axis=1, ddof=1))
    variances = np.concatenate(six, axis=1)
    least, largest = np.quantile(variances, (0.05, 0.95))
    above = (variances.max(axis=1) > DESIRED).mean()
    return Spread(runs, float(least), float(largest), float(above))
