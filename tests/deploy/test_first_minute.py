"""The output of a start: the greeting and nothing else. No token is in it, except on a terminal."""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from deploy import checks
from deploy import checks as belonging
from deploy.stack import FOREIGN, ROOT, free_ports
from services.console.signed_in import claims_of
from tests import http

LAST = re.compile(r"  http\S+/operator/come-in\?code=\S+")
TOKEN = re.compile(r"eyJ[\w.-]+")
COLOUR = re.compile(r"\x1b\[[\d;]*m")
IMAGE = (ROOT / "deploy/Dockerfile").read_text()
DAY = 86_400
TIME = re.compile(r"\d\d:\d\d:\d\d")


@contextmanager
def started(data: Path, *, on_terminal: bool = False, **more: str) -> Iterator[list[str]]:
    """Yield the lines of the greeting, as `make run` prints them. Then stop it by Ctrl-C; it has to end well."""
    around = {name: value for name, value in os.environ.items() if not FOREIGN.fullmatch(name)}
    env = {**around, "MUSTER_DATA": str(data), "MUSTER_PORT_BASE": str(free_ports()), "DEMO": "1", **more}
    command = [sys.executable, "-m", "deploy.run"]
    read, write = os.openpty() if on_terminal else os.pipe()
    streams = {"stdin": subprocess.DEVNULL, "stdout": write, "stderr": write}
    process = subprocess.Popen(command, cwd=ROOT, env=env, **streams)  # type: ignore[call-overload]
    os.close(write)
    output, lines = _lines_from(read), list[str]()
    try:
        for line in output:
            lines.append(line)
            if LAST.match(line):
                break
        yield lines
    finally:
        process.send_signal(signal.SIGINT)
        lines += output
        os.close(read)
        assert process.wait() == 0, "\n".join(lines)


def _lines_from(descriptor: int) -> Iterator[str]:
    """Yield lines until nothing writes to the pipe or the terminal any more."""
    rest = b""
    while True:
        try:
            data = os.read(descriptor, 65536)
        except OSError as error:
            if error.errno != errno.EIO:  # the end of a terminal
                raise
            data = b""
        *lines, rest = (rest + data).split(b"\n")
        yield from (COLOUR.sub("", line.decode().rstrip("\r")) for line in lines)
        if not data:
            return


def test_a_cold_start_and_a_later_one_print_the_greeting_alone_and_links_that_work_once(tmp_path: Path) -> None:
    for demo in (True, False):
        with started(tmp_path, on_terminal=not demo) as lines:
            assert lines[:2] == ["", "To run an event, open this link. It signs you in once, within an hour:"]
            assert "/organiser/come-in?code=" in lines[2]
            assert f"Muster is running. Ctrl-C stops it. Its data stay in {tmp_path}" in lines
            assert any("/about" in line for line in lines) == demo
            printed = "\n".join(lines)
            signs_in_once(printed, "operator")
            signs_in_once(printed, "organiser")
            greeted = len(lines)
        tokens = [claims_of(token) for token in TOKEN.findall("\n".join(lines))]
        assert [token["role"] for token in tokens] == ([] if demo else ["organiser"])
        assert all(token["exp"] <= time.time() + DAY for token in tokens)
        (stopping,) = filter(None, lines[greeted:])
        assert stopping.endswith("received SIGINT indicating exit request")
    settings, _ = checks.settings_of_all({"MUSTER_DATA": str(tmp_path)})
    assert belonging.foreign_databases(settings.values(), b"another key of 32 bytes, they say") != []


def signs_in_once(printed: str, role: str) -> None:
    """Sign in by the printed link of this role, which works once."""
    address = re.search(rf"  (http\S+/{role}/come-in\?code=\S+)", printed)[1]
    for status in (200, 403):
        with http.Client(follow_redirects=True) as browser:
            form = dict(re.findall(r'name="(csrf_token|key|code)" value="([^"]*)"', browser.get(address).text))
            answer = browser.post(address.partition("?")[0], data=form)
            assert answer.status_code == status, answer.text
            assert (f"You are now signed in as {role}." in answer.text) == (status == 200)


def test_the_engine_records_no_token_of_a_container_with_a_terminal(tmp_path: Path) -> None:
    (setting,) = re.findall(r"MUSTER_PRINT_TOKEN=(\S+)", IMAGE)
    with started(tmp_path, on_terminal=True, DEMO="0", MUSTER_PRINT_TOKEN=setting) as lines:
        assert any(LAST.match(line) for line in lines)
        assert not [line for line in lines if TOKEN.search(line)]


def test_in_a_hall_every_address_that_is_printed_opens_and_a_line_of_a_service_has_one_time(tmp_path: Path) -> None:
    with started(tmp_path, MUSTER_LOG_LEVEL="info", DEMO="0", MUSTER_BIND="0.0.0.0") as lines:
        addresses = [word for line in lines for word in line.split() if word.startswith("http://")]
        assert {urlsplit(address).hostname for address in addresses} == {urlsplit(addresses[0]).hostname}
        for address in addresses:
            assert http.get(address, follow_redirects=True).status_code == 200, address
    told = [line for line in lines if "service=" in line]
    assert len(told) > 3
    assert [line for line in told if len(TIME.findall(line)) != 1] == []
