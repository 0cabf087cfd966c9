"""How a backend's answer is held against the truth."""
