"""The stack that demonstration, fault tests and benchmarks stand on, with tiny services in place of the real ones."""

from __future__ import annotations

import sys

import pytest

from deploy.checks import port_faults
from deploy.stack import Stack, StackFailed
from tests import http

SMALL = (sys.executable, "-m", "tests.deploy.small_muster")


def test_it_is_ready_inside_and_gone_outside():
    with Stack(command=SMALL) as stack:
        assert [http.get(f"{url}/readyz").status_code for url in stack.urls.values()] == [200, 200, 200]
        assert stack.settings("pairing").urls["pairing"] == stack.urls["pairing"]
        assert stack.settings("pairing").token_keys == stack.settings("scoring").token_keys
        assert stack.pids().keys() == {"supervisor", "registration", "pairing", "scoring"}
    assert port_faults(stack.port_base, "127.0.0.1") == []
    assert not stack.data.exists()


def test_a_folder_may_have_any_name(tmp_path):
    with Stack(tmp_path / "league #3; 50% 'mine' \"yours\"", command=SMALL) as stack:
        assert http.get(f"{stack.urls['scoring']}/readyz").status_code == 200


def test_two_stacks_stand_side_by_side(tmp_path):
    with Stack(tmp_path / "a", command=SMALL) as one, Stack(tmp_path / "b", command=SMALL) as two:
        assert one.port_base != two.port_base
        assert one.settings("scoring").token_keys != two.settings("scoring").token_keys


def test_what_is_killed_comes_back_and_is_ready(tmp_path):
    with Stack(tmp_path, command=SMALL) as stack:
        for name in ("scoring", "pairing"):
            before = stack.pids()
            stack.kill(name)
            after = stack.pids()
            assert after[name] != before[name]
            assert len(after) == len(before)
        assert http.get(f"{stack.urls['pairing']}/readyz").text == str(stack.pids()["pairing"])


def test_after_a_power_cut_it_starts_on_the_same_data(tmp_path):
    with Stack(tmp_path, command=SMALL) as stack:
        keys = stack.settings("scoring").token_keys
        stack.kill_all()
        stack.start()
        assert stack.settings("scoring").token_keys == keys


def test_a_stack_that_cannot_start_says_why(tmp_path):
    with (
        pytest.raises(StackFailed, match="MUSTER_LOG_FORMAT: xml"),
        Stack(tmp_path, env={"MUSTER_LOG_FORMAT": "xml"}, command=SMALL),
    ):
        pass


def test_what_the_surroundings_say_about_another_muster_is_not_heard(tmp_path, monkeypatch):
    monkeypatch.setenv("BROKER_URL", "amqp://nowhere:5672//")
    monkeypatch.setenv("MUSTER_ENV", "production")
    stack = Stack(tmp_path, env={"MUSTER_EXCHANGE": "mine"}, command=SMALL)
    settings = stack.settings("scoring")
    assert (settings.broker_url, settings.environment, settings.exchange) == ("filesystem://", "development", "mine")
