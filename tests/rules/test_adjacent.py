"""Rulesets that pair neighbours in the standings: Dust Warfare and Fallout: Factions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.rules.model import Entrant, Facts, Game, ImpossibleResult
from shared.swiss import registries
from shared.swiss.elimination import cut_places
from shared.swiss.pairing import pair_round
from shared.swiss.rounds import hard_stop, number_of_rounds, round_minutes, time_calls
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import score_game
from shared.swiss.standings import rank
from tests.rules.story import met_of, pairs_of, short

DUST = shipped_ruleset("dust-warfare-1.0")
FALLOUT = shipped_ruleset("fallout-factions-comp-1.0")
FOLDER = Path(__file__).parent / "data"
EXAMPLES: dict[str, Any] = yaml.safe_load((FOLDER / "adjacent_examples.yaml").read_text("utf-8"))
STORIES = {"DW-EX-2": DUST, "DW-EX-5": DUST, "DW-EX-6": DUST, "FF-EX-2": FALLOUT, "FF-EX-4": FALLOUT}


def game_from_text(ruleset: Ruleset, round: int, text: str, scenario: str) -> Game:
    """Return a game written as `Ana > Ben 140-60`, `Eli bye` or `Ana forfeit Ben 299` (points of Ben's roster)."""
    one, how, *rest = text.split()
    if how == "bye":
        facts = Facts("bye", scenario=scenario)
        return Game(round, None, "bye", one, None, facts, score_game(ruleset, facts))
    if how == "forfeit":
        facts = Facts("forfeit", conceded_by=2, extra={"list_2": int(rest[1])})
    else:
        points = [int(number) for number in re.findall(r"\d+", rest[1])]
        winner: Any = {">": 1, "<": 2, "=": "draw"}[how]
        facts = Facts(points_1=points[0], points_2=points[1], winner=winner, scenario=scenario)
    return Game(round, None, "game", one, rest[0], facts, score_game(ruleset, facts))


def story(id: str) -> tuple[dict[str, Any], list[Game]]:
    example = EXAMPLES[id]
    scenarios = [*example.get("scenarios", []), "", "", ""]
    return example, [
        game_from_text(STORIES[id], round, text, scenarios[round - 1])
        for round, texts in example["games"].items()
        for text in texts
    ]


@pytest.mark.clause("DW-EX-2", "DW-EX-5", "DW-EX-6", "DW-PAIR-3", "DW-PAIR-4", "DW-PAIR-5", "DW-TB-1", "DW-AMB-8")
@pytest.mark.clause("DW-PTS-1", "DW-BYE-1", "DW-FOR-2", "DW-AMB-1", "DW-AMB-2", "DW-AMB-3", "DW-AMB-6", "DW-RES-1")
@pytest.mark.clause("FF-EX-2", "FF-EX-4", "FF-PAIR-3", "FF-PAIR-4", "FF-PAIR-6", "FF-TB-1", "FF-TB-2", "FF-TB-3")
@pytest.mark.clause("FF-BYE-1", "FF-BYE-2", "FF-BYE-3", "FF-RES-2", "FF-RES-3", "FF-AMB-1", "FF-AMB-10")
@pytest.mark.parametrize("id", STORIES)
def test_worked_examples(id: str) -> None:
    example, games = story(id)
    ruleset = STORIES[id]
    players = sorted({game.player_1 for game in games} | {game.player_2 for game in games if game.player_2})
    for round, expected in example["rounds"].items():

        def field(after: int) -> list[Entrant]:
            out = {player for player, since in example.get("disqualified", {}).items() if after >= since}
            return [Entrant(player, status="disqualified" if player in out else "active") for player in players]

        assert short(rank(ruleset, field(round), games, round=round, seed="")) == expected["standings"]
        if "pairs" in expected:
            paired = pair_round(ruleset, field(round - 1), games, round=round, seed="")
            found = [pairing.players for pairing in paired.pairings]
            byes = [{expected["bye"]}] if "bye" in expected else []
            assert [set(pair) for pair in found] == [set(pair.split("-")) for pair in expected["pairs"]] + byes


@pytest.mark.clause("DW-EX-3", "DW-AMB-8", "DW-PAIR-4")
@pytest.mark.parametrize(("players", "met", "policy", "pairs"), EXAMPLES["DW-EX-3"])
def test_the_paper_process(players: str, met: list[str], policy: str, pairs: list[str]) -> None:
    found = registries.PAIRING_POLICIES[policy].pair([list(players)], met_of(met))
    assert {frozenset(pair) for pair in found} == pairs_of(pairs)
    assert ["-".join(pair) for pair in found] == pairs


@pytest.mark.clause("FF-EX-4", "FF-AMB-1")
def test_a_repeated_bye_can_be_avoided() -> None:
    _, games = story("FF-EX-4")
    kind = apply_options(FALLOUT, {"avoid_repeat_byes": True})
    field = [Entrant(player) for player in ("Ana", "Ben", "Cy", "Dee", "Eli")]
    found = [pairing.players for pairing in pair_round(kind, field, games, round=3, seed="").pairings]
    assert found == [("Ana", "Dee"), ("Ben", "Eli"), ("Cy",)]


@pytest.mark.clause("FF-EX-10", "FF-AMB-14", "FF-AMB-7")
@pytest.mark.parametrize(("scenario", "kind", "opponent", "conceder", "won", "lost"), EXAMPLES["FF-EX-10"])
def test_concessions_and_absences(scenario: str, kind: Any, opponent: int, conceder: int, won: int, lost: int) -> None:
    score = score_game(FALLOUT, Facts(kind, points_1=opponent, points_2=conceder, conceded_by=2, scenario=scenario))
    tokens = {"search_tokens": 0}
    assert (score.outcome_1, score.values_1) == ("win", {"tournament_points": 2, "scenario_points": won} | tokens)
    assert (score.outcome_2, score.values_2) == ("loss", {"tournament_points": 0, "scenario_points": lost} | tokens)


@pytest.mark.clause("FF-AMB-4", "FF-RES-4")
def test_search_tokens_are_recorded_and_break_ties_only_if_the_option_is_set() -> None:
    def field(ruleset: Ruleset) -> list[str]:
        facts = Facts(points_1=12, points_2=12, scenario="Melee", extra={"search_tokens_1": 1, "search_tokens_2": 3})
        games = [Game(1, None, "game", "a", "b", facts, score_game(ruleset, facts))]
        found = rank(ruleset, [Entrant("a"), Entrant("b")], games, round=1, seed="any")
        return [row.player for row in found.rows] if not found.draws else []

    assert field(FALLOUT) == []
    assert field(apply_options(FALLOUT, {"search_token_tiebreak": "append"})) == ["b", "a"]


@pytest.mark.clause("FF-RES-1", "FF-RES-2", "FF-RES-4", "FF-AMB-7", "FF-AMB-6", "DW-RES-1", "DW-RES-2")
@pytest.mark.parametrize(
    ("ruleset", "facts", "where"),
    [
        (FALLOUT, {"points_1": 5, "points_2": 10, "winner": 1, "scenario": "Melee"}, ["/winner"]),
        (FALLOUT, {"points_1": 26, "points_2": 0, "scenario": "Ambush"}, ["/points_1"]),
        (FALLOUT, {"points_1": 20, "points_2": 10, "scenario": "Scavenge"}, ["/points_1"]),
        (FALLOUT, {"points_1": 4, "points_2": 45, "scenario": "Raid"}, ["/points_1", "/points_1"]),
        (FALLOUT, {"points_1": 4, "points_2": 4}, ["/scenario"]),
        (FALLOUT, {"kind": "bye"}, ["/scenario"]),
        (FALLOUT, {"kind": "forfeit", "scenario": "Dance", "conceded_by": 1}, ["/scenario"]),
        (
            FALLOUT,
            {"points_1": 4, "points_2": 4, "scenario": "Melee", "extra": {"search_tokens_1": 6, "search_tokens_2": -1}},
            ["/extra/search_tokens_1", "/extra/search_tokens_2"],
        ),
        (DUST, {"points_1": 5, "points_2": 10}, ["/winner"]),
        (DUST, {"points_1": -5, "winner": 1}, ["/points_1", "/points_2"]),
        (DUST, {"points_1": 5}, ["/points_2", "/winner"]),
        (FALLOUT, {"points_1": 5, "winner": 1, "scenario": "Melee"}, ["/points_2"]),
        (DUST, {"kind": "spare", "points_1": 5, "points_2": 5, "winner": 1}, ["/kind"]),
        (DUST, {"points_1": 5, "points_2": 5, "end": "concession"}, ["/conceded_by"]),
    ],
)
def test_impossible_results(ruleset: Ruleset, facts: dict[str, Any], where: list[str]) -> None:
    with pytest.raises(ImpossibleResult) as refused:
        score_game(ruleset, Facts(**facts))
    assert [fault.where for fault in refused.value.faults] == where
    assert all(fault.clause and str(fault.expected) for fault in refused.value.faults)


@pytest.mark.clause("DW-AMB-19", "DW-AMB-17")
def test_concessions_and_absences_of_dust() -> None:
    facts = Facts(points_1=90, points_2=120, conceded_by=2, extra={"list_2": 299})
    assert score_game(DUST, facts).values_1 == {"match_points": 10, "break_points": 90}
    facts = Facts(points_1=190, points_2=120, conceded_by=2, extra={"list_2": 299})
    assert score_game(DUST, facts).values_1 == {"match_points": 10, "break_points": 190}
    assert score_game(DUST, facts).values_2 == {"match_points": 3, "break_points": 0}
    assert score_game(DUST, Facts("no_show", conceded_by=1)).values_2 == {"match_points": 10, "break_points": 0}
    assert score_game(DUST, Facts("no_show", conceded_by=1)).values_1 == {"match_points": 0, "break_points": 0}
    forfeit = Facts("forfeit", points_1=0, points_2=149, winner=2, conceded_by=1)
    assert score_game(DUST, forfeit).values_2 == {"match_points": 10, "break_points": 149}


@pytest.mark.clause("DW-EX-1", "DW-RND-1", "DW-CUT-1", "DW-TIME-1", "DW-AMB-10")
def test_rounds_cut_and_times_of_dust() -> None:
    rows = [(3, 2, 0, 0), (4, 2, 0, 0), (5, 3, 0, 0), (8, 3, 0, 0), (9, 4, 0, 0), (16, 4, 0, 0), (17, 4, 2, 3)]
    rows += [
        (32, 4, 2, 3),
        (33, 5, 4, 3),
        (64, 5, 4, 3),
        (65, 6, 8, 3),
        (128, 6, 8, 3),
        (129, 8, 16, 4),
        (256, 8, 16, 4),
    ]
    for players, rounds, cut, after in rows:
        places = cut_places(DUST, players)
        assert (number_of_rounds(DUST, players), places.places, places.after_round) == (rounds, cut, after)
    assert (number_of_rounds(DUST, 2), number_of_rounds(DUST, 257)) == (None, None)
    limits = [100, 200, 201, 250, 300, 301, 400]
    assert [round_minutes(DUST, limit) for limit in limits] == [30, 60, 90, 90, 90, 120, 120]


@pytest.mark.clause("FF-TIME-1", "FF-TIME-3", "FF-TIME-5", "FF-RND-1", "FF-AMB-9")
def test_the_clock_of_fallout() -> None:
    assert [call.second for call in time_calls(FALLOUT)] == [0, 37 * 60 + 30, 65 * 60, 75 * 60]
    assert hard_stop(FALLOUT) == 80 * 60
    assert number_of_rounds(FALLOUT, 12) is None


@pytest.mark.clause("FF-AMB-14")
def test_the_player_who_came_keeps_the_points_of_a_conceded_game() -> None:
    left = score_game(FALLOUT, Facts("forfeit", points_1=30, points_2=3, conceded_by=2, scenario="Raid"))
    right = score_game(FALLOUT, Facts("forfeit", points_1=3, points_2=30, conceded_by=1, scenario="Raid"))
    assert left.values_1 == right.values_2 == {"tournament_points": 2, "scenario_points": 30, "search_tokens": 0}
