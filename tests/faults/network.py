"""Hosts on one machine: network namespaces on a switch, whose links can be cut in one direction or in both.

    with Network(["pairing", "scoring"]) as network:
        run_program([*network.inside("pairing"), "ping", network.address("scoring")])
        network.lose("pairing", "scoring")      # what pairing sends to scoring never arrives; nobody is told
        network.heal()

Lost packets are lost in silence: connections stay half-open, as when a cable is pulled behind a switch. The process
that makes a network is on the switch itself, and reaches every host at all times. Needs root, ip and iptables.
"""

from __future__ import annotations

import contextlib
import secrets
import shutil
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from tests.programs import run_program

SUBNETS = range(64, 120)


class NetworkFailed(Exception):
    """Something of the network could not be made; the text is what the program said."""


class Network:
    """One host for each name while the block lasts."""

    def __init__(self, names: Sequence[str]) -> None:
        self._tag = secrets.token_hex(3)
        self._subnet = f"10.{secrets.choice(SUBNETS)}.{secrets.randbelow(250)}"
        self._names = {name: number for number, name in enumerate(names, start=1)}
        self._switch = f"muster-{self._tag}"
        self._spaces = {name: f"{self._switch}-{name}" for name in names}

    def __enter__(self) -> Self:
        try:
            self._make()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for space in (*self._spaces.values(), self._switch):  # with it go its end of every link, and so both
            with contextlib.suppress(NetworkFailed):
                _run("ip", "netns", "delete", space)

    def address(self, name: str) -> str:
        """Where everybody reaches a host."""
        return f"{self._subnet}.{self._names[name]}"

    def inside(self, name: str) -> tuple[str, ...]:
        """What to put before a command that is to run on a host."""
        return ("ip", "netns", "exec", self._spaces[name])

    def lose(self, sender: str, receiver: str) -> None:
        """Nothing that the one sends reaches the other from now on; the other way is open."""
        drop = ("iptables", "-A", "INPUT", "-s", self.address(sender), "-j", "DROP")
        _run(*self.inside(receiver), *drop)

    def cut(self, one: str, other: str) -> None:
        """Nothing passes between two hosts, either way."""
        self.lose(one, other)
        self.lose(other, one)

    def reaches(self, one: str, other: str, port: int) -> bool:
        """Whether a connection from one host to a port of another comes about within a second."""
        program = f"import socket; socket.create_connection(({self.address(other)!r}, {port}), 1)"
        command = (*self.inside(one), sys.executable, "-c", program)
        return run_program(command, capture_output=True).returncode == 0

    def heal(self) -> None:
        """Every link carries everything again."""
        for name in self._names:
            _run(*self.inside(name), "iptables", "-F", "INPUT")

    def _make(self) -> None:
        switch = ("ip", "-n", self._switch)
        _run("ip", "netns", "add", self._switch)
        _run(*switch, "link", "add", "switch", "type", "bridge")
        _run(*switch, "link", "set", "switch", "up")
        ours = f"mu{self._tag}"
        _run("ip", "link", "add", ours, "type", "veth", "peer", "name", "ours", "netns", self._switch)
        _run(*switch, "link", "set", "ours", "master", "switch", "up")
        _run("ip", "address", "add", f"{self._subnet}.254/24", "dev", ours)
        _run("ip", "link", "set", ours, "up")
        for name, space in self._spaces.items():
            host, port = ("ip", "-n", space), f"to{self._names[name]}"
            _run("ip", "netns", "add", space)
            _run(*host, "link", "add", "eth0", "type", "veth", "peer", "name", port, "netns", self._switch)
            _run(*switch, "link", "set", port, "master", "switch", "up")
            _run(*host, "address", "add", f"{self.address(name)}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                _run(*host, "link", "set", device, "up")


def possible() -> bool:
    """Whether this machine lets us make such a network, and lose packets in it."""
    if not all(map(shutil.which, ("ip", "iptables"))):
        return False
    try:
        with Network(["one", "other"]) as network:
            network.cut("one", "other")
            network.heal()
            return True
    except (NetworkFailed, OSError):
        return False


def _run(*command: str) -> None:
    ran = run_program(command, capture_output=True, text=True)
    if ran.returncode != 0:
        raise NetworkFailed(f"{' '.join(command)}: {ran.stdout}{ran.stderr}")
