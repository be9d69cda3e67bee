"""`python -m deploy.migrate`: what it says, and that it leaves alone what newer code has made."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from deploy.stack import FOREIGN, ROOT
from shared.log.schema import open_database
from shared.settings import BadSettings, load
from tests.programs import run_program


@pytest.fixture
def migrate(tmp_path):
    around = {key: value for key, value in os.environ.items() if not FOREIGN.fullmatch(key)}
    command = [sys.executable, "-m", "deploy.migrate", "scoring"]

    def run() -> subprocess.CompletedProcess[str]:
        env = {**around, "MUSTER_DATA": str(tmp_path)}
        return run_program(command, cwd=ROOT, env=env, capture_output=True, text=True)

    return run


def stands_at(tmp_path, *revisions):
    database = open_database(f"sqlite:///{tmp_path}/scoring.sqlite3")
    with database.writing() as connection:
        connection.run("DELETE FROM alembic_version")
        for revision in revisions:
            connection.run("INSERT INTO alembic_version VALUES (:revision)", revision=revision)
    database.close()


def test_a_database_of_newer_code_stays_as_it_is_and_that_is_said(migrate, tmp_path):
    assert (migrate().returncode, migrate().stdout) == (0, "")
    stands_at(tmp_path, "log_9001", "scoring_0006")
    done = migrate()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "scoring: the database is at log_9001 of newer code, and stays there\n"


def test_one_that_newer_code_migrated_in_part_is_refused_in_one_line(migrate, tmp_path):
    migrate()
    stands_at(tmp_path, "log_9001")
    done = migrate()
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("SCORING_DATABASE_URL: ")
    assert "it has log_9001 of newer code and lacks scoring_0006; migrate it with the newer code" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_who_migrates_has_to_name_the_database_that_is_used(tmp_path):
    runs = "postgresql://scoring:a-word-of-ours@db:5432/scoring"
    env = {"MUSTER_DATA": str(tmp_path), "SCORING_DATABASE_URL": runs}
    assert load("scoring", env).migration_url == load("scoring", env).database_url
    owner = runs.replace("//scoring:", "//muster_owner:")
    assert load("scoring", env | {"SCORING_MIGRATION_DATABASE_URL": owner}).migration_url.count("muster_owner") == 1
    for other in (owner.replace("/scoring", "/pairing"), "sqlite:///scoring"):
        with pytest.raises(BadSettings) as refused:
            load("scoring", env | {"SCORING_MIGRATION_DATABASE_URL": other})
        (fault,) = refused.value.faults
        assert fault.where == "SCORING_MIGRATION_DATABASE_URL"
        assert "a-word-of-ours" not in f"{fault.said} {fault.expected}"
