"""Reports for people: summaries for a terminal, and a page in HTML."""

from typing import TYPE_CHECKING

from ...reference.lazy import lazily

if TYPE_CHECKING:
    from .answers import print_answer
    from .budget import picture_of_budget
    from .campaigns import first_failure, print_campaign, print_stopped
    from .explained import (
        examples_explained,
        mechanism_as_json,
        mechanisms_explained,
        quantity_explained,
        templates_explained,
    )
    from .page import report_of, report_on
    from .papers import claims_as_json, print_claims
    from .published import decisions_as_json, print_decisions
    from .releases import ledger_as_json, print_ledger, print_made
    from .terminal import (
        console_here,
        print_audit,
        print_decided,
        print_folded,
        print_quantities,
        print_sentences,
        print_table,
        progress,
        working,
    )
    from .verified import print_authentic
    from .wording import quoted, visible

__all__ = [
    "claims_as_json",
    "console_here",
    "decisions_as_json",
    "examples_explained",
    "first_failure",
    "ledger_as_json",
    "mechanism_as_json",
    "mechanisms_explained",
    "picture_of_budget",
    "print_answer",
    "print_audit",
    "print_authentic",
    "print_campaign",
    "print_claims",
    "print_decided",
    "print_decisions",
    "print_folded",
    "print_ledger",
    "print_made",
    "print_quantities",
    "print_sentences",
    "print_stopped",
    "print_table",
    "progress",
    "quantity_explained",
    "quoted",
    "report_of",
    "report_on",
    "templates_explained",
    "visible",
    "working",
]

_HOMES = {
    "quantity_explained": ".explained",
    "mechanisms_explained": ".explained",
    "mechanism_as_json": ".explained",
    "examples_explained": ".explained",
    "templates_explained": ".explained",
    "claims_as_json": ".papers",
    "console_here": ".terminal",
    "decisions_as_json": ".published",
    "first_failure": ".campaigns",
    "ledger_as_json": ".releases",
    "picture_of_budget": ".budget",
    "print_answer": ".answers",
    "print_audit": ".terminal",
    "print_authentic": ".verified",
    "print_campaign": ".campaigns",
    "print_claims": ".papers",
    "print_decided": ".terminal",
    "print_decisions": ".published",
    "print_ledger": ".releases",
    "print_made": ".releases",
    "print_quantities": ".terminal",
    "print_folded": ".terminal",
    "print_table": ".terminal",
    "print_sentences": ".terminal",
    "print_stopped": ".campaigns",
    "progress": ".terminal",
    "quoted": ".wording",
    "report_of": ".page",
    "report_on": ".page",
    "visible": ".wording",
    "working": ".terminal",
}

__getattr__ = lazily(__name__, _HOMES)
