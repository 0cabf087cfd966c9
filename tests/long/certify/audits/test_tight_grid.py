"""Steps and alphas chosen together, in more cases."""

from fast.certify.audits.test_tight_grid import *
