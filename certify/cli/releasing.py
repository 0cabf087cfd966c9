"""Commands of releases: one makes a release with its certificate, one shows a ledger of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...reference.errors import InputError
from ..files import left_behind, remove_left_lock
from ..verdict import EXIT_BAD_INPUT, Verdict
from .group import (
    REPORT,
    TEMPLATE,
    example,
    print_json,
    print_template,
    require_targets,
    simplexcert,
    telling,
)
from .limited import limited, load_audits, work_is_done
from .streams import print_line, reader_may_leave, tell

if TYPE_CHECKING:
    from ..audits.decision import Audit
    from ..releasing.ledger import Cap, Composition, Ledger
    from ..releasing.published import Files, Made


NOT_PRIVATE = (
    "NOT PRIVATE: this release was drawn from a seed, by which the noise can be undone; it is for "
    "tests alone, and nothing drawn from private data this way may leave your hands"
)


def _unlocked(given: Mapping[str, Any]) -> None:
    """Remove the lock beside the ledger that work which was killed has left."""
    if given["ledger"] is not None:
        remove_left_lock(Path(given["ledger"]))


@simplexcert.command(epilog=example("release claim.toml --data private.csv --out release.json"))
@click.argument("claim", required=False)
@click.option("--data", metavar="FILE", help="The private data, as [data] in the claim says.")
@click.option("--out", metavar="RELEASE.json", help="Write the release there; a new file.")
@click.option("--certificate", metavar="CERT.json", help="Write its certificate there; a new file.")
@click.option("--ledger", metavar="FILE", help="Record it there with other releases of the data.")
@click.option("--cap-epsilon", metavar="E", help="Let no release make them pass this together.")
@click.option("--cap-delta", metavar="D", help="The cap's delta; it is fixed with the first one.")
@click.option("--cap-order", metavar="L", help="The cap's order, in place of a delta.")
@click.option("--seed", metavar="N", help="Draw from a seed, for tests: NOT PRIVATE, and says so.")
@REPORT
@TEMPLATE
@limited(loading=load_audits, undecided=EXIT_BAD_INPUT, afterwards=_unlocked)
@telling
def release(
    claim: str | None,
    data: str | None,
    out: str | None,
    certificate: str | None,
    ledger: str | None,
    cap_epsilon: str | None,
    cap_delta: str | None,
    cap_order: str | None,
    seed: str | None,
    report: str | None,
    template: str | None,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Draw a release of private data under CLAIM.toml, exactly, and certify it.

    Nothing is drawn unless the claim is certified and the data satisfy its hypotheses. Neither the
    certificate nor any message holds a value of the data.
    """
    from ..releasing.published import Files
    from ..releasing.refusals import NotCertifiedError

    if template is not None:
        cap = (cap_epsilon, cap_delta, cap_order)
        if any((claim, data, out, certificate, ledger, *cap, seed, report)):
            raise InputError("--template prints a claim file and stops; give it alone")
        print_template(template)
        return 0
    if claim is None or data is None or out is None:
        raise InputError(
            "release needs CLAIM.toml, --data FILE and --out RELEASE.json; --template lists "
            "templates"
        )
    optional = [None if path is None else Path(path) for path in (certificate, ledger, report)]
    cap_said = (cap_epsilon, cap_delta, cap_order)
    files = Files(Path(claim), Path(data), Path(out), *optional, cap=_cap(*cap_said))
    _tell_of_what_was_left(files)
    try:
        made = _made(files, _seed(seed))
    except NotCertifiedError as error:
        work_is_done()
        with reader_may_leave():
            _print_audit(error.audit, as_json=as_json, quiet=quiet)
        raise
    if not made.private:
        tell(NOT_PRIVATE)
    with reader_may_leave():
        if as_json:
            print_json(_as_json(made, files))
        else:
            _print(made, files, quiet=quiet, verbose=verbose)
    return 0


def _tell_of_what_was_left(files: Files) -> None:
    """Name what a run that was killed may have left; where a ledger is locked it is removed."""
    if files.ledger is not None:
        return
    for path in files.new.values():
        for left in [] if path is None else left_behind(path):
            tell(
                f"{left} may be all that is left of a release that was drawn by a run that was "
                "killed; unless another run is writing it, delete it, as no ledger counts it"
            )


def _cap(*numbers: str | None) -> Cap | None:
    """Return the cap that the options say, None where none does."""
    if all(number is None for number in numbers):
        return None
    from ..releasing.ledger import cap_of

    return cap_of(*numbers)


def _print_audit(audit: Audit, *, as_json: bool, quiet: bool) -> None:
    """Print the verdict under which nothing is released, in the first line, and why."""
    from ..report import console_here, print_decided

    if as_json:
        print_json(audit.as_json())
        return
    print_decided(console_here(), audit, quiet=quiet)
    if not quiet and audit.verdict is not Verdict.INAPPLICABLE:
        click.echo("`simplexcert audit` of the same claim says what would do")


def _seed(text: str | None) -> int | None:
    from ...reference.exact import exact_integer

    return None if text is None else exact_integer(text, "--seed")


def _made(files: Files, seed: int | None) -> Made:
    from ..releasing.running import make
    from ..report import working

    def more(made: Made) -> Mapping[Path, bytes]:
        """Return the report, which is made from the certificate."""
        if files.report is None:
            return {}
        from ..report import report_of

        name = "certificate.json" if files.certificate is None else files.certificate.name
        return {files.report: report_of(made.certificate, name, made.audit)}

    with working(f"deciding {files.claim.name}, then drawing"):
        return make(files, seed, more, work_is_done)


def _as_json(made: Made, files: Files) -> dict[str, object]:
    """Return the release's shape for programs; the release itself is in its file."""
    from hashlib import sha256

    predicate = made.statement.predicate
    paths = {
        "release": files.out,
        "certificate": files.certificate,
        "ledger": files.ledger,
        "report": files.report,
    }
    return {
        "schema_version": 1,
        "verdict": predicate.verdict.value,
        "private": made.private,
        "warning": None if made.private else NOT_PRIVATE,
        "claim": made.audit.claim.as_json(),
        "grid": made.released.grid,
        "sha256": sha256(made.content).hexdigest(),
        **{key: None if path is None else str(path) for key, path in paths.items()},
        "composition": None if made.composition is None else made.composition.as_json(),
        "beside": None if made.beside is None else made.beside.as_json(),
        "non_claims": predicate.non_claims,
    }


def _print(made: Made, files: Files, *, quiet: bool, verbose: bool) -> None:
    from ..report import console_here, print_made

    print_made(console_here(), made, quiet=quiet, verbose=verbose)
    for what, path in (
        ("release", files.out),
        ("certificate", files.certificate),
        ("ledger", files.ledger),
        ("report", files.report),
    ):
        if path is not None and not quiet:
            print_line(f"{what} written to {path}")


def _load_ledgers() -> None:
    """Load what any ledger takes; what its claims take is known when it is read."""
    from .. import report  # noqa: F401
    from ..releasing import ledger  # noqa: F401


@simplexcert.command(epilog=example("ledger ledger.json"))
@click.argument("ledger")
@click.option(
    "--deliver", is_flag=True, help="Write what a killed run had recorded and not written."
)
@click.option(
    "--plot", metavar="FILE", help="Draw what was spent after each release: .svg, .pdf or .png."
)
@limited(loading=_load_ledgers)
@telling
def ledger(
    ledger: str, deliver: bool, plot: str | None, as_json: bool, quiet: bool, verbose: bool
) -> None:
    """Show the releases of the same data that a ledger records, and what they come to together.

    Of a ledger with a cap also what of it is spent, and what is left. The total is worked out anew
    from the claims. A ledger is only written to with --deliver.
    """
    from ..files import write_whole
    from ..releasing.ledger import composed, open_ledger, read_ledger, releases_beside

    _require_plot(plot, ledger)
    found = read_ledger(ledger)
    total = composed(found.entries, found.cap)
    others = releases_beside(Path(ledger), found)
    after, picture = ([], b"") if plot is None else _drawn(found, total, plot)
    work_is_done()
    delivered: tuple[str, ...] = ()
    if deliver:
        with open_ledger(ledger) as opened:
            delivered = opened.delivered
            if opened.ledger.entries != found.entries:
                raise InputError(f"{opened.path} was written to meanwhile: open it again")
            found = opened.ledger
    if plot is not None:
        from ..pictures import mark_of

        write_whole(plot, picture, mark_of(plot))
    from ..report import ledger_as_json, print_ledger

    with reader_may_leave():
        if as_json:
            shape = ledger_as_json(found, total, others)
            drawn = None if plot is None else after
            print_json({**shape, "written": list(delivered), "plot": plot, "after": drawn})
        else:
            print_ledger(found, total, others, quiet=quiet, verbose=verbose)
            for name in delivered:
                print_line(f"written: {name}")
            if plot is not None:
                print_line(f"plot written to {plot}")


def _require_plot(plot: str | None, ledger: str) -> None:
    """Raise InputError now if a plot could not be drawn, or not be written there."""
    if plot is None:
        return
    from ..extras import require_plots
    from ..pictures import mark_of

    mark = mark_of(plot)
    require_plots("--plot")
    require_targets([(plot, mark)], [ledger])


def _drawn(found: Ledger, total: Composition, plot: str) -> tuple[list[dict[str, object]], bytes]:
    """Return what was spent after each release, and a picture of it."""
    from ..releasing.ledger import spent_after
    from ..report import picture_of_budget

    after = spent_after(found.entries, total)
    picture = picture_of_budget(total, after, plot)
    return [{"releases": number, **spent.as_json()} for number, spent in after], picture
