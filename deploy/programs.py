"""What runs: every process of Muster on one machine, as one table."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Program:
    """What to run under which name. once: it is expected to end, and is not started again."""

    name: str
    command: tuple[str, ...]
    env: Mapping[str, str]
    once: bool = False

    @property
    def module(self) -> tuple[str, ...]:
        """What follows `python -m`; nothing where it is something else that runs."""
        return self.command[2:] if self.command[:2] == (sys.executable, "-m") else ()


def web(service: str) -> tuple[str, ...]:
    """The command of a service's HTTP side."""
    configuration = str(HERE / "gunicorn.conf.py")
    return (sys.executable, "-m", "gunicorn", "--config", configuration, f"services.{service}.wsgi:app")


def worker(service: str) -> tuple[str, ...]:
    """The command of a service's relay, consumer and catch-up."""
    return (sys.executable, "-m", f"services.{service}.worker")


# name: (service, command)
PROGRAMS = {
    "registration.web": ("registration", web("registration")),
    "registration.worker": ("registration", worker("registration")),
    "pairing.web": ("pairing", web("pairing")),
    "pairing.worker": ("pairing", worker("pairing")),
    "scoring.web": ("scoring", web("scoring")),
    "scoring.worker": ("scoring", worker("scoring")),
}

CONSOLE = (
    *(sys.executable, "-m", "gunicorn", "--config", str(HERE / "console.conf.py")),
    "services.console.wsgi:app",
)
"""The web console, unless MUSTER_CONSOLE=0 leaves it out."""

SERVED_BY = ("gunicorn.app.wsgiapp", "gunicorn.glogging", "gunicorn.workers.gthread", "deploy.server.worker")

# What tells the reader that all is up; it ends when it has.
GREETING = (sys.executable, "-m", "deploy.greeting")

PRINT_TOKEN = "MUSTER_PRINT_TOKEN"
"""1: the greeting shows an organiser's token. Whatever keeps the output, such as a file or a journal, would keep it."""


def imports(services: Sequence[str], sqlite: bool) -> list[str]:
    """What programs of these services, of the console too, need.

    All of it opens nothing but files of measurements when imported, starts no thread, and reads no environment.
    """
    driver = "sqlalchemy.dialects.sqlite" if sqlite else "sqlalchemy.dialects.postgresql.psycopg"
    broker = "kombu.transport.filesystem" if sqlite else "kombu.transport.pyamqp"
    first_asked = ["shared.messaging.hurried_transport", "kombu.connection", "kombu.messaging", driver, broker]
    return [*SERVED_BY, *(f"services.{one}.app" for one in services), "shared.application.worker", *first_asked]
