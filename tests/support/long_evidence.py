"""Statements of the papers whose evidence takes longest: the gate leaves it to the long run."""

from __future__ import annotations

from instances import instances

# Most of the time that all take; `make claims` derives them before anything lands.
LONGEST = frozenset({
    "benvenuti2025.lemma-3", "benvenuti2025.theorem-4", "benvenuti2025.theorem-5",
    "fallin2023.assumption-1", "fallin2023.lemma-3", "fallin2023.theorem-1",
    "fallin2023.theorem-1-all-rows",
    "gohari2020.delta-at-vertices", "gohari2020.equation-8-delta", "gohari2020.lemma-2",
    "ponnoprat2023.corollary-theorem-2", "ponnoprat2023.theorem-2-repaired",
    "song2017.equation-5-one-sided", "song2017.equation-5-repaired", "song2017.example-4-4-1",
    "song2017.example-4-4-1-second-chain", "song2017.remark-exact-below-approx",
})  # fmt: skip
LEFT_OUT = LONGEST if instances(1, 2) == 1 else frozenset()
