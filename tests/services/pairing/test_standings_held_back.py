"""While standings are held back, pairing computes them from its copy of scoring's log; a cut needs them published."""

from __future__ import annotations

import pytest

from services.pairing.rounds import PairRound
from services.pairing.swiss_cut import MakeCut
from services.pairing.views import round_listed
from services.scoring.results import CorrectResult
from services.scoring.rounds import PublishStandings, ReopenRound
from shared.swiss.ranking import BRACKET_TIE, as_rows, closed_standings
from tests.auditing import decided_again
from tests.services.pairing.stories import ARMADA, DUST, FACTS, FALLOUT, Story, pack, with_cut
from tests.state.test_places import all_level


def held_back(**announced) -> Story:
    return Story(on_purpose=["standings"], **announced)


def is_older(story: Story, number: int) -> bool:
    """Return True if view and judgement say that a round was made from outdated standings."""
    shown = round_listed(story.state, story.state.rounds.rounds[number]).made_from_older_standings
    assert shown == any(finding.code == "older_standings" for finding in story.judged(number))
    return shown


@pytest.mark.parametrize("ruleset", [ARMADA, FALLOUT])
def test_a_round_is_paired_from_the_standings_that_are_recorded_later(ruleset):
    story = held_back(pack=pack(ruleset))
    story.join(8)
    for number in (1, 2, 3):
        story.play()
        assert story.state.rounds.rounds[number].made_from == story.state.results.closed.get(number - 1, 0)
    computed = [as_rows(closed_standings(story.state, number)) for number in (1, 2, 3)]
    assert story.state.results.recorded == {}
    story.judge(PublishStandings())
    assert [story.state.results.recorded[number].rows for number in (1, 2, 3)] == computed
    assert not any(is_older(story, number) for number in (1, 2, 3))
    assert decided_again(story.logs, "pairing") == []


@pytest.mark.parametrize("published", [False, True])
def test_a_correction_outdates_the_standings_of_the_round(published):
    story = held_back()
    story.join(4)
    story.play()
    story.do(PairRound())
    if published:
        story.judge(PublishStandings())
    assert not is_older(story, 2)
    story.judge(CorrectResult(game="r1g1", facts=FACTS[ARMADA][1] | {"kind": "game"}, reason="typed wrong"))
    assert is_older(story, 2)
    if not published:
        story.judge(PublishStandings())
        assert is_older(story, 2)


def test_reopening_the_previous_round_outdates_the_standings_of_a_draft():
    story = held_back()
    story.join(4)
    story.play()
    story.do(PairRound())
    paired = story.state.rounds.rounds.pop(2)
    story.judge(ReopenRound(round=1, reason="a slip was found"))
    story.state.rounds.rounds[2] = paired
    assert is_older(story, 2)


def test_a_cut_is_made_from_published_standings():
    story = held_back(pack=with_cut(), rounds=None)
    story.join(8)
    story.play()
    story.play()
    refused = story.refusal(MakeCut())
    assert (refused.code, refused.data) == ("standings-not-published", {"round": 2})
    story.judge(PublishStandings())
    (cut,) = story.do(MakeCut())
    recorded = story.state.results.recorded[2]
    assert (cut.seeds, cut.made_from) == ([row.player for row in recorded.rows[:4]], recorded.position)
    assert decided_again(story.logs, "pairing") == []


def test_a_draw_that_settles_a_tie_of_the_bracket_is_made_when_its_round_is_closed():
    story = held_back(pack=pack(DUST), rounds=None)
    story.join(34)
    for number in (1, 2, 3):
        all_level(story, number)
    story.judge(PublishStandings())
    story.do(MakeCut())
    all_level(story, 4)
    story.do(PairRound())
    (final,) = story.seats(5)
    story.judge(PublishStandings())
    draws = [draw for draw in story.state.results.recorded[4].draws if draw.purpose == BRACKET_TIE]
    assert {draw.order[0] for draw in draws} == {final.player_1, final.player_2}
    assert story.follow() == []
