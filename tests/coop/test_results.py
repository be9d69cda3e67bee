"""Results of sessions: confirmed, ruled, reported, corrected; rankings of tables and survivors."""

from __future__ import annotations

import pytest

from shared.coop.ranking import rank_survivors, rank_tables
from shared.formats.packs import shipped_ruleset
from tests.coop.story import operator_data
from tests.coop.test_examples import counted_session

TOLD = {"outcome": "victory", "rounds": 7, "completed": ["g01", "g02"], "kills": 1, "cards": 2, "position": 3}


@pytest.fixture
def lost(night):
    """Return a lost table without confirmations."""
    night.move_to(9)
    return night


@pytest.fixture
def paper(new):
    """Return a table of an event that takes one report for each session."""
    night = new(options={"ab.report.detail": "summary"})
    night.set_up()
    return night


class TestConfirmation:
    @pytest.mark.clause("AB-REP-3")
    def test_two_survivors_and_the_host_make_a_result_bind(self, lost):
        host, *others = lost.here
        for voice in others:
            lost.confirm(by=voice)
            assert not lost.state["binds"]
        assert lost.confirm(by=host).events[0]["data"] == {
            "session": "r1t1",
            "survivor": host,
            "host": True,
            "binds": True,
        }
        assert lost.confirm(by=host).types == []

    @pytest.mark.clause("AB-REP-3")
    def test_confirmation_at_a_table_of_one(self, new):
        alone = new(1)
        alone.set_up()
        alone.move_to(9)
        alone.confirm(by="p1")
        assert alone.state["binds"]

    @pytest.mark.clause("AB-REP-3")
    def test_organiser_can_rule_alone_and_a_referee_cannot(self, lost):
        lost.refused(403, "not-your-table", "confirmation", None, by="referee")
        assert lost.confirm(by="head_referee").events[0]["data"]["ruling"]
        assert lost.state["binds"]

    @pytest.mark.clause("AB-REP-3")
    def test_host_from_the_staff(self, new):
        night = new(3, seated=False)
        night.do("registration", "/staff", {"name": "Hosty", "role": "referee"})
        night.seat(tables=[{"survivors": ["p1", "p2", "p3"], "host": "s1"}])
        night.set_up()
        night.move_to(9)
        night.confirm(by="p1")
        night.confirm(by="p2")
        assert not night.state["binds"]
        host = night.muster.token("referee", night.id, actor="s1")
        night.confirm(by=host)
        assert night.state["binds"]

    def test_confirmation_needs_an_ended_session_and_its_survivors(self, night):
        night.refused(409, "session-not-ended", "confirmation", None, by="p1")
        night.move_to(9)
        night.refused(403, "forbidden", "confirmation", None, by="p7")


class TestReports:
    @pytest.mark.clause("AB-REP-1", "AB-REP-3")
    def test_report_needs_confirmations_and_can_be_replaced(self, paper):
        first, second = paper.here[0], paper.here[1]
        reported = paper.do("scoring", "/sessions/r1t1/report", {"told": TOLD}, second)
        assert reported.types == ["SessionReported", "SessionConfirmed"]
        paper.do("scoring", "/sessions/r1t1/report", {"told": {**TOLD, "rounds": 8}}, first)
        assert paper.state["confirmed"] == [first]
        paper.confirm(by=second)
        assert paper.state["binds"]
        paper.refused(409, "session-settled", "report", {"told": TOLD}, by=first)

    @pytest.mark.clause("AB-REP-2", "AB-END-2", "AB-GOAL-1")
    @pytest.mark.parametrize(
        ("change", "where", "clause"),
        [
            ({"completed": ["g01", "g02", "g11", "g12", "g03"]}, "/told/completed", "AB-REP-2"),
            ({"completed": ["g01", "g03"]}, "/told/completed/1", "AB-GOAL-1"),
            ({"completed": ["g01", "g01"]}, "/told/completed", "AB-GOAL-1"),
            ({"completed": ["g01"]}, "/told/completed", "AB-END-1"),
            ({"cards": 8, "kills": 0, "position": 8}, "/told/cards", "AB-REP-2"),
            ({"kills": 6, "cards": 0, "position": 3}, "/told/position", "AB-REP-2"),
            ({"kills": 9, "cards": 0, "position": 9}, "/told/outcome", "AB-END-2"),
            ({"outcome": "defeat"}, "/told/position", "AB-END-2"),
            ({"kills": 20}, "/told/position", "AB-REP-2"),
            ({"rounds": 0, "cards": 0, "position": 1}, "/told/rounds", "AB-REP-2"),
            (
                {"completed": ["g01", "g02", "g11", "g12"], "kills": 12, "cards": 0, "position": 10},
                "/told/position",
                "AB-REP-2",
            ),
        ],
    )
    def test_impossible_totals_are_refused(self, paper, change, where, clause):
        refused = paper.refused(422, "impossible-move", "report", {"told": {**TOLD, **change}}, by="p1")
        assert (where, clause) in [(fault["where"], fault["clause"]) for fault in refused.faults]

    @pytest.mark.clause("AB-REP-2")
    def test_position_three_with_six_advances_needs_extra_goals(self, paper):
        six = {**TOLD, "kills": 3, "cards": 3, "position": 3}
        paper.refused(422, "impossible-move", "report", {"told": six}, by="p1")
        paper.do("scoring", "/sessions/r1t1/report", {"told": {**six, "completed": ["g01", "g02", "g11", "g12"]}}, "p1")

    @pytest.mark.clause("AB-END-2")
    def test_lost_session_cannot_be_unfinished(self, paper):
        told = {**TOLD, "outcome": "unfinished", "kills": 9, "cards": 0, "position": 9}
        refused = paper.refused(422, "impossible-move", "report", {"told": told})
        assert [(fault["where"], fault["clause"]) for fault in refused.faults] == [("/told/outcome", "AB-END-2")]

    @pytest.mark.clause("AB-END-4")
    def test_only_the_organiser_can_end_a_session_unfinished(self, paper):
        body = {"told": {**TOLD, "outcome": "unfinished"}}
        paper.refused(422, "impossible-move", "report", body, by="p1")
        paper.do("scoring", "/sessions/r1t1/report", body)
        assert paper.state["binds"]


class TestCorrections:
    @pytest.mark.clause("AB-REP-3", "AB-END-3")
    def test_correction_updates_published_rankings(self, new):
        night = new(4, data=operator_data(table={"survivors_min": 1, "survivors_max": 2}))
        for session, position in (("r1t1", 9), ("r1t2", 9)):
            night.set_up(session)
            night.goal("g01") if session == "r1t1" else None
            night.move_to(position)
            night.confirm()
        night.do("pairing", "/session-rounds/1/close")
        night.do("scoring", "/session-rounds/1/ranking")
        assert night.do("scoring", "/session-rounds/1/ranking").types == []
        assert [row["session"] for row in night.ranking(1)["tables"]] == ["r1t1", "r1t2"]
        night.do("scoring", "/conclusion", {})
        won = {"outcome": "victory", "rounds": 1, "completed": ["g01", "g02"], "others": 8, "position": 8}
        body = {"told": won, "reason": "the last space was miscounted"}
        night.refused(403, "forbidden", "correction", body, by="p1")
        before = night.heads
        preview = night.ask("POST", "scoring", "/sessions/r1t2/correction?preview=true", body)
        assert preview.status == 200
        assert preview.body["moves"]["ranking"]["tables"] == [
            {"session": "r1t2", "before": 2, "after": 1},
            {"session": "r1t1", "before": 1, "after": 2},
        ]
        assert {
            (row["points_before"], row["points_after"]) for row in preview.body["moves"]["ranking"]["survivors"]
        } == {(0, 0), (0, 3)}
        assert night.heads == before
        corrected = night.do("scoring", "/sessions/r1t2/correction", body)
        assert corrected.types == ["SessionCorrected", "CoopRankingPublished"]
        assert [row["session"] for row in night.ranking(1)["tables"]] == ["r1t2", "r1t1"]
        assert night.do("scoring", "/sessions/r1t2/correction", body).types == []
        winner = night.tables()["r1t2"][0]
        explained = night.ask("GET", "scoring", f"/ranking/{winner}").body
        assert (explained["points"], explained["clause"]) == (3, "AB-AMB-18")
        assert [(row["session"], row["corrected"]) for row in explained["sessions"]] == [("r1t2", True)]
        assert night.ask("GET", "scoring", "/ranking/p99").code == "player-unknown"
        night.refused(422, "impossible-move", "correction", {**body, "told": {**won, "position": 9}})

    @pytest.mark.clause("AB-REP-3", "AB-RNK-8")
    def test_correction_updates_rankings_of_later_rounds(self, new):
        night = new(2, rounds=2)
        for session, number in (("r1t1", 1), ("r2t1", 2)):
            if number == 2:
                night.seat()
            night.set_up(session)
            night.move_to(9)
            night.confirm()
            night.do("pairing", f"/session-rounds/{number}/close")
            night.do("scoring", f"/session-rounds/{number}/ranking")
        won = {"outcome": "victory", "rounds": 1, "completed": ["g01", "g02"], "others": 8, "position": 8}
        corrected = night.do("scoring", "/sessions/r1t1/correction", {"told": won, "reason": "x"})
        assert corrected.types == ["SessionCorrected", "CoopRankingPublished", "CoopRankingPublished"]
        assert [row["points"] for row in night.ranking(2)["survivors"]] == [3, 3]

    @pytest.mark.clause("AB-REP-3")
    def test_a_corrected_session_has_one_outcome_and_says_what_it_was(self, night):
        night.win()
        night.confirm()
        assert night.state["ended"]["outcome"] == "victory"
        told = {"outcome": "defeat", "rounds": 3, "completed": ["g01"], "others": 9, "position": 9}
        night.do("scoring", "/sessions/r1t1/correction", {"told": told, "reason": "the goal was tapped by mistake"})
        state, page = night.state, night.ask("GET", "scoring", "/sessions").body["items"][0]
        assert page == state
        assert (state["ended"]["outcome"], state["ended"]["event"]) == ("defeat", "SessionCorrected")
        assert (state["position"], state["session_round"], state["goals_completed"]) == (9, 3, ["g01"])
        assert state["told"]["outcome"] == "defeat"
        corrected = state["corrected"]
        assert (corrected["by"], corrected["reason"]) == ("organiser", "the goal was tapped by mistake")
        assert (corrected["before"]["outcome"], corrected["before"]["completed"]) == ("victory", ["g01", "g02"])

    def test_running_session_cannot_be_corrected(self, night):
        body = {"told": {**TOLD, "kills": 1, "cards": 0, "position": 1}, "reason": "x"}
        night.refused(409, "session-not-ended", "correction", body)


class TestRanking:
    @pytest.mark.clause("AB-RNK-1")
    def test_outcome_is_the_first_criterion(self):
        best, worst = {"rounds": 1, "position": 0, "goals": 4}, {"rounds": 99, "position": 8, "goals": 0}
        tables = [
            counted_session("D", "abandoned", **best),
            counted_session("C", "defeat", **{**best, "position": 9}),
            counted_session("B", "unfinished", **{**best, "goals": 3}),
            counted_session("A", "victory", **worst),
        ]
        ranked = rank_tables(tables, shipped_ruleset("atomic-bonds").ranking)
        assert [(row.session, row.rank) for row in ranked] == [("A", 1), ("B", 2), ("C", 3), ("D", 4)]

    @pytest.mark.clause("AB-RNK-4")
    def test_unfinished_tables_by_goals_then_power_then_rounds(self):
        tables = [
            counted_session("D", "unfinished", 9, 2, 1),
            counted_session("C", "unfinished", 5, 2, 1),
            counted_session("B", "unfinished", 9, 1, 1),
            counted_session("A", "unfinished", 9, 7, 2),
        ]
        ranked = rank_tables(tables, shipped_ruleset("atomic-bonds").ranking)
        assert [(row.session, row.rank) for row in ranked] == [("A", 1), ("B", 2), ("C", 3), ("D", 4)]

    def test_leavers_keep_their_place_and_disqualified_survivors_have_none(self, new):
        night = new(3)
        night.set_up()
        night.move_to(9)
        night.confirm()
        night.do("registration", "/players/p1/drop", {"reason": "ill"})
        night.do("registration", "/players/p2/disqualification", {"reason": "threw the board"})
        night.muster.copy(night.id)
        assert [row["player"] for row in night.ranking()["survivors"]] == ["p1", "p3"]

    @pytest.mark.clause("AB-RNK-8")
    @pytest.mark.parametrize(
        ("one", "two"),
        [
            # two sessions each, as outcome, rounds and goals; the first is ranked before the second by
            pytest.param([("victory", 9, 2), ("defeat", 9, 0)], [("unfinished", 1, 4)] * 2, id="points"),
            pytest.param([("victory", 9, 2), ("defeat", 9, 0)], [("unfinished", 1, 4)] * 3, id="victories"),
            pytest.param([("victory", 3, 2), ("defeat", 9, 0)], [("victory", 4, 4), ("defeat", 1, 4)], id="rounds"),
            pytest.param([("victory", 3, 2), ("defeat", 9, 3)], [("victory", 3, 2), ("defeat", 1, 2)], id="goals"),
        ],
    )
    def test_survivors_by_points_victories_rounds_in_them_and_goals(self, one, two):
        played = [
            counted_session(survivor, outcome, rounds, 9, goals)
            for survivor, sessions in (("B", one), ("A", two))
            for outcome, rounds, goals in sessions
        ]
        ranked = rank_survivors(played, shipped_ruleset("atomic-bonds").ranking)
        assert [(row.player, row.rank) for row in ranked] == [("b", 1), ("a", 2)]

    @pytest.mark.clause("AB-RNK-8")
    def test_survivors_with_equal_sums_share_a_rank(self):
        played = [counted_session(name, "victory", 3, 1, 2) for name in ("A", "B")] + [
            counted_session("C", "defeat", 3, 9, 0)
        ]
        ranked = rank_survivors(played, shipped_ruleset("atomic-bonds").ranking)
        assert [(row.player, row.rank) for row in ranked] == [("a", 1), ("b", 1), ("c", 3)]

    @pytest.mark.clause("AB-RNK-5")
    def test_equal_tables_share_a_rank_and_the_next_is_skipped(self):
        rules = shipped_ruleset("atomic-bonds").ranking
        tables = [
            counted_session("A", "victory", 7, 3, 2),
            counted_session("B", "victory", 7, 3, 2),
            counted_session("C", "abandoned", 1, 0, 0),
        ]
        assert [(row.session, row.rank) for row in rank_tables(tables, rules)] == [("A", 1), ("B", 1), ("C", 3)]

    @pytest.mark.clause("AB-RNK-5", "AB-END-2")
    def test_survivors_of_a_table_share_its_rank(self, new):
        night = new(4, data=operator_data(table={"survivors_min": 1, "survivors_max": 2}))
        for session in ("r1t1", "r1t2"):
            night.set_up(session)
        night.move_to(9)
        night.confirm()
        refused = night.ask("POST", "scoring", "/session-rounds/1/ranking")
        assert (refused.code, refused.data["sessions"]) == ("sessions-open", ["r1t1"])
        assert night.ask("POST", "scoring", "/session-rounds/7/ranking").code == "round-unknown"
        night.session = "r1t1"
        night.win()
        night.confirm()
        provisional = night.ranking()
        assert provisional["provisional"]
        tables = night.tables()
        assert {row["player"]: row["rank"] for row in provisional["survivors"]} == {
            **dict.fromkeys(tables["r1t1"], 1),
            **dict.fromkeys(tables["r1t2"], 2),
        }
        assert night.ask("GET", "scoring", "/ranking?round=1").code == "round-not-closed"

    def test_early_end_needs_a_closed_round_and_a_reason(self, new):
        night = new(3, rounds=2)
        assert night.ask("POST", "scoring", "/conclusion", {}).code == "round-not-closed"
        night.set_up()
        night.move_to(9)
        assert night.ask("POST", "pairing", "/session-rounds/1/close").code == "round-not-closed"
        night.confirm()
        night.do("pairing", "/session-rounds/1/close")
        assert night.ask("POST", "scoring", "/conclusion", {}).code == "rounds-remain"
        night.do("scoring", "/conclusion", {"reason": "a storm"})
        assert night.ask("POST", "pairing", "/session-rounds", None).code == "tournament-over"
