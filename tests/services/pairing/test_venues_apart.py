"""Venues that are paired by themselves: each goes on when its own last round is closed."""

from __future__ import annotations

import pytest

from services.pairing.amendments import AmendPairings, MoveTable
from services.pairing.app import due_publication
from services.pairing.plans import ByHand
from services.pairing.publication import CancelPublication, PublishRound
from services.pairing.rounds import PairRound, RepairRound, WithdrawRound
from services.pairing.swiss_clocks import StartRound
from services.pairing.swiss_cut import MakeCut
from services.pairing.views import round_listed
from services.scoring.rounds import CloseRound, SetPartAside
from shared.swiss.ranking import planned_rounds
from shared.tournament import registration
from shared.tournament.rounds import RoundPaired
from tests.services.pairing.stories import FALLOUT, Story, pack, with_cut


def halls(*players: int, **announced) -> Story:
    """Return a tournament with so many players at each venue."""
    story = Story(**{"tier": "casual", "rounds": 3, "pairing_scope": "venue", **announced})
    for count in players:
        story.join(count, venue=story.venue(tables=6))
    return story


def play(story: Story, number: int, venue: str, *, close: bool = True) -> None:
    """Play a round at a venue."""
    story.do(PairRound(round=number, venue=venue))
    story.do(StartRound(round=number, venue=venue))
    if close:
        finish(story, number, venue)


def finish(story: Story, number: int, venue: str) -> list:
    for seat in story.seats(number):
        if seat.venue == venue and seat.game in story.state.open_games(number):
            story.win(seat.game)
    return story.judge(CloseRound(round=number, venue=venue))


def byes(story: Story, number: int) -> dict[str, str]:
    return {seat.player_1: seat.reason for seat in story.seats(number) if seat.kind == "bye"}


def test_a_venue_goes_on_while_another_plays():
    story = halls(4, 4)
    play(story, 1, "v1")
    play(story, 2, "v1")
    (paired,) = [event for event in story.do(PairRound(venue="v2")) if isinstance(event, RoundPaired)]
    assert (paired.round, paired.venue, paired.games) == (1, "v2", 2)
    assert {seat.game for seat in story.seats(1)} == {"r1g1", "r1g2", "r1g3", "r1g4"}
    assert sorted(story.state.results.closed) == []
    story.do(StartRound(round=1, venue="v2"))
    assert [event.__class__.__name__ for event in finish(story, 1, "v2")] == ["StandingsRecorded", "RoundClosed"]


def test_a_venue_waits_for_its_own_round():
    story = halls(4, 4)
    play(story, 1, "v1", close=False)
    refusal = story.refusal(PairRound(venue="v1"))
    assert (refusal.code, refusal.data["venues"], len(refusal.data["games"])) == ("round-not-closed", ["v1"], 2)
    assert story.refusal(PairRound(venue="v1", round=3)).code == "round-already-paired"
    assert story.refusal(PairRound(venue="v9")).code == "venue-unknown"


@pytest.mark.parametrize("on_purpose", [[], ["rounds"]])
def test_players_of_a_closed_venue_are_not_seated_at_another_one(on_purpose):
    story = halls(2, 2, on_purpose=on_purpose)
    story.registration(registration.VenueClosed(venue="v2", reason="water"))
    assert story.refusal(PairRound(venue="v2")).code == "players-without-venue"
    story.do(PairRound(venue="v1"))


def test_without_a_venue_every_venue_is_paired_by_itself():
    story = halls(4, 5)
    events = [event for event in story.do(PairRound()) if isinstance(event, RoundPaired)]
    assert [(event.venue, event.games) for event in events] == [("v1", 2), ("v2", 3)]
    assert len({event.seed for event in events}) == 2
    story.do(StartRound(round=1))
    finish(story, 1, "v1")
    refusal = story.refusal(PairRound())
    assert (refusal.code, refusal.data["venues"]) == ("round-not-closed", ["v2"])


def test_each_part_has_a_commitment_of_its_own():
    story = halls(4, 4)
    story.do(PairRound(venue="v1"))
    story.do(PairRound(venue="v2"))
    asked = story.state.draws["pairing"].answers
    assert {question: answer.number for question, answer in asked.items()} == {
        "pairing: 1, 1, v1": 1,
        "pairing: 1, 1, v2": 2,
    }


def test_venues_are_apart_as_far_as_the_tournament_allows():
    story = halls(4, 4, rounds_apart=0)
    play(story, 1, "v1")
    refusal = story.refusal(PairRound(venue="v1"))
    assert (refusal.code, refusal.data) == ("venues-apart", {"round": 2, "most": 0, "venues": ["v2"]})
    story.registration(registration.TournamentAmended(rounds_apart=1))
    play(story, 2, "v1")
    assert story.refusal(PairRound(venue="v1")).code == "venues-apart"


def test_a_venue_that_is_set_aside_holds_nobody_up():
    story = halls(4, 4, rounds_apart=0)
    story.do(PairRound())
    story.do(StartRound(round=1))
    story.judge(SetPartAside(round=1, venue="v2", reason="no network"))
    finish(story, 1, "v1")
    assert list(story.state.results.closed) == [1]
    play(story, 2, "v1")
    finish(story, 1, "v2")
    play(story, 2, "v2")
    assert sorted(story.state.results.closed) == [1, 2]


class TestMoves:
    def test_a_player_plays_at_the_new_venue_from_the_next_round(self):
        story = halls(4, 4)
        play(story, 1, "v1")
        story.registration(registration.PlayerMoved(player="p1", venue="v2"))
        play(story, 1, "v2")
        story.do(PairRound(venue="v2", round=2))
        assert {player for seat in story.seats(2) for player in seat.players} == {"p1", "p5", "p6", "p7", "p8"}

    def test_a_player_who_has_played_the_round_waits(self):
        story = halls(4, 4)
        play(story, 1, "v1")
        story.registration(registration.PlayerMoved(player="p1", venue="v2"))
        story.do(PairRound(venue="v2", round=1))
        assert story.state.rounds.rounds[1].left_out == {"played_elsewhere": ["p1"]}
        assert story.seat_of(1, "p1").venue == "v1"

    def test_a_player_whose_game_goes_on_has_a_bye_at_the_new_venue(self):
        story = halls(4, 4)
        play(story, 1, "v2")
        play(story, 1, "v1", close=False)
        story.registration(registration.PlayerMoved(player="p1", venue="v2"))
        story.do(PairRound(venue="v2"))
        assert byes(story, 2) == {"p1": "round 1 is still being played at the venue they left"}

    def test_a_player_whose_new_venue_is_ahead_has_a_bye_where_they_were(self):
        story = halls(4, 4)
        play(story, 1, "v1")
        play(story, 1, "v2")
        play(story, 2, "v2")
        story.registration(registration.PlayerMoved(player="p1", venue="v2"))
        story.do(PairRound(venue="v1"))
        assert byes(story, 2)["p1"] == "moved to Hall, which has paired this round already"
        story.do(StartRound(round=2, venue="v1"))
        finish(story, 2, "v1")
        story.do(PairRound(venue="v2", round=3))
        assert "p1" in {player for seat in story.seats(3) for player in seat.players}

    def test_nobody_who_left_the_tournament_gets_a_bye(self):
        story = halls(4, 4)
        play(story, 1, "v2")
        play(story, 1, "v1", close=False)
        story.registration(registration.PlayerMoved(player="p1", venue="v2"))
        story.drop("p1")
        story.do(PairRound(venue="v2"))
        assert byes(story, 2) == {}


class TestByHand:
    def test_a_part_is_entered_by_hand(self):
        story = halls(4, 4)
        games = [ByHand(player_1="p1", player_2="p3"), ByHand(player_1="p2", player_2="p4")]
        events = story.do(PairRound(venue="v1", pairings=games, reason="paper"))
        assert [(event.venue, event.method) for event in events if isinstance(event, RoundPaired)] == [("v1", "manual")]

    @pytest.mark.parametrize(
        ("second", "away", "where"),
        [
            (ByHand(player_1="p2", player_2="p5"), ["p4"], "/pairings/1"),
            (ByHand(player_1="p2", player_2="p4", venue="v2"), [], "/pairings/1/venue"),
        ],
        ids=["player", "venue"],
    )
    def test_a_game_of_another_venue_is_refused(self, second, away, where):
        story = halls(4, 4)
        games = [ByHand(player_1="p1", player_2="p3"), second]
        refusal = story.refusal(PairRound(venue="v1", pairings=games, sitting_out=away, reason="paper"))
        assert refusal.code == "pairings-refused"
        assert where in [fault.where for fault in refusal.faults]


def test_one_scenario_for_all_venues():
    story = halls(4, 4, pack=pack(FALLOUT), tier=pack(FALLOUT)["tiers"][-1]["id"])
    story.do(PairRound(venue="v1", scenario="Raid"))
    refusal = story.refusal(PairRound(venue="v2", scenario="Melee"))
    assert (refusal.code, refusal.faults[0].where) == ("pairings-refused", "/scenario")
    story.do(PairRound(venue="v2"))
    assert story.state.rounds.rounds[1].scenario == "Raid"


def test_a_part_is_taken_back_and_paired_again():
    story = halls(4, 4)
    story.do(PairRound())
    before = story.state.rounds.rounds[1].seats
    kept = {game for game, seat in before.items() if seat.venue == "v2"}
    story.do(WithdrawRound(round=1, venue="v1", reason="a mistake"))
    assert set(story.state.rounds.rounds[1].seats) == kept
    story.do(PairRound(venue="v1"))
    story.do(RepairRound(round=1, venue="v1", reason="another mistake"))
    games = set(story.state.rounds.rounds[1].seats)
    assert kept < games
    assert len(games) == 4
    assert not (games - kept) & set(before)
    story.do(StartRound(round=1, venue="v1"))
    assert story.refusal(RepairRound(round=1, venue="v1", reason="x")).code == "round-already-started"
    story.do(WithdrawRound(round=1, venue="v2", reason="x"))


def test_no_part_of_a_round_that_was_paired_together_is_taken_back():
    story = halls(4, 4, pairing_scope="event")
    story.do(PairRound())
    assert story.refusal(WithdrawRound(round=1, venue="v1", reason="x")).code == "paired-together"
    refusal = story.refusal(PairRound(venue="v1"))
    assert (refusal.code, refusal.faults[0].where) == ("pairings-refused", "/venue")


class TestDrafts:
    def test_parts_are_drafted_and_published_by_themselves(self):
        story = halls(4, 4, on_purpose=["rounds"])
        story.do(PairRound())
        assert [part.status for part in shown(story, 1)] == ["draft", "draft"]
        refusal = story.refusal(StartRound(round=1, venue="v1"))
        assert refusal.code == "round-not-published"
        story.do(PublishRound(round=1, venue="v2"))
        assert [part.status for part in shown(story, 1)] == ["draft", "paired"]
        assert {seat.venue for seat in story.state.rounds.rounds[1].seats.values()} == {"v2"}
        story.do(StartRound(round=1, venue="v2"))
        story.do(PublishRound(round=1, venue="v1"))
        assert {seat.venue for seat in story.state.rounds.rounds[1].seats.values()} == {"v1", "v2"}
        assert story.refusal(PublishRound(round=1, venue="v1")).code == "round-already-published"

    def test_all_drafts_are_published_at_once(self):
        story = halls(4, 4, on_purpose=["rounds"])
        story.do(PairRound())
        story.do(PublishRound(round=1))
        assert [part.status for part in shown(story, 1)] == ["paired", "paired"]

    def test_a_draft_is_paired_again_and_taken_back_without_the_others(self):
        story = halls(4, 4, on_purpose=["rounds"])
        story.do(PairRound())
        story.do(RepairRound(round=1, venue="v1", reason="x"))
        story.do(WithdrawRound(round=1, venue="v2", reason="x"))
        assert [part.venue for part in shown(story, 1)] == ["v1"]
        story.do(PublishRound(round=1, venue="v1"))
        story.do(PairRound(venue="v2"))
        games = [seat.game for seat in story.seats(1)]
        assert len(games) == len(set(games)) == 4

    def test_a_part_is_published_at_its_own_time(self):
        story = halls(4, 4, on_purpose=["rounds"])
        story.do(PairRound())
        at = "2026-03-07T13:00:00.000Z"
        story.do(PublishRound(round=1, venue="v1", at=at))
        assert [part.publish_at for part in shown(story, 1)] == [at, ""]
        assert due_publication(story.state, "round", "v1").venue == "v1"
        story.do(CancelPublication(round=1, venue="v1"))
        assert [part.publish_at for part in shown(story, 1)] == ["", ""]


def shown(story: Story, number: int):
    return round_listed(story.shown, story.shown.rounds.rounds[number]).parts


def test_the_cut_waits_for_every_venue():
    story = halls(4, 4, pack=with_cut(), tier=with_cut()["tiers"][-1]["id"], rounds=None)
    play(story, 1, "v1")
    play(story, 2, "v1")
    play(story, 1, "v2")
    refusal = story.refusal(MakeCut(places=4))
    assert (refusal.code, refusal.data["venues"]) == ("round-not-closed", ["v2"])
    play(story, 2, "v2")
    story.do(MakeCut())
    story.do(PairRound())
    assert story.state.rounds.rounds[3].origins == {}


def test_the_number_of_rounds_follows_from_the_players_of_all_venues():
    story = halls(4, 8, tier="premier", rounds=None)
    story.do(PairRound(venue="v1"))
    before = planned_rounds(story.state)
    story.do(PairRound(venue="v2"))
    assert planned_rounds(story.state) == before == planned_rounds(halls(12, tier="premier", rounds=None).state)


def test_a_slow_venue_is_amended_while_another_is_ahead():
    story = halls(4, 4)
    play(story, 1, "v1")
    play(story, 2, "v1")
    story.do(PairRound(venue="v2"))
    first, second = (seat for seat in story.seats(1) if seat.venue == "v2")
    story.do(AmendPairings(round=1, swap=(first.player_1, second.player_1), reason="brothers"))
    story.do(MoveTable(round=1, game=next(s.game for s in story.seats(1) if s.venue == "v2"), table=6))
    assert story.judged(1) is not None
    ahead = next(seat for seat in story.seats(1) if seat.venue == "v1")
    other = next(seat for seat in story.seats(1) if seat.venue == "v1" and seat is not ahead)
    swap = AmendPairings(round=1, swap=(ahead.player_1, other.player_1), reason="too late")
    assert story.refusal(swap).code in ("round-not-latest", "game-has-result")


def test_no_game_moves_to_a_venue_before_the_round_is_paired_there():
    story = halls(4, 4, 0)
    story.do(PairRound(venue="v1"))
    game = story.seats(1)[0].game
    early = MoveTable(round=1, game=game, venue="v2", table=1)
    assert story.refusal(early).code == "round-not-published"
    by_hand = ByHand(player_1="p1", player_2="p2", venue="v2", table=1)
    others = ByHand(player_1="p3", player_2="p4")
    assert story.refusal(AmendPairings(round=1, pairings=[by_hand, others], reason="x")).code == "round-not-published"
    story.do(MoveTable(round=1, game=game, venue="v3", table=1))  # nobody of v3 is to be paired
    story.do(PairRound(venue="v2"))
    story.do(MoveTable(round=1, game=game, venue="v2", table=5))
