"""Ports of a Muster of one's own: no two that start at the same moment choose the same."""

from __future__ import annotations

import socket
import sys

import pytest

from deploy import stack
from deploy.stack import PORTS, NoFreePorts, free_ports, give_back
from shared.settings import load
from tests.programs import run_program

RESERVES = """
import sys
from deploy import stack
stack.PORTS = range(*map(int, sys.argv[1:]), 10)
stack.free_ports(10)
"""


@pytest.fixture
def ten_bases(monkeypatch):
    """Only ten bases to choose from."""
    base = PORTS[-20]
    monkeypatch.setattr(stack, "PORTS", range(base, base + 100, 10))
    yield stack.PORTS
    for port in stack.PORTS:
        give_back(port)


def reserve_all() -> set[int]:
    found: set[int] = set()
    while True:
        try:
            found.add(free_ports(10))
        except NoFreePorts:
            return found


@pytest.mark.parametrize("base", [PORTS[0], PORTS[-1]])
def test_every_base_is_a_port_base_that_muster_takes(tmp_path, base):
    settings = load("scoring", {"MUSTER_DATA": str(tmp_path), "MUSTER_PORT_BASE": str(base)})
    assert settings.urls["scoring"] == f"http://127.0.0.1:{base + 3}"


def test_no_port_is_reserved_twice_and_one_given_back_is_free_again(ten_bases):
    taken = reserve_all()
    assert taken <= set(ten_bases)
    one = taken.pop()
    give_back(one)
    assert free_ports(10) == one


def test_another_process_does_not_get_what_is_reserved_here(ten_bases):
    reserve_all()
    command = [sys.executable, "-c", RESERVES, str(ten_bases.start), str(ten_bases.stop)]
    assert "NoFreePorts" in run_program(command, capture_output=True, text=True).stderr
    for base in ten_bases:
        give_back(base)
    assert run_program(command).returncode == 0


def test_a_port_on_which_somebody_listens_is_left_out(ten_bases):
    free = reserve_all()
    for base in free:
        give_back(base)
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", min(free) + 3))
        busy.listen()
        assert min(free) not in reserve_all()
