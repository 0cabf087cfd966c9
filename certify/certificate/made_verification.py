"""Check a made release's certificate: the claim is decided anew, the making must be consistent.

That a release was drawn as is said nobody can see in it. What can be seen is that it is not said to
be private where it was drawn from a seed; then the verdict is inapplicable, which is no pass.
"""

from __future__ import annotations

from typing import Final

from ...reference.errors import InputError
from ..audits.decision import Audit
from ..verdict import Verdict
from .algebra import require_told
from .errors import AlgebraError
from .grids import grid_in
from .made import made_non_claims, verdict_on
from .models_made import MadePredicate, MadeStatement
from .release_verification import claim_verdict

# Seeds are 64 bits, so that any language can hold them.
MOST_SEED: Final = 2**64 - 1


def made_verdict(statement: MadeStatement) -> tuple[Verdict, Audit | None]:
    """Return the verdict if the claim's is found again, else undecided at best; and the audit.

    Raises a CertificateError where what is found contradicts what is stated.
    """
    _require_algebra(statement)
    verdict, audit = claim_verdict(statement.predicate.release)
    return verdict_on(verdict, private=statement.predicate.made.private), audit


def _require_algebra(statement: MadeStatement) -> None:
    predicate = statement.predicate
    made = predicate.made
    if predicate.release.verdict is not Verdict.CERTIFIED:
        raise AlgebraError("nothing is released under a claim that is not certified")
    if not made.private == (made.drawn_from == "operating system") == (made.seed is None):
        raise AlgebraError("a release is private where it was not drawn from a seed, there alone")
    if made.seed is not None and int(made.seed) > MOST_SEED:
        raise AlgebraError("a seed has 64 bits at most")
    if predicate.verdict is not verdict_on(predicate.release.verdict, private=made.private):
        raise AlgebraError("the verdict does not follow from the claim's and from the making")
    if made.file not in statement.subject:
        raise AlgebraError("the release is not among what the certificate is about")
    require_told(made_non_claims(private=made.private), made.non_claims)
    _require_grid(predicate)


def _require_grid(predicate: MadePredicate) -> None:
    try:
        grid_in(predicate.made.grid, predicate.release.claim.mechanism)
    except InputError as error:
        raise AlgebraError(str(error)) from None
