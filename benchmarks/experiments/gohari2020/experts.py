"""Figure 3 and Table I: the private average of the opinions of 100 experts, and their spread.

The opinions are not printed. These are drawn, in pairs that exchange their first two coordinates,
so that, as in Table I, both collections' means differ by an exchange of two coordinates; here both
lie in W = {1, 2}, as Theorem 2 needs (claim gohari2020.table-1-inputs).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from simplexcert.certify.simulating.comparing import Mean
from simulation.draws import Array, log_rows

from ..curves import curves
from ..numbers import comes_out, upper
from ..outcome import Finding, Outcome, Plot, Running, Table, Verdict
from ..registry import Setting

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# Points of each collection in the plot.
SHOWN = 300


def statistics(means: Mapping[str, tuple[Fraction, ...]], found: Sequence[Outputs]) -> Table:
    """Return Table I for each k: means and variances, exactly and of the outputs."""
    rows = tuple(
        (
            one.k,
            f"{name}, coordinate {at + 1}",
            float(p),
            float(one.outputs[name][:, at].mean()),
            one.variances[name][at],
            float(one.outputs[name][:, at].var(ddof=1)),
        )
        for one in found
        for name, law in means.items()
        for at, p in enumerate(law)
    )
    columns = ("k", "average of", "mean", "mean of outputs", "variance", "variance of outputs")
    return Table("table-1", "Table I for the made-up opinions", columns, rows)


def tails(found: Sequence[Outputs]) -> Table:
    """Return what can be told from an output, and how often the good set is missed."""
    rows = tuple(
        (
            one.k,
            one.apart,
            (1 + one.apart) / 2,
            one.guessed.value,
            one.guessed.error,
            one.missing,
            one.missed.value,
            one.missed.error,
        )
        for one in found
    )
    columns = (
        "k",
        "total variation, certified",
        "best guess is right, certified",
        "simulated",
        "its error",
        "good set missed from the worst input, certified",
        "missed, simulated",
        "its error, missed",
    )
    return Table("figure-3", "From an output to the collection", columns, rows)


def spreads_table(spreads: Sequence[Spread]) -> Table:
    """Return how the variances of a table spread."""
    rows = tuple((one.runs, one.least, one.largest, one.above) for one in spreads)
    columns = ("runs", "5 % of variances below", "5 % above", "tables with one above 0.01")
    return Table("spread", "Empirical variances of Table I, by its number of runs", columns, rows)


def drawn(found: Sequence[Outputs]) -> Figure:
    """Return the plot: a panel for each k."""
    panels = {
        f"k = {one.k}": {
            f"simulated, from {name}": [(float(x[0]), float(x[1])) for x in outputs[:SHOWN]]
            for name, outputs in one.outputs.items()
        }
        for one in found
    }
    axes = {"xlabel": "first coordinate", "ylabel": "second coordinate"}
    return curves(panels, **axes, xlim=(0, 1), ylim=(0, 1))


EPSILON = "1.18"
# A guess is high where it is right more often than this; the paper gives no number.
HIGH = 0.6


def findings(
    epsilon: float, found: Sequence[Outputs], spreads: Sequence[Spread]
) -> tuple[Finding, ...]:
    """Return all findings on section VI."""
    return privacy(epsilon), variances(found[0], spreads), guessing(found[0]), two_ks(found)


def privacy(epsilon: float) -> Finding:
    """Return the finding on the pair of epsilon and delta."""
    return Finding(
        f"({EPSILON}, 0.05) by Theorem 2 (VI)",
        f"(18) with N = 100 for n is {epsilon:.4f} at the best gamma",
        Verdict.AS_PRINTED if comes_out(EPSILON, epsilon) else Verdict.NOT_AS_PRINTED,
        "in no rounding; the pair holds all the same (claim gohari2020.section-6-epsilon)",
    )


def variances(one: Outputs, spreads: Sequence[Spread]) -> Finding:
    """Return the finding on the variances of Table I."""
    exact = [value for values in one.variances.values() for value in values]
    listed = "; ".join(
        f"{spread.least:.4f} to {spread.largest:.4f} for {spread.runs} runs, {spread.above:.0%} of"
        " the tables with one above 0.01"
        for spread in spreads
    )
    return Finding(
        "six variances from 0.0092 to 0.0102, the desired 0.01 being achieved (Table I)",
        f"exactly {min(exact):.4f} to {max(exact):.4f}; of the outputs {listed}",
        Verdict.IN_SHAPE,
        "0.01 bounds the mechanism's variance, and three of the six printed are above it: so much"
        " comes of few runs, whose number is not printed (claim gohari2020.table-1-outputs)",
    )


def guessing(one: Outputs) -> Finding:
    """Return the finding on telling the collections apart."""
    right = (1 + one.apart) / 2
    return Finding(
        "an output does not tell P from Q with high probability (Figure 3)",
        f"the best guess at k = {one.k} is right with probability {right:.4f}, in"
        f" {one.guessed.value:.4f} of the outputs",
        Verdict.AS_PRINTED if right < HIGH else Verdict.NOT_AS_PRINTED,
        "by the certified total variation distance; below 0.515 for the printed means (claim"
        " gohari2020.figure-3-indistinguishable)",
    )


def two_ks(found: Sequence[Outputs]) -> Finding:
    """Return the finding on the smaller k."""
    more, less = found
    wider = min(less.variances["P"]) > max(more.variances["P"])
    return Finding(
        "at k = 10 outputs are less concentrated and miss the good set more often (VI)",
        f"variances up to {max(less.variances['P']):.4f} against {max(more.variances['P']):.4f};"
        f" missed from the worst input {less.missed.value:.4f} against {more.missed.value:.4f},"
        f" certified {less.missing:.4f} against {more.missing:.4f}",
        Verdict.AS_PRINTED
        if wider and less.missing > more.missing and less.missed.value > more.missed.value
        else Verdict.NOT_AS_PRINTED,
        "at the gamma of k = 24 for both (claim gohari2020.figure-3-omega2)",
    )


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
