"""An audit decides again what was drafted, mended, timed and published; and says of hidden events what it left out."""

from __future__ import annotations

import pytest

from muster.audit.findings import Findings
from muster.audit.logs import audit
from services.pairing.tournament.commands import (
    AmendPairings,
    MoveTable,
    PairRound,
    PublishDueRound,
    PublishRound,
    WithdrawRound,
)
from shared.application.drafts_hidden import not_open_yet
from shared.events.recorded import hidden
from shared.tournament.context import by_rule
from tests.auditing import changed, decided_again
from tests.services.pairing.stories import Story

ONE = "2026-03-07T13:00:00.000Z"


@pytest.fixture
def story():
    """Round 1 was drafted twice, mended twice, and published by rule at one o'clock."""
    story = Story(on_purpose=["rounds"])
    story.venue(tables=4)
    story.join(6)
    story.do(PairRound())
    story.do(WithdrawRound(round=1, reason="somebody is missing"))
    story.do(PairRound())
    one, two, _ = story.seats(1)
    story.do(AmendPairings(round=1, swap=(one.player_1, two.player_1), reason="brothers"))
    story.do(MoveTable(round=1, game=story.seats(1)[-1].game, venue="v1", table=4))
    story.do(PublishRound(round=1, at=ONE))
    scheduled = story.logs["pairing"][-1].id
    story.now = "2026-03-07T13:00:00.250Z"
    story.do(PublishDueRound(round=1), by=by_rule("", scheduled))
    return story


def test_each_step_is_decided_again(story):
    assert decided_again(story.logs, "pairing") == []


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("RoundPaired", lambda data: data.update(draft=False)),
        ("PairingsDrawn", lambda data: data.pop("draft")),
        ("PairingAmended", lambda data: data.pop("draft")),
        ("TableMoved", lambda data: data.update(table=3)),
        ("PublicationScheduled", lambda data: data.update(at="2026-03-07T14:00:00.000Z")),
        ("PublicationScheduled", lambda data: data.pop("draft")),
    ],
)
def test_a_forger_is_found(story, kind, change):
    assert decided_again(changed(story.logs, "pairing", kind, change), "pairing")


def test_a_rule_that_acted_too_early_is_found(story):
    later = changed(
        story.logs, "pairing", "PublicationScheduled", lambda data: data.update(at="2026-03-07T14:00:00.000Z")
    )
    said = [failure.expected for failure in decided_again(later, "pairing")]
    assert any("publication-not-due" in expected for expected in said)


def test_of_a_log_with_hidden_drafts_the_chain_holds_and_what_is_behind_is_counted():
    """As everybody reads it before it is published."""
    story = Story(on_purpose=["rounds"])
    story.venue(tables=4)
    story.join(4)
    story.do(PairRound())
    is_hidden = not_open_yet(story.state)
    shown = {
        source: [hidden(event) if is_hidden(event) else event for event in log] for source, log in story.logs.items()
    }
    findings = Findings()
    audit(shown, findings)
    assert [one for one in findings.failures if one.source == "pairing"] == []
    assert findings.counts["hidden"] == len(shown["pairing"]) == 2
