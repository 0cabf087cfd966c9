"""Where to look: test points drawn from the domains of the registry."""

import atexit
import os
import shutil
import tempfile

_VARIABLE = "HYPOTHESIS_STORAGE_DIRECTORY"

# Hypothesis keeps notes in the current directory, which is the user's, unless it is told otherwise
# before it is imported. A folder of a fixed name could be another user's, who would then write what
# is read here: it is a fresh one, which worker processes share, and goes with who made it.
if _VARIABLE not in os.environ:
    os.environ[_VARIABLE] = tempfile.mkdtemp(prefix="simplexcert-")
    atexit.register(shutil.rmtree, os.environ[_VARIABLE], ignore_errors=True)
