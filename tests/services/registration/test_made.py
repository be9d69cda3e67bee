"""Answers to commands: `id` and address of the new resource, and the ruleset as a reference."""

from __future__ import annotations

import json

import pytest

from tests.services.registration.story import ARMADA
from tests.services.story import NOBODY

LARGEST_ANSWER = 3000
"""Bytes of the answer to an announcement; the ruleset alone has four times as many."""


def announced(club, **headers):
    body = {"name": "Spring Open", "ruleset": ARMADA, "tier": "casual"}
    return club.ask("POST", "/tournaments", body, token=club.token("operator"), **headers)


def test_an_announcement_is_answered_with_the_address_of_the_tournament_and_without_its_ruleset(club):
    answer = announced(club)
    shown = club.ask("GET", answer.headers["Location"])
    assert (shown.status, shown.body["id"]) == (200, answer.body["id"])
    assert answer.text.startswith(b'{"id":"t-')
    assert len(answer.text) < LARGEST_ANSWER
    assert len(shown.text) < LARGEST_ANSWER
    reference = {
        "id": ARMADA,
        "version": "1.1",
        "name": "Star Wars: Armada",
        "format": "swiss",
        "address": f"/tournaments/{answer.body['id']}/ruleset",
    }
    assert (answer.events[0]["data"]["ruleset"], shown.body["ruleset"]) == (reference, reference)


def test_the_ruleset_of_a_tournament_is_shown_whole_as_its_log_holds_it(announce):
    evening = announce(options={"sos": "tome"})
    address = evening.get(by=NOBODY).body["ruleset"]["address"]
    shown = evening.club.ask("GET", address)
    assert shown.body["ruleset"] == json.loads(evening.log[0].data)["ruleset"]
    assert shown.body["ruleset"]["chosen"] == {"sos": "tome"}
    assert (shown.body["id"], shown.body["name"]) == (ARMADA, "Star Wars: Armada")
    etag = shown.headers["ETag"]
    assert evening.club.ask("GET", address, If_None_Match=etag).status == 304


def test_a_preview_of_an_announcement_has_no_ruleset_either(club):
    body = {"name": "Spring Open", "ruleset": ARMADA}
    answer = club.ask("POST", "/tournaments?preview=true", body, token=club.token("operator"))
    assert len(answer.text) < LARGEST_ANSWER
    assert answer.events[0]["data"]["ruleset"]["id"] == ARMADA
    assert "Location" not in answer.headers


def test_one_player_has_an_id_and_an_address_and_several_have_none(evening):
    one = evening.enter("Ana")
    assert (one.body["id"], one.headers["Location"]) == ("p1", f"/tournaments/{evening.id}/players/p1")
    assert evening.club.ask("GET", one.headers["Location"]).body["id"] == "p1"
    several = evening.post("/players/list", {"players": [{"name": "Ben"}, {"name": "Cy"}]})
    assert "id" not in several.body
    assert "Location" not in several.headers
    assert [player["id"] for player in several.body["players"]] == ["p2", "p3"]


def test_a_waiting_player_has_an_id_too(announce):
    full = announce(capacity=2)
    full.join("Ana", "Ben")
    assert (full.enter("Cy").body["id"], full.player("p3")["status"]) == ("p3", "waiting")


def test_a_resource_without_an_address_has_an_id(evening):
    for number in (1, 2):
        venue = evening.post("/venues", {"name": f"Hall {number}", "tables": 2})
        assert (venue.body["id"], "Location" in venue.headers) == (f"v{number}", False)
    staff = evening.post("/staff", {"name": "Rita", "role": "referee"})
    assert [member["id"] for member in evening.get().body["staff"]] == [staff.body["id"]]
    evening.enter("Ana")
    link = evening.do("p1", "links", {})
    assert link.body["id"] in [item["id"] for item in evening.get("/players/p1/links").body["items"]]
    assert evening.post("/tokens/revocations", {"token_id": link.body["id"]}).body["id"] == link.body["id"]


def test_a_command_that_creates_nothing_has_no_id(evening):
    evening.enter("Ana")
    assert "id" not in evening.do("p1", "check-in", {}).body
    assert "id" not in evening.post("/amendments", {}).body


def test_a_repeated_command_has_the_same_id_and_address(evening, club):
    first, again = (evening.enter("Ana", Idempotency_Key="ana-1") for _ in range(2))
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (again.body, again.headers["Location"]) == (first.body, first.headers["Location"])
    first, again = (announced(club, Idempotency_Key="spring-1") for _ in range(2))
    assert (again.body["id"], again.headers["Location"]) == (first.body["id"], first.headers["Location"])


def test_openapi_says_which_answers_have_an_address(club):
    located = {
        name
        for name, operation in club.operations.items()
        if "Location" in operation["responses"].get("201", {}).get("headers", {})
    }
    preview = club.operations["join_player"]["responses"]["200"]
    assert "Location" not in preview["headers"]
    assert located == {
        "announce_tournament",
        "join_player",
        "join_players",
        "join_players_csv",
        "sign_up",
        "claim_entries",
        "claim_by_name",
        "claim_own",
        "split_identity",
    }


@pytest.mark.parametrize(("tables", "numbers"), [(3, [1, 2, 3]), (0, []), ([{"table": "12"}, {"table": 7}], [7, 12])])
def test_tables_are_given_one_by_one_or_as_how_many_there_are(evening, tables, numbers):
    venue = evening.post("/venues", {"name": "Hall", "tables": tables}).body["id"]
    (shown,) = evening.get().body["venues"]
    assert [table["table"] for table in shown["tables"]] == numbers
    assert evening.post(f"/venues/{venue}/tables", {"tables": 2}).types == ["TablesChanged"]
    evening.enter("Ana")
    assert evening.do("p1", "table", {"venue": venue, "table": "2"}).events[0]["data"]["table"] == 2
    wrong = evening.do("p1", "table", {"venue": venue, "table": "two"})
    assert (wrong.code, wrong.faults[0]["said"]) == ("invalid-request", '"two"')
