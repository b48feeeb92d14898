"""Judge a game as it is played, and serve its overlay meanwhile."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

from calibration.deck_shelf import open_deck
from calibration.table import Table, TableError, load_table
from referee.asking import DeckOption, GameOption, asked_header, player_names
from referee.commands.links import MEANING, show
from referee.errors import explain
from referee.game import Game
from referee.games import Games
from referee.journal import event, reporting
from referee.journal import journal as keep_journal
from referee.live import Live
from referee.matches import GAMES, TABLE, delete, expired
from referee.obs.director import directing
from referee.obs.plan import Plan, PlanError, load_plan
from referee.reading import open_reader
from referee.recording.of_games import recording
from referee.rules.options import GameName, OptionError, parse_option_text
from referee.server.links import Role
from referee.server.serve import HOST, PORT, Serving, bind
from referee.server.setup import setup_routes
from referee.server.setup_state import FirstDraft, SetUp
from referee.session import Session
from vision.capture import LOCKS, Lock, Wish
from vision.live import open_live
from vision.newest import AtEnd

FIRST_PICTURE_S: Final = 8.0
"""How long a camera may take to give its first picture before one goes on without."""


def run(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A camera's number (0 is the first) or a part of its name, an address (rtsp:, "
            "http:), or a video file or folder of pictures to be played at its own pace.",
        ),
    ],
    table: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            metavar="FILE",
            help="The table's calibration; without it the set-up page makes one.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            file_okay=False,
            metavar="FOLDER",
            help="Where game.jsonl goes (default: a new folder under games, named by the time).",
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
        str, typer.Option(metavar="NAME,...", help="The players' names, clockwise from above.")
    ] = "",
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0: all, for other machines.")
    ] = HOST,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any free one.")] = PORT,
    delay: Annotated[
        float,
        typer.Option(min=0, max=600, metavar="SECONDS", help="Show viewers all this much later."),
    ] = 0.0,
    obs: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            metavar="FILE",
            help="Have OBS react to the game; 'referee obs plan' prints such a file.",
        ),
    ] = None,
    size: Annotated[
        str, typer.Option(metavar="WxH", help="Ask the camera for such pictures: 1920x1080.")
    ] = "",
    fps: Annotated[
        float | None,
        typer.Option(min=1, max=240, help="Ask the camera for so many pictures a second."),
    ] = None,
    lock: Annotated[
        str,
        typer.Option(
            metavar="WHAT,...",
            help="Hold the camera's focus, exposure and white-balance (or all) as they are once "
            "it has found them.",
        ),
    ] = "",
    loop: Annotated[
        bool, typer.Option("--loop", help="Play a file again and again, until Ctrl-C.")
    ] = False,
    speed: Annotated[
        float,
        typer.Option(min=0.1, max=60, help="Play a file so many times as fast; its clock stays."),
    ] = 1.0,
    record: Annotated[
        bool,
        typer.Option(
            "--record", help="Record the picture beside the game's record, masked, in pieces."
        ),
    ] = False,
    record_sound: Annotated[
        str | None,
        typer.Option(
            metavar="INPUT",
            help="Record this sound input, too: 'default' on Linux, ':0' on macOS, "
            "'audio=NAME' on Windows, or an address.",
        ),
    ] = None,
    record_fps: Annotated[
        float, typer.Option(min=1, max=60, help="Recorded pictures a second.")
    ] = 15.0,
    keep_days: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="DAYS",
            help="At the start, delete matches under games that ended longer ago.",
        ),
    ] = None,
    journal: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write what happens there, one JSON object a line; '-' is stderr.",
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A further name of this server, as behind a proxy; repeatable."
        ),
    ] = None,
    hide_links: Annotated[
        bool,
        typer.Option("--hide-links", help="Do not print links with keys: the screen is shared."),
    ] = False,
    new: Annotated[
        bool,
        typer.Option("--new", help="Begin a new game though one that was broken off could go on."),
    ] = False,
    stay: Annotated[
        bool, typer.Option("--stay", help="Serve on after a file has ended, until Ctrl-C.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print nothing but the addresses and failures.")
    ] = False,
) -> None:
    """Referee a game live: watch, judge, write the record, serve the overlay.

    Without --table, open the address that is printed: the set-up page shows the picture, finds the
    table, and begins the game. What it saves, table.json, is known the next time.

    Put the overlay's address into OBS as a browser source of 1920 x 1080. Each move is on disk
    in FOLDER/game.jsonl before viewers learn of it; a record that lies there from before is
    kept beside it under another name. A game that was broken off less than twelve hours ago goes
    on. A camera that is unplugged or hangs is picked up again by itself. Ctrl-C ends the game.

    \b
    Examples:
      referee live 0
      referee live 0 --table table.json
      referee live rtsp://192.168.1.20:8554/table --table table.json --players Ann,Ben,Cem
      referee live "HD Pro Webcam" --size 1920x1080 --fps 30 --lock all --table table.json
      referee live game.mp4 --table table.json --out out
      referee live 0 --table table.json --game solo
      referee live 0 --table table.json --deck house-solomino
    """
    plan, unplanned = _planned(obs)
    wish = Wish(_size(size), fps, _locks(lock))
    if deck:
        open_deck(deck)  # refuse a broken one now, not when the first game begins
    reader_of = partial(open_reader, deck=deck)
    known, broken = _loaded(table)
    header = None if known is None else asked_header(known, players, options, game)
    draft = FirstDraft(
        known if known is not None else _saved_table(),
        tuple(player_names(players)),
        _options(options),
        None if game is None else game.value,
    )
    if keep_days is not None:
        for match in expired(GAMES, keep_days):
            delete(match)
            print(f"deleted: {match.folder}, which ended {match.ended}")
    with (
        contextlib.ExitStack() as stack,
        keep_journal(journal),
        contextlib.closing(bind(host, port)) as listener,
        contextlib.closing(open_live(source, wish, speed=speed)) as camera,
    ):
        if not camera.wait(FIRST_PICTURE_S):
            _warn(f"no picture yet ({camera.status.text}); it is waited for")
            if known is not None:
                camera.expect(known.plane.image_size_px)
        # Whoever sets up in the browser also looks there how the recording went.
        at_end: AtEnd = "again" if loop else "wait" if stay or known is None else "stop"
        live = Live(camera, at_end=at_end)
        recorder = stack.enter_context(
            recording(
                live.watch, lambda: live.session is not None, record_sound, record_fps, live.changed
            )
        )
        live.notices += [lambda: unplanned, lambda: recorder.trouble]
        if unplanned:
            _warn(unplanned)

        def began(session: Session) -> None:
            if games.record is not None and (record or record_sound):
                recorder.began(games.record.parent, session.since_s)
            if not quiet:
                _tell(session)

        games = Games(live, reader_of, out, began)
        setup = SetUp(games, reader_of, table or Path(TABLE), draft)
        with contextlib.closing(games), contextlib.closing(setup):
            resumed = None if new else games.resume()
            if resumed is None and known is not None and header is not None:
                games.begin(known, header)
            for trouble in filter(None, (broken, games.trouble)):
                _warn(trouble)
                if live.session is None:
                    live.trouble = trouble
            server = Serving(live, listener, delay, name or (), routers=[setup_routes(setup)])
            reacting = contextlib.nullcontext() if plan is None else directing(live, plan, delay)
            stack.callback(reporting(live))
            with server, reacting, _until_told():
                event("start", source=source, address=f"{host}:{port}")
                _print_addresses(server, games, went_on=resumed is not None, hide=hide_links)
                live.run()
            event("end")


@contextlib.contextmanager
def _until_told() -> Iterator[None]:
    """Whatever runs inside ends at Ctrl-C, and at what a system stops programs by (SIGTERM): both
    let recordings and the journal be brought to their end."""
    alone = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, signal.default_int_handler) if alone else None
    try:
        with contextlib.suppress(KeyboardInterrupt):
            yield
    finally:
        if before is not None:
            signal.signal(signal.SIGTERM, before)


def _options(text: str) -> dict[GameName, dict[str, object]]:
    try:
        return parse_option_text(text)
    except OptionError as error:
        raise typer.BadParameter(str(error), param_hint="--options") from None


def _saved_table() -> Table | None:
    """What the set-up page saved here before; None where nothing is, or nothing good."""
    path = Path(TABLE)
    if not path.is_file():
        return None
    try:
        return load_table(path)
    except TableError as error:
        _warn(f"{error}; the table is set up anew")
        return None


def _loaded(table: Path | None) -> tuple[Table | None, str]:
    """The table, and what is wrong with its file: a game at a club is not to wait for whoever
    understands such files, and the set-up page makes another."""
    if table is None:
        return None, ""
    try:
        return load_table(table), ""
    except (TableError, OSError) as error:
        return None, f"{explain(error)}; the table is set up anew"


def _planned(obs: Path | None) -> tuple[Plan | None, str]:
    """What OBS is to do, and what is wrong with that file: the game is worth more than replays."""
    if obs is None:
        return None, ""
    try:
        return load_plan(obs), ""
    except PlanError as error:
        return None, f"{error}; OBS does nothing by itself"


def _print_addresses(server: Serving, games: Games, *, went_on: bool, hide: bool) -> None:
    if games.record is not None:
        print(f"record:  {games.record}{' goes on' if went_on else ''}")
    if games.kept is not None:
        print(f"         the one from before is {games.kept} now")
    if server.access.is_open:
        if games.record is None:
            print(f"set up:  {server.link(Role.CONTROL, '/setup')}  (open this in a browser)")
        print(f"overlay: {server.link(Role.DISPLAY)}  (a browser source for OBS)")
        print(f"desk:    {server.link(Role.CONTROL)}  (puts right what the camera missed)")
        print(f"picture: {server.url}/overlay?video=1  (Ctrl-C ends the game)", flush=True)
        return
    print(f"address: {server.url}  (Ctrl-C ends the game)")
    if hide:
        print("links:   'referee links' shows them, each with its key", flush=True)
        return
    first = "/setup" if games.record is None else None
    for role in MEANING:
        page = first if role is Role.CONTROL else None
        show(role, server.link(role, page), qr=True)


def _size(text: str) -> tuple[int, int] | None:
    """``1920x1080``; raises `typer.BadParameter`."""
    if not text:
        return None
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise typer.BadParameter(
            f"expected width and height such as 1920x1080, found {text!r}", param_hint="--size"
        )
    return int(width), int(height)


def _locks(text: str) -> frozenset[Lock]:
    """``focus,exposure``, or ``all``; raises `typer.BadParameter`."""
    asked = {part.strip().replace("-", "_") for part in text.split(",") if part.strip()}
    if asked == {"all"}:
        return frozenset(LOCKS)
    if unknown := asked - set(LOCKS):
        raise typer.BadParameter(
            f"expected all, or some of focus, exposure, white-balance, found {min(unknown)!r}",
            param_hint="--lock",
        )
    return frozenset(one for one in LOCKS if one in asked)


def _warn(text: str) -> None:
    print(f"referee live: {text}", file=sys.stderr, flush=True)


def _tell(session: Session) -> None:
    session.subscribe(_Teller(session))


class _Teller:
    """Prints each new ruling, so that whoever sits at the terminal sees that it works."""

    def __init__(self, session: Session) -> None:
        self._game: Game = session.game
        self._told = 0

    def __call__(self) -> None:
        moves = self._game.moves
        names = self._game.header.players
        for of in range(self._told, len(moves)):
            line = moves[of].as_dict()
            player = line.get("player")
            who = names[player] if isinstance(player, int) else "-"
            verdict = "; ".join(
                "legal"
                if ruling.legal
                else "cannot tell"
                if ruling.legal is None
                else "ILLEGAL " + ", ".join(ruling.violations)
                for ruling in self._game.rulings(of)
            )
            seconds = float(line.get("t") or 0.0)
            what = f"{line['type']} {line.get('card') or line.get('count') or ''}".strip()
            print(f"{seconds:8.1f} s  {who:12} {what:18} {verdict}", flush=True)
        self._told = len(moves)
