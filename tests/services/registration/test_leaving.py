"""Withdrawal, drop, warning, disqualification, and return of players."""

from __future__ import annotations

import pytest

from shared.tournament.rounds import RoundPaired


@pytest.fixture
def evening(evening):
    """Round 1 is being played: Ana against Ben, Cy against Dee."""
    evening.join("Ana", "Ben", "Cy", "Dee")
    evening.begin("p1", "p2", "p3", "p4")
    return evening


def second_round(evening, *players: str) -> None:
    """Round 1 is closed, and round 2 is paired among these."""
    evening.closed(1)
    evening.paired(2, *[players[index : index + 2] for index in range(0, len(players), 2)])


class TestDrop:
    """AR-AMB-17: results stay, and no further rounds are played."""

    def test_a_drop_says_after_which_round(self, evening):
        answer = evening.do("p1", "drop", {"reason": "ill"}, by="p1")
        assert answer.events[0]["data"] == {"player": "p1", "after_round": 0, "reason": "ill"}
        second_round(evening, "p2", "p3", "p4")
        assert evening.do("p2", "drop", {}).events[0]["data"] == {"player": "p2", "after_round": 1}
        assert evening.names("dropped") == ["Ana", "Ben"]

    def test_to_drop_twice_changes_nothing(self, evening):
        evening.do("p1", "drop", {})
        assert evening.do("p1", "drop", {}).types == []

    def test_no_player_withdraws_from_a_tournament_that_has_begun(self, evening):
        assert evening.do("p1", "withdrawal", {}).code == "too-late-to-change"

    def test_a_dropped_player_returns_for_the_next_pairing(self, evening):
        evening.do("p1", "drop", {})
        assert evening.do("p1", "reinstatement").types == ["PlayerReinstated"]
        assert evening.do("p1", "reinstatement").types == []
        assert evening.player("p1")["status"] == "active"

    def test_only_who_dropped_comes_back_this_way(self, evening):
        evening.do("p1", "disqualification", {"reason": "loaded dice"})
        answer = evening.do("p1", "reinstatement")
        assert (answer.code, answer.data["status"]) == ("player-not-active", "disqualified")

    @pytest.mark.parametrize("what", ["check-in", "warnings", "roster", "table"])
    def test_a_dropped_player_cannot_act(self, evening, what):
        venue = evening.venue()
        evening.do("p1", "drop", {})
        bodies = {
            "check-in": {},
            "warnings": {"reason": "late"},
            "roster": {"roster": {}},
            "table": {"venue": venue, "table": 1},
        }
        answer = evening.do("p1", what, bodies[what])
        assert (answer.code, answer.data["status"]) == ("player-not-active", "dropped")


class TestWarnings:
    """FF-DQ-1: a reminder without penalty is an outcome of its own."""

    @pytest.mark.clause("FF-DQ-1")
    def test_a_warning_is_counted_and_its_reason_is_in_the_log(self, evening):
        evening.do("p1", "warnings", {"reason": "slow play", "clause": "AR-COND-2"}, by="referee")
        evening.do("p1", "warnings", {"reason": "slow play again"})
        assert evening.player("p1")["warnings"] == 2
        assert '"clause":"AR-COND-2"' in evening.log[-2].data

    @pytest.mark.parametrize("body", [{}, {"reason": ""}, {"reason": "x", "clause": "y" * 41}, {"reason": "\u0000"}])
    def test_a_warning_needs_its_ground(self, evening, body):
        assert evening.do("p1", "warnings", body).code == "invalid-request"


class TestDisqualification:
    """AR-AMB-16, FF-AMB-29: with its reason on record; only the organiser revokes it, before the next pairing."""

    def disqualify(self, evening, player: str = "p1"):
        return evening.do(player, "disqualification", {"reason": "loaded dice", "clause": "AR-DQ-1"}, by="head_referee")

    def revoke(self, evening, player: str = "p1", by: str = "head_referee"):
        return evening.do(player, "disqualification/revocation", {"reason": "the dice were fair"}, by=by)

    @pytest.mark.clause("AR-ROS-8", "AR-DQ-1")
    def test_the_ground_and_the_round_stand_in_the_log(self, evening):
        answer = self.disqualify(evening)
        expected = {"player": "p1", "after_round": 0, "reason": "loaded dice", "clause": "AR-DQ-1"}
        assert answer.events[0]["data"] == expected
        assert self.disqualify(evening).types == []
        assert evening.names("disqualified") == ["Ana"]

    def test_revoked_during_the_round_the_player_plays_on(self, evening):
        self.disqualify(evening)
        assert self.revoke(evening).types == ["DisqualificationRevoked"]
        assert self.revoke(evening).types == []
        assert evening.player("p1")["status"] == "active"

    @pytest.mark.parametrize(
        ("ruleset", "clause"),
        [
            ("star-wars-armada-1.1", "AR-STAFF-1"),
            pytest.param("fallout-factions-comp-1.0", "FF-AMB-29", marks=pytest.mark.clause("FF-AMB-29")),
            ("dust-warfare-1.0", "DW-STAFF-1"),
        ],
    )
    def test_too_late_once_a_round_was_paired_without_the_player(self, announce, ruleset, clause):
        evening = announce(ruleset=ruleset)
        evening.pair_first(*evening.join("Ana", "Ben", "Cy", "Dee"))
        assert evening.do("p1", "disqualification", {"reason": "loaded dice"}).types == ["PlayerDisqualified"]
        second_round(evening, "p2", "p3", "p4")
        answer = self.revoke(evening, by="organiser")
        assert (answer.code, answer.data["clause"]) == ("too-late-to-change", clause)

    def test_disqualified_between_two_rounds_the_next_pairing_is_the_limit(self, evening):
        evening.closed(1)
        self.disqualify(evening)
        evening.paired(2, ("p2", "p3"), ("p4",))
        assert self.revoke(evening).code == "too-late-to-change"

    def test_disqualified_after_the_next_pairing_there_is_time_until_the_one_after(self, evening):
        second_round(evening, "p1", "p2", "p3", "p4")
        self.disqualify(evening)
        assert self.revoke(evening).status == 201

    def test_a_player_sitting_out_was_not_left_unpaired(self, evening):
        """Ben had no list in round 2 and is disqualified while it is played."""
        from shared.tournament.rounds import PairingsDrawn, Seat

        evening.closed(1)
        seats = [Seat(game="r2g1", kind="game", player_1="p1", player_2="p3")]
        evening.say(
            "pairing",
            PairingsDrawn(round=2, page=1, pages=1, pairings=seats),
            RoundPaired(round=2, stage="swiss", method="random", games=1, left_out={"no_roster": ["p2"]}),
        )
        self.disqualify(evening, "p2")
        assert self.revoke(evening, "p2").status == 201

    def test_a_dropped_player_is_dropped_again_after_the_revocation(self, evening):
        evening.do("p1", "drop", {})
        second_round(evening, "p2", "p3", "p4")
        assert self.disqualify(evening).events[0]["data"]["after_round"] == 1
        assert self.revoke(evening).status == 201
        shown = evening.player("p1")
        assert (shown["status"], shown["after_round"]) == ("dropped", 0)

    def test_a_waiting_player_cannot_be_disqualified(self, announce):
        evening = announce(capacity=2)
        evening.join("Ana", "Ben", "Cy")
        answer = self.disqualify(evening, "p3")
        assert (answer.code, answer.data["status"]) == ("player-not-active", "waiting")

    def test_to_revoke_what_never_was_changes_nothing(self, evening):
        assert self.revoke(evening).types == []


class TestOver:
    """After the end nothing but reading is left, and what people have a right to."""

    REFUSED = (
        ("/amendments", {"name": "Other"}),
        ("/cancellation", {"reason": "again"}),
        ("/registration/close", None),
        ("/registration/reopen", None),
        ("/venues", {"name": "Hall"}),
        ("/venues/v1/tables", {"tables": []}),
        ("/venues/v1/closing", {"reason": "x"}),
        ("/players", {"name": "Eli"}),
        ("/players/list", {"players": [{"name": "Eli"}]}),
        ("/players/csv", b"name\nEli\n"),
        ("/players/p1/amendments", {"club": "Reds"}),
        ("/players/p1/withdrawal", {}),
        ("/players/p1/roster", {"roster": {}}),
        ("/players/p1/roster/acceptance", {}),
        ("/players/p1/roster/rejection", {"note": "x"}),
        ("/players/p1/check-in", {}),
        ("/players/p1/check-out", None),
        ("/players/p1/venue", {"venue": "v1"}),
        ("/players/p1/table", {"venue": "v1", "table": 1}),
        ("/players/p1/drop", {}),
        ("/players/p1/reinstatement", None),
        ("/players/p1/warnings", {"reason": "x"}),
        ("/players/p1/disqualification", {"reason": "x"}),
        ("/players/p1/disqualification/revocation", {"reason": "x"}),
    )

    @pytest.fixture(params=["cancelled", "concluded"])
    def over(self, evening, request):
        evening.venue()
        if request.param == "cancelled":
            assert evening.post("/cancellation", {"reason": "the hall is flooded"}).types == ["TournamentCancelled"]
        else:
            evening.concluded()
        assert evening.get().body["status"] == request.param
        return evening

    def test_every_command_is_refused(self, over):
        for rest, body in self.REFUSED:
            assert over.post(rest, body).code == "tournament-over", rest
        assert over.delete("/players/p1/table").code == "tournament-over"

    def test_everything_is_read(self, over):
        for rest in ("", "/players", "/players/p1", "/players/p1/roster", "/log", "/heads", "/players/p1/links"):
            assert over.get(rest).status == 200, rest

    def test_tokens_and_personal_data_are_still_in_peoples_hands(self, over):
        staff, _ = over.staff("Rita", "referee")
        assert over.post(f"/staff/{staff}/dismissal", {}).types == ["StaffDismissed"]
        assert over.post("/tokens/revocations", {"token_id": f"{over.id}.p1.1"}).types == ["TokenRevoked"]
        assert over.delete("/players/p1/personal", by="p1").status == 200
