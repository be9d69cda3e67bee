"""Access: roles, tournaments, expiry and revocation."""

from __future__ import annotations

import pytest

from shared.web.blueprint import Blueprint
from tests.web.fake import GOOD, NOW, RESULTS, bearer, fake_app, token

STANDINGS = "/tournaments/spring-open/standings"


def code(answer):
    return answer.status_code, answer.get_json()["code"]


def test_a_referee_of_the_tournament_may_report(client):
    assert client.post(RESULTS, json=GOOD, headers=bearer()).get_json()["actor"] == "referee-1"


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Basic abc", "Bearer x.y.z", "Bearer " + "x" * 5000, "Token abc"]
)
def test_invalid_token_is_unauthenticated(client, header):
    answer = client.post(RESULTS, json=GOOD, headers={"Authorization": header} if header else {})
    assert code(answer) == (401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="muster"'


def test_scheme_is_case_insensitive(client):
    header = {"Authorization": f"bEARER {token()}"}
    assert client.get(STANDINGS, headers=header).status_code == 200


def test_forbidden_role_gets_the_allowed_roles(client):
    answer = client.post(RESULTS, json=GOOD, headers=bearer("organiser"))
    assert code(answer) == (403, "forbidden")
    assert answer.get_json()["data"] == {"role": "organiser", "roles": ["player", "referee"]}


def test_a_token_of_another_tournament(client):
    answer = client.post(RESULTS, json=GOOD, headers=bearer(tournament="autumn-open"))
    assert code(answer) == (403, "wrong-tournament")


def test_a_token_for_every_tournament(client):
    assert client.get(STANDINGS, headers=bearer("organiser", "*")).status_code == 200
    assert client.get("/log", headers=bearer("service", "*")).status_code == 200


def test_expired_token(client):
    answer = client.post(RESULTS, json=GOOD, headers=bearer(exp=NOW))
    assert code(answer) == (401, "token-expired")
    assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]
    assert answer.get_json()["data"] == {"expired_at": NOW}


def test_revoked_token(client):
    assert code(client.get(STANDINGS, headers=bearer(jti="revoked-1"))) == (401, "token-revoked")
    assert client.get(STANDINGS, headers=bearer(jti="other-1")).status_code == 200


def test_player_link_can_read(client):
    assert client.get(f"{STANDINGS}?token={token('player')}").status_code == 200
    assert client.head(f"{STANDINGS}?token={token('player')}").status_code == 200


def test_link_cannot_write(client):
    answer = client.post(f"{RESULTS}?token={token('player')}", json=GOOD)
    assert code(answer) == (401, "unauthenticated")


def test_only_player_tokens_are_accepted_in_links(client):
    assert code(client.get(f"{STANDINGS}?token={token('organiser')}")) == (401, "unauthenticated")


def test_header_takes_precedence_over_link(client):
    answer = client.get(f"{STANDINGS}?token=nonsense", headers=bearer())
    assert answer.status_code == 200


def test_public_operation_needs_no_token(client):
    assert client.get("/games").status_code == 200
    assert client.get(f"/games?token={token('player')}").status_code == 200


def test_access_within_a_tournament_needs_the_tournament_in_the_address():
    blueprint = Blueprint("careless")
    with pytest.raises(ValueError, match="tournament"):

        @blueprint.get("/everything")
        @blueprint.allow("referee")
        def everything():
            return {}


def test_access_outside_of_tournaments_is_explicit():
    blueprint = Blueprint("careful")

    @blueprint.get("/everything")
    @blueprint.allow("referee", within=None)
    @blueprint.response(200)
    def everything():
        return {}

    client = fake_app(blueprints=[blueprint]).test_client()
    assert client.get("/everything", headers=bearer()).status_code == 200
    assert client.get("/everything", headers=bearer("player")).status_code == 403


def test_unknown_role_is_refused_at_startup():
    with pytest.raises(ValueError, match="role"):
        Blueprint("x").allow("king")
    with pytest.raises(ValueError, match="role"):
        Blueprint("x").allow()
