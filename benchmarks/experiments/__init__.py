"""The papers' experiments run again: tables, plots, and what came out as printed and what did not.

Measured in fast floats with seeded generators: nothing here is proved, and no draw is private.
"""
