"""Certificates of rows, with any of their fields dropped."""

from fast.certify.certificate.test_release_of_rows import *
