"""Read a campaign's transcript, every case that was judged, and require that it adds up.

Each line is the canonical JSON of one case; the cases are the campaign's, in its order; so many are
of each check as the certificate says, the gravest of them is the check's verdict, and its worst
case is the worst of them. Lines are a stream, bounded in every way, and of one digest; memory is
one batch's.

The drawn points are drawn again, from the seed that the certificate's subjects, version, quantities
and number give; each has to stand in its place. Of the found points, which depend on answers, none
may stand twice in a batch. What a line says of its case follows from the answers and the truth on
it. At both has to stand what the relations try there: moves, neighbours and
releases follow from the point, the turn and the answers. So nobody can make lines up, repeat some
or leave some out, but only run the campaign again with another number and take what comes.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
import rfc8785

from ...reference.errors import InputError
from ...reference.exact import open_regular
from ...reference.quantity import Quantity, quantities
from ..campaign import (
    Batch,
    Tally,
    batches_of,
    batches_of_forms,
    campaign_seed,
    drawn_of,
    form_cases,
    points_for_forms,
    relation_turn,
    sample_share,
)
from ..checks.case import Gravity, gravity_of
from ..checks.judgement import AGAINST_THE_TRUTH, Counts
from ..checks.relations import Declared, First, Form, is_of_its_point, number_in
from ..points import Case, Line, Point, PointKind, line_in, point_from, written_point
from ..search.strategies import point_at
from ..verdict import Verdict, overall_of_cases
from .errors import TranscriptError, plainly
from .models import Check, Predicate, Sample, Statement, Witness
from .own_numbers import require_own_numbers
from .worst_case import (
    counts_of,
    is_of_a_relation,
    quantity_of,
    ranges_of,
    slack_of_answered,
    usual_of,
)

# Compressed or not. Ten million cases, the most of one quantity, take some four gigabytes.
MAX_BYTES: Final = 2**36
MAX_LINES: Final = 2**28
# The longest parameter is a table of 1,000 rows of 16 numbers, of 26 characters each; a relation's
# case has it three times at most.
MAX_LINE_BYTES: Final = 2**21
_CHUNK: Final = 2**16
_GZIP: Final = 16 + zlib.MAX_WBITS  # zlib's own way to say: a gzip header and its checksum


def lines_in(path: str | Path, total: int, sha256: str) -> Iterator[bytes]:
    """Yield the lines without their ends; then require that they are so many, of this digest.

    What is yielded is to be believed only after the last line. Raises InputError where the file
    cannot be read, TranscriptError where it is not such a transcript.
    """
    if total > MAX_LINES:
        raise TranscriptError(f"a transcript of more than {MAX_LINES} lines is not read")
    digest, count, rest = hashlib.sha256(), 0, b""
    for piece in _unpacked(path):
        digest.update(piece)
        *lines, rest = (rest + piece).split(b"\n")
        _require_short([*lines, rest], f"{path}")
        count += len(lines)
        if count > total:
            raise TranscriptError(f"{path} has more than the {total} cases that were judged")
        yield from lines
    if rest:
        raise TranscriptError(f"the last line of {path} has no end")
    if count != total:
        raise TranscriptError(f"{path} has {count} cases, {total} were judged")
    if digest.hexdigest() != sha256:
        raise TranscriptError(f"{path} is the transcript of another campaign: its sha256 differs")


def _require_short(lines: list[bytes], name: str) -> None:
    if max(map(len, lines)) > MAX_LINE_BYTES:
        raise TranscriptError(f"{name} has a line of more than {MAX_LINE_BYTES} bytes")


def _unpacked(path: str | Path) -> Iterator[bytes]:
    """Yield what one gzip member holds, in pieces; nothing may follow it."""
    with open_regular(path) as stream:
        try:
            yield from _pieces(stream, f"{path}")
        except zlib.error as error:
            raise TranscriptError(f"{path} is no gzip file, or a damaged one: {error}") from None
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror}") from None


def _pieces(stream: BinaryIO, name: str) -> Iterator[bytes]:
    unpack, size = zlib.decompressobj(_GZIP), 0
    while not unpack.eof:
        packed = unpack.unconsumed_tail or stream.read(_CHUNK)
        piece = unpack.decompress(packed, _CHUNK)
        size += len(piece)
        if not packed and not piece and not unpack.eof:
            raise TranscriptError(f"{name} is cut short")
        if max(size, stream.tell()) > MAX_BYTES:
            raise TranscriptError(f"{name} is of more than {MAX_BYTES} bytes")
        yield piece
    if unpack.unused_data or stream.read(1):
        raise TranscriptError(f"something follows the transcript in {name}")


# Decimals take longer than all else, and only a worst case's are compared.
_NO_ENDS = "0", "0"


def case_in(content: bytes, number: int) -> Line:
    """Return the case on a line, which has to be its canonical JSON. Raises TranscriptError."""
    try:
        line = line_in(content)
    except InputError as error:
        raise TranscriptError(f"line {number} of the transcript {plainly(error)}") from None
    try:
        _witness(line, _NO_ENDS)
    except msgspec.ValidationError as error:
        what = f"line {number} of the transcript is no case"
        raise TranscriptError(f"{what}: {plainly(error)}") from None
    return line


def witness_in(line: Line) -> Witness:
    """Return a line's case as a certificate states it. Raises ValidationError."""
    return _witness(line, line.decimals())


def sample_of(case: Case) -> Sample:
    """Return a case as a certificate has it for a picture."""
    return Sample(
        case.quantity,
        case.check,  # type: ignore[arg-type]
        case.ulps_text(),
        case.side,  # type: ignore[arg-type]
        case.size().hex(),
    )


def is_witness(line: Line, witness: Witness | None) -> bool:
    """Whether a line's case is the one that a certificate states."""
    return (
        witness is not None
        and line.parameters == witness.parameters
        and witness_in(line) == witness
    )


def _witness(line: Line, ends: tuple[str, str]) -> Witness:
    shape = {
        "parameters": line.parameters,
        "value": line.value,
        "lower": ends[0],
        "upper": ends[1],
        "entry": line.entry,
        "others": [
            {"quantity": each.quantity, "parameters": each.parameters, "value": each.value}
            for each in line.others
        ],
    }
    return msgspec.convert(shape, Witness)


Numbered = tuple[int, Line]
# The checks that judge the answer at the campaign's point; other relations may judge another.
_AT_THE_POINT = (*AGAINST_THE_TRUTH, "determinism")


def seed_of(statement: Statement) -> str:
    """Return the seed that the points of a certificate's campaign were drawn by."""
    predicate = statement.predicate
    subjects = [(item.name, item.digest.sha256) for item in statement.subject]
    domains = {check.quantity: ranges_of(check) or {} for check in predicate.checks if check.domain}
    scope = predicate.scope
    return campaign_seed(subjects, predicate.tool.version, scope.names, predicate.seed, domains)


def require_order(cases: Iterator[Numbered], statement: Statement) -> None:
    """Require that the cases, with their lines' numbers, are the campaign's in its order.

    Raises TranscriptError.
    """
    seed, predicate = seed_of(statement), statement.predicate
    slack, usual = slack_of_answered(predicate.checks), usual_of(predicate.checks)
    for checks in _by_quantity(predicate.checks):
        quantity = quantity_of(checks[0])
        for batch in batches_of([quantity.name], Batch(None, "", 0, predicate.scope.cases, seed)):
            _require_batch(cases, _InBatch(quantity, batch, checks, predicate, slack, usual))
    in_forms = {
        one.quantity: one for one in predicate.checks if one.check == Form.check and one.cases
    }
    for batch in batches_of_forms(list(in_forms), Batch(None, "", 0, predicate.scope.cases, seed)):
        _require_forms(cases, in_forms[batch.quantity], batch)
    # Whatever is left over is one line too many, which whoever counts the lines will say.
    for _ in cases:
        pass


def _by_quantity(checks: list[Check]) -> Iterator[list[Check]]:
    """Yield the checks that were run, those of each quantity together, in the order they stand."""
    run: dict[str, list[Check]] = {}
    for check in checks:
        if check.cases:
            run.setdefault(check.quantity, []).append(check)
    for found in run.values():
        if any(check.check in AGAINST_THE_TRUTH for check in found):
            yield found


@dataclass(frozen=True)
class _InBatch:
    """A batch of one quantity, and the checks that have a case at each point, or at some."""

    quantity: Quantity
    batch: Batch
    checks: list[Check]
    predicate: Predicate
    slack: Mapping[str, Fraction]
    usual: Mapping[str, Quantity]

    def names_at(self, number: int) -> list[str]:
        """Return the checks that have a case at a point of the batch, in order."""
        every: list[str] = [one.check for one in self.checks if one.check in AGAINST_THE_TRUTH]
        if relation_turn(number, self.batch.cases) is None:
            return every
        later = (*AGAINST_THE_TRUTH, Form.check)
        return [*every, *(one.check for one in self.checks if one.check not in later)]

    def check_of(self, case: Line) -> Check:
        """Return the check that a case is of, which has to be one of these."""
        return next(one for one in self.checks if one.check == case.check)

    def drawn_at(self, number: int) -> Point | None:
        """Return the point that the seed draws there; None where one is found."""
        if number >= drawn_of(self.batch.cases):
            return None
        return point_at(self.quantity, self.batch.seed, self.batch.drawn + number)

    def first_at(self, turn: int, point: Point, answer: Line) -> First:
        """Return what the relations start from, by the line that has the answer at the point."""
        number_answered = None if answer.verdict is Verdict.ERROR else number_in(answer.value)
        return First(point, number_answered, self.batch.number + turn)

    def declared_beside(self, case: Line) -> Declared:
        """Return what the backend is known to answer: in the campaign, or on the line at hand.

        A quantity that does not exist is none of it: no relation tries that.
        """
        beside = [each.quantity for each in case.others if each.value is not None]
        known = {name: quantities()[name] for name in beside if name in quantities()}
        return Declared({**known, **self.usual}, self.slack, {})


def _require_batch(cases: Iterator[Numbered], where: _InBatch) -> None:
    met: set[bytes] = set()
    for number in range(where.batch.cases):
        names, drawn = where.names_at(number), where.drawn_at(number)
        kind: PointKind = "found" if drawn is None else "drawn"
        lines = list(islice(cases, len(names)))
        for (line, case), name in zip(lines, names, strict=False):
            _require_place(line, case, (where.quantity.name, name, kind))
        if len(lines) < len(names):
            return  # whoever counts the lines will say so
        at_point = [(line, case) for line, case in lines if case.check in _AT_THE_POINT]
        first_line, first = at_point[0]
        if drawn is not None and first.parameters != written_point(drawn):
            raise TranscriptError(_not_drawn(first_line, where, number))
        _require_one_answer(at_point, where.quantity)
        point = _found_point(where.quantity, first_line, first) if drawn is None else drawn
        turn = relation_turn(number, where.batch.cases)
        if turn is not None:
            _require_relations(lines, where, where.first_at(turn, point, first))
        # By its numbers: the same may be written in other ways.
        key = rfc8785.dumps(written_point(point))
        if drawn is None and key in met:
            raise TranscriptError(
                f"line {first_line} of the transcript repeats a point of its batch as found"
            )
        met.add(key)
        for line, case in lines:
            _require_own_numbers(where.check_of(case), line, case)


def _require_own_numbers(check: Check, number: int, case: Line) -> None:
    require_own_numbers(check, case, _witness(case, _NO_ENDS), number)


def _require_one_answer(at_point: Sequence[Numbered], quantity: Quantity) -> None:
    (first_line, first), *others = at_point
    for line, case in others:
        if case.parameters != first.parameters:
            raise TranscriptError(
                f"line {line} of the transcript is of another point than line {first_line}"
            )
        if _is_of_another_answer(case, first, quantity):
            raise TranscriptError(
                f"line {line} of the transcript judges another answer than line {first_line}"
            )


def _is_of_another_answer(case: Line, first: Line, quantity: Quantity) -> bool:
    """Whether two checks against the truth have two answers, where a backend gave them one.

    Of an array a line has the entry that is worst by its own check.
    """
    return case.check in AGAINST_THE_TRUTH and not quantity.shape and case.value != first.value


def _require_forms(cases: Iterator[Numbered], check: Check, batch: Batch) -> None:
    """Require that what was asked in other forms was asked at drawn points, each of them once."""
    quantity = quantity_of(check)
    points = points_for_forms(quantity, batch.seed, batch.cases)
    left = [written_point(point) for point in points]
    for line, case in islice(cases, form_cases(batch.cases)):
        _require_place(line, case, (quantity.name, Form.check, "found"))
        if case.parameters not in left:
            raise TranscriptError(
                f"line {line} of the transcript is not of a point that is asked for in other "
                "forms: it was made up, repeated or moved"
            )
        left.remove(case.parameters)
        _require_own_numbers(check, line, case)


def _found_point(quantity: Quantity, number: int, line: Line) -> Point:
    """Return the point that a line says was found. Raises TranscriptError where it is none."""
    try:
        return point_from(quantity, line.parameters)
    except InputError as error:
        raise TranscriptError(f"line {number} of the transcript {plainly(error)}") from None


def _require_relations(lines: list[Numbered], where: _InBatch, first: First) -> None:
    """Require that the relations' cases are those that they come to, from the answer at a point.

    Of an array a line has one entry alone, from which nothing is found again; an error is no pass.
    """
    for line, case in lines:
        if case.check in AGAINST_THE_TRUTH or case.verdict is Verdict.ERROR or where.quantity.shape:
            continue
        if not is_of_its_point(case, where.quantity, first, where.declared_beside(case)):
            note = _or_of_another_version(where)
            raise TranscriptError(
                f"line {line} of the transcript is not what {case.check} tries at its point: "
                f"it was made up{note}"
            )


def _require_place(line: int, case: Line, expected: tuple[str, str, PointKind]) -> None:
    if (case.quantity, case.check, case.kind) != expected:
        name, check, kind = expected
        raise TranscriptError(
            f"line {line} of the transcript is of {case.quantity}, {case.check}, at a {case.kind} "
            f"point, where {name}, {check}, at a {kind} point has to stand: a line was left out, "
            "repeated or moved"
        )


def _not_drawn(line: int, where: _InBatch, number: int) -> str:
    said = (
        f"line {line} of the transcript is not of the point that the campaign's seed draws there, "
        f"{where.quantity.name} at index {where.batch.drawn + number}: it was made up, repeated or "
        "moved, or one was left out"
    )
    return f"{said}{_or_of_another_version(where)}"


def _or_of_another_version(where: _InBatch) -> str:
    theirs, ours = where.predicate.tool.version, version("simplexcert")
    return (
        "" if theirs == ours else f"; or version {theirs} draws other points than this one, {ours}"
    )


_TELL_EVERY: Final = 2_000

Progress = Callable[[int, int], None]
Key = tuple[str, str]


def require_transcript(
    path: str | Path, statement: Statement, on_progress: Progress | None = None
) -> None:
    """Require that the file is the transcript of the certificate's campaign, to the last line.

    Raises InputError where it cannot be read, TranscriptError where it is not.
    """
    checks = checks_by_key(statement)
    missing = {key for key, check in checks.items() if check.worst}
    found = {key: _Summed(tally) for key, tally in _tallies(statement.predicate).items()}
    total = cases_of(statement)

    def cases() -> Iterator[tuple[int, Line]]:
        for number, line in enumerate(lines_of(path, statement), 1):
            case = case_in(line, number)
            check_of(case, checks, number)
            key = case.quantity, case.check
            found[key].add(case, number)
            if is_witness(case, checks[key].worst):
                found[key].of_worst = gravity_of(case)
                missing.discard(key)
            if on_progress and number % _TELL_EVERY == 0:
                on_progress(number, total)
            yield number, case

    # First that it is this campaign's at all: what is wrong with a line is told of no other's.
    for _ in lines_of(path, statement):
        pass
    require_order(cases(), statement)
    for key, check in checks.items():
        _require_sum(check, found[key])
    if missing:
        raise TranscriptError("the transcript does not hold a worst case that the certificate has")
    sample = [one for summed in found.values() for one in summed.sample]
    if sample != statement.predicate.sample:
        raise TranscriptError("the sample of cases is not that of the transcript")


def _tallies(predicate: Predicate) -> dict[Key, Tally]:
    """Return an empty tally for each check, which keeps as many cases as the campaign did."""
    cases = predicate.scope.cases
    kept = sample_share(max(sum(not is_of_a_relation(one) for one in predicate.checks), 1), cases)
    return {
        (check.quantity, check.check): Tally(cases, 0 if is_of_a_relation(check) else kept)
        for check in predicate.checks
    }


def cases_of(statement: Statement) -> int:
    """Return how many cases a certificate is about in all."""
    return sum(check.cases for check in statement.predicate.checks)


def checks_by_key(statement: Statement) -> dict[Key, Check]:
    """Return the checks by quantity and kind, as the lines of a transcript name them."""
    return {(check.quantity, check.check): check for check in statement.predicate.checks}


def check_of(case: Line, checks: Mapping[Key, Check], number: int) -> Check:
    """Return the check that a line's case belongs to. Raises TranscriptError."""
    check = checks.get((case.quantity, case.check))
    if check is None:
        raise TranscriptError(f"line {number} of the transcript is of no check that was made")
    return check


def lines_of(path: str | Path, statement: Statement) -> Iterator[bytes]:
    """Yield the lines without their ends; require their number and their digest after the last."""
    return lines_in(path, cases_of(statement), statement.predicate.transcript.sha256)


@dataclass
class _Summed:
    """What the lines of one check add up to, and how bad the one is that is its worst."""

    tally: Tally
    sample: list[Sample] = field(default_factory=list)
    gravest: Gravity | None = None
    of_worst: Gravity | None = None

    def add(self, case: Line, number: int) -> None:
        """Add a line."""
        if self.tally.counted(case.verdict, case.note):
            try:
                self.sample.append(sample_of(case.case()))
            except InputError as error:
                raise TranscriptError(f"line {number} of the transcript {plainly(error)}") from None
        gravity = gravity_of(case)
        self.gravest = gravity if self.gravest is None else max(self.gravest, gravity)


def _require_sum(check: Check, found: _Summed) -> None:
    name, counts = f"{check.quantity}, {check.check}", counts_of(check)
    summed = Counts.of(found.tally.verdicts, found.tally.notes, check.check)
    if summed.cases != check.cases:
        raise TranscriptError(
            f"{name}: the transcript has {summed.cases} cases, {check.cases} were judged"
        )
    gravest = overall_of_cases(found.tally.verdicts)
    if summed.verdict(check.check, gravest) is not check.verdict:
        raise TranscriptError(
            f"{name}: the gravest case of the transcript is {gravest}, not {check.verdict}"
        )
    if summed != counts:
        raise TranscriptError(f"{name}: the transcript's cases are not of the sorts that it counts")
    if found.of_worst not in (None, found.gravest):
        raise TranscriptError(f"{name}: the worst case is not the gravest of the transcript")
