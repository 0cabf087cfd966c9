"""How far DP-SGD reaches: 200 settings drawn by a seed, the share of each region that is decided.

Run as ``python benchmarks/dpsgd_reach.py [SECONDS] [SETTINGS] [SEED] [FILE]``. Each setting has a
noise multiplier, a sampling probability, a number of steps and a delta, each even in logarithm. It
is decided where epsilon at that delta, and delta at that epsilon, are both known to 15 digits
within so many seconds each, of the processor. Prints the shares in Markdown, then every setting
that is not decided, with the enclosures that were found last; nothing is left out. Nothing is
asserted.

What is found stands in the file, a line a setting: a run that was stopped goes on after its last
line, so that other seconds or other formulas need another file. By default
build/dpsgd_reach.SEED.jsonl.
"""

from __future__ import annotations

import json
import math
import resource
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import count, islice
from pathlib import Path

from simplexcert.reference import evaluate
from simplexcert.reference.evaluation import Answer
from simplexcert.reference.grids import Answers
from simplexcert.reference.precision import ProcessorBudget

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
    """What was found of a setting, in a line of a file; delta is asked at epsilon's upper end."""

    setting: str
    region: str
    decided: bool
    epsilon: str
    delta: str
    seconds: float
    megabytes: int


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
    start = time.process_time()
    given = {
        "noise_multiplier": setting.noise_multiplier,
        "sampling_probability": setting.sampling_probability,
        "steps": setting.steps,
    }
    epsilon = evaluate(
        "dpsgd.epsilon",
        {**given, "delta": setting.delta},
        digits=DIGITS,
        budget=ProcessorBudget(seconds),
    )
    delta = None
    if isinstance(epsilon.upper, Fraction):
        at = {**given, "epsilon": epsilon.upper}
        delta = evaluate("dpsgd.delta", at, digits=DIGITS, budget=ProcessorBudget(seconds))
    return Found(
        str(setting),
        setting.region,
        delta is not None and bool(epsilon.narrow) and bool(delta.narrow),
        ends(epsilon),
        ends(delta),
        round(time.process_time() - start, 3),
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
    )


def ends(answer: Answer | Answers | None) -> str:
    """Return the last enclosure; of what was not asked, a word."""
    if answer is None:
        return "not asked: epsilon has no finite upper end"
    return f"[{answer.lower_float:.12g}, {answer.upper_float:.12g}]"


def all_found(seconds: float, settings: int, seed: int, file: Path) -> list[Found]:
    """Read what stands in the file, find the rest, and write each setting as soon as it is done."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    answers = [Found(**json.loads(line)) for line in file.read_text("ascii").splitlines()]
    with file.open("a", encoding="ascii") as opened:
        for setting in islice(drawn(seed), len(answers), settings):
            answers.append(found(setting, seconds))
            opened.write(json.dumps(asdict(answers[-1])) + "\n")
            opened.flush()
    return answers[:settings]


def lines(seconds: float, settings: int, seed: int, file: Path) -> Iterator[str]:
    """Yield the lines of the report."""
    answers = all_found(seconds, settings, seed, file)
    yield f"{settings} settings of seed {seed}, {DIGITS} digits, at most {seconds:g} s a number"
    yield "| region | settings | decided | share | median s | worst s | MB |"
    yield "|---|---|---|---|---|---|---|"
    for region in (*REGIONS, "all"):
        some = [each for each in answers if region in (each.region, "all")]
        if not some:
            yield f"| {region} | 0 | | | | | |"
            continue
        decided, times = sum(each.decided for each in some), [each.seconds for each in some]
        yield (
            f"| {region} | {len(some)} | {decided} | {100 * decided / len(some):.1f} % "
            f"| {statistics.median(times):.2f} | {max(times):.1f} "
            f"| {max(each.megabytes for each in some)} |"
        )
    for each in answers:
        if not each.decided:
            yield (
                f"undecided: {each.setting} ({each.region}, {each.seconds:.1f} s): epsilon in "
                f"{each.epsilon}, delta there in {each.delta}"
            )


if __name__ == "__main__":
    most, many, first, *to = (*sys.argv[1:], *("20", "200", "0")[len(sys.argv) - 1 :])
    kept = Path(*to or ("build", f"dpsgd_reach.{first}.jsonl"))
    for line in lines(float(most), int(many), int(first), kept):
        print(line, flush=True)  # noqa: T201 - the report is what it is for
