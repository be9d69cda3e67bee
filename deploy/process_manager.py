"""The programs of Muster on one machine, started and restarted by supervisord in this process."""

from __future__ import annotations

import ctypes
import os
import shlex
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from supervisor.options import ServerOptions  # type: ignore[import-untyped]
from supervisor.supervisord import go  # type: ignore[import-untyped]

from shared.settings import SERVICES

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Program:
    """A named program. env: additional variables. once: it is expected to end and is not restarted."""

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

# It prints the greeting once everything is up, and ends.
GREETING = (sys.executable, "-m", "deploy.greeting")

PRINT_TOKEN = "MUSTER_PRINT_TOKEN"
"""1: the greeting prints an organiser's token. A file or a journal of the output would keep it."""


STOP_SECONDS = 20
"""From SIGTERM to SIGKILL; a worker may take 15 to finish its batch."""
PARENT = "MUSTER_PARENT"
"""Variable with the id of the parent process; programs end with it."""
PR_SET_PDEATHSIG = 1


def run(programs: Sequence[Program], data: Path) -> int:
    """Run programs until SIGTERM, SIGINT or SIGHUP. Return the exit code. data: the folder in MUSTER_DATA."""
    file = data / "supervisord.conf"
    file.write_text("\n".join(_configuration(programs)))
    os.environ[PARENT] = str(os.getpid())
    # Paths reach supervisord in variables: in its file, ` #` and ` ;` begin a comment anywhere.
    os.environ |= {_variable(program): _command(program) for program in programs}
    options = _Options()
    options.realize(["-n", "-c", str(file)])
    options.first, options.test = True, False
    go(options)
    return 0


def end_with_parent() -> None:
    """Request SIGTERM from the system when the process in MUSTER_PARENT ends (Linux only)."""
    parent = os.environ.get(PARENT, "")
    if sys.platform != "linux" or not parent.isdecimal():
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(parent):
        os.kill(os.getpid(), signal.SIGTERM)


class _Options(ServerOptions):  # type: ignore[misc]
    """supervisord's options, except that SIGHUP (the terminal was closed) stops everything."""

    def setsignals(self) -> None:
        super().setsignals()

        def stop(number: int, frame: FrameType | None) -> None:
            self.signal_receiver.receive(signal.SIGTERM, frame)

        ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN  # under nohup
        signal.signal(signal.SIGHUP, signal.SIG_IGN if ignored else stop)


def _configuration(programs: Sequence[Program]) -> list[str]:
    lines = ["[supervisord]", "nodaemon=true", "loglevel=warn", "logfile=/dev/null", "logfile_maxbytes=0"]
    lines += ["pidfile=%(ENV_MUSTER_DATA)s/supervisord.pid"]
    lines += ["user=root"] if os.geteuid() == 0 else []  # it warns about an implicit root
    for program in programs:
        lines += [
            f"[program:{program.name}]",
            f"command=%(ENV_{_variable(program)})s",
            f"autorestart={'false' if program.once else 'true'}",
            f"startsecs={0 if program.once else 1}",
            "startretries=1000000",  # with pauses that grow by a second each time
            f"stopwaitsecs={STOP_SECONDS}",
            "killasgroup=true",
            "redirect_stderr=true",
            "stdout_logfile=/dev/fd/1",
            "stdout_logfile_maxbytes=0",
        ]
    return lines


def _variable(program: Program) -> str:
    return f"MUSTER_COMMAND_{program.name.upper()}"


def _command(program: Program) -> str:
    return shlex.join(("env", *(f"{name}={value}" for name, value in program.env.items()), *program.command))
