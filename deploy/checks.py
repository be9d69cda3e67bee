"""What must be true before anything starts. Each check answers with lines for a person; no line, no fault."""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from shared.environment import make_private_folder
from shared.settings import PORT_OFFSETS, SERVICES, BadSettings, Settings, load


def settings_of_all(env: Mapping[str, str]) -> tuple[dict[str, Settings], list[str]]:
    """The settings of every service by name, and the faults of all of them together, each said once."""
    settings: dict[str, Settings] = {}
    lines: dict[str, None] = {}
    for service in SERVICES:
        try:
            settings[service] = load(service, env)
        except BadSettings as bad:
            lines.update(dict.fromkeys(bad.lines()))
    return settings, list(lines)


def folder_faults(data: Path) -> list[str]:
    """Whether files can be made in the data folder; it is created if it is not there."""
    try:
        make_private_folder(data)
        with tempfile.TemporaryFile(dir=data):
            return []
    except OSError as error:
        return [f"MUSTER_DATA: {data} cannot be written ({error.strerror}); name a folder that can, with MUSTER_DATA"]


def port_faults(base: int, host: str, names: Sequence[str] = SERVICES) -> list[str]:
    """Return a line for each port of a service or of the console that is taken, or one for an address that is wrong."""
    if not _is_here(host):
        wanted = "expected 127.0.0.1, 0.0.0.0 for all addresses of this machine, or one of them"
        return [f"MUSTER_BIND: {host} is no address of this machine; {wanted}"]
    ports = [(name, base + PORT_OFFSETS[name]) for name in names]
    taken = [(name, port) for name, port in ports if not _free(host, port)]
    return [
        f"port {port} ({service}) on {host} is in use: stop what listens there, "
        f"or move all ports of Muster, for instance with MUSTER_PORT_BASE={base + 1000 if base < 64_000 else 8000}"
        for service, port in taken
    ]


def _is_here(host: str) -> bool:
    """Return False if nothing can listen on an address, whatever the port."""
    try:
        with _socket_for(host) as probe:
            probe.bind((host, 0))
    except (OSError, UnicodeError) as error:
        return isinstance(error, OSError) and error.errno in (errno.EADDRINUSE, errno.EACCES)
    return True


def _socket_for(host: str) -> socket.socket:
    return socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)


def _free(host: str, port: int) -> bool:
    with _socket_for(host) as probe:
        # As gunicorn does: connections of an earlier run that still wait to be forgotten are no obstacle.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def take_folder(data: Path) -> int | None:
    """Take the data folder for this run: a lock that ends with this process, however it ends.

    Returns the descriptor that holds the lock, or None where another run has it: two process managers on one folder
    would start two of every worker.
    """
    descriptor = os.open(data / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
