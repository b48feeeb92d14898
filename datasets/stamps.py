"""Time stamps of a video file that OpenCV has written: phones record at a variable rate.

OpenCV's writer knows one rate for all frames. The stamps are a small table in the file
(`stts`, ISO/IEC 14496-12, 8.6.1.2) behind the pictures, so it can be replaced afterwards.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

_HOLDS_BOXES = (b"moov", b"trak", b"mdia", b"minf", b"stbl")
_CLOCK_HZ = 90_000


def set_stamps(path: Path, lasts_s: Sequence[float]) -> None:
    """Give each frame of an MP4 file its own duration.

    Raises ValueError where the file is no MP4 with its tables behind the pictures.
    """
    data = path.read_bytes()
    at = _find(data, b"moov")
    if at is None or data.find(b"mdat") > at:
        raise ValueError(f"{path}: expected an MP4 file with its tables at the end, found none")
    ticks = [max(1, round(seconds * _CLOCK_HZ)) for seconds in lasts_s]
    path.write_bytes(data[:at] + _rebuilt(data[at:], ticks))


def _find(data: bytes, kind: bytes) -> int | None:
    """Where a box of the outermost level begins."""
    at = 0
    while at + 8 <= len(data):
        size = struct.unpack(">I", data[at : at + 4])[0]
        if data[at + 4 : at + 8] == kind:
            return at
        if size == 1:  # a long box
            size = struct.unpack(">Q", data[at + 8 : at + 16])[0]
        if size < 8:
            return None
        at += size
    return None


def _rebuilt(data: bytes, ticks: list[int]) -> bytes:
    """Boxes with the table of durations replaced and the clocks set, all the way down."""
    built, at = b"", 0
    total = sum(ticks)
    while at + 8 <= len(data):
        size = struct.unpack(">I", data[at : at + 4])[0]
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + size]
        if kind in _HOLDS_BOXES:
            body = _rebuilt(body, ticks)
        elif kind == b"stts":
            runs = [(len(list(run)), tick) for tick, run in groupby(ticks)]
            body = struct.pack(">II", 0, len(runs)) + b"".join(
                struct.pack(">II", count, tick) for count, tick in runs
            )
        elif kind == b"mdhd":  # version, two dates, clock, duration
            body = body[:12] + struct.pack(">II", _CLOCK_HZ, total) + body[20:]
        elif kind == b"edts":
            at += size  # an edit list that speaks of the old clock
            continue
        elif kind == b"mvhd":
            clock = struct.unpack(">I", body[12:16])[0]
            body = body[:16] + struct.pack(">I", total * clock // _CLOCK_HZ) + body[20:]
        elif kind == b"tkhd":
            body = body[:20] + struct.pack(">I", total * 1000 // _CLOCK_HZ) + body[24:]
        built += struct.pack(">I", len(body) + 8) + kind + body
        at += size
    return built
