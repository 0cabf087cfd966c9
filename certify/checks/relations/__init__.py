"""Relations between answers: each is held against others, and against what follows from them."""

from .cases import (
    LAWS,
    RELATIONS,
    Relating,
    StatedOther,
    relation_cases_at,
    relation_off_by,
    relation_verdict,
    relations_for,
)
from .form import Form
from .inverse import Inverse, asks_further, inverse_of
from .relation import (
    SLACK_OF_RELATIONS,
    Declared,
    First,
    Relation,
    Truths,
    by_both_engines,
    by_the_first_engine,
)
from .replay import is_of_its_point, number_in

__all__ = [
    "LAWS",
    "RELATIONS",
    "SLACK_OF_RELATIONS",
    "Declared",
    "First",
    "Form",
    "Inverse",
    "Relating",
    "Relation",
    "StatedOther",
    "Truths",
    "asks_further",
    "by_both_engines",
    "by_the_first_engine",
    "inverse_of",
    "is_of_its_point",
    "number_in",
    "relation_cases_at",
    "relation_off_by",
    "relation_verdict",
    "relations_for",
]
