"""Whoever started Muster signs in as its operator or as an organiser by a link that works once."""

from __future__ import annotations

import stat
import time

import pytest

from services.console.app import build_web
from services.console.pages import sign_ins
from tests.console.in_process import client
from tests.console_pages.conftest import Browser


@pytest.fixture
def web(services, tmp_path):
    return build_web({"MUSTER_DATA": str(tmp_path)}, client(services, patience=0.0))


@pytest.mark.parametrize(
    ("role", "other_role", "leads_to", "shown"),
    [
        ("operator", "organiser", "/operator", ("Health", "Webhooks", "Tokens", "You are now signed in as operator.")),
        ("organiser", "operator", "/", ("New event", "You are now signed in as organiser.")),
    ],
)
def test_a_link_asks_first_signs_in_once_and_then_says_what_to_do(
    web, services, tmp_path, role, other_role, leads_to, shown
):
    code = sign_ins.leave(tmp_path, role, services.token(role), time.time())
    browser = Browser(web)
    for _ in range(2):  # a program that follows links uses nothing up
        assert browser.open(f"/{role}/come-in?code={code}").status_code == 200
        assert browser.shows(f"Sign in as {role}")
    assert browser.send(code="").status_code == 403
    other = Browser(web)
    other.open(f"/{other_role}/come-in?code={code}")
    assert other.send(code=code).status_code == 403
    browser.open(f"/{role}/come-in?code={code}")
    assert browser.send(code=code).status_code == 200
    assert (browser.address, browser.shows(*shown)) == (leads_to, True)
    other.open(f"/{role}/come-in?code={code}")
    assert other.send(code=code).status_code == 403
    assert other.shows("muster token --role operator")
    assert other.open("/operator").status_code == 403


def test_a_code_ends_after_an_hour_and_with_the_next_start_and_is_for_one_role(tmp_path):
    first = sign_ins.leave(tmp_path, "operator", "token-1", 1000.0)
    second = sign_ins.leave(tmp_path, "operator", "token-2", 1001.0)
    organisers = sign_ins.leave(tmp_path, "organiser", "token-3", 1001.0)
    assert sign_ins.open_once(tmp_path, "operator", first, 1002.0) == ""
    assert sign_ins.open_once(tmp_path, "operator", organisers, 1002.0) == ""
    assert sign_ins.open_once(tmp_path, "operator", second, 1001.0 + sign_ins.SECONDS) == ""
    assert sign_ins.open_once(tmp_path, "operator", second, 1002.0) == "token-2"
    assert sign_ins.open_once(tmp_path, "operator", second, 1002.0) == ""
    assert sign_ins.open_once(tmp_path, "organiser", organisers, 1002.0) == "token-3"


@pytest.mark.parametrize("code", ["", "x", "é" * 99, "\x00", "eyJ.a.b", "x" * 100_000])
@pytest.mark.parametrize("role", sign_ins.ROLES)
def test_text_that_is_no_code_opens_nothing(web, services, tmp_path, role, code):
    sign_ins.leave(tmp_path, role, services.token(role), time.time())
    browser = Browser(web)
    browser.open(f"/{role}/come-in")
    assert browser.send(code=code).status_code == 403
    assert browser.open("/operator").status_code == 403


def test_a_damaged_file_opens_nothing_and_the_code_is_not_in_it(tmp_path):
    code = sign_ins.leave(tmp_path, "organiser", "token", 1000.0)
    file = sign_ins.file_of(tmp_path, "organiser")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert code.encode() not in file.read_bytes()
    file.write_bytes(b"[]")
    assert sign_ins.open_once(tmp_path, "organiser", code, 1001.0) == ""


def test_no_other_role_has_a_link(web):
    assert Browser(web).open("/referee/come-in?code=x").status_code == 404
