"""No-shows in a campaign, and results that are voided, disputed, ruled on or appealed."""

from __future__ import annotations

import pytest

from shared.tournament.registration import PlayerDropped
from tests.campaign.services.conftest import NewGames
from tests.campaign.services.games_story import BOTH_AWAY, NO_SHOW, Games, endings, wrong


@pytest.mark.clause("FS-LGE-1", "FS-AMB-55", "FS-GAM-9")
def test_staff_record_no_shows(games: NewGames) -> None:
    told = games("raiders", "raiders")
    assert told.say_result("r1g1", NO_SHOW, by="p1").code == "staff-only"
    answer = told.say_result("r1g1", NO_SHOW)
    assert answer.types[-2:] == ["PostGameOpened", "PostGameOpened"]
    assert endings(told) == ["bye", "no_show"]
    assert (told.step("p1"), told.step("p2"), told.points()) == ("3", "3", {"p1": 3, "p2": 0})


@pytest.mark.clause("FS-LGE-1", "FS-AMB-55")
@pytest.mark.parametrize(("points", "post_game", "step"), [(1, "from_step_4", "4"), (0, "from_step_3", "3")])
def test_the_points_of_a_no_show_follow_the_options(games: NewGames, points: int, post_game: str, step: str) -> None:
    told = games("raiders", "raiders", options={"bye__league_points": points, "bye__post_game": post_game})
    told.say_result("r1g1", NO_SHOW)
    assert (told.points(), told.step("p1")) == ({"p1": points, "p2": 0}, step)


@pytest.mark.clause("FS-LGE-1", "FS-AMB-55", "FS-RND-1")
def test_a_round_without_games_closes_without_phases(games: NewGames) -> None:
    told = games("raiders", "raiders", options={"bye__post_game": "none"})
    answer = told.say_result("r1g1", BOTH_AWAY)
    assert answer.types[-2:] == ["StandingsRecorded", "RoundClosed"]
    assert told.points() == {"p1": 0, "p2": 0}


@pytest.mark.clause("FS-REP-5")
def test_a_no_show_can_be_voided_until_something_was_done(games: NewGames) -> None:
    told = games("raiders", "raiders")
    told.say_result("r1g1", NO_SHOW)
    assert told.void("r1g1").types == ["ResultVoided", "GroupRestored", "GroupRestored"]
    told.ready("r1g1")
    assert told.report("r1g1").status == 201
    assert endings(told) == ["win", "loss"]
    other = games("raiders", "raiders")
    other.say_result("r1g1", NO_SHOW)
    other.close_step("p1")
    assert other.void("r1g1").code == "step-refused"


@pytest.mark.clause("FS-REP-5")
def test_a_report_can_be_voided_until_step_2_closes(told: Games) -> None:
    before = told.group("p1"), told.group("p2")
    told.report("r1g1", deeds=({"m-1": {"down": "terrain", "removed": True}}, {}))
    told.until("2", "p1", "p2")
    assert told.group("p1") != before[0]
    answer = told.void("r1g1")
    assert answer.types == ["ResultVoided", "GroupRestored", "GroupRestored"]
    assert (told.group("p1"), told.group("p2")) == before
    assert told.get("/games/r1g1").body["status"] == "open"
    assert told.report("r1g1", by="p1", lines=((), (1,))).status == 201
    told.confirm("r1g1", by="p2")
    assert endings(told) == ["loss", "win"]
    told.until("3", "p2")
    refused = told.void("r1g1")
    assert (refused.code, wrong(refused)) == ("step-refused", [("/groups/p2", "FS-REP-5")])
    assert refused.data["open"] == {"p1": "1", "p2": "3"}
    assert told.dispute("r1g1", by="p1").code == "step-refused"
    assert told.rule("r1g1", {"kind": "game", "report": told.told("r1g1")}).code == "step-refused"


@pytest.mark.clause("FS-REP-5")
def test_a_dispute_restores_the_groups(told: Games) -> None:
    before = told.group("p1")
    told.report("r1g1", by="p1")
    told.confirm("r1g1", by="p2")
    assert told.dispute("r1g1", by="p2").types == ["ResultDisputed", "GroupRestored", "GroupRestored"]
    assert told.group("p1") == before
    ruled = told.rule("r1g1", {"kind": "game", "report": told.told("r1g1", lines=((), (2,)))})
    assert ruled.types == ["ResultRuled", "DieRolled", "GameEnded", "PostGameOpened", "PostGameOpened"]
    assert endings(told) == ["loss", "win"]


@pytest.mark.clause("FS-REP-5")
def test_a_ruling_on_a_binding_result_restarts_the_phases(told: Games) -> None:
    told.report("r1g1", deeds=({"m-1": {"down": "terrain", "removed": True}}, {}))
    assert told.group("p1").member("m-1") is None
    ruled = told.rule("r1g1", {"kind": "game", "report": told.told("r1g1")})
    assert ruled.types[:3] == ["ResultRuled", "GroupRestored", "GroupRestored"]
    assert told.group("p1").member("m-1") is not None


@pytest.mark.clause("FS-REP-5")
def test_a_round_waits_for_an_appeal(games: NewGames) -> None:
    told = games("raiders", "raiders", staff=("head_referee", "referee"))
    told.ready("r1g1")
    facts = {"kind": "game", "report": told.told("r1g1")}
    assert told.rule("r1g1", facts, by="referee").status == 201
    assert told.post("/games/r1g1/appeal", {"reason": "no"}, by="p2").types == ["RulingAppealed"]
    told.finish("p1", "p2")
    assert not told.of("RoundClosed")
    assert told.post("/rounds/1/close", None, by="head_referee").data["groups"] == ["p1", "p2"]
    rejected = told.post("/games/r1g1/appeal/rejection", {"reason": "it stands"}, by="head_referee")
    assert rejected.types == ["AppealRejected", "StandingsRecorded", "RoundClosed"]


@pytest.mark.clause("FS-REP-5", "FS-LGE-3")
def test_an_early_correction_restarts_from_the_new_result(told: Games) -> None:
    told.report("r1g1")
    facts = {"kind": "game", "report": told.told("r1g1", lines=((), (2,)))}
    answer = told.correct("r1g1", facts)
    assert answer.types == [
        *("ResultCorrected", "GroupRestored", "GroupRestored"),
        *("DieRolled", "GameEnded", "PostGameOpened", "PostGameOpened"),
    ]
    assert endings(told) == ["loss", "win"]
    assert told.correct("r1g1", facts).events == []


@pytest.mark.clause("FS-RND-4", "FS-LGE-1")
def test_a_withdrawal_before_the_game_is_a_double_no_show(games: NewGames) -> None:
    told = games("raiders", "raiders")
    told.say("registration", PlayerDropped(player="p2", after_round=0, reason="moved away"))
    told.say_result("r1g1", NO_SHOW)
    told.finish("p1")
    assert told.of("RoundClosed")
    assert [row["status"] for row in told.get("/standings").body["items"]] == ["active", "dropped"]
