"""`muster verify` decides changed reports and their confirmations again, and reads logs without them."""

from __future__ import annotations

import pytest

from services.scoring.results import ChangeReport, ConfirmResult, ReportResult
from shared.tournament.guards import By
from shared.tournament.results import ReportChanged, ResultConfirmed
from tests.auditing import failures
from tests.campaign.forging import change, forged
from tests.state.logs import Club

FIRST = {"points_1": 300, "points_2": 150, "second_player": 2}
SECOND = {"points_1": 150, "points_2": 300, "second_player": 2}


@pytest.fixture
def night() -> Club:
    """Round 1 of Ana and Ben has begun."""
    club = Club("Ana", "Ben")
    club.pair()
    club.start(1)
    return club


def said(night: Club) -> tuple[str, By, By]:
    """The first game, with the player who reports it and the one who answers."""
    seat = night.read("scoring").state.rounds.rounds[1].seats["r1g1"]
    return seat.game, By(seat.player_1, "player", seat.player_1), By(seat.player_2, "player", seat.player_2)


def test_a_changed_report_passes_and_a_confirmation_of_the_old_one_is_found(night: Club) -> None:
    game, one, two = said(night)
    first = night.decide(ReportResult(game=game, facts=FIRST), one)[0]
    second = night.decide(ChangeReport(game=game, facts=SECOND), one)[0]
    night.decide(ConfirmResult(game=game, report=second.position), two)
    assert [event.type for event in night.logs["scoring"]][-3:] == [
        "ResultReported",
        "ReportChanged",
        "ResultConfirmed",
    ]
    assert failures(night.logs) == []

    def confirm_the_old_one(told: list[dict]) -> int:
        told[-1]["command"]["data"]["report"] = first.position
        return len(told) - 1

    logs, position = forged(night.logs, "scoring", confirm_the_old_one)
    found = failures(logs)[0]
    assert (found.code, found.source, found.position) == ("decision", "scoring", position)


def test_a_change_that_no_one_asked_for_is_found(night: Club) -> None:
    game, one, _ = said(night)
    night.decide(ReportResult(game=game, facts=FIRST), one)
    night.decide(ChangeReport(game=game, facts=SECOND), one)
    logs, position = forged(
        night.logs, "scoring", change("ReportChanged", lambda data: data["facts"].update(points_2=301))
    )
    found = failures(logs)[0]
    assert (found.code, found.position) == ("decision", position)


def test_a_change_after_the_answer_is_found(night: Club) -> None:
    game, one, two = said(night)
    night.decide(ReportResult(game=game, facts=FIRST), one)
    night.decide(ConfirmResult(game=game), two)
    night.record(ChangeReport(game=game, facts=SECOND), one, ReportChanged(round=1, game=game, facts=SECOND, side=1))
    assert [one.code for one in failures(night.logs)] == ["decision"]


def test_a_log_whose_confirmations_name_no_report_passes(night: Club) -> None:
    game, one, two = said(night)
    night.decide(ReportResult(game=game, facts=FIRST), one)
    night.record(ConfirmResult(game=game), two, ResultConfirmed(round=1, game=game, side=2))
    assert failures(night.logs) == []
