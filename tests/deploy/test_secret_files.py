"""`make secrets`: a file for each secret, never written over, readable by its owner alone."""

from __future__ import annotations

import os
import stat

import pytest
from click.testing import CliRunner

from deploy.keys import all_new
from deploy.secret_files import CONTAINER_USER, KEYS, SecretsUnusable, main, make_secrets


def held(folder):
    return {file.name: file.read_text() for file in folder.iterdir()}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "secrets"


def test_all_are_made_once_and_stay_as_they_are(folder):
    made = make_secrets(folder, {})
    before = held(folder)
    assert len(made) == len(before) == len(set(before.values()))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
    assert make_secrets(folder, {}) == []
    assert held(folder) == before


def test_what_is_missing_is_made_and_the_rest_stays(folder):
    make_secrets(folder, {})
    before = held(folder)
    (folder / "integration_broker_password").unlink()
    assert make_secrets(folder, {}) == ["INTEGRATION_BROKER_PASSWORD"]
    after = held(folder)
    assert after.pop("integration_broker_password") != before.pop("integration_broker_password")
    assert after == before


def test_secrets_of_an_earlier_version_are_taken_over(folder):
    earlier = {"POSTGRES_PASSWORD": "c2f8a1d94b7e6035", **dict(line.split("=", 1) for line in all_new("2026-05"))}
    make_secrets(folder, earlier)
    for variable, value in earlier.items():
        assert (folder / variable.lower()).read_text() == f"{value}\n"


@pytest.mark.parametrize("lost", [name for name in KEYS if name != "MUSTER_INSTALLATION_KEY"])
def test_a_key_alone_is_not_made_anew_since_the_others_belong_to_it(folder, lost):
    make_secrets(folder, {})
    (folder / lost.lower()).unlink()
    before = held(folder)
    with pytest.raises(SecretsUnusable, match=lost.lower()):
        make_secrets(folder, {})
    assert held(folder) == before


def test_what_others_can_read_is_named_and_nothing_is_made(folder):
    make_secrets(folder, {})
    (folder / "postgres_password").chmod(0o644)
    done = CliRunner().invoke(main, [str(folder), "--earlier", str(folder / "none")])
    assert done.exit_code == 2
    assert "postgres_password can be read by others" in done.output


def test_it_says_what_it_made_and_as_whom_containers_have_to_run(folder):
    first = CliRunner().invoke(main, [str(folder), "--earlier", str(folder / "none")])
    again = CliRunner().invoke(main, [str(folder), "--earlier", str(folder / "none")])
    assert "made" in first.output
    if os.getuid() == 0:
        assert {file.stat().st_uid for file in (folder, *folder.iterdir())} == {CONTAINER_USER}
    else:
        assert f"MUSTER_USER={os.getuid()}:{os.getgid()}" in first.output
    assert "nothing is missing" in again.output
    for value in held(folder).values():
        assert value.strip() not in first.output
