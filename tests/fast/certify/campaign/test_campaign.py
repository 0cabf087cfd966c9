"""Campaigns: faults are found, sound backends pass, and the bytes depend on the seed alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction

import pytest
from each import each_of
from instances import first
from simplexcert.certify import certify_backend
from simplexcert.certify.campaign import WorkerDiedError, run
from simplexcert.certify.campaign.batches import crashes_in, relation_cases
from simplexcert.certify.certificate import canonical_bytes, statement_of
from simplexcert.certify.report.campaign_wording import said_beside
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.enclosure import Enclosure, Place
from simplexcert.reference.errors import InputError

DELTA = "dirichlet.profile.delta"
STEP = "dirichlet.profile.step_for_dp"
RENYI = "dirichlet.profile.renyi"
BOUND = "dirichlet.counts.epsilon_bound"
Maker = Callable[..., str]

SOUND_UP = "answer = math.nextafter(truth, math.inf) if math.isfinite(truth) else truth"


# Where doubles have no digits left there is no relative slack to use up.
SLACK_BODY = "answer = truth * (1 - 5e-7) if truth > 1e-300 else math.nextafter(truth, 1)"


@pytest.mark.parametrize("name", [DELTA, RENYI, BOUND])
def test_a_sound_backend_is_certified(make_backend: Maker, name: str) -> None:
    campaign = certify_backend(make_backend(name, SOUND_UP), quantities=name, cases=40)
    assert campaign.verdict is Verdict.CERTIFIED
    first = campaign.checks[0]
    assert (first.check, first.cases, first.second) == ("direction", 40, "overlaps")
    # Laws have their share of the points, or none where a further quantity would be needed.
    assert {check.cases for check in campaign.checks[1:]} <= {relation_cases(40), 0}
    assert relation_cases(40) == 10


def test_the_second_engine_is_asked_once_about_each_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def opinion(name: str, exact: Mapping[str, object], truth: Enclosure, *, place: Place) -> str:
        asked.append((name, tuple(exact.items()), truth, place))
        return f"opinion {len(asked)}"

    monkeypatch.setattr(run, "second_opinion", opinion)
    campaign = certify_backend(quantities=RENYI, cases=1, screen=0)
    told = [check.second for check in campaign.checks if check.second.startswith("opinion")]
    assert len(asked) == len(set(asked)) == len(set(told)) < len(told)


@pytest.mark.parametrize(
    ("name", "fault"),
    first(
        5,
        [
            (DELTA, "answer = math.nextafter(truth, -math.inf)"),
            (DELTA, "answer = truth * 0.999"),
            (DELTA, "answer = truth if given['epsilon'] != 0 else truth * (1 - 1e-9)"),
            (DELTA, "answer = 0.0 if truth < 1e-12 else math.nextafter(truth, 1)"),
            (RENYI, "answer = min(math.nextafter(truth, math.inf), 1e300)"),
            (STEP, "answer = math.nextafter(truth, math.inf)"),
        ],
    ),
)
def test_a_fault_is_found_with_its_witness(make_backend: Maker, name: str, fault: str) -> None:
    campaign = certify_backend(make_backend(name, fault), quantities=name, cases=150)
    assert campaign.verdict is Verdict.REFUTED
    check = campaign.checks[0]
    assert check.worst is not None
    assert (check.check, check.worst.verdict) == ("direction", Verdict.REFUTED)


@pytest.mark.parametrize(
    "rubbish",
    [
        "answer = math.nan",
        "answer = str(truth)",
        "answer = None",
        "raise RuntimeError('no luck')",
        "answer = [truth]",
        "raise SystemExit(0)",
        "raise GeneratorExit",
        "import os; os._exit(0)",
        "answer = type('Odd', (), {'__repr__': lambda self: 1 / 0, 'shape': ()})()",
        "answer = type('Odd', (float,), {'__float__': lambda self: 1 / 0})(0.5)",
        "answer = type('Told', (float,), {'__float__': lambda self: truth})(0.0)",
        "answer = type('Told', (int,), {'__float__': lambda self: truth})(0)",
        "answer = 10**10001",
    ],
)
def test_rubbish_is_an_error_whatever_else_passes(make_backend: Maker, rubbish: str) -> None:
    body = f"{SOUND_UP}\nif given['step'] > 1:\n    {rubbish}"
    campaign = certify_backend(make_backend(DELTA, body), quantities=DELTA, cases=80)
    assert campaign.verdict is Verdict.ERROR


def test_less_than_a_paper_prints_is_not_certified(make_backend: Maker) -> None:
    fault = "answer = math.nextafter(truth, math.inf) * given['N'] / (given['N'] + 1)"
    campaign = certify_backend(make_backend(BOUND, fault), quantities=BOUND, cases=40)
    assert campaign.verdict is Verdict.INAPPLICABLE
    assert campaign.checks[0].verdict is Verdict.INAPPLICABLE


def test_a_quantity_that_is_lacking_is_inapplicable(make_backend: Maker) -> None:
    campaign = certify_backend(
        make_backend(DELTA, SOUND_UP), quantities="dirichlet.profile.*", cases=5
    )
    verdicts = {check.quantity: check.verdict for check in campaign.checks if check.check != "form"}
    assert verdicts.pop(DELTA) is Verdict.CERTIFIED
    assert set(verdicts.values()) == {Verdict.INAPPLICABLE}
    only = certify_backend(make_backend(DELTA, SOUND_UP), quantities=RENYI, cases=5)
    assert only.verdict is Verdict.INAPPLICABLE


def test_a_declared_slack_is_admitted_and_told(make_backend: Maker) -> None:
    where = make_backend(DELTA, SLACK_BODY, f"slack = {{{DELTA!r}: 1e-6}}")
    campaign = certify_backend(where, quantities=DELTA, cases=30)
    assert campaign.verdict is Verdict.CERTIFIED
    statement = statement_of(campaign)
    assert Fraction(statement.predicate.checks[0].slack) == Fraction(1e-6)
    assert any(DELTA in sentence for sentence in statement.predicate.non_claims)


def test_a_promised_accuracy_is_held(make_backend: Maker) -> None:
    declared = f"accuracy = {{{DELTA!r}: 1e-3}}"
    for excess, verdict in (("1.0005", Verdict.CERTIFIED), ("1.01", Verdict.REFUTED)):
        where = make_backend(DELTA, f"answer = max(truth * {excess}, 5e-324)", declared)
        campaign = certify_backend(where, quantities=DELTA, cases=30)
        found = {check.check: check.verdict for check in campaign.checks}
        assert (found["direction"], found["accuracy"]) == (Verdict.CERTIFIED, verdict)


def test_the_certificate_does_not_depend_on_the_number_of_workers(make_backend: Maker) -> None:
    where = make_backend(BOUND, SOUND_UP)
    runs = [
        certify_backend(where, quantities="dirichlet.counts.*", cases=220, seed=7, jobs=jobs)
        for jobs in (1, 2)
    ]
    assert len({canonical_bytes(statement_of(run)) for run in runs}) == 1


def test_a_worker_that_dies_ends_the_run(make_backend: Maker) -> None:
    where = make_backend(BOUND, "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    with pytest.raises(WorkerDiedError, match="a worker died"):
        certify_backend(where, quantities=BOUND, cases=5, jobs=2)


@each_of(
    "told, losses",
    [
        ("", 0),
        ("d a D A d a", 1),  # one answer, judged twice
        ("D A M L d a m l D A", 2),  # the laws tell of it again
        ("d a M L d a m l", 2),  # each law lost its own
        ("d M d M D M", 3),
    ],
)
def test_losses_are_counted_by_what_was_asked(told: str, losses: int) -> None:
    values = {True: "CrashedError('gone')", False: "0x1p+0"}
    cases = [(each.lower(), values[each.isupper()]) for each in told.split()]
    assert crashes_in(cases) == losses


def test_the_seed_decides_the_points(make_backend: Maker) -> None:
    where = make_backend(DELTA, SOUND_UP)
    digests = [
        certify_backend(where, quantities=DELTA, cases=20, seed=seed).transcript_sha256
        for seed in (0, 0, 1)
    ]
    assert digests[0] == digests[1] != digests[2]


def test_what_a_backend_prints_does_not_reach_standard_output(
    make_backend: Maker, capsys: pytest.CaptureFixture[str]
) -> None:
    where = make_backend(DELTA, f"print('noise')\n{SOUND_UP}")
    certify_backend(where, quantities=DELTA, cases=3)
    assert capsys.readouterr().out == ""


def test_the_first_failure_is_told_once_as_soon_as_its_batch_is_done(make_backend: Maker) -> None:
    told: list[str] = []
    certify_backend(
        make_backend(DELTA, "return 0.0"),
        quantities=DELTA,
        cases=250,
        on_progress=lambda done, *_: told.append(f"{done} cases"),
        on_first_failure=lambda case, left: told.append(f"{case.verdict.value}, {left} left"),
    )
    assert told == ["0 cases", "refuted, 2 left", "100 cases", "200 cases", "250 cases"]


def test_every_case_is_told_in_order(make_backend: Maker) -> None:
    lines: list[str] = []
    progress: list[tuple[int, int, str]] = []
    certify_backend(
        make_backend(DELTA, SOUND_UP),
        quantities=DELTA,
        cases=250,
        on_case=lines.append,
        on_progress=lambda *at: progress.append(at),
    )
    assert sum('{"check":"direction",' in line for line in lines) == 250
    assert progress == [(0, 250, DELTA), (100, 250, DELTA), (200, 250, DELTA), (250, 250, "")]


@each_of(
    "where, says",
    [
        ("nowhere", "unknown backend 'nowhere'"),
        ("float46", "did you mean 'float64'"),
        ("nowhere:", "not of the form"),
        ("command:prog", "there is no program 'prog'"),
        ("nowhere:backend", "cannot be imported: there is no module nowhere"),
        ("math:backend", "has no attribute"),
        ("math:pi", "not a backend"),
        ("simplexcert.certify.verdict:Verdict", "not a backend"),
    ],
)
def test_what_is_no_backend_is_refused(where: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        certify_backend(where, cases=1)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("raise SystemExit(0)", "SystemExit"),
        ("import os; os._exit(0)", r"os\._exit\(0\)"),
        ("1/0", "ZeroDivisionError"),
        ("def broken(:", "SyntaxError"),
        ("class B: name='b'; version='1'; quantities={'dirichlet.profile.detla': abs}\nbackend=B",
         "did you mean"),
        ("class B: name='b'; version='1'; quantities={'dirichlet.profile.delta': 3}\nbackend=B",
         "not callable"),
        ("class B: name='b'; version=1; quantities={}\nbackend=B", "'version'"),
        ("class B: name='b'; version='1'; quantities={}; slack={'x': 2}\nbackend=B", "not in"),
        ("class B: name='b'; version='1'; quantities={}; slack={'x': 2e-6}\nbackend=B", "most"),
        ("class B: name='b'; version='1'; quantities={}; slack={'x': 'y'}\nbackend=B", "number"),
        ("class B: name='b'; version='1'; quantities=[1]\nbackend=B", "mapping"),
        ("class B: name='b' * 300; version='1'; quantities={}\nbackend=B", "at most 200 printable"),
        ("class B: name='a\\nb'; version='1'; quantities={}\nbackend=B", "printable"),
        (
            "class B:\n quantities = {}\n @property\n def name(self): 1/0\nbackend=B()",
            "raises ZeroDivisionError",
        ),
    ],
    ids=[str(n) for n in range(14)],
)  # fmt: skip
def test_a_module_that_breaks_is_reported(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch, source: str, says: str
) -> None:
    monkeypatch.chdir(str(tmp_path))
    module = f"broken_{abs(hash(source))}"
    with open(f"{tmp_path}/{module}.py", "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write(source)
    with pytest.raises(InputError, match=says):
        certify_backend(f"{module}:backend", cases=1)


@each_of("name, value", [("cases", 0), ("cases", 10**8), ("jobs", 0), ("seed", 2**53)])
def test_unreasonable_amounts_of_work_are_refused(name: str, value: int) -> None:
    with pytest.raises(InputError, match=name):
        certify_backend(**{name: value})  # type: ignore[arg-type]


def test_the_headline_tells_of_a_seed_that_was_chosen() -> None:
    assert said_beside(200, 0, [], 0) == ""
    assert said_beside(200, 0, [], -7) == "; drawn by the seed -7"


def test_the_headline_tells_of_a_screening() -> None:
    assert said_beside(200, 4000, [], 0) == "; screened at 4000 points a quantity"


def test_more_cases_draw_the_same_points_of_a_quantity_and_more() -> None:
    few, many = (drawn_in(cases) for cases in (7, 12))
    assert len(few) == 4
    assert len(many) == 6
    assert many[: len(few)] == few


def drawn_in(cases: int) -> list[object]:
    """Return the drawn points of a campaign, as they are written."""
    lines: list[str] = []
    certify_backend(
        quantities="dirichlet.profile.total_variation", cases=cases, on_case=lines.append
    )
    return [
        line["parameters"]
        for line in map(json.loads, lines)
        if (line["check"], line["kind"]) == ("accuracy", "drawn")
    ]
