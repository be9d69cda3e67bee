"""Rosters: refused with every clause if illegal, locked and public after play has begun."""

from __future__ import annotations

import json

import pytest

from tests.services.registration.story import FLEET
from tests.services.story import NOBODY


@pytest.fixture
def evening(evening):
    evening.join("Ana", "Ben")
    return evening


def test_a_legal_roster_is_accepted_at_once(evening):
    answer = evening.do("p1", "roster", {"roster": FLEET}, by="p1")
    assert answer.types == ["RosterSubmitted", "RosterAccepted"]
    shown = evening.get("/players/p1/roster", by="p1").body
    assert {part["field"] for part in shown.pop("sealed")} == set(FLEET)
    assert shown == {"player": "p1", "status": "accepted", "note": "", "roster": FLEET, "faults": [], "advice": []}
    assert evening.player("p1")["roster"] == "accepted"


@pytest.mark.clause("AR-ROS-1", "AR-ROS-2", "AR-ROS-3", "AR-ROS-4", "AR-ROS-6")
def test_a_roster_with_six_faults_is_one_problem_with_every_clause(evening):
    fleet = {
        **FLEET,
        "faction": "hutt",
        "commanders": [*FLEET["commanders"], {"name": "Another", "points": 1}],
        "squadrons": [{"name": "X-wing", "points": 103}],
        "fleet_total": 299,
        "objectives": FLEET["objectives"][:2],
    }
    before = evening.get("/heads").body
    answer = evening.do("p1", "roster", {"roster": fleet}, by="p1")
    assert (answer.status, answer.code) == (422, "roster-illegal")
    assert [(fault["where"], fault["clause"]) for fault in answer.faults] == [
        ("/roster/fleet_total", "AR-ROS-1"),
        ("/roster/fleet_total", "AR-ROS-6"),
        ("/roster/squadrons", "AR-ROS-2"),
        ("/roster/commanders", "AR-ROS-3"),
        ("/roster/objectives", "AR-ROS-3"),
        ("/roster/faction", "AR-ROS-4"),
    ]
    assert all(fault["expected"] for fault in answer.faults)
    assert evening.player("p1")["roster"] == ""
    assert evening.get("/heads").body == before


@pytest.mark.parametrize(
    ("roster", "places"),
    [
        ({"fleet": "big"}, ["/roster/fleet"]),
        ({"ships": "many"}, ["/roster/ships"]),
        (
            {"ships": [{"name": "x", "points": -1}], "fleet_total": 1.5},
            ["/roster/ships/0/points", "/roster/fleet_total"],
        ),
    ],
)
def test_a_roster_of_the_wrong_shape_has_only_faults_of_shape(evening, roster, places):
    assert evening.do("p1", "roster", {"roster": roster}).places == places


@pytest.mark.parametrize("body", [{}, {"roster": []}, {"roster": None}, {"roster": {}, "why": "x"}])
def test_no_roster_at_all(evening, body):
    assert evening.do("p1", "roster", body).code == "invalid-request"


def test_the_same_roster_again_changes_nothing_and_another_replaces_it(evening):
    evening.do("p1", "roster", {"roster": FLEET})
    assert evening.do("p1", "roster", {"roster": FLEET}).types == []
    smaller = {**FLEET, "squadrons": [], "fleet_total": 210}
    assert evening.do("p1", "roster", {"roster": smaller}).types == ["RosterSubmitted", "RosterAccepted"]


def test_a_waiting_player_can_submit_a_roster(announce):
    evening = announce(capacity=2)
    evening.join("Ana", "Ben", "Cy")
    assert evening.do("p3", "roster", {"roster": FLEET}, by="p3").status == 201


def test_staff_reject_what_the_data_cannot_show_and_the_player_reads_why(evening):
    """A proxy on the table is seen by a referee, not by a check of points."""
    evening.do("p1", "roster", {"roster": FLEET})
    assert evening.do("p1", "roster/rejection", {"note": ""}).code == "invalid-request"
    answer = evening.do("p1", "roster/rejection", {"note": "the CR90 is a proxy"}, by="referee")
    assert answer.types == ["RosterRejected"]
    assert evening.do("p1", "roster/rejection", {"note": "again"}).types == []
    shown = evening.get("/players/p1/roster", by="p1").body
    assert (shown["status"], shown["note"]) == ("rejected", "the CR90 is a proxy")


def test_a_rejected_roster_is_accepted_after_all_or_replaced(evening):
    evening.do("p1", "roster", {"roster": FLEET})
    evening.do("p1", "roster/rejection", {"note": "a proxy"})
    assert evening.do("p1", "roster", {"roster": FLEET}).types == ["RosterSubmitted", "RosterAccepted"]
    evening.do("p1", "roster/rejection", {"note": "a proxy"})
    assert evening.do("p1", "roster/acceptance", {"note": "replaced"}).types == ["RosterAccepted"]
    assert evening.do("p1", "roster/acceptance", {}).types == []


@pytest.mark.parametrize("what", ["acceptance", "rejection"])
def test_there_has_to_be_a_roster_first(evening, what):
    assert evening.do("p1", f"roster/{what}", {"note": "x"}).code == "roster-missing"


class TestLock:
    """AR-ROS-7: the fleet is locked for the whole event; FF-AMB-15: staff amend it by a decision of their own."""

    def test_a_pairing_does_not_lock_but_the_start_of_play_does(self, evening):
        evening.do("p1", "roster", {"roster": FLEET})
        evening.pair_first("p1", "p2")
        assert evening.do("p2", "roster", {"roster": FLEET}, by="p2").status == 201
        evening.started(1)
        smaller = {**FLEET, "squadrons": [], "fleet_total": 210}
        assert evening.do("p2", "roster", {"roster": smaller}, by="p2").code == "roster-locked"

    @pytest.mark.clause("FF-AMB-15")
    def test_staff_amend_a_locked_roster_with_a_reason(self, evening):
        evening.begin("p1", "p2")
        assert evening.do("p1", "roster", {"roster": FLEET}).code == "roster-locked"
        answer = evening.do("p1", "roster", {"roster": FLEET, "override": "the list was lost"}, by="referee")
        assert answer.events[1]["data"] == {"player": "p1", "note": "the list was lost"}

    def test_a_player_does_not_override(self, evening):
        evening.begin("p1", "p2")
        body = {"roster": FLEET, "override": "I say so"}
        assert evening.do("p1", "roster", body, by="p1").code == "roster-locked"


@pytest.mark.clause("DW-ROS-3")
def test_a_list_of_dust_warfare_does_not_change_once_play_has_begun(announce):
    evening = announce(ruleset="dust-warfare-1.0")
    evening.join("Ana", "Ben", "Cy")
    army = evening.get("/ruleset").body["ruleset"]["roster"]["example"]
    for player in ("p1", "p3"):
        assert evening.do(player, "roster", {"roster": army}, by=player).status == 201
    evening.begin("p1", "p2", "p3")
    for player in ("p1", "p3"):  # who has the bye has not played yet, and is locked too
        assert evening.do(player, "roster", {"roster": army}, by=player).code == "roster-locked"


class TestLockOfEachPlayer:
    """FF-AMB-22: a list is locked when its player's own first game starts."""

    CREW = {
        "faction": "The Pack",
        "rating": 250,
        "models": [{"name": "Alpha", "class": "leader", "points": 250, "profile_perks": [{"name": "Natural Leader"}]}],
        "chems": [],
        "legend": [],
    }

    @pytest.fixture
    def evening(self, announce):
        evening = announce(ruleset="fallout-factions-comp-1.0")
        evening.join("Ana", "Ben", "Cy")
        evening.begin("p1", "p2", "p3")
        return evening

    @pytest.mark.clause("FF-SET-3", "FF-AMB-22")
    def test_rosters_are_locked_except_that_of_the_player_with_the_bye(self, evening):
        assert evening.do("p1", "roster", {"roster": self.CREW}, by="p1").code == "roster-locked"
        assert evening.do("p3", "roster", {"roster": self.CREW}, by="p3").status == 201

    @pytest.mark.clause("FF-SET-3", "FF-AMB-22")
    def test_until_their_first_game(self, evening):
        evening.closed(1)
        evening.paired(2, ("p3", "p1"), ("p2",))
        assert evening.do("p3", "roster", {"roster": self.CREW}, by="p3").status == 201
        evening.started(2)
        assert evening.do("p3", "roster", {"roster": {**self.CREW, "rating": 249}}, by="p3").code == "roster-locked"


class TestWhoMaySee:
    """FF-COND-2: open information once play has begun; before that, the owner's and the staff's."""

    def test_before_play_a_roster_is_its_owners_and_the_staffs(self, evening):
        evening.do("p1", "roster", {"roster": FLEET})
        for by in ("p1", "referee", "organiser", "integration", "service"):
            assert evening.get("/players/p1/roster", by=by).status == 200
        for by in ("p2", "spare", NOBODY):
            assert evening.get("/players/p1/roster", by=by).code == "rosters-hidden"

    def test_before_play_the_log_is_the_same_for_all_callers(self, evening):
        evening.do("p1", "roster", {"roster": FLEET})
        readers = ("referee", "operator", "integration", "service", "p1", "p2", "spare", NOBODY)
        tokens = [evening.token(by) or NOBODY for by in readers]
        assert len({evening.get("/log", by=token).text for token in tokens}) == 1

    def test_staff_and_players_of_another_tournament_are_strangers(self, evening, club):
        evening.do("p1", "roster", {"roster": FLEET})
        strangers = [
            club.token("referee", "t-elsewhere"),
            club.token("organiser", "t-elsewhere"),
            club.token("player", "t-elsewhere", player="p1"),
        ]
        for stranger in strangers:
            assert evening.get("/players/p1/roster", by=stranger).code == "rosters-hidden"
        assert evening.get("/players/p1/roster", by=club.token("operator")).status == 200

    @pytest.mark.clause("DW-ROS-1", "FF-COND-2")
    @pytest.mark.parametrize("ruleset", ["dust-warfare-1.0", "fallout-factions-comp-1.0"])
    def test_after_play_has_begun_the_roster_is_public(self, announce, ruleset):
        evening = announce(ruleset=ruleset)
        evening.join("Ana", "Ben")
        example = evening.get("/ruleset").body["ruleset"]["roster"]["example"]
        evening.do("p1", "roster", {"roster": example})
        assert evening.get("/players/p1/roster", by=NOBODY).code == "rosters-hidden"
        evening.begin("p1", "p2")
        shown = evening.get("/players/p1/roster", by=NOBODY).body
        assert (shown["roster"], shown["sealed"]) == (example, [])

    def test_no_roster_is_shown_as_none(self, evening):
        shown = evening.get("/players/p1/roster").body
        assert (shown["status"], shown["roster"]) == ("", {})
        assert evening.get("/players/p9/roster").code == "player-unknown"


CATALOGUE = {
    "ruleset": "star-wars-armada-1.1",
    "document": "the operator's own list",
    "items": [
        {"in_list": "ships", "name": "Nebulon-B", "points": 57},
        {"in_list": "squadrons", "name": "X-wing", "fields": {"size": "small"}},
    ],
}


@pytest.mark.clause("AR-ROS-5")
def test_a_tournament_is_announced_with_what_rosters_may_hold(announce):
    evening = announce(catalogues=[CATALOGUE])
    evening.join("Ana")
    faults = evening.do("p1", "roster", {"roster": FLEET}, by="p1").faults
    assert [(fault["where"], fault["clause"]) for fault in faults] == [
        ("/roster/ships/0/name", "AR-ROS-5"),
        ("/roster/ships/2/name", "AR-ROS-5"),
        ("/roster/squadrons/1/name", "AR-ROS-5"),
    ]


def test_every_fault_of_every_catalogue_is_reported(club):
    items = [{"in_list": "ship", "name": "CR90", "points": 44}, {"in_list": "ships", "name": "nebulon-b"}]
    body = {"name": "Club night", "ruleset": "star-wars-armada-1.1"}
    wrong = [{**CATALOGUE, "ruleset": "dust-warfare-1.0"}, CATALOGUE, {**CATALOGUE, "items": items}]
    answer = club.ask("POST", "/tournaments", body | {"catalogues": wrong}, token=club.token("operator"))
    assert (answer.status, answer.code) == (422, "ruleset-refused")
    assert answer.places == [
        "/catalogues/0/ruleset",
        "/catalogues/2/items/0/in_list",
        "/catalogues/2/items/1/name",
    ]
    answer = club.ask(
        "POST", "/tournaments", body | {"catalogues": [{"items": [{"points": -1}]}]}, token=club.token("operator")
    )
    assert (answer.code, answer.places[-1]) == ("invalid-request", "/catalogues/0/items/0/points")


@pytest.mark.clause("FF-ROS-20")
def test_advice_comes_with_a_legal_roster(announce):
    evening = announce(ruleset="fallout-factions-comp-1.0")
    evening.join("Ana")
    leader = {"name": "Boss", "class": "leader", "points": 80, "profile_perks": [{"name": "Natural Leader"}]}
    perk = {"name": "Warden", "kind": "charisma", "requisite": 1, "points": 1}
    crew = {"faction": "Survivors", "rating": 81, "models": [{**leader, "perks": [perk]}]}
    answer = evening.do("p1", "roster", {"roster": crew}, by="p1")
    advice = {
        "where": "/roster/models/0/perks/0/name",
        "said": "Warden",
        "expected": "another: it has no effect",
        "clause": "FF-ROS-20",
    }
    (found,) = answer.body["advice"]
    assert (answer.status, {name: found[name] for name in advice}) == (201, advice)
    assert answer.types == ["RosterSubmitted"]
    assert evening.get("/players/p1/roster", by="p1").body["advice"] == [found]
    assert evening.do("p1", "roster", {"roster": crew}, by="p1").body["advice"] == [found]


class TestDueDay:
    """FF-REG-2, FF-AMB-22: lists are due seven days before; later ones are taken with advice."""

    CREW = {
        "faction": "Survivors",
        "rating": 80,
        "models": [{"name": "Boss", "class": "leader", "points": 80, "profile_perks": [{"name": "Natural Leader"}]}],
    }

    @pytest.mark.clause("FF-REG-2", "FF-AMB-22")
    @pytest.mark.parametrize(
        ("starts_on", "due_on", "late"), [("2020-03-21", "2020-03-14", True), ("2999-01-08", "2999-01-01", False)]
    )
    def test_a_late_list_is_accepted_with_advice(self, announce, starts_on, due_on, late):
        evening = announce(ruleset="fallout-factions-comp-1.0", starts_on=starts_on)
        evening.join("Ana")
        answer = evening.do("p1", "roster", {"roster": self.CREW}, by="p1")
        assert answer.types == ["RosterSubmitted"]
        assert [(fault["expected"], fault["clause"]) for fault in answer.body["advice"]] == (
            [(f"handed in by {due_on}", "FF-AMB-22")] if late else []
        )
        assert evening.do("p1", "roster", {"roster": self.CREW}, by="p1").body["advice"] == []


@pytest.mark.clause("FF-ROS-14", "FF-REG-2", "FF-AMB-5", "FF-AMB-22")
def test_the_first_day_says_when_lists_are_due_and_what_is_legal(announce):
    item = {"in_list": "supplements", "name": "Companion Supplement", "released": "2025-03-07"}
    catalogue = {"ruleset": "fallout-factions-comp-1.0", "document": "releases", "items": [item]}
    factions = {"ruleset": "fallout-factions-comp-1.0", "catalogues": [catalogue]}
    early = announce(**factions, starts_on="2025-03-20")
    assert early.get().body["dates"] == {
        "lists_due_on": "2025-03-13",
        "released_by": "2025-03-06",
        "clauses": {"lists_due_on": "FF-AMB-22", "released_by": "FF-AMB-5"},
    }
    shorter = announce(**factions, starts_on="2025-03-20", options={"legality_delay_days": 7, "list_due_days": 3})
    assert shorter.get().body["dates"]["lists_due_on"] == "2025-03-17"
    leader = {"name": "Boss", "class": "leader", "points": 80, "profile_perks": [{"name": "Natural Leader"}]}
    crew = {"faction": "Survivors", "rating": 80, "models": [leader], "supplements": [{"name": "Companion Supplement"}]}
    for evening in (early, shorter):
        evening.join("Ana")
    refused = early.do("p1", "roster", {"roster": crew}, by="p1")
    assert refused.places == ["/roster/supplements/0/name"]
    assert [fault["clause"] for fault in refused.faults] == ["FF-ROS-14"]
    assert shorter.do("p1", "roster", {"roster": crew}, by="p1").status == 201


@pytest.mark.clause("FF-ROS-14", "FF-ROS-15")
def test_an_organiser_lets_one_item_in_early_and_all_others_wait(announce):
    late = {"in_list": "supplements", "released": "2025-03-07", "release": "electronic"}
    items = [
        {**late, "name": "Companion Supplement"},
        {**late, "name": "Legends of the Wasteland", "legal_from": "2025-03-10"},
    ]
    catalogue = {"ruleset": "fallout-factions-comp-1.0", "document": "sold at the door", "items": items}
    evening = announce(ruleset="fallout-factions-comp-1.0", catalogues=[catalogue], starts_on="2025-03-10")
    evening.join("Ana")
    crew = {**TestDueDay.CREW, "supplements": [{"name": "Companion Supplement"}, {"name": "Legends of the Wasteland"}]}
    refused = evening.do("p1", "roster", {"roster": crew}, by="p1")
    assert [(fault["where"], fault["clause"]) for fault in refused.faults] == [
        ("/roster/supplements/0/name", "FF-ROS-14")
    ]
    crew["supplements"].pop(0)
    assert evening.do("p1", "roster", {"roster": crew}, by="p1").status == 201


def test_without_a_first_day_or_such_a_rule_there_are_no_dates(announce):
    assert announce(ruleset="fallout-factions-comp-1.0").get().body["dates"] is None
    assert announce(starts_on="2025-03-20").get().body["dates"] is None


@pytest.mark.clause("FF-SET-1", "DW-SET-1")
@pytest.mark.parametrize(
    ("ruleset", "name", "date"),
    [
        ("fallout-factions-comp-1.0", "Fallout: Factions C.O.M.P. Kit", "2025"),
        ("dust-warfare-1.0", "Dust Warfare Tournament Rules", "2012-07-01"),
    ],
)
def test_a_tournament_shows_its_document_and_its_version(announce, ruleset, name, date):
    evening = announce(ruleset=ruleset)
    document = evening.get("/ruleset").body["ruleset"]["document"]
    assert (document["name"], document["version"], document["date"]) == (name, "1.0", date)
    assert evening.log[0].type == "TournamentAnnounced"
    assert json.loads(evening.log[0].data)["ruleset"]["document"] == document


class TestStaffAccept:
    """FF-REG-3: a crew is handed to an Organizer, who checks it; the software has checked what it can before."""

    CREW = TestDueDay.CREW

    @pytest.fixture
    def evening(self, announce):
        evening = announce(ruleset="fallout-factions-comp-1.0")
        evening.join("Ana", "Ben")
        return evening

    @pytest.mark.clause("FF-REG-3", "FF-STAFF-2")
    def test_a_list_that_a_player_hands_in_waits_for_staff(self, evening):
        assert evening.do("p1", "roster", {"roster": self.CREW}, by="p1").types == ["RosterSubmitted"]
        assert evening.player("p1")["roster"] == "submitted"
        assert evening.do("p1", "roster", {"roster": self.CREW}, by="p1").types == []
        assert evening.do("p1", "roster/acceptance", {}, by="p1").code == "forbidden"
        assert evening.do("p1", "roster/acceptance", {"note": "checked"}, by="referee").types == ["RosterAccepted"]
        assert evening.do("p1", "roster", {"roster": self.CREW}, by="p1").types == []
        assert evening.player("p1")["roster"] == "accepted"

    @pytest.mark.clause("FF-REG-3")
    def test_staff_see_whose_list_waits_for_them(self, evening):
        evening.join("Cy")
        for player in ("p1", "p3"):
            evening.do(player, "roster", {"roster": self.CREW}, by=player)
        evening.do("p3", "roster/rejection", {"note": "x"}, by="referee")
        listed = {
            state: [player["id"] for player in evening.get(f"/players?roster={state}").body["items"]]
            for state in ("none", "submitted", "accepted", "rejected")
        }
        assert listed == {"none": ["p2"], "submitted": ["p1"], "accepted": [], "rejected": ["p3"]}

    @pytest.mark.clause("FF-REG-3")
    def test_the_lists_of_several_players_are_accepted_at_once(self, evening):
        evening.join("Cy")
        for player in ("p1", "p2", "p3"):
            evening.do(player, "roster", {"roster": self.CREW}, by=player)
        answer = evening.post("/rosters/acceptance", {"players": ["p3", "p1"], "note": "checked"}, by="referee")
        assert [(event["type"], event["data"]) for event in answer.events] == [
            ("RosterAccepted", {"player": "p3"}),
            ("RosterAccepted", {"player": "p1"}),
        ]
        rest = evening.post("/rosters/acceptance", {"players": ["p1", "p2", "p3"]}, by="referee")
        assert [event["data"]["player"] for event in rest.events] == ["p2"], "the others were accepted before"
        assert [player["id"] for player in evening.get("/players?roster=accepted").body["items"]] == ["p1", "p2", "p3"]

    @pytest.mark.clause("FF-REG-3")
    def test_several_lists_are_accepted_together_or_refused_by_player(self, evening):
        evening.join("Cy")
        evening.do("p1", "roster", {"roster": self.CREW}, by="p1")
        refused = evening.post("/rosters/acceptance", {"players": ["p1", "p2", "p9", "p3"]}, by="referee")
        assert (refused.status, refused.code) == (409, "roster-missing")
        assert [(fault["where"], fault["said"]) for fault in refused.faults] == [
            ("/players/1", "p2"),
            ("/players/2", "p9"),
            ("/players/3", "p3"),
        ]
        assert evening.player("p1")["roster"] == "submitted"
        unknown = evening.post("/rosters/acceptance", {"players": ["p1", "p9"]}, by="referee")
        assert (unknown.status, unknown.code, unknown.places) == (422, "player-unknown", ["/players/1"])
        for players in ([], ["p1", "p1"]):
            assert evening.post("/rosters/acceptance", {"players": players}, by="referee").status == 422

    @pytest.mark.clause("FF-REG-3")
    def test_one_that_was_changed_waits_again(self, evening):
        evening.do("p1", "roster", {"roster": self.CREW}, by="p1")
        evening.do("p1", "roster/acceptance", {}, by="referee")
        other = {**self.CREW, "faction": "The Pack"}
        assert evening.do("p1", "roster", {"roster": other}, by="p1").types == ["RosterSubmitted"]
        assert evening.player("p1")["roster"] == "submitted"

    @pytest.mark.clause("FF-REG-3", "FF-STAFF-2")
    def test_one_that_staff_enter_is_accepted_by_that(self, evening):
        assert evening.do("p1", "roster", {"roster": self.CREW}, by="p1").types == ["RosterSubmitted"]
        answer = evening.do("p1", "roster", {"roster": self.CREW}, by="referee")
        assert answer.types == ["RosterSubmitted", "RosterAccepted"]

    @pytest.mark.clause("FF-REG-3")
    def test_without_staff_acceptance_a_legal_list_is_accepted_at_once(self, announce):
        evening = announce(ruleset="fallout-factions-comp-1.0", options={"staff_accept_lists": False})
        evening.join("Ana")
        answer = evening.do("p1", "roster", {"roster": self.CREW}, by="p1")
        assert answer.types == ["RosterSubmitted", "RosterAccepted"]

    @pytest.mark.clause("FF-REG-3", "FF-SET-3")
    def test_a_list_can_be_replaced_only_while_its_game_waits(self, evening):
        evening.pair_first("p1", "p2")
        evening.started(1, "p1")
        assert evening.do("p2", "roster", {"roster": self.CREW}, by="p2").code == "roster-locked"
        assert evening.do("p1", "roster", {"roster": self.CREW}, by="p1").types == ["RosterSubmitted"]
        assert evening.do("p1", "roster/rejection", {"note": "a perk too many"}, by="referee").status == 201
        mended = {**self.CREW, "faction": "The Pack"}
        assert evening.do("p1", "roster", {"roster": mended}, by="p1").types == ["RosterSubmitted"]
        assert evening.do("p1", "roster/acceptance", {}, by="referee").status == 201
        assert evening.do("p1", "roster", {"roster": self.CREW}, by="p1").code == "roster-locked"


def test_a_rejected_armada_list_can_be_replaced_while_the_game_waits(evening):
    evening.do("p1", "roster", {"roster": FLEET}, by="p1")
    evening.do("p2", "roster", {"roster": FLEET}, by="p2")
    evening.do("p1", "roster/rejection", {"note": "a proxy"}, by="referee")
    evening.pair_first("p1", "p2")
    evening.started(1, "p1")
    smaller = {**FLEET, "squadrons": [], "fleet_total": 210}
    assert evening.do("p2", "roster", {"roster": smaller}, by="p2").code == "roster-locked"
    assert evening.do("p1", "roster", {"roster": smaller}, by="p1").types == ["RosterSubmitted", "RosterAccepted"]
    assert evening.do("p1", "roster", {"roster": FLEET}, by="p1").code == "roster-locked"


@pytest.mark.clause("FF-AMB-24")
def test_staff_remarks_on_printed_models_are_recorded_with_the_list(announce):
    """Software sees no models: another company's print is rejected, an own print is let in, each with a word on why."""
    evening = announce(ruleset="fallout-factions-comp-1.0")
    evening.join("Ana")
    evening.do("p1", "roster", {"roster": TestDueDay.CREW}, by="p1")
    refused, approved = "a print that is not the publisher's", "scratch-built arm on an official Boss: approved"
    rejection = evening.do("p1", "roster/rejection", {"note": refused}, by="organiser")
    assert rejection.types == ["RosterRejected"]
    shown = evening.get("/players/p1/roster", by="p1").body
    assert (shown["status"], shown["note"]) == ("rejected", refused)
    evening.do("p1", "roster", {"roster": TestDueDay.CREW}, by="p1")
    assert evening.get("/players/p1/roster", by="p1").body["note"] == "", "it is another list now"
    assert evening.do("p1", "roster/acceptance", {}, by="organiser").types == ["RosterAccepted"]
    approval = evening.do("p1", "roster/acceptance", {"note": approved}, by="organiser")
    assert approval.events[0]["data"] == {"player": "p1"}, "before play the word is the player's and the staff's"
    assert approval.events[0]["actor"]["role"] == "organiser"
    shown = evening.get("/players/p1/roster", by="p1").body
    assert (shown["status"], shown["note"]) == ("accepted", approved)
    evening.begin("p1", evening.join("Ben")[0])
    answer = evening.do("p1", "roster/acceptance", {"note": approved}, by="organiser")
    assert answer.events[0]["data"] == {"player": "p1", "note": approved}
    assert evening.do("p1", "roster/acceptance", {"note": approved}, by="organiser").types == []
