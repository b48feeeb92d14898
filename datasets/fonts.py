"""Typefaces for the digits of invented editions.

Whatever scalable fonts the machine has are used; the recipe in the model card names the
Debian packages that were installed for the committed weights. Pillow's own built-in face
is always there, so a fresh machine renders too, only with less variety.
"""

from __future__ import annotations

import functools
import hashlib
import os
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

FONT_FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".fonts",
    Path("/Library/Fonts"),
    Path(os.environ.get("WINDIR", "C:/Windows")) / "Fonts",
)

BUILT_IN = ""
"""The name of Pillow's built-in face in `font_names`."""

_NO_SIGN = "\U0010fffe"  # a code point that stands for no sign, and never will

# Faces whose digits are no digits, or that nobody could read on a card.
_UNFIT = (
    "symbol", "emoji", "dingbat", "math", "braille", "icon", "music", "barcode", "d050000l",
    "standardsymbols", "opens___", "webdings", "wingding", "marlett", "blocky", "tribal",
)  # fmt: skip


@functools.cache
def font_names() -> tuple[str, ...]:
    """Paths of the usable fonts, sorted, the built-in face first."""
    found: list[str] = []
    for folder in FONT_FOLDERS:
        if folder.is_dir():
            found.extend(
                str(path)
                for path in folder.rglob("*")
                if path.suffix.lower() in (".ttf", ".otf")
                and not any(word in path.name.lower() for word in _UNFIT)
            )
    usable = [name for name in sorted(found) if _has_plain_digits(name)]
    return (BUILT_IN, *usable)


def held_out(name: str) -> bool:
    """Whether a font is kept from training, for evaluation alone (about one in eight).

    Decided by the file's name, so that it is the same on every machine.
    """
    return hashlib.sha1(Path(name).name.encode()).digest()[0] < 32


@functools.lru_cache(maxsize=256)
def load_font(name: str, size_px: int) -> ImageFont.FreeTypeFont:
    """The font in a size; raises OSError where the file is no font."""
    if name == BUILT_IN:
        font = ImageFont.load_default(size_px)
        assert isinstance(font, ImageFont.FreeTypeFont)
        return font
    return ImageFont.truetype(name, size_px)


@functools.cache
def _has_plain_digits(name: str) -> bool:
    """Whether the ten digits exist, differ from each other and have about equal heights."""
    try:
        font = load_font(name, 40)
        seen: set[bytes] = set()
        heights: list[int] = []
        for digit in "0123456789":
            picture = Image.new("L", (80, 80))
            ImageDraw.Draw(picture).text((16, 12), digit, font=font, fill=255)
            pixels = np.asarray(picture)
            rows = np.flatnonzero(pixels.max(axis=1) > 80)
            if rows.size == 0:
                return False
            heights.append(int(rows[-1] - rows[0]))
            seen.add(pixels.tobytes())
    except (OSError, ValueError):
        return False
    return len(seen) == 10 and min(heights) > 10 and max(heights) < 1.9 * min(heights)


@functools.cache
def _lacks(name: str, sign: str) -> bool:
    """Whether a font would print its empty box in place of ``sign``."""
    font = load_font(name, 40)
    drawn = font.getmask(sign)
    return drawn.getbbox() is None or bytes(drawn) == bytes(font.getmask(_NO_SIGN))


def text_mask(text: str, font_name: str, height_px: int) -> np.ndarray:
    """``text`` as coverage 0...255 (uint8), cropped to its ink, about ``height_px`` high.

    In Pillow's own face where the font lacks one of its signs.
    """
    size = max(8, int(height_px * 1.35))
    if any(_lacks(font_name, sign) for sign in text):
        font_name = BUILT_IN
    font = load_font(font_name, size)
    left, top, right, bottom = font.getbbox(text)
    width, height = int(right - left) + 4, int(bottom - top) + 4
    picture = Image.new("L", (width, height))
    ImageDraw.Draw(picture).text((2 - left, 2 - top), text, font=font, fill=255)
    pixels = np.asarray(picture)
    rows, columns = np.flatnonzero(pixels.max(axis=1)), np.flatnonzero(pixels.max(axis=0))
    if rows.size == 0:
        return np.zeros((height_px, height_px), np.uint8)
    pixels = pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    scale = height_px / pixels.shape[0]
    resized = Image.fromarray(pixels).resize(
        (max(2, round(pixels.shape[1] * scale)), height_px), Image.Resampling.LANCZOS
    )
    return np.asarray(resized)
