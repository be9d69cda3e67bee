"""The value of a conceded game: `concession.award` under every points scheme."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from shared.formats.packs import load, shipped_swiss
from shared.refusals import expects
from shared.rules.model import Facts, ImpossibleResult, PackRefused
from shared.swiss.game_parts import MarginTable
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import score_game

GUIDE = (Path(__file__).parents[2] / "docs/how-to/write-a-pack.md").read_text("utf-8")
TWENTY = """
points: {scheme: margin_table, points: half_wins, margin: board, full_fleet: 2000, equal: second_player,
         draws: even_rows, clause: CLUB,
         bands: [{least: 0, most: 299, winner: 10, loser: 10}, {least: 300, winner: 20, loser: 0}]}
"""


def battles(award: str, ends: str = "[]") -> Ruleset:
    """Return a pack with a margin table and this award for a concession."""
    blocks = re.findall(r"^```yaml\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
    text = "".join(TWENTY if "scheme:" in block else block for block in blocks)
    text = text.replace("concession: {award: table", f"concession: {{award: {award}").replace(
        "ends: []", f"ends: {ends}"
    )
    ruleset = load(text, "battles.yaml")
    assert isinstance(ruleset, Ruleset)
    return ruleset


@pytest.mark.parametrize(
    ("award", "points", "won", "margin"),
    [
        ("full_fleet", (100, 2000), 20, 1900),
        ("table", (100, 900), 20, 800),
        ("table", (900, 100), 10, 0),
        ("table", (0, 0), 10, 0),
    ],
)
def test_a_concession_works_if_the_pack_lists_no_ends(award: str, points: tuple[int, int], won: int, margin: int):
    score = score_game(battles(award), Facts(points_1=points[0], points_2=points[1], conceded_by=1))
    assert (score.outcome_1, score.outcome_2) == ("loss", "win")
    assert (score.values_1["half_wins"], score.values_2) == (0, {"half_wins": won, "board": margin})


def test_a_conceded_game_awards_a_whole_fleet_if_the_pack_says_so():
    with pytest.raises(ImpossibleResult) as refused:
        score_game(battles("full_fleet"), Facts(points_1=100, points_2=900, conceded_by=1))
    assert [(fault.where, fault.expected) for fault in refused.value.faults] == [
        ("/points_2", expects("at-least-whole-fleet", least=2000))
    ]


@pytest.mark.clause("AR-CON-1", "AR-AMB-10")
def test_the_armada_award_option_decides_the_value_of_a_conceded_game():
    """With `table`, the current score counts and the remaining fleet is worth nothing."""
    armada = shipped_swiss("star-wars-armada-1.1")
    as_it_stood = replace(armada, concession=replace(armada.concession, award="table"))
    reported = Facts(points_1=60, points_2=300, conceded_by=1)
    assert score_game(armada, reported).values_2 == {"tournament_points": 10, "margin_of_victory": 240}
    reported = replace(reported, points_2=100)
    with pytest.raises(ImpossibleResult) as refused:
        score_game(armada, reported)
    assert [(fault.where, fault.clause) for fault in refused.value.faults] == [("/points_2", "AR-CON-1")]
    assert score_game(as_it_stood, reported).values_2 == {"tournament_points": 6, "margin_of_victory": 40}


@pytest.mark.parametrize(("award", "margin"), [("full_fleet", 2000), ("table", 0)])
def test_an_absent_player_concedes_before_the_start(award: str, margin: int):
    pack = battles(award)
    strict = replace(pack, no_show=replace(pack.no_show, award="concession"))
    assert score_game(strict, Facts("no_show", conceded_by=2)).values_1["board"] == margin


def faults(change: Any) -> list[str]:
    with pytest.raises(PackRefused) as refused:
        change()
    return [f"{fault.where.split(':')[2]}: {fault.said}" for fault in refused.value.faults]


@pytest.mark.parametrize("award", ["half_list", "bye_score", "table_lead", "most"])
def test_an_award_that_the_scheme_does_not_support_is_a_fault(award: str):
    expected = f"/concession/award: {award}"
    assert faults(lambda: battles(award)) == [expected]


def test_a_concession_cannot_be_an_end_rule():
    row = "[{end: concession, winner: opponent, full: winner, clause: CLUB}]"
    assert faults(lambda: battles("full_fleet", row)) == ["/result/ends/0: concession"]


@pytest.mark.clause("AR-RES-8", "AR-PTS-3", "AR-AMB-5")
def test_a_margin_with_equal_points_is_a_draw_and_no_other_is():
    drawn = score_game(battles("table"), Facts(points_1=500, points_2=600))
    assert (drawn.outcome_1, drawn.outcome_2) == ("draw", "draw")
    assert drawn.values_1 == drawn.values_2 == {"half_wins": 10, "board": 0}
    for points, winner, expected in [
        ((500, 600), 2, expects("draw-by-margin", draw="draw")),
        ((900, 100), "draw", expects("winner-by-margin", winner=1)),
        ((100, 900), "draw", expects("winner-by-margin", winner=2)),
    ]:
        with pytest.raises(ImpossibleResult) as refused:
            score_game(battles("table"), Facts(points_1=points[0], points_2=points[1], winner=winner))
        assert [fault.expected for fault in refused.value.faults] == [expected]


@pytest.mark.clause("AR-RES-8", "AR-PTS-3", "AR-AMB-5")
def test_equal_scores_are_no_draw_if_the_row_of_margin_zero_has_a_winner():
    table = battles("table").points
    assert isinstance(table, MarginTable)
    worth = {True: (11, 9), False: (10, 10)}
    bands = [
        replace(band, winner=winner, loser=loser) for band in table.bands for winner, loser in [worth[band.least == 0]]
    ]
    uneven = replace(battles("table"), points=replace(table, bands=bands))
    with pytest.raises(ImpossibleResult) as refused:
        score_game(uneven, Facts(points_1=5, points_2=5, winner="draw"))
    assert [fault.expected for fault in refused.value.faults] == [expects("some-winner-by-margin")]
