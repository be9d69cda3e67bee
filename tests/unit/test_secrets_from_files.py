"""Settings in files and passwords in separate variables, as in containers."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.settings import BadSettings, load
from tests.unit.test_settings import PRODUCTION

DATABASE = "REGISTRATION_DATABASE_URL"


def faults(env: dict[str, str]) -> dict[str, str]:
    with pytest.raises(BadSettings) as refused:
        load("registration", env)
    return {fault.where: fault.said for fault in refused.value.faults}


def in_files(folder: Path, env: dict[str, str]) -> dict[str, str]:
    """Return the environment with every value in a separate file, as `NAME_FILE`."""
    for name, value in env.items():
        (folder / name).write_text(f"{value}\n")
    return {f"{name}_FILE": str(folder / name) for name in env}


def test_every_setting_can_be_in_a_file(tmp_path):
    assert load("registration", in_files(tmp_path, PRODUCTION)) == load("registration", PRODUCTION)


def test_the_environment_takes_precedence_over_the_file(tmp_path):
    env = {**in_files(tmp_path, PRODUCTION), "MUSTER_TOKEN_DAYS": "7", "MUSTER_TOKEN_DAYS_FILE": "/nowhere"}
    assert load("registration", env).token_days == 7


def test_an_unusable_file_is_reported_once_without_its_content(tmp_path):
    (tmp_path / "empty").write_text("\n")
    (tmp_path / "bytes").write_bytes(b"\xff\xfehunter2")
    named = {
        "MUSTER_TICKET_KEY": str(tmp_path / "missing"),
        "MUSTER_PERSONAL_KEY": str(tmp_path / "bytes"),
        "BROKER_URL": str(tmp_path / "empty"),
        DATABASE: str(tmp_path),
    }
    env = {name: value for name, value in PRODUCTION.items() if name not in named}
    found = faults({**env, **{f"{name}_FILE": file for name, file in named.items()}})
    assert {f"{name}_FILE" for name in named} <= found.keys()
    assert "hunter2" not in str(found)


def test_a_separate_password_may_have_any_character(tmp_path):
    (tmp_path / "password").write_text("p@ss/w:rd\n")
    settings = load(
        "registration",
        {
            **PRODUCTION,
            DATABASE: "postgresql://muster@db:5432/registration",
            "REGISTRATION_DATABASE_PASSWORD_FILE": str(tmp_path / "password"),
            "REGISTRATION_MIGRATION_DATABASE_URL": "postgresql://owner@db:5432/registration",
            "REGISTRATION_MIGRATION_DATABASE_PASSWORD": "other",
            "BROKER_URL": "amqp://registration@broker:5672//",
            "BROKER_PASSWORD": "third one",
        },
    )
    assert settings.database_url == "postgresql+psycopg://muster:p%40ss%2Fw%3Ard@db:5432/registration"
    assert settings.migration_url == "postgresql+psycopg://owner:other@db:5432/registration"
    assert settings.broker_url == "amqp://registration:third%20one@broker:5672//"


def test_with_one_role_the_migration_uses_the_same_password():
    env = {**PRODUCTION, DATABASE: "postgresql://muster@db:5432/registration", "REGISTRATION_DATABASE_PASSWORD": "q9Zt"}
    settings = load("registration", env)
    assert settings.migration_url == settings.database_url == "postgresql+psycopg://muster:q9Zt@db:5432/registration"


@pytest.mark.parametrize("url", ["postgresql://muster:other@db/registration", "postgresql://db/registration"])
def test_a_password_for_a_url_without_a_user_is_refused(url):
    found = faults({**PRODUCTION, DATABASE: url, "REGISTRATION_DATABASE_PASSWORD": "q9ZtR4vLx2"})
    assert found.keys() == {"REGISTRATION_DATABASE_PASSWORD"}
    assert "q9ZtR4vLx2" not in str(found)


def test_an_example_password_in_a_file_is_refused():
    env = {**PRODUCTION, DATABASE: "postgresql://muster@db/registration", "REGISTRATION_DATABASE_PASSWORD": "changeme"}
    assert faults(env).keys() == {DATABASE}


def test_people_and_peers_use_different_urls():
    settings = load("registration", {**PRODUCTION, "MUSTER_PUBLIC_URL": "https://muster.example/"})
    assert settings.public_urls["pairing"] == "https://muster.example/pairing"
    assert settings.peers["pairing"] == "http://pairing:8002"
    assert load("registration", PRODUCTION).public_urls["scoring"] == "https://scores.club.test"


def test_cors_origins_are_read():
    settings = load("registration", {**PRODUCTION, "MUSTER_CORS_ORIGINS": "https://club.example, http://[::1]:5173"})
    assert settings.origins == ("https://club.example", "http://[::1]:5173")
    assert load("registration", PRODUCTION).origins == ()


@pytest.mark.parametrize(
    "origin",
    ["*", "club.example", "https://club.example/", "https://Club.example", "https://club.example:443", "null"],
)
def test_an_origin_in_another_form_is_refused(origin):
    assert faults({**PRODUCTION, "MUSTER_CORS_ORIGINS": f"https://a.example,{origin}"}).keys() == {
        "MUSTER_CORS_ORIGINS"
    }
