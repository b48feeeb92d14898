"""The command `referee`: finds the subcommand, runs it, turns failures into a sentence.

Subcommands live in `referee.commands`, one module each, and are imported only when called:
the help appears at once, and `referee rule` runs where no OpenCV is installed.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from referee import commands
from referee.errors import FAILURE, USAGE, explain

HELP = """Watch a real card table and judge the game: SOLOmino, seen by one camera overhead.

\b
Start here:
  referee demo                           see it at work
  referee live 0                         judge a game as it is played, before camera 0
  referee review game.mp4 --out out      judge a recording
  referee see table.jpg                  read one picture
  referee deck print house-solomino      cards to print, cut out and play with

'referee COMMAND --help' explains a command, with examples.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code: 0 done, 1 failed, 2 called wrongly."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments
    arguments = [a for a in arguments if a != "--debug"] or ["--help"]
    wanted = next((a for a in arguments if not a.startswith("-")), None)
    try:
        code = application(wanted)(arguments, prog_name="referee", standalone_mode=False)
    except KeyboardInterrupt:
        return 130
    except typer.Abort:
        return FAILURE
    except Exception as error:
        if debug:
            raise
        return _report(error, wanted)
    return code if isinstance(code, int) else 0


def application(wanted: str | None = None) -> typer.Typer:
    """The command line with `wanted` loaded and all other commands known by their help only."""
    # Plain help: the boxes of rich would double the time until it appears.
    app = typer.Typer(
        name="referee",
        help=HELP,
        add_completion=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_global_options)
    for name, summary in sorted(summaries().items()):
        command = _load(name) if name == wanted else _not_loaded
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name, short_help=summary)
        else:
            app.command(name, short_help=summary)(command)
    return app


def summaries() -> dict[str, str]:
    """Every subcommand with its one line of help, read without importing it."""
    found = {}
    for module in pkgutil.iter_modules(commands.__path__):
        spec = find_spec(f"{commands.__name__}.{module.name}")
        if spec is None or spec.origin is None:
            continue
        text = ast.get_docstring(ast.parse(Path(spec.origin).read_text(encoding="utf-8")))
        found[module.name.replace("_", "-")] = (text or "").partition("\n")[0].rstrip(".")
    return found


def _load(name: str) -> Callable[..., Any] | typer.Typer:
    """A command's function, or its own commands where it is a group."""
    module = importlib.import_module(f"{commands.__name__}.{name.replace('-', '_')}")
    command: Callable[..., Any] | typer.Typer = getattr(module, "app", None) or module.run
    return command


def _not_loaded() -> None:
    raise AssertionError("only the command that was asked for is loaded, and it was another one")


def _show_version(asked: bool) -> None:
    if asked:
        print(f"referee {version('table-referee')}")
        raise typer.Exit


def _global_options(
    show_version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Say the version."),
    ] = False,
    debug: Annotated[
        bool,
        typer.Option("--debug", help="Show a failure with its traceback (works anywhere)."),
    ] = False,
) -> None:
    # `main` takes --debug out of the arguments; here it is only declared, for the help.
    del show_version, debug


def _report(error: Exception, wanted: str | None) -> int:
    """Print the failure and return its exit code."""
    command = "referee" if wanted is None else f"referee {wanted}"
    format_message = getattr(error, "format_message", None)
    if format_message is None:
        print(f"{command}: {explain(error)}", file=sys.stderr)
        return FAILURE
    # typer's own exceptions: an option that does not exist, a file that is not there
    text = str(format_message()).rstrip(".")
    if wanted not in summaries():
        command = "referee"
    # Of a group it is the command within whose help has the option.
    within = getattr(getattr(error, "ctx", None), "command_path", command)
    print(f"{command}: {text} ('{within} --help' explains)", file=sys.stderr)
    return int(getattr(error, "exit_code", USAGE))


if __name__ == "__main__":
    sys.exit(main())
