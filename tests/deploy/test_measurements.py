"""Measurements are shared in memory, behind a link in the data folder; a full disk does not stop what is printed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy import measurements
from deploy.output import Output


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


@pytest.fixture
def printed() -> Iterator[Callable[[int], Output]]:
    """Output that says a line to a descriptor; what it could not write is still there when it is closed."""
    with contextlib.ExitStack() as streams:

        def say(descriptor: int) -> Output:
            stream = os.fdopen(descriptor, "w")
            streams.enter_context(contextlib.suppress(OSError))
            streams.callback(stream.close)
            output = Output(["scoring.web"], stream)
            output.say("a line")
            return output

        yield say


def test_output_goes_on_after_a_disk_was_full(printed: Callable[[int], Output]) -> None:
    assert not printed(os.open("/dev/full", os.O_WRONLY)).broken


def test_output_is_broken_once_nobody_reads_it(printed: Callable[[int], Output]) -> None:
    read, write = os.pipe()
    os.close(read)
    assert printed(write).broken
