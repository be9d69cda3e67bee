"""One evening in which everything happens that registration can do, and what a tournament looks like afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.log.cloudevents import from_wire
from shared.log.log import verify
from tests.services.registration.story import FLEET, Evening
from tests.services.story import NOBODY, same_state

OTHERS = {
    "copies",
    "recopies",
    "recovery",
    "parties",
    "sessions",
    "seasons",
    "identities",
    "groups",
    "ruleset-moves",
    "schemas",
}
"""What other formats, or copies, have alone; their stories are told in tests of their own."""


def test_an_evening_in_which_everything_happens(new_club):
    club = new_club("registration")
    operator = club.token("operator")
    rulesets = {ruleset["id"]: ruleset for ruleset in club.ask("GET", "/rulesets").body["items"]}
    assert rulesets["star-wars-armada-1.1"]["tiers"] == ["casual", "competitive", "premier"]
    options = {option["key"]: option for option in rulesets["star-wars-armada-1.1"]["options"]}
    assert options["dq_opponent_results"]["choices"] == ["keep", "void_games"]
    pack = Path("shared/swiss/packs/star-wars-armada-1.1.yaml").read_text()
    assert club.ask("POST", "/rulesets/check", {"text": pack}, token=operator).body["id"] == "star-wars-armada-1.1"
    announcement = {
        "name": "Spring Open",
        "ruleset": "star-wars-armada-1.1",
        "tier": "casual",
        "options": {"late_entry": "zero_points", "sos": "tome"},
        "starts_on": "2026-04-04",
        "ends_on": "2026-04-05",
        "capacity": 4,
        "rounds": 2,
        "check_in": True,
        "visibility": "private",
        "pairing_scope": "venue",
    }
    answer = club.ask("POST", "/tournaments", announcement, token=operator)
    open = Evening(club, answer.body["id"])
    organiser = answer.body["token"]

    def post(rest, body=None, by=organiser):
        answer = open.post(rest, body, by)
        assert answer.status == 201, answer
        return answer

    post("/amendments", {"name": "Spring Open 2026", "rounds": 3})
    hall = post("/venues", {"name": "Hall", "tables": 2}).events[0]["data"]["venue"]
    cellar = post("/venues", {"name": "Cellar"}).events[0]["data"]["venue"]
    post(f"/venues/{cellar}/amendments", {"time_zone": "Europe/Berlin"})
    post(f"/venues/{hall}/tables", {"tables": [{"table": 1, "accessible": True}, {"table": 2}, {"table": 3}]})
    post(f"/venues/{cellar}/closing", {"reason": "the light is broken"})
    referee = post("/staff", {"name": "Rita", "role": "referee"}).body["token"]
    helper = post("/staff", {"name": "Hugo", "role": "spare", "venue": hall})
    post(f"/staff/{helper.body['id']}/dismissal", {"reason": "ill"})

    ana = post("/players", {"name": "Ana", "club": "Reds", "contact": {"email": "ana@example.org"}}).body["players"][0]
    post("/players/list", {"players": [{"name": "Ben"}, {"name": "Cy", "faction": "rebel"}]}, by=referee)
    assert open.post("/players/csv", b"name,club\nDee,Blues\nEli,\nFay,\n", by=organiser).status == 201
    assert open.names("waiting") == ["Eli", "Fay"]
    post("/players/p6/seat", {"reason": "helps at the desk", "more": True})
    assert open.names("waiting") == ["Eli"]
    assert open.delete("/players/p6/seat", by=organiser).types == ["SeatTakenBack"]
    post("/registration/close")
    post("/registration/reopen")
    post("/sign-up", {"name": "Gia"}, by=referee)
    post("/kept-apart", {"groups": [["p1", "p3"]]})
    post("/staff/s1/player", {"player": "p3"})
    post("/players/p1/amendments", {"faction": "imperial"})
    post("/players/p1/roster", {"roster": FLEET}, by=ana["token"])
    post("/players/p1/roster/rejection", {"note": "imperial players bring no rebels"}, by=referee)
    post("/players/p1/roster/acceptance", {"note": "amended on paper"}, by=referee)
    post("/rosters/acceptance", {"players": ["p1"], "note": "amended on paper"}, by=referee)
    assert open.get("/players/p1/roster", by=organiser).body["note"] == "amended on paper"
    assert open.get("/players/barred", by=organiser).body["items"] == []
    post("/players/p2/withdrawal", {"reason": "ill"})
    assert open.names("active") == ["Ana", "Cy", "Dee", "Eli"]
    post("/players/p3/check-in", {"venue": hall}, by=referee)
    post("/players/p3/check-out", by=referee)
    post("/players/check-in", {"players": ["p3", "p4"], "venue": hall}, by=referee)
    post("/players/check-out", {"players": ["p3", "p4"]}, by=referee)
    post("/players/p3/table", {"venue": hall, "table": 1, "reason": "a wheelchair"})
    assert open.delete("/players/p3/table", by=organiser).types == ["PlayerUnpinned"]

    assert open.get("/players/p3", by=organiser).body["pinned"] is None

    open.begin("p1", "p3", "p4", "p5")
    balcony = post("/venues", {"name": "Balcony", "tables": 2}).events[0]["data"]["venue"]
    post("/players/p4/venue", {"venue": balcony, "reason": "one too many in the hall"}, by=referee)
    post("/players/p4/warnings", {"reason": "slow play", "clause": "AR-COND-2", "note": "an hour late"}, by=referee)
    post("/players/p4/drop", {"reason": "tired"})
    post("/players/p4/reinstatement", by=referee)
    post("/players/p5/disqualification", {"reason": "loaded dice"})
    post("/players/p5/disqualification/revocation", {"reason": "the dice were fair"})
    post("/tokens/revocations", {"token_id": ana["token_id"], "reason": "the phone was lost"}, by=referee)
    link = open.post("/players/p1/links", {}, by=referee).body
    assert len(open.get("/players/p1/links", by=link["token"]).body["items"]) == 2

    assert open.get("/me", by=link["token"]).body["player"]["name"] == "Ana"
    assert open.get("/players/p1/personal", by=link["token"]).body["data"] == {"email": "ana@example.org"}
    assert open.get("/players/p1/personal/looks", by=link["token"]).body["items"] == []
    assert open.delete("/players/p1/personal", by=link["token"]).types == ["PersonalDataErased"]
    assert open.get("/players/p1/roster", by=organiser).body["note"] == "", "it was erased with the rest"
    assert open.get("/players/p1/roster/sheets", by=referee).status == 200
    assert open.get("/rosters/sheets", by=referee).body["total"] == 1
    assert [player["status"] for player in open.get("/players?limit=6").body["items"]] == [
        "active",
        "withdrawn",
        "active",
        "active",
        "active",
        "waiting",
    ]
    open.concluded()
    shown = open.get().body
    assert (shown["status"], shown["players"]) == ("concluded", {"active": 4, "withdrawn": 1, "waiting": 2})
    assert [line["name"] for line in club.ask("GET", "/tournaments", token=operator).body["items"]] == [shown["name"]]

    lines = open.get("/log?limit=500", by=organiser).text.splitlines()
    assert verify(map(from_wire, lines)) == club.folded(open.id).heads["registration"]
    assert open.get("/heads", by=organiser).body["heads"]["registration"]["position"] == len(lines)
    assert open.get("/players/csv").text.splitlines()[0] == b"player,name,faction,venue,club"
    feed = club.ask("GET", "/log", token=operator).lines
    assert [line["id"] for line in feed] == [event.id for event in open.log]
    assert [line["feedposition"] for line in feed] == list(range(1, len(feed) + 1))
    assert same_state(club, open.id)
    for path in ("/healthz", "/readyz", "/rulesets/star-wars-armada-1.1"):
        assert club.ask("GET", path).status == 200
    assert open.get("/ruleset", by=organiser).status == 200
    assert club.ask("GET", "/metrics", token=club.token("integration")).status == 200

    assert club.ask("POST", "/tokens/organisers", {"organiser": "Club B"}, token=operator).status == 201
    assert len(club.ask("GET", "/tokens/organisers", token=operator).body["items"]) == 1
    assert club.ask("POST", "/tokens/revocations", {"token_id": "a phone"}, token=operator).status == 201
    assert len(club.ask("GET", "/tokens/revocations", token=operator).body["items"]) == 1

    other = Evening(club, club.ask("POST", "/tournaments", announcement, token=operator).body["id"])
    assert other.post("/cancellation", {"reason": "two on one day"}).types == ["TournamentCancelled"]
    assert club.ask("POST", "/rebuild", token=operator).status == 200
    assert open.get("/players/p1/warnings", by=organiser).status == 200
    of_others = {name for name, operation in club.operations.items() if set(operation["tags"]) & OTHERS}
    assert club.done == set(club.operations) - of_others - {"check_database", "join_party", "sign_up_party"}


def test_a_tournament_is_shown_as_it_was_announced(announce):
    evening = announce(
        name="Spring Open",
        tier="premier",
        options={"sos": "tome"},
        starts_on="2026-04-04",
        ends_on="2026-04-05",
        capacity=32,
        rounds=4,
        pairing_scope="venue",
        check_in=True,
    )
    shown = evening.get(by=NOBODY).body
    expected = {
        "id": evening.id,
        "name": "Spring Open",
        "format": "swiss",
        "status": "announced",
        "tier": "premier",
        "starts_on": "2026-04-04",
        "ends_on": "2026-04-05",
        "capacity": 32,
        "rounds": 4,
        "pairing_scope": "venue",
        "visibility": "public",
        "check_in": True,
        "registration_open": True,
        "players": {},
        "venues": [],
        "staff": [],
    }
    assert {name: shown[name] for name in expected} == expected
    assert evening.get("/ruleset").body["ruleset"]["chosen"] == {"sos": "tome"}


def test_only_name_and_ruleset_are_required(evening):
    shown = evening.get().body
    assert (shown["tier"], shown["capacity"], shown["rounds"], shown["check_in"]) == ("casual", None, None, False)


class TestAmendments:
    """Amendments, and until when they are possible."""

    def test_name_and_days_change_at_any_time(self, evening):
        evening.begin(*evening.join("Ana", "Ben"))
        answer = evening.post("/amendments", {"name": "Late Open", "starts_on": "2026-04-04"})
        assert answer.events[0]["data"] == {"name": "Late Open", "starts_on": "2026-04-04"}

    def test_an_amendment_without_differences_changes_nothing(self, evening):
        assert evening.post("/amendments", {}).types == []
        assert evening.post("/amendments", {"name": "Club night"}).types == []

    def test_omitted_members_stay_and_null_is_refused(self, evening):
        evening.join("Ana", faction="rebel", club="Reds")
        assert evening.do("p1", "amendments", {"club": "Owls"}).events[0]["data"] == {"player": "p1", "club": "Owls"}
        shown = evening.player("p1")
        assert (shown["name"], shown["faction"], shown["club"]) == ("Ana", "rebel", "Owls")
        for place, member in (("/amendments", "capacity"), ("/players/p1/amendments", "club")):
            refused = evening.post(place, {member: None})
            assert (refused.code, refused.places) == ("invalid-request", [f"/{member}"])

    @pytest.mark.parametrize(
        ("ruleset", "clause"),
        [
            pytest.param("star-wars-armada-1.1", "AR-RND-2", marks=pytest.mark.clause("AR-SET-4")),
            ("fallout-factions-comp-1.0", "FF-RND-1"),
            ("dust-warfare-1.0", "DW-RND-1"),
        ],
    )
    def test_rounds_are_fixed_before_play(self, announce, ruleset, clause):
        evening = announce(ruleset=ruleset)
        evening.post("/amendments", {"rounds": 4})
        evening.pair_first(*evening.join("Ana", "Ben"))
        assert evening.post("/amendments", {"rounds": 4}).types == []
        refused = evening.post("/amendments", {"rounds": 5, "name": "Longer"})
        assert (refused.code, refused.places, refused.data["clause"]) == ("too-late-to-change", ["/rounds"], clause)
        assert evening.get().body["name"] == "Club night"

    @pytest.mark.parametrize("body", [{"rounds": 0}, {"rounds": 65}, {"capacity": "many"}, {"tier": "premier"}])
    def test_invalid_values_are_refused(self, evening, body):
        assert evening.post("/amendments", body).code == "invalid-request"

    def test_it_does_not_end_before_it_starts(self, announce, club):
        body = {
            "name": "x",
            "ruleset": "star-wars-armada-1.1",
            "starts_on": "2026-04-05",
            "ends_on": "2026-04-04",
        }
        refused = club.ask("POST", "/tournaments", body, token=club.token("operator"))
        assert (refused.code, refused.places) == ("dates-out-of-order", ["/ends_on"])
        evening = announce(starts_on="2026-04-05", ends_on="2026-04-06")
        assert evening.post("/amendments", {"starts_on": "2026-04-07"}).code == "dates-out-of-order"
        assert evening.post("/amendments", {"starts_on": "2026-04-07", "ends_on": "2026-04-07"}).status == 201


def test_a_reason_is_required_to_cancel(evening):
    for body in ({}, {"reason": ""}, {"reason": "x" * 501}, {"reason": None}):
        assert evening.post("/cancellation", body).code == "invalid-request"
