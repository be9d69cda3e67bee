"""Which ports single web processes have, and which process takes which place."""

from __future__ import annotations

import socket

import pytest

from deploy.server.own_ports import free_place, listened_to, own_ports, processes
from shared.settings import BadSettings, load


def settings(tmp_path, **env):
    return load("scoring", {"MUSTER_DATA": str(tmp_path), **env})


def test_every_process_has_one_and_without_a_step_none_has(tmp_path):
    assert own_ports(settings(tmp_path, MUSTER_WEB_WORKERS="3")) == []
    found = settings(tmp_path, MUSTER_WEB_WORKERS="3", MUSTER_WEB_PORT_STEP="10")
    assert own_ports(found) == [8013, 8023, 8033]
    assert processes(found) == 3


@pytest.mark.parametrize(("step", "workers"), [("1", "2"), ("3", "2"), ("10000", "256"), ("-4", "2"), ("x", "2")])
def test_ports_that_would_meet_or_that_do_not_exist_are_refused(tmp_path, step, workers):
    with pytest.raises(BadSettings) as refused:
        settings(tmp_path, MUSTER_WEB_PORT_STEP=step, MUSTER_WEB_WORKERS=workers)
    assert [fault.where for fault in refused.value.faults] == ["MUSTER_WEB_PORT_STEP"]


def test_a_process_that_takes_the_place_of_a_dead_one_has_its_port():
    assert free_place([], 3) == 0
    assert free_place([0, 2], 3) == 1
    assert free_place([0, 1, 2], 3) == 0  # while all are exchanged, one after the other
    assert free_place([0, 1, 2, 0], 3) == 1


def test_a_process_keeps_the_port_of_the_service_and_its_own_and_closes_the_others():
    listeners = [socket.socket() for _ in range(3)]
    try:
        assert listened_to(listeners, 1) == [listeners[0], listeners[2]]
        assert [one.fileno() == -1 for one in listeners] == [False, True, False]
    finally:
        for one in listeners:
            one.close()
