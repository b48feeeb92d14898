"""Judge a record of observations, without any picture.

Reads `game.jsonl` line by line and writes it with rulings, as it goes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, BinaryIO, TextIO

import typer

from referee.announce import LANGUAGES, Announcer
from referee.game import CorrectionError, Game
from referee.log import CORRECTION, verdicts
from referee.notation import (
    Entry,
    NotationError,
    extra_fields,
    is_observation,
    parse_header,
    ruling_to_dict,
)
from referee.prose import told
from referee.rules.options import GameName, OptionError, parse_option_text, spread_options

OptionsByGame = dict[GameName, dict[str, object]]

_ANSWERS = frozenset({"ruling", "score", "error"})
"""Lines that the rules write themselves; those in the input are made anew."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one line of a record led to: lines to write, or an error."""

    line: int
    """The number of the input's line, from 1."""
    entries: tuple[Entry, ...]
    """The lines to write in its place, the line itself first."""
    game: Game | None = None
    """The game that it belongs to."""
    of: int | None = None
    """The first move that was judged here; it and all after it were."""
    error: str | None = None


class Refereeing:
    """Judges the lines of one record; `games` grows with them."""

    def __init__(self, options: OptionsByGame | None = None) -> None:
        """``options`` go before those of a header."""
        self._options = options or {}
        self.games: list[Game] = []
        self._moves_before = 0
        """Moves of the games before the one at hand: ``of`` counts through the whole file."""

    def judge(self, lines: Iterable[bytes]) -> Iterator[Answer]:
        """Answer line by line; a malformed line yields an error and is skipped."""
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield from self._answer(number, line)

    def _answer(self, number: int, line: bytes) -> Iterator[Answer]:
        try:
            entry = _parse_line(line)
            if entry["type"] == "game":
                yield from self._begin(number, entry)
            elif is_observation(entry) or entry["type"] == CORRECTION:
                yield self._enter(number, entry)
            elif entry["type"] not in _ANSWERS:
                yield Answer(number, (entry,))
        except (NotationError, CorrectionError, OptionError) as error:
            yield _error(number, str(error))

    def _begin(self, number: int, entry: Entry) -> Iterator[Answer]:
        """A header: the game with its options; with the defaults where those are malformed."""
        if self.games:
            self._moves_before += len(self.games[-1].moves)
        given = entry.get("options") or {}
        changed = next(
            (own for game, own in self._options.items() if game == entry.get("game")), {}
        )
        if changed and isinstance(given, dict):
            entry = {**entry, "options": {**given, **changed}}
        try:
            header = parse_header(entry)
        except NotationError as error:
            entry = {**entry, "options": changed}
            header = parse_header(entry)
            yield _error(number, str(error))
        game = Game(header, extra_fields(entry))
        self.games.append(game)
        yield Answer(number, (entry,), game)

    def _enter(self, number: int, entry: Entry) -> Answer:
        if not self.games:
            raise NotationError(f"expected a game's header first, found {entry['type']!r}")
        game = self.games[-1]
        if entry["type"] == CORRECTION:
            since = game.correct_entry(entry).since
        else:
            since = len(game.moves)
            game.append_entry(entry)
        answers = [
            {**written, "of": written["of"] + self._moves_before} if "of" in written else written
            for of in range(since, len(game.moves))
            for written in game.answer(of)
        ]
        return Answer(number, (entry, *answers), game, since)


def _parse_line(line: bytes) -> dict[str, Any]:
    """A line's JSON object, which must name its type; raises `NotationError`."""
    try:
        entry = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise NotationError(f"expected UTF-8, found byte {line[error.start]:#04x}") from None
    except (json.JSONDecodeError, RecursionError) as error:
        why = error.msg if isinstance(error, json.JSONDecodeError) else "too deeply nested"
        raise NotationError(f"expected a JSON object, found other text ({why})") from None
    if not isinstance(entry, dict):
        raise NotationError(f"expected a JSON object, found {type(entry).__name__}")
    if not isinstance(entry.get("type"), str):
        raise NotationError(f"type: expected a text, found {entry.get('type')!r}")
    return entry


def _error(number: int, text: str) -> Answer:
    return Answer(number, ({"type": "error", "line": number, "error": text},), error=text)


def differences(game: Game, options: OptionsByGame) -> Iterator[dict[str, Any]]:
    """The moves that would be ruled differently under other options."""
    other = game.under(options[game.header.game])
    for of, move in enumerate(game.moves):
        before, now = game.rulings(of), other.rulings(of)
        if verdicts(before) != verdicts(now):
            yield {
                "type": "difference",
                "of": of,
                "observation": move.as_dict(),
                "rulings": [ruling_to_dict(ruling, of) for ruling in before],
                "under": [ruling_to_dict(ruling, of) for ruling in now],
            }


def explain(game: Game, of: int, language: str) -> Iterator[str]:
    """A move as prose, numbered, with the score where it ends a round."""
    *omissions, own = told(game, of, language)
    for omission in omissions:
        yield f"      {omission.text} [{omission.rule}]"
    yield f"{of:>4}  {own.text} [{own.rule}]"
    say = Announcer(language, game.header.players, game.header.game)
    for entry in game.answer(of):
        if entry["type"] == "score":
            yield f"      {' '.join(sentence.text for sentence in say.score(entry))} [6.4]"


def run(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME.jsonl]...",
            help="Records to judge, in this order; '-' or none: standard input.",
        ),
    ] = None,
    options: Annotated[
        str,
        typer.Option(
            metavar="NAME=VALUE,...",
            help="Rules that go before those in a record's header, such as interject=true.",
        ),
    ] = "",
    under: Annotated[
        str,
        typer.Option(
            metavar="NAME=VALUE,...|FILE",
            help="List only the moves that would be ruled differently under these options "
            "(or those in a JSON file).",
        ),
    ] = "",
    explained: Annotated[
        bool,
        typer.Option("--explain", help="Tell the game as prose, with the rulebook's paragraphs."),
    ] = False,
    language: Annotated[
        str, typer.Option(metavar="LANG", help=f"Language of the prose: {', '.join(LANGUAGES)}.")
    ] = "en",
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write to a file instead of the terminal.")
    ] = None,
) -> None:
    """Judge a record of observations, without any picture.

    Each observation is written again, followed by the rulings on it; what is written is itself
    a valid record. Rulings in the input are made anew. A malformed line is named and skipped,
    the rest is judged, and the exit code is 1.

    \b
    Examples:
      referee rule game.jsonl
      referee rule game.jsonl --options interject=true,shouts=ignored --explain
      referee rule --under solomino.interject=true game.jsonl
      tail -f game.jsonl | referee rule --explain --language de
    """
    if language not in LANGUAGES:
        raise typer.BadParameter(
            f"expected one of {', '.join(LANGUAGES)}, found {language!r}", param_hint="--language"
        )
    changed = _read_options(options, "--options")
    compared = _read_options(under, "--under") if under else None
    failed = False
    with nullcontext(sys.stdout) if out is None else out.open("w", encoding="utf-8") as sink:
        for name in files or ["-"]:
            with _open(name) as lines:
                table = Refereeing(changed)
                for answer in table.judge(lines):
                    failed |= _report(name, answer)
                    if compared is None:
                        _write(answer, language if explained else None, sink)
                for game in table.games if compared is not None else ():
                    _compare(game, compared or {}, language if explained else None, sink)
    if failed:
        raise typer.Exit(1)


def _read_options(text: str, flag: str) -> OptionsByGame:
    """Options from the command line, or from the JSON file that it names."""
    try:
        if "=" in text or not text:
            return parse_option_text(text)
        given = json.loads(Path(text).read_text(encoding="utf-8"))
        if not isinstance(given, dict):
            raise OptionError(f"expected a JSON object, found {given!r}")
        return spread_options(given)
    except (OptionError, OSError, json.JSONDecodeError) as error:
        raise typer.BadParameter(str(error), param_hint=flag) from None


def _open(name: str) -> AbstractContextManager[BinaryIO]:
    if name == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise typer.BadParameter(f"{name}: {error.strerror}", param_hint="GAME.jsonl") from None


def _report(name: str, answer: Answer) -> bool:
    """Name a malformed line on standard error; returns whether it was one."""
    if answer.error is None:
        return False
    where = "standard input" if name == "-" else name
    print(f"referee rule: {where}: line {answer.line}: {answer.error}", file=sys.stderr)
    return True


def _write(answer: Answer, language: str | None, sink: TextIO) -> None:
    """Write what a line led to, at once: somebody may be waiting at the other end of a pipe."""
    if language is None:
        for entry in answer.entries:
            print(json.dumps(entry, ensure_ascii=False), file=sink)
    elif answer.game is not None and answer.of is not None:
        for of in range(answer.of, len(answer.game.moves)):
            for line in explain(answer.game, of, language):
                print(line, file=sink)
    sink.flush()


def _compare(game: Game, options: OptionsByGame, language: str | None, sink: TextIO) -> None:
    """List what would be ruled differently."""
    if language is None:
        for difference in differences(game, options):
            print(json.dumps(difference, ensure_ascii=False), file=sink)
        return
    other = game.under(options[game.header.game])
    for difference in differences(game, options):
        of = difference["of"]
        for mark, judged in (("-", game), ("+", other)):
            for line in explain(judged, of, language):
                print(f"{mark} {line}", file=sink)
