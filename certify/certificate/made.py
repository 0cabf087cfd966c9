"""Make the certificate of a release that was made: its claim's certificate, and the making."""

from __future__ import annotations

from typing import Final

from ...reference.errors import InputError
from ..verdict import Verdict
from .errors import CertificateError
from .models import STATEMENT_TYPE, ClaimStatement, Subject
from .models_made import MADE_TYPE, MadePredicate, MadeStatement, Making, Released
from .reading import canonical_bytes, read_statement
from .subjects import in_order

OF_THE_MAKING: Final = (
    "That it was made as is said here, and of the data that are meant: only its maker can know.",
    "What is lost together with other releases of the same data; that takes a ledger of them.",
    "What it tells of the data how long it took, or that it was not refused.",
)
OF_THE_BITS: Final = (
    "That the operating system's random bits were uniform, independent and seen by nobody.",
)
OF_THE_SEED: Final = (
    "That the release is private: it was drawn from a seed, by which anybody can undo the noise.",
)


def made_statement_of(claim: ClaimStatement, released: Released, file: Subject) -> MadeStatement:
    """Return the statement on a release, ``file``, made under a claim that is certified.

    Raises InputError where it could not be read again, such as for a file of an odd name.
    """
    statement = MadeStatement(
        type=STATEMENT_TYPE,
        subject=in_order([*claim.subject, file]),
        predicateType=MADE_TYPE,
        predicate=MadePredicate(
            verdict_on(claim.predicate.verdict, private=released.private),
            claim.predicate,
            Making(
                released.private,
                released.drawn_from,
                released.seed,
                released.grid,
                file,
                made_non_claims(private=released.private),
            ),
        ),
    )
    _require_readable(statement)
    return statement


def verdict_on(claim: Verdict, *, private: bool) -> Verdict:
    """Return the verdict on a release, of which the claim only holds if it is private."""
    return claim if private else Verdict.INAPPLICABLE


def made_non_claims(*, private: bool) -> list[str]:
    """Return what is not said of the making; of what was drawn from a seed that first."""
    return [*(OF_THE_BITS if private else OF_THE_SEED), *OF_THE_MAKING]


def _require_readable(statement: MadeStatement) -> None:
    try:
        read_statement(canonical_bytes(statement), "the certificate")
    except CertificateError as error:
        raise InputError(f"no certificate can say this: {error}") from None
