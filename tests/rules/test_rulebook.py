"""The rulebook itself: every paragraph is tested, every code of the contract is met."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from referee.rules.options import option_values
from referee.rules.rulings import EffectKind, Violation

HERE = Path(__file__).parent
PARAGRAPH = re.compile(r"^\*\*(\d+\.\d+) ", re.MULTILINE)


@pytest.fixture(scope="module")
def rulebook(root: Path) -> str:
    return (root / "docs" / "rulebook.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def chapters() -> str:
    """The tests that are arranged by paragraph."""
    files = [*sorted(HERE.glob("test_[1-9]_*.py")), HERE / "test_stated.py"]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def test_the_paragraphs_are_numbered_without_a_gap(rulebook: str) -> None:
    found = [tuple(int(part) for part in number.split(".")) for number in _numbers(rulebook)]
    assert len(found) > 60
    for (chapter, number), following in pairwise(found):
        assert following in ((chapter, number + 1), (chapter + 1, 1))


def test_every_paragraph_has_a_test(rulebook: str, chapters: str) -> None:
    tested = {f"{a}.{b}" for a, b in re.findall(r"def test_(\d+)_(\d+)_", chapters)}
    numbers = set(_numbers(rulebook))
    assert numbers - tested == set()
    assert tested - numbers == set()


def test_every_ruling_can_only_name_a_paragraph_that_exists(root: Path, rulebook: str) -> None:
    code = "".join(path.read_text() for path in (root / "referee" / "rules").glob("*.py"))
    named = set(re.findall(r'"(\d\.\d+)"', code))
    assert len(named) > 40
    assert named - set(_numbers(rulebook)) == set()


@pytest.mark.parametrize("code", [*Violation, *EffectKind])
def test_every_violation_and_effect_appears_in_a_test(code: str, chapters: str) -> None:
    assert f'"{code}"' in chapters


@pytest.mark.parametrize("game", ["solomino", "solo"])
def test_every_option_is_in_the_rulebook_and_in_a_test(
    game: str, rulebook: str, chapters: str
) -> None:
    options = option_values("solo" if game == "solo" else "solomino")
    for name, values in options.items():
        assert re.search(rf"ption\s+`{name}`", rulebook), name
        assert f'"{name}"' in chapters or f"{name}=" in chapters, name
        for value in values[1:]:
            if isinstance(value, str):
                assert f'"{value}"' in chapters, f"{name}={value}"
                assert f"`{value}`" in rulebook, f"{name}={value}"


def _numbers(rulebook: str) -> list[str]:
    return PARAGRAPH.findall(rulebook)
