"""Where it was measured: processor, memory, and the versions of everything that takes part."""

from __future__ import annotations

import os
import platform
import sqlite3
from importlib.metadata import version
from pathlib import Path

from msgspec import Struct

LIBRARIES = ("sqlalchemy", "psycopg", "kombu", "msgspec", "orjson", "gunicorn", "flask", "eventsourcing")


class Machine(Struct, frozen=True):
    """The surroundings of a measurement. An engine that was not there has an empty version."""

    cpu: str
    cores: int
    memory_gb: int
    system: str
    python: str
    sqlite: str
    postgresql: str
    rabbitmq: str
    libraries: dict[str, str]


def this_machine(postgresql: str, rabbitmq: str) -> Machine:
    """This machine. postgresql, rabbitmq: versions as the servers give them."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return Machine(
        cpu=_cpu(),
        cores=os.cpu_count() or 1,
        memory_gb=round(pages / 2**30),
        system=f"{platform.system()} {platform.release()}",
        python=platform.python_version(),
        sqlite=sqlite3.sqlite_version,
        postgresql=postgresql,
        rabbitmq=rabbitmq,
        libraries={name: version(name) for name in LIBRARIES},
    )


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
