"""What happens at a table, move by move: goals, kills, rewards, tokens, the round end, and how it ends."""

from __future__ import annotations

import pytest

from tests.auditing import failures, logs_of
from tests.coop.story import CONDITION, operator_data

REVEAL = {"move": "card_revealed", "card": "a1"}
ENEMIES = {"move": "enemies_activated"}
OPPOSING = {"move": "opposing_activated", "enemies_on_map": 2}
FIRST = {"move": "first_player_chosen", "player": "p2"}


def effect(spaces: int) -> dict:
    return {"move": "scenario_effect", "spaces": spaces, "text": "the horde"}


class TestRounds:
    @pytest.mark.clause("AB-RND-1", "AB-ACT-1", "AB-ACT-2", "AB-ACT-3", "AB-ACT-5")
    def test_a_round_end_goes_part_by_part(self, night):
        assert (night.state["session_round"], night.state["next"]) == (1, "turns")
        for early in (ENEMIES, OPPOSING, FIRST):
            night.refuse_move(409, "move-out-of-order", early)
        night.move(REVEAL)
        for wrong in (REVEAL, OPPOSING, FIRST):
            answer = night.refuse_move(409, "move-out-of-order", wrong)
            assert answer.faults[0]["clause"] == "AB-ACT-2"
        night.move(ENEMIES)
        night.refuse_move(409, "move-out-of-order", FIRST)
        night.move(OPPOSING)
        assert night.move(FIRST).types == ["FirstPlayerChosen", "RoundEnded", "RoundBegan"]
        assert (night.state["session_round"], night.state["next"], night.state["first_player"]) == (2, "turns", "p2")

    @pytest.mark.clause("AB-ACT-3", "AB-ACT-4")
    def test_the_effect_for_so_many_enemies_follows_the_icon(self, new):
        bands = [
            {"enemies_min": 0, "enemies_max": 1, "text": "nothing stirs"},
            {"enemies_min": 2, "text": "they come", "power_advance": 2},
        ]
        night = new(3, data=operator_data(activation_effects=bands))
        night.set_up()
        night.end_round("a1", enemies_on_map=1)
        night.end_round("a4", enemies_on_map=5)
        assert [event["text"] for event in night.history("ActivationEffectResolved")] == ["nothing stirs", "they come"]
        moves = [(event["to_space"], event["reason"]) for event in night.history("PowerTokenAdvanced")]
        assert moves == [(1, "activation_card"), (2, "activation_card"), (4, "scenario_effect")]

    @pytest.mark.clause("AB-ACT-6", "AB-PWR-3")
    def test_no_effect_follows_the_move_that_loses_the_session(self, new):
        effects = [{"enemies_min": 0, "text": "they come", "power_advance": 1}]
        night = new(3, data=operator_data(activation_effects=effects))
        night.set_up()
        night.move_to(8)
        night.card("a1")
        night.move(ENEMIES)
        assert night.move(OPPOSING).types == ["OpposingFactionActivated", "PowerTokenAdvanced", "SessionLost"]

    @pytest.mark.clause("AB-ACT-3")
    @pytest.mark.parametrize("card", ["a2", "a3"])
    def test_without_the_opposing_icon_nothing_of_it_happens(self, night, card):
        night.card(card)
        night.move(ENEMIES)
        assert night.refuse_move(409, "move-out-of-order", OPPOSING).faults[0]["clause"] == "AB-ACT-3"
        night.move(FIRST)
        assert night.position == 0

    @pytest.mark.clause("AB-ACT-5")
    def test_the_first_player_sits_at_the_table(self, night):
        night.move(REVEAL)
        night.move(ENEMIES)
        night.move(OPPOSING)
        answer = night.refuse_move(422, "impossible-move", {**FIRST, "player": "p9"})
        assert answer.places == ["/moves/0/player"]

    @pytest.mark.clause("AB-ACT-1", "AB-SET-4")
    def test_a_card_comes_once_from_its_own_deck(self, night):
        night.end_round("a3")
        assert night.refuse_move(422, "impossible-move", {**REVEAL, "card": "a3"}).places == ["/moves/0/card"]
        assert night.refuse_move(422, "impossible-move", {**REVEAL, "card": "g01"}).places == ["/moves/0/card"]
        agenda = night.refuse_move(422, "invalid-request", {"move": "agenda_revealed"})
        assert agenda.places == ["/moves/0/move"]

    @pytest.mark.clause("AB-ACT-1")
    def test_without_tracked_cards_the_table_says_what_is_on_one(self, new):
        night = new(3, data=operator_data(activation_cards=[]))
        night.set_up()
        night.refuse_move(422, "impossible-move", REVEAL)
        night.move({"move": "card_revealed", "enemies": ["ghouls", "mutants"], "icons": ["B"]})
        night.move(ENEMIES)
        night.move(OPPOSING)
        assert night.position == 1

    @pytest.mark.clause("AB-REP-4")
    def test_a_card_that_the_service_draws_is_known_to_nobody_before(self, night):
        (revealed,) = night.move({"move": "card_revealed"}).events
        assert revealed["data"]["card"] in ("a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8")
        (answer,) = revealed["data"]["answers"]
        assert answer["question"] == "lot: activation card of r1t1, 1"
        set_up = night.history()[: len(night.history()) - 1]
        assert not any("a1" in str(event) for event in set_up)


class TestGoalsAndKills:
    @pytest.mark.clause("AB-GOAL-1")
    @pytest.mark.parametrize("goal", ["g03", "g99"])
    def test_only_what_lies_open_is_completed(self, night, goal):
        answer = night.refuse_move(422, "impossible-move", {"move": "goal_completed", "goal": goal})
        assert [(fault["where"], fault["clause"]) for fault in answer.faults] == [("/moves/0/goal", "AB-GOAL-1")]

    @pytest.mark.clause("AB-GOAL-1", "AB-GOAL-4")
    def test_a_fifth_goal_and_one_for_the_second_time(self, new):
        night = new()
        night.set_up(goals=["g01", "g02", "g03", "g04"])
        for goal in ("g01", "g02", "g03", "g04"):
            night.goal(goal)
        night.refuse_move(422, "impossible-move", {"move": "goal_completed", "goal": "g05"})
        night.refuse_move(422, "impossible-move", {"move": "goal_completed", "goal": "g04"})

    @pytest.mark.clause("AB-GOAL-1")
    def test_a_goal_is_completed_in_any_part_of_a_round(self, night):
        night.move(REVEAL)
        night.goal("g01")
        night.move(ENEMIES)
        night.goal("g02")
        assert night.state["goals_completed"] == ["g01", "g02"]

    @pytest.mark.clause("AB-KIL-2")
    def test_whoever_was_killed_plays_on(self, night):
        night.kill("p1", by="p1")
        assert night.kill("p1", by="p1").status == 201
        assert set(night.here) == {"p1", "p2", "p3"}
        assert night.history("SurvivorKilled") == [{"session": "r1t1", "survivor": "p1"}] * 2

    @pytest.mark.clause("AB-PWR-1", "AB-PWR-4", "AB-SVC-3")
    def test_the_loss_stands_with_the_move_that_causes_it(self, night):
        night.move_to(8)
        lost = night.kill("p2")
        assert lost.types == ["SurvivorKilled", "PowerTokenAdvanced", "SessionLost"]
        assert lost.events[2]["data"]["cause"] == "survivor_killed"
        late = night.refuse_move(409, "session-ended", {"move": "survivor_killed", "survivor": "p2"})
        assert (late.data["event"], late.data["position"]) == ("SessionLost", lost.events[2]["position"])

    @pytest.mark.clause("AB-PWR-4")
    def test_a_move_behind_the_one_that_ends_it_takes_all_with_it(self, night):
        night.move_to(8)
        kill = {"move": "survivor_killed", "survivor": "p1"}
        answer = night.refuse_move(409, "session-ended", kill, kill)
        assert answer.places == ["/moves/1"]
        assert night.position == 8

    @pytest.mark.clause("AB-PWR-2")
    def test_rewards_are_of_the_side_and_for_a_faction_that_plays(self, night):
        reward = {"move": "quest_reward", "faction": "North", "reward": "a car"}
        assert night.refuse_move(422, "impossible-move", reward).faults[0]["clause"] == "AB-PWR-2"
        assert night.refuse_move(422, "impossible-move", {**reward, "faction": "West"}).places == ["/moves/0/faction"]
        night.move({"move": "quest_reward", "faction": "South", "quest": "the relay", "spaces": 2})
        assert night.position == 2


class TestEndings:
    @pytest.mark.clause("AB-END-1")
    def test_goals_and_every_further_condition_win(self, night):
        night.goal("g01")
        night.goal("g02")
        assert night.state["conditions_open"] == [CONDITION]
        won = night.move({"move": "condition_met", "condition": CONDITION})
        assert won.types == ["VictoryConditionMet", "SessionWon"]
        again = {"move": "condition_met", "condition": CONDITION}
        assert night.refuse_move(409, "session-ended", again).data["outcome"] == "victory"

    @pytest.mark.clause("AB-END-1")
    @pytest.mark.parametrize("condition", ["fly", ""])
    def test_a_condition_that_nobody_asks_for(self, night, condition):
        answer = night.refuse_move(422, "impossible-move", {"move": "condition_met", "condition": condition})
        assert answer.faults[0]["clause"] == "AB-END-1"

    @pytest.mark.clause("AB-END-5")
    def test_without_a_further_condition_the_last_goal_asked_for_wins(self, new):
        night = new(3, data=operator_data(further_victory_conditions=[]))
        night.set_up()
        night.goal("g01")
        assert night.goal("g02").types == ["GoalCompleted", "SessionWon"]
        night.refuse_move(409, "session-ended", {"move": "goal_completed", "goal": "g11"})

    @pytest.mark.clause("AB-PWR-3", "AB-END-2")
    def test_the_last_space_but_one_does_not_lose(self, night):
        night.move_to(8)
        assert night.state["ended"] is None
        night.move(effect(50))
        assert night.position == 9
        assert night.state["ended"]["outcome"] == "defeat"

    @pytest.mark.clause("AB-END-4")
    @pytest.mark.parametrize(
        ("outcome", "event"), [("unfinished", "SessionLeftUnfinished"), ("abandoned", "SessionAbandoned")]
    )
    def test_the_organiser_ends_a_session_before_its_end(self, night, outcome, event):
        body = {"outcome": outcome, "reason": "the hall closes"}
        night.refused(403, "forbidden", "ending", body, by="p1")
        ended = night.do("scoring", "/sessions/r1t1/ending", body)
        assert ended.types == [event, "SessionConfirmed"]
        assert night.state["binds"]
        night.refused(409, "session-ended", "ending", body)


class TestBeside:
    """What may be told beside; none of it moves the ranking (AB-OPT-1)."""

    @pytest.mark.clause("AB-OPT-1")
    def test_what_is_told_beside_moves_no_table_in_the_ranking(self, new):
        night = new(4, data=operator_data(table={"survivors_min": 2, "survivors_max": 2}))
        for session in ("r1t1", "r1t2"):
            night.set_up(session)
            one, two = night.here
            if session == "r1t2":
                night.move(
                    {"move": "camp_gained", "survivor": one},
                    {"move": "camp_placed", "space": "Hill"},
                    {"move": "travelled", "survivor": two, "space": "Hill"},
                    {"move": "upgrade_gained", "survivor": one},
                    {"move": "mutation_revealed", "survivor": two},
                    {"move": "rads_recovered", "survivor": two},
                    {"move": "assisted", "survivor": one, "fighter": two, "hits": 1, "enemy_died": True},
                    {"move": "modification_kept", "survivor": one, "drawn": 1, "card": "scope", "asset": "rifle"},
                )
            night.goal("g01")
            night.kill(one)
            night.do("scoring", f"/sessions/{session}/ending", {"outcome": "unfinished", "reason": "late"})
        first, second = night.ranking()["tables"]
        assert (first["rank"], second["rank"], second["reason"]["by"]) == (1, 1, "equal")

    @pytest.mark.clause("AB-CMP-1")
    def test_camp_tokens_are_always_eight(self, night):
        for number in range(1, 8):
            night.move({"move": "camp_gained", "survivor": "p1"})
            night.move({"move": "camp_placed", "space": f"Hill {number}"})
        tokens = night.state["camp_tokens"]
        assert (tokens["supply"], tokens["gained"], len(tokens["on_map"])) == (0, 0, 8)
        night.refuse_move(422, "impossible-move", {"move": "camp_gained", "survivor": "p1"})
        night.refuse_move(422, "impossible-move", {"move": "camp_placed", "space": "Hill 9"})
        night.refuse_move(422, "impossible-move", {"move": "camp_placed", "space": ""})

    @pytest.mark.clause("AB-WKS-1")
    def test_upgrades_are_the_tables_and_feed_goals(self, night):
        night.move({"move": "upgrade_gained", "survivor": "p1"})
        night.move({"move": "upgrade_gained", "survivor": "p2"})
        short = night.refuse_move(422, "impossible-move", {"move": "goal_completed", "goal": "g11"})
        assert short.faults[0]["said"] == "g11"
        assert short.faults[0]["expected"].startswith("1 more workshop upgrades")
        night.upgrades(1)
        night.goal("g11")
        assert night.state["upgrades"] == 3

    @pytest.mark.clause("AB-CMP-2")
    def test_fast_travel_goes_where_a_token_lies(self, night):
        travel = {"move": "travelled", "survivor": "p1", "space": "Crossroads Camp"}
        assert night.move(travel).types == ["SurvivorTravelled"]
        refused = night.refuse_move(422, "impossible-move", {**travel, "space": "Hill"})
        assert [(fault["where"], fault["clause"]) for fault in refused.faults] == [("/moves/0/space", "AB-CMP-2")]

    @pytest.mark.clause("AB-AST-1")
    def test_an_assistant_gains_and_pays(self, night):
        assist = {"move": "assisted", "survivor": "p1", "fighter": "p2", "hits": 1, "damage_icons": 2, "enemy_level": 3}
        (event,) = night.move({**assist, "enemy_died": True}).events
        assert (event["data"]["experience"], event["data"]["damage"]) == (1, 6)
        for change in ({"fighter": "p1"}, {"fighter": "p9"}, {"survivor": "p9"}):
            assert night.refuse_move(422, "impossible-move", {**assist, **change}).faults[0]["clause"] == "AB-AST-1"

    @pytest.mark.clause("AB-MOD-1")
    def test_an_asset_has_one_modification(self, night):
        keep = {"move": "modification_kept", "survivor": "p1", "drawn": 2, "card": "scope", "asset": "rifle"}
        night.move(keep)
        (again,) = night.move({**keep, "card": "barrel"}).events
        assert again["data"]["replaced"] == "scope"
        for change, place in (({"drawn": 0}, "/moves/0/drawn"), ({"asset": ""}, "/moves/0/asset")):
            assert night.refuse_move(422, "impossible-move", {**keep, **change}).places == [place]

    @pytest.mark.clause("AB-MUT-1")
    def test_a_mutation_is_revealed_at_five_rads_and_once(self, night):
        reveal = {"move": "mutation_revealed", "survivor": "p1", "card": "thick-skin", "rads": 4}
        night.refuse_move(422, "impossible-move", reveal)
        night.move({**reveal, "rads": 5})
        night.refuse_move(422, "impossible-move", {**reveal, "rads": 5})
        assert night.move({"move": "rads_recovered", "survivor": "p1"}).types == []
        night.refuse_move(422, "impossible-move", {**reveal, "survivor": "p8", "rads": 5})


def test_each_kind_of_move_takes_its_own_members(night):
    answer = night.refuse_move(422, "invalid-request", {"move": "survivor_killed", "survivor": "p1", "goal": "g01"})
    assert answer.places == ["/moves/0/goal"]
    answer = night.refuse_move(422, "invalid-request", {"move": "survivor_killed"}, {"survivor": "p1"})
    assert answer.places == ["/moves/0/survivor", "/moves/1/move"]
    night.refused(422, "invalid-request", "moves", {"moves": []})
    night.refuse_move(422, "impossible-move", {"move": "survivor_killed", "survivor": "p4"})


class TestScenarioEffects:
    @pytest.mark.clause("AB-PWR-1", "AB-AMB-3")
    def test_the_sheet_moves_the_token_back_and_not_above_the_topmost_space(self, night):
        night.move_to(5)
        assert night.move(effect(-2)).types == ["PowerTokenRetreated"]
        assert night.position == 3
        night.move(effect(-9))
        moves = [(one["from_space"], one["to_space"], one["reason"]) for one in night.history("PowerTokenRetreated")]
        assert moves == [(5, 3, "scenario_effect"), (3, 0, "scenario_effect")]
        answer = night.refuse_move(422, "impossible-move", effect(0))
        assert answer.faults[0]["clause"] == "AB-PWR-1"
        quest = {"move": "quest_reward", "faction": "South", "spaces": -1}
        assert night.refuse_move(422, "impossible-move", quest).faults[0]["clause"] == "AB-PWR-1"

    @pytest.mark.clause("AB-PWR-1", "AB-AMB-3")
    def test_where_a_retreat_needs_room_for_all_of_it_none_is_made_without(self, new):
        night = new(3, options={"ab.power.retreat_floor": "retreat_refused"})
        night.set_up()
        night.move_to(1)
        night.move(effect(-2))
        assert night.position == 1
        night.move(effect(-1))
        assert night.position == 0

    @pytest.mark.clause("AB-PWR-1", "AB-REP-2")
    @pytest.mark.parametrize(("back", "status"), [(3, 201), (2, 422)])
    def test_a_summary_tells_how_far_the_sheet_moved_the_token_back(self, new, back, status):
        night = new(options={"ab.report.detail": "summary"})
        night.set_up(goals=["g01", "g02", "g03", "g04"])
        told = {"outcome": "victory", "rounds": 7, "completed": ["g01", "g02"], "kills": 3, "cards": 2, "others": 1}
        body = {"told": told | {"position": 3, "back": back}}
        answer = night.ask("POST", "scoring", "/sessions/r1t1/report", body, "p1")
        assert answer.status == status, answer

    @pytest.mark.clause("AB-PWR-5")
    def test_a_move_back_by_the_sheet_is_computed_again(self, night):
        night.move_to(5)
        night.move(effect(-2))
        assert failures(logs_of(night)) == []


@pytest.mark.clause("AB-SET-4", "AB-ACT-3")
def test_no_fewer_than_no_enemies_stand_on_the_map(night):
    night.move(REVEAL)
    night.move(ENEMIES)
    night.refuse_move(422, "invalid-request", {"move": "opposing_activated", "enemies_on_map": -1})
