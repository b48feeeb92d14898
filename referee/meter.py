"""How long the steps from a picture to a ruling take, counted for `/metrics`."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Final, Literal

from prometheus_client import Counter, Histogram

Stage = Literal["look", "judge", "store", "encode"]
"""`look`: all that is done with one picture, reading the cards if need be; of it `judge`: what the
rules say to one observation and writing that down, and of that `store`: until it is on disk.
`encode`: making one JPEG for viewers."""

_STAGES: Final = Histogram(
    "referee_stage_seconds",
    "How long a step took.",
    ["stage"],
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
)

RULINGS: Final = Histogram(
    "referee_ruling_delay_seconds",
    "From a move to its ruling, by the recording's clock.",
    buckets=(0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 5.0),
)

DROPPED: Final = Counter(
    "referee_clients_dropped", "Feeds that ended because their client did not take them in time."
)

REFUSED: Final = Counter("referee_requests_refused", "Requests that were turned away.", ["status"])


def timed(stage: Stage) -> AbstractContextManager[object]:
    """Measures its body as one run of a step."""
    return _STAGES.labels(stage).time()
