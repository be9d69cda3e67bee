"""`muster revoke` against running services: one token is refused everywhere, and no other."""

from __future__ import annotations

import httpx
import pytest

from shared.settings import SERVICES
from tests import http
from tests.console.conftest import announced
from tests.waiting import until


def feed(stack, service: str, token: str) -> httpx.Response:
    return http.get(f"{stack.urls[service]}/log?limit=1", headers={"Authorization": f"Bearer {token}"})


def refused_everywhere(stack, token: str) -> None:
    for service in SERVICES:
        until(lambda service=service: feed(stack, service, token).status_code != 200)
        answer = feed(stack, service, token)
        assert (answer.status_code, answer.json()["code"]) == (401, "token-revoked"), service


def test_one_token_is_refused_by_every_service_and_the_others_are_not(muster, stack, operator):
    minted = muster("token", "--role", "integration")
    lost, id = minted.stdout.strip(), minted.stderr.removeprefix("id: ").strip()
    other = muster("token", "--role", "integration").stdout.strip()
    assert {feed(stack, service, lost).status_code for service in SERVICES} == {200}
    told = muster("revoke", id, "--reason", "left on a bus", token=operator)
    assert (told.exit_code, told.stdout) == (0, f"{id} is revoked\n")
    refused_everywhere(stack, lost)
    assert {feed(stack, service, other).status_code for service in SERVICES} == {200}
    assert muster("revoke", id, token=operator).stdout == f"{id} was revoked before\n"


def test_the_token_itself_may_be_given(muster, stack, operator):
    lost = muster("token", "--role", "integration").stdout.strip()
    assert muster("revoke", lost, token=operator).exit_code == 0
    refused_everywhere(stack, lost)


def test_a_ticket_is_revoked_in_its_tournament(muster, stack, operator):
    director = announced(stack, "Revoked")
    (player,) = director.join([{"name": "Ana"}]) or list(director.players)
    link = director.do("registration", f"/players/{player}/links", {})
    told = muster("revoke", link["token"], "--tournament", director.id, token=operator)
    assert (told.exit_code, told.stdout) == (0, f"{link['id']} is revoked\n")
    answer = http.get(
        f"{stack.urls['registration']}/tournaments/{director.id}/me",
        headers={"Authorization": f"Bearer {link['token']}"},
    )
    assert answer.json()["code"] == "token-revoked"


@pytest.mark.parametrize("role", ["organiser", "integration"])
def test_only_an_operator_takes_back_what_the_installation_handed_out(muster, role):
    asking = muster("token", "--role", role, "--actor", "somebody").stdout.strip()
    told = muster("revoke", "any", token=asking)
    assert (told.exit_code, told.stdout) == (2, "")
    assert "operator" in told.stderr


def test_what_cannot_be_read_as_a_token_is_refused(muster, operator):
    told = muster("revoke", "eyJx.eyJy.z", token=operator)
    assert (told.exit_code, told.stderr.startswith("TOKEN: ")) == (2, True)
