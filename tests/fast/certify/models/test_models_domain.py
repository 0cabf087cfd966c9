"""Every data set of a model's domain is released alike: brute force, refusals as outputs.

Here a refusal or a warning that only one of two neighbouring data sets meets tells them apart with
certainty: it is a divergence without bound.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import inf
from typing import Any, NamedTuple

import numpy as np
import pytest
from each import each_of
from simplexcert.certify.models import NotPrivateWarning, PrivateNaiveBayes, PrivateTables
from simplexcert.certify.models.release import ExactDraws
from simplexcert.reference import DomainError, InputError, evaluate
from simplexcert.reference.exact import exact_text
from sklearn.exceptions import DataConversionWarning

RELATIONS = ("replace", "add_remove")
EPSILON, ORDER, MOST_RECORDS = Fraction(1), 2, 3
BUDGET: dict[str, Any] = {"epsilon": EPSILON, "order": ORDER}
Record = tuple[int, ...]
Data = tuple[Record, ...]
Parameters = tuple[tuple[Fraction, ...], ...]


class Outcome(NamedTuple):
    """What a fit shows: a refusal, warnings, and the laws that are drawn from, by parameters."""

    refused: str
    warned: tuple[str, ...]
    laws: Parameters


@pytest.fixture
def drawn_from(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Fraction, ...]]:
    """Keep the parameters of every law that a model draws from, and draw nothing."""
    found: list[tuple[Fraction, ...]] = []

    def laws(_self: Any, counts: Any, step: Fraction, alpha: Fraction) -> Any:
        found.extend(tuple(step * n + alpha for n in row) for row in counts.tolist())
        return np.full(counts.shape, -np.log(counts.shape[1]))

    monkeypatch.setattr(ExactDraws, "laws", laws)
    return found


def outcome(fit: Callable[[], object], kept: list[tuple[Fraction, ...]]) -> Outcome:
    kept.clear()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            fit()
        except InputError as error:
            return Outcome(str(error), (), ())
    return Outcome("", tuple(str(one.message) for one in told), tuple(kept))


@lru_cache(None)
def row_divergence(u: tuple[Fraction, ...], v: tuple[Fraction, ...]) -> Fraction:
    point = {"u": list(map(exact_text, u)), "v": list(map(exact_text, v)), "order": ORDER}
    return Fraction(evaluate("dirichlet.renyi.divergence", point).upper)


def divergence(one: Outcome, other: Outcome) -> Fraction | float:
    """Return an upper bound on the divergence of what is shown, at the order."""
    if one[:2] != other[:2]:
        return inf
    return sum(
        (row_divergence(u, v) for u, v in zip(one.laws, other.laws, strict=True)), Fraction(0)
    )


def neighbouring(data: Sequence[Data], neighbours: str) -> Iterator[tuple[Data, Data]]:
    for one, other in product(data, data):
        more, less = Counter(one) - Counter(other), Counter(other) - Counter(one)
        changed = (more.total(), less.total())
        if changed == (1, 1) if neighbours == "replace" else changed in {(0, 1), (1, 0)}:
            yield one, other


def data_sets(sizes: Sequence[int]) -> list[Data]:
    records = list(product(*map(range, sizes)))
    return [
        data
        for count in range(MOST_RECORDS + 1)
        for data in combinations_with_replacement(records, count)
    ]


def fitted_outcomes(
    model: Any, sizes: Sequence[int], kept: list[tuple[Fraction, ...]]
) -> dict[Data, Outcome]:
    """Return what is shown of all data sets; of a classifier the last column is the label."""

    def fit(data: Data) -> Outcome:
        lines = [list(record) for record in data]
        if isinstance(model, PrivateTables):
            return outcome(lambda: model.fit(lines), kept)
        labels = [line.pop() for line in lines]
        return outcome(lambda: model.fit(lines, labels), kept)

    return {data: fit(data) for data in data_sets(sizes)}


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize("model", ["own", "summed", "tables"])
def test_no_two_neighbouring_data_sets_show_more_than_the_budget(
    neighbours: str, model: str, drawn_from: list[tuple[Fraction, ...]]
) -> None:
    """All data sets of up to three records of two binary parts, all pairs of neighbours."""
    made: Any = (
        PrivateTables([2, 2], [[], [0]], neighbours=neighbours, **BUDGET)
        if model == "tables"
        else PrivateNaiveBayes(
            [2], classes=[0, 1], class_table=model, neighbours=neighbours, **BUDGET
        )
    )
    found = fitted_outcomes(made, (2, 2), drawn_from)
    pairs = list(neighbouring(list(found), neighbours))
    worst = max(divergence(found[one], found[other]) for one, other in pairs)
    assert worst <= EPSILON
    # The budget is no idle bound: half of it would not do.
    assert worst > EPSILON / 2
    refused = {data for data, shown in found.items() if shown.refused}
    assert refused == ({()} if neighbours == "replace" else set())


CLASSES = [[0, 1], [0.0, 1.0], [False, True], ["no", "yes"], [-7, 10**30]]
CONTAINERS: dict[str, Callable[[Sequence[Any]], Any]] = {
    "list": list,
    "array": lambda values: np.array(values) if len(values) else np.zeros(0),
    "objects": lambda values: np.array(list(values), dtype=object),
    "column": lambda values: np.array(list(values), dtype=object).reshape(-1, 1),
}


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("container", CONTAINERS)
def test_whether_data_are_refused_or_warned_of_depends_on_their_number_alone(
    neighbours: str,
    classes: list[Any],
    container: str,
    drawn_from: list[tuple[Fraction, ...]],
) -> None:
    """Data of up to three records in every order, and in every way that labels are handed over."""
    model = PrivateNaiveBayes([2], classes=classes, neighbours=neighbours, **BUDGET)
    shown: dict[int, set[tuple[str, tuple[str, ...]]]] = {}
    for count in range(MOST_RECORDS + 1):
        for labels in product(classes, repeat=count):
            for lines in ([[0]] * count, [[float(at % 2)] for at in range(count)]):
                given = CONTAINERS[container](labels)
                found = outcome(lambda: model.fit(lines, given), drawn_from)  # noqa: B023
                shown.setdefault(count, set()).add(found[:2])
    assert all(len(one) == 1 for one in shown.values())
    refused = [
        count for count, ((text, _),) in ((n, tuple(one)) for n, one in shown.items()) if text
    ]
    assert refused == ([0] if neighbours == "replace" else [])
    assert not any(told for ((_, told),) in map(tuple, shown.values()))


@pytest.mark.parametrize("kind", ["e", "f", "d", "g", "?", "b", "B", "Q", "O"])
def test_no_kind_of_number_is_a_reason_to_warn_of_data_that_hold_a_record(
    kind: str, drawn_from: list[tuple[Fraction, ...]]
) -> None:
    """Where a record may come or go, a warning of data that hold one tells that they do."""
    model = PrivateNaiveBayes([2], classes=[0, 1], neighbours="add_remove", **BUDGET)
    for lines in ([], [0], [1, 0]):
        given = np.array([[at] for at in lines], dtype=kind).reshape(-1, 1)
        found = outcome(lambda: model.fit(given, lines), drawn_from)  # noqa: B023
        assert not any(found[:2])


def test_as_many_classes_as_records_are_no_reason_to_warn() -> None:
    """The suite makes errors of warnings."""
    classes = list(range(30))
    for labels in (classes, [0] * 30):
        model = PrivateNaiveBayes([2], classes=classes, neighbours="add_remove", **BUDGET)
        assert model.fit([[0]] * 30, labels).private_


NO_LINES = [[], (), np.zeros((0, 2)), np.zeros(0), np.zeros((0, 0)), np.zeros((0, 2), dtype=object)]


@each_of("lines", NO_LINES)
def test_no_data_are_released_like_any_other_where_a_record_may_come_or_go(lines: Any) -> None:
    made = {"neighbours": "add_remove", **BUDGET}
    model = PrivateNaiveBayes([2, 3], classes=["a", "b"], **made).fit(lines, [])
    assert model.private_
    assert model.predict([[1, 2]])[0] in {"a", "b"}
    assert model.predict_proba(np.zeros((0, 2))).shape == (0, 2)
    tables = PrivateTables([2, 3], [[], [0]], **made).fit(lines)
    assert tables.private_
    assert tables.log_prob_[1].shape == (2, 3)
    assert tables.log_likelihood(lines).shape == (0,)


@pytest.mark.parametrize("lines", [[], np.zeros((0, 2))])
def test_no_data_have_no_neighbours_where_a_record_is_replaced(lines: Any) -> None:
    with pytest.raises(DomainError, match="N is public, and no two data sets of N = 0"):
        PrivateNaiveBayes([2, 3], classes=[0, 1], **BUDGET).fit(lines, [])
    with pytest.raises(DomainError, match="N is public, and no two data sets of N = 0"):
        PrivateTables([2, 3], [[], [0]], **BUDGET).fit(lines)


def test_where_every_record_is_the_same_nothing_is_claimed() -> None:
    with pytest.raises(DomainError, match="no two different inputs are neighbours"):
        PrivateNaiveBayes([1, 1], classes=["a"], **BUDGET).fit([[0, 0]] * 5, ["a"] * 5)
    with pytest.raises(DomainError, match="no two different inputs are neighbours"):
        PrivateTables([1, 1], [[], [0]], **BUDGET).fit([[0, 0]] * 5)
    # One that comes or goes is a neighbour.
    made = {"neighbours": "add_remove", **BUDGET}
    assert PrivateNaiveBayes([1, 1], classes=["a"], **made).fit([[0, 0]], ["a"]).private_


def test_how_many_features_there_are_is_not_read_off_data_that_may_be_empty() -> None:
    model = PrivateNaiveBayes(2, classes=[0, 1], neighbours="add_remove", **BUDGET)
    for lines in ([], [[0, 1]], np.zeros((0, 2)), np.zeros((1, 2))):
        with pytest.raises(InputError, match="n_categories lists a number for each feature"):
            model.fit(lines, [0] * len(lines))


@each_of("classes", [[0.5, 1.0], ["a", 1], [], [None, 1], [inf, 1.0]])
def test_what_classes_may_be_is_decided_by_themselves(classes: list[Any]) -> None:
    """With 1/2 and 1 as classes scikit-learn would refuse the labels 1/2 and 1, not 1 and 1."""
    model = PrivateNaiveBayes([2], classes=classes, **BUDGET)
    for labels in (classes[:1] * 2, classes[1:] * 2, classes):
        with pytest.raises(InputError, match="all of them text or all of them whole numbers"):
            model.fit([[0]] * len(labels), labels)


@pytest.mark.parametrize("classes", [["a", "a\0"], ["\0"], [-1, 2**63 + 1]])
def test_classes_that_an_array_does_not_hold_are_refused_whatever_the_labels(
    classes: list[Any],
) -> None:
    r"""The array is of "a" alone: the label "a\0" would be refused, and its neighbour "a" not."""
    model = PrivateNaiveBayes([2], classes=classes, **BUDGET)
    for label in classes:
        with pytest.raises(InputError, match="does not hold as it is"):
            model.fit([[0]], [label])


def test_labels_of_a_list_are_each_by_itself() -> None:
    """NumPy makes text of all of a list where one is text: 1 would be "1" beside "2" alone."""
    model = PrivateNaiveBayes([2], classes=["1", "2"], **BUDGET)
    for labels in ([1, 1], [1, "2"], ["2", 1]):
        with pytest.raises(InputError, match="not among the classes"):
            model.fit([[0], [1]], labels)


def test_only_where_classes_are_read_off_is_an_array_told_to_be_a_column() -> None:
    """An array of no labels does not tell whether others would be arrays of one."""
    model = PrivateNaiveBayes([2], classes=[0, 1], **BUDGET)
    for labels in ([[0], [1]], np.array([[0], [1]])):
        assert model.fit([[0], [1]], labels).private_
    with pytest.warns() as told:
        PrivateNaiveBayes([2], **BUDGET).fit([[0], [1]], np.array([[0], [1]]))
    assert {DataConversionWarning, NotPrivateWarning} == {one.category for one in told}


class Frame:
    """A data frame as a list of records makes it: without any there are no columns."""

    def __init__(self, records: Sequence[dict[str, int]]) -> None:
        self._lines = [list(record.values()) for record in records]
        self.columns = list(records[0]) if records else []
        self.shape = (len(records), len(self.columns))

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array(self._lines, dtype=dtype or np.int64).reshape(self.shape)


def test_a_frame_of_no_records_shows_what_one_of_a_record_shows() -> None:
    """Such a frame has no columns, from which their number and names would be read."""
    made = {"neighbours": "add_remove", **BUDGET}
    shown = set()
    for records in ([], [{"a": 0, "b": 2}], [{"a": 0, "b": 2}, {"a": 1, "b": 0}]):
        labels = Frame([{"label": 0} for _ in records])
        model = PrivateNaiveBayes([2, 3], classes=[0, 1], **made).fit(Frame(records), labels)
        tables = PrivateTables([2, 3], [[], [0]], **made).fit(Frame(records))
        shapes = tuple(table.shape for table in (*model.feature_log_prob_, *tables.log_prob_))
        shown.add((model.n_features_in_, shapes, frozenset(vars(model))))
    assert len(shown) == 1


def test_classes_read_off_no_labels_are_none() -> None:
    model = PrivateNaiveBayes([2], neighbours="add_remove", **BUDGET)
    with pytest.raises(InputError, match="give classes"):
        model.fit([], [])
    with pytest.warns(NotPrivateWarning):
        assert not model.fit([[0]], [0]).private_


PRIVATE = ("zq_private", "771234", "3")
OUTSIDE = [
    [[0, 0], [1, 771234], [0, 0]],
    [[0, 0], [1, "zq_private"], [0, 0]],
    [[0, 0], [771234], [0, 0]],
    [771234, 0, 0],
    [[[0, 771234]], [[0, 1]], [[0, 1]]],
    np.array([[0, 0], [1, "zq_private"], [0, 0]], dtype=object),
    np.array([[0, 0], [1, 10**400], [0, 0]], dtype=object),
    np.array([[0, 0], [1, {"zq_private": 1}], [0, 0]], dtype=object),
    np.array([[0, 0], [1, 771234.5], [0, 0]]),
    np.array([[0, 0], [1, np.nan], [0, 0]]),
    np.array([[0, 0], [1, 1 + 2j], [0, 0]]),
    np.array([[0, 0], [1, 2**64 - 1], [0, 0]], dtype=np.uint64),
    np.zeros((3, 0)),
    np.ma.masked_array([[0, 0], [1, 1], [0, 1]], mask=[[0, 0], [1, 0], [0, 0]]),
    np.ma.masked_array([[0, 0], [1, 1], [0, 1]]),
    "zq_private",
]


def whole(error: BaseException) -> str:
    """Return what an error says, and those that it was raised in: tools print them."""
    said = [str(error)]
    while error.__context__ is not None:
        error = error.__context__
        said.append(str(error))
    return "; ".join(said)


@each_of("neighbours", RELATIONS)
@each_of("lines", OUTSIDE)
def test_what_is_outside_the_domain_is_refused_with_nothing_of_it(
    neighbours: str, lines: Any
) -> None:
    """Neither a value, nor how many lines there are (three)."""
    made = {"neighbours": neighbours, **BUDGET}
    model = PrivateNaiveBayes([2, 2], classes=[0, 1], **made)
    tables = PrivateTables([2, 2], [[], [0]], **made)
    fits: tuple[Callable[[], object], ...] = (
        lambda: model.fit(lines, [0, 1, 0]),
        lambda: tables.fit(lines),
    )
    for fit in fits:
        with pytest.raises(InputError) as refused:
            fit()
        assert not any(word in whole(refused.value) for word in PRIVATE)


LABELS = [
    [0, 1, 771234],
    [0, 1, "zq_private"],
    [0, 1, np.nan],
    [0, 1, [771234]],
    [0, 1],
    np.zeros((3, 2)),
    np.array([["zq_private"]] * 3),
    [[0], [1, 771234], [0]],
    np.ma.masked_array([0, 1, 0], mask=[0, 1, 0]),
]


@each_of("labels", [*LABELS, None])
def test_labels_outside_the_domain_are_refused_with_nothing_of_them(labels: Any) -> None:
    model = PrivateNaiveBayes([2], classes=[0, 1], neighbours="add_remove", **BUDGET)
    with pytest.raises(InputError) as refused:
        model.fit([[0]] * 3, labels)
    assert not any(word in whole(refused.value) for word in PRIVATE)
