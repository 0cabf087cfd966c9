"""Claims of Pufferfish privacy with Laplace or normal noise: of chains, networks, any laws."""
