"""Measurements are shared in memory, behind a link in the data folder; a full disk does not stop what is printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy import measurements


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "memory"
    folder.mkdir()
    monkeypatch.setattr(measurements, "MEMORY", folder)
    return folder


def test_they_are_in_memory_and_what_an_earlier_run_left_is_gone(memory: Path, tmp_path: Path) -> None:
    link = tmp_path / "data" / "metrics"
    (measurements.make(link) / "counter_1.db").touch()
    (first,) = memory.iterdir()
    assert [file.name for file in first.iterdir()] == ["counter_1.db"]
    measurements.make(link)
    (second,) = memory.iterdir()
    assert second != first
    assert not list(link.iterdir())
    measurements.remove(link)
    assert not list(memory.iterdir())
    assert not link.exists()


def test_without_such_a_place_they_are_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measurements, "MEMORY", tmp_path / "nowhere")
    link = tmp_path / "metrics"
    link.mkdir()
    (link / "counter_1.db").touch()
    assert not list(measurements.make(link).iterdir())
    assert link.is_dir()
    assert not link.is_symlink()


def test_a_link_to_somewhere_else_is_removed_and_what_is_there_stays(memory: Path, tmp_path: Path) -> None:
    elsewhere, link = tmp_path / "elsewhere", tmp_path / "metrics"
    elsewhere.mkdir()
    link.symlink_to(elsewhere)
    measurements.make(link)
    assert elsewhere.is_dir()
    assert link.readlink().parent == memory
