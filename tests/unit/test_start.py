"""What a process does before its first request, and what it leaves for later: counted, for time depends on machines."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from deploy.stack import ROOT
from shared.settings import SERVICES
from tests.programs import run_program

PROGRAM = """
import json, sys
{statement}
from shared.web import schema
print(json.dumps([sorted(sys.modules), schema._schema.cache_info().currsize]))
"""


def begun(statement: str, env: dict[str, str] | None = None) -> Any:
    """What an interpreter of its own has imported after a statement, and how many schemas it has derived."""
    program = PROGRAM.format(statement=statement)
    ran = run_program([sys.executable, "-c", program], cwd=ROOT, env=env, capture_output=True, check=True)
    return json.loads(ran.stdout)


LATER = {"alembic", "gunicorn", "httpcore", "httpx", "muster", "networkx", "pygments", "rich", "rustworkx"}
"""What takes a while to import, and is needed by some requests, by a migration, or by people at a terminal."""


def tops(modules: list[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_derives_no_schema_before_it_is_asked_and_imports_what_it_needs_for_that(
    service: str, tmp_path: Path
) -> None:
    env = {**os.environ, "MUSTER_DATA": str(tmp_path)}
    modules, derived = begun(f"import services.{service}.wsgi, services.{service}.worker", env)
    assert derived == 0
    assert not tops(modules) & LATER


WORKERS_OWN = ("amqp", "kombu.connection", "kombu.transport", "shared.messaging.broker", "shared.messaging.consumer")
"""What talks to the broker; a web process asks for it when somebody wants to know whether it is ready."""


@pytest.mark.parametrize("service", SERVICES)
def test_a_web_process_leaves_the_broker_to_its_worker(service: str, tmp_path: Path) -> None:
    env = {**os.environ, "MUSTER_DATA": str(tmp_path)}
    modules, _ = begun(f"import services.{service}.wsgi", env)
    assert [name for name in modules if name.startswith(WORKERS_OWN)] == []


@pytest.mark.parametrize("arguments", [["--version"], ["--help"]])
def test_the_command_line_imports_no_service_before_it_is_told_what_to_do(arguments: list[str]) -> None:
    program = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "
    program += f"from muster.cli.main import main; main({arguments}, prog_name='muster')"
    ran = run_program([sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=True, text=True)
    modules = tops(ran.stderr.split())
    assert "click" in modules
    assert not modules & {*LATER - {"muster"}, "flask", "kombu", "marshmallow", "services", "sqlalchemy", "structlog"}
