"""Recorded games: the rulings on them are known, field by field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.notation import is_observation, parse_header, parse_observation, ruling_to_dict
from referee.rules.judge import new_game, step

FIELDS = (
    "player",
    "legal",
    "violations",
    "effects",
    "turn",
    "direction",
    "must_draw",
    "hands",
    "draw_pile",
    "ends",
    "finished",
    "winners",
)


@pytest.mark.parametrize("name", ["c1", "c2"])
def test_recorded_games_get_the_rulings_that_are_known(shared: Path, name: str) -> None:
    text = (shared / "clips" / f"{name}.game.jsonl").read_text(encoding="utf-8")
    entries = [json.loads(line) for line in text.splitlines()]
    header = parse_header(entries[0])
    observations = [entry for entry in entries if is_observation(entry)]
    known: dict[int, list[dict[str, Any]]] = {}
    for entry in entries:
        if entry["type"] == "ruling":
            known.setdefault(entry["of"], []).append({name: entry[name] for name in FIELDS})
    assert len(known) == len(observations) > 20
    state = new_game(header)
    for of, entry in enumerate(observations):
        state, rulings = step(state, parse_observation(entry, header))
        answered = [ruling_to_dict(ruling, of) for ruling in rulings]
        assert [{name: a[name] for name in FIELDS} for a in answered] == known[of]
