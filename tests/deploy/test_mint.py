"""Tokens from the command line: how a new installation begins."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from deploy.mint import main
from shared.http.tokens import LINKED, ROLES, Verifier
from shared.settings import load


@pytest.mark.parametrize("role", sorted(set(ROLES) - LINKED))
def test_a_token_for_each_role_is_one_that_services_accept(tmp_path, role):
    env = {"MUSTER_DATA": str(tmp_path)}
    done = CliRunner().invoke(main, [role, "--actor", "kim", "--tournament", "t-1"], env=env)
    caller = Verifier(load("scoring", env).token_keys).verify(done.output.strip())
    assert (caller.actor, caller.role, caller.tournament) == ("kim", role, "t-1")


def test_a_players_token_comes_from_registration_not_from_here(tmp_path):
    done = CliRunner().invoke(main, ["player"], env={"MUSTER_DATA": str(tmp_path)})
    assert done.exit_code == 2


def test_wrong_settings_are_named(tmp_path):
    done = CliRunner().invoke(main, ["operator"], env={"MUSTER_DATA": str(tmp_path), "MUSTER_TOKEN_KEYS": "x"})
    assert done.exit_code == 2
    assert done.stderr.startswith("MUSTER_TOKEN_KEYS: ")
