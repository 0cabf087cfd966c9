"""Checks of a backend in its own project's CI: for pytest, for JUnit, for SARIF, for grep."""
