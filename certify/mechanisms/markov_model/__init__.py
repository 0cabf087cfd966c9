"""Claims about Markov chains that are counted from records."""
