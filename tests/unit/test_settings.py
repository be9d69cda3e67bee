"""Settings: the defaults, and all faults reported at once without repeating secrets."""

from __future__ import annotations

import base64
import json
import re
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner

from deploy import settings_page
from deploy.keys import all_new, exchanged, main
from shared.keys import (
    PRIVATE_KEY_VARIABLES,
    PURPOSES,
    local_secrets,
    make_signing_key,
    parse_signing_keys,
    render_signing_keys,
)
from shared.settings import REMOVED_SETTINGS, SERVICES, BadSettings, Settings, installation_keys, load

ROOT = Path(__file__).parents[2]
PERSONAL = base64.b64encode(bytes(range(7, 39))).decode()
PRODUCTION = {
    "MUSTER_ENV": "production",
    "REGISTRATION_DATABASE_URL": "postgresql://muster:q9ZtR4vLx2@db:5432/registration",
    "PAIRING_DATABASE_URL": "postgresql://muster:q9ZtR4vLx2@db:5432/pairing",
    "SCORING_DATABASE_URL": "postgresql://muster:q9ZtR4vLx2@db:5432/scoring",
    "BROKER_URL": "amqp://muster:q9ZtR4vLx2@broker:5672//",
    "REGISTRATION_URL": "http://registration:8001",
    "PAIRING_URL": "http://pairing:8002",
    "SCORING_URL": "https://scores.club.test/",
    "MUSTER_PERSONAL_KEY": PERSONAL,
    **dict(line.split("=", 1) for line in all_new("2027-01")),
}


def wrong(service: str, env: dict[str, str]) -> list[str]:
    """Return the variables with faults, in order."""
    with pytest.raises(BadSettings) as refused:
        load(service, env)
    return [fault.where for fault in refused.value.faults]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "var"


def local(data: Path, **env: str) -> Settings:
    return load("registration", {"MUSTER_DATA": str(data), **env})


def test_an_empty_environment_gives_the_embedded_default(data):
    settings = local(data)
    assert settings.database_url == f"sqlite:///{data}/registration.sqlite3"
    assert settings.broker_url == "filesystem://"
    assert settings.broker_folder == data / "broker"
    assert settings.exchange == "muster.events"
    assert (settings.bind, settings.port, settings.urls[settings.service]) == (
        "127.0.0.1",
        8001,
        "http://127.0.0.1:8001",
    )
    assert settings.peers == {"pairing": "http://127.0.0.1:8002", "scoring": "http://127.0.0.1:8003"}
    assert not settings.production


def test_one_variable_moves_every_port(data):
    settings = local(data, MUSTER_PORT_BASE="9100")
    assert settings.port == 9101
    assert settings.peers["scoring"] == "http://127.0.0.1:9103"


def test_all_services_share_the_generated_secrets(data):
    made = {service: load(service, {"MUSTER_DATA": str(data)}) for service in SERVICES}
    assert len({json.dumps(settings.token_keys, default=repr) for settings in made.values()}) == 1
    assert made["registration"].personal_key is not None
    assert len(made["registration"].personal_key) == 32
    assert made["pairing"].personal_key is None
    assert stat.S_IMODE((data / "secrets.json").stat().st_mode) == 0o600


def test_concurrent_starts_agree_on_one_secret(data):
    with ThreadPoolExecutor(16) as pool:
        made = list(pool.map(lambda _: json.dumps(local_secrets(data)), range(64)))
    assert len(set(made)) == 1
    assert [file.name for file in data.iterdir()] == ["secrets.json"]


def test_keys_that_an_older_secrets_file_lacks_are_added(data):
    data.mkdir()
    before = {"MUSTER_PERSONAL_KEY": PERSONAL}
    (data / "secrets.json").write_text(json.dumps(before))
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: json.dumps(local_secrets(data)), range(16)))
    assert len(set(made)) == 1
    kept = json.loads((data / "secrets.json").read_text())
    assert before.items() <= kept.items()
    assert {name for name in kept if name not in before} == set(PRIVATE_KEY_VARIABLES.values())
    assert [file.name for file in data.iterdir()] == ["secrets.json"]
    assert stat.S_IMODE((data / "secrets.json").stat().st_mode) == 0o600


def test_every_service_has_the_public_keys_of_the_others(data):
    made = {service: load(service, {"MUSTER_DATA": str(data)}) for service in SERVICES}
    for service, settings in made.items():
        (key,) = settings.signing_keys
        for other in made.values():
            assert other.source_keys[service] == {key.kid: key.public}


def test_in_production_a_service_has_only_its_own_private_key():
    for service in SERVICES:
        others = [f"{name.upper()}_SIGNING_KEY" for name in SERVICES if name != service]
        settings = load(service, {name: value for name, value in PRODUCTION.items() if name not in others})
        assert [key.kid for key in settings.signing_keys] == ["2027-01"]
        assert set(settings.source_keys) == set(SERVICES)


def test_in_production_only_registration_signs_tournament_tokens():
    held = set(installation_keys(PRODUCTION))
    for service in SERVICES:
        settings = load(service, PRODUCTION)
        assert bool(settings.ticket_keys) == (service == "registration")
        assert held.isdisjoint({*settings.ticket_keys, *settings.signing_keys})
        without = {name: value for name, value in PRODUCTION.items() if name != "MUSTER_INSTALLATION_KEY"}
        assert load(service, without).token_keys == settings.token_keys


@pytest.mark.parametrize(("whose", "holder"), [("tickets", "registration"), ("installation", "")])
def test_a_token_key_is_rotated_step_by_step(whose, holder):
    lines = exchanged(whose, make_signing_key("2027-02"), PRODUCTION)
    steps = [dict([line.split("=", 1)]) for line in lines if not line.startswith("#")]
    env, signs, known = dict(PRODUCTION), [], []
    for step in (steps[0], steps[1], {**steps[2], **steps[3]}):
        env |= step
        keys = load(holder, env).ticket_keys if holder else installation_keys(env)
        signs.append(keys[0].kid)
        known.append(sorted(load("scoring", env).token_keys[whose]))
    assert signs == ["2027-01", "2027-02", "2027-02"]
    assert known == [["2027-01", "2027-02"], ["2027-01", "2027-02"], ["2027-02"]]


@pytest.mark.parametrize("whose", sorted(PRIVATE_KEY_VARIABLES))
def test_a_key_in_the_secrets_file_is_rotated(data, whose):
    before = load("registration", {"MUSTER_DATA": str(data)})
    done = CliRunner().invoke(main, [whose, "--kid", "new"], env={"MUSTER_DATA": str(data)})
    assert (done.exit_code, "restart Muster" in done.output) == (0, True)
    kept = parse_signing_keys(json.loads((data / "secrets.json").read_text())[PRIVATE_KEY_VARIABLES[whose]])
    assert [key.kid for key in kept] == ["new", "local-1"]
    after = load("registration", {"MUSTER_DATA": str(data)})
    assert after.token_keys[whose] == {**before.token_keys[whose], "new": kept[0].public}
    twice = CliRunner().invoke(main, [whose, "--kid", "new"], env={"MUSTER_DATA": str(data)})
    assert twice.exit_code == 2
    assert "choose another name with --kid" in twice.output


@pytest.mark.parametrize("whose", sorted(PRIVATE_KEY_VARIABLES))
def test_a_key_is_rotated_twice_in_a_month_and_a_leaked_one_is_dropped(data, whose):
    load("registration", {"MUSTER_DATA": str(data)})

    def run(*arguments: str) -> tuple[int, str]:
        done = CliRunner().invoke(main, [whose, *arguments], env={"MUSTER_DATA": str(data)})
        return done.exit_code, done.output

    def kids() -> list[str]:
        held = parse_signing_keys(json.loads((data / "secrets.json").read_text())[PRIVATE_KEY_VARIABLES[whose]])
        assert set(load("registration", {"MUSTER_DATA": str(data)}).token_keys[whose]) == {key.kid for key in held}
        return [key.kid for key in held]

    month = time.strftime("%Y-%m")
    assert [run()[0] for _ in range(3)] == [0, 0, 0]
    assert kids() == [f"{month}-3", f"{month}-2", month, "local-1"]
    for leaked in (f"{month}-3", month, "local-1"):
        code, said = run("--drop", leaked)
        assert (code, "restart Muster" in said) == (0, True)
    assert kids() == [f"{month}-2"]
    assert run("--drop", f"{month}-2")[1].startswith(f"{month}-2 is the only key of {whose}; make another one first")
    assert run("--drop", "gone") == (2, f"{whose} has no key named gone; it has {month}-2\n")


@pytest.mark.parametrize(("whose", "service"), [("tickets", "registration"), ("pairing", "pairing")])
def test_a_leaked_key_in_the_environment_is_dropped_in_one_step(whose, service):
    before = exchanged(whose, make_signing_key("2027-02"), PRODUCTION)
    both = [line.split("=", 1) for line in before if not line.startswith("#")][:2]
    env = {**PRODUCTION, **dict(both)}
    done = CliRunner().invoke(main, [whose, "--drop", "2027-01"], env=env)
    assert done.exit_code == 0
    env |= dict(line.split("=", 1) for line in done.output.splitlines() if not line.startswith("#"))
    settings = load(service, env)
    assert list(settings.token_keys[whose]) == ["2027-02"]
    keys = settings.ticket_keys if whose == "tickets" else settings.signing_keys
    assert [key.kid for key in keys] == ["2027-02"]


def test_a_key_is_rotated_step_by_step_and_each_step_starts(data):
    lines = exchanged("pairing", make_signing_key("2027-02"), PRODUCTION)
    steps = [dict([line.split("=", 1)]) for line in lines if not line.startswith("#")]
    env = dict(PRODUCTION)
    signs = []
    for step in (steps[0], steps[1], {**steps[2], **steps[3]}):
        env |= step
        signs.append(load("pairing", env).signing_keys[0].kid)
    assert signs == ["2027-01", "2027-02", "2027-02"]
    assert wrong("pairing", {**PRODUCTION, **steps[1]}) == ["MUSTER_SOURCE_KEYS"]  # a key that nobody knows yet
    assert set(load("scoring", env).source_keys["pairing"]) == {"2027-02"}


def test_missing_secrets_are_generated_next_to_a_given_one(data):
    new, old = make_signing_key("new"), make_signing_key("old")
    settings = local(data, MUSTER_TICKET_KEY=render_signing_keys([new, old]))
    assert settings.ticket_keys == (new, old)
    assert settings.token_keys["tickets"] == {"new": new.public, "old": old.public}
    assert set(settings.token_keys) == {*SERVICES, *PURPOSES}
    assert settings.personal_key is not None


def test_a_damaged_secrets_file_is_refused_and_not_replaced(data):
    data.mkdir()
    (data / "secrets.json").write_text("{}")
    assert wrong("registration", {"MUSTER_DATA": str(data)}) == ["MUSTER_DATA"]
    assert (data / "secrets.json").read_text() == "{}"


def test_production_with_everything_set():
    settings = load("registration", PRODUCTION)
    assert settings.production
    assert settings.database_url.startswith("postgresql+psycopg://muster:")
    assert settings.urls["scoring"] == "https://scores.club.test"
    assert settings.log_format == "json"
    assert settings.personal_key == bytes(range(7, 39))


def test_production_reports_all_missing_settings_at_once():
    assert sorted(wrong("registration", {"MUSTER_ENV": "production"})) == sorted(
        {
            "BROKER_URL",
            "MUSTER_PERSONAL_KEY",
            "MUSTER_TICKET_KEY",
            "MUSTER_TOKEN_KEYS",
            "MUSTER_SOURCE_KEYS",
            "PAIRING_URL",
            "REGISTRATION_DATABASE_URL",
            "REGISTRATION_SIGNING_KEY",
            "REGISTRATION_URL",
            "SCORING_URL",
        }
    )


def test_only_registration_needs_the_personal_key():
    without = {name: value for name, value in PRODUCTION.items() if name != "MUSTER_PERSONAL_KEY"}
    assert load("pairing", without).personal_key is None
    assert wrong("registration", without) == ["MUSTER_PERSONAL_KEY"]


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("REGISTRATION_SIGNING_KEY", "k:Y2hhbmdlLW1lLWNoYW5nZS1tZS1jaGFuZ2UtbWUtY2g"),
        ("MUSTER_TICKET_KEY", "k:Y2hhbmdlLW1lLWNoYW5nZS1tZS1jaGFuZ2UtbWUtY2g"),
        ("MUSTER_PERSONAL_KEY", base64.b64encode(bytes(32)).decode()),
        ("MUSTER_PERSONAL_KEY", base64.b64encode(b"change-me-change-me-change-me-ch").decode()),
        ("REGISTRATION_DATABASE_URL", "postgresql://muster:change-me@db/registration"),
        ("BROKER_URL", "amqp://guest:guest@broker:5672//"),
    ],
)
def test_production_refuses_example_secrets(variable, value):
    assert wrong("registration", {**PRODUCTION, variable: value}) == [variable]


@pytest.mark.parametrize("environment", [{}, PRODUCTION], ids=["development", "production"])
@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("MUSTER_PORT_BASE", "eight thousand"),
        ("MUSTER_PORT_BASE", "80"),
        ("MUSTER_PORT_BASE", "65533"),
        ("MUSTER_RELAY_BATCH", "0"),
        ("MUSTER_RELAY_BATCH", "1.5"),
        ("MUSTER_RELAY_BATCH", "٣"),
        ("MUSTER_CATCH_UP_SECONDS", "-1"),
        ("MUSTER_CATCH_UP_SECONDS", "nan"),
        ("MUSTER_LOG_FORMAT", "xml"),
        ("MUSTER_LOG_LEVEL", "loud"),
        ("MUSTER_RATE_LIMIT", "many"),
        ("REGISTRATION_DATABASE_URL", "mysql://root@db/muster"),
        ("REGISTRATION_DATABASE_URL", "sqlite://"),
        ("REGISTRATION_DATABASE_URL", "sqlite:///:memory:"),
        ("REGISTRATION_DATABASE_URL", "postgresql://db"),
        ("REGISTRATION_DATABASE_URL", "postgresql://db:port/muster"),
        ("BROKER_URL", "redis://localhost"),
        ("BROKER_URL", "amqp://"),
        ("PAIRING_URL", "pairing:8002"),
        ("PAIRING_URL", "http://[::1"),
        ("MUSTER_TICKET_KEY", "only-a-key"),
        ("MUSTER_TICKET_KEY", "k:dG9vc2hvcnQ"),
        ("MUSTER_TOKEN_KEYS", "tickets"),
        pytest.param("MUSTER_TOKEN_KEYS", PRODUCTION["MUSTER_TOKEN_KEYS"].rpartition(",")[0], id="one-purpose"),
        pytest.param("MUSTER_TOKEN_KEYS", all_new("2027-01")[-1].partition("=")[2], id="other-token-keys"),
        ("MUSTER_TOKEN_DAYS", "0"),
        ("MUSTER_AFTER_END_DAYS", "a month"),
        ("MUSTER_PERSONAL_KEY", "not base64!"),
        ("MUSTER_PERSONAL_KEY", "c2hvcnQ="),
        ("REGISTRATION_SIGNING_KEY", "only-a-key"),
        ("REGISTRATION_SIGNING_KEY", "k:dG9vc2hvcnQ"),
        ("MUSTER_SOURCE_KEYS", "registration"),
        ("MUSTER_SOURCE_KEYS", PRODUCTION["MUSTER_SOURCE_KEYS"].rpartition(",")[0]),
        ("MUSTER_SOURCE_KEYS", all_new("2027-01")[-2].partition("=")[2]),
    ],
)
def test_an_invalid_value_is_reported_in_one_line_with_the_expectation(data, environment, variable, value):
    with pytest.raises(BadSettings) as refused:
        load("registration", {"MUSTER_DATA": str(data), **environment, variable: value})
    (line,) = refused.value.lines()
    assert line.startswith(f"{variable}: ")
    assert "; expected " in line


def test_an_unknown_environment_is_refused_before_secrets_are_generated(data):
    assert wrong("scoring", {"MUSTER_DATA": str(data), "MUSTER_ENV": "prod"}) == ["MUSTER_ENV"]
    assert not data.exists()


def test_an_unknown_service_is_refused():
    assert wrong("billing", {}) == ["service"]


def test_no_line_and_no_repr_repeats_a_secret():
    bad = {**PRODUCTION, "MUSTER_TICKET_KEY": "k:tooshort", "BROKER_URL": "http://u:q9ZtR4vLx2@broker"}
    bad["REGISTRATION_DATABASE_URL"] = "postgresql://muster:q9ZtR4vLx2@db:port/registration"
    with pytest.raises(BadSettings) as refused:
        load("registration", bad)
    said = "\n".join(refused.value.lines()) + repr(load("registration", PRODUCTION))
    assert not re.search("tooshort|q9ZtR4vLx2", said)
    assert PRODUCTION["MUSTER_TICKET_KEY"].partition(":")[2] not in said
    assert PRODUCTION["REGISTRATION_SIGNING_KEY"].partition(":")[2] not in said
    assert PERSONAL not in said


def test_the_page_of_settings_is_up_to_date():
    assert settings_page.DOCUMENT.read_text("utf-8") == settings_page.page(), "run `make docs`"


def test_every_variable_that_the_code_reads_is_on_the_page_and_no_other():
    sources = [*ROOT.glob("shared/*.py"), *ROOT.glob("deploy/*.py"), ROOT / "services/console/settings.py"]
    read = {
        name
        for file in sources
        if file.name != "settings_page.py"
        for name in re.findall(r'"((?:MUSTER|TEST)_[A-Z_]+|BROKER_URL)"', file.read_text())
    }
    read |= set(re.findall(r"\$\{(MUSTER_REPLICAS)", (ROOT / "docker-compose.yml").read_text()))
    texts = {name: text for group in settings_page.GROUPS.values() for name, text in group.items()}
    documented = {name for name in texts if re.fullmatch(r"(MUSTER|TEST)_[A-Z_]+|BROKER_URL", name)}
    assert read - REMOVED_SETTINGS.keys() == documented
    every = texts.keys() | {name for text in texts.values() for name in text.also}
    assert settings_page.read_variables().keys() - REMOVED_SETTINGS.keys() <= every
