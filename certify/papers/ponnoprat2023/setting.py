"""Sections 1 to 2.2: additive noise, Renyi privacy, and the exponential mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from random import Random

from flint import arb

from ....reference.arb.balls import ball
from ....reference.dirichlet.utility import expected_kl_prior
from ....reference.second.directed import Span
from ..evidence import Formula, Instance, Proof, Reproduced
from ..statement import Reading, Statement
from ..values import At, Exactly, Worked, at_precision, draws, fractions, span, spans_total
from .inputs import divergence, law, number, rational, total, worked

# Section 1: the example of additive noise.

_NOTE = "ponnoprat2023/noise-example.md"
P = fractions("0.1", "0.9")
_NOISES = (fractions("-0.090", "0.045"), fractions("-0.099", "-0.038"))
NOISY = tuple(tuple(p + z for p, z in zip(P, noise, strict=True)) for noise in _NOISES)
LAWS = tuple(tuple(x / sum(each) for x in each) for each in NOISY)
_Vector = Sequence[Fraction]


def _distance(noise: _Vector, noisy: _Vector) -> Worked:
    return rational(
        "1-norm of the noise",
        lambda: sum(map(abs, noise), Fraction(0)),
        lambda: sum((max(x, p) - min(x, p) for x, p in zip(noisy, P, strict=True)), Fraction(0)),
    )


def _by_spans(q: _Vector) -> Span:
    """Enclose the divergence as differences of logarithms."""
    pairs = zip(P, q, strict=True)
    return spans_total([span(a) * (span(a).log() - span(b).log()) for a, b in pairs])


def _of(q: _Vector, name: str) -> Worked:
    return worked(f"KL(p || {name})", lambda: divergence(P, q), lambda: _by_spans(q))


def _ratio(pair: Sequence[_Vector], name: str) -> Worked:
    one, other = pair

    def balls() -> arb:
        return divergence(P, other) / divergence(P, one)

    return worked(
        f"KL(p || second)/KL(p || first), {name}",
        balls,
        lambda: _by_spans(other) / _by_spans(one),
    )


def cross_entropy_ratio() -> Worked:
    """Enclose log 0.1/log 0.4, the comparison of Section 5.1."""
    low, high = fractions("0.1", "0.4")
    return worked(
        "log 0.1/log 0.4",
        lambda: ball(low).log() / ball(high).log(),
        lambda: span(low).log() / span(high).log(),
    )


_NOISE_STATEMENTS = (
    Statement(
        id="ponnoprat2023.example-1",
        kind="number",
        where="Section 1, p. 2, p = (0.1, 0.9) and two noises from Laplace(1/10)",
        says="Two noises of 1-norms 0.135 and 0.137 move p by 0.186 and 0.499 in divergence, "
        "2.68 times as much.",
        hypotheses=("the sum of p_i log(p_i/x_i) for the noisy vectors x as they are",),
        note=_NOTE,
        evidence=(
            Reproduced("1-norm of the first noise", "0.135", _distance(_NOISES[0], NOISY[0])),
            Reproduced("1-norm of the second noise", "0.137", _distance(_NOISES[1], NOISY[1])),
            Reproduced("first divergence", "0.186", _of(NOISY[0], "p + first noise")),
            Reproduced("second divergence", "0.499", _of(NOISY[1], "p + second noise")),
            Reproduced("their ratio", "2.68", _ratio(NOISY, "vectors as they are")),
        ),
        readings=(
            Reading(
                "divergences of laws: the noisy vectors divided by their sums 0.955 and 0.863",
                (
                    Reproduced("first", "0.186", _of(LAWS[0], "normalised p + first noise")),
                    Reproduced("second", "0.499", _of(LAWS[1], "normalised p + second noise")),
                    Reproduced("their ratio", "2.68", _ratio(LAWS, "normalised vectors")),
                ),
            ),
        ),
    ),
)


# Formulas of the note on Section 2.1, executed in rationals and in balls.

_Law = tuple[Fraction, ...]


def _renyi(p: _Law, q: _Law, order: Fraction) -> arb:
    """Enclose the Renyi divergence of two laws on the same points."""
    if order == 1:
        return divergence(p, q)
    kappa = ball(order - 1)
    pairs = zip(p, q, strict=True)
    return total([ball(a) * (ball(a) / ball(b)) ** kappa for a, b in pairs]).log() / kappa


@at_precision
def _divergence_rises_with_the_order() -> bool:
    """D at orders 1, 3/2, 2, 5, 9 of drawn laws; epsilon bounds E e^((order-1) Z)."""
    for random in draws(51):
        p, q = law(random), law(random)
        found = [_renyi(p, q, Fraction(order)) for order in ("1", "3/2", "2", "5", "9")]
        if any(one > other for one, other in pairwise(found)):
            return False
    return True


@at_precision
def _products_add() -> bool:
    """At one order the divergences of independent pairs add up."""
    for random in draws(52):
        p, q, s, t = (law(random) for _ in range(4))
        order = random.choice((Fraction(1), 1 + number(random)))
        both = [tuple(a * b for a, b in product(x, y)) for x, y in ((p, s), (q, t))]
        if not _renyi(both[0], both[1], order).overlaps(_renyi(p, q, order) + _renyi(s, t, order)):
            return False
    return True


_KEPT = Fraction(3, 4)


def shared_key(secret: int) -> dict[tuple[int, int], Fraction]:
    """Return the law of (K, secret xor K xor B): K an even bit, B = 0 with probability 3/4."""
    noise = {0: _KEPT, 1: 1 - _KEPT}
    return {(key, secret ^ key ^ b): noise[b] / 2 for key, b in product((0, 1), repeat=2)}


def _squares_over(
    one: dict[tuple[int, int], Fraction], other: dict[tuple[int, int], Fraction]
) -> Fraction:
    """Return sum P^2/Q, which is e to the divergence of order 2."""
    return sum((mass**2 / other[at] for at, mass in one.items()), Fraction(0))


def _alone(place: int, secret: int) -> _Law:
    """Return the law of one of the two outputs."""
    both = shared_key(secret)
    return tuple(
        sum((m for at, m in both.items() if at[place] == bit), Fraction(0)) for bit in (0, 1)
    )


_PRIVACY_MODEL_NOTE = "ponnoprat2023/setting.md"
_EVEN = (Fraction(1, 2), Fraction(1, 2))


def _moment_of_the_sum() -> Fraction:
    """Return sum P^2/Q of the two outputs' sum modulo 2, which is secret xor B."""
    kept = Fraction(3, 4)
    return kept**2 / (1 - kept) + (1 - kept) ** 2 / kept


_SHARED = Instance(
    "M_1 = K, M_2 = x xor K xor B, one even bit K for both, P(B = 0) = 3/4, order 2: e^D <= e^0",
    rational(
        "sum P^2/Q of both outputs",
        lambda: _squares_over(shared_key(0), shared_key(1)),
        _moment_of_the_sum,
    ),
    "<=",
    Exactly("1", "e^(epsilon_1 + epsilon_2)"),
    {
        f"M_{place + 1} alone is (2, 0)-Renyi private": all(
            _alone(place, secret) == _EVEN for secret in (0, 1)
        )
        for place in (0, 1)
    },
)
_PRIVACY_MODEL_STATEMENTS = (
    Statement(
        id="ponnoprat2023.definition-2-2",
        kind="definition",
        where="Section 2.1, Definitions 2.1 to 2.3 and the sentence after them",
        says="(lambda, epsilon)-Renyi privacy bounds the moments of the privacy loss; it is "
        "stronger for smaller epsilon and larger lambda.",
        hypotheses=("lambda >= 1",),
        note=_PRIVACY_MODEL_NOTE,
        evidence=(
            Proof(
                f"{_PRIVACY_MODEL_NOTE}#orders",
                "the divergence does not fall as the order grows (1)",
                (Formula("(1)", _divergence_rises_with_the_order),),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.lemma-1",
        kind="lemma",
        where="Section 2.1, Lemma 1",
        says="Two mechanisms that are (lambda_i, epsilon_i)-Renyi private are together "
        "(min lambda_i, epsilon_1 + epsilon_2)-Renyi private.",
        hypotheses=("their randomness is independent, which goes without saying in the paper",),
        note=_PRIVACY_MODEL_NOTE,
        evidence=(
            Proof(
                f"{_PRIVACY_MODEL_NOTE}#composition",
                "at one order divergences of products add (2), and orders may be lowered (1)",
                (
                    Formula("(1)", _divergence_rises_with_the_order),
                    Formula("(2)", _products_add),
                ),
            ),
        ),
        readings=(Reading("whatever randomness the two share", (_SHARED,), beyond=True),),
    ),
)


# Formulas of the note on Section 2, executed with SymPy, in rationals and in balls.


def _is_zero(*differences: object) -> bool:
    import sympy

    return all(sympy.simplify(each) == 0 for each in differences)


def _densities_agree() -> bool:
    """-rN KL(f/N || y) + sum (alpha-1) log y - sum (r f + alpha - 1) log y has no y, by SymPy."""
    import sympy

    f = sympy.symbols("f1:4", positive=True)
    y = sympy.symbols("y1:4", positive=True)
    r, alpha = sympy.symbols("r alpha", positive=True)
    whole = sum(f)
    for cells in (f, (f[0], f[1], 0)):
        known = sum(cells)
        kl = sum(
            x / known * (sympy.log(x / known) - sympy.log(each))
            for x, each in zip(cells, y, strict=True)
            if x != 0
        )
        exponent = -r * known * kl + sum((alpha - 1) * sympy.log(each) for each in y)
        rest = exponent - sum(
            (r * x + alpha - 1) * sympy.log(each) for x, each in zip(cells, y, strict=True)
        )
        if not _is_zero(*(sympy.diff(rest, each) for each in y)):
            return False
    return bool(whole)


def _bias_is_as_printed() -> bool:
    """(r f + alpha)/(r N + d alpha) - f/N = alpha (N - d f)/(N (r N + d alpha)), by SymPy."""
    import sympy

    f, n, r, d, alpha = sympy.symbols("f N r d alpha", positive=True)
    whole = r * n + d * alpha
    size = alpha / whole
    return _is_zero(
        (r * f + alpha) / whole - f / n - alpha * (n - d * f) / (n * whole),
        sympy.diff(size, r) + alpha * n / whole**2,
        sympy.diff(size, alpha) - r * n / whole**2,
    )


def _variance_is_as_printed() -> bool:
    """With p = u_i/u_0, p (1-p)/(u_0 + 1) is the printed quotient, by SymPy."""
    import sympy

    f, n, r, d, alpha = sympy.symbols("f N r d alpha", positive=True)
    u, whole = r * f + alpha, r * n + d * alpha
    printed = u * (r * (n - f) + (d - 1) * alpha) / (whole**2 * (whole + 1))
    return _is_zero(u / whole * (1 - u / whole) / (whole + 1) - printed)


def _variance_is_below() -> bool:
    """Variances are at most 1/(4 r N) and 1/(4 d alpha), in rationals."""
    for random in draws(53):
        n, r, alpha, d = (number(random) for _ in range(4))
        f, d = n * Fraction(random.randint(0, 10), 10), Fraction(random.randint(2, 9))
        whole = r * n + d * alpha
        p = (r * f + alpha) / whole
        if p * (1 - p) / (whole + 1) > min(1 / (4 * r * n), 1 / (4 * d * alpha)):
            return False
    return True


@at_precision
def _likelihood_and_divergence_differ_by_constants() -> bool:
    """Sum f log y = -N KL(f/N || y) + sum f log(f/N)."""
    for random in draws(54):
        f, y = tuple(random.randint(1, 30) for _ in range(3)), law(random)
        shares = tuple(Fraction(x, sum(f)) for x in f)
        left = total([x * ball(each).log() for x, each in zip(f, y, strict=True)])
        constant = total([x * ball(share).log() for x, share in zip(f, shares, strict=True)])
        if not left.overlaps(constant - sum(f) * divergence(shares, y)):
            return False
    return True


def _sides_of_four(random: Random) -> tuple[arb, arb, arb, arb]:
    f, p, y = law(random), law(random), law(random)
    moved = [ball(a - b) * (ball(a) / ball(c)).log() for a, b, c in zip(p, f, y, strict=True)]
    ratios = [abs((ball(a) / ball(c)).log()) for a, c in zip(p, y, strict=True)]
    most = ratios[0].max(ratios[1]).max(ratios[2])
    distance = ball(sum((abs(a - b) for a, b in zip(f, p, strict=True)), Fraction(0)))
    exact = divergence(f, y) - divergence(f, p) + total(moved)
    bound = divergence(f, y) + divergence(f, p) + most * distance
    return divergence(p, y), exact, bound, divergence(f, p) * 2 - distance**2


@at_precision
def _four_holds() -> bool:
    """(4), both lines, and Pinsker's inequality; p and y may be exchanged, being both drawn."""
    for random in draws(55):
        left, exact, bound, pinsker = _sides_of_four(random)
        if not left.overlaps(exact) or left > bound or pinsker < 0:
            return False
    return True


@at_precision
def _mean_divergence_is_below() -> bool:
    """E KL(f/N || y) <= d (alpha + 1)/(r N), and < d alpha/(r N) for alpha >= 1/2."""
    for random in draws(56):
        p, beta, alpha = (*law(random), Fraction(0)), number(random), number(random)
        found = expected_kl_prior(p, tuple(beta * x + alpha for x in p))
        if not found < ball(len(p) * (alpha + 1) / beta):
            return False
        if alpha >= Fraction(1, 2) and not found < ball(len(p) * alpha / beta):
            return False
    return True


def _mean_square_is_known() -> bool:
    """E sum (f_i/N - p_i)^2/p_i = (d-1)/N, from Var f_i = N p_i (1 - p_i), in rationals."""
    for random in draws(57):
        p, n = law(random), random.randint(1, 40)
        if sum(n * x * (1 - x) / n**2 / x for x in p) != Fraction(len(p) - 1, n):
            return False
    return True


_SETTING_NOTE = "ponnoprat2023/setting.md"


@dataclass(frozen=True)
class _Release:
    """A coordinate with this count of Dirichlet(r f + alpha), f with so many records and cells."""

    count: int
    records: int
    cells: int
    step: str
    alpha: str

    def variance(self) -> At:
        """Return its variance."""
        own = Fraction(self.step) * self.count + Fraction(self.alpha)
        whole = Fraction(self.step) * self.records + self.cells * Fraction(self.alpha)
        return At("dirichlet.utility.variance", {"p": str(own / whole), "k": str(whole)})

    def spreads_less_than(self, other: _Release) -> Instance:
        """Return that it spreads less than one with a smaller r or alpha, all else equal."""
        says = (
            f"d = {self.cells}, f_i = {self.count}, N_f = {self.records}: r = {self.step} and "
            f"{other.step}, alpha = {self.alpha} and {other.alpha}"
        )
        hypotheses = {
            "r > 0": Fraction(other.step) > 0,
            "alpha > 0": Fraction(other.alpha) > 0,
            "0 <= f_i <= N_f": 0 <= self.count <= self.records,
            "one f": (self.count, self.records, self.cells)
            == (other.count, other.records, other.cells),
            "one of r and alpha is larger": (Fraction(self.step) > Fraction(other.step))
            != (Fraction(self.alpha) > Fraction(other.alpha)),
        }
        return Instance(says, self.variance(), "<=", other.variance(), hypotheses)


_MEANS = Proof(
    f"{_SETTING_NOTE}#consistency",
    "Markov's inequality for both divergences (8), (9)",
    (
        Formula("(8)", _mean_divergence_is_below),
        Formula("(9)", _mean_square_is_known),
    ),
)
_FOUR = Proof(
    f"{_SETTING_NOTE}#triangle",
    "an identity, and the triangle inequality (7)",
    (Formula("(7)", _four_holds),),
)

_SETTING_STATEMENTS = (
    Statement(
        id="ponnoprat2023.equation-2",
        kind="equation",
        where="Section 2.2, (2) and the display after it",
        says="The exponential mechanism with the loss KL(f/N_f || y), beta = r N_f and base "
        "Dirichlet(alpha) draws from Dirichlet(r f + alpha).",
        hypotheses=("N_f is known and not 0", "alpha > 0"),
        garbled="the index set under the sums, x_i not 0 for f_i(x) not 0",
        note=_SETTING_NOTE,
        evidence=(
            Proof(
                f"{_SETTING_NOTE}#exponential-mechanism",
                "the densities differ by a factor without y (3)",
                (Formula("(3)", _densities_agree),),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.equation-3",
        kind="equation",
        where="Section 2.2, (3)",
        says="The bias of y_i is alpha |N_f - d f_i|/(N_f (r N_f + d alpha)); it is reduced when "
        "r grows and when alpha falls.",
        hypotheses=("N_f > 0", "strictly reduced unless f_i = N_f/d, where it is 0"),
        note=_SETTING_NOTE,
        evidence=(
            Proof(
                f"{_SETTING_NOTE}#bias",
                "the mean is u_i/u_0, and alpha/(r N_f + d alpha) has derivatives of one sign (4)",
                (Formula("(4)", _bias_is_as_printed),),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.equation-variance",
        kind="equation",
        where="Section 2.2, the display after (3) and the sentence after it",
        says="The variance of y_i in closed form is O(1/r) for large r and O(1/alpha) for large "
        "alpha, so draws concentrate when r and alpha are large.",
        hypotheses=("large is meant as in the limit",),
        note=_SETTING_NOTE,
        evidence=(
            Proof(
                f"{_SETTING_NOTE}#variance",
                "a Beta law's variance (5), at most 1/(4 u_0) (6)",
                (
                    Formula("(5)", _variance_is_as_printed),
                    Formula("(6)", _variance_is_below),
                ),
            ),
        ),
        readings=(
            Reading(
                "a larger r, or a larger alpha, always spreads less",
                (
                    _Release(1, 2, 100, "10", "1").spreads_less_than(_Release(1, 2, 100, "1", "1")),
                    _Release(10, 10, 2, "1", "1").spreads_less_than(
                        _Release(10, 10, 2, "1", "0.1")
                    ),
                ),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.applications-1-2",
        kind="remark",
        where="Section 2.2, Applications 1 and 2",
        says="The same y maximises the multinomial log-likelihood and minimises the "
        "cross-entropy and KL(f/N || y).",
        note=_SETTING_NOTE,
        evidence=(
            Proof(
                f"{_SETTING_NOTE}#likelihood",
                "they differ by a positive factor and a constant (10)",
                (Formula("(10)", _likelihood_and_divergence_differ_by_constants),),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.equation-4",
        kind="equation",
        where="Section 2.2, Application 3, (4)",
        says="KL(p || y) is KL(g || y) - KL(g || p) plus a term in p - g, g = f/N_f, and so at "
        "most the sum of both and max |log(p_i/y_i)| times |g - p|; p and y may be exchanged.",
        hypotheses=("all p_i, y_i > 0",),
        note=_SETTING_NOTE,
        evidence=(_FOUR,),
    ),
    Statement(
        id="ponnoprat2023.remark-consistency",
        kind="remark",
        where="Section 2.2, after (4)",
        says="With N_f large the bound (4) is small with high probability: one draw estimates an "
        "unknown p, and so it does with p and y exchanged.",
        hypotheses=("p_i > 0", "d, r, alpha > 0 fixed", "x is a sample of N_f from p"),
        garbled="Pinsker's inequality is displayed with a q that stands for y and for p",
        note=_SETTING_NOTE,
        evidence=(_MEANS, _FOUR),
    ),
)

MEANS = _MEANS

STATEMENTS = (*_NOISE_STATEMENTS, *_PRIVACY_MODEL_STATEMENTS, *_SETTING_STATEMENTS)
