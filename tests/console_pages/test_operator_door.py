"""Whoever started Muster comes in as its operator by an address that works once."""

from __future__ import annotations

import stat
import time

import pytest

from services.console import operator_door
from services.console.app import build_web
from tests.console.in_process import client
from tests.console_pages.conftest import Browser


@pytest.fixture
def web(services, tmp_path):
    return build_web({"MUSTER_DATA": str(tmp_path)}, client(services, patience=0.0))


def test_the_address_asks_first_signs_in_once_and_then_says_what_to_do(web, services, tmp_path):
    code = operator_door.leave(tmp_path, services.token("operator"), time.time())
    browser = Browser(web)
    for _ in range(2):  # whatever looks at addresses uses nothing up
        assert browser.open(f"/operator/come-in?code={code}").status_code == 200
    assert browser.send(code="").status_code == 403
    assert browser.send(code=code).status_code == 200
    assert (browser.address, browser.shows("Health", "Webhooks", "Tokens")) == ("/operator", True)
    other = Browser(web)
    other.open(f"/operator/come-in?code={code}")
    assert other.send(code=code).status_code == 403
    assert other.shows("muster token --role operator")
    assert other.open("/operator").status_code == 403


def test_a_code_ends_after_an_hour_and_with_the_next_start(tmp_path):
    first = operator_door.leave(tmp_path, "token-1", 1000.0)
    second = operator_door.leave(tmp_path, "token-2", 1001.0)
    assert operator_door.open_once(tmp_path, first, 1002.0) == ""
    assert operator_door.open_once(tmp_path, second, 1001.0 + operator_door.SECONDS) == ""
    assert operator_door.open_once(tmp_path, second, 1002.0) == "token-2"
    assert operator_door.open_once(tmp_path, second, 1002.0) == ""


@pytest.mark.parametrize("code", ["", "x", "é" * 99, "\x00", "eyJ.a.b", "x" * 100_000])
def test_what_is_no_code_opens_nothing(web, services, tmp_path, code):
    operator_door.leave(tmp_path, services.token("operator"), time.time())
    browser = Browser(web)
    browser.open("/operator/come-in")
    assert browser.send(code=code).status_code == 403
    assert browser.open("/operator").status_code == 403


def test_a_file_that_somebody_spoilt_opens_nothing_and_the_code_is_not_in_it(web, services, tmp_path):
    code = operator_door.leave(tmp_path, services.token("operator"), time.time())
    file = tmp_path / operator_door.FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert code.encode() not in file.read_bytes()
    file.write_bytes(b"[]")
    assert operator_door.open_once(tmp_path, code, time.time()) == ""
