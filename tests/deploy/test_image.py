"""The image is built, all nine processes of docker-compose.yml run from it, and a tournament is played through them.

What no engine is needed for: processes share this machine's network, and each has a /tmp and a data folder of its own.
PostgreSQL has the roles and RabbitMQ the users that the containers make, with the secrets of `make secrets`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from deploy.ready import wait_until_ready
from deploy.secret_files import make_secrets
from deploy.stack import free_ports
from shared.settings import PORT_OFFSETS, SERVICES
from tests.conftest import POSTGRESQL_URL, rabbitmq_server
from tests.deploy.image import ROOT, USER, Image, built
from tests.deploy.test_broker_users import definitions
from tests.deploy.test_containers import EVERY, MUSTER
from tests.deploy.two_roles import Roles, two_roles
from tests.faults.rabbitmq_node import RabbitNode

pytestmark = [
    pytest.mark.image,
    pytest.mark.engine("buildah", "postgresql", "rabbitmq-server"),
    pytest.mark.timeout(1800),
]

NOT_FOR_RUNNING = {"pip", "setuptools", "wheel", "uv", "pytest", "ruff", "mypy"}


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    with built(tmp_path_factory.mktemp("image")) as image:
        yield image


@pytest.fixture
def roles() -> Iterator[Roles]:
    with two_roles() as roles:
        yield roles


@pytest.fixture
def secrets(tmp_path: Path, roles: Roles) -> Path:
    folder = tmp_path / "secrets"
    passwords = ("MUSTER_DB_OWNER_PASSWORD", *(f"{name.upper()}_DATABASE_PASSWORD" for name in SERVICES))
    make_secrets(folder, dict.fromkeys(passwords, roles.password))
    for path in (folder, *folder.iterdir()):
        os.chown(path, USER, USER)
    return folder


@pytest.fixture
def broker(tmp_path: Path, secrets: Path) -> Iterator[RabbitNode]:
    passwords = {f"{name.upper()}_BROKER_PASSWORD": word(secrets, f"{name}_broker_password") for name in SERVICES}
    folder = tmp_path / "rabbitmq"
    folder.mkdir()
    (folder / "definitions.json").write_text(definitions(**passwords).stdout)
    user = f"scoring:{passwords['SCORING_BROKER_PASSWORD']}"
    binary = rabbitmq_server()
    assert binary is not None
    settings = f"load_definitions = {folder}/definitions.json\n"
    with RabbitNode(folder, binary, settings=settings, user=user) as node:
        yield node


def word(secrets: Path, name: str) -> str:
    return (secrets / name).read_text().strip()


def here(name: str, roles: Roles, broker: RabbitNode, base: int) -> dict[str, str]:
    """The environment of a container, with the machines of its network where they are on this one."""
    place = make_url(POSTGRESQL_URL)
    env = {key: str(value) for key, value in EVERY[name]["environment"].items()}
    for key, value in env.items():
        if "_DATABASE_URL" in key:
            role = roles.owner if "muster_owner@" in value else roles.user(value.rpartition("/")[2])
            database = f"{roles.prefix}_{value.rpartition('/')[2]}"
            env[key] = f"postgresql://{role}@{place.host}:{place.port or 5432}/{database}"
        value = env[key]
        value = value.replace("@rabbitmq:5672", f"@127.0.0.1:{broker.port}")
        env[key] = re.sub(r"http://[a-z]+-web:800(\d)", lambda found: f"http://127.0.0.1:{base + int(found[1])}", value)
    number = 10 + MUSTER.index(name)
    return {**env, "MUSTER_PORT_BASE": str(base), "MUSTER_BIND": "127.0.0.1", "MUSTER_WORKER_PORT": str(base + number)}


def test_it_holds_what_is_locked_and_nothing_that_installs_or_is_edited(image):
    (packages,) = image.root.glob("opt/muster/lib/python3*/site-packages")
    installed = {re.sub("[-_.]+", "-", file.name.partition("-")[0].lower()) for file in packages.glob("*.dist-info")}
    locked = set(re.findall(r"^([A-Za-z0-9._-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE))
    assert {"muster-tabletop", "muster-tabletop-client"} <= installed
    assert not installed & NOT_FOR_RUNNING
    assert installed - {"muster-tabletop", "muster-tabletop-client"} <= locked
    assert not list(packages.glob("__editable__*"))
    assert not list(image.root.glob("usr/local/lib/python3*/site-packages/pip"))
    assert not list(image.root.glob("usr/lib/python3*/ensurepip"))
    for conf in ("gunicorn", "console"):
        assert (image.root / f"opt/muster/{conf}.conf.py").readlink().is_relative_to("/opt/muster/lib")
    for package in ("muster/cli", "shared", "deploy", "services/scoring"):
        assert list((packages / package / "__pycache__").glob("*.pyc")), package
    assert not list(packages.glob("**/tests/deploy"))


def test_a_tournament_is_played_through_all_nine_processes(image, roles, secrets, broker):
    base = free_ports(20)
    urls = {name: f"http://127.0.0.1:{base + PORT_OFFSETS[name]}" for name in SERVICES}
    envs = {name: here(name, roles, broker, base) for name in MUSTER}
    for service in SERVICES:
        name = f"{service}-migrate"
        image.run(name, EVERY[name]["command"], envs[name], secrets)
    with ExitStack() as running:
        logs = {
            name: running.enter_context(image.running(name, EVERY[name]["command"], envs[name], secrets))
            for name in MUSTER
            if not name.endswith("-migrate")
        }
        try:
            wait_until_ready(urls, 90)
        except Exception as error:
            said = {name: log.read_text()[-1500:] for name, log in logs.items()}
            raise AssertionError(
                f"{error}\n" + "\n".join(f"--- {name}\n{text}" for name, text in said.items())
            ) from error
        key = {"MUSTER_INSTALLATION_KEY_FILE": "/run/secrets/muster_installation_key"}
        token = image.run("token", ["muster", "token", "--role", "operator"], key, secrets).strip()
        client = {"MUSTER_TOKEN": token, **{f"{name.upper()}_URL": url for name, url in urls.items()}}
        play = ["muster", "play", "--ruleset", "star-wars-armada-1.1", "--players", "4", "--rounds", "2"]
        standings = image.run("play", [*play, "--format", "json"], client, secrets)
        assert len(json.loads(standings)) >= 1
        wait_until_ready(urls, 30)
