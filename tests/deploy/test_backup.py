"""The backup container's own scripts, on databases with its roles: what they keep, and what they put back."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner
from sqlalchemy.engine import make_url

from deploy.stack import Stack, operator
from muster.cli.main import main
from muster.simulator.director import Director
from shared.settings import SERVICES
from tests import http
from tests.conftest import conninfo
from tests.deploy.two_roles import Roles, two_roles
from tests.faults.holds import eventually
from tests.programs import run_program

pytestmark = pytest.mark.engine("postgresql", "postgresql-client")

SCRIPTS = Path(__file__).parents[2] / "deploy/backup"


@pytest.fixture
def roles(tmp_path: Path) -> Iterator[Roles]:
    (tmp_path / "backup").mkdir()
    with two_roles() as roles:
        yield roles


def club_night(stack: Stack) -> str:
    """A tournament with two players; returns its id."""
    host = operator(stack.urls, stack.issuer)
    director = Director.announce(host, name="Club night", ruleset="star-wars-armada-1.1", tier="casual", rounds=1)
    director.open_venue("Back room", 1)
    director.join({"name": name} for name in ("Ada", "Bela"))
    return director.id


def surroundings(roles: Roles, folder: Path, **more: str) -> dict[str, str]:
    """What the container has in its environment, its password in a file."""
    place = make_url(roles.url(roles.owner, "registration"))
    (folder / "password").write_text(f"{roles.password}\n")
    return {
        "PATH": os.environ["PATH"],
        "PGHOST": str(place.host),
        "PGPORT": str(place.port),
        "PGUSER": roles.owner,
        "PGPASSWORD_FILE": str(folder / "password"),
        "BACKUP_FOLDER": str(folder / "backup"),
        "BACKUP_DATABASES": " ".join(f"{roles.prefix}_{service}" for service in SERVICES),
        **more,
    }


def run(script: str, *arguments: str, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    command = ["sh", str(SCRIPTS / f"{script}.sh"), *arguments]
    return run_program(command, env=env, capture_output=True, text=True)


def held(url: str) -> dict[str, list[str]]:
    """Every row of every table, and every trigger and grant of a database."""
    with psycopg.connect(conninfo(url)) as database:
        names = [row[0] for row in database.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
        found = {
            name: sorted(row[0] for row in database.execute(f'SELECT t::text FROM "{name}" t'.encode()))
            for name in sorted(names)
        }
        found["triggers"] = sorted(row[0] for row in database.execute("SELECT tgname FROM pg_trigger"))
        found["grants"] = sorted(
            str(row[0])
            for row in database.execute(
                "SELECT (c.relname, g.grantee::regrole, g.privilege_type) FROM pg_class c, aclexplode(c.relacl) g "
                "WHERE c.relnamespace = 'public'::regnamespace"
            )
        )
    return found


@pytest.mark.attack("a database is put back from the backup container's dump")
def test_what_was_backed_up_is_put_back_whole_and_peers_give_what_is_younger(roles, tmp_path):
    env = surroundings(roles, tmp_path)
    place = roles.url(roles.owner, "registration")
    with Stack(env=roles.env) as stack:
        club_night(stack)
        stack.stop()
        assert (done := run("backup", env=env)).returncode == 0, done.stderr
        before = held(place)
        assert before["events"]
        stack.start()
        younger = club_night(stack)
        stack.stop()
        after = held(place)
        assert after["events"] != before["events"]
        assert (done := run("restore", "newest", f"{roles.prefix}_registration", env=env)).returncode == 0, done.stderr
        assert held(place) == before
        stack.start(unready=["registration"])
        host = operator(stack.urls, stack.issuer)
        addresses = {f"{name.upper()}_URL": url for name, url in stack.urls.items()}
        recovered = CliRunner().invoke(main, ["recover"], env={"MUSTER_TOKEN": host.token, **addresses})
        assert recovered.exit_code == 0, recovered.output
        ready = f"{stack.urls['registration']}/readyz"
        eventually(lambda: http.get(ready).status_code == 200, "registration is ready again")
        assert host.plain.get("registration", f"/tournaments/{younger}")["id"] == younger


def test_the_oldest_go_and_what_was_left_half_way_too(roles, tmp_path):
    folder = tmp_path / "backup"
    for name in ("2020-01-01T00-00-00Z", "2020-01-02T00-00-00Z", ".unfinished.2020-01-03T00-00-00Z", "notes"):
        (folder / name).mkdir()
    env = surroundings(roles, tmp_path, BACKUP_KEEP="2")
    assert run("backup", "fresh", env={**env, "BACKUP_EVERY": "1"}).returncode == 0  # the folders were made just now
    assert (done := run("backup", env=env)).returncode == 0, done.stderr
    kept = sorted(path.name for path in folder.iterdir())
    assert kept[0] == "2020-01-02T00-00-00Z"
    assert (len(kept), kept[-1]) == (3, "notes")
    made = folder / kept[1]
    assert {file.name for file in made.iterdir()} == {f"{roles.prefix}_{service}.dump" for service in SERVICES}
    assert {file.stat().st_mode & 0o777 for file in made.iterdir()} == {0o600}


def test_a_dump_that_fails_is_no_backup_and_removes_none(roles, tmp_path):
    old = tmp_path / "backup/2020-01-01T00-00-00Z"
    old.mkdir()
    os.utime(old, (0, 0))
    env = surroundings(roles, tmp_path, BACKUP_KEEP="1", BACKUP_DATABASES=f"{roles.prefix}_registration no_such_one")
    done = run("backup", env=env)
    assert done.returncode == 1
    assert "no_such_one" in done.stderr
    assert [path.name for path in (tmp_path / "backup").iterdir() if not path.name.startswith(".")] == [old.name]
    assert run("backup", "fresh", env=env).returncode == 1


def test_a_dump_that_is_damaged_changes_nothing(roles, tmp_path):
    env = surroundings(roles, tmp_path)
    place = roles.url(roles.owner, "registration")
    with psycopg.connect(conninfo(place)) as database:
        database.execute("CREATE TABLE noted (number integer)")
        database.execute("INSERT INTO noted SELECT generate_series(1, 20000)")
    assert run("backup", env=env).returncode == 0
    file = next((tmp_path / "backup").glob("*Z")) / f"{roles.prefix}_registration.dump"
    file.write_bytes(file.read_bytes()[:-2000])
    before = held(place)
    assert run("restore", "newest", f"{roles.prefix}_registration", env=env).returncode != 0
    assert held(place) == before
    assert run("restore", "yesterday", f"{roles.prefix}_registration", env=env).returncode == 2
