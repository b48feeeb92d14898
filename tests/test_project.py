"""The project keeps its word: files, walls and papers agree with each other."""

from __future__ import annotations

import glob
import re
import tomllib
from pathlib import Path

import pytest

PACKAGES = ("vision", "calibration", "referee", "datasets", "models")


@pytest.fixture(scope="module")
def project(root: Path) -> dict[str, object]:
    """`pyproject.toml`, parsed."""
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


def test_an_installed_copy_has_what_the_program_needs(
    root: Path, project: dict[str, dict[str, dict[str, dict[str, list[str]]]]]
) -> None:
    packed = project["tool"]["setuptools"]["package-data"]
    for package, folders in {"referee": ("overlay", "locale", "setup"), "models": (".",)}.items():
        home = root / package
        covered = {
            home / path
            for pattern in packed[package]
            # as setuptools does it; pathlib reads ** in another way
            for path in glob.glob(pattern, root_dir=home, recursive=True)  # noqa: PTH207
        }
        for folder in folders:
            for path in (root / package / folder).rglob("*"):
                code = path.suffix in (".py", ".pyc") or path.name == "__pycache__"
                if path.is_file() and not code and "runs" not in path.parts:
                    assert path in covered, path


def test_every_make_target_is_explained(root: Path) -> None:
    lines = (root / "Makefile").read_text(encoding="utf-8").splitlines()
    phony = next(line for line in lines if line.startswith(".PHONY:")).split()[1:]
    for target in phony:
        assert any(re.match(rf"{target}:.*## \w", line) for line in lines), target


def test_papers_name_only_targets_that_exist(root: Path) -> None:
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, flags=re.MULTILINE))
    for paper in ("README.md", "CONTRIBUTING.md", ".ci/run"):
        text = (root / paper).read_text(encoding="utf-8")
        named = set(re.findall(r"(?:^|`|\$ )make ([a-z]+)", text, flags=re.MULTILINE))
        assert named <= targets, paper


def test_readme_names_only_commands_that_exist(root: Path) -> None:
    there = {path.stem.replace("_", "-") for path in (root / "referee/commands").glob("[a-z]*.py")}
    text = (root / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?:^|`)referee ([a-z][a-z-]*)", text, flags=re.MULTILINE))
    assert named <= there


def test_links_between_papers_lead_somewhere(root: Path) -> None:
    for paper in [*root.glob("*.md"), *root.glob("docs/*.md"), *root.glob("models/*.md")]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", paper.read_text(encoding="utf-8")):
            assert (paper.parent / target).exists(), f"{paper.name} -> {target}"


def test_changelog_begins_with_what_is_to_come_or_this_version(
    root: Path, project: dict[str, dict[str, object]]
) -> None:
    heads = re.findall(r"^## (.+)$", (root / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert heads
    assert heads[0].startswith(("Unreleased", str(project["project"]["version"])))


def test_files_stay_short(root: Path) -> None:
    """One concept a file: about 400 lines at most."""
    long = {
        str(path.relative_to(root)): count
        for package in PACKAGES
        for path in (root / package).rglob("*.py")
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > 480
    }
    assert not long


@pytest.mark.parametrize("name", ["c1", "house"])
def test_sample_recordings_are_whole(samples: Path, name: str) -> None:
    parts = (".mp4", ".table.json", ".game.jsonl", ".line.jsonl")
    assert {path.name for path in samples.iterdir()} >= {name + part for part in parts}
