"""scikit-learn's own checks of an estimator, none of them expected to fail.

They are of neighbours "replace". Where a record comes or goes the categories of each feature are
listed, and the checks' data have any number of features. There the check of messages on empty data
would have to fail, too: data without a record are released like any other.
"""

from __future__ import annotations

from typing import Any

import pytest
from simplexcert.certify.models import PrivateNaiveBayes
from sklearn.utils.estimator_checks import parametrize_with_checks

# The checks' data have fewer categories. They set random_state, which is for floats alone.
_CATEGORIES = 64
# Some checks ask for a good accuracy on little data, hence a large epsilon.
_ESTIMATOR = PrivateNaiveBayes(_CATEGORIES, epsilon=50, order=2, draw="float")


@parametrize_with_checks([_ESTIMATOR])
@pytest.mark.filterwarnings("ignore:.*array API.*")
def test_the_estimator_passes(estimator: Any, check: Any) -> None:
    check(estimator)
