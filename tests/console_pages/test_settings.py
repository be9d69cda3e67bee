"""What the console reads of its environment."""

from __future__ import annotations

import pytest

from services.console.settings import KEY, KEY_FILE, load
from shared.environment import network_address
from shared.keys import PURPOSES, TOKEN_KEYS, local_secrets
from shared.settings import BadSettings
from tests.deploy.edge import make_certificate
from tests.programs import run_program


def test_a_key_is_made_once_and_only_its_owner_reads_it(tmp_path):
    one = load({"MUSTER_DATA": str(tmp_path)})
    assert load({"MUSTER_DATA": str(tmp_path)}).key == one.key
    assert (tmp_path / KEY_FILE).stat().st_mode & 0o777 == 0o600
    assert one.key not in repr(one)


def test_production_wants_its_own_key(tmp_path):
    urls = {f"{name}_URL": "http://x" for name in ("REGISTRATION", "PAIRING", "SCORING")}
    for given in ({}, {KEY: "short"}):
        with pytest.raises(BadSettings) as bad:
            load({"MUSTER_ENV": "production", "MUSTER_DATA": str(tmp_path), **urls, **given})
        assert [fault.where for fault in bad.value.faults] == [KEY, TOKEN_KEYS]


def test_the_keys_of_tokens_are_those_of_the_data_folder_and_none_are_made_there(tmp_path):
    env = {"MUSTER_DATA": str(tmp_path)}
    assert not load(env).token_keys
    assert not (tmp_path / "secrets.json").exists()
    local_secrets(tmp_path)
    assert set(load(env).token_keys) == set(PURPOSES)


def test_codes_lead_to_the_machine_in_the_hall_where_it_listens_to_all(tmp_path):
    env = {"MUSTER_DATA": str(tmp_path), "MUSTER_PORT_BASE": "9000"}
    assert load(env).public_url == "http://127.0.0.1:9000"
    reached = load({**env, "MUSTER_BIND": "0.0.0.0"}).public_url
    assert reached.startswith("http://")
    assert reached.endswith(":9000")
    assert "0.0.0.0" not in reached
    assert load({**env, "MUSTER_BIND": "::1"}).public_url == "http://[::1]:9000"


def test_cookies_are_for_https_alone_where_people_come_by_https(tmp_path):
    env = {"MUSTER_DATA": str(tmp_path)}
    assert not load(env).secure
    assert load({**env, "MUSTER_PUBLIC_URL": "https://muster.example"}).secure


@pytest.mark.engine("openssl")
def test_with_a_certificate_it_is_reached_by_https(tmp_path):
    certificate, key = make_certificate(tmp_path)
    env = {"MUSTER_DATA": str(tmp_path), "MUSTER_CERTIFICATE": str(certificate), "MUSTER_CERTIFICATE_KEY": str(key)}
    found = load({**env, "MUSTER_BIND": "0.0.0.0"})
    assert found.secure
    assert found.public_url == f"https://{network_address('0.0.0.0')}:8000"
    assert (found.certificate, found.certificate_key) == (str(certificate), str(key))
    assert load({**env, "MUSTER_PUBLIC_URL": "https://hall.example:8000"}).public_url == "https://hall.example:8000"


@pytest.mark.engine("openssl")
def test_every_fault_of_a_certificate_is_named_before_anything_starts(tmp_path):
    certificate, key = make_certificate(tmp_path)
    (tmp_path / "rubbish").write_text("rubbish")
    other = tmp_path / "other"
    other.mkdir()
    locked = tmp_path / "locked"
    command = ["openssl", "pkey", "-in", str(key), "-aes256", "-passout", "pass:secret", "-out", str(locked)]
    run_program(command, check=True, capture_output=True)
    for given, wanted, code in (
        ((certificate, ""), "MUSTER_CERTIFICATE_KEY", "certificate-and-key"),
        (("", key), "MUSTER_CERTIFICATE", "certificate-and-key"),
        ((tmp_path / "none", key), "MUSTER_CERTIFICATE", "pem-file"),
        ((tmp_path / "rubbish", key), "MUSTER_CERTIFICATE", "certificate-chain"),
        ((certificate, make_certificate(other)[1]), "MUSTER_CERTIFICATE", "certificate-chain"),
        ((certificate, locked), "MUSTER_CERTIFICATE", "certificate-chain"),
    ):
        env = {"MUSTER_CERTIFICATE": str(given[0]), "MUSTER_CERTIFICATE_KEY": str(given[1])}
        with pytest.raises(BadSettings) as bad:
            load({"MUSTER_DATA": str(tmp_path), **env})
        assert [fault.where for fault in bad.value.faults] == [wanted], given
        assert bad.value.faults[0].code == code
    both = {"MUSTER_CERTIFICATE": str(certificate), "MUSTER_CERTIFICATE_KEY": str(key)}
    with pytest.raises(BadSettings, match="console") as bad:
        load({"MUSTER_DATA": str(tmp_path), "MUSTER_PUBLIC_URL": "http://hall.example:8000", **both})
    assert [fault.where for fault in bad.value.faults] == ["MUSTER_PUBLIC_URL"]
