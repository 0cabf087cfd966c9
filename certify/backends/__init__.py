"""What answers fast: the built-in float64 backend, and how any other is found and described."""
