"""Number and length of rounds, the cut, and the tables of games."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import networkx
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from muster.cli.main import main
from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.rules.model import NotEnoughTables, Pairing, RoundsNotFixed, draw_order
from shared.rules.pairing import Seated, Table, assign_tables
from shared.swiss.elimination import bracket_seeds, cut_places, first_bracket_pairs
from shared.swiss.rounds import hard_stop, number_of_rounds, round_minutes, time_calls, timetable
from tests.rules.story import ARMADA, EXAMPLES

TABLES = [Table("hall", number, accessible=number in (3, 5)) for number in (5, 4, 3, 2, 1)]
PAIRINGS = [Pairing("game", "a", "b"), Pairing("game", "c", "d"), Pairing("game", "e", "f"), Pairing("bye", "g")]


@pytest.mark.clause("AR-EX-9", "AR-RND-1", "AR-SET-4", "AR-AMB-24")
@pytest.mark.parametrize(("players", "rounds"), EXAMPLES["AR-EX-9"]["rounds"].items())
@pytest.mark.parametrize("tier", ["competitive", "premier", ""])
def test_rounds_by_number_of_players(players: int, rounds: int, tier: str) -> None:
    assert number_of_rounds(ARMADA, players, tier) == rounds


@pytest.mark.clause("AR-RND-2", "AR-SET-2")
def test_the_organiser_sets_the_rounds_of_a_casual_event() -> None:
    assert number_of_rounds(ARMADA, 12, "casual") is None


@pytest.mark.clause("AR-AMB-24", "AR-SET-2")
@pytest.mark.parametrize(("players", "tier"), [(1, "competitive"), (8, "friendly")])
def test_no_rounds_for_one_player_or_an_unknown_tier(players: int, tier: str) -> None:
    with pytest.raises(RoundsNotFixed):
        number_of_rounds(ARMADA, players, tier)


@pytest.mark.clause("AR-TIME-1", "AR-TIME-2", "AR-AMB-19", "AR-AMB-23")
def test_the_clock() -> None:
    assert round_minutes(ARMADA) == 120
    assert [(call.name, call.second) for call in time_calls(ARMADA)] == [("start", 0), ("end", 7200)]
    assert hard_stop(ARMADA) is None
    longer = apply_options(ARMADA, {"round_minutes": 150, "overtime_minutes": 10})
    assert [(call.name, call.second) for call in time_calls(longer)] == [("start", 0), ("end", 9000)]
    assert hard_stop(longer) == 9600


@pytest.mark.clause("A4-TIME", "AR-AMB-19")
def test_fleets_of_400_points_play_for_150_minutes() -> None:
    edition = shipped_ruleset("star-wars-armada-400")
    assert [(call.name, call.second) for call in time_calls(edition)] == [("start", 0), ("end", 9000)]


@pytest.mark.clause("AR-CUT-1", "AR-AMB-21")
def test_there_is_no_cut() -> None:
    assert cut_places(ARMADA, 64).places == 0


@pytest.mark.clause("DW-AMB-4")
@pytest.mark.parametrize(
    ("size", "seeds"),
    [
        (2, [(1, 2)]),
        (4, [(1, 4), (2, 3)]),
        (8, [(1, 8), (4, 5), (2, 7), (3, 6)]),
        (16, [(1, 16), (8, 9), (4, 13), (5, 12), (2, 15), (7, 10), (3, 14), (6, 11)]),
    ],
)
def test_bracket_seeds(size: int, seeds: list[tuple[int, int]]) -> None:
    assert bracket_seeds(size) == seeds


@pytest.mark.parametrize("size", [0, 1, 3, 12])
def test_other_sizes_have_no_bracket(size: int) -> None:
    with pytest.raises(ValueError, match="places"):
        bracket_seeds(size)


def test_the_best_players_get_walkovers_for_empty_places() -> None:
    assert first_bracket_pairs(ARMADA, ["a", "b", "c"], round=4, seed="") == [("a", ""), ("b", "c")]


def numbers(seated: list[Seated]) -> list[int | None]:
    return [seat.table.number if seat.table else None for seat in seated]


@pytest.mark.clause("AR-TBL-1", "AR-STAFF-2", "FF-AMB-28")
def test_the_top_pairing_plays_at_the_lowest_number_and_a_bye_nowhere() -> None:
    assert numbers(assign_tables(PAIRINGS, TABLES)) == [1, 2, 3, None]


@pytest.mark.clause("FF-TBL-3", "FF-REG-6", "FF-AMB-28")
def test_pinned_players_are_seated_first_then_those_who_need_access() -> None:
    assert numbers(assign_tables(PAIRINGS, TABLES, pinned={"f": 1})) == [2, 3, 1, None]
    assert numbers(assign_tables(PAIRINGS, TABLES, pinned={"f": 1}, accessible={"d"})) == [2, 3, 1, None]
    assert numbers(assign_tables(PAIRINGS, TABLES, accessible={"d", "e"})) == [1, 3, 5, None]


@pytest.mark.clause("FF-TBL-3")
def test_the_unused_fixed_table_of_two_players_stays_free_if_possible() -> None:
    both = {"a": 2, "b": 1}
    tables = [Table("v1", number) for number in (1, 2, 3, 4)]
    assert numbers(assign_tables(PAIRINGS, tables, pinned=both)) == [2, 3, 4, None]
    assert numbers(assign_tables(PAIRINGS, tables[:3], pinned=both)) == [2, 1, 3, None]
    assert numbers(assign_tables(PAIRINGS, tables, pinned=both, history={"c": {3}})) == [2, 4, 3, None]
    assert numbers(assign_tables(PAIRINGS, tables, pinned=both, history={"c": {3, 4}})) == [2, 3, 4, None]


@pytest.mark.clause("FF-AMB-28", "FF-TBL-2")
def test_a_used_table_is_avoided_while_another_is_free() -> None:
    seated = assign_tables(PAIRINGS, TABLES, history={"a": {1}, "b": {2}})
    assert (numbers(seated), [seat.repeat for seat in seated]) == ([3, 1, 2, None], [False] * 4)
    seated = assign_tables(PAIRINGS[:1], TABLES[-1:], history={"b": {1}})
    assert (numbers(seated), seated[0].repeat) == ([1], True)
    assert numbers(assign_tables(PAIRINGS, TABLES, history={"a": {1}}, avoid_repeats=False)) == [1, 2, 3, None]


@pytest.mark.clause("FF-AMB-28", "FF-TBL-2", "AR-TBL-1")
def test_other_games_change_tables_to_avoid_a_repeat() -> None:
    """The pass from the top gives c and g, a and h, d and e the tables 1, 2 and 4, and leaves b and f a used one."""
    pairings = [Pairing("game", *players) for players in ("cg", "ah", "de", "bf")]
    history = {"a": {1}, "b": {2}, "c": {2}, "d": {3}, "e": {1}, "f": {3}, "g": {4}, "h": {4}}
    tables = [Table("hall", number) for number in (1, 2, 3, 4)]
    seated = assign_tables(pairings, tables, history=history)
    assert not any(seat.repeat for seat in seated)


def test_as_few_games_as_possible_repeat_a_table() -> None:
    """Small halls are compared with a maximum matching by networkx."""
    for seed in range(200):
        chance = Random(seed)
        games = chance.randrange(1, 8)
        numbers = range(1, games + 1 + chance.randrange(3))
        pairings = [Pairing("game", f"a{game}", f"b{game}") for game in range(games)]
        players = [player for pairing in pairings for player in pairing.players]
        history = {player: set(chance.sample(numbers, chance.randrange(len(numbers)))) for player in players}
        seated = assign_tables(pairings, [Table("hall", number) for number in numbers], history=history)
        new = networkx.Graph(
            [
                (place, f"table {number}")
                for place, one in enumerate(pairings)
                for number in numbers
                if not any(number in history[player] for player in one.players)
            ]
        )
        best = networkx.max_weight_matching(new, maxcardinality=True)
        assert sum(not seat.repeat for seat in seated) == len(best), seed
        assert len({seat.table for seat in seated}) == games


def test_every_pairing_without_a_table_is_reported() -> None:
    with pytest.raises(NotEnoughTables) as refused:
        assign_tables(PAIRINGS, TABLES[-1:], accessible={"a"})
    assert [fault.where for fault in refused.value.faults] == ["/pairings/0", "/pairings/2"]


@pytest.mark.clause("FF-AMB-28")
def test_tables_may_be_drawn(tmp_path: Path) -> None:
    (tmp_path / "players.csv").write_text("player\n" + "".join(f"p{number}\n" for number in range(1, 10)), "utf-8")
    (tmp_path / "results.csv").write_text("round,kind,player_1,player_2,points_1,points_2\n", "utf-8")
    files = ["--players", str(tmp_path / "players.csv"), "--results", str(tmp_path / "results.csv"), "--seed", "s"]

    def tables(*more: str) -> dict[str, int]:
        answer = CliRunner().invoke(
            main, ["pair", "--ruleset", "fallout-factions-comp-1.0", *files, "--format", "json", *more]
        )
        return {row["player_1"]: row["table"] for row in json.loads(answer.stdout) if row["kind"] == "game"}

    in_order, drawn = tables(), tables("--option", "table_order=random")
    assert list(in_order.values()) == [1, 2, 3, 4]
    assert sorted(drawn, key=drawn.__getitem__) == draw_order("s", "tables", 1, in_order)
    assert list(drawn) == list(in_order)


@pytest.mark.clause("AR-RND-3")
def test_days_of_the_table_apply_to_its_rounds() -> None:
    assert [row.day for row in timetable(ARMADA, 5, 33)] == [1, 1, 1, 2, 2]
    assert [row.day for row in timetable(ARMADA, 4, 33)] == [1, 1, 1, 1]


@pytest.mark.clause("DW-TIME-1", "DW-CUT-1")
def test_the_timetable_contains_the_cut_of_the_table_if_there_is_a_bracket() -> None:
    dust = shipped_ruleset("dust-warfare-1.0")
    assert [row.stage for row in timetable(dust, 4, 20)] == ["swiss", "swiss", "swiss", "elimination"]
    assert {row.stage for row in timetable(dust, 5, 20)} == {"swiss"}
    without = replace(dust, cut=replace(dust.cut, bracket="none"))
    assert {row.stage for row in timetable(without, 4, 20)} == {"swiss"}
    assert [row.stage for row in timetable(dust, 5, 20, cut_after=4)][-2:] == ["swiss", "elimination"]


@pytest.mark.clause("FF-TIME-9", "DW-TIME-3")
def test_time_slots_have_the_minutes_of_the_document() -> None:
    of_factions = shipped_ruleset("fallout-factions-comp-1.0").clock.slots
    assert [(slot.name, slot.least, slot.most) for slot in of_factions[2:]] == [("meals", 0, 0), ("prize-giving", 0, 0)]
    assert [(slot.least, slot.most) for slot in shipped_ruleset("dust-warfare-1.0").clock.slots] == [(30, 60)]
