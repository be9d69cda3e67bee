"""Seats and the waiting list: first come, first served, until round 1 is paired (AR-AMB-22, FF-AMB-21, DW-AMB-18)."""

from __future__ import annotations

import pytest

from shared.tournament.rounds import RoundWithdrawn


@pytest.fixture
def crowded(announce):
    """Two seats, and four who want to play."""
    evening = announce(capacity=2)
    evening.join("Ana", "Ben", "Cy", "Dee")
    return evening


@pytest.mark.clause("DW-REG-1", "DW-AMB-18", "AR-REG-2", "AR-AMB-22")
def test_players_after_the_last_seat_wait(crowded):
    assert crowded.names("active") == ["Ana", "Ben"]
    assert crowded.names("waiting") == ["Cy", "Dee"]
    assert crowded.player("p4")["waiting_position"] == 2
    assert crowded.get().body["players"] == {"active": 2, "waiting": 2}


def test_the_sign_up_of_the_worked_example(announce):
    """DW-EX-9: six seats, Gus and Hal wait; Cy comes without a valid list, and Gus takes the place."""
    evening = announce(capacity=6)
    evening.join("Ana", "Ben", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal")
    assert evening.names("waiting") == ["Gus", "Hal"]
    answer = evening.do("p3", "withdrawal", {"reason": "no valid list"})
    assert answer.types == ["PlayerWithdrawn", "PlayerPromoted"]
    assert answer.events[1]["data"] == {"player": "p7", "instead_of": "p3"}
    assert evening.names("active") == ["Ana", "Ben", "Dee", "Eli", "Fay", "Gus"]


@pytest.mark.clause("DW-REG-2", "DW-AMB-18", "DW-EX-9")
def test_a_seat_that_becomes_free_goes_to_who_waits_longest(crowded):
    assert crowded.do("p1", "withdrawal", {}, by="p1").types == ["PlayerWithdrawn", "PlayerPromoted"]
    assert (crowded.names("active"), crowded.names("waiting")) == (["Ben", "Cy"], ["Dee"])


def test_a_waiting_player_may_leave_without_moving_others(crowded):
    assert crowded.do("p3", "withdrawal", {}).types == ["PlayerWithdrawn"]
    assert crowded.do("p4", "drop", {}).types == ["PlayerWithdrawn"]
    assert crowded.names("withdrawn") == ["Cy", "Dee"]


def test_to_drop_before_the_first_pairing_is_to_withdraw(crowded):
    assert crowded.do("p1", "drop", {}).types == ["PlayerWithdrawn", "PlayerPromoted"]


def test_to_withdraw_twice_changes_nothing(crowded):
    crowded.do("p1", "withdrawal", {})
    assert crowded.do("p1", "withdrawal", {}).types == []


def test_a_later_player_does_not_overtake_the_waiting_list(crowded):
    crowded.do("p4", "withdrawal", {})
    crowded.enter("Eli")
    assert crowded.names("waiting") == ["Cy", "Eli"]


def test_more_seats_let_as_many_move_up(crowded):
    answer = crowded.post("/amendments", {"capacity": 3})
    assert answer.types == ["TournamentAmended", "PlayerPromoted"]
    assert (crowded.names("active"), crowded.names("waiting")) == (["Ana", "Ben", "Cy"], ["Dee"])
    assert crowded.post("/amendments", {"capacity": 3}).types == []


def test_fewer_seats_than_players_are_refused_with_the_number_needed(crowded):
    crowded.post("/amendments", {"capacity": 4})
    answer = crowded.post("/amendments", {"capacity": 3})
    assert (answer.code, answer.faults[0]["expected"]) == ("capacity-too-small", "4 or more")


def test_a_player_disqualified_before_play_loses_the_seat(crowded):
    answer = crowded.do("p1", "disqualification", {"reason": "loaded dice"})
    assert answer.types == ["PlayerDisqualified", "PlayerPromoted"]
    assert (crowded.names("active"), crowded.names("waiting")) == (["Ben", "Cy"], ["Dee"])


def test_a_revoked_disqualification_needs_a_free_seat(crowded):
    crowded.do("p1", "disqualification", {"reason": "loaded dice"})
    refused = crowded.do("p1", "disqualification/revocation", {"reason": "they were fair"})
    assert (refused.code, refused.data["wanted"]) == ("capacity-too-small", 3)
    crowded.do("p4", "withdrawal", {})
    crowded.post("/amendments", {"capacity": 3})
    assert crowded.do("p1", "disqualification/revocation", {"reason": "they were fair"}).status == 201
    assert crowded.names("active") == ["Ana", "Ben", "Cy"]


def test_a_disqualified_player_cannot_withdraw(crowded):
    crowded.do("p1", "disqualification", {"reason": "loaded dice"})
    assert crowded.do("p1", "withdrawal", {}, by="p1").code == "player-not-active"
    assert crowded.enter("Ana").code == "name-taken"


def test_no_player_moves_up_after_round_1_is_paired(crowded):
    crowded.pair_first("p1", "p2")
    assert crowded.do("p1", "drop", {}).types == ["PlayerDropped"]
    assert crowded.names("waiting") == ["Cy", "Dee"]
    assert crowded.post("/amendments", {"capacity": 4}).types == ["TournamentAmended"]


def test_withdrawing_round_1_reopens_the_waiting_list(crowded):
    """Ana drops after the pairing, which is then withdrawn: the next who comes finds Cy in Ana's seat."""
    crowded.pair_first("p1", "p2")
    crowded.do("p1", "drop", {})
    crowded.say("pairing", RoundWithdrawn(round=1, reason="paired too early"))
    answer = crowded.enter("Eli")
    assert answer.types == ["PlayerPromoted", "PlayerWaitlisted"]
    assert [player["name"] for player in answer.body["players"]] == ["Eli"]
    assert (crowded.names("active"), crowded.names("waiting")) == (["Ben", "Cy"], ["Dee", "Eli"])


class TestByHand:
    """An organiser gives a seat to a waiting player ahead of others."""

    WHY = {"reason": "helps to set up"}

    def test_a_seat_more_goes_to_the_chosen_one_and_those_passed_over_keep_their_places(self, crowded):
        answer = crowded.do("p4", "seat", {**self.WHY, "more": True})
        assert answer.types == ["SeatGiven"]
        assert answer.events[0]["data"] == {
            "player": "p4",
            "reason": "helps to set up",
            "capacity": 3,
            "passed_over": ["p3"],
        }
        assert (crowded.names("active"), crowded.names("waiting")) == (["Ana", "Ben", "Dee"], ["Cy"])
        assert (crowded.get().body["capacity"], crowded.player("p3")["waiting_position"]) == (3, 1)
        assert crowded.do("p4", "seat", self.WHY).types == []
        assert crowded.do("p1", "withdrawal", {}).types == ["PlayerWithdrawn", "PlayerPromoted"]
        assert crowded.names("active") == ["Ben", "Cy", "Dee"]

    def test_without_a_free_seat_it_says_how_one_is_added_and_changes_nothing(self, crowded):
        refused = crowded.do("p4", "seat", self.WHY)
        assert (refused.code, refused.data) == ("capacity-too-small", {"capacity": 2, "wanted": 3})
        assert crowded.names("waiting") == ["Cy", "Dee"]

    def test_a_reason_is_required(self, crowded):
        for body in ({}, {"reason": ""}, {"reason": "x" * 501}, {"reason": None}):
            assert crowded.do("p4", "seat", {"more": True, **body}).code == "invalid-request"

    def test_only_who_waits_is_given_one(self, crowded):
        crowded.do("p4", "withdrawal", {})
        assert crowded.do("p4", "seat", self.WHY).code == "player-not-active"
        assert crowded.do("p1", "seat", self.WHY).types == []
        assert crowded.do("p9", "seat", self.WHY).code == "player-unknown"

    def test_a_referee_decides_no_such_thing_and_nor_does_the_player(self, crowded):
        for who in ("head_referee", "referee", "p4"):
            assert crowded.do("p4", "seat", {**self.WHY, "more": True}, by=who).status == 403

    def test_taking_the_seat_back_restores_the_former_state(self, crowded):
        crowded.do("p4", "seat", {**self.WHY, "more": True})
        answer = crowded.delete("/players/p4/seat")
        assert (answer.types, answer.events[0]["data"]) == (["SeatTakenBack"], {"player": "p4", "capacity": 2})
        assert (crowded.names("active"), crowded.names("waiting")) == (["Ana", "Ben"], ["Cy", "Dee"])
        assert (crowded.get().body["capacity"], crowded.player("p4")["waiting_position"]) == (2, 2)
        assert crowded.delete("/players/p4/seat").types == []

    def test_a_seat_that_came_by_the_order_of_the_list_is_not_taken_back(self, crowded):
        crowded.do("p1", "withdrawal", {})
        assert crowded.delete("/players/p3/seat").code == "seat-not-given"

    def test_no_player_waits_while_a_seat_is_free(self, crowded):
        crowded.do("p3", "withdrawal", {})
        crowded.do("p4", "seat", {**self.WHY, "more": True})
        crowded.post("/amendments", {"capacity": 5})
        assert crowded.delete("/players/p4/seat").code == "seat-not-given"

    def test_a_free_seat_after_a_withdrawn_round_1_adds_no_seat(self, crowded):
        crowded.pair_first("p1", "p2")
        crowded.do("p1", "drop", {})
        crowded.say("pairing", RoundWithdrawn(round=1, reason="paired too early"))
        given = crowded.do("p4", "seat", {**self.WHY, "more": True}).events[0]["data"]
        assert given == {"player": "p4", "reason": "helps to set up", "passed_over": ["p3"]}
        assert crowded.delete("/players/p4/seat").events[0]["data"] == {"player": "p4"}
        assert crowded.names("waiting") == ["Cy", "Dee"]

    @pytest.mark.clause("AR-AMB-22")
    def test_once_round_1_is_paired_the_ruleset_has_to_take_late_entries(self, crowded, announce):
        crowded.pair_first("p1", "p2")
        refused = crowded.do("p4", "seat", {**self.WHY, "more": True})
        assert (refused.code, refused.data["clause"]) == ("registration-closed", "AR-AMB-22")
        late = announce(capacity=2, options={"late_entry": "zero_points"})
        late.join("Ana", "Ben", "Cy", "Dee")
        late.begin("p1", "p2")
        late.do("p2", "drop", {})
        assert late.do("p4", "seat", self.WHY).events[0]["data"]["late"] is True
        assert late.player("p4")["late"] is True
        assert late.delete("/players/p4/seat").code == "too-late-to-change"


class TestLate:
    """Late entries: only where the ruleset takes them, only by staff, only into a seat."""

    @pytest.fixture
    def running(self, announce):
        evening = announce(capacity=2, options={"late_entry": "zero_points"})
        evening.join("Ana", "Ben", "Cy")
        evening.begin("p1", "p2")
        return evening

    @pytest.mark.clause("AR-AMB-22", "FF-AMB-21", "DW-AMB-18")
    @pytest.mark.parametrize(
        ("ruleset", "clause", "until"),
        [
            ("star-wars-armada-1.1", "AR-AMB-22", "round_1"),
            ("fallout-factions-comp-1.0", "FF-AMB-21", "any"),
            ("dust-warfare-1.0", "DW-AMB-18", ""),
        ],
    )
    def test_a_ruleset_without_late_entries_names_the_clause_and_an_option(self, announce, ruleset, clause, until):
        evening = announce(ruleset=ruleset)
        evening.begin(*evening.join("Ana", "Ben"))
        answer = evening.enter("Cy", late=True)
        assert (answer.code, answer.data["clause"]) == ("registration-closed", clause)
        named = {"key": "late_entry", "value": "zero_points", "until": until}
        assert answer.data.get("option") == (named if until else None)
        assert ("the option late_entry=zero_points" in answer.body["detail"]) == bool(until)

    def test_staff_say_that_they_mean_it(self, running):
        running.post("/amendments", {"capacity": 3})
        assert running.enter("Dee").code == "registration-closed"
        answer = running.enter("Dee", late=True, by="referee")
        assert answer.types == ["PlayerJoined"]
        assert running.player("p4")["late"] is True

    def test_a_late_entry_without_a_free_seat_is_refused(self, running):
        refused = running.enter("Dee", late=True)
        assert (refused.code, refused.data["wanted"]) == ("registration-closed", 3)
        assert running.names("waiting") == ["Cy"]

    def test_a_seat_that_became_free_is_taken_though_others_waited_in_vain(self, running):
        running.do("p2", "drop", {})
        assert running.enter("Dee", late=True).types == ["PlayerJoined"]

    def test_a_player_still_waiting_can_enter_late(self, running):
        running.do("p2", "drop", {})
        running.do("p3", "withdrawal", {})
        assert running.enter("Cy", late=True).types == ["PlayerJoined"]

    def test_a_dropped_player_returns_if_a_seat_is_free(self, running):
        running.do("p2", "drop", {})
        running.enter("Dee", late=True)
        refused = running.do("p2", "reinstatement")
        assert (refused.code, refused.data["wanted"]) == ("capacity-too-small", 3)
        running.post("/amendments", {"capacity": 3})
        assert running.do("p2", "reinstatement").types == ["PlayerReinstated"]

    def test_late_means_nothing_before_round_1_is_paired(self, evening):
        evening.enter("Ana", late=True)
        assert evening.player("p1")["late"] is False


class TestClosing:
    """Registration closes and opens again until round 1 is paired."""

    def test_closed_and_opened_again(self, evening):
        assert evening.post("/registration/close").types == ["RegistrationClosed"]
        assert evening.post("/registration/close").types == []
        assert evening.enter("Ana").code == "registration-closed"
        assert evening.post("/registration/reopen").types == ["RegistrationReopened"]
        assert evening.post("/registration/reopen").types == []
        assert evening.enter("Ana").status == 201

    def test_waiting_players_move_up_after_registration_is_closed(self, crowded):
        crowded.post("/registration/close")
        assert "PlayerPromoted" in crowded.do("p2", "withdrawal", {}).types

    def test_not_opened_again_after_the_first_pairing(self, evening):
        evening.begin(*evening.join("Ana", "Ben"))
        assert evening.post("/registration/reopen").code == "too-late-to-change"


def test_the_directory_counts_those_who_hold_or_held_a_seat(crowded, club):
    def counted() -> int:
        lines = club.ask("GET", "/tournaments?limit=500").body["items"]
        return next(line["players"] for line in lines if line["id"] == crowded.id)

    assert counted() == 2
    crowded.do("p1", "withdrawal", {})
    assert counted() == 2
    crowded.do("p4", "withdrawal", {})
    assert counted() == 2
    crowded.do("p2", "withdrawal", {})
    assert counted() == 1


class TestSignUpInTheDirectory:
    """The list of tournaments says who may still sign up, so that nobody has to ask each of them."""

    def state(self, evening, club) -> tuple[bool, int | None, int]:
        lines = club.ask("GET", "/tournaments?limit=500").body["items"]
        found = next(line["sign_up"] for line in lines if line["id"] == evening.id)
        return found["open"], found["seats_left"], found["waiting"]

    def test_it_follows_everything_that_gives_or_takes_a_seat(self, announce, club):
        evening = announce(capacity=3, sign_up="open")
        assert self.state(evening, club) == (True, 3, 0)
        evening.join("Ana", "Ben")
        assert self.state(evening, club) == (True, 1, 0)
        evening.join("Cy", "Dee", "Eve")
        assert self.state(evening, club) == (True, 0, 2)
        evening.do("p1", "withdrawal", {})
        assert self.state(evening, club) == (True, 0, 1)
        evening.do("p2", "disqualification", {"reason": "x"})
        assert self.state(evening, club) == (True, 0, 0)
        evening.do("p3", "disqualification", {"reason": "x"})
        assert self.state(evening, club) == (True, 1, 0)
        evening.do("p3", "disqualification", {"reason": "x", "barred": "next year"})
        evening.do("p3", "disqualification/revocation", {"reason": "y"})
        assert self.state(evening, club) == (True, 0, 0)
        evening.join("Fay")
        evening.do("p6", "seat", {"reason": "drove far", "capacity": 4, "more": True})
        evening.post("/registration/close")
        assert self.state(evening, club)[0] is False
        evening.post("/registration/reopen")
        assert self.state(evening, club)[0] is True

    def test_without_a_limit_there_are_always_seats(self, announce, club):
        evening = announce(sign_up="open")
        evening.join("Ana")
        assert self.state(evening, club) == (True, None, 0)
        assert evening.post("/amendments", {"capacity": 2}).status == 201
        assert self.state(evening, club) == (True, 1, 0)

    def test_nobody_signs_up_where_staff_enter_players_or_play_has_begun(self, announce, club):
        assert self.state(announce(), club)[0] is False
        evening = announce(sign_up="open")
        evening.begin(*evening.join("Ana", "Ben"))
        assert self.state(evening, club)[0] is False
        evening.do("p1", "drop", {})
        assert self.listed(evening, club)["status"] == "running"
        cancelled = announce(sign_up="open")
        cancelled.post("/cancellation", {"reason": "snow"})
        assert self.state(cancelled, club)[0] is False

    def listed(self, evening, club):
        lines = club.ask("GET", "/tournaments?limit=500").body["items"]
        return next(line for line in lines if line["id"] == evening.id)

    def rebuilt(self, club) -> set[str]:
        """The tournaments in which a rebuild found a difference."""
        answer = club.ask("POST", "/rebuild", token=club.token("operator"))
        return {found["tournament"] for found in answer.body["differences"]}

    def test_a_rebuild_agrees_with_it(self, announce, club):
        evening = announce(capacity=2, sign_up="open")
        evening.join("Ana", "Ben", "Cy")
        evening.do("p1", "withdrawal", {})
        assert evening.id not in self.rebuilt(club)

    def test_rows_of_an_older_version_say_nothing_until_they_are_rebuilt(self, announce, club):
        evening = announce(capacity=2, sign_up="open")
        with club.database.writing() as connection:
            sql = """UPDATE directory SET sign_up = '', registration_open = 0, capacity = NULL, seated = 0, waiting = 0
                WHERE tournament = :id"""
            connection.run(sql, id=evening.id)
        assert self.state(evening, club) == (False, None, 0)
        assert evening.id in self.rebuilt(club)
        assert self.state(evening, club) == (True, 2, 0)
