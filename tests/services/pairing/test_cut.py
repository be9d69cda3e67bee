"""The elimination stage: who goes on, who meets whom, who moves up, and who wins a tie."""

from __future__ import annotations

import pytest

from services.pairing.rounds import PairRound, RepairRound, WithdrawRound
from services.pairing.swiss_bracket import bracket_view
from services.pairing.swiss_clocks import StartRound
from services.pairing.swiss_cut import GiveUpSeat, MakeCut
from services.pairing.swiss_routes import SeedView, cut_view
from shared.log.cloudevents import from_wire
from shared.tournament import results
from tests.services.drafted import everything_read
from tests.services.pairing.stories import DUST, FALLOUT, Story, pack, with_cut


def swiss(bracket: str = "seeded", players: int = 8) -> Story:
    """Two Swiss rounds are played, and the cut to four is due."""
    story = Story(pack=with_cut(bracket), rounds=None)
    story.join(players)
    story.play()
    story.play()
    return story


@pytest.fixture
def cut():
    """The cut is made: a, b, c, d by the standings."""
    story = swiss()
    story.do(MakeCut())
    return story


class TestCut:
    @pytest.mark.clause("DW-CUT-1", "DW-RND-1")
    def test_the_first_of_the_recorded_standings_go_on(self):
        story = swiss()
        refusal = story.refusal(PairRound())
        assert (refusal.code, refusal.data) == ("cut-due", {"places": 4})
        (event,) = story.do(MakeCut())
        recorded = story.state.results.recorded[2]
        assert event.seeds == [row.player for row in recorded.rows[:4]]
        assert (event.after_round, event.made_from) == (2, recorded.position)

    @pytest.mark.clause("DW-AMB-17")
    def test_a_player_who_left_has_no_place(self):
        story = swiss()
        first, second, *_ = [row.player for row in story.state.results.recorded[2].rows]
        story.drop(first)
        (event,) = story.do(MakeCut())
        assert first not in event.seeds
        assert event.seeds[0] == second
        assert len(event.seeds) == 4

    @pytest.mark.clause("DW-RND-2")
    def test_the_organiser_may_cut_where_the_ruleset_has_a_bracket(self):
        story = Story(pack=pack(DUST), rounds=3)
        story.join(8)
        story.play()
        assert story.refusal(MakeCut()).code == "no-cut"
        (event,) = story.do(MakeCut(places=2))
        assert len(event.seeds) == 2
        assert story.play() == 2
        assert story.state.rounds.rounds[2].stage == "elimination"

    def test_with_rounds_of_the_organisers_own_the_rulesets_cut_is_offered_and_no_must(self):
        story = Story(pack=with_cut(), rounds=4)
        story.join(8)
        story.play()
        story.play()
        (event,) = story.decide(MakeCut())
        assert len(event.seeds) == 4
        assert story.play() == 3
        assert story.state.rounds.rounds[3].stage == "swiss"

    @pytest.mark.clause("AR-CUT-1", "AR-AMB-21")
    def test_a_ruleset_without_elimination_has_no_cut(self, story):
        story.join(4)
        story.play()
        refusal = story.refusal(MakeCut(places=2))
        assert (refusal.code, refusal.data) == ("no-cut", {"status": "none", "clause": "AR-AMB-21"})

    @pytest.mark.clause("FF-CUT-1")
    def test_nor_has_another(self):
        story = Story(pack=pack(FALLOUT))
        assert story.refusal(MakeCut(places=2)).data == {"status": "none", "clause": "FF-CUT-1"}

    def test_no_cut_before_anything_was_played_or_while_a_round_goes_on(self):
        story = Story(pack=with_cut(), rounds=None)
        story.join(6)
        assert story.refusal(MakeCut(places=2)).code == "no-cut"
        story.do(PairRound())
        assert story.refusal(MakeCut(places=2)).code == "round-not-closed"

    def test_it_may_be_made_again_until_elimination_begins(self, cut):
        assert cut.do(MakeCut()) == []
        (event,) = cut.do(MakeCut(places=2))
        assert len(event.seeds) == 2
        cut.play()
        assert cut.refusal(MakeCut()).code == "cut-stands"


class TestBracket:
    @pytest.mark.clause("DW-AMB-4", "DW-AMB-11", "DW-CUT-3", "DW-CUT-6")
    def test_high_against_low_and_then_the_neighbours(self, cut):
        a, b, c, d = cut.state.rounds.cut
        cut.play()
        assert [(seat.player_1, seat.player_2) for seat in cut.seats(3)] == [(a, d), (b, c)]
        *_, paired = cut.decide(PairRound())
        assert (paired.stage, paired.method) == ("elimination", "seeded")
        cut.play()
        assert [(seat.player_1, seat.player_2) for seat in cut.seats(4)] == [(a, b)]
        refusal = cut.refusal(PairRound())
        assert (refusal.code, refusal.data) == ("all-rounds-played", {"winner": a})

    @pytest.mark.clause("DW-CUT-2")
    def test_rematches_of_the_first_stage_are_allowed_and_not_marked(self):
        story = swiss(players=5)
        story.do(MakeCut())
        story.do(PairRound())
        assert not any(seat.rematch for seat in story.seats(3))

    @pytest.mark.clause("DW-AMB-4")
    def test_drawn_at_random_where_the_organiser_wants_that(self):
        story = swiss("random")
        story.do(MakeCut())
        *_, paired = story.do(PairRound())
        (draw,) = paired.draws
        assert (draw.purpose, sorted(draw.order)) == ("bracket", sorted(story.state.rounds.cut))
        assert draw.seed == paired.seed
        a, b, c, d = draw.order
        assert [(seat.player_1, seat.player_2) for seat in story.seats(3)] == [(a, d), (b, c)]

    @pytest.mark.clause("DW-AMB-11")
    def test_the_best_left_against_the_last_left_where_it_is_seeded_again(self):
        story = Story(pack=with_cut("reseed"), rounds=None)
        story.join(12)
        story.play()
        story.play()
        story.do(MakeCut(places=8))
        a, *_ = story.state.rounds.cut
        story.do(PairRound())
        story.do(StartRound(round=3))
        for seat in story.seats(3):
            story.win(seat.game, 2 if a in seat.players else 1)
        story.close(3)
        story.do(PairRound())
        seeds = story.state.rounds.cut
        places = sorted(sorted(seeds.index(player) for player in seat.players) for seat in story.seats(4))
        assert places[0][0] == 1  # b is the best who is left, and meets the last
        assert places[0][1] == max(place for pair in places for place in pair)

    def test_with_too_few_players_the_best_go_on_without_a_game(self):
        story = Story(pack=with_cut(), rounds=None)
        story.join(6)
        story.play()
        story.do(MakeCut(places=3))
        a, b, c = story.state.rounds.cut
        story.play()
        assert [(seat.game, seat.kind, seat.player_1, seat.player_2) for seat in story.seats(2)] == [
            ("r2g1", "bye", a, ""),
            ("r2g2", "game", b, c),
        ]
        story.play()
        assert story.pairs(3) == {frozenset((a, b))}


class TestTies:
    @pytest.mark.clause("DW-CUT-4")
    def test_the_player_whom_scoring_places_higher_advances(self, cut):
        _, b, _, d = cut.state.rounds.cut
        cut.do(PairRound())
        cut.do(StartRound(round=3))
        facts = {"kind": "game", "winner": "draw", "points_1": 60, "points_2": 130}
        cut.scoring(
            results.ResultReported(round=3, game="r3g1", facts=facts), results.ResultConfirmed(round=3, game="r3g1")
        )
        cut.finish(3)
        cut.do(PairRound())
        assert cut.pairs(4) == {frozenset((d, b))}

    def test_if_neither_player_came_none_advances(self, cut):
        _, b, _, _ = cut.state.rounds.cut
        cut.do(PairRound())
        cut.do(StartRound(round=3))
        facts = {"kind": "double_no_show"}
        cut.scoring(
            results.ResultReported(round=3, game="r3g1", facts=facts), results.ResultConfirmed(round=3, game="r3g1")
        )
        cut.finish(3)
        assert cut.refusal(PairRound()).data == {"winner": b}


class TestGivenUp:
    @pytest.mark.clause("DW-AMB-11")
    def test_before_elimination_the_next_in_the_standings_moves_up(self, cut):
        a, b, c, d = cut.state.rounds.cut
        fifth = cut.state.results.recorded[2].rows[4].player
        sixth = cut.state.results.recorded[2].rows[5].player
        (event,) = cut.do(GiveUpSeat(player=b))
        assert (event.player, event.promoted) == (b, fifth)
        assert cut.state.rounds.cut == [a, fifth, c, d]
        cut.do(GiveUpSeat(player=fifth))
        assert cut.state.rounds.cut == [a, sixth, c, d]
        assert cut.refusal(GiveUpSeat(player=b)).code == "not-in-cut"

    def test_the_place_is_empty_if_no_player_can_move_up(self):
        story = swiss(players=5)
        story.do(MakeCut())
        a, b, _, d = story.state.rounds.cut
        fifth = story.state.results.recorded[2].rows[4].player
        story.drop(fifth)
        (event,) = story.do(GiveUpSeat(player=d))
        assert event.promoted == ""
        assert story.do(GiveUpSeat(player=d)) == []
        assert cut_view(story.state).seeds[3] == SeedView(
            seed=4, player=d, name=d.upper(), given_up=True, status="active"
        )
        story.do(PairRound())
        assert [(seat.kind, seat.player_1) for seat in story.seats(3)] == [("bye", a), ("game", b)]

    def test_a_player_who_left_before_elimination_must_give_up_the_seat(self, cut):
        a, *_ = cut.state.rounds.cut
        cut.drop(a)
        refusal = cut.refusal(PairRound())
        assert refusal.code == "round-has-absent-players"
        assert [found["player"] for found in refusal.data["players"]] == [a]
        cut.do(GiveUpSeat(player=a))
        assert cut.play() == 3

    @pytest.mark.clause("DW-AMB-11")
    def test_later_it_is_a_walkover(self, cut):
        a, b, _, _ = cut.state.rounds.cut
        cut.play()
        (event,) = cut.do(GiveUpSeat(player=a))
        assert event.promoted == ""
        refusal = cut.refusal(PairRound())
        assert (refusal.code, refusal.data) == ("all-rounds-played", {"winner": b})

    def test_a_place_between_rounds_is_a_bye_for_the_neighbour(self):
        story = Story(pack=with_cut(), rounds=None)
        story.join(12)
        story.play()
        story.play()
        story.do(MakeCut(places=8))
        story.play()
        winners = [seat.player_1 for seat in story.seats(3)]
        story.drop(winners[0])
        story.do(PairRound())
        assert [(seat.game, seat.kind, seat.player_1) for seat in story.seats(4)] == [
            ("r4g1", "bye", winners[1]),
            ("r4g2", "game", winners[2]),
        ]
        story.do(StartRound(round=4))
        story.finish(4)
        story.play()
        assert story.pairs(5) == {frozenset((winners[1], winners[2]))}

    def test_a_pair_that_is_gone_altogether_leaves_its_place_empty(self):
        story = Story(pack=with_cut(), rounds=None)
        story.join(12)
        story.play()
        story.play()
        story.do(MakeCut(places=8))
        story.play()
        winners = [seat.player_1 for seat in story.seats(3)]
        story.drop(winners[0])
        story.drop(winners[1])
        story.do(PairRound())
        assert [(seat.game, seat.kind) for seat in story.seats(4)] == [("r4g2", "game")]
        story.do(StartRound(round=4))
        story.finish(4)
        assert story.refusal(PairRound()).data == {"winner": winners[2]}

    def test_a_game_of_the_bracket_says_which_numbers_of_the_cut_meet(self, cut):
        cut.do(PairRound())
        assert [seat.reason for seat in cut.seats(3)] == [
            "bracket: number 1 of the cut against number 4",
            "bracket: number 2 of the cut against number 3",
        ]

    @pytest.mark.clause("DW-AMB-11")
    @pytest.mark.parametrize("bracket", ["seeded", "random", "reseed"])
    @pytest.mark.parametrize("order", ["paired", "paired_again", "withdrawn"])
    def test_given_up_after_the_pairing_its_place_alone_is_empty(self, bracket, order):
        """The opponent goes on and no one moves up, whether the round stays, is paired again or was taken back."""
        story = swiss(bracket)
        story.do(MakeCut())
        story.do(PairRound())
        other, mine = story.seats(3)
        leaves, stays = mine.players
        story.drop(leaves)
        refusal = story.refusal(StartRound(round=3))
        assert (refusal.code, "cut/given-up" in refusal.detail) == ("round-has-absent-players", True)
        if order == "withdrawn":
            story.do(WithdrawRound(round=3, reason="a player left"))
        given_up, *amended = story.do(GiveUpSeat(player=leaves))
        assert (given_up.promoted, len(amended)) == ("", int(order != "withdrawn"))
        if order == "withdrawn":
            story.do(PairRound())
        elif order == "paired_again":
            story.do(RepairRound(round=3, reason="walkover"))
        assert story.pairs(3) == {frozenset(other.players), frozenset({stays})}
        assert mine.game not in {seat.game for seat in story.seats(3)}
        story.do(StartRound(round=3))
        story.finish(3)
        story.do(PairRound())
        assert story.pairs(4) == {frozenset({other.player_1, stays})}

    def test_a_new_cut_replaces_a_player_who_gave_up_the_seat(self, cut):
        a, *_ = cut.state.rounds.cut
        fifth = cut.state.results.recorded[2].rows[4].player
        cut.do(PairRound())
        cut.drop(a)
        cut.do(GiveUpSeat(player=a))
        cut.do(WithdrawRound(round=3, reason="a player left"))
        cut.do(MakeCut())
        cut.do(PairRound())
        assert fifth in {player for seat in cut.seats(3) for player in seat.players}

    def test_a_place_that_is_empty_says_where_its_opponent_comes_from(self):
        story = swiss(players=12)
        story.do(MakeCut(places=8))
        story.do(PairRound())
        story.do(StartRound(round=3))
        facts = {"kind": "double_no_show"}
        story.scoring(
            results.ResultReported(round=3, game="r3g1", facts=facts), results.ResultConfirmed(round=3, game="r3g1")
        )
        story.finish(3)
        story.do(PairRound())
        sides = next(game.sides for game in bracket_view(story.state).items if game.place == "2.1")
        assert [(bool(side.player), side.comes_from) for side in sides] == [(True, "1.2"), (False, "1.1")]

    def test_only_who_is_in_the_cut_gives_a_seat_up(self, cut):
        out = next(player for player in cut.state.entries.players if player not in cut.state.rounds.cut)
        assert cut.refusal(GiveUpSeat(player=out)).code == "not-in-cut"
        assert cut.refusal(GiveUpSeat(player="p99")).code == "player-unknown"


class TestDraft:
    @pytest.fixture
    def drafted(self, serve):
        """The cut is a draft; the rounds before it were published at once."""
        story = Story(pack=with_cut(), rounds=None, on_purpose=["cut"])
        story.join(8)
        pairing = serve(story)
        for number in (1, 2):
            assert pairing.post("/rounds").status_code == 201
            assert pairing.post(f"/rounds/{number}/start").status_code == 201
            story.finish(number)
        assert pairing.post("/cut").status_code == 201
        return pairing

    @pytest.mark.parametrize("role", ["", "player", "integration"])
    def test_only_staff_see_a_draft_cut(self, drafted, role):
        token = drafted.token(role) if role else ""
        seen = everything_read(drafted.app, drafted.story.id, token)
        first = drafted.get("/cut", role="organiser").json["seeds"][0]["player"]
        assert drafted.get("/cut", role=role).json == {
            "bracket": "seeded",
            "clause": "DW-CUT-1",
            "due": 4,
            "after_round": None,
            "draft": False,
            "publish_at": "",
            "seeds": [],
            "gave_up": [],
            "tie_at_line": None,
        }
        assert drafted.post("/cut/given-up", {"player": first}).status_code == 201
        assert everything_read(drafted.app, drafted.story.id, token) == seen
        log = [from_wire(line) for line in drafted.get("/log", role=role).get_data().splitlines()]
        assert not {event.type for event in log} & {"CutMade", "SeatGivenUp"}

    def test_rounds_are_paired_from_a_published_cut(self, drafted):
        assert drafted.get("/cut", role="referee").json["draft"] is True
        refused = drafted.post("/rounds")
        assert (refused.status_code, refused.json["code"]) == (409, "cut-not-published")
        assert drafted.post("/cut/publication").status_code == 201
        assert len(drafted.get("/cut").json["seeds"]) == 4
        again = drafted.post("/cut/publication")
        assert (again.status_code, again.json["code"]) == (409, "cut-already-published")
        assert drafted.post("/rounds").status_code == 201
        assert drafted.get("/rounds/3").json["stage"] == "elimination"
        log = [from_wire(line) for line in drafted.get("/log").get_data().splitlines()]
        assert [event.type for event in log].count("CutMade") == 1

    def test_there_has_to_be_one(self, serve):
        story = Story(pack=with_cut(), rounds=None, on_purpose=["cut"])
        assert serve(story).post("/cut/publication").json["code"] == "no-cut"
