"""Whatever stands in a claim file: reading it ends in a claim or in an error of ours, and soon."""

from __future__ import annotations

import re
from random import Random

from each import each
from simplexcert.certify.audits.claim import claim_in, example_names, example_text
from simplexcert.reference.errors import InputError
from simplexcert.reference.exact import parse_toml
from simplexcert.reference.precision import BudgetSpentError, all_within

TEXTS = {name: example_text(name) for name in example_names()}
# Of more digits than the interpreter writes out: a message that holds one raises ValueError.
LONG = ["1e5000", '"1e5000"', "-1e5000", '"-1e5000"', "1e-5000", '"1e-5000"', "0x" + "f" * 4_000,
        f'"{"7" * 5_000}"', f'"{"7" * 5_000}/3"', f'"{"7" * 4_900}.5"']  # fmt: skip
STRANGE = ["0", "-1", "1", "2.5", '"1/0"', "true", "nan", "inf", '""', '"x"', '"tight"', "[]", "{}",
           "1979-05-27", "07:32:00", "[[]]", "[[[1]]]", '["tight"]', "{a = 1}", '"any"',
           '"stationary"', '"[1, 2]"', "'''\n'''", '"\\u202e"', f'"{"x" * 9_999}"', "1e10001",
           '"[1e5000]"', "[" * 60 + "]" * 60]  # fmt: skip
_VALUE = re.compile(r"(?<=[=\[, ])(?:\"[^\"\n]*\"|-?[0-9][0-9./e-]*)(?=[\s,\]}])")
# Of each claim; tests/long tries more.
FEW = 40
MOST_SAID = 10_000


def changed(text: str, random: Random) -> str:
    """Return a claim with a few of its values replaced, wrapped, doubled or dropped."""
    for _ in range(random.randint(1, 3)):
        places = [found.span() for found in _VALUE.finditer(text)]
        if not places:
            break
        start, end = random.choice(places)
        value = random.choice(LONG if random.random() < 0.6 else STRANGE)
        new = random.choice([value, value, f"[{value}]", f"[[{value}]]", f"[{value}, {value}]",
                             f"{text[start:end]}, {value}", ""])  # fmt: skip
        text = text[:start] + new + text[end:]
    return text


def refusal(text: str) -> str:
    """Return why a claim is refused, or nothing. Raises AssertionError for any other error."""
    try:
        with all_within(0.2):
            claim_in(parse_toml(text, "it"), "it")
    except (InputError, BudgetSpentError) as error:
        return str(error)
    except Exception as error:
        raise AssertionError(f"{type(error).__name__}: {error} of:\n{text}") from error
    return ""


def held(name: str, times: int, seed: int) -> None:
    random = Random(f"{name}/{seed}")  # noqa: S311
    for _ in range(times):
        assert len(refusal(changed(TEXTS[name], random))) < MOST_SAID


@each(TEXTS)
def test_any_claim_is_read_or_refused(name: str) -> None:
    held(name, FEW, 0)
