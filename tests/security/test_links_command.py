"""`referee links`: shown, made anew, one at a time."""

from __future__ import annotations

import re

from typer.testing import CliRunner

from referee.cli import application
from referee.server.links import LinksFile, Role


def links(*arguments: str) -> str:
    done = CliRunner().invoke(application("links"), ["links", *arguments])
    assert done.exit_code == 0, done.output
    return done.output


def test_each_link_is_shown_with_its_key(file: LinksFile) -> None:
    shown = links("--address", "https://game.example/")
    for role, key in file.load().keys.items():
        assert re.search(rf"https://game\.example/\w+\?key={re.escape(key)}\n", shown), role
    assert file.load().keys[Role.CONTROL] not in links("public")


def test_one_is_made_anew(file: LinksFile) -> None:
    before = file.load().keys
    shown = links("public", "--rotate", "public")
    after = file.load().keys
    assert before[Role.PUBLIC] not in shown and after[Role.PUBLIC] in shown
    assert after[Role.CONTROL] == before[Role.CONTROL]
