"""Programs that tests start and interrupt."""

from __future__ import annotations

import signal


def interruptible() -> None:
    """For `subprocess.Popen(preexec_fn=...)`: an interrupt reaches the program, even where the
    tests themselves run in a shell's background, which ignores interrupts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
