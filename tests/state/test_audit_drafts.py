"""The audit repeats the publication of a draft from the log and the command alone."""

from __future__ import annotations

import json

import pytest

from services.pairing.amendments import AmendPairings, MoveTable
from services.pairing.publication import PublishDueRound, PublishRound
from services.pairing.rounds import PairRound, WithdrawRound
from shared.tournament.draws import ABOUT_SECRETS
from shared.tournament.guards import KeepDraws, by_rule
from tests.auditing import changed, decided_again
from tests.services.pairing.stories import Story
from tests.state.logs import rechained

ONE = "2026-03-07T13:00:00.000Z"


@pytest.fixture
def story():
    """Return a log: round 1 was drafted twice, changed twice manually, and published by rule at one o'clock."""
    story = Story(on_purpose=["rounds"])
    story.venue(tables=4)
    story.join(6)
    story.do(KeepDraws(), by=by_rule(""))
    story.do(PairRound())
    story.do(WithdrawRound(round=1, reason="somebody is missing"))
    story.do(PairRound())
    one, two, _ = story.seats(1)
    story.do(AmendPairings(round=1, swap=(one.player_1, two.player_1), reason="brothers"))
    story.do(MoveTable(round=1, game=story.seats(1)[-1].game, venue="v1", table=4))
    story.do(PublishRound(round=1, at=ONE))
    assert [event.type for event in story.logs["pairing"]] == ["DrawsCommitted"]
    story.now = "2026-03-07T13:00:00.250Z"
    story.do(PublishDueRound(round=1), by=by_rule(""))
    return story


def test_the_publication_is_decided_again(story):
    told = [event for event in story.logs["pairing"] if event.type not in ABOUT_SECRETS]
    assert [event.type for event in told] == ["PairingsDrawn", "RoundPaired"]
    paired = json.loads(told[-1].data)
    assert [change["reason"] for change in paired["changes"]] == ["brothers", ""]
    assert decided_again(story.logs, "pairing") == []


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("RoundPaired", lambda data: data.update(method="manual")),
        ("RoundPaired", lambda data: data["changes"].pop()),
        ("RoundPaired", lambda data: data["changes"][0].update(reason="no reason")),
        ("PairingsDrawn", lambda data: data["pairings"].pop()),
        ("PairingsDrawn", lambda data: data["pairings"][0].update(table=9)),
    ],
)
def test_a_forged_publication_is_reported(story, kind, change):
    assert decided_again(changed(story.logs, "pairing", kind, change), "pairing")


def test_a_rule_that_acted_too_early_is_reported(story):
    log = story.logs["pairing"]
    early = rechained(log, {event.position: {"time": "2026-03-07T12:59:00.000Z"} for event in log})
    said = [str(failure.expected) for failure in decided_again({**story.logs, "pairing": early}, "pairing")]
    assert any("publication-not-due" in expected for expected in said)
