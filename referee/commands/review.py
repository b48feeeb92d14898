"""Judge a recording: every move and ruling into a record.

The record, `game.jsonl`, is written while the review runs.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from calibration.assumed import assume_table
from calibration.sources import table_pictures
from calibration.table import Table, load_table
from referee.asking import DeckOption, GameOption, asked_game, asked_header, player_names
from referee.errors import RefereeError
from referee.game import Game
from referee.prose import Told, told
from referee.reading import QUICKLY, open_reader
from referee.review import RECORD, Progress, Reviewed, review
from vision.facts import Reader
from vision.frames import last_picture_s, open_recording, refuse_broken_off

_LINE_EVERY_S: Final = 0.5


def run(
    video: Annotated[
        Path,
        typer.Argument(
            exists=True, metavar="VIDEO", help="The recording, or a folder of its pictures."
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            file_okay=False, metavar="FOLDER", help="Where game.jsonl goes (made if missing)."
        ),
    ],
    table: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            metavar="FILE",
            help="The table's calibration; without it the table, seats and draw pile are found from"
            " what is seen, and the record says what was assumed.",
        ),
    ] = None,
    game: GameOption = None,
    deck: DeckOption = "",
    options: Annotated[
        str,
        typer.Option(
            metavar="NAME=VALUE,...", help="Rules that you play by, such as interject=true."
        ),
    ] = "",
    players: Annotated[
        str,
        typer.Option(metavar="NAME,...", help="The players' names, clockwise from above."),
    ] = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the summary as one JSON object.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print nothing but failures.")
    ] = False,
) -> None:
    """Review a recording: judge every move and write the record.

    FOLDER/game.jsonl holds each move with the second at which it was made, how sure its reading
    is, and the ruling on it. It grows while the review runs and stays readable if the review is
    stopped. The same recording always gives the same record. At the end, every move that is
    illegal or undecided is told with its time and the rulebook's paragraph.

    \b
    Examples:
      referee review game.mp4 --table table.json --out out
      referee review game.mp4 --out out
      referee review game.mp4 --table table.json --out out --options interject=true
      referee review game.mp4 --table table.json --out out --players Ann,Ben,Cem --json
      referee review solo.mp4 --table table.json --out out --game solo
      referee review game.mp4 --table table.json --out out --deck house-solomino
    """
    source = open_recording(video)
    try:
        known = None if table is None else load_table(table)
        played = asked_game(known, game)
        reader = open_reader(played, deck, QUICKLY)
        if known is None:
            if not quiet and not as_json and sys.stderr.isatty():
                print("looking for the table, and for who sits where ...", file=sys.stderr)
            known = _found_table(
                video, source.duration_s, players, reader, one_faced=played == "solo"
            )
            if not quiet:
                _tell_assumed(known)
        header = asked_header(known, players, options, game)
        show = _progress_line() if not quiet and not as_json else _say_nothing
        done = review(source, known, header, reader, out, show)
    finally:
        source.close()
        if not quiet and not as_json and sys.stderr.isatty():
            print(file=sys.stderr)  # ends the line of progress
    if as_json:
        print(json.dumps(_summary(done, out)))
    elif not quiet:
        print(_report(done, out))


def _found_table(
    video: Path, duration_s: float | None, players: str, reader: Reader, *, one_faced: bool
) -> Table:
    """The table as far as the recording tells where it is and who sits where."""
    images = table_pictures(str(video))
    names = player_names(players)
    found = assume_table(images, reader, names, video=video, one_faced=one_faced)
    if found is None:
        last_s = last_picture_s(video)
        if last_s is not None:
            refuse_broken_off(video, duration_s, last_s)
        raise RefereeError(
            f"{video}: expected cards that tell how the camera looks at the table, found too few;"
            " give its calibration with --table"
        )
    return found


def _tell_assumed(table: Table) -> None:
    names = ", ".join(player.name for player in table.players)
    print(f"no --table was given; assumed, with players {names or 'unknown'}:", file=sys.stderr)
    for what, how in table.assumed.items():
        print(f"  {what}: {how}", file=sys.stderr)


def _progress_line() -> Callable[[Progress], None]:
    """Shows progress in one line of the terminal, renewed twice a second."""
    next_s = 0.0

    def show(progress: Progress) -> None:
        nonlocal next_s
        if time.monotonic() < next_s or not sys.stderr.isatty():
            return
        next_s = time.monotonic() + _LINE_EVERY_S
        total = "" if progress.duration_s is None else f" of {_clock(progress.duration_s)}"
        print(
            f"\r{_clock(progress.at_s)}{total}  {progress.speed:.1f} x real time  "
            f"{progress.moves} moves, {progress.flagged} illegal ",
            end="",
            file=sys.stderr,
            flush=True,
        )

    return show


def _say_nothing(progress: Progress) -> None:
    del progress


def _summary(reviewed: Reviewed, out: Path) -> dict[str, object]:
    done = reviewed.progress
    return {
        "record": str(out / RECORD),
        "seconds": round(done.at_s, 3),
        "speed": round(done.speed, 2),
        "moves": done.moves,
        "illegal": done.flagged,
        "cannot_tell": done.unsure,
        "to_look_at": [
            {"of": of, "t": at_s, "legal": one.legal, "text": one.text, "rule": one.rule}
            for of, at_s, one in _to_look_at(reviewed.game)
        ],
    }


def _report(reviewed: Reviewed, out: Path) -> str:
    """Counts, and each move that somebody should look at, when, why and by which paragraph."""
    done = reviewed.progress
    counts = (
        f"{done.moves} moves in {_clock(done.at_s)}, {done.flagged} of them illegal, "
        f"{done.unsure} undecided ('cannot tell'); {done.speed:.1f} x real time."
    )
    lines = [counts]
    for _, at_s, one in _to_look_at(reviewed.game):
        verdict = "illegal" if one.legal is False else "cannot tell"
        lines.append(f"{_clock(at_s or 0.0):>7}  {verdict:<11}  {one.text} [{one.rule}]")
    return "\n".join([*lines, str(out / RECORD)])


def _to_look_at(game: Game) -> Iterator[tuple[int, float | None, Told]]:
    """Number, second and words of each ruling that is not 'legal'."""
    for of, move in enumerate(game.moves):
        for one in told(game, of):
            if one.legal is not True:
                yield of, move.fields.get("t"), one


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
