"""The subcommands of `referee`, one module each.

`referee/commands/NAME.py` adds the command `referee NAME` (an underscore in the file's name
becomes a dash). The first line of the module's docstring is its one-line help, without a full
stop; the function `run` is the command, in typer's way: annotated parameters, options from
their defaults, the long help (with examples) in the function's docstring. A command with
commands of its own (`referee NAME OTHER`) has a `typer.Typer` called `app` in place of `run`.
Modules are loaded only when their command is called, so they may import what they need at the top.

A command prints its answer to stdout and its progress to stderr, raises `typer.BadParameter`
where it was called wrongly (exit code 2), and lets any other failure out as an exception whose
text is one clear sentence (exit code 1); `referee.cli` shows it.
"""
