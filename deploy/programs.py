"""What runs: every process of Muster on one machine, as one table."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from shared.settings import SERVICES

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Program:
    """What to run under which name. env: besides that of all. once: it ends by itself, and is not started again."""

    name: str
    command: tuple[str, ...]
    env: Mapping[str, str]
    once: bool = False


def web(service: str) -> tuple[str, ...]:
    """Return the command of a service: its web process, with relay, consumer and catch-up as threads."""
    configuration = str(HERE / "gunicorn.conf.py")
    return (sys.executable, "-m", "gunicorn", "--config", configuration, f"services.{service}.wsgi:app")


PROGRAMS = {service: web(service) for service in SERVICES}
"""Service -> its command."""

CONSOLE = (
    *(sys.executable, "-m", "gunicorn", "--config", str(HERE / "console.conf.py")),
    "services.console.wsgi:app",
)
"""The web console, unless MUSTER_CONSOLE=0 leaves it out."""

# What tells the reader that all is up; it ends when it has.
GREETING = (sys.executable, "-m", "deploy.greeting")

PRINT_TOKEN = "MUSTER_PRINT_TOKEN"
"""1: the greeting shows an organiser's token. Whatever keeps the output, such as a file or a journal, would keep it."""
