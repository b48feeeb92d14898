"""The record survives: a kill at any moment, a disk that is full for a while."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from referee.store import PatientStore, Record, Store, StoreError, read

posix = pytest.mark.skipif(os.name != "posix", reason="kills and limits of this kind are POSIX's")

WRITER = """
import sys
from pathlib import Path
from referee.store import Store

with Store(Path(sys.argv[1]), durable=True) as store:
    n = 0 if sys.argv[2] == "new" else int(sys.argv[2])
    while True:
        store.append([{"n": n, "text": "x" * 300}, {"n": n + 1}])
        n += 2
        print(n, flush=True)
"""


@posix
def test_what_was_told_is_on_disk_whenever_the_program_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    chance = random.Random(6)
    told = 0
    for _ in range(4):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(told)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        for _ in range(chance.randint(1, 40)):
            writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
        lines = writer.stdout.read().split()
        writer.wait()
        writer.stdout.close()
        kept = [record["n"] for record in read(path).records]
        assert kept == list(range(len(kept))), "in order, none twice, none missing"
        if lines:
            assert len(kept) >= int(lines[-1])
        told = len(kept)
    assert told > 4


class Disk:
    """A store whose disk is full when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_full = False
        self._append = Store.append
        disk = self

        def append(store: Store, records: Iterable[Record]) -> None:
            if disk.is_full:
                raise StoreError("no room") from OSError(28, "No space left on device")
            disk._append(store, records)

        monkeypatch.setattr(Store, "append", append)


def test_lines_that_the_disk_did_not_take_follow_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch)
    now_s = 0.0
    path = tmp_path / "game.jsonl"
    with PatientStore(path, clock=lambda: now_s) as store:
        store.append([{"n": 0}])
        disk.is_full = True
        store.append([{"n": 1}])
        store.append([{"n": 2}])
        assert store.trouble == "no room"
        assert not store.retry()
        disk.is_full = False
        assert not store.retry(), "not before its time"
        now_s = 1.0
        assert store.retry()
        assert store.trouble is None
        store.append([{"n": 3}])
    assert [record["n"] for record in read(path).records] == [0, 1, 2, 3]


def test_a_folder_that_cannot_be_written_now_may_be_later(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file in the folder's place")
    with PatientStore(tmp_path / "out" / "game.jsonl", retry_s=0.0) as store:
        store.append([{"n": 0}])
        assert store.trouble is not None and "cannot write the record" in store.trouble
        (tmp_path / "out").unlink()
        assert store.retry()
    assert read(tmp_path / "out" / "game.jsonl").records == ({"n": 0},)


def test_what_is_no_record_is_no_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("no JSON\n")
    with pytest.raises(StoreError, match="line 1"):
        PatientStore(path)


FILLER = """
import json, resource, sys
from pathlib import Path
from referee.store import PatientStore

resource.setrlimit(resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY))
import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with PatientStore(Path(sys.argv[1]), retry_s=0.0) as store:
    for n in range(40):
        store.append([{"n": n, "text": "x" * 90}])
    assert "cannot go on with the record" in store.trouble, store.trouble
    print(Path(sys.argv[1]).stat().st_size)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert store.retry()
"""


@posix
def test_a_limit_of_the_system_in_the_middle_of_a_line(tmp_path: Path) -> None:
    """A part of the line fits: it is taken out again, and later written whole."""
    path = tmp_path / "game.jsonl"
    done = subprocess.run(
        [sys.executable, "-c", FILLER, str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    line = len(json.dumps({"n": 10, "text": "x" * 90})) + 1
    assert 2000 - line < int(done.stdout) <= 2000
    assert [record["n"] for record in read(path).records] == list(range(40))


def test_how_much_of_a_torn_line_was_removed_is_told(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(b'{"n": 0}\n{"n": 1')
    with PatientStore(path) as store:
        assert store.cut_off_bytes == 7
    assert path.read_bytes() == b'{"n": 0}\n'
