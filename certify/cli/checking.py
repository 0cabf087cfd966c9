"""Commands that read certificates: verify, sign, and report."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...reference.errors import InputError
from ..files import STANDARD
from .group import (
    OR_STANDARD,
    example,
    print_json,
    require_targets,
    say_written,
    simplexcert,
    telling,
    telling_a_line,
    with_repairs,
)
from .limited import limited, work_is_done
from .streams import print_line, reader_may_leave, tell

if TYPE_CHECKING:
    from ..certificate.errors import CertificateError
    from ..certificate.policy import Policy
    from ..certificate.verification import Number


PASSPHRASE_VARIABLE = "SIMPLEXCERT_KEY_PASSPHRASE"  # noqa: S105
# No campaign has more cases; a longer number is a slip.
_MOST_DIGITS = 12


@simplexcert.command(epilog=example("verify cert.json --max-epsilon 1 --max-delta 1e-6"))
@click.argument("certificate", type=OR_STANDARD)
@click.option(
    "--key", "keys", multiple=True, metavar="PUBLIC.pem", help="Require a signature by this key."
)
@click.option(
    "--fingerprint",
    "fingerprints",
    multiple=True,
    metavar="SHA256",
    help="Require the keys to be those of these fingerprints, which `sign` prints.",
)
@click.option(
    "--subject",
    "subjects",
    multiple=True,
    metavar="FILE",
    help="Require this file to be one it is about.",
)
@click.option("--transcript", metavar="CASES.jsonl.gz", help="Require this to be its transcript.")
@click.option("--recheck", metavar="N|all", help="Judge so many cases, or entries, anew.")
@click.option("--max-epsilon", metavar="E", help="Require a claim of no larger epsilon.")
@click.option("--max-delta", metavar="D", help="With --max-epsilon: of no larger delta.")
@click.option("--order", metavar="L", help="With --max-epsilon: of this Renyi order or more.")
@click.option("--mechanism", metavar="NAME", help="Require a claim about this mechanism.")
@click.option("--neighbours", metavar="NAME", help="Require a claim about these neighbours.")
@click.option(
    "--quantities", metavar="GLOB", help="Require each quantity that matches to stand certified."
)
@click.option("--min-cases", metavar="N", help="Require so many cases of a quantity.")
@click.option(
    "--max-slack",
    metavar="S",
    help="Admit so much slack; 0 where anything is required.",
)
@click.option("--require-signed", is_flag=True, help="Require a signature by the keys given.")
@limited()
@telling
def verify(
    certificate: str,
    keys: tuple[str, ...],
    fingerprints: tuple[str, ...],
    subjects: tuple[str, ...],
    transcript: str | None,
    recheck: str | None,
    as_json: bool,
    quiet: bool,
    verbose: bool,
    **demanded: Any,
) -> int:
    """Check a certificate: form, signatures, verdict, and every worst case or the claim again."""
    from ..certificate.errors import CertificateError
    from ..certificate.verification import verify as verified
    from ..report import progress
    from ..verdict import exit_code

    policy = _policy(demanded)
    try:
        with progress("checking") as advance:
            found = verified(
                certificate,
                subject=subjects,
                keys=keys,
                fingerprints=fingerprints,
                transcript=transcript,
                recheck=_number(recheck),
                policy=policy,
                on_progress=advance,
            )
    except CertificateError as error:
        if as_json:
            print_json(_failed(error))
            raise
        for reason in error.reasons[:-1]:
            tell(reason)
        raise type(error)(error.reasons[-1]) from None
    from ..files import name_of
    from ..report import print_authentic

    work_is_done()
    with reader_may_leave():
        if as_json:
            print_json(found.as_json())
        else:
            print_authentic(found, name_of(certificate), quiet=quiet, verbose=verbose)
    return exit_code(found.verdict)


def _failed(error: CertificateError) -> dict[str, object]:
    """Return for programs why a certificate does not check or meet what is required: no verdict."""
    return {
        "schema_version": 1,
        "authentic": False,
        "signed": False,
        "verdict": None,
        "error": type(error).__name__,
        "reasons": list(error.reasons),
    }


@simplexcert.command(epilog=example("sign cert.json --key me.private.pem"))
@click.argument("certificate", type=OR_STANDARD)
@click.option(
    "--key",
    required=True,
    metavar="PRIVATE.pem",
    help="An Ed25519 key, PKCS8 PEM; `keygen` makes one.",
)
@click.option(
    "--out",
    type=OR_STANDARD,
    metavar="SIGNED.json",
    help="Write it there; by default in place; - prints it.",
)
@telling_a_line
def sign(certificate: str, key: str, out: str | None, as_json: bool) -> None:
    """Sign a certificate, or add a signature to a signed one.

    The passphrase of an encrypted key is read from SIMPLEXCERT_KEY_PASSPHRASE, or asked for.
    """
    from ..certificate.signing import sign as signed

    fingerprint = signed(certificate, key, passphrase=_passphrase, out=out)
    target = certificate if out is None else out
    with reader_may_leave(target):
        if as_json:
            print_json({"schema_version": 1, "signed_by": fingerprint, "file": target})
        else:
            print_line(f"signed by {fingerprint}; written to {_said_target(target)}")


def _said_target(target: str) -> str:
    return "standard output" if target == STANDARD else target


def _number(text: str | None) -> Number | None:
    """Return how many cases are to be judged anew, or that all are."""
    if text == "all":
        return "all"
    return _whole("--recheck", text, "neither a number of cases nor all")


def _whole(option: str, text: str | None, what: str) -> int | None:
    if text is None:
        return None
    from ...reference.exact import shown

    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        raise InputError(f"{option} {shown(text)} is {what}")
    return int(text)


def _policy(demanded: dict[str, Any]) -> Policy | None:
    """Return what is required of the certificate beyond that it checks; None if nothing is."""
    if all(value is None or value is False for value in demanded.values()):
        return None
    from ...reference.exact import exact_number
    from ..certificate.policy import Policy

    for key in ("max_epsilon", "max_delta", "order", "max_slack"):
        if demanded[key] is not None:
            option = f"--{key.replace('_', '-')}"
            demanded[key] = exact_number(demanded[key], option)
    cases = _whole("--min-cases", demanded["min_cases"], "no number of cases")
    return Policy(**{**demanded, "min_cases": cases})


def _passphrase() -> str:
    given = os.environ.get(PASSPHRASE_VARIABLE)
    if given is not None:
        return given
    if not (sys.stdin and sys.stdin.isatty()):
        raise InputError(f"the key is encrypted: set {PASSPHRASE_VARIABLE}, or use a terminal")
    answer: str = click.prompt("Passphrase of the key", hide_input=True, err=True)
    return answer


@simplexcert.command(epilog=example("report cert.json --out report.html"))
@click.argument("certificate", type=OR_STANDARD)
@click.option(
    "--out",
    type=OR_STANDARD,
    required=True,
    metavar="OUT.html",
    help="Write the report there; - prints it.",
)
@limited()
@telling_a_line
def report(certificate: str, out: str, as_json: bool) -> None:
    """Verify a certificate and make a report for people: one HTML file that needs no network.

    A certificate that does not check gives no report. Signatures are named in it, not checked: that
    takes a key, and `verify --key`.
    """
    from ..extras import require_plots
    from ..files import content_at, write_whole
    from ..marks import REPORT
    from ..report import report_on, working

    require_plots("report")
    require_targets([(out, REPORT)], [certificate])
    name = "certificate.json" if certificate == STANDARD else certificate
    with working(f"verifying {Path(name).name}"):
        page = report_on(
            content_at(certificate), name, lambda found: with_repairs(found, is_last=False)
        )
    work_is_done()
    write_whole(out, page, REPORT)
    with reader_may_leave(out):
        if as_json:
            print_json({"schema_version": 1, "report": out})
        else:
            say_written(None, out)
