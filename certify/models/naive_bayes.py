"""A naive Bayes classifier of categorical features whose tables are released privately."""

from __future__ import annotations

import warnings
from math import floor, isfinite
from numbers import Real
from typing import Any

import numpy as np

from ...reference.errors import InputError
from ...reference.exact import shown
from ..extras import library
from .layout import (
    CLASSES,
    Counts,
    Numbers,
    array_of,
    bayes_counts,
    bayes_layout,
    feature_name,
    positions_among,
    records_of,
    require_categories,
    sizes_of,
    table_in,
)
from .privacy import (
    REPLACE,
    Budget,
    NotPrivateWarning,
    budget_of,
    classes_were_read,
    drawn_in_floats,
    require_records,
)
from .release import KINDS, NOISE, USUAL_RECORDS, draws_of, planned, privacy_of, released

library("sklearn", "models")

from sklearn.base import BaseEstimator, ClassifierMixin  # noqa: E402
from sklearn.exceptions import DataConversionWarning  # noqa: E402
from sklearn.utils.multiclass import check_classification_targets  # noqa: E402
from sklearn.utils.validation import check_is_fitted, validate_data  # noqa: E402

_DEFAULT_GRID_BITS = 53
_COLUMN_DIMENSIONS = 2


class PrivateNaiveBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Naive Bayes on categorical features, private as a whole.

    The table of the classes, and for each feature the tables of its categories in each class, are
    released with one budget for all of them together: (epsilon, delta), or epsilon at a Renyi
    order. One record is a line of X with its label. All parameters have to be public: chosen
    without looking at the private data. So is N, the number of records, under neighbours "replace",
    where it is 1 or more, and so is the number of features. ``fit`` names the domain.

    Each fit is a release of its own that spends the whole budget: cross-validation and grid
    searches spend it once a fit, and what they choose has seen the data. ``private_`` is about one
    fit; an encoder that was fitted to the private data, in a pipeline before this, is not covered.

    Parameters
    ----------
    n_categories : int or list of int
        Feature k takes the integers 0, ..., n_categories[k] - 1. One number serves all features
        under "replace"; under "add_remove" they are listed, as no record may be there to show how
        many features there are.
    epsilon, delta, order : int, str, Fraction or float
        The budget: epsilon with delta, or epsilon with a Renyi order. "0.1" is a tenth; a float is
        the dyadic number that it is.
    classes : list, optional
        All labels there may be, all text or all whole numbers. Without it they are read off y,
        which is not private.
    neighbours : "replace" or "add_remove"
        Whether neighbouring data differ in one record replaced, or in one added or removed.
    method : "dirichlet", "algorithm-1", "gaussian" or "laplace"
        Dirichlet draws, calibrated tightly; as ponnoprat2023 Algorithm 1 does (it needs order); or
        noise on every count, as baselines.
    class_table : "own" or "summed"
        Whether the classes have a table of their own, or the sums of the feature's table that has
        the fewest categories, which cost nothing besides it.
    alpha, step : number, optional
        Of Dirichlet(step counts + alpha). Without alpha it is chosen by public sizes; without
        step, the largest step that keeps the budget is found.
    records : int, optional
        About how many records there are, a public number for the choice of alpha. Usual: their
        number under "replace", where it is public, else 1000.
    count_floor : number or "noise"
        What noisy counts are raised to; "noise" is max(1, the noise's standard deviation).
    draw : "exact" or "float"
        Exact draws from the operating system's random bits, rounded to multiples of 2^-grid_bits;
        or draws in floats, which are not private, for studies.
    grid_bits : int
        See draw. A share that is rounded to 0 counts as half of 2^-grid_bits in predictions.
    random_state : int or NumPy generator, optional
        For draw="float" alone.

    Attributes
    ----------
    classes_, n_features_in_, n_categories_
    class_log_prob_ : array of shape (n_classes,)
    feature_log_prob_ : list of arrays of shape (n_classes, n_categories_[k])
    privacy_ : Privacy
        The claim, with the parameters and the number that proves it, exact.
    private_ : bool
        Whether the claim holds of this fit: drawn exactly, and nothing was read off the data, if
        what was given as public is.
    not_private_because_ : tuple of str

    """

    def __init__(
        self,
        n_categories: Any = None,
        *,
        epsilon: Any = None,
        delta: Any = None,
        order: Any = None,
        classes: Any = None,
        neighbours: str = REPLACE,
        method: str = "dirichlet",
        class_table: str = "own",
        alpha: Any = None,
        step: Any = None,
        records: int | None = None,
        count_floor: Any = NOISE,
        draw: str = KINDS[0],
        grid_bits: int = _DEFAULT_GRID_BITS,
        random_state: Any = None,
    ) -> None:
        self.n_categories = n_categories
        self.epsilon = epsilon
        self.delta = delta
        self.order = order
        self.classes = classes
        self.neighbours = neighbours
        self.method = method
        self.class_table = class_table
        self.alpha = alpha
        self.step = step
        self.records = records
        self.count_floor = count_floor
        self.draw = draw
        self.grid_bits = grid_bits
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> PrivateNaiveBayes:
        """Release the tables of integers X (n_samples, n_features) and labels y.

        Each call spends the whole budget anew. Whatever is wrong is found before anything is
        drawn. Raises InputError.

        The domain, of which the claim speaks: every line of X has whole numbers from 0 to
        n_categories[k] - 1, and its label is one of ``classes``; under "replace" there are N lines,
        N >= 1 a public number, under "add_remove" any number, none among them. All such data are
        released alike. Data outside it are refused with a sentence that holds nothing of them.
        """
        budget = budget_of(self.epsilon, self.delta, self.order, self.neighbours)
        draws = draws_of(self.draw, self.grid_bits, self.random_state)
        data = self._lines(X, self._features_of(budget), reset=True)
        sizes = sizes_of(self.n_categories, data.shape[1], "n_categories")
        known, labels = self._classes_and_labels(y)
        if len(labels) != len(data):
            raise InputError("X and y have to have one line and one label for each record")
        require_records(budget, len(labels))
        layout = bayes_layout(len(known), sizes, self.class_table)
        loss = planned(
            layout, budget, self.method, self._records(budget, len(labels)), self.alpha, self.step
        )
        draws.require(loss)
        privacy = privacy_of(layout, budget, loss)
        require_categories(data, sizes)
        counts = bayes_counts(layout, data, labels)
        laws = released(layout, counts, loss, draws, self.count_floor)
        self.classes_, self.n_categories_, self.privacy_ = known, np.array(sizes), privacy
        self._keep(laws)
        return self

    def _features_of(self, budget: Budget) -> int | None:
        """Return how many features n_categories lists, None where it is one number for all.

        Raises InputError where there may be no record: no line tells how many features there are,
        so that only data with a line could be released.
        """
        if np.ndim(self.n_categories):
            return len(self.n_categories)
        if not budget.replaces and self.n_categories is not None:
            raise InputError(
                "where a record is added or removed, n_categories lists a number for each feature: "
                "data without any record do not tell how many features there are"
            )
        return None

    def _lines(self, X: Any, columns: int | None, *, reset: bool) -> Counts:
        """Return X as integers; scikit-learn sees the public names and number of its columns.

        Under "add_remove" it sees their number alone, of the integers: a frame that was made of no
        records has neither names nor columns, and one of a single record has.
        """
        data = table_in(X, columns)
        named = self.neighbours == REPLACE and hasattr(X, "columns")
        validate_data(self, X if named else data, reset=reset, skip_check_array=True)
        return data

    def _records(self, budget: Budget, seen: int) -> int:
        """Return a public number of records, for the choice of alpha."""
        if self.records is not None:
            return records_of(self.records)
        return seen if budget.replaces else USUAL_RECORDS

    def _classes_and_labels(self, y: Any) -> tuple[Any, Counts]:
        """Return all classes in order, and the position of each record's. Raises InputError."""
        if self.classes is not None:
            known = _listed(self.classes)
            return known, positions_among(known, _labels_of(y, public=True))
        target = _labels_of(y, public=False)
        check_classification_targets(target)
        found, positions = np.unique(target, return_inverse=True)
        if not found.size:
            raise InputError("y holds no label to read the classes off; give classes=[...]")
        return found, positions.astype(np.int64)

    def _keep(self, laws: dict[str, Numbers]) -> None:
        """Set the released tables, and whether they are private."""
        self.class_log_prob_ = laws[CLASSES][0]
        self.feature_log_prob_ = [laws[feature_name(k)] for k in range(self.n_features_in_)]
        because = (
            *drawn_in_floats(self.draw),
            *classes_were_read(self.classes),
        )
        self.not_private_because_, self.private_ = because, not because
        if self.classes is None and self.draw != "float":
            warnings.warn("; ".join(because), NotPrivateWarning, stacklevel=3)

    def predict_joint_log_proba(self, X: Any) -> Numbers:
        """Return log P(y, x) of the released model, a column a class. Raises InputError."""
        check_is_fitted(self)
        data = self._lines(X, self.n_features_in_, reset=False)
        require_categories(data, tuple(int(size) for size in self.n_categories_))
        joint = np.tile(self.class_log_prob_, (len(data), 1))
        for k, logarithms in enumerate(self.feature_log_prob_):
            joint += logarithms[:, data[:, k]].T
        return joint

    def predict_log_proba(self, X: Any) -> Numbers:
        """Return log P(y | x), a column a class in the order of ``classes_``."""
        joint = self.predict_joint_log_proba(X)
        found: Numbers = joint - np.logaddexp.reduce(joint, axis=1, keepdims=True)
        return found

    def predict_proba(self, X: Any) -> Numbers:
        """Return P(y | x), a column a class in the order of ``classes_``."""
        found: Numbers = np.exp(self.predict_log_proba(X))
        return found

    def predict(self, X: Any) -> Any:
        """Return the likeliest class of each line."""
        best = np.argmax(self.predict_joint_log_proba(X), axis=1)
        return self.classes_[best]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        tags.non_deterministic = self.draw != "float"
        return tags


def _labels_of(y: Any, *, public: bool) -> Any:
    """Return the labels in one dimension. Raises InputError, which reads the shape alone.

    With ``public`` classes each label is taken as it stands: in an array that NumPy makes of a list
    one label decides what the others become, and text among numbers makes text of them all.
    """
    if y is None:
        raise InputError("a classifier requires y to be passed, but the target y is None")
    listed = isinstance(y, list | tuple)
    as_it_stands = object if listed and public else None
    given = array_of(y, "y should be a 1d array, a label for each line of X", as_it_stands)
    # A frame of no labels has no column, and an array or a list of none does not tell that others
    # are of lists of one: where the data may be private nothing is said of columns.
    if given.ndim == _COLUMN_DIMENSIONS and (given.shape[1] == 1 or given.shape == (0, 0)):
        if not listed and not public:
            warnings.warn(
                "A column-vector y was passed when a 1d array was expected; take y.ravel()",
                DataConversionWarning,
                stacklevel=4,
            )
        given = given.ravel()
    if given.ndim != 1:
        raise InputError("y should be a 1d array, a label for each line of X")
    return given


def _listed(classes: Any) -> Any:
    """Return the classes as a sorted array. Raises InputError unless they are a list of labels.

    Numbers that are not whole are what scikit-learn takes for a regression's. Labels that an array
    does not hold as they are would be refused in the data, and others not: text that ends with a
    NUL, whole numbers so large that they become floats.
    """
    each = np.asarray(classes, dtype=object)
    labels = each.tolist() if each.ndim == 1 else []
    if not (all(map(_is_text, labels)) or all(map(_is_whole, labels))) or not labels:
        raise InputError(
            f"classes is {shown(classes)}; it lists all labels there may be, all of them text or "
            "all of them whole numbers"
        )
    held = np.unique(np.asarray(classes))
    if set(held.tolist()) != set(labels):
        raise InputError("classes lists a label that an array of NumPy's does not hold as it is")
    return held


def _is_text(label: object) -> bool:
    return isinstance(label, str)


def _is_whole(label: object) -> bool:
    if isinstance(label, int | np.integer | np.bool_):
        return True
    return isinstance(label, Real) and isfinite(label) and label == floor(label)
