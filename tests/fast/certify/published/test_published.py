"""Texts that others published: what is read of them, what is decided, and what is refused."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from command_line import Cli, calling
from each import each_of
from simplexcert.certify import Verdict
from simplexcert.certify.audits.claim import claim_in
from simplexcert.certify.audits.table import toml_of
from simplexcert.certify.published import deployment, tensorflow_privacy
from simplexcert.certify.published.decided import (
    FORMATS,
    Decisions,
    decide_published,
    statement_names,
    statement_source,
)
from simplexcert.certify.published.said import Published
from simplexcert.reference.errors import InputError
from simplexcert.reference.exact import parse_toml

TRAINING = (
    "DP-SGD performed over {examples} examples with {batch} examples per iteration, noise "
    "multiplier {noise} for {epochs} epochs {micro} microbatching, and {users}."
)
EPSILONS = (
    "{level}-level DP with add-or-remove-one adjacency at delta = {delta} computed {by}:\n"
    "    Epsilon with each example occurring once per epoch:  {once:>12}\n"
    "    Epsilon assuming Poisson sampling (*):               {poisson:>12}"
)
USUAL = {"examples": "10000", "batch": "64", "noise": "1.0", "epochs": "5.0", "micro": "without",
         "users": "no bound on number of examples per user", "delta": "1e-06"}  # fmt: skip
# What five passes at noise multiplier 1 lose at delta 1e-6, between these.
LEAST, MOST = Fraction("12.59524"), Fraction("12.59525")


def statement(once: str = "13.376", poisson: str = "inf", user: str = "", **given: str) -> str:
    """Return a text as it is printed; of one epsilon unless more are given."""
    numbers = {**USUAL, **given}
    parts = [textwrap.fill(TRAINING.format(**numbers), width=80)]
    by = "with RDP accounting"
    parts.append(EPSILONS.format(level="Example", by=by, once=once, poisson=poisson, **numbers))
    if user:
        by, (first, second) = "using RDP accounting and group privacy", user.split()
        parts.append(EPSILONS.format(level="User", by=by, once=first, poisson=second, **numbers))
    return "\n\n".join(parts) + "\n"


def read(text: str, form: str = "tfp") -> Published:
    return FORMATS[form](text.encode(), "it")


def decided(text: str, form: str = "tfp") -> Decisions:
    return decide_published(text.encode(), "it", form)


def verdict(once: str, **given: str) -> Verdict:
    return decided(statement(once, **given)).verdict


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return calling(capsys)


def test_a_statement_is_one_claim_an_epsilon() -> None:
    found = read(statement("26.501", "1.464", "100.0 8.5", users="at most 3 examples per user"))
    at, user = "at delta = 1e-06, of", "a user with at most 3 examples"
    assert [said.says for said in found.said] == [
        f"epsilon = 26.501 {at} one example, once in each epoch, in any order",
        f"epsilon = 1.464 {at} one example, in Poisson samples",
        f"epsilon = 100.0 {at} {user}, once in each epoch, in any order",
        f"epsilon = 8.5 {at} {user}, in Poisson samples",
    ]


def test_each_claim_file_is_one_that_is_read() -> None:
    for micro in ("with", "without"):
        text = statement("26.5", "1.4", "99 8", users="at most 3 examples per user", micro=micro)
        for said in read(text).said:
            for table in (said.certified_by, said.refuted_by):
                assert table is not None
                claim_in(parse_toml(toml_of(table)), "it", choosing=False)


def test_the_numbers_of_poisson_samples_are_those_of_the_text() -> None:
    (said,) = read(statement("inf", "1.464", micro="with")).said
    assert said.certified_by is not None
    assert said.refuted_by is not None
    release = {"batch": "64", "records": "10000", "neighbours": "add_remove"}
    # 781.25 steps are 781 or 782.
    for table, noise, steps, epsilon in ((said.certified_by, "0.5", "782", "1.464"),
                                         (said.refuted_by, "1", "781", "1.4645")):  # fmt: skip
        expected = {**release, "noise_multiplier": noise, "steps": steps}
        assert dict(table["release"]).items() >= expected.items()
        assert table["claim"] == {"epsilon": epsilon, "delta": "0.000001"}
    assert said.missing[-1] == "how many steps were taken: 781 or 782"


def test_a_printed_epsilon_is_refuted_beyond_its_rounding_alone() -> None:
    assert LEAST < MOST < Fraction("12.5955")
    assert verdict("12.596") is Verdict.CERTIFIED
    assert verdict("12.594") is Verdict.REFUTED
    found = decided(statement("12.595"))
    assert found.verdict is Verdict.UNDECIDED
    fact = "the epsilon before it was rounded: up to 12.5955 is printed 12.595"
    assert found.parts[0].missing == (fact,)


def test_with_microbatches_the_norm_or_twice_it_may_be_what_a_record_moves() -> None:
    assert verdict("13.376", noise="2.0", micro="with") is Verdict.CERTIFIED
    assert verdict("12.594", noise="1.0", micro="with") is Verdict.REFUTED
    found = decided(statement("13.376", noise="1.0", micro="with"))
    assert found.verdict is Verdict.UNDECIDED
    (fact,) = found.parts[0].missing
    assert "microbatches" in fact


def test_a_user_moves_as_many_norms_as_a_batch_has_examples_of_theirs() -> None:
    users, noise = "at most 3 examples per user", "3.0"
    for once, expected in (("12.596", Verdict.CERTIFIED), ("12.594", Verdict.REFUTED)):
        text = statement("inf", "inf", f"{once} inf", users=users, noise=noise)
        assert decided(text).verdict is expected
    few = statement("inf", "inf", "12.594 inf", users=users, noise=noise, batch="2")
    assert decided(few).verdict is Verdict.UNDECIDED


def test_with_microbatches_one_example_of_a_user_refutes() -> None:
    text = statement("inf", "inf", "13 inf", users="at most 3 examples per user", micro="with")
    (said,) = read(text).said
    multipliers = [
        table["release"]["events"][0]["noise_multiplier"]  # type: ignore[index]
        for table in (said.certified_by, said.refuted_by)
        if table is not None
    ]
    assert multipliers == ["1/6", "1"]
    assert len(said.missing) == 2


def test_the_line_of_old_versions_is_read_with_its_rounding() -> None:
    text = statement_source("example:digits-line", "tfp")[0].decode()
    (said,) = read(text).said
    assert said.certified_by is not None
    assert said.refuted_by is not None
    for table, rate, epsilon in ((said.certified_by, "0.1005", "1.3"),
                                 (said.refuted_by, "0.0995", "1.305")):  # fmt: skip
        assert table["release"]["sampling_probability"] == rate
        assert table["claim"]["epsilon"] == epsilon
        assert table["release"]["steps"] == "100"


def test_text_that_is_folded_after_a_hyphen_is_the_same() -> None:
    whole = statement()
    folded = whole.replace("add-or-remove-one", "add-or-\nremove-one")
    assert folded != whole
    assert read(folded) == read(whole)


@each_of(
    "old, new, said",
    [
        ("DP-SGD performed", "SGD performed", "the training should stand where it says"),
        ("Example-level", "Record-level", "the two epsilons of an example should stand where"),
        ("13.376", "nan", "the two epsilons of an example should stand"),
        ("13.376", "13.376\n\nIt is private.", "goes on|should stand"),
        ("64 examples", "0 examples", "batch = 0 is not above 0"),
        ("64 examples", "20000 examples", "a batch of 20000 is more than all 10000 examples"),
        ("1e-06", "1.5", r"delta = 1\.5 is not in \[0, 1\]"),
        ("1.0 for", "1e99999 for", "exponent"),
        ("5.0 epochs", "1..0 epochs", "is not a number"),
    ],
)
def test_any_other_text_is_refused_in_a_sentence(old: str, new: str, said: str) -> None:
    text = statement()
    assert text.replace(old, new) != text
    with pytest.raises(InputError, match=said):
        read(text.replace(old, new))


@pytest.mark.parametrize("number", ["1e9999", "1e-9999", "9" * 39])
def test_numbers_of_any_size_are_read_or_refused(number: str) -> None:
    for given in ({"once": number}, {"noise": number}, {"epochs": number}, {"batch": number}):
        assert len(refusal(statement(**given), "tfp")) < 1_000
    line = statement_source("example:digits-line", "tfp")[0].decode()
    for before, after in (
        ("= ", "%"),
        ("= ", " iterated"),
        ("eps = ", " and"),
        ("over ", " steps"),
    ):
        changed = re.sub(f"(?<={before})[0-9.]+(?={after})", number, line)
        assert changed != line
        assert len(refusal(changed, "tfp")) < 1_000


def test_a_statement_is_the_whole_text() -> None:
    with pytest.raises(InputError, match="goes on after TensorFlow Privacy's statement"):
        read(statement() + statement())


def test_a_statement_of_infinite_epsilons_says_nothing() -> None:
    with pytest.raises(InputError, match="says nothing: each epsilon in it is infinite"):
        read(statement("inf", "inf"))


def test_large_texts_and_those_that_are_no_text_are_not_read() -> None:
    for module, form in ((tensorflow_privacy, "tfp"), (deployment, "registry")):
        with pytest.raises(InputError, match="is larger than"):
            read(" " * (module.MAX_BYTES + 1), form)
        with pytest.raises(InputError, match="is not UTF-8 text"):
            FORMATS[form](b"\xff", "it")


ENTRY = statement_source("example:library-visits", "registry")[0].decode()
WORDS = statement_source("example:library-visits-in-words", "registry")[0].decode()


def with_parameters(text: str, numbers: str, flavor: str = "Approximate DP") -> str:
    """Return an entry with other privacy parameters."""
    changed = re.sub(r"(?<=privacy_parameters:\n)(?:      .*\n)+", numbers, text)
    return changed.replace("name: Approximate DP", f"name: {flavor}")


def test_an_entry_with_a_release_table_is_decided() -> None:
    found = decided(ENTRY, "registry")
    assert found.verdict is Verdict.CERTIFIED
    assert found.parts[0].assumptions[-1] == (
        "a record of the [release] table is what the entry protects: 'Reader-year'"
    )
    low = with_parameters(ENTRY, "      epsilon: 1.0\n      delta: 1.0e-6\n")
    assert decided(low, "registry").verdict is Verdict.REFUTED
    pure = with_parameters(ENTRY, "      epsilon: 1.5\n", "Pure DP")
    assert decided(pure, "registry").verdict is Verdict.REFUTED


def test_of_an_entry_in_words_the_missing_facts_are_named() -> None:
    found = decided(WORDS, "registry")
    assert found.verdict is Verdict.UNDECIDED
    assert [fact.partition(":")[0] for fact in found.parts[0].missing] == [
        "which data are neighbours, add_remove or replace",
        "the mechanism, its noise over the sensitivity, and how many releases",
    ]
    assert "--template gaussian" in found.published.next_step


@each_of(
    "numbers, flavor, missing",
    [
        ("      epsilon: 1.5\n", "Approximate DP", "privacy_parameters.delta"),
        ("      rho: 0.5\n", "Zero-concentrated DP", "a rho speaks of all orders"),
        ("      epsilon: 1\n      delta: 1e-9\n", "Pure DP", "pure DP, or a delta"),
        ("      epsilon: ''\n", "Pure DP", "privacy_parameters.epsilon"),
        ("      epsilon: 1\n      delta: 1e-9\n", "'pure  DP '", "pure DP, or a delta"),
    ],
)
def test_missing_numbers_are_named(numbers: str, flavor: str, missing: str) -> None:
    found = decided(with_parameters(ENTRY, numbers, flavor), "registry")
    assert found.verdict is Verdict.UNDECIDED
    assert any(missing in fact for fact in found.parts[0].missing)


CONCENTRATED = "Zero-concentrated DP"
EPSILON_AND_DELTA = "      epsilon: 1.5\n      delta: 1e-6\n"


@each_of(
    "numbers, flavor, missing",
    [
        (f"{EPSILON_AND_DELTA}      rho: 0.000001\n", "Approximate DP", "rho = 1e-6"),
        (EPSILON_AND_DELTA, "Zero-concentrated DP", "says more than epsilon and delta"),
        (EPSILON_AND_DELTA, "Renyi DP", "says more than epsilon and delta"),
        (EPSILON_AND_DELTA, "Custom", "says more than epsilon and delta"),
        (EPSILON_AND_DELTA, "Pure DP (local)", "says more than epsilon and delta"),
    ],
)
def test_what_an_entry_states_beside_epsilon_and_delta_is_not_certified(
    numbers: str, flavor: str, missing: str
) -> None:
    (part,) = decided(with_parameters(ENTRY, numbers, flavor), "registry").parts
    assert part.verdict is Verdict.UNDECIDED
    assert any(missing in fact for fact in part.missing)


def test_an_epsilon_and_a_delta_are_refuted_whatever_is_stated_beside() -> None:
    low = "      epsilon: 1.0\n      delta: 1.0e-6\n"
    for numbers, flavor in ((f"{low}      rho: 9\n", "Approximate DP"), (low, CONCENTRATED)):
        assert decided(with_parameters(ENTRY, numbers, flavor), "registry").verdict is (
            Verdict.REFUTED
        )


@pytest.mark.parametrize("space", [r"\n", r"\v", r"\f"])
def test_a_number_is_told_in_one_line_however_it_was_spaced(space: str) -> None:
    escaped = space.replace("\\", r"\\")
    spaced = f'      epsilon: "3{escaped}/{escaped}2"\n      delta: 1.0e-6\n'
    (said,) = read(with_parameters(ENTRY, spaced), "registry").said
    assert "epsilon = 3 / 2, delta" in said.says


@pytest.mark.parametrize("flavor", ["Renyi DP", "Custom", "Pure DP (local)"])
def test_an_epsilon_of_a_flavor_that_is_not_known_is_not_refuted(flavor: str) -> None:
    low = "      epsilon: 1.0\n      delta: 1.0e-6\n"
    found = decided(with_parameters(ENTRY, low, flavor), "registry")
    assert found.verdict is Verdict.UNDECIDED


DEEP = "a: " + "{a: " * (deployment.MAX_DEPTH + 1) + "1" + "}" * (deployment.MAX_DEPTH + 1)


@each_of(
    "text, said",
    [
        ("a: &x [1, 1]\nb: *x", "anchors or aliases"),
        ("b: *x", "anchors or aliases"),
        ("a: !!python/object/apply:os.system [id]", "tags"),
        ("a: !x 1", "tags"),
        (DEEP, f"more than {deployment.MAX_DEPTH} deep"),
        (f"a: [{'1, ' * deployment.MAX_NODES}1]", f"more than {deployment.MAX_NODES} values"),
        ("a: 1\na: 2", "the key 'a' twice"),
        ("a: 1\n---\nb: 2", "several documents"),
        ("[1]: 2", "a key that is no text"),
        ("", "is empty"),
        ("a: [", "is not YAML, line 1"),
        ("\x00", "is not YAML"),
        # What the parser's own arithmetic raises is no error of YAML.
        (f"%YAML 1.{'1' * 5000}\n---\na: b", "is not YAML"),
        (r'a: "\UFFFFFFFF"', "is not YAML"),
        (r'a: "\U00110000"', "is not YAML"),
        ("[1, 2]", "the entry is .*, and not a table"),
        ("a: 1", "it has no key deployment"),
        ("deployment: 1", "deployment is '1', and not a table"),
    ],
)
def test_hostile_yaml_is_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read(text, "registry")


@each_of(
    "old, new, said",
    [
        ("epsilon: 1.5", "epsilom: 1.5", "did you mean 'epsilon'"),
        ("epsilon: 1.5", "epsilon: .inf", "is not a number"),
        ("epsilon: 1.5", "epsilon: -1", "is no privacy parameter"),
        ("delta: 1.0e-6", "delta: 2", "is no privacy parameter"),
        ("epsilon: 1.5", "epsilon: [1.5]", "not a text or a number"),
        ('"6"', '"tight"', "tight|number"),
        ('mechanism = "composition"', 'counts = "/etc/passwd"', "names a file; no entry opens one"),
        ("[release]", "[claim]", "unknown key 'claim'"),
        ("      ```\n", "      ```\n\n      ```toml\n      ```\n", "2 blocks of code in TOML"),
        ("      ```\n", "", "a block of code in TOML that does not end"),
    ],
)
def test_an_entry_that_cannot_be_meant_is_refused(old: str, new: str, said: str) -> None:
    assert old in ENTRY
    with pytest.raises(InputError, match=said):
        decided(ENTRY.replace(old, new, 1), "registry")


def test_a_text_of_many_open_blocks_is_read_line_by_line() -> None:
    """Not once more to its end for each: lines are what is counted, of 16,000."""
    asked = 0

    class Counted(str):
        __slots__ = ()

        def strip(self, chars: str | None = None) -> str:
            nonlocal asked
            asked += 1
            return super().strip(chars)

    class Text(str):
        __slots__ = ()

        def split(self, *_: object) -> list[str]:  # type: ignore[override]
            return [Counted("```toml")] * 16_000

    with pytest.raises(InputError, match="does not end"):
        deployment._blocks(Text(), "it")
    assert asked <= 2 * 16_000


STRANGE = ["", " ", "0", "-1", "1e9999", "inf", "nan", "\x00", "\u202e", "{", "[", "&a", "*a",
           "!!b", "'", '"', "x" * 300, "9" * 39, "1e-9999", "\n", "%", ": "]  # fmt: skip


@pytest.mark.parametrize("form", FORMATS)
def test_whatever_stands_in_a_text_it_is_read_or_refused(form: str) -> None:
    random = Random(form)  # noqa: S311
    texts = [
        statement_source(f"example:{name}", form)[0].decode() for name in statement_names(form)
    ]
    for _ in range(300):
        text = random.choice(texts)
        for _ in range(random.randint(1, 3)):
            start = random.randrange(len(text))
            end = start + random.choice([0, 1, random.randint(0, 12)])
            text = text[:start] + random.choice(STRANGE) + text[end:]
        said = refusal(text, form)
        assert len(said) < 1_000
        assert said.isprintable()


def refusal(text: str, form: str) -> str:
    """Return why a text is refused, or nothing; any other error is raised."""
    try:
        for said in read(text, form).said:
            for table in filter(None, (said.certified_by, said.refuted_by)):
                claim_in(parse_toml(toml_of(table)), "it", choosing=False)
    except InputError as error:
        return str(error)
    return ""


def test_both_epsilons_of_a_statement_are_decided() -> None:
    text = statement_source("example:digits", "tfp")[0].decode()
    found = decided(text)
    assert [part.verdict for part in found.parts] == [Verdict.CERTIFIED] * 2
    assert len(found.assumptions) == 8


def test_the_command_tells_the_verdict_first_and_its_exit_code(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "statement.txt"
    for once, code in (("13.376", 0), ("12.594", 1), ("12.595", 2)):
        file.write_text(statement(once), encoding="utf-8")
        found = cli("audit", file, "--format", "tfp")
        assert found.code == code
        assert found.out.startswith(("CERTIFIED under 3 assumptions  'DP-SGD over 10000 examples",
                                     "REFUTED  'DP-SGD", "UNDECIDED  'DP-SGD")[code])  # fmt: skip
        quiet = cli("audit", file, "--format", "tfp", "-q")
        assert (quiet.code, quiet.out.count("\n")) == (code, 1)


def test_a_claim_file_that_is_printed_is_decided_alike(cli: Cli, tmp_path: Path) -> None:
    file, claim = tmp_path / "statement.txt", tmp_path / "claim.toml"
    file.write_text(statement("12.594"), encoding="utf-8")
    printed = cli("audit", file, "--format", "tfp", "-v").out
    told = json.loads(cli("audit", file, "--format", "tfp", "--json").out)
    text = told["claims"][0]["claim_file"]
    assert textwrap.indent(text.strip(), "  ").replace("\n  \n", "\n\n") in printed
    claim.write_text(text, encoding="utf-8")
    assert cli("audit", claim).code == 1
    assert told["verdict"] == told["claims"][0]["verdict"] == "refuted"
    assert told["claims"][0]["audit"]["witness"]


@pytest.mark.parametrize("option", ["--out", "--report", "--coq", "--subject"])
def test_what_is_for_a_claim_file_is_refused_of_other_formats(cli: Cli, option: str) -> None:
    found = cli("audit", "example:digits", "--format", "tfp", option, "x")
    assert (found.code, found.out) == (3, "")
    assert f"{option} is for a claim file" in found.err


def test_an_unknown_format_or_example_is_told_with_the_known(cli: Cli) -> None:
    assert "did you mean 'tfp'" in cli("audit", "example:digits", "--format", "tpf").err
    assert "digits" in cli("audit", "example:digit", "--format", "tfp").err


def test_without_yaml_the_extra_is_named(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    found = cli("audit", "example:library-visits", "--format", "registry")
    assert found.code == 3
    assert "pip install 'simplexcert[registry]'" in found.err
