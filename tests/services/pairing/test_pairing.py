"""The next round, paired by the ruleset: when it may be, who is in it, who meets whom."""

from __future__ import annotations

from collections import Counter

import pytest

from services.pairing.rounds import PairRound, WithdrawRound
from services.pairing.swiss_clocks import StartRound
from services.pairing.swiss_cut import OfferSpare, RecallSpare
from shared.tournament import registration, results
from shared.tournament.draws import answer_to
from shared.tournament.rounds import PAGE_ROWS, PairingsDrawn, RoundPaired
from tests.draws import secret_of
from tests.services.pairing.stories import ARMADA, DUST, FALLOUT, Story, pack


@pytest.mark.clause("AR-PAIR-1", "AR-TBL-1")
def test_every_player_has_an_opponent_and_every_game_its_own_table(story):
    story.join(8)
    story.do(PairRound())
    seats = story.seats(1)
    assert Counter(player for seat in seats for player in seat.players) == Counter([*story.state.entries.players])
    assert [seat.game for seat in seats] == ["r1g1", "r1g2", "r1g3", "r1g4"]
    assert [(seat.venue, seat.table) for seat in seats] == [("v1", 1), ("v1", 2), ("v1", 3), ("v1", 4)]


@pytest.mark.clause("AR-PAIR-6")
def test_an_odd_number_leaves_one_with_a_bye_and_without_a_table(story):
    story.join(5)
    story.do(PairRound())
    byes = [seat for seat in story.seats(1) if seat.kind == "bye"]
    assert [(seat.game, seat.player_2, seat.table) for seat in byes] == [("r1g3", "", 0)]


def test_a_later_round_says_which_standings_it_was_made_from(story):
    story.join(6)
    assert story.play() == 1
    *_, paired = story.do(PairRound())
    assert paired.made_from == story.state.results.recorded[1].position
    assert (paired.stage, paired.method, paired.games) == ("swiss", "random_in_bracket", 3)


@pytest.mark.clause("AR-PAIR-5")
def test_rematches_are_avoided_if_possible(story):
    story.join(8)
    for _ in range(3):
        story.play()
    met = [pair for number in (1, 2, 3) for pair in story.pairs(number)]
    assert len(set(met)) == len(met) == 12


@pytest.mark.clause("AR-AMB-13")
def test_a_rematch_that_cannot_be_helped_is_marked(story):
    story.join(2)
    story.play()
    story.play()
    assert [seat.rematch for seat in story.seats(1) + story.seats(2)] == [False, True]


def test_the_same_log_gives_the_same_round_and_another_tournament_another_one():
    def first_round(id: str) -> list[frozenset[str]]:
        story = Story(id)
        story.join(30)
        story.do(PairRound())
        return sorted(story.pairs(1), key=sorted)

    assert first_round("t-1") == first_round("t-1")
    assert first_round("t-1") != first_round("t-2")


def test_the_seed_answers_the_question_of_the_pairing(story):
    story.join(4)
    *_, first = story.do(PairRound())
    assert first.seed == answer_to(secret_of(1, story.secrets_of), "pairing: 1, 1")
    story.do(StartRound(round=1))
    story.finish(1)
    *_, second = story.do(PairRound())
    assert second.seed == answer_to(secret_of(2, story.secrets_of), "pairing: 2, 1")
    assert {draw.seed for draw in second.draws} == {second.seed}


def test_a_large_round_comes_in_pages(story):
    story = Story(rounds=5)
    story.join(2 * PAGE_ROWS + 3)
    *pages, paired = story.decide(PairRound())
    assert [type(page) for page in pages] == [PairingsDrawn, PairingsDrawn]
    assert [(page.page, page.pages, len(page.pairings)) for page in pages] == [(1, 2, PAGE_ROWS), (2, 2, 2)]
    assert isinstance(paired, RoundPaired)
    assert paired.games == PAGE_ROWS + 2


def test_no_round_before_the_one_before_is_closed(story):
    story.join(4)
    story.do(PairRound())
    story.do(StartRound(round=1))
    story.win("r1g1")
    story.win("r1g2", confirmed=False)
    refusal = story.refusal(PairRound())
    assert (refusal.code, refusal.data) == ("round-not-closed", {"round": 1, "games": ["r1g2"], "venues": ["v1"]})
    story.scoring(results.ResultConfirmed(round=1, game="r1g2", side=2))
    refusal = story.refusal(PairRound())
    assert (refusal.code, refusal.data) == ("round-not-closed", {"round": 1, "games": [], "venues": ["v1"]})


def test_a_round_that_is_opened_again_holds_up_the_next(story):
    story.join(4)
    story.play()
    story.scoring(results.RoundReopened(round=1, reason="a wrong winner"))
    assert story.refusal(PairRound()).code == "round-not-closed"


def test_a_closed_round_with_a_withdrawn_result_holds_up_the_next(story):
    story.join(4)
    story.play()
    story.scoring(results.ResultVoided(round=1, game="r1g2", reason="another game's"))
    assert story.refusal(PairRound()).data == {"round": 1, "games": ["r1g2"], "venues": []}


@pytest.mark.parametrize("asked", [1, 3])
def test_a_request_for_another_round_than_the_next_is_refused(story, asked):
    story.join(4)
    story.play()
    refusal = story.refusal(PairRound(round=asked))
    assert (refusal.code, refusal.data) == ("round-already-paired", {"next": 2})


@pytest.mark.clause("AR-SET-4")
def test_no_round_beyond_those_planned(story):
    story.join(4)
    for _ in range(3):
        story.play()
    refusal = story.refusal(PairRound())
    assert (refusal.code, refusal.data) == ("all-rounds-played", {"planned": 3})


@pytest.mark.clause("AR-RND-1", "AR-AMB-24")
def test_the_ruleset_fixes_the_rounds_by_the_first_pairing_and_drops_change_nothing():
    story = Story(rounds=None)
    players = story.join(33)
    story.play()
    for player in players[:20]:
        story.drop(player)
    assert [story.play() for _ in range(4)] == [2, 3, 4, 5]
    assert story.refusal(PairRound()).data == {"planned": 5}


@pytest.mark.clause("AR-RND-2")
def test_a_casual_event_needs_the_organisers_number_of_rounds():
    story = Story(tier="casual", rounds=None)
    story.join(4)
    assert story.refusal(PairRound()).code == "rounds-not-fixed"
    story.registration(registration.TournamentAmended(rounds=2))
    assert story.play() == 1


def test_too_few_players_are_not_paired():
    story = Story(pack=pack(entry={"minimum_players": 3}))
    story.join(2)
    refusal = story.refusal(PairRound())
    assert (refusal.code, refusal.data["players"], refusal.data["minimum"]) == ("too-few-players", 2, 3)
    story.join(1)
    story.play()
    story.drop("p1")
    assert story.play() == 2  # two go on, three had to begin
    story.drop("p2")
    assert story.refusal(PairRound()).code == "too-few-players"


def test_a_tournament_that_is_over_or_unknown_is_not_paired(story):
    story.join(4)
    story.play()
    story.scoring(results.TournamentConcluded(winner="p1", rounds=1))
    assert story.refusal(PairRound()).code == "tournament-over"
    cancelled = Story()
    cancelled.registration(registration.TournamentCancelled(reason="snow"))
    assert cancelled.refusal(PairRound()).code == "tournament-over"
    nothing = Story.__new__(Story)
    nothing.__dict__ |= {**Story().__dict__, "state": type(story.state)()}
    assert nothing.refusal(PairRound()).code == "tournament-unknown"


@pytest.mark.clause("AR-REG-1")
def test_a_player_without_a_due_list_is_not_in_round_one(story):
    story.join(4)
    story.join(2, roster=False)
    *_, paired = story.do(PairRound())
    assert paired.left_out == {"no_roster": ["p5", "p6"]}
    assert paired.games == 2
    story.do(StartRound(round=1))
    story.finish(1)
    story.registration(registration.RosterAccepted(player="p6"))
    *_, paired = story.do(PairRound())
    assert paired.left_out == {"no_roster": ["p5"]}
    assert story.seat_of(2, "p6")


@pytest.mark.clause("AR-ROS-5", "DW-ROS-5")
@pytest.mark.parametrize("ruleset", [ARMADA, DUST])
def test_a_player_with_a_proxy_is_not_paired_until_the_list_is_accepted(ruleset):
    story = Story(pack=pack(ruleset))
    story.join(5)
    story.registration(registration.RosterRejected(player="p3", note="a proxy"))
    *_, paired = story.do(PairRound())
    assert paired.left_out == {"no_roster": ["p3"]}
    story.do(WithdrawRound(round=1, reason="the model was replaced"))
    story.registration(registration.RosterAccepted(player="p3", note="replaced"))
    *_, paired = story.do(PairRound())
    assert paired.left_out == {}


@pytest.mark.clause("AR-REG-1")
def test_a_casual_event_asks_for_no_list():
    story = Story(tier="casual")
    story.join(4, roster=False)
    *_, paired = story.do(PairRound())
    assert (paired.games, paired.left_out) == (2, {})


def test_with_check_in_only_checked_in_players_are_paired(story):
    story = Story(check_in=True)
    for player in story.join(5)[:4]:
        story.registration(registration.PlayerCheckedIn(player=player))
    *_, paired = story.do(PairRound())
    assert paired.left_out == {"not_checked_in": ["p5"]}
    story.registration(registration.PlayerCheckedOut(player="p1"))
    story.do(StartRound(round=1))
    story.finish(1)
    *_, paired = story.do(PairRound())
    assert paired.left_out == {"not_checked_in": ["p5"]}  # p1 has played; to leave is to drop


@pytest.mark.clause("AR-AMB-17", "AR-AMB-16")
def test_players_who_left_are_not_paired_until_they_return(story):
    players = story.join(8)
    story.play()
    story.drop(players[0])
    story.drop(players[1])
    story.disqualify(players[2])
    story.registration(registration.PlayerReinstated(player=players[1]))
    story.do(PairRound())
    assert {player for seat in story.seats(2) for player in seat.players} == {"p2", "p4", "p5", "p6", "p7", "p8"}


def test_waiting_and_withdrawn_players_are_not_paired(story):
    story.join(4)
    story.registration(registration.PlayerWaitlisted(player="p5", name="Waits"))
    story.registration(registration.PlayerWithdrawn(player="p4"))
    story.do(PairRound())
    assert {player for seat in story.seats(1) for player in seat.players} == {"p1", "p2", "p3"}


class TestVenues:
    @pytest.fixture
    def story(self):
        story = Story(pairing_scope="venue")
        story.venue("North", tables=3)
        story.venue("South", tables=3)
        return story

    def test_each_venue_is_paired_apart_with_its_own_bye(self, story):
        north, south = story.join(5, venue="v1"), story.join(3, venue="v2")
        for _ in range(3):
            number = story.play()
            for seat in story.seats(number):
                there = north if seat.venue == "v1" else south
                assert set(seat.players) <= set(there)
            assert [seat.venue for seat in story.seats(number) if seat.kind == "bye"] == ["v1", "v2"]

    def test_the_only_player_of_a_venue_has_a_bye(self, story):
        story.join(2, venue="v1")
        story.join(1, venue="v2")
        story.play()
        story.play()
        assert story.seat_of(2, "p3").kind == "bye"

    def test_players_at_no_open_venue_are_named(self, story):
        story.join(2, venue="v1")
        story.join(2, venue="v2")
        story.join(1)
        story.registration(registration.VenueClosed(venue="v2", reason="fire"))
        refusal = story.refusal(PairRound())
        assert refusal.code == "players-without-venue"
        assert [found["player"] for found in refusal.data["players"]] == ["p3", "p4", "p5"]

    def test_a_spare_player_of_one_venue_leaves_the_other_its_bye(self, story):
        story = Story(pack=pack(FALLOUT), pairing_scope="venue")
        for name in ("North", "South"):
            story.venue(name, tables=3)
        story.join(3, venue="v1")
        story.join(3, venue="v2")
        spare = story.staff(venue="v2")
        story.do(OfferSpare(staff=spare))
        story.do(PairRound(scenario="Melee"))
        left_over = {seat.venue: (seat.kind, seat.player_2) for seat in story.seats(1) if seat.kind != "game"}
        assert left_over == {"v1": ("bye", ""), "v2": ("spare", spare)}


class TestSpare:
    @pytest.fixture
    def story(self):
        story = Story(pack=pack(FALLOUT), rounds=5)
        story.venue(tables=5)
        story.join(5)
        return story

    @pytest.mark.clause("FF-PAIR-2", "FF-PAIR-5", "FF-SPARE-1")
    def test_a_spare_player_sits_down_instead_of_a_bye(self, story):
        spare = story.staff()
        story.do(OfferSpare(staff=spare))
        story.play()
        (seat,) = [seat for seat in story.seats(1) if seat.kind != "game"]
        assert (seat.kind, seat.player_2, seat.table) == ("spare", spare, 3)
        assert all(row.player != spare for row in story.state.results.recorded[1].rows)

    @pytest.mark.clause("FF-SPARE-2", "FF-AMB-12")
    def test_the_spare_player_meets_the_last_ranked_not_met_yet_and_then_the_last_again(self, story):
        story.do(OfferSpare(staff=story.staff()))
        met: list[str] = []
        for _ in range(5):
            number = story.play()
            (seat,) = [seat for seat in story.seats(number) if seat.kind == "spare"]
            if number > 1:
                ranked = [row.player for row in story.state.results.recorded[number - 1].rows]
                assert seat.player_1 == next(player for player in reversed(ranked) if player not in met)
            met.append(seat.player_1)
        assert len(set(met)) == 5
        story.registration(registration.TournamentAmended(rounds=6))
        story.do(PairRound(scenario="Raid"))
        last = story.state.results.recorded[5].rows[-1].player
        assert [seat.player_1 for seat in story.seats(6) if seat.kind == "spare"] == [last]

    @pytest.mark.clause("FF-AMB-30")
    def test_a_spare_player_who_is_recalled_or_dismissed_plays_no_more(self, story):
        spare, other = story.staff(), story.staff("Otto", venue="v1")
        story.do(OfferSpare(staff=spare))
        story.do(OfferSpare(staff=other))
        story.do(RecallSpare(staff=spare))
        story.registration(registration.StaffDismissed(staff=other))
        story.do(PairRound(scenario="Melee"))
        assert "spare" not in {seat.kind for seat in story.seats(1)}

    def test_one_spare_player_is_enough_for_a_place(self, story):
        spare, other = story.staff(), story.staff("Otto")
        assert story.do(OfferSpare(staff=spare))
        assert story.do(OfferSpare(staff=spare)) == []
        refusal = story.refusal(OfferSpare(staff=other))
        assert (refusal.code, refusal.data) == ("spare-taken", {"staff": spare})
        story.registration(registration.StaffDismissed(staff=spare))
        assert story.decide(OfferSpare(staff=other))
        assert len(story.do(RecallSpare())) == 1
        assert story.do(RecallSpare()) == []
        assert story.do(OfferSpare(staff=other))

    def test_only_staff_who_play_stand_by(self, story):
        assert story.refusal(OfferSpare(staff="s9")).code == "staff-unknown"
        assert story.refusal(OfferSpare(staff=story.staff(role="integration"))).code == "staff-unknown"
        gone = story.staff()
        story.registration(registration.StaffDismissed(staff=gone))
        assert story.refusal(OfferSpare(staff=gone)).code == "staff-unknown"

    def test_a_ruleset_without_such_games_has_no_spare_player(self):
        story = Story()
        assert story.refusal(OfferSpare(staff=story.staff())).code == "no-spare"
