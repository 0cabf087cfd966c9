"""Models whose tables are released privately, with one budget that is composed exactly.

- ``PrivateNaiveBayes``: a classifier with scikit-learn's interface (the extra ``models``);
- ``PrivateTables``: the conditional tables of a Bayesian network whose structure is public.

Both draw exactly unless they are asked not to, and both say in ``privacy_`` what is claimed, with
the parameters and the number that proves it.
"""

from typing import TYPE_CHECKING

from ...reference.lazy import lazily

if TYPE_CHECKING:
    from .naive_bayes import PrivateNaiveBayes
    from .network import PrivateTables
    from .privacy import Evidence, NotPrivateWarning, Privacy

__all__ = ["Evidence", "NotPrivateWarning", "Privacy", "PrivateNaiveBayes", "PrivateTables"]

__getattr__ = lazily(
    __name__,
    {
        "Evidence": ".privacy",
        "NotPrivateWarning": ".privacy",
        "Privacy": ".privacy",
        "PrivateNaiveBayes": ".naive_bayes",
        "PrivateTables": ".network",
    },
)
