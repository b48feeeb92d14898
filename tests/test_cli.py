"""The command line: what a failure looks like, what is loaded when."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee import cli
from referee.commands import __path__ as commands_path
from referee.errors import RefereeError, explain
from vision.plane import PlaneError


def run_with(monkeypatch: pytest.MonkeyPatch, run: object, *arguments: str) -> int:
    """Call `referee rule ...` with `run` in place of the real command."""
    monkeypatch.setattr(cli, "_load", lambda _: run)
    monkeypatch.setattr(cli, "summaries", lambda: {"rule": "Judge a record"})
    return cli.main(["rule", *arguments])


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    shown = capsys.readouterr().out
    for path in Path(next(iter(commands_path))).glob("[a-z]*.py"):
        assert path.stem.replace("_", "-") in shown


def test_no_arguments_show_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    assert "Start here" in capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(cli.summaries()))
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert f"referee {name}" in shown
    assert cli.summaries()[name], "the module's docstring gives the line in the list of commands"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["juggle"], "juggle"),  # no such command
        (["--no-such-option"], "--no-such-option"),
    ],
)
def test_wrong_call_is_one_line_and_exit_code_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""


def test_failure_is_one_line_and_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run() -> None:
        raise PlaneError("expected an invertible homography,\nfound a singular one")

    assert run_with(monkeypatch, run) == 1
    shown = capsys.readouterr().err
    assert shown == "referee rule: expected an invertible homography, found a singular one\n"


def test_debug_lets_the_traceback_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def run() -> None:
        raise RefereeError("no")

    with pytest.raises(RefereeError):
        run_with(monkeypatch, run, "--debug")


def test_a_fault_of_the_program_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run() -> None:
        raise KeyError("ends")

    assert run_with(monkeypatch, run) == 1
    shown = capsys.readouterr().err
    assert "fault of the program" in shown
    assert "--debug" in shown
    assert "Traceback" not in shown


def test_interrupt_is_quiet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run() -> None:
        raise KeyboardInterrupt

    assert run_with(monkeypatch, run) == 130
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libGL.so.1", "libgl1"),  # opencv-python on a server
        ("libgthread-2.0.so.0", "libglib2.0-0"),
        ("libxcb.so.1", "libxcb1"),
    ],
)
def test_missing_system_library_names_its_package(
    library: str,
    package: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run() -> None:
        raise ImportError(f"{library}: cannot open shared object file: No such file or directory")

    assert run_with(monkeypatch, run) == 1
    shown = capsys.readouterr().err
    assert library in shown
    assert f"apt-get install {package}'" in shown
    assert shown.count("\n") == 1


def test_missing_library_while_the_command_is_loaded(root: Path, tmp_path: Path) -> None:
    """A cv2 that cannot be loaded, as on a machine without libGL, seen from outside."""
    broken = tmp_path / "cv2.py"
    broken.write_text(
        "raise ImportError('libGL.so.1: cannot open shared object file: "
        "No such file or directory')\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "referee.cli", "see", "picture.jpg"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{root}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "libgl1" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "a.mp4"), "a.mp4"),
        (PermissionError(errno.EACCES, "Permission denied"), "Permission denied"),
        (ImportError("No module named 'rich'"), "installation"),
        (ImportError("libodd.so.3: cannot open shared object file: No such file"), "libodd.so.3"),
        (ValueError(), "no text"),
    ],
)
def test_explain(error: Exception, said: str) -> None:
    assert said in explain(error)


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (["--help"], {"cv2", "numpy", "onnxruntime", "fastapi", "rich"}),
        (["rule", "--help"], {"cv2", "numpy", "onnxruntime", "fastapi"}),
    ],
)
def test_what_is_not_loaded(root: Path, arguments: list[str], absent: set[str]) -> None:
    """The help appears at once, and judging a record needs no camera's library."""
    script = (
        f"import sys; from referee import cli; code = cli.main({arguments!r}); "
        "print(*sys.modules, file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    assert not absent & set(done.stderr.split())
