"""Options that the kit leaves to the organiser, on and off, and impossible results, given as files."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from muster.cli.main import main
from shared.formats.options import apply_options
from shared.refusals import display_text
from shared.rules.model import PLACES, Draw, Entrant, Facts, Game, ImpossibleResult, as_json
from shared.swiss.pairing import pair_round, pair_with_spare
from shared.swiss.roster import check_roster
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import bye_score, score_game
from shared.swiss.standings import PURPOSE, rank
from tests.rules.factions import FACTIONS

HEADER = "round,kind,player_1,player_2,points_1,points_2,scenario,conceded_by,winner"


def game(round: int, one: str, two: str, points_1: int, points_2: int, ruleset: Ruleset = FACTIONS) -> Game:
    facts = Facts(points_1=points_1, points_2=points_2, scenario="Melee")
    return Game(round, None, "game", one, two, facts, score_game(ruleset, facts))


@pytest.fixture
def ask(tmp_path: Path):
    """Call `muster standings` on rows of results."""

    def call(
        *rows: str, players: str = "player,status\nana,\nben,\ncy,disqualified\n", more: tuple[str, ...] = ()
    ) -> Result:
        (tmp_path / "players.csv").write_text(players, "utf-8")
        (tmp_path / "results.csv").write_text("\n".join([HEADER, *rows]) + "\n", "utf-8")
        files = ["--players", str(tmp_path / "players.csv"), "--results", str(tmp_path / "results.csv")]
        return CliRunner().invoke(
            main, ["standings", "--ruleset", "fallout-factions-comp-1.0", "--format", "csv", *files, *more]
        )

    return call  # fmt: skip


@pytest.mark.clause("FF-AMB-7", "FF-BYE-2")
def test_half_of_the_most_points() -> None:
    most = {"Confrontation": 13, "Crossroads": 15, "Raid": 23, "Chokepoint": 23, "Escape": 13}
    assert {name: bye_score(FACTIONS, name).values_1["scenario_points"] for name in most} == most
    flat = apply_options(FACTIONS, {"scenario_max": "25"})
    assert bye_score(flat, "Raid").values_1["scenario_points"] == 13
    given_up = Facts(points_1=0, points_2=0, conceded_by=2, scenario="Raid")
    assert score_game(flat, given_up).values_1["scenario_points"] == 13


@pytest.mark.clause("FF-AMB-14")
def test_a_concession_may_leave_the_points_on_the_table() -> None:
    table = apply_options(FACTIONS, {"concession": "table_score"})
    for reported, due in ((6, 6), (0, 1), (None, 1)):
        facts = Facts(points_1=reported, points_2=12, conceded_by=2, scenario="Raid")
        assert score_game(table, facts).values_1["scenario_points"] == due
        assert score_game(FACTIONS, facts).values_1["scenario_points"] == 23
    assert score_game(table, Facts("no_show", conceded_by=1, scenario="Raid")).values_2["scenario_points"] == 1


@pytest.mark.clause("FF-AMB-11")
def test_the_bye_may_move_to_avoid_a_rematch() -> None:
    field = [Entrant(player) for player in ("a", "b", "c")]
    games = [game(1, "a", "b", 20, 5)]
    facts = Facts("bye", scenario="Melee")
    games.append(Game(1, None, "bye", "c", None, facts, score_game(FACTIONS, facts)))
    games.append(game(2, "a", "c", 20, 15))
    again = Game(2, None, "bye", "b", None, facts, score_game(FACTIONS, facts))
    stays = pair_round(FACTIONS, field, [*games, again], round=3, seed="")
    assert stays.pairings[-1].player_1 == "b"
    assert stays.pairings[0].rematch
    moves = apply_options(FACTIONS, {"bye_may_move": "true"})
    found = pair_round(moves, field, [*games, again], round=3, seed="")
    assert found.pairings[-1].player_1 == "a"
    assert not found.pairings[0].rematch


@pytest.mark.clause("FF-AMB-11")
def test_the_bye_moves_to_where_the_fewest_rematches_are_left() -> None:
    field = [Entrant(player) for player in "abcde"]
    met = [pair for pair in combinations("abcde", 2) if pair != ("d", "e")]
    games = [game(number, one, two, 20, 5) for number, (one, two) in enumerate(met, 1)]
    moves = apply_options(FACTIONS, {"bye_may_move": "true"})
    for ruleset, rematches, left_over in ((FACTIONS, 2, "e"), (moves, 1, "c")):
        found = pair_round(ruleset, field, games, round=10, seed="3").pairings
        assert sum(pairing.rematch for pairing in found) == rematches
        assert found[-1].player_1 == left_over


@pytest.mark.clause("FF-AMB-13", "FF-DROP-1")
def test_dropped_players_stay_in_the_standings_or_not_and_are_never_paired() -> None:
    field = [Entrant("a"), Entrant("b", status="dropped", dropped_after=1), Entrant("c"), Entrant("d")]
    games = [game(1, "a", "b", 5, 20), game(1, "c", "d", 20, 4)]
    hidden = apply_options(FACTIONS, {"dropped_in_standings": "false"})
    assert "b" in [row.player for row in rank(FACTIONS, field, games, round=1, seed="").rows]
    assert "b" not in [row.player for row in rank(hidden, field, games, round=1, seed="").rows]
    for ruleset in (FACTIONS, hidden):
        paired = pair_round(ruleset, field, games, round=2, seed="").pairings
        assert sorted(player for pairing in paired for player in pairing.players) == ["a", "c", "d"]


@pytest.mark.clause("FF-PAIR-2", "FF-SPARE-1")
def test_wishes_to_meet_others_first_hold_in_round_one_with_a_spare_player_too() -> None:
    for seed in map(str, range(20)):
        made = pair_with_spare(FACTIONS, map(Entrant, "abcde"), [], round=1, seed=seed, spare="s", apart=[("a", "b")])
        assert {"a", "b"} not in [set(pairing.players) for pairing in made.pairings]


@pytest.mark.clause("FF-SPARE-3", "FF-AMB-12", "FF-AMB-13")
def test_standing_in_for_a_dropped_player_keeps_the_recorded_order() -> None:
    ruleset = apply_options(FACTIONS, {"spare_mode": "first_drop", "dropped_in_standings": "false"})
    field = [*map(Entrant, "abcde"), Entrant("x", status="dropped", dropped_after=1)]
    games = [game(1, "a", "b", 9, 9), game(1, "c", "d", 9, 9), game(1, "e", "x", 20, 3)]
    for recorded in ("one", "two", "three"):
        standings = rank(ruleset, field, games, round=1, seed=recorded)
        order = [row.player for row in standings.rows]
        made = [
            pair_with_spare(ruleset, field, games, round=2, seed=seed, spare="s", standings=standings).pairings
            for seed in ("four", "five", "six")
        ]
        assert made[0][0].players == ("e", order[1])
        assert made[0][-1].kind == "spare"
        assert made[0] == made[1] == made[2]


@pytest.mark.clause("FF-SPARE-3", "FF-AMB-12")
def test_the_spare_player_stands_in_for_the_first_player_to_drop() -> None:
    """Standings: a, x, b, y, c. x dropped first and would have met a; y dropped later and keeps no place."""
    ruleset = apply_options(FACTIONS, {"spare_mode": "first_drop"})
    field = [
        *map(Entrant, "abc"),
        Entrant("x", status="dropped", dropped_after=1),
        Entrant("y", status="dropped", dropped_after=2),
    ]
    games = [game(1, "x", "c", 20, 1), game(1, "b", "y", 9, 5), game(2, "a", "c", 25, 0), game(2, "y", "b", 8, 7)]
    made = pair_with_spare(ruleset, field, games, round=3, seed="seed", spare="s").pairings
    assert [(pairing.players, pairing.rematch) for pairing in made] == [(("b", "c"), False), (("a", "s"), False)]
    other = [
        *field[:3],
        Entrant("x", status="dropped", dropped_after=2),
        Entrant("y", status="dropped", dropped_after=1),
    ]
    swapped = pair_with_spare(ruleset, other, games, round=3, seed="seed", spare="s").pairings
    assert [pairing.players for pairing in swapped] != [pairing.players for pairing in made]


@pytest.mark.clause("FF-AMB-8", "FF-SCN-1", "FF-BYE-2")
def test_a_round_has_one_scenario_that_holds_for_the_bye_too(ask) -> None:
    rows = ["1,game,ana,ben,10,5,Raid,,", "1,bye,cy,,,,,,"]
    assert ask("1,game,ana,ben,9,6,Raid,,", rows[1], players="player\nana\nben\ncy\n").stdout.splitlines()[1:] == [
        "1,cy,2,23,1,false,",
        "2,ana,2,9,1,false,",
        "3,ben,0,6,0,false,",
    ]
    mixed = ["1,game,ana,ben,9,6,Raid,,", "1,game,cy,dee,9,6,Melee,,"]
    four = "player\nana\nben\ncy\ndee\n"
    refused = ask(*mixed, players=four)
    assert refused.exit_code == 2
    assert ":3:scenario: 'Melee', expected Raid" in refused.stderr
    assert "FF-AMB-8" in refused.stderr
    assert ask(*mixed, players=four, more=("--option", "scenario_per=table")).exit_code == 0


@pytest.mark.clause("FF-AMB-8", "FF-AMB-14")
def test_an_unplayed_game_has_the_scenario_of_its_round(ask) -> None:
    rows = ["1,game,ana,ben,9,6,Raid,,", "1,forfeit,cy,dee,,,,1,"]
    assert ask(*rows, players="player\nana\nben\ncy\ndee\n").stdout.splitlines()[1] == "1,dee,2,23,1,false,"


@pytest.mark.clause("FF-PAIR-4", "FF-PAIR-5")
def test_one_player_is_left_over_in_a_round_and_a_venue(ask) -> None:
    played, three = "1,game,ana,ben,9,6,Raid,,", "player,venue\nana,\nben,\ncy,{}\ndee,{}\n"
    for one, two in (("bye,cy,", "bye,dee,"), ("bye,cy,", "spare,dee,x"), ("spare,cy,x", "spare,dee,x")):
        rows = [played, *(f"1,{left},{'9,6' if 'x' in left else ','},Raid,," for left in (one, two))]
        refused = ask(*rows, players=three.format("", ""))
        assert refused.exit_code == 2
        assert ":4:kind: " in refused.stderr
        assert "expected one player left over in round 1; the first is in row 3" in refused.stderr
        assert "FF-PAIR-4" in refused.stderr
        assert ask(*rows, players=three.format("north", "south")).exit_code == 0


@pytest.mark.clause("FF-SPARE-1")
def test_the_spare_player_is_not_paired_as_an_entrant(ask, tmp_path: Path) -> None:
    refused = ask("1,spare,ana,ben,9,6,Raid,,")
    assert refused.exit_code == 2
    assert ":2:player_2: 'ben', expected a player who is not paired" in refused.stderr
    assert "FF-SPARE-1" in refused.stderr
    files = ["--players", str(tmp_path / "players.csv"), "--results", str(tmp_path / "none.csv")]
    (tmp_path / "none.csv").write_text(HEADER + "\n", "utf-8")
    paired = CliRunner().invoke(main, ["pair", "--ruleset", FACTIONS.id, *files, "--spare", "ben"])
    assert paired.exit_code == 2
    assert "--spare: 'ben', expected a player who is not paired" in paired.stderr


@pytest.mark.clause("FF-AMB-14", "FF-DQ-3")
def test_points_awarded_against_a_disqualified_player_need_no_possible_split(ask) -> None:
    assert ask("1,game,cy,ana,0,13,Scavenge,,").stdout.splitlines()[1] == "1,ana,2,13,1,false,"
    assert ask("1,game,cy,ana,0,12,Scavenge,,").exit_code == 2
    assert ask("1,game,ben,ana,0,13,Scavenge,,").exit_code == 2


@pytest.mark.clause("FF-RES-1", "FF-RES-2", "FF-AMB-7")
def test_every_impossible_result_of_a_file_is_reported_with_its_clause(ask) -> None:
    rows = ["1,game,ana,ben,5,0,Crossroads,,", "2,game,ana,ben,46,0,Raid,,", "3,game,ana,ben,5,10,Melee,,1"]
    result = ask(*rows, "4,game,ana,ben,5,10,Moon,,")
    assert result.exit_code == 2
    places = [line.split("results.csv:")[1].split(": ")[0] for line in result.stderr.splitlines()]
    assert places == ["2:points_1", "3:points_1", "3:points_1", "3:points_1", "4:winner", "5:scenario"]
    assert result.stderr.count("FF-AMB-7") == 4
    assert result.stderr.count("FF-RES-2") == 1


@pytest.mark.clause("FF-SET-5")
def test_a_roster_refuses_campaign_fields() -> None:
    assert set(FACTIONS.roster.fields) == {"faction", "rating", "models", "chems", "legend", "ploys", "supplements"}
    for field in ("reputation", "experience", "parts", "story_actions", "caps", "locations", "temporary_reputation"):
        for value in (1, "x", [], [{"name": "x"}]):
            faults = check_roster(FACTIONS, FACTIONS.roster.example | {field: value})
            assert [(fault.where, fault.said) for fault in faults] == [(f"/{field}", display_text(value))]


@pytest.mark.clause("FF-SET-5")
@pytest.mark.parametrize("field", ["experience", "xp", "reputation", "temporary_reputation", "story_actions"])
def test_a_model_refuses_campaign_fields(field: str) -> None:
    roster = deepcopy(FACTIONS.roster.example)
    roster["models"][1][field] = 0
    assert [(fault.where, fault.clause) for fault in check_roster(FACTIONS, roster)] == [
        (f"/models/1/{field}", "FF-SET-5")
    ]


@pytest.mark.clause("FF-SET-5", "FF-SET-3")
@pytest.mark.parametrize("fact", ["experience", "caps", "parts", "retreated", "reputation"])
def test_a_result_refuses_campaign_facts(fact: str) -> None:
    assert set(FACTIONS.result.fields) == {"winner", "end", "conceded_by", "scenario", "extra"}
    for scenario in FACTIONS.scenarios:
        with pytest.raises(ImpossibleResult) as refused:
            score_game(FACTIONS, Facts(points_1=0, points_2=0, scenario=scenario.name, extra={f"{fact}_1": 1}))
        assert f"/extra/{fact}_1" in [fault.where for fault in refused.value.faults]


@pytest.mark.clause("FF-TIME-6")
def test_a_game_stopped_by_time_counts_as_played_so_far() -> None:
    stopped = {"round_2_claims_1": 1, "round_2_claims_2": 0, "game_rounds": 2, "interrupted": 1}
    score = score_game(FACTIONS, Facts(scenario="Raid", extra=stopped))
    assert (score.values_1["scenario_points"], score.values_2["scenario_points"]) == (3, 0)


@pytest.mark.clause("FF-AMB-6")
def test_a_scenario_has_a_name_and_aliases(ask, tmp_path: Path) -> None:
    three = "player\nana\nben\ncy\n"
    for one, other in (("Melee", "Ambush"), ("Raid", "Chokepoint"), ("Escalation", "Escape")):
        half = {"Raid": 23}.get(one, 13)
        rows = [f"1,game,ana,ben,3,3,{one},,", f"1,bye,cy,,,,{other},,"]
        assert ask(*rows, players=three).stdout.splitlines()[1] == f"1,cy,2,{half},1,false,"
    shown = CliRunner().invoke(main, ["ruleset", "show", FACTIONS.id]).stdout
    (tmp_path / "own.yaml").write_text(shown.replace("aliases: [Chokepoint]", "aliases: [Chokepoint, Razzia]"), "utf-8")
    rows = ["1,game,ana,ben,3,3,Razzia,,", "1,bye,cy,,,,,,"]
    assert ask(*rows, players=three).exit_code == 2
    own = ask(*rows, players=three, more=("--ruleset", str(tmp_path / "own.yaml")))
    assert own.stdout.splitlines()[1] == "1,cy,2,23,1,false,"


@pytest.mark.clause("FF-AMB-14")
@pytest.mark.parametrize("scenario", ["Crossroads", "Raid"])
def test_two_absent_players_both_lose_without_points(scenario: str) -> None:
    score = score_game(FACTIONS, Facts(kind="double_no_show", scenario=scenario))
    assert (score.outcome_1, score.outcome_2) == ("loss", "loss")
    assert score.values_1 == score.values_2 == {"tournament_points": 0, "scenario_points": 0}


MAXIMA = {
    "Confrontation": (25, 25, 1, 13),
    "Melee": (25, 25, 1, 13),
    "Treasure Hunt": (25, 0, 5, 13),
    "Scavenge": (25, 0, 5, 13),
    "Crossroads": (30, 0, 5, 15),
    "Raid": (45, 0, 3, 23),
    "Takeover": (25, 25, 1, 13),
    "Escalation": (25, 0, 0, 13),
}
"""Scenario -> maximum of one side, maximum of the other next to it, step, and value of a bye."""


def broken(scenario: str, one: int, two: int) -> set[str]:
    """Return the clauses violated by a game of a scenario with this score."""
    try:
        score_game(FACTIONS, Facts(points_1=one, points_2=two, scenario=scenario))
    except ImpossibleResult as refused:
        return {fault.clause for fault in refused.faults}
    return set()


@pytest.mark.clause("FF-SET-2", "FF-SCN-1")
def test_the_eight_scenarios_of_the_kit() -> None:
    assert [scenario.name for scenario in FACTIONS.scenarios] == list(MAXIMA)


@pytest.mark.clause("FF-AMB-7", "FF-BYE-2")
@pytest.mark.parametrize("name", MAXIMA)
def test_possible_points_of_scenarios(name: str) -> None:
    most, rest, step, bye = MAXIMA[name]
    assert broken(name, most, rest) == set()
    assert broken(name, most + max(step, 1), 0) == {"FF-AMB-7"}
    assert broken(name, most, most + 1) == {"FF-AMB-7"}
    assert broken(name, 2 * step, 0) == set()
    assert step in (0, 1) or broken(name, 2 * step + 1, 0) == {"FF-AMB-7"}
    assert bye_score(FACTIONS, name).values_1["scenario_points"] == bye


@pytest.mark.clause("FF-AMB-7", "FF-AMB-26")
@pytest.mark.parametrize("name", ["Treasure Hunt", "Scavenge"])
def test_five_tokens_are_shared(name: str) -> None:
    assert broken(name, 15, 10) == broken(name, 0, 0) == set()
    assert broken(name, 15, 15) == {"FF-AMB-7"}


@pytest.mark.clause("FF-AMB-7", "FF-AMB-14")
@pytest.mark.parametrize("name", MAXIMA)
def test_a_concession_is_limited_by_the_scenario(name: str) -> None:
    most, *_, bye = MAXIMA[name]
    given_up = score_game(FACTIONS, Facts(points_1=0, points_2=most, conceded_by=1, scenario=name))
    assert given_up.values_2["scenario_points"] == most >= bye
    with pytest.raises(ImpossibleResult) as refused:
        score_game(FACTIONS, Facts(points_1=0, points_2=most + 1, conceded_by=1, scenario=name))
    assert [(fault.where, fault.clause) for fault in refused.value.faults] == [("/points_2", "FF-AMB-7")]


@pytest.mark.clause("FF-AMB-20")
def test_ties_are_drawn_again_each_round_unless_draws_are_reused() -> None:
    field, games = [*map(Entrant, "ab")], [game(1, "a", "b", 9, 9), game(2, "a", "b", 9, 9)]

    def the_same(ruleset: Ruleset, seed: str) -> bool:
        first, second = (rank(ruleset, field, games[:round], round=round, seed=seed) for round in (1, 2))
        return [row.player for row in first.rows] == [row.player for row in second.rows]

    seeds = [f"seed {number}" for number in range(20)]
    assert not all(the_same(FACTIONS, seed) for seed in seeds)
    assert all(the_same(apply_options(FACTIONS, {"reuse_draws": "true"}), seed) for seed in seeds)


@pytest.mark.clause("FF-TB-4", "FF-AMB-3", "FF-AMB-20")
def test_the_later_of_two_coins_counts() -> None:
    field, games = [*map(Entrant, "ab")], [game(1, "a", "b", 9, 9), game(2, "a", "b", 9, 9)]
    thrown = [Draw(PURPOSE, 1, "", ("a", "b"), ("a", "b")), Draw(PURPOSE, 2, "", ("a", "b"), ("b", "a"))]
    for reuse in ("true", "false"):
        ruleset = apply_options(FACTIONS, {"reuse_draws": reuse})
        for coins in (thrown, thrown[::-1]):
            rows = rank(ruleset, field, games, round=2, seed="s", coins=coins).rows
            assert [row.player for row in rows] == ["b", "a"]


@pytest.mark.clause("FF-DOC-1", "FF-REG-3")
def test_the_printed_forms_of_an_event() -> None:
    papers = {form.name: ([*form.heading], [*form.columns]) for form in FACTIONS.forms}
    assert papers == {
        "crew roster": (
            ["name", "faction", "rating"],
            ["list", "name", "class", "points", "perks", "modifications", "upgrades"],
        ),
        "result note": (["round", "table", "scenario"], ["player", "scenario_points", "search_tokens"]),
        "registration list": (["tournament"], ["name", "faction", "status", "list", "checked_in"]),
        "pairings": (["tournament", "round", "venue", "scenario"], ["table", "player_1", "player_2"]),
        "standings": (["tournament", "round"], ["rank", "player", "tournament_points", "scenario_points", "wins"]),
    }


@pytest.mark.clause("FF-SPARE-3", "FF-AMB-12", "FF-DROP-1")
def test_a_dropped_stand_in_is_placed_in_standings_that_hide_them() -> None:
    """x, who dropped, is between a and b: a meets the place of x, which is the spare player's."""
    for shown in ("true", "false"):
        ruleset = apply_options(FACTIONS, {"spare_mode": "first_drop", "dropped_in_standings": shown})
        field = [*map(Entrant, "abcde"), Entrant("x", status="dropped", dropped_after=1)]
        games = [game(1, "a", "e", 25, 0), game(1, "x", "d", 20, 1), game(1, "b", "c", 15, 2)]
        standings = rank(ruleset, field, games, round=1, seed="s")
        assert ("x" in [row.player for row in standings.rows]) == (shown == "true")
        made = pair_with_spare(ruleset, field, games, round=2, seed="s", spare="s", standings=standings).pairings
        assert made[-1].players == ("a", "s")
        assert [pairing.players for pairing in made[:-1]] == [("b", "c"), ("d", "e")] or made[0].players[0] == "b"


@pytest.mark.clause("FF-DROP-1")
def test_fractions_are_shown_as_decimals() -> None:
    assert [as_json(value) for value in (Fraction(7, 2), Fraction(-1, 3), Fraction(6, 3))] == [
        "3.5",
        "-0." + "3" * PLACES,
        2,
    ]
