"""Checks before anything starts. Each returns lines for a person, one for each fault."""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from sqlalchemy.engine import make_url

from shared.environment import make_private_folder
from shared.keys import NEW_KEYS
from shared.settings import PORT_OFFSETS, SERVICES, BadSettings, Settings, load

PURPOSE = b"muster/belonging/1"


def mark_of(personal_key: bytes) -> int:
    """Return the mark of a key in a database: 31 bits of a hash. It is never 0, which means `no mark`."""
    return int.from_bytes(sha256(PURPOSE + personal_key).digest()[:4]) >> 1 or 1


def foreign_databases(settings: Iterable[Settings], personal_key: bytes) -> list[str]:
    """Return a line if databases belong to other keys. Unreadable ones are left to the migration."""
    marks = {file: _mark(file) for file in _files(settings)}
    others = [file.name for file, mark in marks.items() if mark not in (0, mark_of(personal_key))]
    if not others:
        return []
    folder = next(iter(marks)).parent
    return [
        f"MUSTER_DATA: {', '.join(others)} in {folder} belong to another secrets.json than the one there; put theirs "
        f"back, or name another folder. If theirs is lost, {NEW_KEYS}=1 goes on without its tokens and personal data"
    ]


def mark_databases(settings: Iterable[Settings], personal_key: bytes) -> None:
    """Mark each database with the keys that it belongs to. Raises sqlite3.Error."""
    mark = mark_of(personal_key)
    for file in _files(settings):
        if _mark(file) != mark:
            with closing(_opened(file)) as connection:
                connection.execute(f"PRAGMA user_version = {mark}")


def _files(settings: Iterable[Settings]) -> Iterator[Path]:
    for one in settings:
        file = make_url(one.database_url).database if one.sqlite else None
        if file and Path(file).is_file():
            yield Path(file)


def _mark(file: Path) -> int:
    try:
        with closing(_opened(file)) as connection:
            return int(connection.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error:
        return 0


def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True, timeout=15)


def settings_of_all(env: Mapping[str, str]) -> tuple[dict[str, Settings], list[str]]:
    """Return the settings of every service by name, and the faults of all of them, each once."""
    settings: dict[str, Settings] = {}
    lines: dict[str, None] = {}
    for service in SERVICES:
        try:
            settings[service] = load(service, env)
        except BadSettings as bad:
            lines.update(dict.fromkeys(bad.lines()))
    return settings, list(lines)


def folder_faults(data: Path) -> list[str]:
    """Return a line if files cannot be made in the data folder. Create the folder if it does not exist."""
    try:
        make_private_folder(data)
        with tempfile.TemporaryFile(dir=data):
            return []
    except OSError as error:
        return [f"MUSTER_DATA: {data} cannot be written ({error.strerror}); name a folder that can, with MUSTER_DATA"]


def port_faults(base: int, host: str, names: Sequence[str] = SERVICES) -> list[str]:
    """Return a line for each port of a service or the console that is in use, or one line for an invalid address."""
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
    """Lock the data folder for this run. The system releases the lock when this process ends.

    Return the descriptor that holds the lock, or None if another run holds it. Without the lock, two process managers
    on one folder would start every worker twice.
    """
    descriptor = os.open(data / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
