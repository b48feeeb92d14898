"""The recorded picture of a match: clean, masked, in pieces that survive a crash."""

from referee.recording.recorder import Recorder, Recording

__all__ = ["Recorder", "Recording"]
