"""What the console reads of its environment."""

from __future__ import annotations

import pytest

from services.console.settings import KEY, KEY_FILE, load
from shared.settings import BadSettings


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
        assert [fault.where for fault in bad.value.faults] == [KEY]


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
