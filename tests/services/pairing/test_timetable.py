"""Durations, time calls and days of rounds, for each ruleset of the service."""

from __future__ import annotations

import pytest

from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.rules.parts import to_json
from shared.tournament import registration
from tests.services.pairing.stories import ARMADA, DUST, FALLOUT, Story


@pytest.fixture
def opened(serve):
    """Round 1 of a ruleset with options, paired and not begun."""

    def open(ruleset, players=4, options=None, **announced):
        story = Story(pack=to_json(apply_options(shipped_ruleset(ruleset), options or {})), **announced)
        story.join(players)
        pairing = serve(story)
        assert pairing.post("/rounds", {"scenario": "Melee"} if ruleset == FALLOUT else {}).status_code == 201
        return pairing

    return open


def timing(pairing) -> dict:
    return pairing.get("/rounds/1").json["timing"]


def calls(shown: dict) -> list[tuple[str, int]]:
    return [(call["call"], call["second"]) for call in shown["calls"]]


@pytest.mark.clause("FF-TIME-1", "FF-TIME-3", "FF-TIME-4", "FF-TIME-5", "FF-RND-2")
def test_a_round_of_factions(opened):
    shown = timing(opened(FALLOUT))
    assert (shown["minutes"], shown["at_time"], shown["overtime_minutes"], shown["game_rounds"]) == (
        75,
        "finish_turn",
        5,
        4,
    )
    assert calls(shown) == [("start", 0), ("halfway", 2250), ("ten_minutes", 3900), ("end", 4500), ("hard_stop", 4800)]
    assert (shown["chess_clock"], shown["clauses"]["overtime_minutes"]) == (None, "FF-TIME-5")


@pytest.mark.clause("AR-TIME-1", "AR-TIME-2", "AR-TIME-3", "AR-TIME-5", "AR-AMB-23")
def test_a_round_of_armada(opened):
    shown = timing(opened(ARMADA))
    assert (shown["minutes"], shown["game_rounds"], shown["at_time"]) == (120, 6, "finish_game_round")
    assert (shown["overtime_minutes"], shown["early_set_up"]) == (None, True)
    assert calls(shown) == [("start", 0), ("end", 7200)]
    assert shown["clauses"]["early_set_up"] == "AR-TIME-5"


@pytest.mark.clause("AR-AMB-19", "AR-AMB-23", "A4-TIME")
def test_a_longer_round_of_armada_and_a_hard_stop(opened):
    shown = timing(opened(ARMADA, options={"round_minutes": 150, "overtime_minutes": 10}))
    assert (shown["minutes"], shown["overtime_minutes"]) == (150, 10)
    assert calls(shown) == [("start", 0), ("end", 9000), ("hard_stop", 9600)]
    assert timing(opened("star-wars-armada-400"))["minutes"] == 150


@pytest.mark.clause("DW-TIME-1", "DW-TIME-2", "DW-TIME-4", "DW-AMB-16", "DW-EX-1")
@pytest.mark.parametrize(("limit", "minutes"), [(100, 30), (200, 60), (201, 90), (300, 90), (301, 120), (400, 120)])
def test_a_round_of_dust_warfare(opened, limit, minutes):
    shown = timing(opened(DUST, options={"ap_limit": limit}))
    assert (shown["minutes"], shown["break_minutes"], shown["game_rounds"]) == (minutes, 15, 5)
    assert (shown["at_time"], calls(shown)) == ("finish_game_round", [("end", 60 * minutes)])
    words = {"game_rounds": "game turns", "at_time": "the game turn that has begun is finished"}
    assert shown["words"] == words


@pytest.mark.clause("DW-AMB-16")
def test_dust_warfare_may_stop_at_once(opened):
    assert timing(opened(DUST, options={"time_call": "stop_now"}))["at_time"] == "stop_now"


@pytest.mark.clause("FF-TIME-7", "FF-TIME-8", "FF-AMB-23")
@pytest.mark.parametrize("use", ["allowed", "required"])
def test_chess_clocks_share_the_round(opened, use):
    pairing = opened(FALLOUT, options={"chess_clock": use})
    shown = timing(pairing)
    clock = shown["chess_clock"]
    assert (clock["use"], clock["at_zero"]) == (use, "referee_decides")
    assert (clock["minutes_each"], clock["set_up_minutes"], shown["minutes"]) == (30, 15, 75)
    pairing.post("/rounds/1/start")
    assert pairing.get("/clock").json["timing"]["chess_clock"] == clock


@pytest.mark.clause("FF-TIME-7")
def test_there_is_no_chess_clock_unless_the_organiser_says_so(opened):
    assert timing(opened(FALLOUT))["chess_clock"] in (None, {})


@pytest.mark.clause("FF-AMB-23")
def test_a_chess_clock_at_zero_may_end_a_players_turns(opened):
    options = {"chess_clock": "required", "chess_clock_at_zero": "no_further_turn"}
    assert timing(opened(FALLOUT, options=options))["chess_clock"]["at_zero"] == "no_further_turn"


def test_a_round_that_has_begun_shows_its_own_time(opened):
    pairing = opened(FALLOUT)
    pairing.post("/rounds/1/start", {"minutes": 60})
    pairing.post("/rounds/1/calls", {"call": "start"})
    shown = timing(pairing)
    assert shown["minutes"] == 60
    assert calls(shown) == [("start", 0), ("halfway", 1800), ("ten_minutes", 3000), ("end", 3600), ("hard_stop", 3900)]
    assert [call["made"] for call in shown["calls"]] == [True, False, False, False, False]
    assert shown["calls"][3]["due_at"] == pairing.get("/rounds/1").json["ends_at"]


@pytest.mark.clause("AR-AMB-23")
def test_a_judge_of_armada_may_set_a_hard_stop(opened):
    pairing = opened(ARMADA)
    pairing.post("/rounds/1/start", {"overtime": 15}, role="head_referee")
    assert calls(timing(pairing)) == [("start", 0), ("end", 7200), ("hard_stop", 8100)]
    assert pairing.get("/clock").json["overtime_minutes"] == 15


@pytest.mark.clause("FF-TIME-4", "FF-TIME-5")
def test_no_game_is_stopped_before_the_end_was_called(opened):
    pairing = opened(FALLOUT)
    pairing.post("/rounds/1/start")
    refused = pairing.post("/rounds/1/calls", {"call": "hard_stop"}).json
    assert (refused["code"], refused["data"]["open"]) == (
        "call-out-of-order",
        ["start", "halfway", "ten_minutes", "end"],
    )
    for call in ("halfway", "end", "hard_stop"):
        assert pairing.post("/rounds/1/calls", {"call": call}).status_code == 201


@pytest.mark.clause("AR-RND-3", "AR-RND-1")
def test_a_large_event_of_armada_takes_two_days(serve):
    story = Story(rounds=None, tier="competitive", starts_on="2026-05-02", ends_on="2026-05-02")
    story.join(33)
    pairing = serve(story)
    shown = pairing.get("/timetable").json
    assert [(row["round"], row["day"], row["date"]) for row in shown["rounds"]] == [
        (1, 1, "2026-05-02"),
        (2, 1, "2026-05-02"),
        (3, 1, "2026-05-02"),
        (4, 2, "2026-05-03"),
        (5, 2, "2026-05-03"),
    ]
    assert [(day["rounds"], day["minutes"]) for day in shown["days"]] == [([1, 2, 3], 360), ([4, 5], 240)]
    days = {"code": "days", "data": {"days": 2}, "expected": "2 days"}
    assert shown["advice"] == [{"said": "1", **days, "clause": "AR-RND-3"}]
    pairing.post("/rounds")
    assert pairing.get("/timetable").json["rounds"][0]["status"] == "paired"


@pytest.mark.clause("AR-RND-1", "AR-RND-3")
def test_up_to_32_players_play_one_day(serve):
    story = Story(rounds=None, tier="competitive")
    story.join(32)
    shown = serve(story).get("/timetable").json
    assert (shown["planned"], [day["rounds"] for day in shown["days"]], shown["advice"]) == (3, [[1, 2, 3]], [])


@pytest.mark.clause("DW-EX-1", "DW-TIME-1", "DW-TIME-2", "DW-TIME-3", "DW-RND-1", "DW-SET-5")
def test_a_day_of_dust_warfare_with_breaks_and_lunch(serve):
    story = Story(pack=to_json(apply_options(shipped_ruleset(DUST), {"ap_limit": 300})), rounds=None)
    story.join(20)
    shown = serve(story).get("/timetable").json
    assert [row["stage"] for row in shown["rounds"]] == ["swiss", "swiss", "swiss", "elimination"]
    (day,) = shown["days"]
    assert (day["minutes"], day["least"], day["most"]) == (420, 450, 480)
    assert shown["slots"] == [{"name": "lunch", "least": 30, "most": 60, "clause": "DW-TIME-3"}]


@pytest.mark.clause("DW-AMB-10")
def test_beyond_the_table_of_dust_warfare_the_organiser_decides(serve):
    story = Story(pack=to_json(shipped_ruleset(DUST)), rounds=None)
    story.join(2)
    shown = serve(story).get("/timetable").json
    assert (shown["planned"], shown["suggested"], shown["rounds"]) == (None, 1, [])
    assert shown["advice"][-1]["clause"] == "DW-AMB-10"


@pytest.mark.clause("DW-SET-3", "DW-SET-4", "DW-AMB-25")
def test_the_timetable_lists_what_dust_warfare_advises_against(serve):
    options = {"ap_limit": 500, "extra_minutes": 0}
    story = Story(pack=to_json(apply_options(shipped_ruleset(DUST), options)), rounds=None)
    story.join(7)
    advice = serve(story).get("/timetable").json["advice"]
    assert [row["clause"] for row in advice] == ["DW-SET-3", "DW-AMB-25", "DW-SET-4", "DW-SET-4"]
    assert (advice[0]["said"], advice[2]["said"]) == ("500", "7")


@pytest.mark.clause("FF-RND-1", "FF-AMB-9", "FF-TIME-9")
def test_factions_suggests_rounds_and_leaves_them_to_the_organiser(serve):
    story = Story(pack=to_json(shipped_ruleset(FALLOUT)), rounds=None)
    story.join(9)
    pairing = serve(story)
    shown = pairing.get("/timetable").json
    assert (shown["planned"], shown["suggested"]) == (None, 4)
    assert [slot["name"] for slot in shown["slots"]] == ["arrival", "breaks between rounds", "meals", "prize-giving"]
    assert pairing.post("/rounds", {"scenario": "Melee"}).json["code"] == "rounds-not-fixed"


@pytest.mark.clause("AR-RND-1", "AR-SET-2", "AR-SET-4", "AR-AMB-24")
@pytest.mark.parametrize(("tier", "paired"), [("casual", True), ("competitive", False), ("premier", False)])
def test_only_a_casual_event_of_armada_has_another_number_of_rounds_than_the_table(serve, tier, paired):
    story = Story(tier=tier, rounds=4)
    story.join(4)
    answer = serve(story).post("/rounds")
    assert (answer.status_code == 201) == paired
    if not paired:
        assert (answer.json["code"], answer.json["data"]) == (
            "rounds-by-table",
            {"players": 4, "rounds": 3, "clause": "AR-RND-1"},
        )


@pytest.mark.clause("AR-REG-1", "DW-REG-3")
@pytest.mark.parametrize("ruleset", [ARMADA, DUST])
def test_at_other_tiers_no_player_is_paired_without_a_list(serve, ruleset):
    story = Story(pack=to_json(shipped_ruleset(ruleset)))
    story.join(1, roster=False)
    assert serve(story).post("/rounds").json["detail"].endswith("; left out: 1 (no_roster).")
    story = Story(pack=to_json(shipped_ruleset(ruleset)))
    story.join(4)
    story.join(1, roster=False)
    pairing = serve(story)
    pairing.post("/rounds")
    assert pairing.get("/rounds/1").json["left_out"] == [{"player": "p5", "name": "P5", "reason": "no_roster"}]
    assert pairing.post("/rounds/1/start").status_code == 201


@pytest.mark.clause("FF-STAFF-5")
def test_a_referee_who_does_not_play_is_advised_in_factions(serve):
    story = Story(pack=to_json(shipped_ruleset(FALLOUT)))
    story.join(4)
    story.staff("P1", role="referee")
    pairing = serve(story)
    assert pairing.get("/timetable").json["advice"] == []
    story.registration(registration.StaffEntered(staff="s1", player="p1"))
    assert [row["clause"] for row in pairing.get("/timetable").json["advice"]] == ["FF-STAFF-5"]
    story.staff("Rita", role="head_referee")
    assert pairing.get("/timetable").json["advice"] == []
