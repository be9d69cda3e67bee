"""Starts the programs of Muster and starts each again when it dies: supervisord, in this process.

Why supervisord: docs/decisions/0002.
"""

from __future__ import annotations

import ctypes
import os
import shlex
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from supervisor.options import ServerOptions  # type: ignore[import-untyped]
from supervisor.supervisord import go  # type: ignore[import-untyped]

from deploy.programs import Program

STOP_SECONDS = 20
"""From SIGTERM to SIGKILL; a worker may take 15 to finish its batch."""
PARENT = "MUSTER_PARENT"
"""The process with whose end a program ends, too."""
PR_SET_PDEATHSIG = 1


def run(programs: Sequence[Program], data: Path) -> int:
    """Run programs until SIGTERM, SIGINT or SIGHUP; returns the exit code. data: where its configuration goes."""
    file = data / "supervisord.conf"
    os.environ[PARENT] = str(os.getpid())
    file.write_text("\n".join(_configuration(programs, data)))
    options = _Options()
    options.realize(["-n", "-c", str(file)])
    options.first, options.test = True, False
    go(options)
    return 0


def end_with_parent() -> None:
    """Have the system send SIGTERM to this process when the one in MUSTER_PARENT ends (Linux; nothing elsewhere)."""
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


def _configuration(programs: Sequence[Program], data: Path) -> list[str]:
    lines = ["[supervisord]", "nodaemon=true", "loglevel=warn", "logfile=/dev/null", "logfile_maxbytes=0"]
    lines += [f"pidfile={_literal(data / 'supervisord.pid')}"]
    lines += ["user=root"] if os.geteuid() == 0 else []  # it warns of root that is not named
    for program in programs:
        lines += [
            f"[program:{program.name}]",
            f"command={_literal(shlex.join(program.command))}",
            f"environment={_variables(program.env)}",
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


def _variables(env: Mapping[str, str]) -> str:
    return ",".join(f"{name}={_literal(shlex.quote(value))}" for name, value in env.items())


def _literal(value: Any) -> str:
    return str(value).replace("%", "%%")
