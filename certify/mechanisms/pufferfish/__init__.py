"""Claims of Pufferfish privacy for a release with Laplace noise: of chains, networks, any laws."""
