"""How far DP-SGD reaches: 200 settings drawn by a seed, the share of each region that is decided.

Run as ``python benchmarks/dpsgd_reach.py [SECONDS] [SETTINGS] [SEED]``. Each setting has a noise
multiplier, a sampling probability, a number of steps and a delta, each even in logarithm. It is
decided where epsilon at that delta, and delta at that epsilon, are both known to 15 digits within
so many seconds each. Prints the shares in Markdown, then every setting that is not decided, with
the enclosures that were found last; nothing is left out. Nothing is asserted.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import count

from simplexcert.reference import evaluate
from simplexcert.reference.evaluation import Answer
from simplexcert.reference.grids import Answers
from simplexcert.reference.precision import Budget

DIGITS = 15
NOISE, RATE, STEPS, DELTA = (0.4, 8.0), (1e-4, 0.5), (1.0, 1e6), (1e-15, 1e-3)
# The goal is all of the first region, and nine in ten of the rest.
REGIONS = ("q >= 1e-3, T >= 30", "q < 1e-3, T >= 30", "T < 30")


@dataclass(frozen=True)
class Setting:
    """A training run and a delta, with few digits and exact."""

    noise_multiplier: Fraction
    sampling_probability: Fraction
    steps: int
    delta: Fraction

    @property
    def region(self) -> str:
        """Where the setting lies."""
        few = self.steps < 30
        return REGIONS[2 if few else int(self.sampling_probability < Fraction(1, 1000))]

    def __str__(self) -> str:
        s, q, delta = (
            f"{float(x):.4g}"
            for x in (self.noise_multiplier, self.sampling_probability, self.delta)
        )
        return f"s {s}, q {q}, T {self.steps}, delta {delta}"


@dataclass(frozen=True)
class Found:
    """What was found of a setting; delta is asked at the upper end of epsilon, if finite."""

    setting: Setting
    epsilon: Answer | Answers
    delta: Answer | Answers | None
    seconds: float

    @property
    def decided(self) -> bool:
        """Whether both numbers have their digits."""
        return self.delta is not None and bool(self.epsilon.narrow) and bool(self.delta.narrow)


def drawn(seed: int) -> Iterator[Setting]:
    """Yield the settings of a seed, without end, each number even in logarithm."""
    for index in count():
        digest = sha256(f"dpsgd/{seed}/{index}".encode()).digest()
        shares = [int.from_bytes(digest[8 * k : 8 * k + 8], "big") / 2**64 for k in range(4)]
        s, q, steps, delta = (
            math.exp(math.log(low) + share * math.log(high / low))
            for share, (low, high) in zip(shares, (NOISE, RATE, STEPS, DELTA), strict=True)
        )
        noise, rate, least = (Fraction(f"{x:.4g}") for x in (s, q, delta))
        yield Setting(noise, rate, round(steps), least)


def found(setting: Setting, seconds: float) -> Found:
    """Ask for epsilon at the delta, then for delta at a decimal next above that epsilon."""
    start = time.perf_counter()
    given = {
        "noise_multiplier": setting.noise_multiplier,
        "sampling_probability": setting.sampling_probability,
        "steps": setting.steps,
    }
    epsilon = evaluate(
        "dpsgd.epsilon", {**given, "delta": setting.delta}, digits=DIGITS, budget=Budget(seconds)
    )
    delta = None
    if isinstance(epsilon.upper, Fraction):
        at = {**given, "epsilon": epsilon.upper}
        delta = evaluate("dpsgd.delta", at, digits=DIGITS, budget=Budget(seconds))
    return Found(setting, epsilon, delta, time.perf_counter() - start)


def lines(seconds: float, settings: int, seed: int) -> Iterator[str]:
    """Yield the lines of the report."""
    answers: list[Found] = []
    for setting, _ in zip(drawn(seed), range(settings), strict=False):
        answers.append(found(setting, seconds))
    yield f"{settings} settings of seed {seed}, {DIGITS} digits, at most {seconds:g} s a number"
    yield "| region | settings | decided | share | median s | worst s |"
    yield "|---|---|---|---|---|---|"
    for region in (*REGIONS, "all"):
        some = [each for each in answers if region in (each.setting.region, "all")]
        if not some:
            yield f"| {region} | 0 | | | | |"
            continue
        decided, times = sum(each.decided for each in some), [each.seconds for each in some]
        yield (
            f"| {region} | {len(some)} | {decided} | {100 * decided / len(some):.1f} % "
            f"| {statistics.median(times):.2f} | {max(times):.1f} |"
        )
    for each in answers:
        if not each.decided:
            yield (
                f"undecided: {each.setting} ({each.setting.region}): epsilon in "
                f"{ends(each.epsilon)}, delta there in {ends(each.delta)}"
            )


def ends(answer: Answer | Answers | None) -> str:
    """Return the last enclosure; of what was not asked, a word."""
    if answer is None:
        return "not asked: epsilon has no finite upper end"
    return f"[{answer.lower_float:.12g}, {answer.upper_float:.12g}]"


if __name__ == "__main__":
    most, many, first = (*sys.argv[1:], *("20", "200", "0")[len(sys.argv) - 1 :])
    for line in lines(float(most), int(many), int(first)):
        print(line, flush=True)  # noqa: T201 - the report is what it is for
