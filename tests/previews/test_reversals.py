"""What reverses a command of staff is taken as shown, and puts back what people see, or says what remains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from services.pairing.tournament.commands import AmendPairings
from services.pairing.undo import UNDO as OF_PAIRING
from services.registration.coop.commands import DisbandParty, LeaveParty, PinOperatorData
from services.registration.tournament.commands import JoinPlayers, OpenVenue, SignUp, SignUpInvited
from services.registration.tournament.player_commands import DropPlayer, PinPlayer
from services.registration.undo import UNDO as OF_REGISTRATION
from services.scoring.tournament.commands import (
    CorrectResult,
    OverrideRuling,
    ReopenRound,
    ReportResult,
    WithdrawAward,
)
from services.scoring.undo import UNDO as OF_SCORING
from services.scoring.webhooks.commands import DisableWebhook, EnableWebhook
from tests.previews.evenings import EVENINGS
from tests.previews.reversing import Reversing
from tests.services.conftest import logging_as_it_was

UNDO: Mapping[type, Any] = {**OF_REGISTRATION, **OF_PAIRING, **OF_SCORING}

PLAYER = {
    "list_players",
    "list_warnings",
    "list_warnings_in_seasons",
    "show_player",
    "show_overlay",
    "show_tournament",
    "show_roster",
    "print_roster",
    "show_personal_data",
    "show_players_pairing",
    "explain_rank",
    "explain_survivor",
    "show_invitation",
    "show_standings",
    "list_parties",
}
PAIRINGS = {
    "show_result_form",
    "show_overlay",
    "show_round",
    "list_tables",
    "show_players_pairing",
    "list_games",
    "show_game",
    "show_pairing",
    "judge_round",
}
DIFFERS: Mapping[type, set[str]] = {
    OpenVenue: {"show_tournament"},
    JoinPlayers: PLAYER,
    SignUp: PLAYER,
    SignUpInvited: PLAYER,
    PinPlayer: {"show_personal_data"},
    DropPlayer: {"list_players", "show_player"},
    LeaveParty: {"list_parties"},
    DisbandParty: {"list_parties"},
    PinOperatorData: {"show_operator_data"},
    AmendPairings: PAIRINGS,
    ReportResult: {"list_dice", "show_balance"},
    CorrectResult: {
        "show_overlay",
        "list_games",
        "show_game",
        "show_standings",
        "explain_rank",
        "show_pairing",
        "show_players_pairing",
        "show_round",
    },
    OverrideRuling: {"show_overlay", "list_games", "show_game", "show_pairing", "show_players_pairing", "show_round"},
    ReopenRound: {"show_overlay", "show_standings", "explain_rank"},
    WithdrawAward: {"list_awards"},
    EnableWebhook: {"list_webhooks", "show_webhook"},
    DisableWebhook: {"list_webhooks", "show_webhook"},
}
"""Command -> questions that are answered in another way once it is reversed; what remains is said with the request."""


OF_NO_EVENING = {"GiveUpSeat", "IssueOrganiserToken"}
"""The first is reversed by no request, and says why; the second is of the installation, not of an evening."""


@pytest.fixture(scope="module")
def reversing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reversing]:
    """All evenings, each command of which was reversed where a request reverses it."""
    with logging_as_it_was():
        muster = Reversing(tmp_path_factory.mktemp("reversing"))
        for evening in EVENINGS.values():
            evening(muster)
        yield muster


def test_what_reverses_a_command_is_taken_as_it_is_shown(reversing: Reversing) -> None:
    refused = [one for one in reversing.reversals if one.answer.status not in (200, 201) or not one.answer.events]
    assert refused == []
    reversed = {one.command for one in reversing.reversals}
    by_request = {command for command, row in UNDO.items() if callable(row)}
    assert {command.__name__ for command in by_request - reversed} == OF_NO_EVENING


def test_a_reversed_command_leaves_everything_as_it_was_or_says_what_remains(reversing: Reversing) -> None:
    for one in reversing.reversals:
        questions = {where.split("/")[1].split()[1] for where in one.differs}
        assert questions <= DIFFERS.get(one.command, set()), (one.command.__name__, one.differs)
        assert not questions or one.undo["remains"], (one.command.__name__, one.differs)
    assert set(DIFFERS) <= {one.command for one in reversing.reversals if one.differs}
