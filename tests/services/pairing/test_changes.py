"""Changes and withdrawal of a paired round."""

from __future__ import annotations

from collections import Counter

import pytest

from services.pairing.amendments import AmendPairings, MoveTable
from services.pairing.plans import ByHand
from services.pairing.rounds import PairRound, RepairRound, WithdrawRound
from services.pairing.swiss_clocks import CallTime, ExtendClock, StartRound
from services.pairing.swiss_cut import GiveUpSeat, MakeCut, OfferSpare, RecallSpare
from shared.refusals import expects
from shared.tournament import registration, results
from shared.tournament.rounds import PairingAmended, PairingsDrawn, RoundPaired, RoundWithdrawn
from tests.services.pairing.stories import Story, with_cut


@pytest.fixture
def paired(story):
    """Round 1 by hand: p1-p2 at table 1, p3-p4 at 2, p5-p6 at 3, a bye for p7."""
    story.join(7)
    pairings = [ByHand(player_1=f"p{n}", player_2=f"p{n + 1}") for n in (1, 3, 5)]
    story.do(PairRound(pairings=[*pairings, ByHand(player_1="p7")]))
    return story


def swap(one: str, two: str, **more) -> AmendPairings:
    return AmendPairings(round=1, reason="travelled together", swap=(one, two), **more)


def amend(*pairings: ByHand, **more) -> AmendPairings:
    return AmendPairings(round=1, reason="a mistake", pairings=list(pairings), **more)


def each_player_once(story: Story, round: int = 1) -> bool:
    """Assert that each player is in exactly one game."""
    seated = Counter(player for seat in story.seats(round) for player in seat.players)
    return seated == Counter(player.id for player in story.state.entries.active())


class TestSwap:
    @pytest.mark.clause("AR-AMB-12", "FF-AMB-10")
    def test_two_players_change_places_at_the_same_tables_in_games_of_new_ids(self, paired):
        (event,) = paired.do(swap("p1", "p4"))
        assert isinstance(event, PairingAmended)
        assert event.removed == ["r1g1", "r1g2"]
        assert [(seat.game, seat.player_1, seat.player_2, seat.table) for seat in event.pairings] == [
            ("r1g5", "p4", "p2", 1),
            ("r1g6", "p3", "p1", 2),
        ]
        assert each_player_once(paired)

    def test_the_bye_is_swapped_too(self, paired):
        paired.do(swap("p7", "p5"))
        assert (paired.seat_of(1, "p5").kind, paired.seat_of(1, "p7").table) == ("bye", 3)
        assert each_player_once(paired)

    def test_ids_are_never_given_twice(self, paired):
        paired.do(swap("p1", "p4"))
        paired.do(swap("p1", "p4"))
        assert paired.pairs(1) == {frozenset(pair) for pair in (("p1", "p2"), ("p3", "p4"), ("p5", "p6"), ("p7",))}
        assert [seat.game for seat in paired.seats(1)] == ["r1g3", "r1g4", "r1g7", "r1g8"]

    def test_opponents_and_unpaired_players_cannot_be_swapped(self, paired):
        refusal = paired.refusal(swap("p1", "p2"))
        assert (refusal.code, [fault.where for fault in refusal.faults]) == ("pairings-refused", ["/swap"])
        refusal = paired.refusal(swap("p99", "p2"))
        assert [fault.where for fault in refusal.faults] == ["/swap/0"]

    def test_a_game_with_a_result_stays(self, paired):
        paired.do(StartRound(round=1))
        paired.win("r1g1", confirmed=False)
        refusal = paired.refusal(swap("p1", "p4"))
        assert (refusal.code, refusal.data) == ("game-has-result", {"games": ["r1g1"]})
        assert paired.do(swap("p4", "p5"))


class TestByHand:
    def test_new_games_keep_a_table_of_their_players(self, paired):
        paired.do(amend(ByHand(player_1="p1", player_2="p3"), ByHand(player_1="p2", player_2="p4")))
        assert {seat.table for seat in paired.seats(1)} == {1, 2, 3, 0}
        assert each_player_once(paired)

    def test_the_refusal_names_the_player_who_would_lose_the_game(self, paired):
        refusal = paired.refusal(amend(ByHand(player_1="p1", player_2="p3")))
        assert refusal.code == "pairings-refused"
        assert [fault.expected for fault in refusal.faults] == [
            expects("player-paired", player="P2", id="p2"),
            expects("player-paired", player="P4", id="p4"),
        ]
        paired.do(amend(ByHand(player_1="p1", player_2="p3"), sitting_out=["p2", "p4"]))
        assert {"p2", "p4"}.isdisjoint(player for seat in paired.seats(1) for player in seat.players)

    def test_only_who_is_of_the_round_sits_out_of_it_and_does_not_play(self, paired):
        paired.join(1)
        refusal = paired.refusal(amend(sitting_out=["p8"]))
        assert [fault.where for fault in refusal.faults] == ["/sitting_out/0"]
        refusal = paired.refusal(amend(ByHand(player_1="p1"), sitting_out=["p2", "p1"]))
        assert [fault.where for fault in refusal.faults] == ["/sitting_out/1"]

    def test_the_opponent_of_who_left_has_the_bye(self, paired):
        paired.drop("p2")
        paired.do(amend(ByHand(player_1="p1")))
        assert paired.seat_of(1, "p1").kind == "bye"
        assert each_player_once(paired)
        assert paired.do(StartRound(round=1))

    def test_a_late_arrival_meets_the_player_with_the_bye(self, paired):
        paired.join(1)
        paired.do(amend(ByHand(player_1="p7", player_2="p8")))
        assert paired.seat_of(1, "p8").table == 4
        assert each_player_once(paired)

    def test_a_late_arrival_plays_in_the_hall_with_room(self):
        story = Story()
        story.venue("North", tables=1)
        story.venue("South", tables=1)
        story.join(2, venue="v1")
        story.do(PairRound())
        story.join(2, venue="v1")
        story.do(amend(ByHand(player_1="p3", player_2="p4")))
        assert (story.seat_of(1, "p3").venue, story.seat_of(1, "p3").table) == ("v2", 1)

    def test_a_table_that_is_taken_is_a_fault_and_nothing_else_moves(self, paired):
        refusal = paired.refusal(
            amend(ByHand(player_1="p1", player_2="p3", table=3), ByHand(player_1="p2", player_2="p4", table=99))
        )
        assert {fault.where: fault.said for fault in refusal.faults} == {
            "/pairings/0/table": "3",
            "/pairings/1/table": "99",
        }

    def test_departed_players_are_not_put_back_and_no_player_is_paired_twice(self, paired):
        paired.drop("p6")
        refusal = paired.refusal(
            amend(ByHand(player_1="p1", player_2="p6"), ByHand(player_1="p1", player_2="p2"), ByHand(player_1="p5"))
        )
        assert {fault.where for fault in refusal.faults} == {
            "/pairings/0/player_1",
            "/pairings/0/player_2",
            "/pairings/1/player_1",
        }

    def test_a_rematch_is_accepted_if_allowed(self):
        story = Story()
        story.join(4)
        story.play()
        story.do(PairRound())
        one, two = sorted(next(iter(story.pairs(1))))
        others = sorted(set(story.state.entries.players) - {one, two})
        pairings = [ByHand(player_1=one, player_2=two), ByHand(player_1=others[0], player_2=others[1])]
        command = AmendPairings(round=2, reason="asked for", pairings=pairings)
        assert story.refusal(command).code == "pairings-refused"
        command = AmendPairings(round=2, reason="asked for", pairings=pairings, allow_rematch=True)
        story.do(command)
        assert all(seat.rematch for seat in story.seats(2))

    def test_an_amendment_without_differences_changes_nothing(self, paired):
        assert paired.do(amend(ByHand(player_1="p2", player_2="p1"))) == []

    def test_the_same_two_at_another_table_keep_the_id(self, paired):
        (event,) = paired.do(amend(ByHand(player_1="p2", player_2="p1", table=9)))
        assert [(seat.game, seat.player_1, seat.table) for seat in event.pairings] == [("r1g1", "p1", 9)]
        assert event.removed == []

    def test_only_the_latest_round_while_it_is_open_and_no_bracket(self, paired):
        assert paired.refusal(AmendPairings(round=2, reason="x", swap=("p1", "p3"))).code == "round-unknown"
        paired.do(StartRound(round=1))
        paired.finish(1)
        assert paired.refusal(swap("p1", "p3")).code == "round-closed"
        paired.do(PairRound())
        assert paired.refusal(swap("p1", "p3")).code == "round-not-latest"
        story = Story(pack=with_cut(), rounds=None)
        story.join(6)
        story.play()
        story.play()
        story.do(MakeCut())
        story.do(PairRound())
        refusal = story.refusal(AmendPairings(round=3, reason="x", swap=("p1", "p3")))
        assert refusal.code == "bracket-stands"


class TestTables:
    def test_a_game_moves_to_a_free_table_also_while_it_is_played(self, paired):
        paired.do(StartRound(round=1))
        (event,) = paired.do(MoveTable(round=1, game="r1g1", table=9, reason="noise"))
        assert (event.venue, event.table) == ("v1", 9)
        assert (paired.seats(1)[0].game, paired.seats(1)[0].table) == ("r1g1", 9)
        assert paired.do(MoveTable(round=1, game="r1g1", table=9)) == []

    @pytest.mark.clause("FF-TBL-2")
    def test_a_table_is_taken_until_its_game_is_over(self, paired):
        paired.do(StartRound(round=1))
        refusal = paired.refusal(MoveTable(round=1, game="r1g1", table=2))
        assert (refusal.code, refusal.data) == ("table-taken", {"game": "r1g2"})
        paired.win("r1g2")
        assert paired.do(MoveTable(round=1, game="r1g1", table=2))
        assert paired.refusal(MoveTable(round=1, game="r1g2", table=8)).code == "game-has-result"

    def test_a_place_that_is_not_there(self, paired):
        assert paired.refusal(MoveTable(round=1, game="r1g1", table=13)).code == "table-unknown"
        assert paired.refusal(MoveTable(round=1, game="r1g1", table=1, venue="v2")).code == "venue-unknown"
        assert paired.refusal(MoveTable(round=1, game="r1g4", table=9)).code == "game-unknown"
        assert paired.refusal(MoveTable(round=1, game="r1g99", table=9)).code == "game-unknown"
        paired.venue("Annex", tables=1)
        assert paired.do(MoveTable(round=1, game="r1g1", table=1, venue="v2"))

    def test_without_configured_tables_any_number_is_a_table(self):
        story = Story()
        story.join(4)
        story.do(PairRound())
        story.do(MoveTable(round=1, game="r1g1", table=40))
        assert story.refusal(MoveTable(round=1, game="r1g2", table=40)).code == "table-taken"

    def test_a_venue_has_to_be_named_once_there_is_one(self):
        story = Story()
        story.join(4)
        story.do(PairRound())
        story.venue(tables=4)
        assert story.refusal(MoveTable(round=1, game="r1g1", table=1)).code == "venue-unknown"
        assert story.do(MoveTable(round=1, game="r1g1", table=1, venue="v1"))


class TestWithdrawal:
    def test_the_number_is_free_again_and_the_ids_are_not(self, paired):
        (event,) = paired.do(WithdrawRound(round=1, reason="somebody came late"), role="head_referee")
        assert isinstance(event, RoundWithdrawn)
        paired.do(PairRound(round=1))
        assert {seat.game for seat in paired.seats(1)} == {"r1g1-2", "r1g2-2", "r1g3-2", "r1g4-2"}
        (one, two, *_) = paired.seats(1)
        paired.do(swap(one.player_1, two.player_1))
        assert {seat.game for seat in paired.seats(1)} == {"r1g3-2", "r1g4-2", "r1g5-2", "r1g6-2"}

    def test_once_begun_only_an_organiser_and_only_while_nothing_was_reported(self, paired):
        paired.do(StartRound(round=1))
        withdraw = WithdrawRound(round=1, reason="wrong scenario")
        assert paired.refusal(withdraw, role="head_referee").code == "organiser-decides"
        assert paired.decide(withdraw, role="organiser")
        paired.win("r1g2", confirmed=False)
        refusal = paired.refusal(withdraw)
        assert (refusal.code, refusal.data) == ("round-has-results", {"games": ["r1g2"]})
        assert "POST …/games/{game}/voiding" in refusal.detail
        paired.scoring(results.ResultVoided(round=1, game="r1g2", reason="wrong game"))
        assert paired.do(withdraw)

    def test_an_earlier_closed_or_unknown_round_cannot_be_changed(self, paired):
        assert paired.refusal(WithdrawRound(round=2, reason="x")).code == "round-unknown"
        paired.do(StartRound(round=1))
        paired.finish(1)
        assert paired.refusal(WithdrawRound(round=1, reason="x")).code == "round-closed"
        paired.do(PairRound())
        assert paired.refusal(WithdrawRound(round=1, reason="x")).code == "round-not-latest"
        assert paired.do(WithdrawRound(round=2, reason="x"))

    def test_a_round_is_withdrawn_and_paired_again_in_one_go(self, paired):
        paired.drop("p2")
        command = RepairRound(round=1, reason="p2 has left")
        events = paired.do(command)
        assert [type(event) for event in events] == [RoundWithdrawn, PairingsDrawn, RoundPaired]
        assert each_player_once(paired)
        pairings, rest = [ByHand(player_1="p1", player_2="p3")], ["p4", "p5", "p6", "p7"]
        paired.do(RepairRound(round=1, reason="by hand", pairings=pairings, sitting_out=rest))
        assert [seat.game for seat in paired.seats(1)] == ["r1g1-3"]

    def test_a_started_round_is_not_paired_again(self, paired):
        paired.do(StartRound(round=1))
        command = RepairRound(round=1, reason="x")
        assert paired.refusal(command).code == "round-already-started"

    def test_a_round_that_cannot_be_paired_again_stays(self, paired):
        for player in ("p1", "p2", "p3", "p4", "p5", "p6"):
            paired.drop(player)
        command = RepairRound(round=1, reason="x")
        assert paired.refusal(command).code == "too-few-players"
        assert paired.seats(1)


def test_nothing_changes_once_the_tournament_is_over(paired):
    paired.registration(registration.TournamentCancelled(reason="snow"))
    for command in (
        swap("p1", "p3"),
        MoveTable(round=1, game="r1g1", table=9),
        WithdrawRound(round=1, reason="x"),
        RepairRound(round=1, reason="x"),
        StartRound(round=1),
        CallTime(round=1, call="end"),
        ExtendClock(round=1, minutes=5, reason="x"),
        OfferSpare(staff="s1"),
        RecallSpare(),
        MakeCut(),
        GiveUpSeat(player="p1"),
    ):
        assert paired.refusal(command).code == "tournament-over"
