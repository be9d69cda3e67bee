"""Moves at a table: goals, kills, rewards, tokens, the round end, and endings."""

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
    def test_round_end_proceeds_in_parts(self, night):
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
    def test_effect_follows_the_number_of_enemies(self, new):
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
    def test_no_effect_after_the_session_is_lost(self, new):
        effects = [{"enemies_min": 0, "text": "they come", "power_advance": 1}]
        night = new(3, data=operator_data(activation_effects=effects))
        night.set_up()
        night.move_to(8)
        night.card("a1")
        night.move(ENEMIES)
        assert night.move(OPPOSING).types == ["OpposingFactionActivated", "PowerTokenAdvanced", "SessionLost"]

    @pytest.mark.clause("AB-ACT-3")
    @pytest.mark.parametrize("card", ["a2", "a3"])
    def test_no_opposing_activation_without_its_icon(self, night, card):
        night.card(card)
        night.move(ENEMIES)
        assert night.refuse_move(409, "move-out-of-order", OPPOSING).faults[0]["clause"] == "AB-ACT-3"
        night.move(FIRST)
        assert night.position == 0

    @pytest.mark.clause("AB-ACT-5")
    def test_first_player_must_sit_at_the_table(self, night):
        night.move(REVEAL)
        night.move(ENEMIES)
        night.move(OPPOSING)
        answer = night.refuse_move(422, "impossible-move", {**FIRST, "player": "p9"})
        assert answer.places == ["/moves/0/player"]

    @pytest.mark.clause("AB-ACT-1", "AB-SET-4")
    def test_card_is_drawn_once_from_its_deck(self, night):
        night.end_round("a3")
        assert night.refuse_move(422, "impossible-move", {**REVEAL, "card": "a3"}).places == ["/moves/0/card"]
        assert night.refuse_move(422, "impossible-move", {**REVEAL, "card": "g01"}).places == ["/moves/0/card"]
        agenda = night.refuse_move(422, "invalid-request", {"move": "agenda_revealed"})
        assert agenda.places == ["/moves/0/move"]

    @pytest.mark.clause("AB-ACT-1")
    def test_untracked_cards_are_described_by_the_table(self, new):
        night = new(3, data=operator_data(activation_cards=[]))
        night.set_up()
        night.refuse_move(422, "impossible-move", REVEAL)
        night.move({"move": "card_revealed", "enemies": ["ghouls", "mutants"], "icons": ["B"]})
        night.move(ENEMIES)
        night.move(OPPOSING)
        assert night.position == 1

    @pytest.mark.clause("AB-REP-4")
    def test_drawn_card_is_unpredictable(self, night):
        (revealed,) = night.move({"move": "card_revealed"}).events
        assert revealed["data"]["card"] in ("a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8")
        (answer,) = revealed["data"]["answers"]
        assert answer["question"] == "lot: activation card of r1t1, 1"
        set_up = night.history()[: len(night.history()) - 1]
        assert not any("a1" in str(event) for event in set_up)


class TestGoalsAndKills:
    @pytest.mark.clause("AB-GOAL-1")
    @pytest.mark.parametrize("goal", ["g03", "g99"])
    def test_only_revealed_goals_can_be_completed(self, night, goal):
        answer = night.refuse_move(422, "impossible-move", {"move": "goal_completed", "goal": goal})
        assert [(fault["where"], fault["clause"]) for fault in answer.faults] == [("/moves/0/goal", "AB-GOAL-1")]

    @pytest.mark.clause("AB-GOAL-1", "AB-GOAL-4")
    def test_fifth_goal_and_repeated_goal_are_refused(self, new):
        night = new()
        night.set_up(goals=["g01", "g02", "g03", "g04"])
        for goal in ("g01", "g02", "g03", "g04"):
            night.goal(goal)
        night.refuse_move(422, "impossible-move", {"move": "goal_completed", "goal": "g05"})
        night.refuse_move(422, "impossible-move", {"move": "goal_completed", "goal": "g04"})

    @pytest.mark.clause("AB-GOAL-1")
    def test_goal_can_be_completed_in_any_part_of_a_round(self, night):
        night.move(REVEAL)
        night.goal("g01")
        night.move(ENEMIES)
        night.goal("g02")
        assert night.state["goals_completed"] == ["g01", "g02"]

    @pytest.mark.clause("AB-KIL-2")
    def test_killed_survivor_plays_on(self, night):
        night.kill("p1", by="p1")
        assert night.kill("p1", by="p1").status == 201
        assert set(night.here) == {"p1", "p2", "p3"}
        assert night.history("SurvivorKilled") == [{"session": "r1t1", "survivor": "p1"}] * 2

    @pytest.mark.clause("AB-PWR-1", "AB-PWR-4", "AB-SVC-3")
    def test_loss_follows_the_move_that_causes_it(self, night):
        night.move_to(8)
        lost = night.kill("p2")
        assert lost.types == ["SurvivorKilled", "PowerTokenAdvanced", "SessionLost"]
        assert lost.events[2]["data"]["cause"] == "survivor_killed"
        late = night.refuse_move(409, "session-ended", {"move": "survivor_killed", "survivor": "p2"})
        assert (late.data["event"], late.data["position"]) == ("SessionLost", lost.events[2]["position"])

    @pytest.mark.clause("AB-PWR-4")
    def test_moves_after_the_ending_move_refuse_the_whole_request(self, night):
        night.move_to(8)
        kill = {"move": "survivor_killed", "survivor": "p1"}
        answer = night.refuse_move(409, "session-ended", kill, kill)
        assert answer.places == ["/moves/1"]
        assert night.position == 8

    @pytest.mark.clause("AB-PWR-2")
    def test_rewards_must_match_side_and_faction(self, night):
        reward = {"move": "quest_reward", "faction": "North", "reward": "a car"}
        assert night.refuse_move(422, "impossible-move", reward).faults[0]["clause"] == "AB-PWR-2"
        assert night.refuse_move(422, "impossible-move", {**reward, "faction": "West"}).places == ["/moves/0/faction"]
        night.move({"move": "quest_reward", "faction": "South", "quest": "the relay", "spaces": 2})
        assert night.position == 2


class TestEndings:
    @pytest.mark.clause("AB-END-1")
    def test_victory_needs_goals_and_all_conditions(self, night):
        night.goal("g01")
        night.goal("g02")
        assert night.state["conditions_open"] == [CONDITION]
        won = night.move({"move": "condition_met", "condition": CONDITION})
        assert won.types == ["VictoryConditionMet", "SessionWon"]
        again = {"move": "condition_met", "condition": CONDITION}
        assert night.refuse_move(409, "session-ended", again).data["outcome"] == "victory"

    @pytest.mark.clause("AB-END-1")
    @pytest.mark.parametrize("condition", ["fly", ""])
    def test_unknown_condition_is_refused(self, night, condition):
        answer = night.refuse_move(422, "impossible-move", {"move": "condition_met", "condition": condition})
        assert answer.faults[0]["clause"] == "AB-END-1"

    @pytest.mark.clause("AB-END-5")
    def test_last_required_goal_wins_without_further_conditions(self, new):
        night = new(3, data=operator_data(further_victory_conditions=[]))
        night.set_up()
        night.goal("g01")
        assert night.goal("g02").types == ["GoalCompleted", "SessionWon"]
        night.refuse_move(409, "session-ended", {"move": "goal_completed", "goal": "g11"})

    @pytest.mark.clause("AB-PWR-3", "AB-END-2")
    def test_second_last_space_does_not_lose(self, night):
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
    """Optional reports, none of which affects the ranking (AB-OPT-1)."""

    @pytest.mark.clause("AB-OPT-1")
    def test_optional_reports_do_not_affect_the_ranking(self, new):
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
    def test_upgrades_count_for_the_table_and_its_goals(self, night):
        night.move({"move": "upgrade_gained", "survivor": "p1"})
        night.move({"move": "upgrade_gained", "survivor": "p2"})
        short = night.refuse_move(422, "impossible-move", {"move": "goal_completed", "goal": "g11"})
        assert short.faults[0]["said"] == "g11"
        assert short.faults[0]["expected"].startswith("1 more workshop upgrades")
        night.upgrades(1)
        night.goal("g11")
        assert night.state["upgrades"] == 3

    @pytest.mark.clause("AB-CMP-2")
    def test_fast_travel_needs_a_camp_token(self, night):
        travel = {"move": "travelled", "survivor": "p1", "space": "Crossroads Camp"}
        assert night.move(travel).types == ["SurvivorTravelled"]
        refused = night.refuse_move(422, "impossible-move", {**travel, "space": "Hill"})
        assert [(fault["where"], fault["clause"]) for fault in refused.faults] == [("/moves/0/space", "AB-CMP-2")]

    @pytest.mark.clause("AB-AST-1")
    def test_costs_and_gains_of_assistance(self, night):
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
    def test_mutation_is_revealed_once_at_five_rads(self, night):
        reveal = {"move": "mutation_revealed", "survivor": "p1", "card": "thick-skin", "rads": 4}
        night.refuse_move(422, "impossible-move", reveal)
        night.move({**reveal, "rads": 5})
        night.refuse_move(422, "impossible-move", {**reveal, "rads": 5})
        assert night.move({"move": "rads_recovered", "survivor": "p1"}).types == []
        night.refuse_move(422, "impossible-move", {**reveal, "survivor": "p8", "rads": 5})


def test_each_move_has_its_own_members(night):
    answer = night.refuse_move(422, "invalid-request", {"move": "survivor_killed", "survivor": "p1", "goal": "g01"})
    assert answer.places == ["/moves/0/goal"]
    answer = night.refuse_move(422, "invalid-request", {"move": "survivor_killed"}, {"survivor": "p1"})
    assert answer.places == ["/moves/0/survivor", "/moves/1/move"]
    night.refused(422, "invalid-request", "moves", {"moves": []})
    night.refuse_move(422, "impossible-move", {"move": "survivor_killed", "survivor": "p4"})


class TestScenarioEffects:
    @pytest.mark.clause("AB-PWR-1", "AB-AMB-3")
    def test_scenario_effect_moves_the_token_back_to_the_top_at_most(self, night):
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
    def test_retreat_without_enough_room_is_refused_by_option(self, new):
        night = new(3, options={"ab.power.retreat_floor": "retreat_refused"})
        night.set_up()
        night.move_to(1)
        night.move(effect(-2))
        assert night.position == 1
        night.move(effect(-1))
        assert night.position == 0

    @pytest.mark.clause("AB-PWR-1", "AB-REP-2")
    @pytest.mark.parametrize(("back", "status"), [(3, 201), (2, 422)])
    def test_summary_includes_spaces_moved_back_by_the_sheet(self, new, back, status):
        night = new(options={"ab.report.detail": "summary"})
        night.set_up(goals=["g01", "g02", "g03", "g04"])
        told = {"outcome": "victory", "rounds": 7, "completed": ["g01", "g02"], "kills": 3, "cards": 2, "others": 1}
        body = {"told": told | {"position": 3, "back": back}}
        answer = night.ask("POST", "scoring", "/sessions/r1t1/report", body, "p1")
        assert answer.status == status, answer

    @pytest.mark.clause("AB-PWR-5")
    def test_audit_recomputes_a_move_back_by_the_sheet(self, night):
        night.move_to(5)
        night.move(effect(-2))
        assert failures(logs_of(night)) == []


@pytest.mark.clause("AB-SET-4", "AB-ACT-3")
def test_negative_number_of_enemies_is_refused(night):
    night.move(REVEAL)
    night.move(ENEMIES)
    night.refuse_move(422, "invalid-request", {"move": "opposing_activated", "enemies_on_map": -1})
