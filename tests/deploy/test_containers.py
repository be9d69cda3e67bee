"""The containers, as far as they can be proved without an engine that runs them.

docker-compose.yml is held against the compose specification; every command in it is one that the image has;
the settings of every container are those that its service accepts in production.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.keys import all_new
from deploy.programs import PROGRAMS
from shared.settings import PORT_OFFSETS, SERVICES, BadSettings, load

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docker-compose.yml").read_text()
CHOSEN = {
    "POSTGRES_PASSWORD": "c2f8a1d94b7e6035",
    "MUSTER_DB_PASSWORD": "91b0d7e3a5c24f86",
    "MUSTER_DB_OWNER_PASSWORD": "a2c1e8f4b6d35097",
    "REGISTRATION_BROKER_PASSWORD": "5e7c90a1b3d2f486",
    "PAIRING_BROKER_PASSWORD": "6e7c90a1b3d2f487",
    "SCORING_BROKER_PASSWORD": "7e7c90a1b3d2f488",
    "MUSTER_PERSONAL_KEY": "b3BlbnNlc2FtZS10aGlzLWlzLXJhbmRvbS0xMjM0NSE=",
    **dict(line.split("=", 1) for line in all_new("2027-01")),
}


class Missing(Exception):
    """A variable without which compose does not start."""


def interpolate(text: str, env: Mapping[str, str]) -> str:
    """As compose does it, for the two forms in use: `${NAME:-default}` and `${NAME:?message}`."""

    def value(match: re.Match[str]) -> str:
        name, kind, rest = match.groups()
        if given := env.get(name):
            return given
        if kind == ":?":
            raise Missing(name)
        return rest

    return re.sub(r"\$\{([A-Z_]+)(:-|:\?)([^}]*)\}", value, text)


def containers(env: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load(interpolate(TEXT, env))["services"]
    return found


MUSTER = [name for name in containers(CHOSEN) if name.partition("-")[0] in SERVICES]


def test_the_file_is_what_the_compose_specification_asks_for():
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run([*command, str(ROOT / "docker-compose.yml")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_docker_compose_itself_reads_it(tmp_path):
    docker = shutil.which("docker")
    if not docker or subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        pytest.skip("no docker compose on this machine; the specification was asked instead")
    chosen = tmp_path / "chosen.env"
    chosen.write_text("".join(f"{name}={value}\n" for name, value in CHOSEN.items()))
    command = [docker, "compose", "--env-file", str(chosen), "config", "--quiet"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_service_has_its_migration_its_web_and_its_worker():
    assert sorted(MUSTER) == sorted(f"{s}-{kind}" for s in SERVICES for kind in ("migrate", "web", "worker"))


@pytest.mark.parametrize("name", MUSTER)
def test_each_container_has_the_settings_that_its_service_wants(name):
    env = containers(CHOSEN)[name]["environment"]
    settings = load(name.partition("-")[0], env)
    assert settings.production
    assert settings.service == env["MUSTER_SERVICE"]
    assert settings.database_url.endswith(f"/{settings.service}")
    for peer, url in settings.urls.items():
        assert url == f"http://{peer}-web:{settings.port_base + PORT_OFFSETS[peer]}"


@pytest.mark.parametrize("name", MUSTER)
def test_each_container_knows_its_own_private_key_and_its_own_broker_user_alone(name):
    service, env = name.partition("-")[0], containers(CHOSEN)[name]["environment"]
    assert env["BROKER_URL"] == f"amqp://{service}:{CHOSEN[f'{service.upper()}_BROKER_PASSWORD']}@rabbitmq:5672//"
    for other in SERVICES:
        key = CHOSEN[f"{other.upper()}_SIGNING_KEY"]
        assert (key in env.values()) == (other == service)
        assert (CHOSEN[f"{other.upper()}_BROKER_PASSWORD"] in str(env)) == (other == service)


@pytest.mark.parametrize("name", MUSTER)
def test_only_what_migrates_knows_the_role_that_owns_the_tables(name):
    service, _, kind = name.partition("-")
    env = containers(CHOSEN)[name]["environment"]
    settings = load(service, env)
    assert settings.database_url == f"postgresql+psycopg://muster:91b0d7e3a5c24f86@postgresql:5432/{service}"
    owner = f"postgresql+psycopg://muster_owner:a2c1e8f4b6d35097@postgresql:5432/{service}"
    assert settings.migration_url == (owner if kind == "migrate" else settings.database_url)
    assert (CHOSEN["MUSTER_DB_OWNER_PASSWORD"] in str(env)) == (kind == "migrate")


@pytest.mark.parametrize("variable", [name for name in CHOSEN if name != "MUSTER_INSTALLATION_KEY"])
def test_without_a_secret_nothing_starts(variable):
    with pytest.raises(Missing, match=variable):
        containers({name: value for name, value in CHOSEN.items() if name != variable})


@pytest.mark.parametrize("name", MUSTER)
def test_with_the_values_of_the_example_nothing_starts(name):
    lines = (ROOT / "deploy/example.env").read_text().splitlines()
    example = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    assert example.keys() == CHOSEN.keys()
    service = name.partition("-")[0]
    with pytest.raises(BadSettings) as refused:
        load(service, containers(example)[name]["environment"])
    refusals = {fault.where for fault in refused.value.faults}
    personal = {"MUSTER_PERSONAL_KEY", "MUSTER_TICKET_KEY"} if service == "registration" else set()
    signing = {f"{service.upper()}_SIGNING_KEY", "MUSTER_SOURCE_KEYS"}
    owner = {f"{service.upper()}_MIGRATION_DATABASE_URL"} if name.endswith("-migrate") else set()
    always = {"MUSTER_TOKEN_KEYS", f"{service.upper()}_DATABASE_URL", "BROKER_URL"}
    assert refusals == always | owner | personal | signing


@pytest.mark.parametrize("name", MUSTER)
def test_each_command_is_one_that_the_image_has(name):
    service, _, kind = name.partition("-")
    command = containers(CHOSEN)[name]["command"]
    if kind == "web":
        assert command[:2] == ["gunicorn", "--config"]
        assert (ROOT / command[2]).is_file()
        assert command[3:] == list(PROGRAMS[f"{service}.web"][1][-1:])
    elif kind == "worker":
        assert command == ["python", *PROGRAMS[f"{service}.worker"][1][1:]]
    else:
        assert command == ["python", "-m", "deploy.migrate", service]
        assert importlib.util.find_spec("deploy.migrate")


@pytest.mark.parametrize("name", [name for name in MUSTER if name.endswith("-web")])
def test_health_is_asked_where_the_service_listens(name):
    container = containers(CHOSEN)[name]
    port = load(name.partition("-")[0], container["environment"]).port
    assert container["healthcheck"]["test"] == ["CMD", "python", "-m", "deploy.ready", f"http://127.0.0.1:{port}"]
    assert container["ports"] == [f"127.0.0.1:{port}:{port}"]


def test_what_is_waited_for_exists_and_can_be_told():
    every = containers(CHOSEN)
    for name, container in every.items():
        for other, how in container.get("depends_on", {}).items():
            if how["condition"] == "service_healthy":
                assert "healthcheck" in every[other], f"{name} waits for {other}"
            else:
                assert other.endswith("-migrate"), f"{name} waits for {other}"


def test_the_containers_of_muster_run_with_as_little_as_possible():
    for name in MUSTER:
        container = containers(CHOSEN)[name]
        assert container["read_only"]
        assert container["cap_drop"] == ["ALL"]
        assert container["security_opt"] == ["no-new-privileges:true"]


def test_the_image_installs_only_what_is_locked_and_does_not_run_as_root():
    lines = (ROOT / "deploy/Dockerfile").read_text().replace("\\\n", " ").splitlines()
    for line in lines:
        if "pip install" in line:
            assert "--require-hashes" in line or ("--no-deps" in line and "--no-index" in line)
        if line.startswith("COPY") and "--from" not in line:
            assert all((ROOT / source).exists() for source in line.split()[1:-1]), line
    assert "USER muster" in lines
    script = ROOT / "deploy/postgresql/create-databases.sh"
    assert subprocess.run(["/bin/sh", "-n", script], check=False).returncode == 0
