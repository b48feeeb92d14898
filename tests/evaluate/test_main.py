"""`python -m datasets.evaluate`, with a reader that sees nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from datasets.evaluate import __main__ as evaluate
from datasets.evaluate.sources import recordings
from tests.stage import Blind
from vision.halves import HalfReader


def test_prints_a_table_and_writes_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(HalfReader, "load", lambda *_, **__: Blind())
    figures, misses = tmp_path / "figures.json", tmp_path / "misses"
    asked = ["--scenes", "2", "--shared", str(tmp_path), "--json", str(figures)]
    assert evaluate.main([*asked, "--misses", str(misses)]) == 0
    assert "fresh" in capsys.readouterr().out
    rows = json.loads(figures.read_text(encoding="utf-8"))
    assert [row["data"] for row in rows if not row["part"]] == ["fresh scenes"]
    assert rows[0]["measures"]["recall"]["right"] == 0
    assert sum(rows[0]["causes"].values()) >= rows[0]["measures"]["recall"]["of"]
    assert rows[1]["data"] == "worst tag"
    assert (misses / "fresh scenes" / "index.html").is_file()


def test_a_review_that_fails_is_told(
    samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clip = recordings(samples)[0]
    monkeypatch.setattr("referee.cli.main", lambda _: 1)
    with pytest.raises(RuntimeError, match="exit code 0, found 1"):
        evaluate.review(clip, tmp_path)
