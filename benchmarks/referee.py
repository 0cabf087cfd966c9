"""Certify every accountant that is installed, and write one page and one JSON of what came out.

Run as ``python benchmarks/referee.py [FOLDER] [CASES] [JOBS]``, or ``make referee``. Each row is a
campaign of its own, as ``simplexcert certify third-party:NAME --quantities QUANTITY`` makes it, so
that anybody can run it again. Nothing is typed in, and nothing of it is kept in the project.

Of a row: the verdict; the largest relative error on the unsafe side that is proved, and where; how
far answers are on the safe side, the median and the largest; and the median seconds an answer took,
beside what the proved truth took at the same points. Relative errors are of the truth, in either
direction of a declaration: an answer that is declared a lower bound is unsafe above it, an estimate
where the quantity's own safe side is not. The furthest unsafe answer is looked at again by the
second engine, and by a formula in which none of our code is (``referee_formulas.py``).
"""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from math import inf, isinf, isnan
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median
from typing import Any

from markupsafe import Markup
from referee_formulas import confirmed
from simplexcert.certify import certify_backend
from simplexcert.certify.backends.accountants import ACCOUNTANTS, THIRD_PARTY
from simplexcert.certify.backends.loading import load_backend
from simplexcert.certify.backends.program import ending_programs
from simplexcert.certify.checks.judgement import AGAINST_THE_TRUTH
from simplexcert.certify.points import Line, as_given, exact_point, line_in
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.dyadic import Dyadic
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.errors import InputError, SimplexcertError
from simplexcert.reference.evaluation import answer_at
from simplexcert.reference.precision import ProcessorBudget
from simplexcert.reference.quantity import Side, quantity_named

QUANTITIES = (
    "gaussian.delta",
    "gaussian.epsilon",
    "gaussian.noise_multiplier_for_dp",
    "dpsgd.delta",
    "dpsgd.epsilon",
    "renyi.epsilon_for_dp",
)
# What decides the answers of an accountant beside itself.
BENEATH = ("simplexcert", "numpy", "scipy")
FOLDER, CASES, JOBS = "build/referee", 20, 2
# A machine that does other things is slow: what no answer is may not depend on that.
CASE_SECONDS = 120.0
TIMED = 5
SECOND_DIGITS, SECOND_SECONDS = 20, 60.0
# The second engine does not reach every point that the first does: then so many of the next, and
# of those of the largest deltas, are looked at, too.
ALSO, _CONFIRMED = 2, "confirmed"
_PASSED = (Verdict.CERTIFIED, Verdict.INAPPLICABLE)
# Far below, no delta means anything, and doubles end: told apart, so that it hides nothing.
LEAST_DELTA = Fraction(1, 10**15)


@dataclass(frozen=True)
class Row:
    """What came out for one quantity of an accountant; numbers are None where there are none."""

    accountant: str
    name: str
    version: str
    quantity: str
    judged_as: str
    domain: dict[str, list[str]]
    verdict: str
    not_passed: list[str]
    cases: int
    wrong: int
    errors: int
    undecided: int
    undecided_at: dict[str, str] | None
    first_error: str
    unsafe: float | None
    unsafe_at: dict[str, str] | None
    unsafe_answer: str | None
    unsafe_truth: list[str] | None
    unsafe_from_least_delta: float | None
    second_opinion: str
    other_formula: str
    loose_median: float | None
    loose_worst: float | None
    seconds: float | None
    seconds_of_the_truth: float | None
    again: str


@dataclass(frozen=True)
class Off:
    """How far an answer is off, relative to the truth: at least, on one side of it, or neither."""

    unsafe: Fraction
    loose: Fraction | float


def off(line: Line, safe: Side) -> Off | None:
    """Return how far a line's answer is off; None for what is no number, and for a truth of 0."""
    truth, value = line.truth, float.fromhex(line.value) if _is_number(line.value) else None
    if value is None or isnan(value) or not truth.low.is_finite or not truth.high.is_finite:
        return None
    low, high = truth.lower, truth.upper
    size = max(abs(low), abs(high))
    if not size:
        return None
    if isinf(value):
        return Off(Fraction(0), inf) if (value > 0) == (safe is Side.UPPER) else None
    below, above = max(low - Fraction(value), 0) / size, max(Fraction(value) - high, 0) / size
    return Off(below, above) if safe is Side.UPPER else Off(above, below)


def _is_number(text: str) -> bool:
    try:
        float.fromhex(text)
    except (ValueError, OverflowError):
        return False
    return True


def row_of(accountant: str, quantity: str, cases: int) -> Row:
    """Return what a campaign of one quantity of an accountant found. Raises SimplexcertError."""
    where, lines = f"{THIRD_PARTY}{accountant}", []

    def keep(text: str) -> None:
        line = line_in(text.removesuffix("\n").encode())
        if line.check in AGAINST_THE_TRUTH:
            lines.append(line)

    campaign = certify_backend(
        where,
        quantities=quantity,
        cases=cases,
        screen=0,
        case_seconds=CASE_SECONDS,
        on_case=keep,
    )
    backend = campaign.loaded.backend
    # An estimate is unsafe where the quantity's own safe side is not.
    declared = backend.quantity(quantity).safe
    safe = quantity_named(quantity).safe if declared is Side.NONE else declared
    found = [(each, line) for line in lines if (each := off(line, safe))]
    unsafe = sorted((one for one in found if one[0].unsafe), key=_furthest_first)
    worst = unsafe[0] if unsafe else max(found, key=lambda one: one[0].unsafe, default=None)
    is_unsafe = worst is not None and worst[0].unsafe > 0
    meant = [each.unsafe for each, line in found if not is_tiny(line)]
    loose = [each.loose for each, _ in found if not each.unsafe]
    mistaken = [line for line in lines if line.verdict.value == "error"]
    undecided = [line for line in lines if line.verdict.value == "undecided"]
    second, other = looked_at_again([line for _, line in unsafe], safe) if unsafe else ("", "")
    ours, theirs = times(where, quantity, lines)
    return Row(
        accountant,
        backend.name,
        backend.version,
        quantity,
        "estimate" if declared is Side.NONE else declared.value,
        {key: [str(end) for end in ends] for key, ends in backend.domain[quantity].items()},
        campaign.verdict.value,
        [one.check for one in campaign.checks if one.cases and one.verdict not in _PASSED],
        len(lines),
        sum(line.verdict.value == "refuted" for line in lines),
        len(mistaken),
        len(undecided),
        told(undecided[0]) if undecided else None,
        mistaken[0].reason if mistaken else "",
        rounded(worst[0].unsafe) if is_unsafe else None,
        told(worst[1]) if is_unsafe else None,
        repr(float.fromhex(worst[1].value)) if is_unsafe else None,
        list(worst[1].decimals()) if is_unsafe else None,
        rounded(max(meant, default=Fraction(0))) or None,
        second,
        other,
        rounded(median(loose)) if loose else None,
        rounded(max(loose)) if loose else None,
        theirs,
        ours,
        f"simplexcert certify {where} --quantities {quantity} --cases {cases} --screen 0 "
        f"--case-seconds {CASE_SECONDS:g}",
    )


def _furthest_first(one: tuple[Off, Line]) -> tuple[float, float, Fraction]:
    """Order by how far off an answer is, as it is shown; of those alike the largest delta first."""
    each, line = one
    return -float(_short(rounded(each.unsafe))), -_delta(line), -each.unsafe


def _delta(line: Line) -> float:
    """Return about the truth where that is a delta, else 0: a larger one is more easily reached."""
    return rounded(line.truth.upper) if line.quantity.endswith(".delta") else 0.0


def looked_at_again(lines: Sequence[Line], safe: Side) -> tuple[str, str]:
    """Return what the second engine, and what another formula, say of the first unsafe answer.

    Where the second engine does not decide it, also what both say of another that it does.
    """
    second, other = _looked_at(lines[0], safe)
    after = lines[1 + ALSO :]
    largest = sorted(after, key=_delta, reverse=True)[:ALSO]
    for line in (*lines[1 : 1 + ALSO], *largest):
        if second.startswith(_CONFIRMED):
            break
        there, formula = _looked_at(line, safe)
        if there.startswith(_CONFIRMED):
            at = ", ".join(f"{name} = {value}" for name, value in told(line).items())
            answer = repr(float.fromhex(line.value))
            return f"{second}; {there}, where {answer} was answered at {at}", f"{other}; {formula}"
    return second, other


def _looked_at(line: Line, safe: Side) -> tuple[str, str]:
    point, answer = line.case().parameters, float.fromhex(line.value)
    try:
        again = answer_at(
            line.quantity,
            exact_point(point),
            engine="second",
            digits=SECOND_DIGITS,
            budget=ProcessorBudget(SECOND_SECONDS),
        )
        low, high = (end.compared_with(Fraction(answer)) for end in _ends(again.number))
        agrees = low > 0 if safe is Side.UPPER else high < 0
        second = f"{_CONFIRMED if agrees else 'not decided'} by {again.engine}: "
        second += "truth in [{}, {}]".format(*again.number.decimals(SECOND_DIGITS))
    except SimplexcertError as error:
        second = f"no answer: {error}"
    return second, confirmed(line.quantity, point, answer, upper=safe is Side.UPPER)


def _ends(number: Enclosure) -> tuple[Dyadic, Dyadic]:
    return number.low, number.high


def rounded(number: Fraction | float) -> float:
    """Return the nearest float; infinity beyond the largest."""
    try:
        return float(number)
    except OverflowError:
        return inf


def is_tiny(line: Line) -> bool:
    """Whether a line's truth is a delta below ``LEAST_DELTA``."""
    return line.quantity.endswith(".delta") and line.truth.high.compared_with(LEAST_DELTA) < 0


def told(line: Line) -> dict[str, str]:
    """Return a line's parameters exactly, as decimals that read back as the same doubles."""
    point = line.case().parameters
    return {name: repr(value) for name, value in point.items()}


def times(where: str, quantity: str, lines: Sequence[Line]) -> tuple[float | None, float | None]:
    """Return the median seconds of the proved truth and of an answer, at a few of the points."""
    points = [line.case().parameters for line in lines if line.verdict.value != "error"][:TIMED]
    if not points:
        return None, None
    with ending_programs():
        function = load_backend(where, CASE_SECONDS).backend.quantities[quantity]
        function(**as_given(points[0]))  # what is imported late is imported
        theirs = [_seconds(lambda each=each: function(**as_given(each))) for each in points]
    ours = [_seconds(lambda each=each: answer_at(quantity, exact_point(each))) for each in points]
    return median(ours), median(theirs)


def _seconds(ask: Any) -> float:
    start = time.perf_counter()
    ask()
    return time.perf_counter() - start


def rows(cases: int, jobs: int, absent: dict[str, str]) -> Iterator[Row]:
    """Yield the rows of all accountants that there are; say in ``absent`` why others are not.

    So many rows at once as there are jobs, each in a process: within a campaign the worst case is
    looked for one answer after another, and so is the second opinion on it.
    """
    asked = list(_asked_for(absent))
    if jobs == 1:
        yield from _present(asked, map(partial(_row_or_why, cases=cases), asked), absent)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from _present(asked, pool.map(partial(_row_or_why, cases=cases), asked), absent)


def _asked_for(absent: dict[str, str]) -> Iterator[tuple[str, str]]:
    for accountant in ACCOUNTANTS:
        try:
            with ending_programs():
                names = load_backend(f"{THIRD_PARTY}{accountant}").backend.quantities
        except InputError as error:
            absent[accountant] = str(error)
            continue
        yield from ((accountant, name) for name in QUANTITIES if name in names)


def _row_or_why(asked: tuple[str, str], cases: int) -> tuple[Row | str, float]:
    """Return a row, or why there is none, and how many seconds of processors it took."""
    start = _used()
    try:
        row: Row | str = row_of(*asked, cases)
    except SimplexcertError as error:
        row = str(error)
    return row, _used() - start


def _used() -> float:
    """Return the seconds of processors that this process and those that it has started took."""
    return sum(sum(getrusage(who)[:2]) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))


def _present(
    asked: Iterable[tuple[str, str]],
    found: Iterable[tuple[Row | str, float]],
    absent: dict[str, str],
) -> Iterator[Row]:
    for (accountant, quantity), (row, seconds) in zip(asked, found, strict=True):
        verdict = "not asked" if isinstance(row, str) else row.verdict
        print(f"{verdict:12} {THIRD_PARTY}{accountant} {quantity}, {seconds:.0f} s", flush=True)  # noqa: T201
        if isinstance(row, str):
            absent[f"{accountant}, {quantity}"] = row
        else:
            yield row


def made_on(cases: int) -> dict[str, Any]:
    """Return what the results depend on: versions, platform, and how many cases were asked for."""
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "versions": {name: _version(name) for name in BENEATH},
        "cases": cases,
        "seed": 0,
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


_WORDS = (
    "Each verdict is about the points that were tried, and says nothing of others. Errors are "
    "relative to the truth, which is proved; 1e-16 is the last bit of a double."
)
# What the columns say, in their order.
_SAID = {
    "verdict": "certified: each answer, and each relation between answers, was as it is judged; "
    "refuted: one certainly was not; error: one was no number; undecided: one was too near to "
    "tell, or its truth out of reach",
    "judged as": "upper or lower: a bound that may not be below, or above, the truth; estimate: "
    "what has to be within 1e-9 of the truth on either side",
    "wrong": "answers that are certainly not as they are judged",
    "no answer": "answers that are no number: what was raised or went on too long",
    "unsafe": "the largest error on the side where a loss is understated, or a lower bound above "
    "the truth",
    "from 1e-15": "the same without the deltas whose truth is below 1e-15",
    "loose": "errors on the other side, where nothing is wrong",
    "seconds": "the median that an answer took; the truth's, at the same points",
    "not passed": "direction or accuracy: against the truth; all else: answers against each "
    "other, of which certify/ci/CERTIFY.md says what each asks",
}
_AGAIN = (
    "Each answer is held against the proved truth, and again by the second engine, and by a "
    "formula in which none of our code is. The last line makes it again; that command is in "
    "build/referee/.venv/bin, where the libraries are."
)
_COLUMNS = (
    "verdict",
    "accountant",
    "version",
    "quantity",
    "judged as",
    "wrong",
    "no answer",
    "unsafe",
    "from 1e-15",
    "loose, median",
    "loose, worst",
    "seconds",
    "truth's seconds",
    "not passed",
)
# Of these columns the first five and the last are words.
_NUMBERS = range(5, len(_COLUMNS) - 1)
_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 92rem; }
body { padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 12.5px; white-space: nowrap; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .45rem; text-align: left; }
td:last-child { white-space: normal; min-width: 9rem; }
th { background: var(--soft); white-space: normal; vertical-align: bottom; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.certified { color: light-dark(#1a7f37, #4ac26b); }
.refuted, .error { color: light-dark(#cf222e, #ff7b72); }
.undecided { color: light-dark(#9a6700, #e3b341); }
.verdict { font-weight: 600; } .verdict a { color: inherit; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
dl { margin: .3rem 0 1.2rem; }
dt { color: light-dark(#666, #999); } dd { margin: 0; overflow-wrap: anywhere; }
code { font-size: 12px; background: var(--soft); padding: .1rem .3rem; }
h3 { margin: 1rem 0 0; font-size: 1rem; }
"""


def _cells(row: Row) -> Iterator[str]:
    yield from (row.verdict, row.accountant, row.version, row.quantity, row.judged_as)
    yield f"{row.wrong} of {row.cases}"
    yield str(row.errors or "")
    yield from map(_short, (row.unsafe, row.unsafe_from_least_delta))
    yield from map(_short, (row.loose_median, row.loose_worst))
    yield from map(_short, (row.seconds, row.seconds_of_the_truth))
    yield ", ".join(row.not_passed)


def page(made: Mapping[str, Any], found: Sequence[Row], absent: Mapping[str, str]) -> str:
    """Return the page: one file of HTML, in which nothing is fetched."""
    versions = ", ".join(f"{name} {number}" for name, number in made["versions"].items())
    head = f"{made['cases']} points a quantity, Python {made['python']}, {versions}, "
    body = [
        Markup("<h1>Accountants, certified</h1><p>{}</p><p>{}</p>").format(
            head + made["platform"], _WORDS
        ),
        _table(found),
        *_section("What the columns say", [_listed(_SAID)]),
        *_section("Where answers are furthest on the unsafe side", _unsafe(found), _AGAIN),
        *_section("No answer", _unanswered(found)),
        *_section("Undecided", _undecided(found)),
        *_section("Not asked", (_facts(name, {"why": why}) for name, why in absent.items())),
        *_section("What was asked", _asked(found)),
    ]
    return str(
        Markup(
            '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" '
            'content="width=device-width"><title>Accountants, certified</title>'
            "<style>{}</style>{}</html>\n"
        ).format(Markup(_STYLE), Markup("\n").join(body))  # noqa: S704 (the style is our own)
    )


def _table(found: Sequence[Row]) -> Markup:
    head = Markup("").join(
        Markup("<th{}>{}</th>").format(_number_class(at), name) for at, name in enumerate(_COLUMNS)
    )
    rows = Markup("").join(_row(row) for row in found)
    return Markup('<div class="wide"><table><tr>{}</tr>{}</table></div>').format(head, rows)


def _row(row: Row) -> Markup:
    told = {"unsafe": row.unsafe_at, "no-answer": row.errors, "undecided": row.undecided_at}
    section = next((name for name, facts in told.items() if facts), None)
    verdict = Markup('<a href="#{}">{}</a>').format(_place(row, section or ""), row.verdict)
    made = [
        Markup('<td class="verdict {}">{}</td>').format(cell, verdict if section else cell)
        if _COLUMNS[at] == "verdict"
        else Markup("<td{}>{}</td>").format(_number_class(at), cell)
        for at, cell in enumerate(_cells(row))
    ]
    return Markup("<tr>{}</tr>").format(Markup("").join(made))


def _number_class(at: int) -> Markup:
    return Markup(' class="number"') if at in _NUMBERS else Markup("")


def _section(title: str, parts: Iterable[Markup], words: str = "") -> Iterator[Markup]:
    yield Markup("<h2>{}</h2>").format(title)
    listed = list(parts)
    if words and listed:
        yield Markup("<p>{}</p>").format(words)
    yield from listed or [Markup("<p>None.</p>")]


def _place(row: Row, section: str) -> str:
    return f"{section}-{row.accountant}-{row.quantity}"


def _of_row(row: Row, section: str, facts: Mapping[str, str]) -> Markup:
    named = Markup('<h3 id="{}">{}, {}</h3>')
    named = named.format(_place(row, section), row.accountant, row.quantity)
    return named + _listed(facts)


def _facts(name: str, facts: Mapping[str, str]) -> Markup:
    return Markup("<h3>{}</h3>{}").format(name, _listed(facts))


def _listed(facts: Mapping[str, str]) -> Markup:
    listed = (Markup("<dt>{}</dt><dd>{}</dd>").format(*each) for each in facts.items())
    return Markup("<dl>{}</dl>").format(Markup("").join(listed))


def _unsafe(found: Sequence[Row]) -> Iterator[Markup]:
    for row in found:
        if row.unsafe_at and row.unsafe_truth:
            low, high = row.unsafe_truth
            facts = {
                "verdict": f"{row.verdict}, judged as {row.judged_as}",
                "at": _point(row.unsafe_at),
                "answered": str(row.unsafe_answer),
                "truth": f"in [{low}, {high}]",
                "second engine": row.second_opinion,
                "other formula": row.other_formula,
                "again": _code(row.again),
            }
            yield _of_row(row, "unsafe", facts)


def _point(at: Mapping[str, str]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in at.items())


def _code(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text)


def _unanswered(found: Sequence[Row]) -> Iterator[Markup]:
    for row in found:
        if row.errors:
            facts = {"cases": f"{row.errors} of {row.cases}", "first": _code(row.first_error)}
            yield _of_row(row, "no-answer", facts)


def _undecided(found: Sequence[Row]) -> Iterator[Markup]:
    for row in found:
        if row.undecided_at:
            cases = f"{row.undecided} of {row.cases}"
            facts = {"cases": cases, "first": _point(row.undecided_at)}
            yield _of_row(row, "undecided", facts)


def _asked(found: Sequence[Row]) -> Iterator[Markup]:
    """Yield each quantity with its ranges, and which accountants were asked for it there."""
    those: dict[tuple[str, str], list[str]] = {}
    for row in found:
        ranges = ", ".join(
            f"{name} from {float(Fraction(low)):g} to {float(Fraction(high)):g}"
            for name, (low, high) in row.domain.items()
        )
        those.setdefault((row.quantity, ranges), []).append(row.accountant)
    for (quantity, ranges), names in those.items():
        yield _facts(quantity, {"ranges": ranges, "asked": ", ".join(names)})


def _short(number: float | None) -> str:
    return "" if number is None else f"{number:.2g}"


def main(folder: str = FOLDER, cases: str = str(CASES), jobs: str = str(JOBS)) -> None:
    """Write the page and the JSON into a folder, again after each row."""
    where, absent, found = Path(folder), dict[str, str](), list[Row]()
    made = made_on(int(cases))
    where.mkdir(parents=True, exist_ok=True)

    def write() -> None:
        written = {"schema_version": 1, **made, "rows": list(map(_strict, found)), "absent": absent}
        text = json.dumps(written, indent=1, allow_nan=False)
        (where / "referee.json").write_text(f"{text}\n", encoding="utf-8")
        (where / "referee.html").write_text(page(made, found, absent), encoding="utf-8")

    for row in rows(int(cases), int(jobs), absent):
        found.append(row)
        write()
    write()
    told = f"{len(found)} rows in {where / 'referee.html'} and referee.json"
    print(f"{told}: {_used():.0f} seconds of processors")  # noqa: T201


def _strict(row: Row) -> dict[str, Any]:
    """Return a row for JSON, where real numbers are text: an infinity has no other form."""
    fields = asdict(row).items()
    return {name: repr(value) if isinstance(value, float) else value for name, value in fields}


if __name__ == "__main__":
    main(*sys.argv[1:])
