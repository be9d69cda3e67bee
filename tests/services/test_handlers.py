"""What the tables of commands must not lose: which decisions miss nothing that was acknowledged at another service."""

from __future__ import annotations

from importlib import import_module

import pytest

FRESH = {
    "registration": {
        *("AmendTournament", "CancelTournament", "ReopenRegistration", "ChangeTables", "CloseVenue", "KeepApart"),
        *("JoinPlayers", "JoinParty", "SignUp", "SignUpParty", "SignUpInvited", "AcceptInvitation", "LeaveParty"),
        *("FormParty", "DisbandParty", "PinOperatorData", "WithdrawPlayer", "DropPlayer", "ReinstatePlayer"),
        *("DisqualifyPlayer", "RevokeDisqualification", "SubmitGroup", "RollTurfs", "MoveRuleset", "SubmitRoster"),
        *("GatherTournament", "ReleaseTournament", "EnterDivision", "ContinueSeason", "ClaimEntries", "ClaimOwnEntry"),
        *("GiveSeat", "TakeSeatBack"),
        *("ClaimByName", "MergeIdentities", "SplitIdentity"),
    },
    "pairing": {
        *(
            "PairRound",
            "PublishRound",
            "CancelPublication",
            "PublishCut",
            "CancelCutPublication",
            "RepairRound",
            "WithdrawRound",
            "AmendPairings",
            "MoveTable",
            "StartRound",
            "MakeCut",
        ),
        *("GiveUpSeat", "OfferSpare", "RecallSpare", "OpenSessionRound", "ReseatTable", "CloseSessionRound"),
    },
    "scoring": {
        *(
            "CloseRound",
            "SetPartAside",
            "PublishStandings",
            "CancelStandingsPublication",
            "ReopenRound",
            "EnterCoin",
            "Conclude",
            "AppealRuling",
            "MusterGroup",
            "RollJams",
        ),
        *("JudgeEvil", "RollObjective", "EnterLedger", "OpenRecruits", "ConfirmDice", "DisputeDice", "RuleDice"),
        "TakeBack",
        *("SetUpSession", "PublishRanking", "MakeFinalCut"),
    },
}


@pytest.mark.parametrize("service", FRESH)
def test_what_asks_the_other_services_first(service: str) -> None:
    handlers = import_module(f"services.{service}.handlers").HANDLERS
    assert {command.__name__ for command, row in handlers.items() if row.requires_latest} == FRESH[service]
