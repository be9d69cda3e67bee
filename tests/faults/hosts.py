"""`python -m tests.faults.hosts`: what `deploy.run` starts, each service on a host of its own (network.py).

MUSTER_TEST_HOSTS: JSON, service -> what to put before its commands.
"""

from __future__ import annotations

import json
import os
import sys

from deploy import process_manager, run


def main() -> int:
    """As deploy.run.main."""
    prefixes = json.loads(os.environ["MUSTER_TEST_HOSTS"])
    process_manager.PROGRAMS = {
        service: (*prefixes[service], *command) for service, command in process_manager.PROGRAMS.items()
    }
    return run.main()


if __name__ == "__main__":
    sys.exit(main())
