"""`muster verify` checks the marks of improbable results: none is missing and none is extra."""

from __future__ import annotations

import json

import pytest

from services.scoring.results import CorrectResult, DisputeResult, ReportResult, RuleResult
from shared.tournament.guards import By
from tests.auditing import failures
from tests.campaign.forging import Event, change, forged, of
from tests.state.logs import Club

SLIP, FAIR = (
    {"points_1": 1500, "points_2": 150, "second_player": 2},
    {"points_1": 300, "points_2": 150, "second_player": 2},
)


@pytest.fixture(scope="module")
def night() -> Club:
    """Ana reports a digit too many and stands by it, as Ben does by another one; a referee rules, and corrects."""
    club = Club("Ana", "Ben", "Cy", "Dee")
    first, second = club.pair()
    club.start(1)
    one, two = (By(player, "player") for player in first.players)
    club.decide(ReportResult(game=first.game, facts=SLIP, improbable=True), one)
    other = {**SLIP, "points_2": 1400}
    club.decide(DisputeResult(game=first.game, reason="more", facts=other, improbable=True), two)
    club.decide(RuleResult(game=first.game, facts=SLIP, reason="it is", improbable=True))
    club.report(second.game, 200, 100)
    club.close(1)
    club.decide(CorrectResult(game=second.game, facts=SLIP, reason="so it was", improbable=True))
    club.decide(CorrectResult(game=first.game, facts=FAIR, reason="a digit too many"))
    return club


def without_mark(event: Event, everywhere: bool) -> None:
    """The mark taken out of an event; everywhere: out of what it carries of the command, too."""
    del event["data"]["improbable"]
    if everywhere:
        del event["command"]["data"]["improbable"]


def test_marks_of_scoring_pass(night: Club) -> None:
    kinds = [event.type for event in night.logs["scoring"] if json.loads(event.data).get("improbable")]
    assert kinds == ["ResultReported", "ResultDisputed", "ResultRuled", "ResultCorrected"]
    assert failures(night.logs) == []


@pytest.mark.parametrize("everywhere", [True, False])
@pytest.mark.parametrize("kind", ["ResultReported", "ResultDisputed", "ResultRuled", "ResultCorrected"])
def test_a_missing_mark_is_reported(night: Club, kind: str, everywhere: bool) -> None:
    def forge(told: list[Event]) -> int:
        index = of(told, kind, lambda data: data.get("improbable"))
        without_mark(told[index], everywhere)
        return index

    logs, position = forged(night.logs, "scoring", forge)
    said = failures(logs)[0]
    assert (said.code, said.source, said.position) == ("decision", "scoring", position)
    assert "improbable" in str(said.expected)


@pytest.mark.parametrize("kind", ["ResultReported", "ResultCorrected"])
def test_an_extra_mark_is_reported(night: Club, kind: str) -> None:
    forge = change(kind, lambda data: data.update(improbable=True), lambda data: not data.get("improbable"))
    logs, position = forged(night.logs, "scoring", forge)
    said = failures(logs)[0]
    assert (said.code, said.position) == ("decision", position)
    assert (said.found.rpartition(" with ")[2], str(said.expected).rpartition(" with ")[2]) == (
        "improbable true",
        "improbable false",
    )


def test_unreadable_facts_are_reported(night: Club) -> None:
    logs, _ = forged(night.logs, "scoring", change("ResultReported", lambda data: data["facts"].update(points_1="x")))
    assert any(one.code in ("decision", "fold") for one in failures(logs))
