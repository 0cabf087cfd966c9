"""Search: test points drawn from the domains of the registry, kept ones, and steps to worse."""
