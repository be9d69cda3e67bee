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
from urllib.parse import urljoin, urlsplit

from deploy import belonging, checks
from deploy.ports import free_ports
from deploy.stack import FOREIGN, ROOT
from services.console.signed_in import claims_of
from tests import http

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


def test_a_cold_start_and_a_later_one_print_the_greeting_alone_and_let_the_operator_in_once(tmp_path: Path) -> None:
    for demo in (True, False):
        with started(tmp_path) as lines:
            assert lines[:2] == ["", f"Muster is running. Ctrl-C stops it; its data stays in {tmp_path}"]
            assert any("to look at" in line for line in lines) == demo
            comes_in_as_operator_once("\n".join(lines))
            greeted = len(lines)
        assert [line.split("| ")[-1] for line in lines[greeted:] if line] == ["stopping"]
    settings, _ = checks.settings_of_all({"MUSTER_DATA": str(tmp_path)})
    assert belonging.foreign_databases(settings.values(), b"another key of 32 bytes, they say") != []


def comes_in_as_operator_once(printed: str) -> None:
    """Whoever started it comes in as operator by an address that is good once; no operator's token is printed."""
    roles = {claims_of(token)["role"] for token in re.findall(r"eyJ[\w.-]+", printed)}
    assert roles == {"organiser"}
    address = re.search(r"  (http\S+/operator/come-in\?code=\S+)", printed)[1]
    for status in (200, 403):
        with http.Client(follow_redirects=True) as browser:
            form = dict(re.findall(r'name="(csrf_token|key|code)" value="([^"]*)"', browser.get(address).text))
            answer = browser.post(address.partition("?")[0], data=form)
            assert answer.status_code == status, answer.text
            assert browser.get(urljoin(address, "/operator")).status_code == status


def test_in_a_hall_every_address_that_is_printed_opens_and_a_line_of_a_service_has_one_time(tmp_path: Path) -> None:
    with started(tmp_path, MUSTER_LOG_LEVEL="info", DEMO="0", MUSTER_BIND="0.0.0.0") as lines:
        addresses = [word for line in lines for word in line.split() if word.startswith("http://")]
        assert {urlsplit(address).netloc for address in addresses} == {urlsplit(addresses[0]).netloc}
        for address in addresses:
            assert http.get(address, follow_redirects=True).status_code == 200, address
    told = [line for line in lines if re.match(r"\S+ (registration|pairing|scoring)\.", line)]
    assert len(told) > 3
    assert [line for line in told if len(TIME.findall(line)) != 1] == []
