"""Results: report, confirm, dispute, void, entry from paper."""

from __future__ import annotations

import pytest

from shared.tournament.registration import VenueOpened
from shared.tournament.rounds import PairingAmended, RoundWithdrawn, Seat, TableMoved
from tests.services.scoring.story import score
from tests.services.story import NOBODY, same_state


class TestTwoPhones:
    """DW-AMB-15, AR-AMB-25: a result binds when both players agree, or by staff."""

    @pytest.mark.clause("DW-RES-3", "DW-AMB-15")
    def test_a_players_report_binds_when_the_opponent_confirms(self, evening):
        answer = evening.report("r1g1", score(138, 105), by="p1")
        assert answer.types == ["ResultReported"]
        assert answer.events[0]["data"]["side"] == 1
        shown = evening.game("r1g1")
        assert (shown["status"], shown["binds"], shown["reported_by"]) == ("reported", False, "p1")
        assert evening.confirm("r1g1", by="p2").types == ["ResultConfirmed"]
        assert evening.game("r1g1")["binds"] is True

    @pytest.mark.clause("DW-RES-3", "DW-AMB-15")
    def test_identical_reports_of_both_players_bind(self, evening):
        evening.report("r1g1", score(138, 105), by="p2")
        assert evening.report("r1g1", score(138, 105), by="p2").types == []
        answer = evening.report("r1g1", score(138, 105), by="p1")
        assert (answer.types, answer.events[0]["data"]["side"]) == (["ResultConfirmed"], 1)
        assert evening.report("r1g1", score(138, 105), by="p2").types == []

    def test_absent_and_default_members_are_the_same_report(self, evening):
        evening.report("r1g1", score(138, 105), by="p1")
        assert evening.report("r1g1", score(138, 105, kind="game", scenario=None), by="p2").code == "invalid-request"
        assert evening.report("r1g1", score(138, 105, kind="game"), by="p2").types == ["ResultConfirmed"]

    def test_a_report_by_staff_binds_immediately(self, evening):
        assert evening.report("r1g1", score(138, 105)).types == ["ResultReported", "ResultConfirmed"]
        assert evening.game("r1g1")["reported_by"] == "staff"
        assert evening.report("r1g1", score(138, 105)).types == []
        assert evening.confirm("r1g1", by="p1").types == []

    def test_staff_can_confirm_a_players_report(self, evening):
        evening.report("r1g1", score(138, 105), by="p1")
        assert evening.confirm("r1g1", by="referee").events[0]["data"] == {"round": 1, "game": "r1g1"}
        assert evening.game("r1g1")["status"] == "confirmed"

    def test_an_identical_report_by_staff_confirms(self, evening):
        evening.report("r1g1", score(138, 105), by="p1")
        assert evening.report("r1g1", score(138, 105)).types == ["ResultConfirmed"]

    @pytest.mark.parametrize("by", ["p1", "p2", "referee"])
    def test_a_different_report_is_refused_with_the_first_one(self, evening, by):
        evening.report("r1g1", score(138, 105), by="p1")
        refused = evening.report("r1g1", score(105, 138), by=by)
        assert (refused.code, refused.data["status"]) == ("result-exists", "reported")
        assert refused.data["facts"]["points_1"] == 138

    def test_a_different_report_is_refused_after_the_result_binds(self, evening):
        evening.report("r1g1", score(138, 105))
        assert evening.report("r1g1", score(105, 138), by="p2").data["status"] == "confirmed"
        evening.rule("r1g1", score(105, 138))
        assert evening.report("r1g1", score(105, 138), by="p2").types == []
        assert evening.report("r1g1", score(138, 105), by="p1").data["status"] == "ruled"


class TestDisputes:
    def test_a_dispute_keeps_both_versions_for_the_referee(self, evening):
        evening.report("r1g1", score(138, 105), by="p1")
        assert evening.dispute("r1g1", by="p2", facts=score(105, 138)).types == ["ResultDisputed"]
        assert evening.dispute("r1g1", by="p2").types == []
        shown = evening.game("r1g1")
        assert (shown["status"], shown["binds"]) == ("disputed", False)
        assert (shown["facts"]["points_1"], shown["counter_facts"]["points_1"]) == (138, 105)

    def test_the_opponents_facts_are_recorded_in_a_second_dispute(self, evening):
        evening.report("r1g1", score(138, 105), by="p1")
        assert evening.dispute("r1g1", by="p1").types == ["ResultDisputed"]
        assert evening.dispute("r1g1", by="p2", facts=score(105, 138)).types == ["ResultDisputed"]
        assert evening.game("r1g1")["counter_facts"]["points_1"] == 105
        assert evening.dispute("r1g1", by="p2", facts=score(100, 138)).types == []

    def test_a_confirmed_result_can_be_disputed_until_the_round_closes(self, evening):
        evening.report("r1g1", score(138, 105), by="p1")
        evening.confirm("r1g1", by="p2")
        assert evening.dispute("r1g1", by="p2").status == 201
        assert evening.game("r1g1")["binds"] is False

    def test_only_a_referee_ends_a_dispute(self, evening):
        evening.report("r1g1", score(138, 105), by="p1")
        evening.dispute("r1g1", by="p2", facts=score(105, 138))
        assert evening.confirm("r1g1", by="p1").data["status"] == "disputed"
        assert evening.confirm("r1g1", by="referee").data["status"] == "disputed"
        assert evening.report("r1g1", score(105, 138), by="p1").data["status"] == "disputed"
        assert evening.close(1).data["games"] == ["r1g1", "r1g2"]
        assert evening.rule("r1g1", score(105, 138)).types == ["ResultRuled"]

    def test_facts_of_a_dispute_must_be_possible(self, evening):
        evening.report("r1g1", score(138, 105), by="p1")
        assert evening.dispute("r1g1", by="p2", facts=score(-1, 138)).code == "invalid-request"
        assert evening.dispute("r1g1", by="p2", facts={"kind": "no_show", "conceded_by": 1}).code == "staff-only"
        assert evening.dispute("r1g1", by="p2", facts={"points_1": 3}).code == "impossible-result"

    def test_a_dispute_requires_a_result(self, evening):
        assert evening.dispute("r1g1", by="p2").code == "result-missing"


class TestWhatCannotBe:
    """Refused facts, with every fault and its clause."""

    @pytest.mark.parametrize(
        ("facts", "places"),
        [
            ({}, {"/facts/points_1", "/facts/points_2"}),
            ({"points_1": 1, "points_2": 1}, {"/facts/second_player"}),
            (score(100, 50, winner=2), {"/facts/winner"}),
            (score(100, 50, winner="draw"), {"/facts/winner"}),
            (score(100, 100, winner=1), {"/facts/winner"}),
            (score(100, 50, end="defeated_1"), None),
            (score(100, 50, end="concession"), {"/facts/conceded_by"}),
            (score(100, 50, extra={"dice": 3}), {"/facts/extra/dice"}),
            (score(100, 50, kind="spare"), set()),
            ({"kind": "no_show"}, {"/facts/conceded_by"}),
            ({"kind": "forfeit", "conceded_by": 1, "points_1": 20}, {"/facts/points_1"}),
            ({"kind": "double_no_show", "points_1": 20}, {"/facts/points_1"}),
        ],
    )
    def test_impossible_facts_are_refused(self, evening, facts, places):
        answer = evening.report("r1g1", facts)
        if places == set():
            assert answer.status == 201  # the kind follows from the pairing
            return
        assert answer.code == "impossible-result", answer
        if places is not None:
            assert places <= set(answer.places)

    @pytest.mark.parametrize(
        ("facts", "place"),
        [
            (score(-1, 50), "/facts/points_1"),
            (score(100.5, 50), "/facts/points_1"),
            (score("100", 50), "/facts/points_1"),
            (score(True, 50), "/facts/points_1"),
            (score(1_000_001, 50), "/facts/points_1"),
            (score(100, 50, winner=3), "/facts/winner"),
            (score(100, 50, winner="1"), "/facts/winner"),
            (score(100, 50, winner=True), "/facts/winner"),
            (score(100, 50, winner=1.0), "/facts/winner"),
            (score(100, 50, winner=[1]), "/facts/winner"),
            (score(100, 50, end="boredom"), "/facts/end"),
            (score(100, 50, kind="bye"), "/facts/kind"),
            (score(100, 50, luck=7), "/facts/luck"),
            (score(100, 50, second_player=0), "/facts/second_player"),
            (None, "/facts"),
            ([], "/facts"),
        ],
    )
    def test_malformed_facts_are_refused(self, evening, facts, place):
        answer = evening.post("/games/r1g1/result", {"facts": facts}, "referee")
        assert (answer.status, answer.code, answer.places) == (422, "invalid-request", [place])

    @pytest.mark.parametrize("kind", ["forfeit", "no_show", "double_no_show"])
    def test_players_cannot_record_a_no_show(self, evening, kind):
        facts = {"kind": kind} | ({} if kind == "double_no_show" else {"conceded_by": 2})
        assert evening.report("r1g1", facts, by="p1").code == "staff-only"
        assert evening.report("r1g1", facts).status == 201

    def test_a_player_can_report_the_opponents_concession(self, evening):
        facts = score(15, 105, end="concession", conceded_by=2)
        assert evening.report("r1g1", {**facts, "points_1": 315}, by="p1").status == 201

    @pytest.mark.parametrize("game", ["r1g9", "r2g1", "r0g1", "g1", "r1", "x", "r1g1-2", "rr1g1", "r999999999999g1"])
    def test_an_unknown_game_is_refused(self, evening, game):
        assert evening.report(game, score(100, 50)).code == "game-unknown"
        assert evening.get(f"/games/{game}").code == "game-unknown"
        assert evening.get(f"/games/{game}/history").code == "game-unknown"

    def test_a_bye_has_the_score_of_the_ruleset(self, evening):
        assert evening.report("r1g3", score(100, 50), by="p5").code == "bye-has-no-result"
        assert evening.get("/games/r1g3").code == "bye-has-no-result"
        bye = evening.get("/games?status=bye").body["items"][0]
        assert (bye["player_1"], bye["binds"]) == ("p5", True)
        assert bye["score"]["values_1"] == {"tournament_points": 8, "margin_of_victory": 61}

    def test_a_report_before_the_start_of_the_round_is_refused(self, evening):
        evening.play(1, (100, 50), (100, 50))
        evening.paired(2, ("p1", "p3"), ("p2", "p4"), ("p5",))
        assert evening.report("r2g1", score(100, 50), by="p1").code == "round-not-begun"
        assert evening.close(2).code == "round-not-begun"
        evening.started(2)
        assert evening.report("r2g1", score(100, 50), by="p1").status == 201

    def test_a_result_of_a_withdrawn_round_does_not_count(self, evening):
        evening.report("r1g1", score(138, 105))
        evening.say("pairing", RoundWithdrawn(round=1, reason="paired wrongly"))
        assert evening.get("/games/r1g1").code == "game-unknown"
        assert evening.report("r1g1", score(138, 105)).code == "game-unknown"
        assert evening.get("/games").body["items"] == []
        assert {row.split()[1] for row in evening.standings()} == {"0/0/0"}

    def test_a_result_of_a_removed_game_does_not_count(self, evening):
        evening.report("r1g1", score(138, 105), by="p1")
        seat = Seat(game="r1g4", kind="game", player_1="p1", player_2="p3")
        evening.say(
            "pairing", PairingAmended(round=1, pairings=[seat], reason="travel partners", removed=["r1g1", "r1g2"])
        )
        assert evening.confirm("r1g1", by="p2").code == "game-unknown"
        assert evening.report("r1g4", score(1, 0), by="p3").status == 201


class TestFromPaper:
    """Results of a whole round entered by staff."""

    def rows(self, **facts):
        return {"results": [{"game": game, "facts": told} for game, told in facts.items()]}

    def test_staff_enter_a_round_of_slips(self, evening):
        answer = evening.post("/results", self.rows(r1g1=score(138, 105), r1g2=score(20, 90)), by="referee")
        assert answer.types == ["ResultReported", "ResultConfirmed"] * 2
        assert evening.get("/games?status=open").body["items"] == []

    def test_already_entered_results_are_skipped(self, evening):
        evening.report("r1g1", score(138, 105), by="p1")
        evening.report("r1g2", score(20, 90))
        answer = evening.post("/results", self.rows(r1g1=score(138, 105), r1g2=score(20, 90)), by="referee")
        assert answer.types == ["ResultConfirmed"]

    def test_faults_of_all_slips_are_listed(self, evening):
        evening.report("r1g2", score(20, 90))
        slips = [
            {"game": "r1g1", "facts": {**score(138, 105), "winner": 2}},
            {"game": "r1g2", "facts": score(90, 20)},
            {"game": "r1g3", "facts": score(1, 0)},
            {"game": "r1g9", "facts": score(1, 0)},
        ]
        answer = evening.post("/results", {"results": slips}, by="referee")
        assert answer.code == "impossible-result"  # the etag of the first page
        assert answer.places == ["/results/0/facts/winner", "/results/1/game", "/results/2/game", "/results/3/game"]
        assert evening.game("r1g1")["status"] == "open"

    def test_a_game_listed_twice_is_refused(self, evening):
        slips = [{"game": "r1g1", "facts": score(138, 105)}] * 2
        answer = evening.post("/results", {"results": slips}, by="referee")
        assert (answer.code, answer.places) == ("result-exists", ["/results/1/game"])

    @pytest.mark.parametrize("results", [[], [{}] * 501, {}, None])
    def test_the_number_of_slips_is_limited(self, evening, results):
        answer = evening.post("/results", {"results": results}, by="referee")
        assert answer.code == "invalid-request"


class TestVoiding:
    """Voided results."""

    def test_a_voided_game_can_be_reported_again(self, evening):
        evening.report("r1g1", score(138, 105))
        assert evening.void("r1g1").types == ["ResultVoided"]
        assert evening.void("r1g1").types == []
        shown = evening.game("r1g1")
        assert (shown["status"], shown["binds"], "facts" in shown) == ("open", False, False)
        assert evening.report("r1g1", score(105, 138), by="p2").status == 201

    def test_a_result_of_a_closed_round_cannot_be_voided(self, evening):
        evening.play(1, (100, 50), (100, 50))
        assert evening.void("r1g1").code == "round-closed"


class TestLists:
    def test_games_of_the_latest_round_are_the_default(self, evening):
        evening.play(1, (100, 50), (100, 50))
        assert [game["id"] for game in evening.get("/games").body["items"]] == ["r1g1", "r1g2", "r1g3"]
        evening.begin(2, ("p1", "p3"), ("p5", "p2"))
        assert [game["round"] for game in evening.get("/games").body["items"]] == [2, 2]
        assert len(evening.get("/games?round=1").body["items"]) == 3

    def test_pages_stay_in_their_round(self, evening):
        evening.play(1, (100, 50), (100, 50))
        first = evening.get("/games?limit=2").body
        assert (first["round"], len(first["items"])) == (1, 2)
        evening.begin(2, ("p1", "p3"), ("p5", "p2"))
        rest = evening.get(f"/games?limit=2&after={first['next']}").body
        assert (rest["round"], [game["id"] for game in rest["items"]], rest["next"]) == (1, ["r1g3"], None)
        assert evening.get("/games").body["round"] == evening.get("/games?round=2").body["round"] == 2

    def test_games_of_all_rounds_are_paged(self, evening):
        evening.play(1, (100, 50), (100, 50))
        evening.begin(2, ("p1", "p3"), ("p5", "p2"))
        found, after = [], ""
        while True:
            page = evening.get(f"/games?round=all&limit=2{after}").body
            assert page["round"] is None
            found += [game["id"] for game in page["items"]]
            if page["next"] is None:
                break
            after = f"&after={page['next']}"
        assert found == ["r1g1", "r1g2", "r1g3", "r2g1", "r2g2"]
        assert [game["id"] for game in evening.get("/games?round=all&status=bye").body["items"]] == ["r1g3"]
        assert evening.get(f"/games?round=1{after}").code == "invalid-cursor"

    def test_games_of_an_unpaired_round_are_refused(self, evening, open_floor):
        assert evening.get("/games?round=2").code == "round-unknown"
        assert evening.get("/games?round=0").code == "invalid-request"
        shown = open_floor(4).get("/games").body
        assert shown.pop("version")
        assert shown == {"items": [], "next": None, "total": 0, "round": None}

    def test_games_are_filtered_by_status(self, evening):
        def listed(status: str) -> list[str]:
            return [game["id"] for game in evening.get(f"/games?status={status}").body["items"]]

        assert (listed("open"), listed("bye")) == (["r1g1", "r1g2"], ["r1g3"])
        evening.report("r1g1", score(138, 105), by="p1")
        assert (listed("open"), listed("reported")) == (["r1g2"], ["r1g1"])
        evening.dispute("r1g1", by="p2")
        assert listed("disputed") == ["r1g1"]
        evening.rule("r1g1", score(138, 105))
        assert listed("ruled") == ["r1g1"]
        evening.correct("r1g1", score(105, 138))
        evening.report("r1g2", score(1, 0))
        assert (listed("corrected"), listed("confirmed")) == (["r1g1"], ["r1g2"])

    def test_games_are_filtered_by_venue(self, evening):
        evening.say("registration", *[VenueOpened(venue=venue, name=venue, tables=[]) for venue in ("v1", "v2")])
        assert len(evening.get("/games?venue=v1").body["items"]) == 2
        assert evening.get("/games?venue=v2").body["items"] == []
        refused = evening.get("/games?venue=the%20hall")
        assert (refused.status, refused.code, refused.places) == (422, "invalid-request", ["/venue"])

    def test_every_game_is_on_exactly_one_page(self, open_floor):
        told = open_floor(8)
        told.begin(1, ("p1", "p2"), ("p3", "p4"), ("p5", "p6"), ("p7", "p8"))
        first = told.get("/games?limit=3").body
        second = told.get(f"/games?limit=3&after={first['next']}").body
        assert [game["id"] for game in first["items"] + second["items"]] == ["r1g1", "r1g2", "r1g3", "r1g4"]
        assert second["next"] is None
        assert told.get("/games?after=x").code == "invalid-cursor"

    def test_a_game_shows_players_venue_and_status(self, evening):
        evening.report("r1g1", score(138, 105), by="p1")
        shown = evening.get("/games/r1g1", by=NOBODY).body
        expected = {"name_1": "Ana", "name_2": "Ben", "venue": "v1", "table": 1, "kind": "game", "round": 1}
        assert {key: shown[key] for key in expected} == expected
        assert (shown["score"]["outcome_1"], shown["score"]["values_1"]["tournament_points"]) == ("win", 6)

    def test_the_history_lists_all_events_of_a_game(self, evening):
        evening.report("r1g1", score(138, 105), by="p1")
        evening.report("r1g2", score(1, 0))
        evening.dispute("r1g1", by="p2", facts=score(105, 138))
        evening.rule("r1g1", score(138, 105))
        told = evening.get("/games/r1g1/history", by=NOBODY).body["items"]
        assert [(event["type"], event["actor_text"]) for event in told] == [
            ("ResultReported", "p1, player"),
            ("ResultDisputed", "p2, player"),
            ("ResultRuled", "s2, referee"),
        ]


class TestOnce:
    """Idempotency keys, versions and Muster-Seen."""

    def test_a_repeated_report_is_recorded_once(self, evening):
        first = evening.report("r1g1", score(138, 105), by="p1", Idempotency_Key="tap")
        evening.confirm("r1g1", by="p2")
        assert evening.report("r1g1", score(138, 105), by="p1", Idempotency_Key="tap").body == first.body
        other = evening.report("r1g1", score(105, 138), by="p1", Idempotency_Key="tap")
        assert (other.status, other.code) == (422, "idempotency-key-reused")
        assert len(evening.log) == 2

    def test_concurrent_corrections_conflict_by_version(self, evening):
        evening.report("r1g1", score(138, 105))
        tag = evening.get("/games/r1g1").headers["ETag"]
        evening.report("r1g2", score(1, 0))
        first = evening.correct("r1g1", score(105, 138), If_Match=tag)
        assert first.status == 201
        assert evening.correct("r1g1", score(10, 0), If_Match=tag).code == "precondition-failed"
        assert evening.correct("r1g1", score(10, 0), If_Match=first.headers["ETag"]).status == 201

    def test_a_conflicting_correction_names_the_current_version(self, evening):
        evening.play(1, (138, 105), (1, 0))
        first = evening.correct("r1g1", score(105, 138))
        assert first.types == ["ResultCorrected", "StandingsRecorded"]
        assert evening.correct("r1g1", score(10, 0), If_Match=first.headers["ETag"]).status == 201

    def test_moving_a_game_changes_its_version(self, evening):
        answer = evening.get("/games/r1g1")
        assert evening.get("/games/r1g1", If_None_Match=answer.headers["ETag"]).status == 304
        evening.say("pairing", TableMoved(round=1, game="r1g1", venue="v1", table=9))
        moved = evening.get("/games/r1g1", If_None_Match=answer.headers["ETag"])
        assert (moved.status, moved.body["table"]) == (200, 9)

    def test_an_answer_is_at_least_as_new_as_muster_seen(self, evening):
        assert evening.get("/games", Muster_Seen="pairing=99").code == "not-yet-seen"
        assert evening.get("/games", Muster_Seen="pairing=3").headers["Muster-Seen"] == "registration=8, pairing=3"


class TestSpare:
    """FF-SPARE-1, FF-AMB-12: a spare player plays instead of a bye."""

    @pytest.fixture
    def evening(self, open_floor):
        told = open_floor(3, ruleset="fallout-factions-comp-1.0", staff=("spare", "spare"), rounds=2)
        told.begin(1, ("p1", "p2"), ("p3", "s1"), scenario="Raid")
        return told

    def test_a_spare_player_confirms_like_an_opponent(self, evening, club):
        spare = club.token("spare", evening.id, actor="s1")
        other = club.token("spare", evening.id, actor="s2")
        facts = {"points_1": 12, "points_2": 9}
        assert evening.report("r1g2", facts, by="p3").status == 201
        assert evening.confirm("r1g2", by=other).code == "not-your-game"
        assert evening.confirm("r1g2", by=spare).types == ["ResultConfirmed"]
        shown = evening.game("r1g2")
        assert (shown["kind"], shown["name_2"], shown["facts"]["kind"]) == ("spare", "Staff 1", "spare")

    def test_a_spare_player_is_not_in_the_standings(self, evening):
        evening.report("r1g1", {"points_1": 9, "points_2": 12})
        evening.report("r1g2", {"points_1": 12, "points_2": 9})
        evening.close(1)
        assert sorted(evening.standings(1)) == ["Ana 0/9/0", "Ben 2/12/1", "Cy 2/12/1"]

    def test_a_player_with_the_id_of_the_spare_is_not_the_spare(self, evening, club):
        evening.report("r1g2", {"points_1": 12, "points_2": 9}, by="p3")
        assert evening.confirm("r1g2", by=club.token("player", evening.id, player="s1")).code == "forbidden"


def test_a_replay_gives_the_same_state(evening):
    evening.report("r1g1", score(138, 105), by="p1")
    evening.dispute("r1g1", by="p2", facts=score(105, 138))
    evening.rule("r1g1", score(138, 105))
    evening.report("r1g2", score(1, 0))
    evening.close(1)
    evening.correct("r1g2", score(0, 1))
    assert same_state(evening.club, evening.id)


class TestWhoWon:
    """AR-RES-2: a winner with the lower score destroyed a whole fleet of at least 300."""

    BEHIND = {"points_1": 200, "points_2": 100, "winner": 2, "second_player": 2}

    @pytest.mark.clause("AR-RES-2", "AR-RES-6")
    def test_a_winner_with_fewer_points_needs_a_destroyed_fleet(self, evening):
        several = {"results": [{"game": "r1g1", "facts": self.BEHIND}]}
        refused = [
            evening.report("r1g1", self.BEHIND, by="p1"),
            evening.report("r1g1", self.BEHIND),
            evening.post("/results", several, "referee"),
            evening.rule("r1g1", self.BEHIND),
        ]
        evening.report("r1g1", score(200, 100))
        refused += [evening.correct("r1g1", self.BEHIND), evening.correct("r1g1", self.BEHIND, preview=True)]
        assert [(answer.status, answer.code) for answer in refused] == [(422, "impossible-result")] * 6
        assert {answer.places[0].rpartition("/")[2] for answer in refused} == {"winner"}
        assert {answer.faults[0]["clause"] for answer in refused} == {"AR-RES-6"}

    @pytest.mark.clause("AR-RES-1", "AR-RES-2")
    def test_two_destroyed_fleets_require_the_kind_of_end(self, evening):
        unclear = {"points_1": 345, "points_2": 315, "second_player": 2}
        answer = evening.report("r1g1", unclear)
        assert (answer.code, answer.places, answer.faults[0]["clause"]) == (
            "improbable-result",
            ["/facts/end"],
            "AR-RES-1",
        )
        assert evening.report("r1g1", {**unclear, "end": "defeated_1"}).status == 201
        assert evening.game("r1g1")["score"]["outcome_2"] == "win"
