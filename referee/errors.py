"""How a failure reads to the person at the terminal: one sentence and an exit code.

Nothing here knows what went wrong; modules raise exceptions whose text says what was expected
and what was found, and this turns the last of them into a line.
"""

from __future__ import annotations

import re

USAGE, FAILURE = 2, 1
"""Exit codes: called wrongly; called rightly, but it could not be done."""

OUR_PACKAGES = frozenset({"vision", "calibration", "referee", "datasets", "models"})


class RefereeError(Exception):
    """Something that the user can put right; the text is one sentence that says how."""


_LIBRARY = re.compile(r"(?P<library>lib[\w+.-]*\.so[\w.]*): cannot open shared object file")
_PACKAGES = {
    # library: (Debian and Ubuntu, Fedora)
    "libGL.so.1": ("libgl1", "mesa-libGL"),
    "libEGL.so.1": ("libegl1", "mesa-libEGL"),
    "libgthread-2.0.so.0": ("libglib2.0-0", "glib2"),
    "libglib-2.0.so.0": ("libglib2.0-0", "glib2"),
    "libxcb.so.1": ("libxcb1", "libxcb"),
    "libSM.so.6": ("libsm6", "libSM"),
    "libXext.so.6": ("libxext6", "libXext"),
    "libgomp.so.1": ("libgomp1", "libgomp"),
}


def explain(error: BaseException) -> str:
    """One sentence for the terminal, never a traceback.

    Exceptions of this project's own packages speak for themselves, as do the operating
    system's (with the file's name); a missing shared library is answered with the package that
    brings it; anything else is a fault of the program and says so.
    """
    if isinstance(error, ImportError):
        return _explain_import(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    text = " ".join(str(error).split())
    if type(error).__module__.partition(".")[0] in OUR_PACKAGES and text:
        return text
    name = type(error).__name__
    return (
        f"this is a fault of the program ({name}: {text or 'no text'}); "
        "--debug shows where it happened"
    )


def _explain_import(error: ImportError) -> str:
    found = _LIBRARY.search(str(error))
    if found is None:
        return f"{error}; is the installation complete? (pip install table-referee)"
    library = found["library"]
    if library not in _PACKAGES:
        return f"the system library {library} is missing, which a dependency needs"
    debian, fedora = _PACKAGES[library]
    return (
        f"the system library {library} is missing, which OpenCV needs: "
        f"'apt-get install {debian}' brings it on Debian and Ubuntu, "
        f"'dnf install {fedora}' on Fedora; without a screen, "
        "'pip install opencv-python-headless' in place of opencv-python does as well"
    )
