"""What a process does before its first request, and what it leaves for later: counted, for time depends on machines."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from deploy.stack import ROOT
from shared.settings import SERVICES

PROGRAM = """
import json, sys
{statement}
from shared.web import derived
print(json.dumps([sorted(sys.modules), derived._schema.cache_info().currsize]))
"""


def begun(statement: str, env: dict[str, str] | None = None) -> Any:
    """What an interpreter of its own has imported after a statement, and how many schemas it has derived."""
    program = PROGRAM.format(statement=statement)
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=env, capture_output=True, check=True)
    return json.loads(ran.stdout)


@pytest.mark.parametrize("service", SERVICES)
def test_importing_a_service_derives_no_schema(service: str) -> None:
    _, derived = begun(f"import services.{service}.app, services.{service}.worker")
    assert derived == 0
