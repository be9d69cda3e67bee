"""Web and worker of a service, started over a database that nobody has migrated: they wait, and go on by themselves."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest

from deploy import process_manager
from deploy.stack import FOREIGN, ROOT, free_ports
from shared.log.migrate import upgrade_database
from shared.log.schema import open_database
from shared.settings import load
from tests import http
from tests.issuing import token_of
from tests.programs import run_program
from tests.services.engines import ENGINES
from tests.waiting import until

MIGRATE = [sys.executable, "-m", "deploy.migrate", "registration"]
TOURNAMENT = {"name": "Club night", "ruleset": "star-wars-armada-1.1"}


@pytest.fixture(params=ENGINES)
def env(request, tmp_path) -> dict[str, str]:
    around = {key: value for key, value in os.environ.items() if not FOREIGN.fullmatch(key)}
    base = free_ports()
    more = {}
    if request.param == "postgresql":
        more["REGISTRATION_DATABASE_URL"] = request.getfixturevalue("postgresql_url")
    return {
        **around,
        **more,
        "MUSTER_SERVICE": "registration",
        "MUSTER_DATA": str(tmp_path),
        "MUSTER_PORT_BASE": str(base),
        "MUSTER_WORKER": "apart",
        "MUSTER_WORKER_PORT": str(base),
    }


@pytest.fixture
def log(tmp_path):
    return tmp_path / "processes.log"


@pytest.fixture
def running(env, log, existing) -> Iterator[list[subprocess.Popen[bytes]]]:
    with log.open("wb") as said:
        processes = [
            subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
            for command in (process_manager.web("registration"), (sys.executable, "-m", "services.registration.worker"))
        ]
        yield processes
        for process in processes:
            process.terminate()
        assert [process.wait() for process in processes] == [0, 0], log.read_text()


@pytest.fixture
def existing(env) -> str:
    """Return the schema that the database has at the start: none on PostgreSQL, that of the log on SQLite."""
    if "REGISTRATION_DATABASE_URL" in env:
        return ""
    database = open_database(load("registration", env).database_url)
    upgrade_database(database)
    database.close()
    return "log_"


def test_they_wait_and_go_on_without_a_restart(env, running, log, existing):
    settings = load("registration", env)
    token = token_of(env, "operator")
    worker = f"http://127.0.0.1:{env['MUSTER_WORKER_PORT']}/healthz"
    with http.Client(base_url=settings.urls[settings.service], headers={"Authorization": f"Bearer {token}"}) as client:

        def schema():
            try:
                answer = client.get("/readyz")
            except httpx.TransportError:
                return None
            return answer.status_code, answer.json()["checks"]["schema"]

        def waiting():
            try:
                answer = http.get(worker)
            except httpx.TransportError:
                return False
            # Alive, so that nobody starts it again, and saying what it waits for.
            return answer.status_code == 200 and "lacks" in str(answer.json()["down"].get("relay"))

        until(lambda: schema() is not None)
        status, found = schema()
        assert (status, found["ok"], found["needed"]) == (503, False, True)
        assert (existing or "none") in found["detail"]["found"]
        assert found["detail"]["advice"] == "python -m deploy.migrate registration"
        until(waiting)
        key = {"Idempotency-Key": "one"}
        refused = client.post("/tournaments", json=TOURNAMENT, headers=key)
        assert (refused.status_code, refused.json()["code"]) == (503, "schema-outdated")
        assert "the worker waits" in log.read_text()

        done = run_program(MIGRATE, cwd=ROOT, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

        assert client.post("/tournaments", json=TOURNAMENT, headers=key).status_code == 201
        until(lambda: schema()[0] == 200)
        until(lambda: http.get(worker).json()["status"] == "ok")
        until(lambda: client.get("/readyz").json()["checks"]["outbox"]["detail"]["unpublished"] == 0)
        until(lambda: client.get("/readyz").json()["checks"]["parts"]["detail"]["relay"]["ok"])
        assert [process.poll() for process in running] == [None, None]
    assert "Traceback" not in log.read_text()
