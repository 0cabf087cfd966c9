"""The site's figures, drawn while it is built, from numbers that are worked out then.

Each is an SVG of its own under ``figures/``; `assemble` also puts it into the pages that show it,
where the theme's colours reach it. What a curve of a quantity shows are upper ends, rounded up.
"""

from __future__ import annotations

import math
import re
import statistics
import tempfile
import timeit
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simplexcert.certify import audit
from simplexcert.certify.report.page.drawing import DARK, DRAWN, LIGHT, drawn, legend_below
from simplexcert.certify.report.page.loss_plot import release_picture
from simplexcert.reference import evaluate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROOT = Path(__file__).resolve().parents[2]
Line = tuple[str, str, Sequence[tuple[float, float]]]
# Plots need no more; every point is still proved.
_DIGITS = 5
_SOLID, _BROKEN, _DOTTED = "curve -", "printed --", "claimed :"
_FORTH = "certified -."
# A name of a colour and a style of matplotlib's.
_STYLE = re.compile(r"(\S+) (\S+)")
_NOT_IN_A_NAME = re.compile(r"[^a-z0-9]+")


def upper(name: str, **parameters: object) -> float:
    """Return a quantity's upper end, rounded up."""
    return float(evaluate(name, parameters, digits=_DIGITS).upper_float)


def plotted(name: str, title: str, description: str, lines: Iterable[Line], **axes: Any) -> str:
    """Return a plot of lines, each a label, a colour with a style, and points."""

    def draw(place: Axes) -> None:
        for label, style, points in lines:
            colour, dashes = _STYLE.findall(style)[0]
            marked = dashes == "o"
            place.plot(
                [x for x, _ in points],
                [y for _, y in points],
                color=LIGHT[colour],
                linestyle="none" if marked else dashes,
                marker="o" if marked else "none",
                linewidth=2,
                markersize=6,
                label=label,
            )
        _described(place, **axes)
        legend_below(place)

    return drawn(_identifier(name), draw, title, description)


def _described(place: Axes, **axes: Any) -> None:
    """Set the scales and labels; powers are written so that any font can show them."""
    from matplotlib.ticker import FuncFormatter, NullLocator

    place.set(**axes)
    for axis in (place.xaxis, place.yaxis):
        if axis.get_scale() == "log":
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            axis.set_minor_locator(NullLocator())


def _identifier(name: str) -> str:
    return "figure-" + _NOT_IN_A_NAME.sub("-", name)


def _spread(low: float, high: float, count: int) -> list[Fraction]:
    """Return exact numbers, evenly spaced by ratio as far as three digits can tell."""
    step = (high / low) ** (1 / (count - 1))
    return [Fraction(f"{low * step**at:.3g}") for at in range(count)]


def _even(low: str, high: str, count: int) -> list[Fraction]:
    first, last = Fraction(low), Fraction(high)
    return [first + (last - first) * at / (count - 1) for at in range(count)]


def _along(points: Iterable[Fraction], height: Callable[[Fraction], float]) -> list[Any]:
    return [(float(at), height(at)) for at in points]


def of_claim(example: str) -> Callable[[], str]:
    """Return what draws a published claim: exact curve, printed bound and claim, as reports do."""

    def draw() -> str:
        picture = release_picture(audit(f"example:{example}"))
        if picture is None:
            raise ValueError(f"{example} has no curve")
        return re.sub(r'(?<=["# (])loss-', f"{_identifier(example)}-", picture.svg)

    return draw


# One figure for each paper: what it prints, and what is true.


def gohari() -> str:
    """Identity query: the printed epsilon beside the exact one, at the delta that is printed."""
    fixed = {"eta": "0.1", "w": 2}
    delta = "0.05"

    def printed(k: Fraction) -> float:
        gamma = evaluate("dirichlet.identity.gamma", {**fixed, "k": k, "delta": delta}).lower
        rest = {"k": k, "eta_bar": "0.1", "b": "0.1", "gamma": gamma}
        return upper("dirichlet.identity.epsilon_bound", **fixed, **rest)

    def exact(k: Fraction) -> float:
        return upper("dirichlet.profile.epsilon", alpha=k / 10, step=k / 20, delta=delta)

    points = _spread(2, 200, 24)
    return plotted(
        "gohari2020",
        "gohari2020 Theorem 1: epsilon at delta = 0.05",
        "The printed epsilon lies above the exact one at every concentration.",
        [
            ("printed: Theorem 1 with the best gamma", _BROKEN, _along(points, printed)),
            ("exact", _SOLID, _along(points, exact)),
        ],
        xlabel="concentration k",
        ylabel="epsilon",
        xscale="log",
    )


def fallin() -> str:
    """Matrix: the exact delta where one, three and all rows change, beside the printed pair."""
    fixed = {"k": 4, "eta": "1/4", "b": "1/2"}
    points = _even("0", "10", 26)
    colours = {1: _SOLID, 2: _FORTH, 3: "refuted -"}
    lines: list[Line] = [
        (
            f"exact, {rows} row{'s' * (rows > 1)} changed",
            style,
            _along(
                points,
                lambda e, rows=rows: upper(
                    "dirichlet.matrix.delta", **fixed, changed_rows=rows, epsilon=e
                ),
            ),
        )
        for rows, style in colours.items()
    ]
    lines.append(("printed for all rows: Theorem 1", "printed o", [(7.0890763355, 0.005988008)]))
    return plotted(
        "fallin2023",
        "fallin2023 Theorem 1: three rows that change together",
        "The printed pair lies above the curve of one changed row, and below that of three.",
        lines,
        xlabel="epsilon",
        ylabel="delta",
        yscale="log",
    )


def benvenuti() -> str:
    """Grades: the printed epsilon beside the exact one, at the printed delta, along k."""
    fixed = {"eta": "0.073", "n": 5, "gamma": "0.0004"}

    def printed(k: Fraction) -> float:
        return upper("dirichlet.counts.epsilon_bound", k=k, N=98, **fixed)

    def exact(k: Fraction) -> float:
        delta = evaluate("dirichlet.counts.delta_bound", {"k": k, **fixed}).lower
        floor = k * math.ceil(Fraction("0.073") * 98) / 98
        return upper("dirichlet.profile.epsilon", alpha=floor, step=k / 98, delta=delta)

    points = _even("20.6", "110.6", 19)
    return plotted(
        "benvenuti2025",
        "benvenuti2025 Theorem 1: the grades of one course",
        "The printed epsilon is several times the exact one at every concentration.",
        [
            ("printed: equation (6)", _BROKEN, _along(points, printed)),
            ("exact, at the delta of equation (7)", _SOLID, _along(points, exact)),
        ],
        xlabel="concentration k",
        ylabel="epsilon",
        ylim=(0, None),
    )


def ponnoprat() -> str:
    """Histogram: the Renyi epsilon that Algorithm 1 guarantees beside the exact one."""
    order = 5

    def printed(step: Fraction) -> float:
        fixed = {"delta2_squared": 2, "delta_inf": 1}
        return upper("dirichlet.renyi.epsilon_bound", order=order, step=step, **fixed)

    def exact(family: str) -> Callable[[Fraction], float]:
        return lambda step: upper(
            f"dirichlet.{family}.renyi", alpha=1 + 4 * (order - 1) * step, step=step, order=order
        )

    points = _spread(0.03, 3, 20)
    return plotted(
        "ponnoprat2023",
        "ponnoprat2023 Algorithm 1: Renyi epsilon of a histogram at order 5",
        "The guaranteed epsilon lies above the exact ones at every step, by a little.",
        [
            ("printed: Algorithm 1", _BROKEN, _along(points, printed)),
            ("exact, a record replaced", _SOLID, _along(points, exact("profile"))),
            ("exact, one added or removed", _FORTH, _along(points, exact("add_remove"))),
        ],
        xlabel="step",
        ylabel="epsilon",
        xscale="log",
    )


_CHAIN = {"initial": [Fraction(1, 2), Fraction(1, 2)], "P": [["0.9", "0.1"], ["0.1", "0.9"]]}


def song() -> str:
    """A chain of two states: the scale each method asks for one unit of a query that counts."""
    length = 60
    chains = [{"initial": "stationary", "P": _CHAIN["P"]}]
    gap = evaluate("pufferfish.eigengap", {"P": _CHAIN["P"]}).lower
    distance = upper("pufferfish.chain_wasserstein", chains=chains, length=length, values=[[0, 1]])

    def approx(epsilon: Fraction) -> float:
        fixed = {"pi_min": "1/2", "gap": gap, "length": length}
        return upper("pufferfish.quilt_scale_approx_stationary", epsilon=epsilon, **fixed)

    def exact(epsilon: Fraction) -> float:
        fixed = {"chains": chains, "length": length, "width": length}
        return upper("pufferfish.quilt_scale_exact", epsilon=epsilon, **fixed)

    points = _spread(0.2, 5, 12)
    return plotted(
        "song2017",
        "song2017: the scale of Laplace noise on a count in a chain of 60 steps",
        "Four scales that are all enough: each falls as epsilon rises, and they differ by up to "
        "an order of magnitude.",
        [
            ("one group: length/epsilon", _DOTTED, _along(points, lambda e: length / float(e))),
            ("printed: MQMApprox", _BROKEN, _along(points, approx)),
            ("printed: MQMExact", _FORTH, _along(points, exact)),
            ("Wasserstein mechanism", _SOLID, _along(points, lambda e: distance / float(e))),
        ],
        xlabel="epsilon",
        ylabel="scale",
        xscale="log",
        yscale="log",
    )


_TINY_DELTA = "1e-5"


def least_noise() -> str:
    """The clique of song2017: the noise that mechanisms ask for, and the least that is enough."""
    own = audit("example:song2017-flu").claim.parameters.given
    laws = {key: own[key] for key in ("values", "laws", "secrets", "pairs")}
    distance = upper("pufferfish.wasserstein_scale", **laws, epsilon=1)

    def least(noise: str, delta: str) -> Callable[[Fraction], float]:
        fixed = {**laws, "noise": noise, "delta": delta}
        return lambda epsilon: upper("pufferfish.least_scale", **fixed, epsilon=epsilon)

    def normal(epsilon: Fraction) -> float:
        at = {"epsilon": epsilon, "delta": _TINY_DELTA}
        return distance * upper("gaussian.noise_multiplier_for_dp", **at)

    points = _spread(0.3, 4, 12)
    return plotted(
        "least-noise",
        "song2017: the noise on how many of a clique of four have the flu",
        "At each epsilon the least scale of Laplace and of normal noise is below the one that the "
        "Wasserstein distance asks for; normal noise is at a delta of one in a hundred thousand.",
        [
            (
                "Laplace noise: W/epsilon, as printed",
                _BROKEN,
                _along(points, lambda e: distance / float(e)),
            ),
            ("Laplace noise: the least", _SOLID, _along(points, least("laplace", "0"))),
            (f"normal noise, delta = {_TINY_DELTA}: by W", _DOTTED, _along(points, normal)),
            (
                f"normal noise, delta = {_TINY_DELTA}: the least",
                _FORTH,
                _along(points, least("gaussian", _TINY_DELTA)),
            ),
        ],
        xlabel="epsilon",
        ylabel="scale of the noise",
        xscale="log",
        yscale="log",
    )


# Figures of the guides.
_SURVEY = {"eta": "0.1", "N": 200}
_SHARES = ("0.4", "0.25", "0.2", "0.15")


@cache
def _largest_k(epsilon: Fraction, delta: str) -> Fraction:
    found = evaluate("dirichlet.counts.k_for_dp", {**_SURVEY, "epsilon": epsilon, "delta": delta})
    return Fraction(found.lower)


def largest_k() -> str:
    """The largest concentration of the survey that keeps a claim, against epsilon."""
    points = _even("0.9", "3", 22)
    styles = {"1e-4": _FORTH, "1e-6": _SOLID, "1e-9": _BROKEN}
    return plotted(
        "largest-k",
        "The largest k that keeps a claim",
        "The more epsilon and delta are allowed, the more concentrated the draws may be.",
        [
            (f"delta = {d}", style, _along(points, lambda e, d=d: float(_largest_k(e, d))))
            for d, style in styles.items()
        ],
        xlabel="epsilon",
        ylabel="largest concentration k",
        ylim=(0, None),
    )


def survey_error() -> str:
    """The mean error of the survey's shares at the largest k, against epsilon."""

    def error(delta: str) -> Callable[[Fraction], float]:
        return lambda epsilon: sum(
            upper("dirichlet.utility.absolute_deviation", p=p, k=_largest_k(epsilon, delta))
            for p in _SHARES
        )

    points = _even("0.9", "3", 22)
    return plotted(
        "survey-error",
        "What privacy costs: the mean error of the four shares together",
        "The mean error falls as epsilon rises, and is larger for a smaller delta.",
        [
            (f"delta = {delta}", style, _along(points, error(delta)))
            for delta, style in {"1e-4": _FORTH, "1e-6": _SOLID, "1e-9": _BROKEN}.items()
        ],
        xlabel="epsilon",
        ylabel="mean error in the 1-norm",
        ylim=(0, None),
    )


def rounding() -> str:
    """By how much the formula of the guide for backends falls below the truth, and mended."""
    points = [Fraction(k) for k in range(1, 61)]

    def excess(answer: Callable[[float], float]) -> Callable[[Fraction], float]:
        def off(k: Fraction) -> float:
            truth = evaluate("dirichlet.utility.variance_bound", {"k": k}).exact
            return float((Fraction(answer(float(k))) - truth) / truth) * 1e16

        return off

    return plotted(
        "rounding",
        "A bound in floats, by how much it is above or below the truth",
        "About half of the answers of the plain formula are below the truth; none of the mended.",
        [
            (
                "0.25/(k + 1), as written",
                "refuted o",
                _along(points, excess(lambda k: 0.25 / (k + 1))),
            ),
            (
                "four units in the last place more",
                _SOLID,
                _along(
                    points,
                    excess(lambda k: math.nextafter(0.25 / (k + 1) * (1 + 2**-50), math.inf)),
                ),
            ),
            ("the truth", _DOTTED, [(1.0, 0.0), (60.0, 0.0)]),
        ],
        xlabel="k",
        ylabel="relative error, in units of 1e-16",
    )


def cancellation() -> str:
    """The relative error of the profile as textbooks write it, in floats, as the step falls."""
    from scipy.special import betainc
    from simplexcert.certify.backends.float64 import backend

    def textbook(alpha: float, step: float, epsilon: float) -> float:
        q = 1 / (1 + math.exp(epsilon / step))
        return float(
            betainc(alpha, alpha + step, q) - math.exp(epsilon) * betainc(alpha + step, alpha, q)
        )

    def error(answer: Callable[..., float]) -> Callable[[Fraction], float]:
        def off(step: Fraction) -> float:
            point = {"alpha": Fraction(10), "step": step, "epsilon": step / 4}
            truth = evaluate("dirichlet.profile.delta", point).lower
            found = answer(**{name: float(value) for name, value in point.items()})
            return max(abs(float((Fraction(found) - truth) / truth)), 1e-17)

        return off

    points = _spread(1e-9, 1, 28)
    ours: Any = backend.quantities["dirichlet.profile.delta"]
    return plotted(
        "cancellation",
        "Error of delta in floats at alpha = 10, epsilon = step/4",
        "The difference of two incomplete betas loses digits as the step falls; "
        "the positive series does not.",
        [
            (
                "SciPy: a difference of incomplete betas",
                "refuted o",
                _along(points, error(textbook)),
            ),
            ("built-in backend: a positive series", _SOLID, _along(points, error(ours))),
        ],
        xlabel="step",
        ylabel="relative error",
        xscale="log",
        yscale="log",
    )


def naive_bayes() -> str:
    """The log loss of the private model of the guide, by three methods, against epsilon."""
    import numpy as np
    from simplexcert.certify.models import PrivateNaiveBayes
    from sklearn.metrics import log_loss

    generator = np.random.default_rng(0)
    y = generator.integers(0, 2, 1000)
    X = np.column_stack([generator.binomial(2, 0.2 + 0.5 * y), generator.integers(0, 3, 1000)])  # noqa: N806

    def loss(method: str) -> Callable[[Fraction], float]:
        def mean(epsilon: Fraction) -> float:
            losses = []
            for seed in range(5):
                model = PrivateNaiveBayes(
                    [3, 3],
                    classes=[0, 1],
                    epsilon=str(epsilon),
                    order=5,
                    method=method,
                    draw="float",
                    random_state=seed,
                )
                losses.append(log_loss(y, model.fit(X, y).predict_proba(X)))
            return statistics.median(losses)

        return mean

    points = _spread(0.001, 1, 6)
    return plotted(
        "naive-bayes",
        "A private naive Bayes classifier: log loss against epsilon",
        "The log loss falls as epsilon rises, by each of three methods.",
        [
            ("Dirichlet", _SOLID, _along(points, loss("dirichlet"))),
            ("Gaussian noise", _BROKEN, _along(points, loss("gaussian"))),
            ("Laplace noise", _FORTH, _along(points, loss("laplace"))),
        ],
        xlabel="epsilon, (5, epsilon)-Renyi privacy",
        ylabel="log loss, median of 5 fits",
        xscale="log",
    )


def ten_releases() -> str:
    """Delta of ten releases together: exact, and by dp-accounting from our loss distribution."""
    from simplexcert.certify.adapters.dp_accounting import privacy_loss_distribution

    ten = privacy_loss_distribution("5.44", "0.28").self_compose(10)
    points = _even("0.25", "3", 12)
    return plotted(
        "ten-releases",
        "Ten releases together: delta at each epsilon",
        "dp-accounting's delta from our loss distribution lies on the exact one; "
        "adding up the epsilons of ten releases gives far more.",
        [
            ("one release, ten times as much epsilon", _BROKEN, _along(points, _ten_times)),
            ("exact", _SOLID, _along(points, _composed)),
            (
                "dp-accounting, from our distribution",
                "claimed o",
                _along(points, lambda e: float(ten.get_delta_for_epsilon(float(e)))),
            ),
        ],
        xlabel="epsilon",
        ylabel="delta",
        yscale="log",
    )


def _composed(epsilon: Fraction) -> float:
    return upper("dirichlet.composition.delta", releases=[["5.44", "0.28", 10]], epsilon=epsilon)


def _ten_times(epsilon: Fraction) -> float:
    """Basic composition: ten times the delta at a tenth of epsilon, and 1 at most."""
    once = upper("dirichlet.profile.delta", alpha="5.44", step="0.28", epsilon=epsilon / 10)
    return min(10 * once, 1.0)


# Speed: one quantity by every route, on the machine that builds the site.
_SPEED_SECONDS = 0.2


def speed() -> str:
    """Answers a second, by each route to delta, as measured while the site was built."""
    bars = [(label, 1 / _seconds_each(call, each)) for label, call, each in _routes()]
    measured = ", ".join(f"{label}: {value:,.0f}" for label, value in bars)
    description = f"Answers a second, measured while this site was built. {measured}."
    return barred("speed", "delta of one release: answers a second", description, bars)


def _routes() -> Iterator[tuple[str, Callable[[], object], int]]:
    import mpmath
    import numpy as np
    from scipy.special import betainc
    from simplexcert.certify.backends.float64 import backend

    size = 10_000
    random = np.random.default_rng(20)
    alpha = random.uniform(1, 50, size)
    step = alpha * random.uniform(0.05, 0.5, size)
    epsilon = step * random.uniform(0.1, 1, size)
    ours: Any = backend.quantities["dirichlet.profile.delta"]

    def textbook() -> object:
        q = 1 / (1 + np.exp(epsilon / step))
        return betainc(alpha, alpha + step, q) - np.exp(epsilon) * betainc(alpha + step, alpha, q)

    def by_mpmath() -> object:
        q = 1 / (1 + mpmath.exp(mpmath.mpf("0.3") / mpmath.mpf("0.5")))
        front = mpmath.betainc(5, "5.5", 0, q, regularized=True)
        back = mpmath.betainc("5.5", 5, 0, q, regularized=True)
        return front - mpmath.exp(mpmath.mpf("0.3")) * back

    point = {"alpha": 5, "step": "1/2", "epsilon": "0.3"}
    arrays = {"alpha": alpha, "step": step, "epsilon": epsilon}
    yield "built-in backend, arrays", lambda: ours(**arrays), size
    yield "SciPy's formula, arrays", textbook, size
    yield "proved, 20 digits (Arb)", lambda: evaluate("dirichlet.profile.delta", point), 1
    yield (
        "second engine, 20 digits",
        lambda: evaluate("dirichlet.profile.delta", point, engine="second"),
        1,
    )
    yield "mpmath's formula, 15 digits", by_mpmath, 1


def _seconds_each(call: Callable[[], object], answers: int) -> float:
    """Return the least mean time of an answer, of a few repetitions."""
    timer = timeit.Timer(call)
    number = max(1, int(_SPEED_SECONDS / 4 / max(timer.timeit(1), 1e-7)))
    return min(timer.repeat(3, number)) / number / answers


def barred(name: str, title: str, description: str, bars: Sequence[tuple[str, float]]) -> str:
    """Return bars, the first on top, on a logarithmic axis, each with its number."""

    def draw(place: Axes) -> None:
        labels, values = [label for label, _ in bars], [value for _, value in bars]
        places = range(len(bars), 0, -1)
        place.barh(list(places), values, height=0.45, color=LIGHT["curve"], log=True)
        for at, label, value in zip(places, labels, values, strict=True):
            # Above its bar, so that a phone shows it whole.
            place.text(min(values) / 4, at + 0.27, f"{label}: {value:,.0f}", va="bottom")
        place.set(yticks=[], xlim=(min(values) / 4, max(values) * 2), ylim=(0.5, len(bars) + 0.8))
        _described(place, xlabel="answers a second")

    return drawn(_identifier(name), draw, title, description)


_ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
_COLUMNS = 3


def stages() -> list[tuple[str, str]]:
    """Return the stages of CONTRIBUTING's map, in order, each with its first folder."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## To add")[0]
    _head, *rows = _ROW.findall(text.partition("## The map")[2])
    return [(stage, where.partition("`")[2].partition("`")[0]) for stage, where, *_ in rows]


def house() -> str:
    """The map of the house: the stages in their order, and in which folder each is."""
    found = stages()
    rows = -(-len(found) // _COLUMNS)

    def draw(place: Axes) -> None:
        for at, (stage, where) in enumerate(found):
            column, row = divmod(at, rows)
            proved = where.startswith("reference")
            colour = LIGHT["curve" if proved else "ink"]
            x, y = column * 3.2, -row * 1.5
            if row:
                place.annotate(
                    "",
                    (x + 1.4, y + 1.0),
                    (x + 1.4, y + 1.5),
                    arrowprops={"arrowstyle": "->", "color": LIGHT["ink"]},
                )
            place.add_patch(_box(x, y, colour))
            place.text(x + 1.4, y + 0.66, stage, ha="center", va="center", fontsize=10)
            place.text(x + 1.4, y + 0.28, where, ha="center", va="center", fontsize=8, color=colour)
        place.set(xlim=(-0.1, 3.2 * _COLUMNS - 0.3), ylim=(-1.5 * (rows - 1) - 0.1, 1.1))
        place.set_axis_off()

    return drawn(
        "figure-map",
        draw,
        "The map of the house",
        "The stages, column by column; no stage knows a later one: "
        + ", ".join(f"{stage} ({where})" for stage, where in found)
        + ".",
    )


def _box(x: float, y: float, colour: str) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((x, y), 2.8, 1.0, facecolor="none", edgecolor=colour, linewidth=1.5)


FIGURES: Mapping[str, Callable[[], str]] = {
    "figures/grades.svg": of_claim("benvenuti2025-grades"),
    "figures/three-rows.svg": of_claim("fallin2023-three-rows"),
    "figures/training.svg": of_claim("opacus-643"),
    "figures/map.svg": house,
    "figures/gohari2020.svg": gohari,
    "figures/fallin2023.svg": fallin,
    "figures/benvenuti2025.svg": benvenuti,
    "figures/ponnoprat2023.svg": ponnoprat,
    "figures/song2017.svg": song,
    "figures/least-noise.svg": least_noise,
    "figures/largest-k.svg": largest_k,
    "figures/survey-error.svg": survey_error,
    "figures/rounding.svg": rounding,
    "figures/cancellation.svg": cancellation,
    "figures/naive-bayes.svg": naive_bayes,
    "figures/ten-releases.svg": ten_releases,
    "figures/speed.svg": speed,
}


def report(example: str) -> str:
    """Return the page that reports on a published claim, as `audit --report` writes it."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "report.html"
        audit(f"example:{example}").write_report(made)
        return made.read_text(encoding="utf-8")


# Reports that pages show, each a page of its own.
REPORTS: Mapping[str, Callable[[], str]] = {
    "reports/three-rows.html": lambda: report("fallin2023-three-rows"),
}


def colours() -> str:
    """Return the style sheet's part that exchanges a drawing's colours in the dark."""
    dark = {LIGHT[name]: DARK[name] for name in (*DRAWN, "certified", "muted")}
    dark[LIGHT["background"]] = "var(--md-default-bg-color)"
    dark["#000000"] = DARK["ink"]  # what matplotlib draws by itself
    # Letters that are drawn as paths have no colour of their own, which is black.
    unnamed = f'[data-md-color-scheme="slate"] figure.drawn svg {{ fill: {DARK["ink"]}; }}\n'
    return unnamed + "".join(
        f'[data-md-color-scheme="slate"] figure.drawn [{what}="{light}"] {{ {what}: {instead}; }}\n'
        for light, instead in dark.items()
        for what in ("fill", "stroke")
    )
