"""Commands that issue certificates: of a release, and of a backend."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...reference.errors import InputError
from ..files import STANDARD
from .group import (
    COQ,
    GIVEN,
    ISSUED,
    OR_STANDARD,
    OUT,
    REPORT,
    SUBJECT,
    TEMPLATE,
    certificate_and_report,
    example,
    print_json,
    print_template,
    require_targets,
    say_written,
    simplexcert,
    telling,
    with_repairs,
    write_certificate,
)
from .limited import limited, load_audits, work_is_done
from .streams import reader_may_leave, tell

if TYPE_CHECKING:
    from ..audits.decision import Audit
    from ..campaign import PartialTranscript
    from ..certificate.models import ClaimStatement
    from ..certificate.subjects import ClaimFile
    from ..mechanisms.protocol import Claim
    from ..points import Case


def _print_examples(context: click.Context, _: click.Parameter, asked: bool) -> None:
    """List the shipped claims, and stop."""
    if asked and not context.resilient_parsing:
        from ..report import examples_explained

        click.echo("\n".join(examples_explained()))
        context.exit()


_EXAMPLE = "example:"


def _is_there(context: click.Context, _: click.Parameter, claim: str | None) -> str | None:
    """Return the name of a claim. Raises InputError where there is no such file.

    That is found before anything large is loaded.
    """
    named = str(claim)
    is_file = claim not in (None, STANDARD) and not named.startswith(_EXAMPLE)
    if not is_file or context.resilient_parsing or context.params.get("template"):
        return claim
    if named.endswith("/"):  # a folder, which is told later
        return claim
    try:
        Path(named).stat()
    except FileNotFoundError as error:
        hint = "" if Path(named).suffix else "; a claim that is shipped is example:NAME"
        raise InputError(f"cannot read {claim}: {error.strerror}{hint}") from None
    except (OSError, ValueError):  # what reads it says so
        pass
    return claim


@simplexcert.command(epilog=example("audit example:poll", "audit --template gaussian > claim.toml"))
@click.argument("claim", required=False, type=OR_STANDARD, callback=_is_there)
@click.option(
    "--examples",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_examples,
    help="List the claims that are shipped, each example:NAME, and stop.",
)
@TEMPLATE
@click.option(
    "--format",
    "form",
    default="toml",
    show_default=True,
    help="What CLAIM is: toml, a claim file; tfp, what TensorFlow Privacy prints of DP-SGD; "
    "registry, an entry of the DP deployments registry.",
)
@OUT
@SUBJECT
@REPORT
@COQ
@ISSUED
@limited(loading=load_audits)
@telling
def audit(
    claim: str | None,
    template: str | None,
    form: str,
    out: str | None,
    subjects: tuple[str, ...],
    report: str | None,
    coq: str | None,
    issued: bool,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Decide a privacy claim: CLAIM.toml, example:NAME, or - for standard input."""
    from ...reference.exact import parse_toml
    from ..audits.claim import TOML, claim_in, files_named_in, source_of
    from ..audits.decision import decide
    from ..files import write_whole
    from ..marks import COQ as PROOF
    from ..report import print_audit, working
    from ..verdict import exit_code

    if template is not None:
        print_template(template, claim)
        return 0
    if claim is None:
        raise InputError("audit needs a claim file, or example:NAME; --template lists templates")
    if form != TOML:
        given = {"--out": out, "--report": report, "--coq": coq, "--subject": subjects}
        return _audit_published(claim, form, given, as_json=as_json, quiet=quiet, verbose=verbose)
    _require_certificate(subjects, out, report)
    targets = [*certificate_and_report(out, report), (coq, PROOF)]
    require_targets(targets, [claim, *subjects])
    content, name = source_of(claim)
    table = parse_toml(content, name)
    with working(f"reading {name}"):
        read = claim_in(table, name)
    # The file is read once, so that verdict and certificate are about the same claim.
    require_targets(targets, [str(file) for file in files_named_in(table, name)])
    _require_provable(read, coq)
    issue = None
    if out is not None or report is not None:
        from ..certificate.subjects import ClaimFile as Held

        issue = _issuing(content, subjects, Held(read, table, name), issued=issued)
    with working(f"deciding {read.name}"):
        found = decide(read)
        proof = _proof(found, coq)
        certificate = issue(found) if issue else None
    if report is not None or not quiet:
        found = with_repairs(found, is_last=report is None)
    if certificate is not None:
        write_certificate(certificate, out, report, found)
    if coq is not None and proof is not None:
        work_is_done()
        write_whole(coq, proof, PROOF)
    work_is_done()
    proved = coq if proof else None
    with reader_may_leave(out):
        if as_json:
            print_json({**found.as_json(), "certificate": out, "proof": proved})
        else:
            print_audit(found, quiet=quiet, verbose=verbose)
            say_written(out, report, proof_for_Coq=proved, quiet=quiet)
            if proved != coq and not quiet:
                click.echo("no proof for Coq was written: nothing is certified")
    return exit_code(found.verdict)


def _require_certificate(subjects: tuple[str, ...], out: str | None, report: str | None) -> None:
    """Raise InputError where files are named for a certificate that is not asked for."""
    if subjects and out is None and report is None:
        raise InputError("--subject names a file for the certificate; give --out, too")


def _audit_published(
    claim: str, form: str, given: Mapping[str, object], *, as_json: bool, quiet: bool, verbose: bool
) -> int:
    """Decide what a text of another format says, and return the exit code."""
    from ..published.decided import decide_published, require_format, statement_source
    from ..report import decisions_as_json, print_decisions, working
    from ..verdict import exit_code

    require_format(form)
    option = next((each for each, value in given.items() if value), "")
    if option:
        raise InputError(
            f"{option} is for a claim file: audit --format {form} -v prints one for each thing "
            "that the text says; audit that"
        )
    content, name = statement_source(claim, form)
    with working(f"deciding {name}"):
        found = decide_published(content, name, form)
    work_is_done()
    with reader_may_leave():
        if as_json:
            print_json(decisions_as_json(found))
        else:
            print_decisions(found, quiet=quiet, verbose=verbose)
    return exit_code(found.verdict)


def _issuing(
    content: bytes, subjects: tuple[str, ...], claim: ClaimFile, *, issued: bool
) -> Callable[[Audit], bytes]:
    """Read a certificate's subjects, and return what makes it of what is found."""
    from ..certificate.claim import claim_statement_of
    from ..certificate.issuing import claim_subject, file_subject, time_of_issue
    from ..certificate.reading import canonical_bytes

    listed = [claim_subject(content, claim.name), *map(file_subject, subjects)]
    moment = time_of_issue(asked=issued)

    def issue(found: Audit) -> bytes:
        statement = claim_statement_of(found, listed, moment)
        _require_no_false_subject(statement, subjects, claim)
        return canonical_bytes(statement)

    return issue


def _require_provable(claim: Claim, path: str | None) -> None:
    """Raise InputError where a file is named for a proof that cannot be written."""
    from ..audits.coq import require_provable

    if path is not None:
        require_provable(claim)


def _proof(found: Audit, path: str | None) -> bytes | None:
    """Return a certified claim as a theorem, where a file is named for it."""
    from ..audits.coq import proof_of
    from ..verdict import Verdict

    if path is None or found.verdict is not Verdict.CERTIFIED:
        return None
    return proof_of(found).encode()


def _require_no_false_subject(
    statement: ClaimStatement, subjects: tuple[str, ...], claim: ClaimFile
) -> None:
    """Raise InputError for a release or a claim file that `verify` refuses as its subject."""
    from ...reference.exact import MAX_FILE_BYTES
    from ..certificate.errors import SubjectError
    from ..certificate.subjects import held_in, require_about

    for name in subjects:
        if Path(name).stat().st_size > MAX_FILE_BYTES:
            continue
        try:
            require_about(statement, [(claim.name, claim), (name, held_in(statement, name))])
        except SubjectError as error:
            raise InputError(f"--subject {error}") from None


class _StoppedError(Exception):
    """A campaign was stopped at a case that failed."""

    def __init__(self, case: Case) -> None:
        super().__init__()
        self.case = case


def _tell_failure(case: Case, left: int, *, stops: bool, quiet: bool) -> None:
    """Stop at the first case that fails, or say it at once; with nothing left the answer does."""
    if stops:
        raise _StoppedError(case)
    if left and not quiet:
        from ..report import first_failure

        click.echo(first_failure(case), err=True)


def _say_stopped(case: Case, backend: str | None, *, as_json: bool, quiet: bool) -> int:
    """Say where a campaign was stopped, and return its exit code."""
    from ..report import print_stopped
    from ..verdict import exit_code

    with reader_may_leave():
        if as_json:
            told = {"quantity": case.quantity, "check": case.check, **case.as_json()}
            verdict = case.verdict.value
            print_json({"schema_version": 1, "verdict": verdict, "first_failure": told})
        else:
            print_stopped(case, backend or "float64", quiet=quiet)
    return exit_code(case.verdict)


_SECTIONS = {
    "What is asked": (
        *("--quantities", "--cases", "--screen", "--seed", "--case-seconds", "--samplers"),
    ),
    "How it is run": ("--jobs", "--executor", "--fail-fast", "--strict"),
    "What is written": ("--out", "--report", "--transcript", "--subject", "--issued"),
    "For a CI": ("--junit", "--sarif", "--failures", "--expected-failures"),
}


@simplexcert.command(
    epilog=example("certify mypackage:backend --quantities 'gaussian.*'"), sections=_SECTIONS
)
@click.argument("backend", required=False)
@click.option("--quantities", "pattern", default="*", metavar="GLOB", help="Which quantities.")
@click.option("--cases", default=200, show_default=True, help="Cases per quantity.")
@click.option(
    "--screen",
    type=int,
    metavar="N",
    help="Points per quantity to look at once, for the worst.  [default: 20 a case]",
)
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same bytes.")
@click.option("--jobs", default=1, show_default=True, help="Worker processes.")
@click.option(
    "--executor", metavar="dask:ADDRESS", help="Send the work to this Dask cluster instead."
)
@click.option(
    "--case-seconds", default=20.0, show_default=True, help="Time that a backend has for a case."
)
@click.option("--samplers", is_flag=True, help="Test the samplers, as is done with all quantities.")
@OUT
@click.option(
    "--transcript",
    metavar="CASES.jsonl.gz",
    help="Write every case there; a run that was stopped goes on where it was.",
)
@SUBJECT
@REPORT
@ISSUED
@click.option("--junit", metavar="OUT.xml", help="Write the checks there as JUnit XML.")
@click.option("--sarif", metavar="OUT.json", help="Write the failures there as SARIF 2.1.0.")
@click.option(
    "--expected-failures",
    "expectations",
    metavar="FILE",
    help="Failures, each with a reason, that do not fail the run; no verdict changes.",
)
@click.option(
    "--failures",
    metavar="OUT.txt",
    help="Write the failures there, for --expected-failures; reasons that stand there stay.",
)
@click.option("--fail-fast", is_flag=True, help="Stop at the first failure, and write no file.")
@click.option("--strict", is_flag=True, help="Undecided and loose count as failures.")
@telling
def certify(
    backend: str | None,
    pattern: str,
    cases: int,
    screen: int | None,
    seed: int,
    jobs: int,
    executor: str | None,
    case_seconds: float,
    samplers: bool,
    out: str | None,
    transcript: str | None,
    subjects: tuple[str, ...],
    report: str | None,
    issued: bool,
    junit: str | None,
    sarif: str | None,
    expectations: str | None,
    failures: str | None,
    fail_fast: bool,
    strict: bool,
    verbose: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    """Check a backend (module:attribute; by default the built-in one) and certify it.

    A backend is an object with a `name`, a `version` and `quantities`, a table of functions
    by the names that `simplexcert quantities` lists. An example, and other languages:
    certify/ci/CERTIFY.md. third-party:NAME is an accountant that is installed, such as opendp:
    certify/backends/PROTOCOL.md.
    """
    from ..backends.beforehand import import_all
    from ..backends.subjects import Subject
    from ..campaign import certify_backend, partial_path, write_transcript
    from ..certificate.backend import statement_of
    from ..certificate.issuing import file_subject, time_of_issue
    from ..certificate.reading import canonical_bytes
    from ..ci.findings import expected_failures_in
    from ..ci.output import InCI
    from ..marks import EXPECTED, JUNIT, SARIF, TRANSCRIPT
    from ..report import print_campaign, progress, working

    if fail_fast and any((out, transcript, report, junit, sarif, expectations, failures)):
        raise InputError("--fail-fast is for a quick look: it goes with no file, of any option")
    read = [*subjects, *([expectations] if expectations else [])]
    partial = str(partial_path(transcript)) if transcript else None
    others = [(transcript, TRANSCRIPT), (partial, None), (junit, JUNIT), (sarif, SARIF)]
    require_targets([*certificate_and_report(out, report), *others, (failures, EXPECTED)], read)
    expected = expected_failures_in(expectations) if expectations else ()
    noted = expected_failures_in(failures) if failures and Path(failures).exists() else ()
    moment = time_of_issue(asked=issued)
    also = [Subject(each.name, each.digest.sha256) for each in map(file_subject, subjects)]
    import_all(report=report is not None)
    with ExitStack() as stack:
        kept = stack.enter_context(_kept(transcript)) if transcript else None
        if not transcript and not fail_fast:
            stack.enter_context(_nothing_kept())
        try:
            with progress("checking", "cases") as advance:
                campaign = certify_backend(
                    backend,
                    quantities=pattern,
                    cases=cases,
                    screen=screen,
                    seed=seed,
                    jobs=jobs,
                    executor=executor,
                    case_seconds=case_seconds,
                    samplers=samplers,
                    also=also,
                    partial=kept,
                    on_progress=advance,
                    on_first_failure=lambda case, left: _tell_failure(
                        case, left, stops=fail_fast, quiet=quiet
                    ),
                )
        except _StoppedError as stopped:
            return _say_stopped(stopped.case, backend, as_json=as_json, quiet=quiet)
        content = canonical_bytes(statement_of(campaign, moment))
        if transcript and kept:
            write_transcript(transcript, kept.lines(), campaign.transcript_sha256)
        write_certificate(content, out, report)
        told = InCI(campaign, expected, strict, noted)
        with working("making what failed simpler"):
            simplest = told.simplest
        told.write(junit, sarif, failures)
        if kept:
            kept.forget()
    with reader_may_leave(out):
        if as_json:
            predicate = json.loads(content)["predicate"]
            print_json({"schema_version": 1, **predicate, "certificate": out})
        else:
            print_campaign(campaign, simplest, told.commands, every_check=verbose, quiet=quiet)
            more = {"transcript": transcript, "JUnit_XML": junit, "SARIF": sarif}
            say_written(out, report, **more, list_of_failures=failures, quiet=quiet)
        told.print_lines(all_of_them=as_json or quiet)
    return told.exit_code


@contextmanager
def _kept(transcript: str) -> Iterator[PartialTranscript]:
    """Open a transcript's partial file; where the run ends early, say how it is gone on with.

    The next line says why it ended.
    """
    from ..campaign import partial_beside

    with partial_beside(transcript) as partial:
        try:
            yield partial
        except BaseException:
            if partial.goes_on:
                kept = f"what was done is kept in {partial.path}"
                tell(f"{kept}; this goes on from there: {_again()}")
            raise


@contextmanager
def _nothing_kept() -> Iterator[None]:
    """Say, where a run without a transcript is interrupted, how one is begun that can go on."""
    try:
        yield
    except KeyboardInterrupt:
        how = _again("--transcript", "cases.jsonl.gz")
        tell(f"nothing of this run is kept; one that can be stopped and goes on: {how}")
        raise


def _again(*more: str) -> str:
    """Return the command that was given, with more words, as a shell takes it."""
    from ..ci.violations import command_line

    return command_line("simplexcert", *click.get_current_context().meta[GIVEN], *more)
