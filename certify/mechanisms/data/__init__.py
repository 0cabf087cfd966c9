"""Private data as they are read from files: exact, checked, and told of to nobody."""
