"""Places in a bracket: a player who advanced by a draw ranks ahead of the eliminated one."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from services.pairing.rounds import PairRound
from services.pairing.swiss_clocks import StartRound
from services.pairing.swiss_cut import MakeCut
from services.scoring.rounds import Conclude
from services.scoring.swiss_rounds import conclude
from services.scoring.swiss_views import game_view
from shared.swiss.ranking import BRACKET_TIE, is_bracket_decided, standings_of_round
from shared.tournament.guards import By, Context
from shared.tournament.results import ResultConfirmed, ResultReported
from tests.draws import oracle_of
from tests.services.pairing.stories import DUST, Story, pack

LEVEL = {"winner": "draw", "points_1": 50, "points_2": 50}


def all_level(story: Story, number: int) -> None:
    """Play the next round with tied games."""
    story.do(PairRound())
    story.do(StartRound(round=number))
    for seat in story.seats(number):
        if seat.kind == "game":
            story.scoring(
                ResultReported(round=number, game=seat.game, facts=LEVEL, side=1),
                ResultConfirmed(round=number, game=seat.game, side=2),
            )
    story.close(number)


@pytest.mark.clause("DW-CUT-5", "DW-AMB-12")
@pytest.mark.parametrize("players", [34, 36, 40])
def test_the_finalists_are_the_first_two_after_tied_games(players: int):
    story = Story(pack=pack(DUST), rounds=None)
    story.join(players)
    for number in (1, 2, 3):
        all_level(story, number)
    story.do(MakeCut())
    all_level(story, 4)
    all_level(story, 5)
    finalists = {player for seat in story.seats(5) for player in seat.players}
    final = story.state.results.recorded[5].rows
    assert {row.player for row in final[:2]} == finalists
    assert [draw.purpose for draw in story.state.results.recorded[5].draws].count(BRACKET_TIE) == 1
    semifinalists = {player for seat in story.seats(4) for player in seat.players}
    assert {row.player for row in final[:4]} == semifinalists


@pytest.mark.clause("DW-CUT-4", "DW-CUT-5", "DW-AMB-12")
def test_a_tied_bracket_game_names_who_advances():
    story = Story(pack=pack(DUST), rounds=None)
    story.join(34)
    for number in (1, 2, 3):
        all_level(story, number)
    story.do(MakeCut())
    story.do(PairRound())
    story.do(StartRound(round=4))
    games = story.seats(4)
    assert [game_view(story.state, 4, seat).goes_on for seat in games] == ["", ""]
    for seat in games:
        story.scoring(
            ResultReported(round=4, game=seat.game, facts=LEVEL, side=1),
            ResultConfirmed(round=4, game=seat.game, side=2),
        )
    assert [game_view(story.state, 4, seat).goes_on for seat in games] == ["", ""]  # the draw is still to come
    story.close(4)
    through = [game_view(story.state, 4, seat).goes_on for seat in games]
    story.do(PairRound())
    assert set(through) == {player for seat in story.seats(5) for player in seat.players}
    assert game_view(story.state, 3, story.seats(3)[0]).goes_on is UNSET


@pytest.mark.clause("DW-CUT-6", "DW-AMB-11", "DW-AMB-17")
def test_a_player_who_leaves_the_bracket_ranks_behind_their_opponent():
    story = Story(pack=pack(DUST), rounds=None)
    story.join(70)
    for _ in (1, 2, 3):
        story.play()
    story.do(MakeCut())
    story.play()
    survivors = [row.player for row in story.state.results.recorded[4].rows[:4]]
    story.drop(survivors[0])
    story.play()
    final = [row.player for row in story.state.results.recorded[5].rows[:4]]
    assert set(final) == set(survivors)
    assert survivors[0] in final[2:]


@pytest.mark.clause("DW-CUT-6", "DW-AMB-17")
def test_a_finalist_who_leaves_before_the_final_does_not_win():
    story = Story(pack=pack(DUST), rounds=None)
    story.join(34)
    for _ in (1, 2, 3):
        story.play()
    story.do(MakeCut())
    story.play()
    first, second = (row.player for row in story.state.results.recorded[4].rows[:2])
    assert not is_bracket_decided(story.state, 4, "seed")
    story.drop(first)
    assert is_bracket_decided(story.state, 4, "seed")
    assert [row.player for row in standings_of_round(story.state, 4, "seed").rows[:2]] == [second, first]
    context = Context(By("someone", "organiser"), story.now, story.heads, "scoring", oracle_of(story.state, "scoring"))
    (*_, ended) = conclude(story.state, Conclude(), context)
    assert (ended.winner, ended.rounds, ended.reason) == (second, 4, "")
