"""The tail of the good set: the probability that some protected coordinate falls below gamma."""
