"""Section 1: the example of additive noise."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from ....reference.arb.balls import ball
from ....reference.second.directed import Span
from ..entries import Claim, Reading
from ..evidence import Reproduced
from ..forms import fractions, span, spans_total
from ..values import Worked
from .forms import divergence, rational, worked

NOTE = "ponnoprat2023/noise-example.md"
P = fractions("0.1", "0.9")
NOISES = (fractions("-0.090", "0.045"), fractions("-0.099", "-0.038"))
NOISY = tuple(tuple(p + z for p, z in zip(P, noise, strict=True)) for noise in NOISES)
LAWS = tuple(tuple(x / sum(each) for x in each) for each in NOISY)
Vector = Sequence[Fraction]


def _distance(noise: Vector, noisy: Vector) -> Worked:
    return rational(
        "1-norm of the noise",
        lambda: sum(map(abs, noise), Fraction(0)),
        lambda: sum((max(x, p) - min(x, p) for x, p in zip(noisy, P, strict=True)), Fraction(0)),
    )


def _by_spans(q: Vector) -> Span:
    """Enclose the divergence as differences of logarithms."""
    pairs = zip(P, q, strict=True)
    return spans_total([span(a) * (span(a).log() - span(b).log()) for a, b in pairs])


def _of(q: Vector, name: str) -> Worked:
    return worked(f"KL(p || {name})", lambda: divergence(P, q), lambda: _by_spans(q))


def _ratio(pair: Sequence[Vector], name: str) -> Worked:
    one, other = pair

    def balls() -> arb:
        return divergence(P, other) / divergence(P, one)

    return worked(
        f"KL(p || second)/KL(p || first), {name}",
        balls,
        lambda: _by_spans(other) / _by_spans(one),
    )


def cross_entropy_ratio() -> Worked:
    """Enclose log 0.1/log 0.4: what Section 5.1 compares."""
    low, high = fractions("0.1", "0.4")
    return worked(
        "log 0.1/log 0.4",
        lambda: ball(low).log() / ball(high).log(),
        lambda: span(low).log() / span(high).log(),
    )


CLAIMS = (
    Claim(
        id="ponnoprat2023.example-1",
        kind="number",
        where="Section 1, p. 2, p = (0.1, 0.9) and two noises from Laplace(1/10)",
        says="Two noises of 1-norms 0.135 and 0.137 move p by 0.186 and 0.499 in divergence, "
        "2.68 times as much.",
        hypotheses=("the sum of p_i log(p_i/x_i) for the noisy vectors x as they are",),
        note=NOTE,
        evidence=(
            Reproduced("1-norm of the first noise", "0.135", _distance(NOISES[0], NOISY[0])),
            Reproduced("1-norm of the second noise", "0.137", _distance(NOISES[1], NOISY[1])),
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
