"""Players barred from later events are shown to staff of the organiser's other tournaments (FF-DQ-3)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.services.engines import ENGINES, club_on
from tests.services.registration.story import Evening
from tests.services.story import NOBODY

WORDS = "this club's events until 2027"
Tell = Callable[[Evening], list[tuple[str, str, str]]]


@pytest.fixture(scope="module", params=ENGINES)
def club(request, new_club):
    return club_on(request.param, "registration", new_club, request)


@pytest.fixture
def by(club, request):
    """Announce a tournament as an organiser of one's own, whom no other test knows."""

    def announce(name: str = "Club night", organiser: str = "") -> Evening:
        actor = f"{organiser or 'us'}-{abs(hash(request.node.nodeid))}"
        body = {"name": name, "ruleset": "fallout-factions-comp-1.0"}
        answer = club.ask("POST", "/tournaments", body, token=club.token("operator", actor=actor))
        assert answer.status == 201, answer
        return Evening(club, answer.body["id"])

    return announce


def bar(evening: Evening, *players: dict[str, str]) -> None:
    for player in players:
        answer = evening.post("/players", player)
        id = answer.body["players"][0]["id"]
        assert evening.do(id, "disqualification", {"reason": "loaded dice", "barred": WORDS}).status == 201


def barred_players(evening: Evening) -> list[tuple[str, str]]:
    answer = evening.get("/players/barred")
    assert answer.status == 200, answer
    return [(item["id"], item["by"]) for item in answer.body["items"]]


@pytest.mark.clause("FF-DQ-3")
def test_staff_see_players_with_the_id_or_name_of_a_barred_player(by):
    before = by("Winter Open")
    bar(before, {"name": "Ana Berg", "external_id": "club-7"}, {"name": "Ben"})
    later = by()
    later.post(
        "/players/list", {"players": [{"name": "A. Berg", "external_id": "CLUB-7"}, {"name": "ben"}, {"name": "Cy"}]}
    )
    assert barred_players(later) == [("p1", "external_id"), ("p2", "name")]
    assert later.get("/players/barred", by="referee").body["items"][0] == {
        "id": "p1",
        "name": "A. Berg",
        "by": "external_id",
        "tournament": before.id,
        "tournament_name": "Winter Open",
        "barred": WORDS,
    }
    for stranger in ("p3", NOBODY):
        assert later.get("/players/barred", by=stranger).status in (401, 403)
    later.do("p2", "withdrawal", {})
    assert barred_players(later) == [("p1", "external_id")]


@pytest.mark.clause("FF-DQ-3")
def test_a_namesake_with_another_id_is_another_person(by):
    bar(by("Winter Open"), {"name": "Ana Berg", "external_id": "club-7"})
    later = by()
    later.post("/players", {"name": "Ana Berg", "external_id": "club-8"})
    assert barred_players(later) == []


@pytest.mark.clause("FF-DQ-3")
def test_revoked_bars_and_those_of_other_organisers_do_not_count(by):
    before = by("Winter Open")
    bar(before, {"name": "Ana"})
    bar(by("Elsewhere", organiser="others"), {"name": "Ben"})
    only_out = by("Spring Open")
    only_out.post("/players", {"name": "Cy"})
    only_out.do("p1", "disqualification", {"reason": "x"})
    later = by()
    later.join("Ana", "Ben", "Cy")
    assert barred_players(later) == [("p1", "name")]
    assert barred_players(before) == [], "where it was decided it is seen with the player"
    before.do("p1", "disqualification/revocation", {"reason": "another's dice"})
    assert barred_players(later) == []
