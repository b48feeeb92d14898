"""The sample game, watched by a program that is killed again and again."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from referee.store import read
from tests.programs import interruptible

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills of this kind are POSIX's")

UNTIL_S = 18.0
"""How much of the sample is watched: a fault, a card taken back, draws."""

WATCHER = """
import sys
from dataclasses import replace
from pathlib import Path
from calibration.table import load_table
from referee.resume import Resumed
from referee.session import Session, header_for
from referee.store import PatientStore, read
from vision.weights import weights_folder
from vision.frames import Recording
from vision.halves import HalfReader

video, path, until_s = Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])
recording = Recording(video)
table = load_table(video.with_suffix(".table.json"))
before = Resumed.read(read(path).records, 0.0) if path.exists() and path.stat().st_size else None
header = header_for(table) if before is None else before.game.header
since_s = 0.0 if before is None else before.since_s
with PatientStore(path) as store:
    session = Session(table, header, HalfReader.load(weights_folder()), store, before)
    for frame in recording:
        if frame.at_s > until_s:
            break
        if frame.at_s >= since_s:
            session.see(replace(frame, at_s=frame.at_s - since_s))
            print(f"{frame.at_s:.2f} {len(session.view().log)}", flush=True)
"""


def watching(samples: Path, path: Path, until_s: float = UNTIL_S) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WATCHER, str(samples / "c1.mp4"), str(path), str(until_s)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )


def moves(records: tuple[dict[str, Any], ...]) -> list[tuple[Any, ...]]:
    """What was done and what was said to it, without times."""
    told: list[tuple[Any, ...]] = []
    for r in records[1:]:
        if r["type"] == "ruling":
            told.append((r["of"], r["player"], r["legal"], r["violations"], sorted(r["ends"])))
        else:
            told.append((r["type"], r.get("player"), r.get("card"), r.get("count")))
    return told


def test_kill_9_at_any_moment_loses_nothing(samples: Path, tmp_path: Path) -> None:
    """Each kill falls into the middle of the watching; what was shown before it stays, word for
    word, and in the end the game is the one that was played."""
    path = tmp_path / "game.jsonl"
    chance = random.Random(4)
    shown = 0
    kept = b""
    for kill_s in sorted(chance.uniform(5.0, UNTIL_S - 2) for _ in range(2)):
        watcher = watching(samples, path)
        assert watcher.stdout is not None
        for line in watcher.stdout:
            at_s, count = line.split()
            shown = max(shown, int(count))
            if float(at_s) >= kill_s:
                watcher.send_signal(signal.SIGKILL)
                break
        watcher.wait()
        watcher.stdout.close()
        assert len(read(path).records) - 1 >= shown, "what was shown is on disk"
        data = path.read_bytes()
        assert data.startswith(kept), "what was on disk stays word for word"
        kept = data[: data.rfind(b"\n") + 1]
    last = watching(samples, path)
    last.communicate()
    assert last.returncode == 0
    played = [json.loads(line) for line in (samples / "c1.game.jsonl").read_text().splitlines()]
    truth = tuple(r for r in played if r.get("t", 0) < UNTIL_S - 2 and r["type"] != "ruling")
    told = [one for one in moves(read(path).records) if isinstance(one[0], str)]
    cards = [one[2] for one in told if one[0] in ("start", "place")]
    assert len(set(map(turned, cards))) == len(cards), "no card twice"
    expected = [turned(r["card"]) for r in truth if r["type"] == "place"]
    # A card laid while nobody watched is known by the end that it left, nothing else.
    seen = [turned(card) for card in cards[1:]]
    missing = [card for card in expected if card not in seen]
    assert len(missing) <= 3, missing


def turned(card: str) -> str:
    """A card in one of its two writings."""
    return "/".join(sorted(card.split("/")))


def test_the_program_itself_goes_on_with_its_game(samples: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [
        *(sys.executable, "-m", "referee.cli", "live", str(samples / "c1.mp4")),
        *("--table", str(samples / "c1.table.json"), "--out", str(out), "--port", "0", "--stay"),
    ]
    first = begun(command, tmp_path)
    first.send_signal(signal.SIGKILL)
    finish(first)
    before = (out / "game.jsonl").read_bytes()
    assert b'"type": "game"' in before
    with (out / "game.jsonl").open("ab") as record:
        record.write(b'{"type": "pla')
    second = begun(command, tmp_path)
    second.send_signal(signal.SIGINT)
    finish(second)
    after = (out / "game.jsonl").read_bytes()
    assert after.startswith(before)
    assert after.count(b'"type": "game"') == 1
    assert [path.name for path in out.glob("game*")] == ["game.jsonl"]


def test_a_system_that_stops_it_lets_it_end(samples: Path, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    command = [
        *(sys.executable, "-m", "referee.cli", "live", str(samples / "c1.mp4")),
        *("--table", str(samples / "c1.table.json"), "--port", "0", "--stay"),
        *("--out", str(tmp_path / "out"), "--journal", str(journal)),
    ]
    program = begun(command, tmp_path)
    program.send_signal(signal.SIGTERM)
    finish(program)
    assert program.returncode == 0
    told = [json.loads(line) for line in journal.read_text().splitlines()]
    assert {"start", "end"} <= {line["event"] for line in told}


def test_broken_files_start_in_safe_mode_that_says_so(samples: Path, tmp_path: Path) -> None:
    table = tmp_path / "broken.json"
    table.write_text('{"image_size_px": [1280, 720]}')
    plan = tmp_path / "obs.toml"
    plan.write_text("[on.ilegal]\nreplay = true\n")
    command = [
        *(sys.executable, "-m", "referee.cli", "live", str(samples / "c1.mp4")),
        *("--table", str(table), "--obs", str(plan), "--port", "0", "--stay"),
    ]
    program = begun(command, tmp_path)
    assert program.stdout is not None
    said = program.stdout.readline()
    while "overlay:" not in said:
        said = program.stdout.readline()
    url = said.split()[1].rsplit("/", 1)[0]
    with urlopen(f"{url}/health", timeout=30) as answer:
        health = json.load(answer)
    program.send_signal(signal.SIGINT)
    finish(program)
    assert health["status"] == "safe_mode"
    assert "broken.json: expected the key 'mm_to_px'" in health["trouble"]
    assert "obs.toml: on.ilegal: expected an event" in health["trouble"]


def begun(command: list[str], folder: Path) -> subprocess.Popen[str]:
    """The program once it has said that it runs."""
    program = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        preexec_fn=interruptible,
    )
    assert program.stdout is not None
    began_s = time.monotonic()
    while (line := program.stdout.readline()) and time.monotonic() - began_s < 120:
        if line.startswith(("record:", "set up:")):
            return program
    program.kill()
    raise AssertionError(f"the program ended before it began: {line}")


def finish(program: subprocess.Popen[str]) -> None:
    program.communicate(timeout=60)
