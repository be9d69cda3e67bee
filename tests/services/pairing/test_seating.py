"""Tables: pins, accessible tables, repeats, several halls, too few tables."""

from __future__ import annotations

import pytest

from services.pairing.amendments import AmendPairings, MoveTable
from services.pairing.plans import ByHand
from services.pairing.rounds import PairRound, WithdrawRound
from services.pairing.swiss_clocks import StartRound
from shared.tournament import registration
from tests.auditing import decided_again
from tests.services.pairing.stories import FALLOUT, Story, pack


def test_without_venues_or_tables_no_game_has_a_table():
    story = Story()
    story.join(4)
    story.do(PairRound())
    assert {(seat.venue, seat.table) for seat in story.seats(1)} == {("", 0)}
    story = Story()
    story.venue("Pub")
    story.join(4)
    story.do(PairRound())
    assert {(seat.venue, seat.table) for seat in story.seats(1)} == {("v1", 0)}


@pytest.mark.clause("FF-TBL-3", "FF-REG-6")
def test_a_pinned_player_keeps_the_table_round_after_round(story):
    story.join(8)
    story.registration(registration.PlayerPinned(player="p3", venue="v1", table=11))
    for _ in range(3):
        assert story.seat_of(story.play(), "p3").table == 11


def test_two_pinned_to_one_table_do_not_share_it_unless_they_meet(story):
    story.join(4)
    for player in ("p1", "p2"):
        story.registration(registration.PlayerPinned(player=player, venue="v1", table=7))
    story.do(PairRound())
    tables = [seat.table for seat in story.seats(1)]
    assert 7 in tables
    assert len(set(tables)) == 2


def test_accessible_tables_are_left_free_while_the_others_suffice():
    story = Story()
    story.venue(tables=4, accessible=[1, 2])
    story.join(4)
    story.do(PairRound())
    assert {seat.table for seat in story.seats(1)} == {3, 4}
    story = Story()
    story.venue(tables=4, accessible=[1, 2])
    story.join(6)
    story.do(PairRound())
    assert {seat.table for seat in story.seats(1)} == {1, 2, 3}


def test_a_player_pinned_to_an_accessible_table_has_it():
    story = Story()
    story.venue(tables=4, accessible=[1, 2])
    story.join(4)
    story.registration(registration.PlayerPinned(player="p2", venue="v1", table=1))
    story.do(PairRound())
    assert {seat.table for seat in story.seats(1)} == {1, 3}
    assert story.seat_of(1, "p2").table == 1


@pytest.mark.clause("FF-AMB-28")
def test_players_do_not_return_to_a_table_while_others_are_free(story):
    story.join(4)
    for _ in range(3):
        story.play()
    for player in story.state.entries.players:
        assert len({story.seat_of(number, player).table for number in (1, 2, 3)}) == 3


def test_another_game_gets_a_table_that_no_game_of_the_round_had():
    """Three games are over or go on at three of five tables; a bye becomes a game."""
    story = Story()
    story.venue(tables=5)
    story.join(7)
    story.do(PairRound())
    (bye,) = [seat.player_1 for seat in story.seats(1) if seat.kind == "bye"]
    story.do(StartRound(round=1))
    story.win("r1g1")
    story.win("r1g2")
    story.join(1)
    story.do(AmendPairings(round=1, reason="late", pairings=[ByHand(player_1=bye, player_2="p8")]))
    assert [seat.table for seat in story.seats(1)] == [1, 2, 3, 4]
    assert "table_shared" not in {finding.code for finding in story.judged(1)}


def test_a_table_whose_game_has_ended_is_given_where_there_is_no_other():
    story = Story()
    story.venue(tables=2)
    story.join(5)
    story.do(PairRound())
    (bye,) = [seat.player_1 for seat in story.seats(1) if seat.kind == "bye"]
    story.do(StartRound(round=1))
    story.win("r1g1")
    story.join(1)
    story.do(AmendPairings(round=1, reason="late", pairings=[ByHand(player_1=bye, player_2="p6")]))
    assert places(story, 1)[-1] == ("v1", 1, 1)


def places(story: Story, number: int) -> list[tuple[str, int, int]]:
    return [(seat.venue, seat.table, seat.wave) for seat in story.seats(number)]


def test_more_games_than_tables_are_played_in_waves_in_every_venue():
    story = Story(pairing_scope="venue")
    story.venue("North", tables=1)
    story.venue("South", tables=2)
    story.join(6, venue="v1")
    story.join(6, venue="v2")
    story.do(PairRound())
    assert places(story, 1) == [("v1", 1, 1), ("v1", 1, 2), ("v1", 1, 3), ("v2", 1, 1), ("v2", 2, 1), ("v2", 1, 2)]


def test_enough_tables_are_played_at_at_once():
    story = Story()
    story.venue("Hall", tables=3)
    story.join(6)
    story.do(PairRound())
    assert places(story, 1) == [("v1", 1, 1), ("v1", 2, 1), ("v1", 3, 1)]


def test_thirty_games_on_twenty_tables():
    story = Story(rounds=5)
    story.venue("Hall", tables=20)
    story.join(60)
    story.do(PairRound())
    assert places(story, 1) == [("v1", n, 1) for n in range(1, 21)] + [("v1", n, 2) for n in range(1, 11)]


def test_games_of_two_full_halls_wait_where_it_is_shortest():
    story = Story()
    story.venue("Small", tables=1)
    story.venue("Large", tables=2)
    story.join(12)
    story.do(PairRound())
    assert sorted(places(story, 1)) == [
        ("v1", 1, 1),
        ("v1", 1, 2),
        ("v2", 1, 1),
        ("v2", 1, 2),
        ("v2", 2, 1),
        ("v2", 2, 2),
    ]


@pytest.mark.clause("FF-TBL-3")
def test_pinned_players_play_in_the_first_wave():
    story = Story()
    story.venue("Hall", tables=1)
    story.join(4)
    story.do(PairRound())
    waits = next(seat for seat in story.seats(1) if seat.wave == 2)
    story.do(WithdrawRound(round=1, reason="again"))
    story.registration(registration.PlayerPinned(player=waits.player_1, venue="v1", table=1))
    story.do(PairRound())
    assert story.seat_of(1, waits.player_1).wave == 1


def test_a_game_that_waits_goes_on_at_a_table_that_is_free():
    story = Story()
    story.venue("Hall", tables=2)
    story.join(6)
    story.do(PairRound())
    *_, waits = story.seats(1)
    assert (waits.table, waits.wave) == (1, 2)
    assert story.refusal(MoveTable(round=1, game=waits.game, table=2)).code == "table-taken"
    story.registration(registration.TablesChanged(venue="v1", tables=[registration.Table(table=n) for n in (1, 2, 3)]))
    story.do(MoveTable(round=1, game=waits.game, table=3))
    moved = story.seats(1)[-1]
    assert (moved.table, moved.wave) == (3, 1)


def test_two_who_change_places_between_waves_keep_both_places():
    story = Story()
    story.venue("Hall", tables=1)
    story.join(4)
    story.do(PairRound())
    now, later = story.seats(1)
    story.do(AmendPairings(round=1, swap=(now.player_1, later.player_1), reason="a lift"))
    assert sorted(places(story, 1)) == [("v1", 1, 1), ("v1", 1, 2)]
    assert story.seat_of(1, later.player_1).wave == 1


def test_pairings_by_hand_name_the_wave():
    story = Story()
    story.venue("Hall", tables=1)
    story.join(4)
    same = [ByHand(player_1="p1", player_2="p2", table=1), ByHand(player_1="p3", player_2="p4", table=1)]
    assert story.refusal(PairRound(pairings=same)).code == "pairings-refused"
    second = ByHand(player_1="p3", player_2="p4", table=1, wave=2)
    story.do(PairRound(pairings=[same[0], second]))
    assert places(story, 1) == [("v1", 1, 1), ("v1", 1, 2)]


@pytest.mark.clause("FF-TBL-3", "FF-REG-6")
@pytest.mark.parametrize(
    ("tables", "taken"),
    [
        pytest.param(4, [1, 3, 4], id="the other table is left free"),
        pytest.param(3, [1, 2, 3], id="given away rather than that somebody waits"),
    ],
)
def test_two_pinned_players_who_meet(tables, taken):
    story = Story()
    story.venue("Hall", tables=tables)
    story.join(6)
    story.registration(
        registration.PlayerPinned(player="p1", venue="v1", table=1),
        registration.PlayerPinned(player="p2", venue="v1", table=2),
    )
    by_hand = [ByHand(player_1=f"p{n}", player_2=f"p{n + 1}") for n in (1, 3, 5)]
    story.do(PairRound(pairings=by_hand))
    assert places(story, 1) == [("v1", table, 1) for table in taken]


class TestHalls:
    """One event in several halls: all players may meet, and a game goes to the hall of its players."""

    def test_a_game_is_in_the_hall_of_its_players_while_there_is_room(self):
        story = Story()
        story.venue("North", tables=2)
        story.venue("South", tables=4)
        story.join(6, venue="v1")
        story.join(6, venue="v2")
        story.do(PairRound())
        places = [(seat.venue, seat.table) for seat in story.seats(1)]
        assert sorted(places) == [("v1", 1), ("v1", 2), ("v2", 1), ("v2", 2), ("v2", 3), ("v2", 4)]
        for seat in story.seats(1):
            homes = {story.state.entries.players[player].venue for player in seat.players}
            assert seat.venue == "v2" or "v1" in homes

    def test_players_of_one_hall_stay_there_when_others_could_play_in_either(self):
        story = Story()
        story.venue("North", tables=2)
        story.venue("South", tables=4)
        story.join(6, venue="v1")
        story.join(6, venue="v2")
        mixed = [ByHand(player_1=f"p{n}", player_2=f"p{n + 6}") for n in (1, 2, 3, 4)]
        at_home = [ByHand(player_1="p5", player_2="p6"), ByHand(player_1="p11", player_2="p12")]
        story.do(PairRound(pairings=mixed + at_home))
        assert (story.seat_of(1, "p5").venue, story.seat_of(1, "p11").venue) == ("v1", "v2")

    def test_pinned_players_come_first(self):
        story = Story()
        story.venue("North", tables=1)
        story.venue("South", tables=2)
        story.join(6, venue="v1")
        story.registration(registration.PlayerPinned(player="p6", venue="v1", table=1))
        story.do(PairRound())
        seat = story.seat_of(1, "p6")
        assert (seat.venue, seat.table) == ("v1", 1)

    def test_a_closed_hall_gets_no_games(self):
        story = Story()
        story.venue("North", tables=5)
        story.venue("South", tables=5)
        story.join(4, venue="v1")
        story.registration(registration.VenueClosed(venue="v1", reason="flood"))
        story.do(PairRound())
        assert {seat.venue for seat in story.seats(1)} == {"v2"}

    def test_too_few_tables_in_all_halls_together_are_played_at_in_waves(self):
        story = Story()
        story.venue("North", tables=1)
        story.venue("South", tables=1)
        story.join(8)
        story.do(PairRound())
        assert places(story, 1) == [("v1", 1, 1), ("v2", 1, 1), ("v1", 1, 2), ("v2", 1, 2)]


@pytest.mark.clause("FF-AMB-28")
def test_a_recorded_draw_may_say_who_sits_at_the_lowest_table():
    orders = set()
    for id in ("t-a", "t-b", "t-c", "t-d", "t-e", "t-f"):  # each tournament draws from its own secret
        story = Story(id, pack=pack(FALLOUT, tables={"order": "random"}))
        story.venue(tables=8)
        story.join(9)
        *_, paired = story.do(PairRound(scenario="Melee"))
        games = [seat for seat in story.seats(1) if seat.kind == "game"]
        (draw,) = [draw for draw in paired.draws if draw.purpose == "tables"]
        assert [seat.player_1 for seat in sorted(games, key=lambda seat: seat.table)] == draw.order
        orders.add(tuple(seat.table for seat in games))
        assert decided_again(story.logs, "pairing") == []
    assert len(orders) > 1
