"""Corrections in a bracket: pairing and scoring decide on each other's logs, and name one winner."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from msgspec.structs import replace

from services.pairing.rounds import PairRound, WithdrawRound
from services.pairing.swiss_bracket import bracket_view
from services.pairing.swiss_clocks import StartRound
from services.pairing.swiss_cut import GiveUpSeat, MakeCut
from services.scoring.results import CorrectResult, ReportResult, VoidResult
from services.scoring.rounds import CloseRound, Conclude, ReopenRound
from services.scoring.swiss_rounds import BracketPlayedOn
from services.scoring.swiss_views import consequences
from shared.refusals import Refusal
from shared.swiss.ranking import BracketMovedOn, advancing_player, bracket_rounds, has_left_bracket
from tests.services.pairing.stories import DUST, FACTS, Story, with_cut


def semi_finals(bracket: str = "seeded") -> Story:
    """Four of eight players are in the cut; the first players won the semi-finals (round 3); the final is paired."""
    story = Story(pack=with_cut(bracket), rounds=None)
    story.join(8)
    story.play()
    story.play()
    story.do(MakeCut())
    story.play()
    story.do(PairRound())
    return story


def won_by(side: int) -> dict[str, object]:
    return FACTS[DUST][side - 1] | {"kind": "game"}


def correction(game: str, side: int = 2) -> CorrectResult:
    return CorrectResult(game=game, facts=won_by(side), reason="wrong winner")


def refused(story: Story, command: object) -> Refusal:
    with pytest.raises(Refusal) as caught:
        story.judge(command)
    return caught.value


@pytest.mark.parametrize("bracket", ["seeded", "random", "reseed"])
@pytest.mark.parametrize("started", [False, True])
def test_a_final_without_a_result_is_paired_again_at_the_same_table(bracket, started):
    story = semi_finals(bracket)
    if started:
        story.do(StartRound(round=4))
    (final,) = story.seats(4)
    semi = next(seat for seat in story.seats(3) if final.player_1 in seat.players)
    loser = next(player for player in semi.players if player != final.player_1)
    story.judge(correction(semi.game))
    assert story.refusal(StartRound(round=4)).code == ("round-already-started" if started else "bracket-moved-on")
    (event,) = story.follow()
    assert (event.removed, [seat.game for seat in event.pairings]) == ([final.game], ["r4g1-2"])
    assert story.pairs(4) == {frozenset({loser, final.player_2})}
    assert (story.seats(4)[0].table, story.follow()) == (final.table, [])
    if not started:
        story.do(StartRound(round=4))
    story.finish(4)
    (concluded,) = [one for one in story.judge(Conclude()) if type(one).__name__ == "TournamentConcluded"]
    assert concluded.winner == bracket_view(story.state).winner == story.seats(4)[0].player_1


def test_the_preview_names_the_game_and_who_goes_on():
    story = semi_finals()
    (final,) = story.seats(4)
    semi = next(seat for seat in story.seats(3) if final.player_1 in seat.players)
    before = story.state
    results = dict(before.results.results)
    results[semi.game] = replace(results[semi.game], facts=won_by(2), status="corrected")
    after = replace(before, results=replace(before.results, results=results))
    (moved,) = consequences(before, after).bracket
    assert (moved.round, moved.game, moved.leaves, moved.goes_on) == (4, final.game, semi.player_1, semi.player_2)


def test_until_it_is_paired_again_it_is_neither_reported_nor_closed_nor_concluded():
    """Pairing has not read the correction yet."""
    story = semi_finals()
    story.do(StartRound(round=4))
    (final,) = story.seats(4)
    semi = next(seat for seat in story.seats(3) if final.player_1 in seat.players)
    story.judge(correction(semi.game))
    refusal = refused(story, ReportResult(game=final.game, facts=won_by(1)))
    assert isinstance(refusal, BracketMovedOn)
    assert refusal.data == {"round": 4, "games": [final.game], "players": [final.player_1]}
    story.win(final.game)  # a result that got there all the same
    assert refused(story, CloseRound(round=4)).code == "bracket-moved-on"
    story.close(4)
    assert refused(story, Conclude()).code == "bracket-moved-on"


def test_it_is_refused_after_the_final_has_a_result_and_the_advice_works():
    story = semi_finals()
    story.do(StartRound(round=4))
    (final,) = story.seats(4)
    semi = next(seat for seat in story.seats(3) if final.player_1 in seat.players)
    story.win(final.game, confirmed=False)
    refusal = refused(story, correction(semi.game))
    assert (refusal.code, refusal.data) == ("bracket-played-on", {"round": 4, "games": [final.game]})
    assert f"POST …/games/{final.game}/voiding" in refusal.detail
    story.finish(4)
    assert "POST …/rounds/4/reopening" in refused(story, correction(semi.game)).detail
    story.judge(ReopenRound(round=4, reason="wrong semi-final"))
    story.judge(VoidResult(game=final.game, reason="wrong semi-final"))
    story.judge(correction(semi.game))
    story.follow()
    assert story.pairs(4) == {frozenset({semi.player_2, final.player_2})}


def test_a_walkover_is_withdrawn_before_another_player_gets_the_place():
    story = semi_finals()
    (final,) = story.seats(4)
    semi = next(seat for seat in story.seats(3) if final.player_1 in seat.players)
    story.do(GiveUpSeat(player=final.player_1))
    assert story.pairs(4) == {frozenset({final.player_2})}
    assert "rounds/4/withdrawal" in refused(story, correction(semi.game)).detail
    story.do(WithdrawRound(round=4, reason="wrong semi-final"))
    story.judge(correction(semi.game))
    story.do(PairRound())
    assert story.pairs(4) == {frozenset({semi.player_2, final.player_2})}


def test_a_correction_by_which_the_same_player_goes_on_is_taken_at_any_time():
    story = semi_finals()
    story.do(StartRound(round=4))
    story.finish(4)
    story.judge(Conclude())
    facts = won_by(1) | {"points_1": 140}
    assert story.judge(CorrectResult(game="r3g1", facts=facts, reason="added up wrongly"))


RESULTS = (*FACTS[DUST], {"winner": "draw", "points_1": 60, "points_2": 60}, {"kind": "double_no_show"})


@pytest.mark.parametrize("bracket", ["seeded", "random", "reseed"])
@pytest.mark.parametrize("number", range(25))
def test_with_corrections_at_any_moment_bracket_and_conclusion_name_one_winner(bracket, number):
    """Small brackets in which games are corrected, seats given up, and pairing reads scoring's log late."""
    chance = Random(f"{bracket} {number}")
    story = Story(pack=with_cut(bracket), rounds=None)
    story.join(8)
    story.play()
    story.play()
    story.do(MakeCut(places=chance.choice((3, 4, 8))))
    for _ in range(4):
        disturb(story, chance)
        with suppress(Refusal):
            story.do(PairRound())
        if story.state.rounds.latest().number in story.state.results.closed:
            break
        play(story, chance)
    story.follow()
    (concluded,) = [one for one in story.judge(Conclude(reason="late")) if type(one).__name__ == "TournamentConcluded"]
    disturb(story, chance)
    (last, *_) = story.state.results.recorded[max(story.state.results.closed)].rows
    assert story.state.results.winner == bracket_view(story.state).winner == last.player
    assert concluded.rounds == max(story.state.results.closed)
    led_there(story)


def play(story: Story, chance: Random) -> None:
    """Play the latest round to its end."""
    number = story.state.rounds.latest().number
    for _ in range(30):
        story.follow()
        round = story.state.rounds.rounds.get(number)
        if round is None or number in story.state.results.closed:
            return
        disturb(story, chance)
        step = StartRound(round=number)
        with suppress(BracketMovedOn):
            if not round.has_started:
                for player in [one for seat in round.seats.values() for one in seat.players]:
                    if has_left_bracket(story.state, player):
                        story.do(GiveUpSeat(player=player))
                story.do(step)
            elif waiting := story.state.open_games(number):
                facts = chance.choice(RESULTS)
                story.judge(ReportResult(game=waiting[0], facts={"kind": "game"} | facts))
            else:
                story.judge(CloseRound(round=number))
    raise AssertionError("the round does not end")


def disturb(story: Story, chance: Random) -> None:
    """Correct a game at times, or give a seat up."""
    results = list(story.state.results.results)
    if results and chance.random() < 0.6:
        facts = {"kind": "game"} | chance.choice(RESULTS)
        with suppress(BracketPlayedOn):
            story.judge(CorrectResult(game=chance.choice(results), facts=facts, reason="wrong"))
    if chance.random() < 0.05 and not story.state.results.concluded:
        story.do(GiveUpSeat(player=chance.choice(story.state.rounds.cut)))


def led_there(story: Story) -> None:
    """Every player of a bracket round has won the game before it."""
    _, *later = bracket_rounds(story.state)
    for round in later:
        before = story.state.rounds.rounds[round.number - 1]
        won = {advancing_player(story.state, before.number, seat) for seat in before.seats.values()}
        assert {player for seat in round.seats.values() for player in seat.players} <= won
