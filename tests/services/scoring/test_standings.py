"""Closing rounds, current and recorded standings, awards, the end of a tournament."""

from __future__ import annotations

import pytest

from shared.rules.model import make_draw
from shared.tournament.registration import (
    DisqualificationRevoked,
    PlayerAmended,
    PlayerDisqualified,
    PlayerDropped,
    PlayerWaitlisted,
    RosterAccepted,
    RosterSubmitted,
    TournamentCancelled,
)
from tests.services.scoring.story import score
from tests.services.story import NOBODY, same_state


@pytest.fixture
def played(open_floor):
    """AR-EX-5: five players, three rounds, one bye in each round."""
    told = open_floor(5, rounds=3)
    told.begin(1, ("p1", "p2"), ("p3", "p4"), ("p5",))
    told.play(1, (210, 150), (120, 100))
    told.begin(2, ("p5", "p4"), ("p1", "p3"), ("p2",))
    told.play(2, (95, 186), (160, 140))
    told.begin(3, ("p4", "p1"), ("p2", "p5"), ("p3",))
    assert told.report("r3g1", score(150, 150)).status == 201
    assert told.report("r3g2", score(315, 80, end="defeated_2")).status == 201
    assert told.close(3).status == 201
    return told


class TestClosing:
    def test_the_worked_example_of_five_players(self, played):
        assert played.standings(1) == ["Eli 8/61/0", "Ana 7/60/3", "Cy 5/20/5", "Dee 5/0/5", "Ben 3/0/7"]
        assert played.standings(2) == ["Dee 13/91/20", "Ana 12/80/21", "Ben 11/61/12", "Eli 10/61/13", "Cy 10/20/25"]
        assert played.standings(3) == ["Ben 21/296/27", "Dee 18/91/45", "Cy 18/81/35", "Ana 17/80/57", "Eli 10/61/39"]
        assert played.standings() == played.standings(3)

    def test_closing_records_standings_before_the_end_of_the_round(self, evening):
        evening.report("r1g1", score(138, 105))
        evening.report("r1g2", score(1, 0))
        answer = evening.close(1)
        assert answer.types == ["StandingsRecorded", "RoundClosed"]
        (drawn,) = answer.events[0]["data"]["answers"]
        assert drawn["question"] == "lot: standings, 1"
        assert answer.events[0]["data"]["seed"] == drawn["value"]
        assert evening.close(1).types == []

    def test_all_open_games_are_listed(self, evening):
        evening.report("r1g2", score(1, 0), by="p3")
        refused = evening.close(1)
        assert (refused.code, refused.data["games"]) == ("games-open", ["r1g1", "r1g2"])
        assert refused.body["detail"] == (
            "Round 1 has 2 open games: r1g1 at table 1, Ana against Ben (no result); "
            "r1g2 at table 2, Cy against Dee (reported by Cy, waits for Dee)."
        )

    def test_ties_are_broken_by_recorded_draws(self, evening):
        evening.play(1, (100, 50), (100, 50))
        shown = evening.get("/standings?round=1").body
        tied = [row["player"] for row in shown["items"] if row["tied"]]
        recorded = {tuple(sorted(draw["order"])): draw for draw in shown["draws"]}
        assert sorted(recorded) == [("p1", "p3"), ("p2", "p4")]
        for group, draw in recorded.items():
            made = make_draw(draw["seed"], draw["purpose"], draw["round"], group)
            assert list(made.order) == draw["order"] == [player for player in tied if player in group]
        assert evening.standings() == evening.standings(1)

    def test_a_round_can_be_reopened_until_the_next_is_paired(self, evening):
        evening.play(1, (138, 105), (1, 0))
        assert evening.reopen(1).types == ["RoundReopened"]
        assert evening.reopen(1).code == "round-not-closed"
        assert evening.get("/standings?round=1").code == "round-not-closed"
        evening.void("r1g2")
        evening.report("r1g2", score(0, 1))
        assert evening.close(1).status == 201
        evening.paired(2, ("p1", "p4"), ("p5", "p2"), ("p3",))
        assert evening.reopen(1).code == "later-round-paired"

    def test_an_unknown_round_is_refused(self, evening):
        assert evening.close(2).code == "round-unknown"
        assert evening.reopen(2).code == "round-unknown"
        assert evening.reopen(1).code == "round-not-closed"
        assert evening.post("/rounds/1/reopening", {}).code == "invalid-request"

    def test_five_hundred_and_one_players_take_two_pages(self, club):
        from shared.formats.packs import shipped_ruleset
        from shared.rules.parts import to_json
        from shared.tournament.registration import PlayerJoined, TournamentAnnounced
        from tests.services.scoring.story import Floor

        told = Floor(club, "t-large")
        pack = to_json(shipped_ruleset("star-wars-armada-1.1"))
        everybody = [f"p{number}" for number in range(1, 502)]
        told.say(
            "registration",
            TournamentAnnounced(name="Large", format="swiss", ruleset=pack),
            *[PlayerJoined(player=player, name=f"Player {player}") for player in everybody],
        )
        told.begin(1, *[tuple(everybody[index : index + 2]) for index in range(0, 501, 2)])
        slips = [{"game": f"r1g{number}", "facts": score(number, 0)} for number in range(1, 251)]
        assert told.post("/results", {"results": slips}, by="referee").status == 201
        answer = told.close(1)
        assert answer.types == ["StandingsRecorded", "StandingsRecorded", "RoundClosed"]
        assert [len(event["data"]["rows"]) for event in answer.events[:2]] == [500, 1]
        assert [row["rank"] for row in told.get("/standings?round=1").body["items"]] == list(range(1, 502))


class TestReading:
    def test_standings_before_the_first_game_list_all_players(self, open_floor):
        told = open_floor(3)
        shown = told.get("/standings", by=NOBODY).body
        assert (shown["round"], shown["provisional"], shown["final"]) == (0, True, False)
        assert {row["name"] for row in shown["items"]} == {"Ana", "Ben", "Cy"}

    def test_binding_results_count_during_a_round(self, evening):
        evening.report("r1g1", score(138, 105), by="p1")
        assert evening.standings()[0] == "Eli 8/61/0"
        before = evening.get("/standings").body
        evening.confirm("r1g1", by="p2")
        shown = evening.get("/standings").body
        assert (shown["provisional"], before["round"], shown["round"]) == (True, 1, 1)
        assert evening.standings()[1] == "Ana 6/33/4"
        assert evening.standings() == evening.standings()

    def test_standings_of_a_closed_round_are_the_recorded_ones(self, played):
        first = played.get("/standings?round=1").body
        assert (first["round"], first["provisional"], first["final"]) == (1, False, False)
        assert played.get("/standings?round=4").code == "round-unknown"
        assert played.get("/standings?round=x").code == "invalid-request"

    def test_only_the_last_standings_are_final(self, played):
        assert played.get("/standings").body["final"] is False
        played.conclude()
        assert [played.get(f"/standings{rest}").body["final"] for rest in ("", "?round=3", "?round=2")] == [
            True,
            True,
            False,
        ]

    def test_a_corrected_name_appears_everywhere(self, played):
        played.say("registration", PlayerAmended(player="p2", name="Benjamin"))
        assert played.standings(3)[0] == "Benjamin 21/296/27"

    def test_unchanged_standings_are_not_sent_again(self, played):
        tag = played.get("/standings").headers["ETag"]
        assert played.get("/standings", If_None_Match=tag).status == 304
        played.say("registration", PlayerAmended(player="p2", name="Benjamin"))
        assert played.get("/standings", If_None_Match=tag).status == 200

    def test_every_value_is_explained_by_its_games(self, played):
        shown = played.get("/standings/p1", by=NOBODY).body
        values = {value["column"]: value for value in shown["values"]}
        assert (shown["name"], values["tournament_points"]["value"]) == ("Ana", "17")
        points = [(share["round"], share["opponent"], share["value"]) for share in values["tournament_points"]["from"]]
        assert points == [(1, "p2", "7"), (2, "p3", "5"), (3, "p4", "5")]
        assert values["strength_of_schedule"]["clause"] == "AR-TB-3"
        assert played.get("/standings/p3").body["values"][0]["from"][2] == {"round": 3, "opponent": "", "value": "8"}

    def test_a_player_without_a_seat_has_no_rank(self, played):
        played.say("registration", PlayerWaitlisted(player="p6", name="Fay"))
        assert played.get("/standings/p6").code == "player-unknown"
        assert played.get("/standings/p7").code == "player-unknown"
        assert "Fay" not in " ".join(played.standings())

    def test_dropped_players_stay_and_disqualified_ones_go(self, evening):
        """AR-AMB-16, AR-AMB-17: their points still count in the schedules of their opponents."""
        evening.play(1, (138, 105), (120, 100))
        evening.say(
            "registration",
            PlayerDropped(player="p2", after_round=1),
            PlayerDisqualified(player="p3", after_round=1, reason="loaded dice"),
        )
        shown = evening.get("/standings").body
        rows = {row["name"]: row for row in shown["items"]}
        assert (rows["Ben"]["status"], "Cy" in rows, shown["provisional"]) == ("dropped", False, True)
        recorded = {row["name"] for row in evening.get("/standings?round=1").body["items"]}
        assert recorded == {"Ana", "Ben", "Cy", "Dee", "Eli"}
        assert rows["Dee"]["values"]["strength_of_schedule"] == 5
        evening.say("registration", DisqualificationRevoked(player="p3", reason="the dice were fair"))
        assert "Cy" in {row["name"] for row in evening.get("/standings").body["items"]}

    def test_fractional_strength_of_schedule_is_shown_as_a_decimal(self, open_floor):
        """AR-TB-4: Ana met Ben (12 points in two rounds) and Cy (11 in two): (6 + 5.5) / 2."""
        told = open_floor(3, options={"sos": "tome"})
        told.begin(1, ("p1", "p2"), ("p3",))
        told.play(1, (100, 70))
        told.begin(2, ("p1", "p3"), ("p2",))
        told.play(2, (100, 40))
        rows = told.get("/standings").body["items"]
        schedules = {row["name"]: row["values"]["strength_of_schedule"] for row in rows}
        assert schedules == {"Ana": "5.75", "Ben": "3.25", "Cy": "3.25"}


class TestOtherRulesets:
    """Facts other than points are completed from the tournament."""

    def test_the_scenario_of_the_round_is_added_to_facts(self, open_floor):
        """FF-AMB-8: one scenario per round, fixed with the pairing."""
        told = open_floor(3, ruleset="fallout-factions-comp-1.0", rounds=2)
        told.begin(1, ("p1", "p2"), ("p3",), scenario="Raid")
        assert told.report("r1g1", {"points_1": 21, "points_2": 24}, by="p1").status == 201
        assert told.game("r1g1")["facts"]["scenario"] == "Raid"
        same = {"points_1": 21, "points_2": 24, "scenario": "Chokepoint"}
        assert told.report("r1g1", same, by="p2").types == ["ResultConfirmed"]
        other = told.report("r1g1", {"points_1": 20, "points_2": 20, "scenario": "Melee"}, by="p2")
        assert (other.code, other.places) == ("impossible-result", ["/facts/scenario"])
        told.close(1)
        assert told.standings(1) == ["Ben 2/24/1", "Cy 2/23/1", "Ana 0/21/0"]

    def test_facts_need_a_scenario_if_the_round_has_none(self, open_floor):
        told = open_floor(2, ruleset="fallout-factions-comp-1.0", rounds=2)
        told.begin(1, ("p1", "p2"))
        assert told.report("r1g1", {"points_1": 21, "points_2": 24}).places == ["/facts/scenario"]
        assert told.report("r1g1", {"points_1": 21, "points_2": 24, "scenario": "Raid"}).status == 201

    @pytest.mark.clause("DW-FOR-2")
    def test_half_a_list_is_computed_from_the_accepted_list(self, open_floor):
        """DW-FOR-2, DW-EX-5: Ben, whose list has 299 points, forfeits. Ana gets 149 break points."""
        told = open_floor(2, ruleset="dust-warfare-1.0", rounds=2)
        roster = {"army_total": 299, "units": []}
        told.say("registration", RosterSubmitted(player="p2", roster=roster), RosterAccepted(player="p2"))
        told.begin(1, ("p1", "p2"))
        told.report("r1g1", {"kind": "forfeit", "conceded_by": 2}, by="organiser")
        told.close(1)
        assert told.standings(1) == ["Ana 10/149", "Ben 3/0"]

    def test_a_total_reported_by_staff_takes_precedence(self, open_floor):
        told = open_floor(2, ruleset="dust-warfare-1.0", rounds=2)
        roster = {"army_total": 299, "units": []}
        told.say("registration", RosterSubmitted(player="p2", roster=roster), RosterAccepted(player="p2"))
        told.begin(1, ("p1", "p2"))
        told.report("r1g1", {"kind": "forfeit", "conceded_by": 2, "extra": {"list_2": 250}}, by="organiser")
        told.close(1)
        assert told.standings(1) == ["Ana 10/125", "Ben 3/0"]

    @pytest.mark.clause("DW-AMB-19")
    @pytest.mark.parametrize(("options", "cy"), [({}, 20), ({"concession_bp": "larger"}, 150)])
    def test_a_concession_gives_the_table_or_half_a_list(self, open_floor, options, cy):
        told = open_floor(4, ruleset="dust-warfare-1.0", rounds=2, options=options)
        for player in ("p2", "p4"):
            roster = {"army_total": 300, "units": []}
            told.say("registration", RosterSubmitted(player=player, roster=roster), RosterAccepted(player=player))
        told.begin(1, ("p1", "p2"), ("p3", "p4"))
        conceded = {"end": "concession", "conceded_by": 2, "points_2": 0}
        for facts in (conceded, {"conceded_by": 2}):
            refused = told.report("r1g1", facts)
            assert (refused.code, refused.places) == ("impossible-result", ["/facts/points_1"])
        told.report("r1g1", {**conceded, "points_1": 200})
        told.report("r1g2", {**conceded, "points_1": 20})
        told.close(1)
        assert told.standings(1)[:2] == ["Ana 10/200", f"Cy 10/{cy}"]

    @pytest.mark.clause("DW-FOR-2")
    def test_a_forfeit_without_an_accepted_list_requires_points(self, open_floor):
        told = open_floor(2, ruleset="dust-warfare-1.0", rounds=2)
        told.begin(1, ("p1", "p2"))
        forfeit = {"kind": "forfeit", "conceded_by": 2}
        refused = told.report("r1g1", forfeit, by="organiser")
        assert (refused.code, refused.places) == ("impossible-result", ["/facts/extra/list_2"])
        assert told.report("r1g1", {**forfeit, "extra": {"list_2": 299}}, by="organiser").status == 201
        told.close(1)
        assert told.standings(1) == ["Ana 10/149", "Ben 3/0"]

    @pytest.mark.clause("DW-AMB-20", "DW-FOR-2", "DW-AMB-1")
    def test_a_late_forfeit_replaces_the_result(self, open_floor):
        told = open_floor(4, ruleset="dust-warfare-1.0", rounds=2)
        told.begin(1, ("p1", "p2"), ("p3", "p4"))
        for game in ("r1g1", "r1g2"):
            told.report(game, {"winner": 2, "points_1": 10, "points_2": 120})
        told.close(1)
        told.begin(2, ("p2", "p4"), ("p1", "p3"))
        too_many = {"kind": "forfeit", "conceded_by": 2, "extra": {"list_2": 301}}
        assert told.correct("r1g1", too_many, by="organiser").types[:1] == ["ResultCorrected"]
        assert told.correct("r1g2", {"kind": "double_forfeit"}, by="organiser").types[:1] == ["ResultCorrected"]
        assert told.standings(1)[0] == "Ana 10/150"
        assert sorted(told.standings(1)[1:]) == ["Ben 3/0", "Cy 3/0", "Dee 3/0"]
        games = told.get("/games?round=2").body["items"]
        assert [(game["player_1"], game["player_2"]) for game in games] == [("p2", "p4"), ("p1", "p3")]

    @pytest.mark.clause("DW-AMB-17")
    def test_a_no_show_gets_no_match_points(self, open_floor):
        told = open_floor(4, ruleset="dust-warfare-1.0", rounds=2)
        told.begin(1, ("p1", "p2"), ("p3", "p4"))
        told.report("r1g1", {"kind": "no_show", "conceded_by": 2})
        told.report("r1g2", {"kind": "double_no_show"})
        told.close(1)
        assert sorted(told.standings(1)) == ["Ana 10/0", "Ben 0/0", "Cy 0/0", "Dee 0/0"]

    @pytest.mark.clause("DW-RES-2", "DW-EX-8")
    def test_break_points_are_limited_by_the_opponents_list(self, open_floor):
        told = open_floor(2, ruleset="dust-warfare-1.0", rounds=2)
        roster = {"army_total": 299, "units": []}
        told.say("registration", RosterSubmitted(player="p2", roster=roster), RosterAccepted(player="p2"))
        told.begin(1, ("p1", "p2"))
        refused = told.report("r1g1", {"points_1": 300, "points_2": 0, "winner": 1})
        assert (refused.code, refused.places) == ("impossible-result", ["/facts/points_1"])
        assert told.report("r1g1", {"points_1": 299, "points_2": 0, "winner": 1}).status == 201

    @pytest.mark.clause("DW-RES-1", "DW-SCN-6", "DW-AMB-21")
    def test_a_result_is_computed_from_the_board(self, open_floor):
        told = open_floor(2, ruleset="dust-warfare-1.0", rounds=2)
        told.begin(1, ("p1", "p2"))
        units = [{"points": 45, "gone": True, "hero_points": 20, "hero_gone": True}, {"points": 30, "gone": False}]
        board = {"spent": ["C", "O", "C", "C"], "units_1": [], "units_2": units}
        wrong = told.report("r1g1", {"points_2": 1, "winner": 2, "board": board | {"dice": 5}})
        assert wrong.places == ["/facts/board/dice"]
        told.report("r1g1", {"board": board})
        told.close(1)
        assert told.standings(1) == ["Ana 10/65", "Ben 3/0"]


class TestAwards:
    """DW-AWD-1, FF-AWD-1: awards, before and after the end."""

    @pytest.mark.clause("DW-AWD-1")
    def test_awards_are_given_listed_and_withdrawn(self, played):
        before = played.standings()
        first = played.post("/awards", {"name": "Best painted", "player": "p5", "reason": "the dice tower"})
        assert first.events[0]["data"]["award"] == "a1"
        assert played.conclude().events[0]["data"]["winner"] == "p2"
        assert played.post("/awards", {"name": "Most sporting", "player": "p1"}).status == 201
        assert [award["name"] for award in played.get("/awards", by=NOBODY).body["items"]] == [
            "Best painted",
            "Most sporting",
        ]
        assert played.post("/awards/a1/withdrawal", {"reason": "a print"}).types == ["AwardWithdrawn"]
        assert played.post("/awards/a1/withdrawal", {"reason": "a print"}).code == "award-unknown"
        assert [award["id"] for award in played.get("/awards").body["items"]] == ["a2"]
        assert played.post("/awards", {"name": "Best painted", "player": "p5"}).events[0]["data"]["award"] == "a3"
        assert played.standings() == before

    @pytest.mark.parametrize(
        ("body", "code"),
        [
            ({"name": "x", "player": "p9"}, "player-unknown"),
            ({"name": "", "player": "p1"}, "invalid-request"),
            ({"name": "x"}, "invalid-request"),
        ],
    )
    def test_invalid_awards_are_refused(self, played, body, code):
        assert played.post("/awards", body).code == code


class TestTheEnd:
    @pytest.mark.clause("AR-TB-5", "DW-TB-2")
    def test_the_first_of_the_final_standings_wins(self, played):
        answer = played.conclude()
        assert answer.events[0]["data"] == {"winner": "p2", "rounds": 3}
        assert played.conclude().types == []

    @pytest.mark.clause("DW-TB-2")
    def test_without_a_cut_dust_warfare_is_won_by_break_points(self, open_floor):
        told = open_floor(4, ruleset="dust-warfare-1.0", rounds=1)
        told.begin(1, ("p1", "p2"), ("p3", "p4"))
        told.report("r1g1", {"winner": 1, "points_1": 90, "points_2": 120})
        told.report("r1g2", {"winner": 2, "points_1": 80, "points_2": 100})
        told.close(1)
        assert told.standings(1) == ["Dee 10/100", "Ana 10/90", "Ben 3/120", "Cy 3/80"]
        assert told.conclude().events[0]["data"]["winner"] == "p4"

    def test_a_reason_is_dropped_if_the_end_is_not_early(self, played):
        assert "reason" not in played.conclude(early="just in case").events[0]["data"]

    def test_an_early_end_requires_a_reason(self, open_floor):
        told = open_floor(4, rounds=3)
        told.begin(1, ("p1", "p2"), ("p3", "p4"))
        assert told.conclude(early="a storm").code == "round-not-closed"
        told.play(1, (100, 50), (90, 0))
        refused = told.conclude()
        assert (refused.code, refused.data) == ("rounds-remain", {"planned": 3, "closed": 1})
        answer = told.conclude(early="a storm")
        assert answer.events[0]["data"] == {"winner": "p3", "rounds": 1, "reason": "a storm"}

    def test_without_planned_rounds_the_organiser_decides_the_end(self, open_floor):
        told = open_floor(4, tier="casual")
        told.begin(1, ("p1", "p2"), ("p3", "p4"))
        told.play(1, (100, 50), (90, 0))
        assert told.conclude().status == 201

    def test_a_tournament_without_rounds_cannot_be_concluded(self, open_floor):
        assert open_floor(4).conclude(early="nobody came").code == "round-not-closed"

    @pytest.mark.clause("AR-AMB-15")
    def test_a_shared_first_place_is_decided_by_a_draw(self, open_floor):
        """AR-AMB-15: ranks are shared; only the title is drawn."""
        told = open_floor(4, options={"unresolved_ties": "shared"}, rounds=1)
        told.begin(1, ("p1", "p2"), ("p3", "p4"))
        told.play(1, (100, 50), (100, 50))
        assert [row["rank"] for row in told.get("/standings").body["items"]] == [1, 1, 3, 3]
        data = told.conclude().events[0]["data"]
        (draw,) = data["draws"]
        made = make_draw(draw["seed"], draw["purpose"], draw["round"], ["p1", "p3"])
        assert draw["seed"] == data["answers"][0]["value"]
        assert data["answers"][0]["question"] == "lot: title, 1"
        assert data["winner"] == draw["order"][0] == made.order[0]

    @pytest.mark.clause("AR-ROS-8", "DW-DQ-1")
    def test_a_disqualified_player_does_not_win(self, played):
        """AR-AMB-16: a disqualified player leaves the standings at any time."""
        played.say("registration", PlayerDisqualified(player="p2", after_round=3, reason="loaded dice"))
        answer = played.conclude()
        assert answer.types == ["StandingsRecorded", "TournamentConcluded"]
        assert answer.events[1]["data"]["winner"] == "p4"
        assert [row.split()[0] for row in played.standings(3)] == ["Dee", "Cy", "Ana", "Eli"]
        assert played.get("/standings").body["provisional"] is False

    def test_a_tournament_can_end_without_players(self, open_floor):
        told = open_floor(2, rounds=1)
        told.begin(1, ("p1", "p2"))
        told.play(1, (100, 50))
        for player in ("p1", "p2"):
            told.say("registration", PlayerDisqualified(player=player, after_round=1, reason="collusion"))
        assert told.conclude().events[-1]["data"] == {"winner": "", "rounds": 1}
        assert told.correct("r1g1", score(50, 100)).types == ["ResultCorrected", "StandingsRecorded"]

    OVER = (
        ("/games/r3g1/result", {"facts": score(1, 0)}),
        ("/results", {"results": [{"game": "r3g1", "facts": score(1, 0)}]}),
        ("/games/r3g1/confirmation", None),
        ("/games/r3g1/ruling", {"facts": score(1, 0), "reason": "x"}),
        ("/games/r3g1/appeal/rejection", {"reason": "x"}),
        ("/games/r3g1/voiding", {"reason": "x"}),
        ("/rounds/3/close", None),
        ("/rounds/3/reopening", {"reason": "x"}),
    )
    STILL = (
        ("/games/r3g1/correction", {"facts": score(200, 150), "reason": "x"}),
        ("/awards", {"name": "x", "player": "p1"}),
    )

    def test_only_corrections_are_possible_after_the_end(self, played):
        played.conclude()
        for rest, body in self.OVER:
            assert played.post(rest, body).code == "tournament-over", rest
        for rest in ("/games/r3g1/dispute", "/games/r3g1/appeal"):
            assert played.post(rest, {"reason": "x"}, "p1").code == "tournament-over"
        for rest, body in self.STILL:
            assert played.post(rest, body).status == 201, rest

    def test_a_cancelled_tournament_is_read_only(self, played):
        played.say("registration", TournamentCancelled(reason="the hall is flooded"))
        for rest, body in (*self.OVER, *self.STILL, ("/conclusion", {}), ("/awards/a1/withdrawal", {"reason": "x"})):
            assert played.post(rest, body).code == "tournament-over", rest
        for rest in ("/games", "/games/r3g1", "/games/r3g1/history", "/standings", "/standings/p1", "/awards", "/log"):
            assert played.get(rest).status == 200
        assert same_state(played.club, played.id)
