"""AR-PAIR-2: players who asked not to meet in round 1 do not meet if possible."""

from __future__ import annotations

import pytest

from shared.tournament import registration
from tests.auditing import decided_again
from tests.services.pairing.stories import Story


@pytest.mark.clause("AR-PAIR-2")
def test_the_first_round_keeps_them_apart_and_later_ones_do_not():
    family, others = {"p1", "p2"}, {"p3", "p4"}
    met_later = False
    for _ in range(8):  # each tournament draws by a seed of its own
        story = Story(tier="casual")
        story.join(4)
        story.registration(registration.PlayersKeptApart(groups=[["p1", "p2"]]))
        story.play()
        assert not story.pairs(1) & {frozenset(family), frozenset(others)}
        story.play()
        met_later = met_later or frozenset(family) in story.pairs(2)
    assert met_later


@pytest.mark.clause("AR-PAIR-2")
def test_an_impossible_request_keeps_no_player_from_playing():
    story = Story(tier="casual")
    story.join(2)
    story.registration(registration.PlayersKeptApart(groups=[["p1", "p2"]]))
    story.play()
    assert story.pairs(1) == {frozenset({"p1", "p2"})}


@pytest.mark.clause("AR-PAIR-2")
def test_an_audit_computes_the_same_round():
    story = Story(tier="casual")
    story.join(6)
    story.registration(registration.PlayersKeptApart(groups=[["p1", "p2", "p3"], ["p4", "p5"]]))
    story.play()
    assert decided_again(story.logs, "pairing") == []
