"""What somebody sees who starts Muster: the greeting and nothing else; and a line of a service has one time."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy import belonging, checks
from deploy.stack import FOREIGN, ROOT, free_ports

KEY = re.compile(r"  http\S+/come-in\?key=eyJ\S+")
TIME = re.compile(r"\d\d:\d\d:\d\d")


@contextmanager
def started(data: Path, **more: str) -> Iterator[list[str]]:
    """Every line up to the token, as `make run` prints them; it is stopped by Ctrl-C, and has to end well."""
    around = {name: value for name, value in os.environ.items() if not FOREIGN.fullmatch(name)}
    env = {**around, "MUSTER_DATA": str(data), "MUSTER_PORT_BASE": str(free_ports()), "DEMO": "1", **more}
    command = [sys.executable, "-m", "deploy.run"]
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    process = subprocess.Popen(command, cwd=ROOT, env=env, text=True, **streams)  # type: ignore[call-overload]
    lines: list[str] = []
    try:
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            if KEY.match(line):
                break
        yield lines
    finally:
        process.send_signal(signal.SIGINT)
        lines += process.stdout.read().splitlines()
        assert process.wait() == 0, "\n".join(lines)


def test_a_cold_start_and_a_later_one_print_the_greeting_alone(tmp_path: Path) -> None:
    for demo in (True, False):
        with started(tmp_path) as lines:
            assert lines[:2] == ["", f"Muster is running. Ctrl-C stops it; its data stays in {tmp_path}"]
            assert any("to look at" in line for line in lines) == demo
            greeted = len(lines)
        assert [line.split("| ")[-1] for line in lines[greeted:] if line] == ["stopping"]
    settings, _ = checks.settings_of_all({"MUSTER_DATA": str(tmp_path)})
    assert belonging.foreign_databases(settings.values(), b"another key of 32 bytes, they say") != []


def test_a_line_of_a_service_has_one_time(tmp_path: Path) -> None:
    with started(tmp_path, MUSTER_LOG_LEVEL="info", DEMO="0") as lines:
        pass
    told = [line for line in lines if re.match(r"\S+ (registration|pairing|scoring)\.", line)]
    assert len(told) > 3
    assert [line for line in told if len(TIME.findall(line)) != 1] == []
