"""The tables of a naive Bayes classifier: of the classes, and of each feature in each class."""

from __future__ import annotations

from ...reference.errors import UnknownNameError
from .layout import Counts, Layout, Table, counts_of

CLASS_TABLES = ("own", "summed")
CLASSES = "classes"


def feature_name(index: int) -> str:
    """Return what the table of a feature is called."""
    return f"feature {index}"


def bayes_layout(classes: int, sizes: tuple[int, ...], class_table: object) -> Layout:
    """Return the tables. Raises InputError.

    An "own" table of the classes takes a share of the budget. A "summed" one are the sums of the
    vectors of the feature with the fewest categories, which cost nothing besides it.
    """
    if class_table not in CLASS_TABLES:
        known = f"(known: {', '.join(CLASS_TABLES)})"
        raise UnknownNameError("class_table", str(class_table), CLASS_TABLES, known)
    features = [Table(feature_name(k), classes, size) for k, size in enumerate(sizes)]
    smallest = min(features, key=lambda table: table.categories)
    first = (
        Table(CLASSES, 1, classes)
        if class_table == "own"
        else Table(CLASSES, 1, classes, smallest.name, smallest.categories)
    )
    return Layout((first, *features))


def bayes_counts(layout: Layout, data: Counts, labels: Counts) -> dict[str, Counts]:
    """Return the counts of every table, from categories and the classes' positions."""
    first, *features = layout.tables
    counts = {first.name: counts_of(labels * 0, labels, first)}
    for index, table in enumerate(features):
        counts[table.name] = counts_of(labels, data[:, index], table)
    return counts
