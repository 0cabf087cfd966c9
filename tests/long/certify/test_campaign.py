"""Campaigns against more faults."""

from fast.certify.conftest import *
from fast.certify.test_campaign import *
