"""Where to look: test points drawn from the domains of the registry."""
