"""A new process of scoring, from nothing to its first answer."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping

from msgspec import Struct

from deploy.stack import ROOT

PROGRAM = """
import json, sys
from time import perf_counter
began = perf_counter()
from services.scoring.wsgi import app
imported = perf_counter()
answer = app.test_client().get(sys.argv[1])
assert answer.status_code == 200, answer.get_data(as_text=True)
print(json.dumps([imported - began, perf_counter() - imported]))
"""


class Cold(Struct, frozen=True):
    """Seconds to import and put the service together, and from there to the first answer."""

    imported: float
    answered: float


def cold(env: Mapping[str, str], path: str) -> Cold:
    """One such process with the environment of a stack, which may be running."""
    command = [sys.executable, "-c", PROGRAM, path]
    settings = {**env, "MUSTER_SERVICE": "scoring", "MUSTER_LOG_LEVEL": "error"}
    ran = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, check=True)
    return Cold(*json.loads(ran.stdout.splitlines()[-1]))
