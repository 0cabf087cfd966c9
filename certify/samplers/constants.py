"""The numbers that the tests of samplers are stated with; proofs_notes/sampler-tests.md has why."""

from __future__ import annotations

import sys
from fractions import Fraction

# Draws at each point. With these a scale or a concentration that is off by 5 % is found with
# probability 0.999 at every fixed point.
DRAWS = 200_000
# Draws asked for at once, each time with another seed: what is kept of them is counts.
CHUNK = 5_000
# Draws that are held against each other for equal values.
BLOCK = 1_000
# Probability that a campaign refutes any correct sampler, over all tests of all its samplers.
FALSE_ALARM = Fraction(1, 10**9)
# More tests than any campaign has; the power is stated for so many.
MOST_TESTS = 1_000

# A correct sampler rounds: its draw is within this share of an exact draw, or on the scale of
# probabilities within this of it. Doubles have 2^-53; the rest is for sums and logarithms.
TOLERANCE = Fraction(1, 2**40)
# What is smaller may be returned as anything in between 0 and this: the least normal double.
LEAST_NORMAL = Fraction(sys.float_info.min)
# No threshold of a test is smaller: what underflows is far below it.
LEAST_THRESHOLD_EXPONENT = -1000
# Thresholds have so many bits, so that any machine finds the same.
THRESHOLD_BITS = 12
# A ratio of two coordinates is looked at where their sum is at least this.
LEAST_SUM = Fraction(1, 2**700)
LEAST_RATIO = Fraction(1, 2**200)

# Seeds are whole numbers from 0 and below this: what generators in all languages take.
SEEDS = 2**31

# Where the parameters lie, which are doubles.
LEAST_ALPHA, LARGEST_ALPHA = Fraction(0.01), Fraction(1000)
LEAST_SCALE, LARGEST_SCALE = Fraction(1e-6), Fraction(10**6)

# Working precision of the enclosures, and the bits that their ends keep, rounded outward.
PRECISION_BITS, END_BITS = 128, 96

NON_CLAIM = (
    "Draws of a sampler were counted in regions of known probability: that refutes a sampler, and "
    "proves none. The draws cannot be made again from this certificate; their counts are believed."
)
