"""A release that was made is told, with a signal at every single step."""

from fast.certify.releasing.test_release_told import *
