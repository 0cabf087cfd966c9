"""The routes to the tail at a thousand inputs."""

from fast.reference.dirichlet.tail.test_routes import *
