"""The containers, as far as they can be proved without an engine that runs them.

docker-compose.yml is held against the compose specification; every command in it is one that the image has;
the settings of every container are those that its service accepts in production.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.process_manager import CONSOLE, PROGRAMS
from deploy.secret_files import make_secrets
from services.console import settings as console_settings
from shared.log.database import EXTRA_CONNECTIONS
from shared.settings import PORT_OFFSETS, SERVICES, BadSettings, load
from tests.programs import run_program

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docker-compose.yml").read_text()
CHOSEN = {"MUSTER_PUBLIC_URL": "https://muster.test"}
IN_CONTAINER = "/run/secrets/"


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


EVERY = containers(CHOSEN)
MUSTER = [name for name in EVERY if name.partition("-")[0] in SERVICES]


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make secrets` makes."""
    folder = tmp_path_factory.mktemp("made") / "secrets"
    make_secrets(folder, {})
    return folder


def inside(name: str, secrets: Path) -> dict[str, str]:
    """The environment of a container, its secret files where they are outside of one."""
    return {
        variable: str(secrets / value.removeprefix(IN_CONTAINER)) if value.startswith(IN_CONTAINER) else value
        for variable, value in EVERY[name]["environment"].items()
    }


def test_the_file_is_what_the_compose_specification_asks_for():
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = run_program([*command, str(ROOT / "docker-compose.yml")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.engine("docker-compose")
def test_docker_compose_itself_reads_it(tmp_path):
    chosen = tmp_path / "chosen.env"
    chosen.write_text("".join(f"{name}={value}\n" for name, value in CHOSEN.items()))
    command = ["docker", "compose", "--env-file", str(chosen), "config", "--quiet"]
    done = run_program(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_service_has_its_migration_its_web_and_its_worker():
    assert sorted(MUSTER) == sorted(f"{s}-{kind}" for s in SERVICES for kind in ("migrate", "web", "worker"))


@pytest.mark.parametrize("name", MUSTER)
def test_each_container_has_the_settings_that_its_service_wants(name, secrets):
    env = inside(name, secrets)
    settings = load(name.partition("-")[0], env)
    assert settings.production
    assert settings.service == env["MUSTER_SERVICE"]
    assert settings.database_url.endswith(f"/{settings.service}")
    assert settings.trusted_proxies == 1
    for peer, url in settings.urls.items():
        assert url == f"http://{peer}-web:{settings.port_base + PORT_OFFSETS[peer]}"
        assert settings.public_urls[peer] == f"https://muster.test/{peer}"


@pytest.mark.parametrize("name", list(EVERY))
def test_each_container_is_given_the_secrets_that_it_reads_and_no_other(name):
    container = EVERY[name]
    script = " ".join((ROOT / file).read_text() for file in scripts_of(container))
    read = {
        str(value).removeprefix(IN_CONTAINER)
        for value in container.get("environment", {}).values()
        if str(value).startswith(IN_CONTAINER)
    }
    read |= {
        secret for secret in yaml.safe_load(interpolate(TEXT, CHOSEN))["secrets"] if f"/run/secrets/{secret}" in script
    }
    read |= {f"{who}_broker_password" for who in (*SERVICES, "integration") if name == "rabbitmq"}
    assert sorted(read) == sorted(container.get("secrets", []))


def scripts_of(container: dict[str, Any]) -> list[str]:
    """The scripts of ours that a container starts with."""
    mounted = [volume.split(":")[0] for volume in container.get("volumes", []) if volume.split(":")[1] == "/muster"]
    entry = container.get("entrypoint", [])
    return [f"{folder}/{Path(part).name}" for folder in mounted for part in entry if part.startswith("/muster/")]


def test_every_secret_is_made_but_those_of_the_edge(secrets):
    named = yaml.safe_load(interpolate(TEXT, CHOSEN))["secrets"]
    assert {file.name for file in secrets.iterdir()} == set(named) - {"edge_certificate", "edge_certificate_key"}
    assert all(value["file"] == f"./secrets/{name}" for name, value in named.items())


@pytest.mark.parametrize("name", MUSTER)
def test_each_container_knows_its_own_key_broker_user_and_database_role_alone(name, secrets):
    service, given = name.partition("-")[0], EVERY[name]["secrets"]
    password = (secrets / f"{service}_broker_password").read_text().strip()
    assert load(service, inside(name, secrets)).broker_url == f"amqp://{service}:{password}@rabbitmq:5672//"
    for other in SERVICES:
        assert (f"{other}_signing_key" in given) == (other == service)
        assert (f"{other}_broker_password" in given) == (other == service)
        assert (f"{other}_database_password" in given) == (other == service)


def test_the_console_has_the_settings_that_it_wants_and_no_key_of_a_service(secrets):
    found = console_settings.load(inside("console", secrets))
    assert found.public_url == "https://muster.test"
    assert found.secure
    assert found.trusted_proxies == 1
    for name, url in found.urls.items():
        assert url == f"http://{name}-web:{8000 + PORT_OFFSETS[name]}"
        assert found.service_urls[name] == f"https://muster.test/{name}"
    console = EVERY["console"]
    assert console["secrets"] == ["muster_console_key", "muster_token_keys"]
    assert set(found.token_keys) == {"tickets", "installation"}
    assert console["command"] == ["gunicorn", "--config", "console.conf.py", CONSOLE[-1]]
    assert f"http://127.0.0.1:{found.port}/healthz" in console["healthcheck"]["test"][-1]
    with pytest.raises(BadSettings, match="console"):
        console_settings.load({**inside("console", secrets), "MUSTER_CONSOLE_KEY_FILE": ""})


@pytest.mark.parametrize("name", MUSTER)
def test_only_what_migrates_knows_the_role_that_owns_the_tables(name, secrets):
    service, _, kind = name.partition("-")
    settings = load(service, inside(name, secrets))
    runs, owns = (
        (secrets / file).read_text().strip() for file in (f"{service}_database_password", "muster_db_owner_password")
    )
    assert settings.database_url == f"postgresql+psycopg://{service}:{runs}@postgresql:5432/{service}"
    owner = f"postgresql+psycopg://muster_owner:{owns}@postgresql:5432/{service}"
    assert settings.migration_url == (owner if kind == "migrate" else settings.database_url)
    assert ("muster_db_owner_password" in EVERY[name]["secrets"]) == (kind == "migrate")


def test_nothing_starts_without_an_address_that_people_use():
    with pytest.raises(Missing, match="MUSTER_PUBLIC_URL"):
        containers({})


def test_the_example_names_every_variable_of_the_file():
    lines = (ROOT / "deploy/example.env").read_text().splitlines()
    named = {line.lstrip("#").partition("=")[0] for line in lines if re.match("#?[A-Z_]+=", line)} - {"COMPOSE_FILE"}
    text = TEXT + (ROOT / "deploy/amqp.yml").read_text()
    assert named == set(re.findall(r"\$\{([A-Z_]+)", text)) - {"MUSTER_VERSION", "MUSTER_SECRETS"}


@pytest.mark.parametrize("name", MUSTER)
def test_each_command_is_one_that_the_image_has(name):
    service, _, kind = name.partition("-")
    command = EVERY[name]["command"]
    if kind == "web":
        assert command[:3] == ["gunicorn", "--config", "gunicorn.conf.py"]
        assert command[3:] == list(PROGRAMS[service][-1:])
    elif kind == "worker":
        assert command == ["python", "-m", f"services.{service}.worker"]
        assert importlib.util.find_spec(f"services.{service}.worker")
    else:
        assert command == ["python", "-m", "deploy.migrate", service]
        assert importlib.util.find_spec("deploy.migrate")


@pytest.mark.parametrize("name", [name for name in MUSTER if name.endswith("-web")])
def test_health_is_asked_where_the_service_listens(name, secrets):
    port = load(name.partition("-")[0], inside(name, secrets)).port
    asked = EVERY[name]["healthcheck"]["test"]
    assert asked == ["CMD", "python", "-m", "deploy.ready", f"http://127.0.0.1:{port}"]


def test_people_reach_the_edge_alone_and_it_leads_where_the_services_are():
    assert [name for name, container in EVERY.items() if "ports" in container] == ["edge"]
    script = (ROOT / "deploy/edge/start.sh").read_text()
    for service in SERVICES:
        assert f"containers {service} {8000 + PORT_OFFSETS[service]})" in script
    assert ":-console:8000}" in script


def test_the_edge_counts_the_containers_that_the_services_have():
    replicas = {int(EVERY[f"{service}-web"]["deploy"]["replicas"]) for service in SERVICES}
    assert replicas == {int(EVERY["edge"]["environment"]["MUSTER_REPLICAS"])}
    assert min(replicas) > 1


def test_every_documented_setting_is_passed_on_or_named_as_not_meant_for_containers():
    page = (ROOT / "docs/reference/settings.md").read_text()
    rows = [row.partition(" | ")[0] for row in page.splitlines() if row.startswith("| `")]
    documented = {name for row in rows for name in re.findall(r"`((?:MUSTER|BROKER)_[A-Z_]+)`", row)}
    said = page.partition("Not meant for its containers, and not passed on:")[2].partition("\n\n")[0]
    left_out = set(re.findall(r"`(MUSTER_[A-Z_]+)`", said))
    compose = TEXT + (ROOT / "deploy/amqp.yml").read_text()
    given = {name for name in documented if re.search(rf"^ +{name}(_FILE)?:|\$\{{{name}\b", compose, re.MULTILINE)}
    given |= {name for name in documented if f'/{name.lower()}"' in compose}  # the file of a secret
    assert documented - given == left_out


@pytest.mark.parametrize(("replicas", "threads"), [(1, 8), (2, 8), (4, 8), (8, 8), (1, 4)])
def test_the_page_on_sizing_and_the_container_count_the_connections_that_processes_may_open(replicas, threads, secrets):
    most = {"MUSTER_REPLICAS": str(replicas), "MUSTER_WEB_THREADS": str(threads)}
    needed = 20
    for service in SERVICES:
        settings = load(service, {**inside(f"{service}-web", secrets), **most})
        needed += (replicas + 1) * (settings.web_threads + EXTRA_CONNECTIONS) + 1
    page = (ROOT / "docs/how-to/install.md").read_text()
    assert (f"| {replicas} | {needed} |" if threads == 8 else f"({needed})") in page
    script = ["sh", str(ROOT / "deploy/postgresql/max-connections.sh")]
    assert int(run_program(script, env=most, check=True, capture_output=True).stdout) == max(300, needed)


def test_the_broker_is_opened_to_programs_outside_by_a_file_of_its_own():
    file = ROOT / "deploy/amqp.yml"
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(file)]
    done = run_program(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    opened = yaml.safe_load(interpolate(file.read_text(), CHOSEN))
    assert list(opened["services"]) == ["rabbitmq"]
    added = opened["services"]["rabbitmq"]
    assert added["ports"] == ["5671:5671"]
    given = {secret if isinstance(secret, str) else secret["target"] for secret in added["secrets"]}
    assert given == {"broker_readers", "broker_certificate", "broker_certificate_key"}
    script = (ROOT / "deploy/rabbitmq/start.sh").read_text()
    assert "for name in certificate certificate_key;" in script
    assert all(f"/run/secrets/{name}" in script for name in ("broker_readers", "broker_$name"))


def test_what_is_waited_for_exists_and_can_be_told():
    for name, container in EVERY.items():
        for other, how in container.get("depends_on", {}).items():
            if how["condition"] == "service_healthy":
                assert "healthcheck" in EVERY[other], f"{name} waits for {other}"
            else:
                assert other.endswith("-migrate"), f"{name} waits for {other}"


@pytest.mark.parametrize("name", list(EVERY))
def test_every_container_may_do_and_use_as_little_as_possible(name):
    container = EVERY[name]
    assert container["read_only"]
    assert container["cap_drop"] == ["ALL"]
    assert container["security_opt"] == ["no-new-privileges:true"]
    assert container["logging"]["options"] == {"max-size": "10m", "max-file": "5"}
    assert container["deploy"]["resources"]["limits"].keys() == {"cpus", "memory", "pids"}
    if name in ("postgresql", "rabbitmq"):
        assert set(container["cap_add"]) == {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"}
    else:
        assert "cap_add" not in container
        assert container["user"] == "10001:10001"


@pytest.mark.parametrize("name", list(EVERY))
def test_nothing_is_asked_for_that_podman_refuses(name):
    """Of the options of a tmpfs, podman takes no uid and gid; without a host in it, it does not look for an image."""
    container = EVERY[name]
    for place in container.get("tmpfs", []):
        assert not {option.partition("=")[0] for option in place.partition(":")[2].split(",")} & {"uid", "gid"}, place
    assert container["image"].startswith(("docker.io/", "muster:"))


def test_the_image_installs_only_what_is_locked_and_does_not_run_as_root():
    lines = (ROOT / "deploy/Dockerfile").read_text().replace("\\\n", " ").splitlines()
    for line in lines:
        for part in line.split("&&"):
            if re.search(r"pip .*\b(install|wheel)\b", part):
                assert "--require-hashes" in part or ("--no-deps" in part and "--no-index" in part)
            assert not re.search(r"install .*(-e|--editable)\b", part)
        if line.startswith("COPY") and "--from" not in line:
            assert all((ROOT / source).exists() for source in line.split()[1:-1]), line
    assert "USER muster" in lines


@pytest.mark.parametrize("script", [str(file.relative_to(ROOT)) for file in sorted(ROOT.glob("deploy/**/*.sh"))])
def test_every_script_can_be_read_by_a_plain_shell(script):
    assert run_program(["/bin/sh", "-n", ROOT / script]).returncode == 0
