"""The first engine's vocabulary: balls of FLINT's Arb through python-flint."""
