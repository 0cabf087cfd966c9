"""Claims as others publish them: read, and decided as claim files are."""
