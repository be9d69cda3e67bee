"""The result form of a game, and previews of reports."""

from __future__ import annotations

import pytest

FACTIONS, DUST, ARMADA = "fallout-factions-comp-1.0", "dust-warfare-1.0", "star-wars-armada-1.1"
PER_TABLE = {"scenario_per": "table"}


@pytest.fixture
def game(open_floor):
    """Return a function that opens round 1 of two players in a ruleset."""

    def begun(ruleset: str, scenario: str = "", **more):
        told = open_floor(2, ruleset=ruleset, **more)
        told.paired(1, ("p1", "p2"), scenario=scenario)
        told.started(1)
        return told

    return begun


def asked(told, by: str = "p1"):
    answer = told.get("/games/r1g1/result-form", by=by)
    assert answer.status == 200, answer
    return answer.body, {fact["where"]: fact for fact in answer.body["facts"]}


def given(told, facts, by: str = "p1"):
    """Return the score of facts by a preview. Check that it appends nothing."""
    length = told.length
    answer = told.post("/games/r1g1/result?preview=true", {"facts": facts}, by)
    assert told.length == length
    return answer


def test_the_form_of_fleets_has_points_or_their_parts(game):
    form, facts = asked(game(ARMADA))
    assert (form["unit"], form["concedes"], form["unplayed"]) == (
        "fleet points",
        True,
        ["forfeit", "no_show", "double_no_show"],
    )
    assert (facts["/destroyed_1"]["least"], facts["/destroyed_1"]["most"]) == (0, 300)
    assert facts["/objective_2"]["makes"] == "points"
    assert facts["/winner"]["choices"] == [1, 2]
    assert facts["/end"]["choices"] == ["rounds", "time", "defeated_1", "defeated_2", "mutual", "simultaneous"]
    assert facts["/second_player"]["choices"] == [1, 2]
    assert (facts["/extra/list_1"]["least"], facts["/extra/list_1"]["most"]) == (1, 300)


def test_the_form_of_a_scenario_has_its_board(game):
    form, facts = asked(game(FACTIONS, "Treasure Hunt"))
    assert form["scenario"] == "Treasure Hunt"
    assert (facts["/points_1"]["most"], facts["/points_1"]["step"]) == (25, 5)
    tokens = facts["/extra/tokens_2"]
    assert (tokens["kind"], tokens["most"], tokens["together"], tokens["side"]) == ("whole", 5, 5, 2)
    assert facts["/extra/search_tokens_1"]["part"] == "beside"
    assert "/scenario" not in facts
    assert "/extra/game_rounds" not in facts


@pytest.mark.parametrize(
    ("scenario", "wanted"),
    [
        ("Raid", ["/extra/round_2_claims_1", "/extra/round_4_claims_2", "/extra/game_rounds", "/extra/interrupted"]),
        ("Escalation", ["/extra/round_1_claims_1", "/extra/round_4_claims_2"]),
        ("Melee", ["/extra/rating_lost_1", "/extra/crew_rating_2", "/extra/whole_crew_2"]),
        ("Takeover", ["/extra/rating_across_1"]),
    ],
)
def test_each_scenario_has_its_own_facts(game, scenario, wanted):
    _, facts = asked(game(FACTIONS, scenario))
    assert set(wanted) <= set(facts)
    assert all(facts[where]["clause"] for where in wanted)
    assert "/extra/round_1_claims_1" not in facts or scenario == "Escalation"


def test_scenarios_per_table_are_choices_of_the_form(game):
    _, facts = asked(game(FACTIONS, options=PER_TABLE))
    assert facts["/scenario"]["choices"][:2] == ["Confrontation", "Melee"]
    assert facts["/extra/rating_across_1"]["only"] == {"where": "/scenario", "value": "Takeover"}


def test_the_form_has_objectives_with_their_board(game):
    form, facts = asked(game(DUST))
    assert (form["draw"], facts["/winner"]["needed"], facts["/points_1"]["most"]) == ("tie", True, 400)
    assert facts["/board/objective"]["choices"][0] == "Key Positions"
    assert facts["/board/noted_1"]["only"] == {"where": "/board/objective", "value": "Key Positions"}
    assert (facts["/board/target_dead_2"]["kind"], facts["/board/target_dead_2"]["choices"]) == ("flag", [False, True])


def test_the_form_of_other_games_has_the_score(game):
    _, facts = asked(game("round-robin"))
    assert list(facts) == ["/points_1", "/points_2", "/winner"]
    assert facts["/points_1"]["most"] is None


def test_the_form_of_a_bye_or_an_unknown_game_is_refused(evening):
    assert evening.get("/games/r1g3/result-form", by="p1").code == "bye-has-no-result"
    assert evening.get("/games/r9g9/result-form", by="p1").code == "game-unknown"


def test_a_players_preview_shows_only_the_score(game):
    told = game(FACTIONS, "Treasure Hunt")
    facts = {"extra": {"tokens_1": 3, "tokens_2": 1, "search_tokens_1": 2}}
    moves = given(told, facts).body["moves"]
    assert set(moves) == {"games"}
    [one] = moves["games"]
    assert one["game"] == "r1g1"
    assert one["score"]["values_1"] == {"tournament_points": 2, "scenario_points": 15, "search_tokens": 2}
    assert (one["score"]["outcome_1"], one["score"]["values_2"]["scenario_points"]) == ("win", 5)


def test_a_preview_by_staff_shows_score_and_standings(game):
    moves = given(game(ARMADA), {"points_1": 200, "points_2": 40, "end": "rounds"}, by="organiser").body["moves"]
    assert moves["games"][0]["score"]["values_1"] == {"tournament_points": 9, "margin_of_victory": 160}
    assert moves["standings"]["ranks"]


def test_a_preview_refuses_with_the_place_of_the_fact(game):
    refused = given(game(FACTIONS, "Treasure Hunt"), {"extra": {"tokens_1": 4, "tokens_2": 3}})
    assert (refused.code, refused.places) == ("impossible-result", ["/facts/extra/tokens_1"])


ON_THE_TABLE = [
    (DUST, "", {"board": {"objective": "Key Positions", "noted_1": ["A", "B"], "noted_2": ["C", "B"],
                          "controlled_1": ["B"], "controlled_2": [], "units_1": [{"points": 45, "gone": True}],
                          "units_2": []}}, {"match_points": 10, "break_points": 0}),
    (ARMADA, "", {"destroyed_1": 100, "objective_1": 40, "destroyed_2": 60, "objective_2": 0},
     {"tournament_points": 7, "margin_of_victory": 80}),
    (FACTIONS, "Raid", {"extra": {f"round_{turn}_claims_{side}": 3 - side for turn in (2, 3, 4) for side in (1, 2)}},
     {"tournament_points": 2, "scenario_points": 18, "search_tokens": 0}),
]  # fmt: skip


@pytest.mark.parametrize(("ruleset", "scenario", "facts", "worth"), ON_THE_TABLE)
def test_the_form_matches_the_accepted_facts(game, ruleset, scenario, facts, worth):
    told = game(ruleset, scenario)
    _, known = asked(told)
    places = {f"/{name}" for name in facts if name not in ("extra", "board")}
    places |= {f"/{part}/{name}" for part in ("extra", "board") for name in facts.get(part, {})}
    assert places <= set(known)
    assert given(told, facts).body["moves"]["games"][0]["score"]["values_1"] == worth
