"""The cut of Dust Warfare from files: who goes on, whom they meet, and where everybody stands in the end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from muster.cli.main import main

HEADER = "round,kind,player_1,player_2,winner,points_1,points_2,conceded_by"


def call(folder: Path, command: str, players: Sequence[str], rows: Sequence[str], *options: str) -> Result:
    """players: ids, or `id,status,dropped_after`."""
    who = [player if "," in player else f"{player},," for player in players]
    (folder / "p.csv").write_text("\n".join(["player,status,dropped_after", *who]) + "\n", "utf-8")
    (folder / "r.csv").write_text("\n".join([HEADER, *rows]) + "\n", "utf-8")
    files = ["--players", str(folder / "p.csv"), "--results", str(folder / "r.csv"), "--format", "json"]
    chosen = [word for option in options for word in ("--option", option)]
    return CliRunner().invoke(main, [command, "--ruleset", "dust-warfare-1.0", *files, *chosen])


def rows_of(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


def pairs(result: Result) -> list[tuple[str, str]]:
    return [(row["player_1"], row.get("player_2", "")) for row in rows_of(result)]


def first_stage(count: int, rounds: int = 3) -> tuple[list[str], list[str]]:
    """Players and rows; in the end p01 has the most break points, then p02, and so on, all with the same match points.

    Round by round everybody ties with somebody else.
    """
    players = [f"p{number:02}" for number in range(1, count + 1)]
    rows = []
    for round in range(1, rounds + 1):
        left = list(players)
        while left:
            one = left.pop(0)
            two = left.pop(round - 1 if len(left) > round else -1)
            points = [3 * (count - players.index(player)) for player in (one, two)]
            rows.append(f"{round},game,{one},{two},draw,{points[0]},{points[1]},")
    return players, rows


@pytest.mark.clause("DW-CUT-1", "DW-RND-1", "DW-AMB-4")
@pytest.mark.parametrize(
    ("count", "rounds", "expected"),
    [
        (18, 3, [(1, 2)]),
        (34, 3, [(1, 4), (2, 3)]),
        (66, 3, [(1, 8), (4, 5), (2, 7), (3, 6)]),
        (130, 4, [(1, 16), (8, 9), (4, 13), (5, 12), (2, 15), (7, 10), (3, 14), (6, 11)]),
    ],
)
def test_only_the_players_in_the_cut_play_on(
    tmp_path: Path, count: int, rounds: int, expected: list[tuple[int, int]]
) -> None:
    players, rows = first_stage(count, rounds)
    listed = [row["player"] for row in rows_of(call(tmp_path, "standings", players, rows))]
    paired = pairs(call(tmp_path, "pair", players, rows))
    assert paired == [(listed[one - 1], listed[two - 1]) for one, two in expected]


@pytest.mark.clause("DW-AMB-10", "DW-RND-1")
def test_all_players_are_paired_without_a_cut_or_with_too_few_players(tmp_path: Path) -> None:
    players, rows = first_stage(16, 3)
    assert len(pairs(call(tmp_path, "pair", players, rows))) == 8
    players, rows = first_stage(18, 3)
    assert len(pairs(call(tmp_path, "pair", players, rows, "rounds_table=3-256:5"))) == 9
    assert len(pairs(call(tmp_path, "pair", *first_stage(18, 4)))) == 9


SIX = ["Ana", "Ben", "Cy", "Dee", "Eli", "Fay"]
SWISS = [
    "1,game,Ana,Fay,1,150,20,",
    "1,game,Ben,Dee,1,140,60,",
    "1,game,Cy,Eli,draw,110,100,",
    "2,game,Ana,Ben,draw,100,100,",
    "2,game,Cy,Dee,1,170,30,",
    "2,game,Fay,Eli,2,40,190,",
]
SEMIFINALS = ["3,game,Eli,Ben,2,70,130,", "3,game,Cy,Ana,draw,60,130,"]
FINAL = ["4,game,Ben,Ana,draw,80,80,"]
TOP_FOUR = "rounds_table=3-256:4:4:2"


@pytest.mark.clause("DW-EX-6", "DW-RND-2", "DW-CUT-2", "DW-CUT-3", "DW-CUT-4", "DW-CUT-5", "DW-CUT-6", "DW-TB-1")
@pytest.mark.clause("DW-AMB-4", "DW-AMB-5", "DW-AMB-10", "DW-AMB-11", "DW-AMB-12")
def test_the_sixth_example_to_its_winner(tmp_path: Path) -> None:
    assert pairs(call(tmp_path, "pair", SIX, SWISS, TOP_FOUR)) == [("Eli", "Ben"), ("Cy", "Ana")]
    assert pairs(call(tmp_path, "pair", SIX, SWISS + SEMIFINALS, TOP_FOUR)) == [("Ben", "Ana")]
    (final,) = rows_of(call(tmp_path, "pair", SIX, SWISS + SEMIFINALS, TOP_FOUR))
    assert (final["table"], final["reason"]) == (1, "bracket: number 4 of the cut against number 3")
    rows = rows_of(call(tmp_path, "standings", SIX, SWISS + SEMIFINALS + FINAL, TOP_FOUR))
    assert [row["player"] for row in rows] == ["Ana", "Ben", "Eli", "Cy", "Dee", "Fay"]
    assert [(row["rank"], row["match_points"], row["break_points"]) for row in rows[:3]] == [
        (1, 16, 250),
        (2, 16, 240),
        (3, 16, 290),
    ]
    over = call(tmp_path, "pair", SIX, SWISS + SEMIFINALS + FINAL, TOP_FOUR)
    assert (over.exit_code, over.stdout) == (2, "")
    assert "Ana" in over.stderr


@pytest.mark.clause("DW-CUT-5", "DW-AMB-5")
def test_of_earlier_rounds_the_most_recent_is_added_first(tmp_path: Path) -> None:
    """Ben had more in the semifinal, Ana in round 1: the semifinal comes first."""
    semifinals = ["3,game,Eli,Ben,2,70,135,", "3,game,Cy,Ana,draw,60,130,"]
    rows = rows_of(call(tmp_path, "standings", SIX, [*SWISS, *semifinals, *FINAL], TOP_FOUR))
    assert [row["player"] for row in rows[:2]] == ["Ben", "Ana"]


@pytest.mark.clause("DW-AMB-11", "DW-AMB-4")
def test_after_reseeding_the_best_meets_the_last_remaining_player(tmp_path: Path) -> None:
    players, rows = first_stage(66)
    first = pairs(call(tmp_path, "pair", players, rows))
    upset = [f"4,game,{one},{two},{2 if n == 0 else 1},50,40," for n, (one, two) in enumerate(first)]
    winners = [first[0][1], *(one for one, _ in first[1:])]  # places 8, 4, 2 and 3
    assert pairs(call(tmp_path, "pair", players, rows + upset)) == [
        (winners[0], winners[1]),
        (winners[2], winners[3]),
    ]
    anew = pairs(call(tmp_path, "pair", players, rows + upset, "bracket=reseed"))
    assert anew == [(winners[2], winners[0]), (winners[3], winners[1])]


@pytest.mark.clause("DW-AMB-4")
def test_a_drawn_bracket_has_the_same_players(tmp_path: Path) -> None:
    players, rows = first_stage(66)
    seeded, drawn = (pairs(call(tmp_path, "pair", players, rows, f"bracket={how}")) for how in ("seeded", "random"))
    assert {player for pair in seeded for player in pair} == {player for pair in drawn for player in pair}
    assert seeded != drawn


@pytest.mark.clause("DW-AMB-11", "DW-CUT-6", "DW-AMB-17")
def test_a_place_given_up_goes_to_the_next_and_later_is_a_walkover(tmp_path: Path) -> None:
    gone = ["Eli,dropped,2", *(player for player in SIX if player != "Eli")]
    assert pairs(call(tmp_path, "pair", gone, SWISS, TOP_FOUR)) == [("Cy", "Dee"), ("Ana", "Ben")]
    later = ["Ben,dropped,3", *(player for player in SIX if player != "Ben")]
    for played in ([*SWISS, *SEMIFINALS], [*SWISS, *SEMIFINALS, "4,bye,Ana,,,,,"]):
        assert (
            "Ana, expected nothing more to pair: the elimination has its winner"
            in call(tmp_path, "pair", later, played, TOP_FOUR).stderr
        )
        rows = rows_of(call(tmp_path, "standings", later, played, TOP_FOUR))
        assert [row["player"] for row in rows] == ["Ana", "Ben", "Eli", "Cy", "Dee", "Fay"]
    ahead = ["Ana,dropped,3", *(player for player in SIX if player != "Ana")]
    rows = rows_of(call(tmp_path, "standings", ahead, SWISS + SEMIFINALS, TOP_FOUR))
    assert [row["player"] for row in rows] == ["Ben", "Ana", "Eli", "Cy", "Dee", "Fay"]


@pytest.mark.clause("DW-AMB-3", "DW-AMB-12")
def test_a_finalist_who_is_disqualified_leaves_the_places_or_is_last(tmp_path: Path) -> None:
    out = ["Ben,disqualified,4", *(player for player in SIX if player != "Ben")]
    played = [*SWISS, *SEMIFINALS, "4,forfeit,Ben,Ana,2,0,150,1"]
    rows = rows_of(call(tmp_path, "standings", out, played, TOP_FOUR))
    assert [row["player"] for row in rows] == ["Ana", "Eli", "Cy", "Dee", "Fay"]
    rows = rows_of(call(tmp_path, "standings", out, played, TOP_FOUR, "dq_listed=true"))
    assert [(row["player"], row.get("status", "")) for row in rows[-2:]] == [("Fay", ""), ("Ben", "disqualified")]


@pytest.mark.clause("DW-AMB-9", "DW-AMB-12")
def test_equal_places_are_shared_on_request_but_neither_title_nor_cut(tmp_path: Path) -> None:
    level = [row.replace(",140,60,", ",150,20,") for row in SWISS]  # Ana and Ben, Dee and Fay are level
    level = [row.replace(",170,30,", ",170,40,") for row in level]
    lost = ["3,game,Ana,Eli,2,10,20,", "3,game,Ben,Cy,2,10,20,", "4,game,Eli,Cy,1,30,20,"]
    drawn = rows_of(call(tmp_path, "standings", SIX, level + lost, TOP_FOUR))
    shared = rows_of(call(tmp_path, "standings", SIX, level + lost, TOP_FOUR, "unresolved_ties=shared"))
    assert [(row["rank"], row["tied"]) for row in drawn] == [
        (1, False),
        (2, False),
        (3, True),
        (4, True),
        (5, True),
        (6, True),
    ]
    assert [row["rank"] for row in shared] == [1, 2, 3, 3, 5, 5]


@pytest.mark.clause("DW-AMB-11")
def test_who_goes_on_is_not_known_while_a_game_of_the_bracket_is_missing(tmp_path: Path) -> None:
    players, rows = first_stage(66)
    first = pairs(call(tmp_path, "pair", players, rows))
    won = [f"4,game,{one},{two},1,50,40," for one, two in first]
    semifinals = pairs(call(tmp_path, "pair", players, rows + won))
    one, two = semifinals[0]
    once = [*won, f"5,game,{one},{two},1,50,40,"]
    refused = call(tmp_path, "pair", players, rows + once)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert all(player in refused.stderr for player in semifinals[1])
    places = [row["player"] for row in rows_of(call(tmp_path, "standings", players, rows + once))]
    assert set(places[:3]) == {one, *semifinals[1]}
