"""Expiry of tokens: some weeks after the event (except the organiser's), and after a number of days in any case."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import jwt
import pytest

from shared.tournament.registration import TournamentAmended
from tests.services.registration.story import Evening

DAY = 86_400


@pytest.fixture(scope="module")
def club(new_club):
    return new_club("registration", MUSTER_AFTER_END_DAYS="10", MUSTER_TOKEN_DAYS="100")


def days_ago(days: int) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).date().isoformat()


def with_people(club, ends_on: str | None = None, **members) -> tuple[Evening, dict[str, str]]:
    """A tournament, and the token of each role that registration handed out.

    ends_on: recorded in the log, since one that is long past cannot be announced.
    """
    answer = club.ask(
        "POST",
        "/tournaments",
        {"name": "Cup", "ruleset": "star-wars-armada-1.1", **members},
        token=club.token("operator"),
    )
    evening = Evening(club, answer.body["id"])
    tokens = {"organiser": answer.body["token"]}
    for role in ("head_referee", "referee", "spare", "integration"):
        tokens[role] = evening.post("/staff", {"name": role, "role": role}).body["token"]
    tokens["player"] = evening.enter("Ana").body["players"][0]["token"]
    if ends_on:
        evening.say("registration", TournamentAmended(ends_on=ends_on))
    return evening, tokens


def test_each_says_when_it_ends(club):
    _, tokens = with_people(club)
    for role, token in tokens.items():
        claims = jwt.decode(token, options={"verify_signature": False})
        assert claims["exp"] - claims["iat"] == 100 * DAY
        assert abs(claims["iat"] - time.time()) < 60
        assert claims.get("after_end") == (None if role == "organiser" else 10)


@pytest.mark.parametrize(("ended", "good"), [(10, True), (11, False)])
def test_so_many_days_behind_the_end_only_the_organisers_is_good(club, ended, good):
    evening, tokens = with_people(club, starts_on=days_ago(12), ends_on=days_ago(ended))
    for role, token in tokens.items():
        answer = evening.get("/me" if role == "player" else "", token)
        if good or role == "organiser":
            assert answer.status == 200, (role, answer)
        else:
            assert (answer.status, answer.code) == (401, "token-expired"), role
            assert answer.data["expired_at"] <= time.time()
            assert f"ended on {days_ago(ended)}" in answer.body["detail"]
    refused = evening.post("/players/p1/withdrawal", {}, tokens["player"])
    assert refused.status == (201 if good else 401)


def test_an_end_that_is_moved_moves_the_end_of_every_token(club):
    evening, tokens = with_people(club, starts_on=days_ago(40), ends_on=days_ago(30))
    assert evening.get("/me", tokens["player"]).code == "token-expired"
    assert evening.post("/amendments", {"ends_on": days_ago(3)}, tokens["organiser"]).status == 201
    assert evening.get("/me", tokens["player"]).status == 200


def test_without_a_last_day_the_conclusion_is_the_end(club):
    evening, tokens = with_people(club)
    evening.concluded(days_ago(11) + "T20:00:00.000Z")
    assert evening.get("/me", tokens["player"]).code == "token-expired"
    assert evening.get("", tokens["organiser"]).status == 200


def test_a_tournament_past_its_last_day_ends_at_its_conclusion(club):
    evening, tokens = with_people(club, starts_on=days_ago(40), ends_on=days_ago(30))
    evening.concluded(days_ago(2) + "T20:00:00.000Z")
    assert evening.get("/me", tokens["player"]).status == 200


def test_without_any_end_they_are_good(club):
    evening, tokens = with_people(club, starts_on=days_ago(90))
    assert evening.get("/me", tokens["player"]).status == 200


def test_a_token_of_the_installation_ends_when_it_says_alone(club):
    evening, _ = with_people(club, starts_on=days_ago(40), ends_on=days_ago(30))
    assert evening.get("", club.token("organiser", evening.id)).status == 200
