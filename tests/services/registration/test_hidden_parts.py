"""Parts of a list that only owner and staff see during the tournament: neither in answers nor in the log."""

from __future__ import annotations

import hashlib
import json

import pytest
import yaml

from shared.formats.packs import shipped_text
from tests.services.registration import story
from tests.services.registration.story import ARMADA
from tests.services.story import NOBODY

OBJECTIVES = [
    {"name": "Opening Salvo", "category": "assault"},
    {"name": "Fire Lanes", "category": "defense"},
    {"name": "Minefields", "category": "navigation"},
]
FLEET = {**story.FLEET, "objectives": OBJECTIVES}
CARDS = [card["name"] for card in FLEET["objectives"]]
OPEN = {name: value for name, value in FLEET.items() if name != "objectives"}


def roster(evening, by, player="p1"):
    return evening.get(f"/players/{player}/roster", by=by).body


@pytest.fixture
def evening(evening):
    evening.join("Ana", "Ben", "Cy")
    evening.do("p1", "roster", {"roster": FLEET}, by="p1")
    return evening


class TestWhileItLasts:
    """AR-TIME-6: a player does not reveal the objective cards; the organiser's list has them."""

    @pytest.mark.clause("AR-TIME-4", "AR-TIME-6")
    def test_opponents_and_strangers_see_the_fleet_without_its_objective_cards(self, evening):
        evening.begin("p1", "p2")
        for by in ("p2", "p3", "spare", "integration", "service", NOBODY):
            shown = roster(evening, by)
            assert shown["roster"] == OPEN
            (part,) = shown["sealed"]
            assert (part["field"], part["shown"], part["held"], part["salt"]) == ("objectives", False, True, "")
            assert part["clause"] == "AR-TIME-6"
            assert not any(card in json.dumps(shown) for card in CARDS)

    @pytest.mark.clause("AR-TIME-6")
    def test_owner_and_staff_see_all_of_it_before_and_during_play(self, evening):
        for begun in (False, True):
            if begun:
                evening.begin("p1", "p2")
            for by in ("p1", "referee", "head_referee", "organiser", "operator"):
                assert roster(evening, by)["roster"] == FLEET

    @pytest.mark.clause("AR-TIME-6")
    def test_before_play_an_integration_sees_the_fleet_alone(self, evening):
        assert roster(evening, "integration")["roster"] == OPEN
        assert evening.get("/players/p1/roster", by="p2").code == "rosters-hidden"

    @pytest.mark.clause("AR-TIME-6")
    def test_a_judge_who_plays_sees_what_players_see(self, evening):
        staff, token = evening.staff("Cy", "referee")
        assert roster(evening, token)["roster"] == FLEET
        evening.post(f"/staff/{staff}/player", {"player": "p3"})
        evening.begin("p1", "p3")
        assert roster(evening, token)["roster"] == OPEN

    @pytest.mark.clause("AR-TIME-6")
    def test_the_log_never_holds_them_nor_does_any_message_made_of_it(self, evening):
        evening.do("p1", "roster", {"roster": {**FLEET, "faction": "imperial"}}, by="p1")
        evening.begin("p1", "p2")
        for address in ("/log", "/log?source=registration"):
            text = evening.get(address, by=NOBODY).text.decode()
            assert "General Dodonna" in text
            assert not any(card in text for card in CARDS)
        feed = evening.club.ask("GET", "/log?limit=5000", token=evening.club.token("integration"))
        own = [line for line in feed.text.decode().splitlines() if evening.id in line]
        assert own
        assert not any(card in line for line in own for card in CARDS)

    def test_the_answer_to_handing_it_in_shows_what_the_log_holds(self, evening):
        answer = evening.do("p2", "roster", {"roster": FLEET}, by="p2")
        assert answer.events[0]["data"]["roster"] == {}
        assert set(answer.events[0]["data"]["sealed"]) == set(FLEET)
        assert not any(card in answer.text.decode() for card in CARDS)


class TestOnPaper:
    """AR-ROS-6: the list that the organiser has names the objective cards; registration prints it for few."""

    @staticmethod
    def printed(evening, by):
        (sheet,) = evening.get("/players/p1/roster/sheets", by=by).body["items"]
        lines = [dict(zip(sheet["columns"], line, strict=True)) for line in sheet["lines"]]
        return [line["name"] for line in lines if line["list"] == "objectives"], len(lines)

    @pytest.mark.clause("AR-TIME-6", "AR-ROS-6", "AR-DOC-1")
    def test_owner_and_staff_get_it_whole_and_others_with_empty_lines(self, evening):
        assert evening.get("/players/p1/roster/sheets", by="p2").code == "rosters-hidden"
        evening.begin("p1", "p2")
        for by in ("p1", "referee", "organiser"):
            assert self.printed(evening, by) == (CARDS, 9)
        for by in ("p2", "integration", NOBODY):
            assert self.printed(evening, by) == (["", "", ""], 9)
        assert evening.get("/players/p2/roster/sheets", by="referee").body["items"] == []


class TestAllOnPaper:
    """Staff print all lists before the event; others get the fields that are open to them."""

    SHEETS = "/rosters/sheets?form=fleet-list"

    @pytest.fixture
    def evening(self, evening):
        evening.do("p3", "roster", {"roster": {**FLEET, "faction": "imperial"}}, by="p3")
        return evening

    def printed(self, evening, by, rest=""):
        answer = evening.get(f"{self.SHEETS}{rest}", by=by)
        assert answer.status == 200, answer
        return {
            sheet["about"]: (
                sheet["heading"]["faction"],
                [line[1] for line in sheet["lines"] if line[0] == "objectives"],
            )
            for sheet in answer.body["items"]
        }

    @pytest.mark.clause("AR-ROS-6", "AR-TIME-6", "AR-DOC-1")
    def test_staff_print_every_list_whole_before_play(self, evening):
        assert evening.get("/ruleset").body["ruleset"]["forms"][0]["columns"][:2] == ["list", "name"]
        for by in ("referee", "organiser", "operator"):
            assert self.printed(evening, by) == {"p1": ("rebel", CARDS), "p3": ("imperial", CARDS)}
        assert self.printed(evening, "referee", "&player=p3") == {"p3": ("imperial", CARDS)}
        assert self.printed(evening, "referee", "&player=p2") == {}
        assert self.printed(evening, "integration") == {"p1": ("rebel", [""] * 3), "p3": ("imperial", [""] * 3)}

    @pytest.mark.clause("AR-ROS-6", "AR-TIME-6")
    def test_others_get_nothing_before_play_and_then_what_is_open(self, evening):
        for by in (NOBODY, "p2"):
            refused = evening.get(self.SHEETS, by=by)
            assert (refused.code, refused.data["clause"]) == ("rosters-hidden", "AR-TIME-4")
        assert self.printed(evening, "p1") == {"p1": ("rebel", CARDS)}
        evening.begin("p1", "p2")
        for by in (NOBODY, "p2"):
            assert self.printed(evening, by) == {"p1": ("rebel", [""] * 3), "p3": ("imperial", [""] * 3)}
        assert self.printed(evening, "p1") == {"p1": ("rebel", CARDS), "p3": ("imperial", [""] * 3)}

    @pytest.mark.clause("AR-TIME-6")
    def test_a_judge_who_plays_gets_no_objective_cards(self, evening):
        staff, token = evening.staff("Cy", "referee")
        evening.post(f"/staff/{staff}/player", {"player": "p2"})
        assert self.printed(evening, token) == {"p1": ("rebel", [""] * 3), "p3": ("imperial", [""] * 3)}

    def test_sheets_come_in_pages_with_their_titles(self, evening):
        first = evening.get(f"{self.SHEETS}&limit=1", by="referee").body
        rest = evening.get(f"{self.SHEETS}&limit=1&after={first['next']}", by="referee").body
        assert [sheet["about"] for sheet in first["items"] + rest["items"]] == ["p1", "p3"]
        assert (first["total"], rest["next"], rest["round"]) == (2, None, None)
        form = evening.get("/ruleset").body["forms"][0]
        assert (rest["titles"], rest["instructions"]) == (form["titles"], form["instructions"])
        whole = evening.get("/rosters/sheets", by="referee").body
        assert [sheet["about"] for sheet in whole["items"]] == ["p1", "p3"]

    def test_a_venue_has_the_lists_of_its_players(self, evening):
        hall = evening.venue()
        evening.do("p3", "check-in", {"venue": hall})
        assert list(self.printed(evening, "referee", f"&venue={hall}")) == ["p3"]

    @pytest.mark.parametrize(
        ("rest", "code"),
        [
            ("form=pairings", "form-unknown"),
            ("player=p77", "player-unknown"),
            ("venue=v9", "venue-unknown"),
            ("after=x", "invalid-cursor"),
        ],
    )
    def test_unknown_forms_players_and_venues_are_refused(self, evening, rest, code):
        assert evening.get(f"/rosters/sheets?{rest}", by="referee").code == code


class TestDigests:
    """Equal lists have different digests, and anyone who sees a part can verify it."""

    @pytest.mark.clause("AR-TIME-6")
    def test_after_the_end_the_parts_are_public_and_verifiable(self, evening):
        evening.begin("p1", "p2")
        recorded = [line["data"] for line in evening.get("/log", by=NOBODY).lines if line["type"] == "RosterSubmitted"]
        evening.closed(1)
        evening.concluded()
        shown = roster(evening, NOBODY)
        assert (shown["roster"], shown["sealed"]) == (FLEET, [])
        opened = [line["data"] for line in evening.get("/log", by=NOBODY).lines if line["type"] == "RostersOpened"]
        salt = opened[-1]["rosters"][0]["salts"]["objectives"]
        text = json.dumps([salt, "objectives", shown["roster"]["objectives"]], sort_keys=True, separators=(",", ":"))
        assert hashlib.sha256(text.encode()).hexdigest() == recorded[-1]["sealed"]["objectives"]

    def test_owner_and_staff_check_them_before(self, evening):
        (part,) = (part for part in roster(evening, "p1")["sealed"] if part["field"] == "objectives")
        text = json.dumps([part["salt"], "objectives", FLEET["objectives"]], sort_keys=True, separators=(",", ":"))
        assert hashlib.sha256(text.encode()).hexdigest() == part["digest"]

    def test_a_tournament_that_is_cancelled_is_over_too(self, evening):
        evening.post("/cancellation", {"reason": "snow"})
        assert roster(evening, NOBODY)["roster"]["objectives"] == FLEET["objectives"]

    def test_two_players_with_the_same_cards_have_different_digests(self, evening):
        evening.do("p2", "roster", {"roster": FLEET}, by="p2")
        digests = {roster(evening, "referee", player)["sealed"][0]["digest"] for player in ("p1", "p2")}
        assert len(digests) == 2

    def test_the_same_list_again_changes_nothing_and_other_cards_do(self, evening):
        assert evening.do("p1", "roster", {"roster": FLEET}, by="p1").types == []
        other = [{**card, "name": f"{card['name']} II"} for card in FLEET["objectives"]]
        answer = evening.do("p1", "roster", {"roster": {**FLEET, "objectives": other}}, by="p1")
        assert answer.types == ["RosterSubmitted", "RosterAccepted"]
        assert roster(evening, "p1")["roster"]["objectives"] == other

    def test_hidden_parts_are_validated_too(self, evening):
        two = {**FLEET, "objectives": FLEET["objectives"][:2]}
        refused = evening.do("p1", "roster", {"roster": two}, by="p1")
        assert (refused.code, refused.faults[0]["clause"]) == ("roster-illegal", "AR-ROS-3")
        for value in (2**53, 2**70):
            wrong = {**FLEET, "objectives": [{**card, "cost": value} for card in FLEET["objectives"]]}
            assert evening.do("p1", "roster", {"roster": wrong}, by="p1").status == 422
        assert roster(evening, "p1")["roster"] == FLEET

    def test_parts_lost_with_the_database_are_reported_as_lost(self, evening):
        with evening.club.database.writing() as connection:
            connection.run("DELETE FROM sealed_lists WHERE tournament = :id", id=evening.id)
        shown = roster(evening, "p1")
        assert (shown["roster"], shown["sealed"][0]["held"], shown["sealed"][0]["shown"]) == ({}, False, False)
        assert evening.do("p1", "roster", {"roster": FLEET}, by="p1").types == ["RosterSubmitted", "RosterAccepted"]
        assert roster(evening, "p1")["roster"] == FLEET


class TestOwnPacks:
    """The pack decides who sees which part from when on."""

    @pytest.fixture
    def night(self, announce):
        def begin(*rows):
            pack = yaml.safe_load(shipped_text(ARMADA))
            pack["id"], pack["roster"]["open"] = "club-rules", [{**row, "clause": "CLUB"} for row in rows]
            evening = announce(pack=pack)
            evening.join("Ana", "Ben", "Cy", "Dee")
            evening.do("p1", "roster", {"roster": FLEET}, by="p1")
            return evening

        return begin

    def test_a_list_may_be_open_from_the_moment_it_is_handed_in(self, night):
        evening = night({"to": "everybody", "since": "submission"})
        assert roster(evening, NOBODY)["roster"] == FLEET
        assert evening.get("/log", by=NOBODY).status == 200

    def test_a_list_may_be_for_the_opponents_alone(self, night):
        evening = night(
            {"to": "everybody", "of": ["fleet_total"]}, {"to": "opponents"}, {"to": "staff", "of": ["objectives"]}
        )
        evening.paired(1, ("p1", "p2"), ("p3", "p4"))
        assert evening.get("/players/p1/roster", by="p2").code == "rosters-hidden"
        evening.started(1)
        assert roster(evening, "p2")["roster"] == OPEN
        for by in ("p3", NOBODY, "integration"):
            assert roster(evening, by)["roster"] == {"fleet_total": 300}
        opened = next(line for line in evening.get("/log", by=NOBODY).lines if line["type"] == "RostersOpened")
        assert opened["data"]["rosters"][0]["roster"] == {"fleet_total": 300}
        evening.concluded()
        assert roster(evening, NOBODY)["roster"] == {"fleet_total": 300}

    def test_parts_may_be_open_earlier_than_the_rest(self, night):
        evening = night({"to": "everybody", "of": ["faction"], "since": "submission"}, {"to": "everybody"})
        assert roster(evening, NOBODY)["roster"] == {"faction": "rebel"}
        submitted = next(line for line in evening.get("/log", by=NOBODY).lines if line["type"] == "RosterSubmitted")
        assert submitted["data"]["roster"] == {"faction": "rebel"}
        evening.begin("p1", "p2")
        assert roster(evening, NOBODY)["roster"] == FLEET

    def test_a_pack_that_says_nothing_opens_lists_with_the_first_round(self, night):
        evening = night()
        assert evening.get("/players/p1/roster", by=NOBODY).data["clause"] == "AR-ROS-6"
        evening.begin("p1", "p2")
        assert roster(evening, NOBODY)["roster"] == FLEET
