"""Enrolling a deck at the terminal: takes in what is shown, and asks about what is not sure."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import typer

from calibration.auto_cards import plane_from_cards
from calibration.deck_cards import ShownCard
from calibration.deck_enrol import Answers, Enrolment, Question, Settled
from calibration.deck_sheet import contact_sheet, picture_of
from calibration.deck_watch import cards_of_film, cards_of_pictures
from referee.errors import RefereeError
from vision.facts import PRINT_COLOURS, PRINT_FACES, Image, Reader
from vision.frames import glimpses, open_recording
from vision.live import open_live
from vision.plane import TablePlane

SHEET: Final = "faces.png"
"""The picture of all drawings, in the folder of pictures."""
_PICTURES: Final = {".jpg", ".jpeg", ".png", ".bmp", ".webp"}
_GLIMPSES: Final = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Where in a film the table is looked for: whenever cards happen to lie."""
_ROUNDS: Final = 3
"""How often what was answered may lead to further questions."""
_FIRST_PICTURE_S: Final = 20.0


def shown_cards(
    sources: Sequence[str], plane: TablePlane | None, reader: Reader, *, one_faced: bool
) -> list[ShownCard]:
    """All cards of photographs, folders of them, videos and cameras.

    Raises `RefereeError` for a picture that is none and for a film that does not tell where the
    table is, `typer.BadParameter` for a source that is nothing of all that.
    """
    shown: list[ShownCard] = []
    photographs: list[Path] = []
    for source in sources:
        path = Path(source)
        if path.is_dir():
            photographs += sorted(p for p in path.iterdir() if p.suffix.lower() in _PICTURES)
        elif path.suffix.lower() in _PICTURES:
            photographs.append(path)
        elif path.is_file():
            known = plane or _plane_of(
                source, glimpses(path, _GLIMPSES), reader, one_faced=one_faced
            )
            film = open_recording(path)
            shown += cards_of_film(
                film, known.resized(film.size_px), reader, one_faced=one_faced, tell=tell
            )
        elif path.suffix or (len(path.parts) > 1 and "://" not in source):
            raise typer.BadParameter(
                f"expected a picture, a video, a camera or an address, found {source!r}",
                param_hint="SOURCE",
            )
        else:
            shown += _before_a_camera(source, plane, reader, one_faced=one_faced)
    shown += cards_of_pictures(_loaded(photographs), plane, reader, one_faced=one_faced, tell=tell)
    tell(f"{len(shown)} cards in all")
    typer.echo(err=True)
    return shown


def _plane_of(source: str, images: list[Image], reader: Reader, *, one_faced: bool) -> TablePlane:
    found = plane_from_cards(images, reader, one_faced=one_faced)
    if found is None:
        raise RefereeError(
            f"{source}: expected cards that tell how the camera looks at the table, found too few;"
            " give its calibration with --table"
        )
    return found.plane


def _before_a_camera(
    source: str, plane: TablePlane | None, reader: Reader, *, one_faced: bool
) -> list[ShownCard]:
    camera = open_live(source)
    try:
        if not camera.wait(_FIRST_PICTURE_S):
            raise RefereeError(f"{source}: expected a picture, found none ({camera.status.text})")
        known = plane
        if known is None:
            tell("lay a few cards under the camera, so that it finds the table")
            for frame in camera:
                found = plane_from_cards([frame.image], reader, one_faced=one_faced)
                if found is not None:
                    known = found.plane
                    break
        if known is None:
            raise RefereeError(f"{source}: expected cards under the camera, found none")
        tell("show the cards; Ctrl-C when all were shown")
        return cards_of_film(
            camera, known.resized(camera.size_px), reader, one_faced=one_faced, tell=tell
        )
    finally:
        camera.close()


def _loaded(paths: Sequence[Path]) -> Iterator[tuple[str, Image]]:
    for path in paths:
        data = np.frombuffer(path.read_bytes(), np.uint8)
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
        if image is None:
            raise RefereeError(f"{path}: expected a picture, found something else")
        yield path.name, np.asarray(image, np.uint8)


def tell(text: str) -> None:
    """Progress, in one line where somebody watches."""
    if sys.stderr.isatty():
        typer.echo(f"\r{text:<70}", nl=False, err=True)
    else:
        typer.echo(text, err=True)


# -- asking


def settle(
    enrolment: Enrolment, told: dict[str, str], folder: Path, *, asking: bool, show: bool
) -> Settled:
    """Names for all cards, with answers from a file, from somebody who is asked, or none."""
    answers = Answers()
    settled = enrolment.settle(answers)
    unknown = set(told) - {question.key for question in settled.questions}
    if unknown:
        raise typer.BadParameter(
            f"expected answers to what was asked, found {', '.join(sorted(unknown))}",
            param_hint="--answers",
        )
    for question in settled.questions:
        if question.key in told:
            answers = answers.with_answer(question, _checked(question, told[question.key]))
    if told:
        settled = enrolment.settle(answers)
    _write_sheet(settled, folder)
    for _ in range(_ROUNDS if asking else 0):
        before = answers
        for question in settled.questions:
            if question.doubtful:
                answers = _ask(question, folder, answers, show=show)
        answers = _corrections(settled, folder, answers, show=show)
        if answers == before:
            break
        settled = enrolment.settle(answers)
        _write_sheet(settled, folder)
    doubtful = [question for question in settled.questions if question.doubtful]
    if doubtful and not asking:
        keys = ", ".join(question.key for question in doubtful)
        typer.echo(f"note: not sure of {keys}; see {folder / SHEET}, and --answers", err=True)
    return settled


def _write_sheet(settled: Settled, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    picture_of(contact_sheet(settled.questions), folder / SHEET)


def _ask(question: Question, folder: Path, answers: Answers, *, show: bool) -> Answers:
    path = folder / f"{question.key.replace(' ', '-')}.png"
    picture_of(question.picture, path)
    if show:
        typer.launch(str(path))
    what = "Which colour" if question.asks_colour else "Which face"
    likely = ", ".join(question.likely[:4])
    typer.echo(f"{what} is this: {path} ({len(question.looks)} times)? Likely {likely}")
    while True:
        said = _said(f"  [{question.likely[0]}] ") or question.likely[0]
        try:
            return answers.with_answer(question, _checked(question, said))
        except typer.BadParameter as error:
            typer.echo(f"  {error}")


def _said(prompt: str) -> str:
    """What somebody types; raises `RefereeError` where they end the input instead."""
    try:
        return input(prompt).strip()
    except EOFError:
        raise RefereeError(
            "expected an answer, found the end of the input; --assume asks nothing"
        ) from None


def _corrections(settled: Settled, folder: Path, answers: Answers, *, show: bool) -> Answers:
    """What somebody has to say to all drawings at a glance."""
    faces = [question for question in settled.questions if not question.asks_colour]
    by_number = {question.key.split()[1]: question for question in faces}
    if show:
        typer.launch(str(folder / SHEET))
    while True:
        said = _said(
            f"Is every drawing in {folder / SHEET} named rightly?"
            " Enter, or corrections such as 7=9 12=S: "
        )
        given = answers
        try:
            for part in said.replace(",", " ").split():
                number, _, letter = part.partition("=")
                if number not in by_number:
                    raise typer.BadParameter(f"expected a number from the picture, found {part!r}")
                question = by_number[number]
                given = given.with_answer(question, _checked(question, letter))
        except typer.BadParameter as error:
            typer.echo(f"  {error}")
            continue
        return given


def _checked(question: Question, said: str) -> str:
    """An answer as a letter; raises `typer.BadParameter`."""
    wanted = PRINT_COLOURS if question.asks_colour else PRINT_FACES
    letter = said.lower() if question.asks_colour else said.upper()
    if len(letter) != 1 or letter not in question.likely:
        raise typer.BadParameter(
            f"{question.key}: expected one of {' '.join(c for c in wanted if c in question.likely)},"
            f" found {said!r}"
        )
    return letter


def read_answers(path: Path) -> dict[str, str]:
    """Answers by the key of their question; raises `typer.BadParameter` for another file."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise typer.BadParameter(
            f"{path}: expected TOML, found something else: {error}", param_hint="--answers"
        ) from None
    for key, value in given.items():
        if not isinstance(value, str):
            raise typer.BadParameter(
                f"{path}: {key}: expected a letter, found {value!r}", param_hint="--answers"
            )
    return given
