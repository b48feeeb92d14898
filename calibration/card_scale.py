"""How large one-faced cards are seen, told by what a reader reads at one scale after the other.

Where the outlines of cards drown in a patterned cloth, or in the white of paper, their faces may
still be read. A reader reads faces that seem up to a third larger or smaller than they are, so
that it reads a true face at several scales in a row, and one that is none hardly at two.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from calibration.lens import Lens
from calibration.view import View, usual_view
from vision.facts import CARD_MM, Image, Reader

_STEP: Final = 1.2
_LEAST_PX_PER_MM: Final = 0.7
"""Where less is seen of a face, anything looks like one."""
_LARGEST: Final = 0.5
"""Share of the picture's height that a card's long side may fill."""
_MOST_ACROSS: Final = 22
"""So many cards side by side fill the picture's width, at most."""
_LEAN: Final = 0.1
_LEAST_FACE: Final = 0.5
_IN_A_ROW: Final = 3
_LEAST_WORTH: Final = 2.2
"""How surely faces must be read at those scales, all taken together."""


def view_of_faces(
    images: Sequence[Image], reader: Reader, lens: Lens | None = None
) -> tuple[View, int] | None:
    """The view from nearly straight above in which ``reader`` reads most faces, and how many it
    reads there; to some 10 %. None where faces are not read at several scales in a row."""
    height, width = images[0].shape[:2]
    scales, worths, counts = [], [], []
    px_per_mm = _LARGEST * height / CARD_MM[1]
    while px_per_mm >= max(_LEAST_PX_PER_MM, width / (_MOST_ACROSS * CARD_MM[0])):
        view = usual_view((width, height), px_per_mm, _LEAN, lens)
        faces = [face for image in images for face in reader.read(image, view.plane())]
        read = [worth for face in faces if (worth := face.found * face.confidence) >= _LEAST_FACE]
        scales.append(px_per_mm)
        worths.append(sum(read))
        counts.append(len(read))
        px_per_mm /= _STEP
    rows = [range(i, i + _IN_A_ROW) for i in range(len(scales) - _IN_A_ROW + 1)]
    best = max(rows, key=lambda row: sum(worths[i] for i in row), default=None)
    if best is None or not all(counts[i] for i in best):
        return None
    if sum(worths[i] for i in best) < _LEAST_WORTH:
        return None
    logs = np.average([math.log(scales[i]) for i in best], weights=[worths[i] for i in best])
    view = usual_view((width, height), math.exp(float(logs)), _LEAN, lens)
    return view, max(counts[i] for i in best)
