"""Tokens of the installation: revoking one leaves the others valid."""

from __future__ import annotations

from datetime import datetime

import pytest
from sqlalchemy.exc import OperationalError

from tests.issuing import token_of
from tests.services.registration.story import announced


@pytest.fixture
def club(new_club):
    """A service of one's own, since what is revoked stays so."""
    return new_club("registration")


def revoke(club, jti, token=None, **headers):
    body = {"token_id": jti, "reason": "a laptop was stolen"}
    return club.ask("POST", "/tokens/revocations", body, token=token or club.token("operator"), **headers)


def test_one_is_refused_from_then_on_and_the_others_are_not(club):
    lost, other = club.token("integration", jti="lost"), club.token("integration", jti="other")
    assert club.ask("GET", "/log", token=lost).status == 200
    done = revoke(club, "lost", Idempotency_Key="once")
    assert (done.status, done.types) == (201, ["InstallationTokenRevoked"])
    refused = club.ask("GET", "/log", token=lost)
    assert (refused.status, refused.code) == (401, "token-revoked")
    assert club.ask("GET", "/rulesets", token=lost).status == 200  # nothing that anybody is asked for
    assert club.ask("GET", "/log", token=other).status == 200
    assert revoke(club, "lost", Idempotency_Key="once").headers["Idempotent-Replayed"] == "true"
    assert (again := revoke(club, "lost")).status == 201
    assert again.events == []


def test_an_operator_sees_revoked_tokens_with_reason_and_actor(club):
    revoke(club, "lost", club.token("operator", actor="kim"))
    (item,) = club.ask("GET", "/tokens/revocations", token=club.token("operator")).body["items"]
    assert item.pop("time")
    assert item == {
        "id": "lost",
        "reason": "a laptop was stolen",
        "actor": {"actor": "kim", "role": "operator"},
        "actor_text": "kim, operator",
    }


def issue(club, organiser, by="operator", **more):
    token = club.token(by) if by else ""
    return club.ask("POST", "/tokens/organisers", {"organiser": organiser, **more}, token=token)


def test_an_operator_issues_an_organiser_a_token_sees_it_listed_and_revokes_it(club):
    operator, body = club.token("operator", actor="kim"), {"name": "Cup", "ruleset": "star-wars-armada-1.1"}
    issued = issue(club, "Club A", days=2)
    assert (issued.status, issued.types, issued.body["id"]) == (201, ["OrganiserTokenIssued"], "organiser-1")
    token = issued.body["token"]
    assert club.ask("POST", "/tournaments", body, token=token).events[0]["actor_text"] == "Club A, organiser"
    assert token.encode() not in club.ask("GET", "/tokens/organisers", token=operator).text
    assert issue(club, "Club B").body["id"] == "organiser-2"
    revoke(club, "organiser-1", operator)
    listed = club.ask("GET", "/tokens/organisers", token=operator).body["items"]
    assert [(one["id"], one["organiser"], one["actor_text"], one["revoked"]) for one in listed] == [
        ("organiser-1", "Club A", "operator", True),
        ("organiser-2", "Club B", "operator", False),
    ]
    days = [(datetime.fromisoformat(one["expires_at"]) - datetime.fromisoformat(one["time"])).days for one in listed]
    assert days == [2, 30]
    assert club.ask("POST", "/tournaments", body, token=token).code == "token-revoked"
    revoked = club.ask("GET", "/tokens/revocations", token=operator).body["items"]
    assert [one["id"] for one in revoked] == ["organiser-1"]


@pytest.mark.parametrize("name", ["organiser", "operator", "p1", "s12", "t-cup.p1"])
def test_an_organiser_cannot_have_the_name_of_another_actor(club, name):
    refused = issue(club, name)
    assert (refused.status, refused.code, refused.places) == (422, "name-not-free", ["/organiser"])


def test_an_operator_may_revoke_the_token_that_they_ask_with(club):
    own = club.token("operator", jti="mine")
    assert revoke(club, "mine", own).status == 201
    assert revoke(club, "another", own).code == "token-revoked"


@pytest.mark.parametrize("role", ["organiser", "operator"])
def test_tokens_of_the_command_line_for_one_tournament_can_be_revoked(club, role):
    evening = announced(club)
    token = club.token(role, evening.id, jti="minted")
    assert (
        club.ask(
            "POST", f"/tournaments/{evening.id}/venues", {"name": "Hall", "tables": [{"table": 1}]}, token=token
        ).status
        == 201
    )
    revoke(club, "minted")
    refused = club.ask(
        "POST", f"/tournaments/{evening.id}/venues", {"name": "Barn", "tables": [{"table": 1}]}, token=token
    )
    assert (refused.status, refused.code) == (401, "token-revoked")


def test_ids_of_tickets_mean_nothing_to_the_installation(club):
    """A tournament's tokens are the tournament's affair, whatever an operator wrote down."""
    evening = announced(club)
    joined = evening.post("/players", {"name": "Ana"}).body["players"][0]
    revoke(club, joined["token_id"])
    assert club.ask("GET", f"/tournaments/{evening.id}/me", token=joined["token"]).status == 200


def test_a_service_with_a_revoked_token_is_refused(club):
    token = token_of(club.env, "service", actor="scoring", jti="scoring-900")
    assert club.ask("GET", "/log", token=token).status == 200
    revoke(club, "scoring-900")
    assert club.ask("GET", "/log", token=token).code == "token-revoked"


def test_the_installation_is_no_tournament(club):
    operator = club.token("operator")
    revoke(club, "lost")
    assert club.ask("GET", "/tournaments", token=operator).body["items"] == []
    assert club.ask("GET", "/tournaments/installation/log").code == "tournament-unknown"
    assert club.ask("GET", "/tournaments/installation/log", token=club.token("organiser")).code == "tournament-unknown"
    (line,) = club.ask("GET", "/tournaments/installation/log", token=operator).lines
    assert line["type"].endswith("InstallationTokenRevoked")
    refused = club.ask("POST", "/tournaments/installation/players", {"name": "Ana"}, token=operator)
    assert refused.code == "tournament-unknown"
    for rest in ("", "/players", "/ruleset-moves"):
        assert club.ask("GET", f"/tournaments/installation{rest}", token=operator).code == "tournament-unknown"
    rebuilt = club.ask("POST", "/rebuild", {}, token=operator)
    assert (rebuilt.status, rebuilt.body["differences"]) == (200, [])


def test_readiness_still_shows_names_to_an_operator_when_the_database_is_gone(club, monkeypatch):
    operator = club.token("operator", jti="op")
    revoke(club, "lost", operator)
    assert club.ask("GET", "/log", token=operator).status == 200  # it has been heard of

    def away(*_, **__):
        raise OperationalError("SELECT", {}, Exception("the database is away"))

    monkeypatch.setattr("shared.service.state.Repository.now", away)
    shown = club.ask("GET", "/readyz", token=operator)
    assert shown.status == 200
    assert "detail" in shown.body["checks"]["schema"]
    assert club.ask("GET", "/readyz", token=club.token("operator", jti="lost")).code == "token-revoked"
