"""The model card, written from what a run measured: `models/README.md`."""

from __future__ import annotations

import json
from pathlib import Path

from models.remake import FONT_PACKAGES
from vision.facts import PRINT_COLOURS, PRINT_FACES
from vision.halves import (
    CROP_PX_PER_MM,
    CROP_SIZE_PX,
    FACE_FINDER_FILE,
    FIND_PX_PER_MM,
    FINDER_FILE,
    READER_FILE,
)

_CARD = """\
# Model card: finders and reader of card faces

Written by `python -m models.export`; do not edit by hand. The network that finds the sides of cards
has a card of its own: [SIDES.md](SIDES.md).

| | finders (`{finder_file}`, `{face_finder_file}`, {finder_kb} kB each) | reader (`{reader_file}`, \
{reader_kb} kB) |
|---|---|---|
| looks at | the rectified table, {find_scale} px/mm, uint8 BGR | crops {crop_w} x {crop_h} px, \
{crop_scale} px/mm, one for each half of a picture |
| tells | where half cards lie (the second: the large faces of one-faced cards), the card's axis \
(modulo 180 degrees), the visible share | colour; face and which way it stands, together; whether \
a half lies there at all |
| weights | {finder_parameters} | {reader_parameters} |
| trained | {finder_minutes:.0f} and {face_finder_minutes:.0f} minutes on one core, {finder_steps} \
and {face_finder_steps} steps | {reader_minutes:.0f} minutes on one core, {reader_steps} steps |

**Classes**, in the notation of the border contract: colours `{colours}`, faces `{faces}`. Half
cards have the first four colours and the first sixteen faces.

**Use.** Half cards of SOLOmino-like games and whole cards of SOLO-like games that lie face up on
a table, seen by a camera that looks down at up to about 45 degrees, a half's short side at least
20 px in the picture. Not for other games' cards, nor for cards held up. A face says what is
printed, never what it means.

**Data.** {scenes} rendered scenes of invented editions: {tables} whole tables (seeds from 0, three
an edition), {close} close-ups (seeds from 20,000,000, each of one or two editions of its own),
{mined} tables with the finders' own false candidates as negatives (seeds from 40,000,000, of
one-faced cards from 45,000,000) and {solo} tables of one-faced cards (seeds from 60,000,000). Validation: {validation} scenes of other
seeds whose digits are set in fonts that training never saw. No photograph and no real edition took
part. Sampling, light and augmentation: `datasets/` and `models/batches.py`.

**How these very weights came about.** The finder and the reader began on the first 3,900 tables;
the reader went on, at a lower rate, while close-ups and false candidates were added and the
drawing of icons, of the marks of 6 and 9 and of corner indices was widened between the chunks of
data. Then the reader's crops became finer (from 1.0 to {crop_scale} px/mm), its last layers were
begun anew to tell which way a face stands and the further classes of one-faced cards, and it was
trained in one more stage (seed 5); crops stored before were enlarged, and say nothing of the way.
Then (seed 11) it grew by two residual blocks that began as mere shortcuts, while the drawing of
one-faced cards was widened between the chunks of data (rings, blocks, fat arrows, other faces in
the corners, ovals as large as the card). Then (seed 13) cards without a top had both ways
as their answer, some crops were washed out, greens were drawn nearer to yellow, and scenes of the
wider drawing counted twice. Then (seed 17) it saw what both finders take for cards on
cloths with printed figures, thin icons, and one-faced cards with small symbols on large ovals;
these scenes, too, counted twice. In its last stage (seed 23, 60 minutes, rate 0.0009) exchanges
with bent arrows and fans of cards came in, 1,950 scenes that counted eight times; there it cost
twice the divergence to part from the weights before on crops that those had read right
(`--keep 2`, 'learning without forgetting'), and batches were normalised as those weights were. What
is shipped is three parts of the outcome and one of the weights before (`python -m models.mix`). The
finder of large faces began from the finder's weights (seed
7) and saw the wider drawing and chessboards in two more stages (seeds 12 and 14; in the last, the
newest scenes counted three times).

All that time a fault of the renderer shrank the pictures of bent lenses, three of ten, by 1.6 to
2.8 %: at their rims half cards lay up to 20 mm from where they were said to lie. Last, the finder
of large faces learnt 22 minutes more (seed 62, rate 0.0007, 825 tables) from pictures that are
right, begun from the weights as they were committed. The finder of half cards and the reader are as
before: what came of teaching them likewise stands in `docs/seeing-log.md`.
`python -m models.remake` renders all of it with today's
drawing and trains each network in one stage; since training stops by the clock, a faster machine
takes more steps and other weights result.

**Scores on the validation scenes** (halves visible to at least 60 %, cut at their true places with
a small error; read both ways up, as at work). Some editions print 6 and 9 without a mark: a single
half cannot tell them apart, the deck can (`vision/standing.py`), and that is not counted here.

| | n | colour right | face right | both right | calibration error, colour | face |
|---|---:|---:|---:|---:|---:|---:|
| half cards | {validation_halves} | {colour_right:.4f} | {face_right:.4f} | {both_right:.4f} | \
{calibration_error_colour:.4f} | {calibration_error_face:.4f} |
| one-faced cards | {one_faced_validation_halves} | {one_faced_colour_right:.4f} | \
{one_faced_face_right:.4f} | {one_faced_both_right:.4f} | \
{one_faced_calibration_error_colour:.4f} | {one_faced_calibration_error_face:.4f} |

Which way a face stands is right for {way_right:.4f} of the half cards whose face has a clear top.
Confidence is softmax at the fitted temperatures {temperature_colour:.3f} (colour) and
{temperature_face:.3f} (face and way); for one-faced cards {one_faced_temperature_colour:.3f} and
{one_faced_temperature_face:.3f}. Figures for whole pictures and recordings stand in the project's
README, with the commands that made them.

**Fonts.** Invented editions use the fonts of these Debian packages: {fonts}.
They are under the SIL Open Font License, Apache-2.0, GPL with font exception, LGPL, CC-BY-SA-3.0,
Bitstream Vera, CC0, AGPL with font exception or in the public domain; `fonts-aenigma` has a
licence of its own that allows free use. Each package's `copyright` file has the text. None is
shipped here.
"""


def write_card(
    out: Path, run: Path, scores: dict[str, float], parameters: tuple[int, int],
    kinds: dict[str, int],
) -> None:  # fmt: skip
    """Writes ``README.md`` beside the weights in ``out``.

    ``kinds`` counts the scenes: tables, close, mined, solo and validation.
    """
    stages = {
        name: last_rows(run / f"{name}.jsonl") for name in ("finder", "face-finder", "reader")
    }
    text = _CARD.format(
        finder_file=FINDER_FILE,
        face_finder_file=FACE_FINDER_FILE,
        reader_file=READER_FILE,
        finder_kb=(out / FINDER_FILE).stat().st_size // 1000,
        reader_kb=(out / READER_FILE).stat().st_size // 1000,
        find_scale=FIND_PX_PER_MM,
        crop_scale=CROP_PX_PER_MM,
        crop_w=CROP_SIZE_PX[0],
        crop_h=CROP_SIZE_PX[1],
        finder_parameters=parameters[0],
        reader_parameters=parameters[1],
        finder_minutes=sum(s["minutes"] for s in stages["finder"]),
        face_finder_minutes=sum(s["minutes"] for s in stages["face-finder"]),
        face_finder_steps=sum(int(s["step"]) for s in stages["face-finder"]),
        reader_minutes=sum(s["minutes"] for s in stages["reader"]),
        finder_steps=sum(int(s["step"]) for s in stages["finder"]),
        reader_steps=sum(int(s["step"]) for s in stages["reader"]),
        colours=" ".join(PRINT_COLOURS),
        faces=" ".join(PRINT_FACES),
        scenes=sum(kinds[kind] for kind in ("tables", "close", "mined", "solo")),
        fonts=", ".join(f"`{name}`" for name in FONT_PACKAGES),
        **kinds,
        **scores,
    )
    (out / "README.md").write_text(text, encoding="utf-8")


def last_rows(log: Path) -> list[dict[str, float]]:
    """The last line of each training stage in a log: where the steps begin anew, one ends."""
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    return [
        row
        for row, after in zip(rows, [*rows[1:], None], strict=True)
        if after is None or after["step"] < row["step"]
    ]
