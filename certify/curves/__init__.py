"""Curves: a quantity or a claim over a grid, in a table, a file, a picture."""
