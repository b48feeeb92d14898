"""Make the overlay speak: phrase packs, and the chimes as files"""

from __future__ import annotations

import csv
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from referee.overlay.cues import CUES
from referee.overlay.snapshot import sentence_id
from referee.sound.chimes import chime
from referee.sound.speech import Voice, make_pack, packs_folder, phrases

app = typer.Typer(
    help="""Make the overlay speak: phrase packs, and the chimes as files.

    The overlay plays chimes with '/overlay?sound=chimes' and nothing else is needed for them. To
    have it speak in OBS as well ('sound=speech' or 'sound=all'), make a pack for your language:
    browsers speak too, but OBS does not record that.

    \b
    Examples:
      referee sounds speak de --players Ann,Ben,Cem
      referee sounds speak en --voice piper --model en_GB-alba-medium.onnx
      referee sounds phrases fi --players Ann,Ben > phrases.csv    to record them yourself
    """,
    rich_markup_mode=None,
    no_args_is_help=True,
)


class Speaks(StrEnum):
    """A language, as typer wants its choices."""

    EN = "en"
    DE = "de"
    PT = "pt"
    FI = "fi"


LanguageArgument = Annotated[Speaks, typer.Argument(help="en, de, pt or fi.")]
Players = Annotated[
    str, typer.Option(metavar="NAME,...", help="The players' names, for what names them.")
]
Folder = Annotated[
    Path | None,
    typer.Option(
        file_okay=False,
        metavar="FOLDER",
        help="Where packs lie, one folder for each language (default: where the server looks for "
        "them, $REFEREE_SPEECH or the user's data).",
    ),
]


class Program(StrEnum):
    """Voices that can be called."""

    ESPEAK_NG = "espeak-ng"
    PIPER = "piper"


@app.command()
def speak(
    language: LanguageArgument,
    players: Players = "",
    voice: Annotated[
        Program, typer.Option(help="The program that speaks; it must be installed.")
    ] = Program.ESPEAK_NG,
    model: Annotated[
        str, typer.Option(metavar="FILE", help="Piper's voice, or another one of espeak-ng's.")
    ] = "",
    out: Folder = None,
) -> None:
    """Make a pack with a voice that you have; what it lacks later, the voice speaks then.

    No voice comes with this program. espeak-ng speaks all four languages; piper's voices sound
    better and each has a licence of its own: read it before you go on air with one.
    """
    folder = out or packs_folder()
    said = phrases(language.value, _names(players))
    pack, spoken = make_pack(folder, language.value, Voice(voice.value, model), said)
    print(f"{pack.folder}: {spoken} sentences spoken, {len(said)} in all")
    print("In OBS: add 'sound=speech' or 'sound=all' to the overlay's address, and tick 'Control")
    print("audio via OBS' in the browser source.")


@app.command(name="phrases")
def phrases_command(language: LanguageArgument, players: Players = "") -> None:
    """List the sentences of a game with the names of their files, to record them yourself.

    Speak each into a WAV file of that name, in the folder of its language, and run 'referee
    sounds keep' once.
    """
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("file", "sentence"))
    for text in phrases(language.value, _names(players)):
        writer.writerow((f"{sentence_id(language.value, text)}.wav", text))


@app.command()
def keep(language: LanguageArgument, out: Folder = None) -> None:
    """Say that the recordings in a language's folder are a pack of their own, without a voice."""
    pack, _ = make_pack(out or packs_folder(), language.value, None, ())
    there = len(list(pack.folder.glob("*.wav")))
    print(f"{pack.folder}: {there} sentences, recorded by people")


@app.command()
def chimes(
    out: Annotated[Path, typer.Argument(file_okay=False, metavar="FOLDER", help="Where to.")],
) -> None:
    """Write all chimes as WAV files, to hear them or to use them elsewhere."""
    out.mkdir(parents=True, exist_ok=True)
    for cue in CUES:
        (out / f"{cue}.wav").write_bytes(chime(cue))
    print(f"{len(CUES)} chimes in {out}")


def _names(players: str) -> list[str]:
    return [name.strip() for name in players.split(",") if name.strip()]
