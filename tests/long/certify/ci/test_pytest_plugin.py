"""The plugin with more options."""

from fast.certify.ci.conftest import *
from fast.certify.ci.test_pytest_plugin import *
from fast.certify.conftest import *
