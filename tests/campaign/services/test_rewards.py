"""The winner's reward over HTTP: automatic ones, choices, absent players."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.campaign.services.games_story import Games, wrong
from tests.campaign.services.league import ABSENT
from tests.services.story import Answer

New = Callable[..., Games]
HALF, GREEN, FRAGS = 4, 10, 6
"""Faces of objectives: half maintenance, a free Green, 1D6 Frag Grenades."""


def won(games: New, objective: int, by: str) -> tuple[Games, Answer]:
    """Return a campaign in which p1 won with an objective and step 1b is closed, by the player or by staff."""
    told = games("brotherhood_of_steel", "vault_residents")
    told.ready("r1g1", objective, 1)
    told.report("r1g1")
    told.until("1b", "p1")
    body = {} if by == "p1" else ABSENT
    return told, told.post("/groups/p1/steps/1b/closing", body, by)


@pytest.mark.clause("FS-GAM-10", "FS-UPK-7")
@pytest.mark.parametrize("by", ["p1", "organiser"])
def test_half_maintenance_is_applied_automatically(games: New, by: str) -> None:
    told, answer = won(games, HALF, by)
    assert answer.types == ["RewardClaimed", "StepClosed"]
    told.until("4", "p1")
    paid = [entry for entry in told.get("/groups/p1/balances/caps").body["entries"] if entry["reason"] == "maintenance"]
    assert [entry["amount"] for entry in paid] == [-10]


@pytest.mark.clause("FS-GAM-10")
@pytest.mark.parametrize("by", ["p1", "organiser"])
def test_a_free_green_joins_automatically(games: New, by: str) -> None:
    told, answer = won(games, GREEN, by)
    assert answer.types == ["RewardClaimed", "MemberJoined", "StepClosed"]
    assert [member.rank for member in told.group("p1").members].count("green") == 3


@pytest.mark.clause("FS-GAM-10", "FS-PGP-5")
def test_a_reward_with_dice_waits_for_its_owner(games: New) -> None:
    told, answer = won(games, FRAGS, "p1")
    assert (answer.code, wrong(answer)) == ("choice-refused", [("/reward", "FS-GAM-10")])
    asked = told.get("/groups/p1/post-game").body
    assert [fault["clause"] for fault in asked["waits_for"]] == ["FS-GAM-10"]
    assert [choice["does"] for choice in asked["choices"]] == ["claim_reward", "forgo_reward"]
    forgone = told.post("/groups/p1/choices", {"does": "forgo_reward", "of": {}}, "p1")
    assert forgone.types == ["RewardForgone"]
    assert told.post("/groups/p1/steps/1b/closing", {}, "p1").types == ["StepClosed"]
    away, answer = won(games, FRAGS, "organiser")
    assert answer.types[:2] == ["DieRolled", "RewardClaimed"]
    assert away.group("p1").count("frag_grenade") == answer.types.count("ItemGained") > 0
