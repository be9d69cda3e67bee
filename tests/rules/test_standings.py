"""Standings of the worked examples, and input that must not matter."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.rules.model import Entrant, Facts, Game, as_json, draw_order, exact_text
from shared.swiss.scoring import score_game
from shared.swiss.standings import Standings, explain, rank, rows_as_json
from tests.examples import examples
from tests.rules.story import ARMADA, EXAMPLES, bye, entered, game_of_example, played, short, worth

STORIES = ["AR-EX-5", "AR-EX-6", "AR-EX-7"]
TOME = apply_options(ARMADA, {"sos": "tome"})


def field_of(example: dict[str, Any], round: int) -> list[Entrant]:
    """Return the entrants of an example as they are after a round."""
    found = []
    for player in example["players"]:
        if player in example.get("disqualified", {}) and round >= example["disqualified"][player]:
            found.append(Entrant(player, status="disqualified"))
        elif player in example.get("dropped", {}) and round >= example["dropped"][player]:
            found.append(Entrant(player, status="dropped", dropped_after=example["dropped"][player]))
        else:
            found.append(Entrant(player))
    return found


@pytest.mark.clause("AR-EX-5", "AR-EX-6", "AR-EX-7", "AR-TB-1", "AR-TB-2", "AR-TB-3", "AR-BYE-2", "AR-AMB-1")
@pytest.mark.clause("AR-AMB-16", "AR-AMB-17", "AR-AMB-5", "AR-PTS-3")
@pytest.mark.parametrize("id", STORIES)
def test_standings_of_the_worked_examples(id: str) -> None:
    example = EXAMPLES[id]
    games = [game_of_example(row) for row in example["games"]]
    for round, expected in example["rounds"].items():
        if "standings" in expected:
            found = rank(ARMADA, field_of(example, round), games, round=round, seed="draw")
            assert short(found) == expected["standings"]
            assert not found.draws


@pytest.mark.parametrize("id", STORIES)
def test_games_of_the_worked_examples(id: str) -> None:
    for row in EXAMPLES[id]["games"]:
        if len(row) > 2:
            score, (winner, margin, one, two) = game_of_example(row).score, row[7:]
            assert [score.values_1["tournament_points"], score.values_2["tournament_points"]] == [one, two]
            assert score.values_1["margin_of_victory"] + score.values_2["margin_of_victory"] == margin
            assert (score.outcome_1 == "win") == (winner == row[1])


@pytest.mark.clause("AR-EX-6", "AR-TB-4", "AR-AMB-4")
def test_the_mean_schedule_reverses_the_top_of_the_table() -> None:
    example = EXAMPLES["AR-EX-6"]
    games = [game_of_example(row) for row in example["games"]]
    tables = [rank(ruleset, field_of(example, 3), games, round=3, seed="") for ruleset in (ARMADA, TOME)]
    for player, (by_sum, by_mean, rank_by_sum, rank_by_mean) in example["tome"].items():
        rows = [next(row for row in table.rows if row.player == player) for table in tables]
        assert [row.rank for row in rows] == [rank_by_sum, rank_by_mean]
        values = [row.values["strength_of_schedule"] for row in rows]
        assert values == [by_sum, Fraction(by_mean)]


@pytest.mark.clause("AR-AMB-4")
def test_byes_count_as_rounds_in_the_mean_schedule() -> None:
    games = [worth(1, "a", "b", 6, 4), bye(2, "a"), bye(3, "b")]
    found = {
        row.player: row.values["strength_of_schedule"]
        for row in rank(TOME, entered(*"abc"), games, round=3, seed="").rows
    }
    assert found == {"a": Fraction(12, 2) / 2, "b": Fraction(14, 2) / 2, "c": 0}
    met = apply_options(ARMADA, {"sos": "tome_met"})
    rows = rank(met, entered(*"abc"), games, round=3, seed="").rows
    without = {row.player: row.values["strength_of_schedule"] for row in rows}
    assert without == {"a": Fraction(12, 2), "b": Fraction(14, 2), "c": 0}  # a bye is no round of the player's own


@pytest.mark.clause("AR-AMB-15")
def test_tied_players_are_drawn_and_marked() -> None:
    found = rank(ARMADA, entered("a", "b", "c"), [worth(1, "a", "b", 5, 5)], round=1, seed="s")
    order = draw_order("s", "standings", 1, ["a", "b"])
    assert [row.player for row in found.rows] == [*order, "c"]
    assert [row.tied for row in found.rows] == [True, True, False]
    assert [row.rank for row in found.rows] == [1, 2, 3]
    assert [(draw.purpose, draw.round, draw.group, list(draw.order)) for draw in found.draws] == [
        ("standings", 1, ("a", "b"), order)
    ]


@pytest.mark.clause("AR-AMB-15")
def test_unresolved_ties_may_share_a_rank_instead() -> None:
    shared = apply_options(ARMADA, {"unresolved_ties": "shared"})
    found = rank(shared, entered("a", "b", "c"), [worth(1, "a", "b", 5, 5)], round=1, seed="s")
    assert [(row.rank, row.player, row.tied) for row in found.rows] == [(1, "a", True), (1, "b", True), (3, "c", False)]
    assert not found.draws


@pytest.mark.clause("AR-AMB-16", "AR-DQ-1")
def test_games_against_a_disqualified_player_may_be_voided() -> None:
    entrants = [Entrant("a"), Entrant("b"), Entrant("x", status="disqualified")]
    games = [worth(1, "a", "x", 8, 2, 100), worth(2, "b", "a", 6, 4, 30), worth(3, "x", "b", 5, 5)]
    assert short(rank(ARMADA, entrants, games, round=3, seed="")) == ["a 12/100/18", "b 11/30/19"]
    void = apply_options(ARMADA, {"dq_opponent_results": "void_games"})
    assert short(rank(void, entrants, games, round=3, seed="")) == ["b 6/30/4", "a 4/0/6"]


@pytest.mark.clause("AR-AMB-17")
def test_a_dropped_player_stays_in_the_standings_marked() -> None:
    entrants = [Entrant("a"), Entrant("b", status="dropped", dropped_after=1)]
    found = rank(ARMADA, entrants, [worth(1, "b", "a", 9, 1, 200)], round=3, seed="")
    assert [(row.player, row.status) for row in found.rows] == [("b", "dropped"), ("a", "active")]
    assert rows_as_json(found)[0]["status"] == "dropped"
    assert "status" not in rows_as_json(found)[1]


@pytest.mark.clause("AR-AMB-18", "AR-TB-3")
def test_unplayed_games_count_in_schedules_only_as_concessions() -> None:
    def schedules(options: dict[str, str]) -> dict[str, object]:
        ruleset = apply_options(ARMADA, options)
        facts = Facts("no_show", conceded_by=2)
        absent = Game(2, None, "game", "a", "b", facts, score_game(ruleset, facts))
        rows = rank(ruleset, entered("a", "b"), [worth(1, "b", "a", 6, 4), absent], round=2, seed="").rows
        return {row.player: row.values["strength_of_schedule"] for row in rows}

    assert schedules({}) == {"a": 6, "b": 12}
    assert schedules({"no_show": "concession"}) == {"a": 12, "b": 28}


@pytest.mark.clause("AR-AMB-25")
def test_later_rounds_are_left_out_and_a_corrected_game_counts_as_corrected() -> None:
    games = [played(1, "a", "b", 150, 100), played(2, "a", "b", 0, 300)]
    assert short(rank(ARMADA, entered("a", "b"), games, round=1, seed="")) == ["a 6/50/4", "b 4/0/6"]
    corrected = [played(1, "a", "b", 100, 150)]
    assert short(rank(ARMADA, entered("a", "b"), corrected, round=1, seed="")) == ["b 6/50/4", "a 4/0/6"]


@pytest.mark.clause("A4-PTS", "A4-MOV", "A4-BYE", "A4-FOR")
def test_a_real_tournament_gives_its_recorded_standings(real: tuple[list[Entrant], list[Game], Standings]) -> None:
    folder = Path(__file__).parents[1] / "data" / "armada-2025"
    with (folder / "expected.csv").open(encoding="utf-8") as file:
        expected = {
            row["player"]: (int(row["tournament_points"]), int(row["margin_of_victory"]))
            for row in csv.DictReader(file)
        }
    rows = real[2].rows
    assert len(rows) == 147
    assert {row.player: (row.values["tournament_points"], row.values["margin_of_victory"]) for row in rows} == expected


def test_every_value_is_the_sum_of_its_shares(real: tuple[list[Entrant], list[Game], Standings]) -> None:
    entrants, games, standings = real
    for ruleset in (shipped_ruleset("star-wars-armada-400"), TOME):
        explained = explain(ruleset, entrants, games, round=4)
        for row in rank(ruleset, entrants, games, round=4, seed="").rows[::7]:
            for value in explained(row.player):
                assert value.value == exact_text(row.values[value.column])
                assert sum(Fraction(share.value) for share in value.shares) == row.values[value.column]
                assert value.clause
    assert standings.rows


def test_no_float_is_in_any_value(real: tuple[list[Entrant], list[Game], Standings]) -> None:
    entrants, games, standings = real
    for table in (standings, rank(TOME, entrants, games, round=4, seed="")):
        assert {type(value) for row in table.rows for value in row.values.values()} <= {int, Fraction}
        assert {type(value) for row in rows_as_json(table) for value in row.values()} <= {int, str, bool}
    assert {type(value) for game in games for value in game.score.values_1.values()} == {int}


@settings(max_examples=examples(6), deadline=None)
@given(chance=some.randoms(use_true_random=False))
def test_standings_do_not_depend_on_row_order_or_names(
    real: tuple[list[Entrant], list[Game], Standings], chance: Any
) -> None:
    entrants, games, standings = real
    ruleset = shipped_ruleset("star-wars-armada-400")
    shuffled = rank(
        ruleset, chance.sample(entrants, len(entrants)), chance.sample(games, len(games)), round=4, seed="s"
    )
    assert shuffled == standings
    mirrored = [swapped(game) if chance.random() < 0.5 else game for game in games]
    assert rank(ruleset, entrants, mirrored, round=4, seed="s") == standings
    renamed = {entrant.player: f"x{chance.random()}{entrant.player}" for entrant in entrants}
    other = rank(
        ruleset,
        [msgspec.structs.replace(entrant, player=renamed[entrant.player]) for entrant in entrants],
        [
            msgspec.structs.replace(
                game, player_1=renamed[game.player_1], player_2=game.player_2 and renamed[game.player_2]
            )
            for game in games
        ],
        round=4,
        seed="s",
    )
    assert [row.values for row in other.rows] == [row.values for row in standings.rows]
    assert {row.player for row in other.rows if not row.tied} == {
        renamed[row.player] for row in standings.rows if not row.tied
    }


def swapped(game: Game) -> Game:
    """Return the game with its sides swapped."""
    if game.player_2 is None:
        return game
    score = msgspec.structs.replace(
        game.score,
        outcome_1=game.score.outcome_2,
        outcome_2=game.score.outcome_1,
        values_1=game.score.values_2,
        values_2=game.score.values_1,
    )
    return msgspec.structs.replace(game, player_1=game.player_2, player_2=game.player_1, score=score)


@given(some.fractions(max_denominator=5000))
def test_values_are_written_without_floats(value: Fraction) -> None:
    written = as_json(value)
    assert type(written) in (int, str)
    assert abs(Fraction(written) - value) <= Fraction(1, 2_000_000)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (7, 7),
        (Fraction(8, 2), 4),
        (Fraction(11, 2), "5.5"),
        (Fraction(44, 9), "4.888889"),
        (Fraction(-1, 3), "-0.333333"),
    ],
)
def test_fractions_become_decimal_strings(value: Fraction, written: object) -> None:
    assert as_json(value) == written
