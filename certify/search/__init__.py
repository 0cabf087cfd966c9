"""Where to look: test points drawn from the domains of the registry."""

import os
import tempfile
from pathlib import Path

# Hypothesis keeps notes in the current directory, which is the user's, unless it is told otherwise
# before it is imported.
_NOTES = Path(tempfile.gettempdir()) / "simplexcert-hypothesis"
os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(_NOTES))
