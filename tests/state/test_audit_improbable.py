"""`muster verify` looks again at what was asked back: no mark of the improbable is missing, and none is too many."""

from __future__ import annotations

import json
from typing import Any

import pytest

from muster.audit.findings import Failure
from services.scoring.tournament.commands import CorrectResult, DisputeResult, ReportResult, RuleResult
from shared.events.recorded import Recorded
from shared.tournament.context import By
from tests.campaign.forging import change, failures, forged
from tests.state.logs import Club, rechained

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
    one, two = (By(player, "player", player) for player in first.players)
    club.decide(ReportResult(game=first.game, facts=SLIP, improbable=True), one)
    other = {**SLIP, "points_2": 1400}
    club.decide(DisputeResult(game=first.game, reason="more", facts=other, improbable=True), two)
    club.decide(RuleResult(game=first.game, facts=SLIP, reason="it is", improbable=True))
    club.report(second.game, 200, 100)
    club.close(1)
    club.decide(CorrectResult(game=second.game, facts=SLIP, reason="so it was", improbable=True))
    club.decide(CorrectResult(game=first.game, facts=FAIR, reason="a digit too many"))
    return club


def marks(found: list[Failure]) -> list[tuple[str, str]]:
    return [(one.found, one.expected) for one in found if one.code == "improbable"]


def test_marks_as_scoring_makes_them_hold(night: Club) -> None:
    kinds = [event.type for event in night.logs["scoring"] if json.loads(event.data).get("improbable")]
    assert kinds == ["ResultReported", "ResultDisputed", "ResultRuled", "ResultCorrected"]
    assert failures(night.logs) == []


@pytest.mark.parametrize("kind", ["ResultReported", "ResultDisputed", "ResultRuled", "ResultCorrected"])
def test_a_mark_that_is_missing_is_found(night: Club, kind: str) -> None:
    forge = change(kind, lambda data: data.pop("improbable"), lambda data: data.get("improbable"))
    logs, position = forged(night.logs, "scoring", forge)
    (said,) = [one for one in failures(logs) if one.code == "improbable"]
    assert (said.source, said.position) == ("scoring", position)
    assert said.found.endswith("not marked as improbable")
    assert "/points_1 1500, where a game brings at most" in said.expected


@pytest.mark.parametrize("kind", ["ResultReported", "ResultCorrected"])
def test_a_mark_too_many_is_found(night: Club, kind: str) -> None:
    forge = change(kind, lambda data: data.update(improbable=True), lambda data: not data.get("improbable"))
    logs, position = forged(night.logs, "scoring", forge)
    assert [one.position for one in failures(logs) if one.code == "improbable"] == [position]
    assert marks(failures(logs))[0][1] == "no mark: it is probable"


def test_a_report_from_before_there_were_marks_has_none(night: Club) -> None:
    def old(event: Recorded) -> dict[str, Any]:
        data = {name: value for name, value in json.loads(event.data).items() if name != "improbable"}
        return {"version": 1, "data": json.dumps(data, sort_keys=True, separators=(",", ":"))}

    told = {event.position: old(event) for event in night.logs["scoring"] if "improbable" in event.data}
    assert len(told) == 4
    assert marks(failures({**night.logs, "scoring": rechained(night.logs["scoring"], told)})) == []


def test_facts_that_nobody_can_look_at_are_found(night: Club) -> None:
    logs, _ = forged(night.logs, "scoring", change("ResultReported", lambda data: data["facts"].update(points_1="x")))
    assert any(one.code in ("improbable", "fold") for one in failures(logs))
