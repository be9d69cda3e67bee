"""Before a game, over HTTP: who plays, what jams, who is evil, and the objective."""

from __future__ import annotations

import pytest

from tests.campaign.services.conftest import NewGames
from tests.campaign.services.games_story import roll


@pytest.mark.clause("FS-GAM-1", "FS-SVC-1")
def test_a_player_musters_and_the_group_enters_scoring_as_it_was_built(games: NewGames) -> None:
    told = games("brotherhood_of_steel", "vault_residents")
    answer = told.muster("r1g1", "p1", "m-1", "m-3", by="p1")
    assert answer.status == 201
    assert answer.types == ["GroupEntered", "GroupEntered", "RosterMustered"]
    assert answer.events[-1]["data"]["fielded"] == ["m-1", "m-3"]
    assert told.state.campaign.groups["p1"] == told.state.enlisted.groups["p1"]


@pytest.mark.clause("FS-REP-5", "FS-RND-1", "FS-GAM-8")
def test_a_report_opens_both_phases_once_the_opponent_agrees(games: NewGames) -> None:
    told = games("brotherhood_of_steel", "vault_residents")
    told.ready("r1g1")
    assert told.report("r1g1", by="p1").types == ["ResultReported"]
    answer = told.confirm("r1g1", by="p2")
    assert answer.types == ["ResultConfirmed", "DieRolled", "GameEnded", "PostGameOpened", "PostGameOpened"]
    assert [told.group(id).phase.played.ending for id in ("p1", "p2")] == ["win", "loss"]  # type: ignore[union-attr]
    assert roll(1)["dice"][0]["natural"] == 1
