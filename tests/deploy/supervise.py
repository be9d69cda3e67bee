"""Runs a supervisor over programs given as JSON on the command line; what the tests start and kill.

Usage: python -m tests.deploy.supervise PIDS '{"name": ["command", …], …}' '{"grace": 1, …}'
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from deploy.output import Output
from deploy.programs import Program
from deploy.supervisor import Backoff, Supervisor


def main() -> int:
    commands, backoff = json.loads(sys.argv[2]), json.loads(sys.argv[3])
    programs = [
        Program(name, tuple(command), os.environ, once=name.startswith("once")) for name, command in commands.items()
    ]
    leash = sys.stdin.fileno() if os.environ.get("LEASH") else None
    return Supervisor(programs, Path(sys.argv[1]), Backoff(**backoff), leash, Output(list(commands))).run()


if __name__ == "__main__":
    sys.exit(main())
