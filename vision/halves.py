"""Finds and reads half cards: two small networks, one after the other.

The *finder* looks at the rectified table at 1 px/mm and tells where half cards lie and how
they are turned. The *reader* looks at each half upright, finer, and tells colour and face by
separate heads; it sees all halves of the picture together, so that a colour is judged in the
light of the others. A half may stand on its head: nothing tells which way it reads.
"""

from __future__ import annotations

FIND_PX_PER_MM = 1.0
"""Scale of the rectified table that the finder looks at."""
FIND_STRIDE_PX = 8
CROP_PX_PER_MM = 1.22
"""Scale of the crops that the reader looks at."""
CROP_SIZE_PX = (96, 80)
"""Width and height of a crop: across the card, along the card."""
