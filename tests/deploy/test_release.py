"""What `make wheel` builds is what is committed, and `make release` tags nothing that is not ready."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from deploy.release import NotReady, build, check, tag
from tests.programs import run_program

pytestmark = pytest.mark.engine("git")
SETUP = """
[build-system]
requires = ["setuptools>=80"]
build-backend = "setuptools.build_meta"
[project]
name = "small"
version = "1.2.3"
[tool.setuptools]
packages = ["small"]
"""


def git(root: Path, *arguments: str) -> str:
    who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
    return run_program(["git", *who, *arguments], cwd=root, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small repository that is ready to be released as 1.2.3."""
    for name, value in {"GIT_COMMITTER_NAME": "Ana", "GIT_COMMITTER_EMAIL": "ana@example.org"}.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "small").mkdir()
    (tmp_path / "small/__init__.py").write_text("")
    (tmp_path / "pyproject.toml").write_text(SETUP)
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2026-11-24\n\n- Something.\n")
    (tmp_path / ".gitignore").write_text("dist/\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Begin")
    return tmp_path


def test_what_is_ready_is_tagged_once(root: Path) -> None:
    assert tag(root, "1.2.3") == "v1.2.3"
    assert git(root, "tag").split() == ["v1.2.3"]
    assert git(root, "cat-file", "-t", "v1.2.3").strip() == "tag"
    with pytest.raises(NotReady, match=r"v1\.2\.3 is tagged already"):
        tag(root, "1.2.3")


def test_archives_are_built_of_the_commit_and_not_of_the_folder(root: Path) -> None:
    (root / "small/forgotten.py").write_text("")
    (root / "dist").mkdir()
    (root / "dist/small-1.0.0.tar.gz").write_text("an older one")
    wheel, source = build(root)
    assert (wheel.name, source.name) == ("small-1.2.3-py3-none-any.whl", "small-1.2.3.tar.gz")
    assert len(list((root / "dist").glob("small-*"))) == 2
    assert [name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("small/")] == ["small/__init__.py"]


@pytest.mark.parametrize(
    ("version", "reason"),
    [("1.2", "expected a version such as"), ("1.2.4", "no heading `## 1.2.4 - YYYY-MM-DD`")],
)
def test_a_version_that_nothing_was_written_about_is_not_released(root: Path, version: str, reason: str) -> None:
    with pytest.raises(NotReady) as refused:
        check(root, version)
    assert reason in str(refused.value)


def test_what_is_not_committed_is_not_released(root: Path) -> None:
    (root / "small/more.py").write_text("")
    with pytest.raises(NotReady, match="not everything is committed"):
        check(root, "1.2.3")
