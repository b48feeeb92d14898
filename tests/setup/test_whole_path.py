"""From `referee live FILE`, and nothing else on the command line, to a running game."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from tests.pages import opened
from tests.programs import interruptible

PATIENCE_S = 300.0
"""A busy machine is no fault of the program."""


@contextmanager
def referee(folder: Path, *arguments: str) -> Iterator[str]:
    """`referee live` in a folder; gives the address that it prints for the set-up."""
    command = [sys.executable, "-m", "referee.cli", "live", *arguments, "--port", "0", "--quiet"]
    with subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=interruptible,
    ) as process:
        try:
            assert process.stdout is not None
            printed = ""
            for line in process.stdout:
                printed += line
                if found := re.match(r"set up: +(\S+)", line):
                    yield found[1]
                    break
            else:
                raise AssertionError(printed)
        finally:
            process.send_signal(signal.SIGINT)
            rest = process.communicate(timeout=60)[0]
    assert process.returncode == 0, rest
    assert "Traceback" not in rest


def test_a_game_runs_that_was_set_up_in_the_browser_alone(
    chromium: Any, tmp_path: Path, samples: Path
) -> None:
    with (
        referee(tmp_path, str(samples / "c1.mp4")) as address,
        opened(chromium, address) as page,
    ):
        page.set_default_timeout(1000 * PATIENCE_S)
        page.locator("#note").filter(has_text=re.compile(r"^Found by \d+ half cards")).wait_for()
        page.locator("#start").click()
        page.get_by_role("heading", name="The game is being watched").wait_for()
        state: dict[str, Any] = {}
        end_s = time.monotonic() + PATIENCE_S
        while not state.get("entries") and time.monotonic() < end_s:
            time.sleep(0.5)
            with urlopen(address.replace("/setup", "/api/state")) as answer:
                state = json.load(answer)
        assert state["entries"][0]["type"] == "start"
        assert [seat["name"] for seat in state["seats"]] == ["Player 1", "Player 2", "Player 3"]
    assert (tmp_path / "table.json").is_file()
    assert len(list(tmp_path.glob("games/*/game.jsonl"))) == 1
