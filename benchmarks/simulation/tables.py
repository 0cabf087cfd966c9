"""The results as Markdown for people and as CSV for programs."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from simplexcert.certify.simulating.comparing import Mean

from .bounds import Compared
from .measures import GRID_BITS
from .results import Result, failures, short_of_the_goal

TITLES = {
    "total_variation": "E TV(pi, pi~)",
    "coefficient_change": "E |tau(P~) - tau(P)|, maximum norm",
    "kl": "E KL(P || P~)",
    "scaled_variation": "E [TV(pi, pi~) / tau_1(Z~)]",
    "deviations": "E of the sum of the rows' |P~_i - P_i|_1",
    "largest_deviation": "E max_i |P~_i - P_i|_1 (row norm)",
    "largest_deviation_square": "E max_i |P~_i - P_i|_1^2",
    "column_deviation": "E max_j of the columns' sums of |P~_ij - P_ij| (column norm)",
}
SHORT = {"total_variation": "TV", "coefficient_change": "tau"}
SUMMARY = (
    *(("total_variation", label) for label in ("T4-A", "T4-B", "T4-C", "least", "repair", "S1/2")),
    *(("total_variation", f"printed T4, row, {sign}") for sign in ("plus", "minus")),
    *(("total_variation", f"printed T4, column, {sign}") for sign in ("plus", "minus")),
    *(("coefficient_change", label) for label in ("T5-A", "T5-B", "repair", "floor", "printed T5")),
)
CERTIFICATES = (
    "stationary_certificate",
    "stationary_certificate_fails",
    "ergodicity_certificate_fails",
)


def markdown(results: Sequence[Result]) -> Iterator[str]:
    """Yield the lines of the report."""
    yield "# Privatised chains: simulated values and bounds"
    yield (
        "\nEach cell has a bound and, in brackets, its ratio to the simulated mean; a bound that"
        " the simulation contradicts (by more than four standard errors) is in bold. k_i is so many"
        " times its least admissible value. Measured, not proved."
    )
    yield from _summary(results)
    for key in dict.fromkeys(one.key for one in results):
        yield from _chain([one for one in results if one.key == key])
    yield "\n## Proved bounds that a simulation contradicts\n"
    yield from _listed(failures(results))
    yield "\n## Neither T4-B nor T4-C within a factor 2 at 100 k_min and more\n"
    yield from _listed(short_of_the_goal(results))


def _summary(results: Sequence[Result]) -> Iterator[str]:
    yield "\n## Ratios of bound to simulated mean\n"
    titles = (f"{SHORT[statistic]}: {label}" for statistic, label in SUMMARY)
    yield f"| chain | k/k_min | E TV | E change of tau | {' | '.join(titles)} |"
    yield "|---" * (4 + len(SUMMARY)) + "|"
    for one in results:
        found = {(b.source.statistic, b.source.label): b for b in one.bounds}
        ratios = (ratio(found[place]) if place in found else "" for place in SUMMARY)
        means = (simulated(one.means[statistic]) for statistic in SHORT)
        yield f"| {one.key} | {one.factor} | {' | '.join((*means, *ratios))} |"


def ratio(bound: Compared) -> str:
    """Return a bound's ratio to the mean, in bold where the simulation contradicts it."""
    text = "" if bound.ratio is None else f"{bound.ratio:.3g}"
    return f"**{text}**" if bound.holds is False else text


def _listed(lines: Sequence[str]) -> Iterator[str]:
    yield from (f"- {line}" for line in lines or ["none"])


def _chain(results: Sequence[Result]) -> Iterator[str]:
    chain = results[0].chain
    yield f"\n## {chain.title}\n"
    ks = [float(k) for k in chain.k_minimum]
    kept = f"k_min from {min(ks):.6g} to {max(ks):.6g}"
    yield ". ".join(filter(None, (chain.remark, kept, f"{results[0].means['kl'].draws} draws")))
    for statistic, title in TITLES.items():
        yield from _statistic(statistic, title, results)
    yield from _certificates(results)


def _statistic(statistic: str, title: str, results: Sequence[Result]) -> Iterator[str]:
    shown = [one for one in results if statistic in one.means]
    rows = {one.factor: [b for b in one.bounds if b.source.statistic == statistic] for one in shown}
    if not shown:
        return
    applies = {b.source.label for row in rows.values() for b in row if b.value is not None}
    columns = [b.source.label for b in rows[shown[0].factor] if b.source.label in applies]
    yield f"\n### {title}\n"
    yield f"| k/k_min | simulated | {' | '.join(columns)} |"
    yield "|---" * (2 + len(columns)) + "|"
    for one in shown:
        cells = [cell(b) for b in rows[one.factor] if b.source.label in applies]
        yield f"| {one.factor} | {simulated(one.means[statistic])} | {' | '.join(cells)} |"
    reasons = {b.source.label: b.why_not for row in rows.values() for b in row if b.why_not}
    yield from (f"\n{label} does not apply: {why}" for label, why in reasons.items())


def _certificates(results: Sequence[Result]) -> Iterator[str]:
    yield f"\n### Certificates of 95 % from the release alone, on a grid of {GRID_BITS} bits\n"
    yield "| k/k_min | TV certified, mean | share that fails | share that fails, tau |"
    yield "|---|---|---|---|"
    for one in results:
        cells = (simulated(one.means[name]) if name in one.means else "" for name in CERTIFICATES)
        yield f"| {one.factor} | {' | '.join(cells)} |"


def simulated(mean: Mean) -> str:
    """Return a mean and its standard error."""
    return f"{mean.value:.4g} ± {mean.error:.1g}"


def cell(bound: Compared) -> str:
    """Return a bound and its ratio, in bold where the simulation contradicts it."""
    if bound.value is None:
        return ""
    ratio = "" if bound.ratio is None else f" ({bound.ratio:.3g})"
    text = f"{bound.value:.4g}{ratio}"
    return f"**{text}**" if bound.holds is False else text


COLUMNS = (
    "chain", "factor", "statistic", "mean", "standard_error", "draws",
    "bound", "quantity", "kind", "value", "ratio", "holds", "seconds", "why_not",
)  # fmt: skip


def write_csv(path: Path, results: Iterable[Result]) -> None:
    """Write a line for each bound, and one for each statistic that has none."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        for one in results:
            writer.writerows(_lines(one))


def _lines(one: Result) -> Iterator[Sequence[object]]:
    bounded = set()
    for b in one.bounds:
        bounded.add(b.source.statistic)
        about = (b.source.label, b.source.quantity, b.source.kind.value)
        told = (b.value, b.ratio, b.holds, f"{b.seconds:.4f}", b.why_not)
        yield one.key, one.factor, b.source.statistic, *_numbers(b.mean), *about, *told
    for name, mean in one.means.items():
        if name not in bounded:
            yield one.key, one.factor, name, *_numbers(mean)


def _numbers(mean: Mean) -> tuple[float, float, int]:
    return mean.value, mean.error, mean.draws
