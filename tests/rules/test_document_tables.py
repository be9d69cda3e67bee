"""Tables of the documents compared with the packs: margins, rounds, Battle Builder, scenarios, points of places."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from shared.formats.packs import shipped_ruleset, shipped_swiss
from shared.rules.parts import RoundsBand
from shared.season.ruleset import FieldClass
from shared.swiss.game_parts import Band, BoardFormula, Scenario
from tests.rules.documents import blocks, missing_words, rows, span


@pytest.mark.clause("AR-PTS-1", "AR-RND-1", "AR-RND-3", "AR-AMB-7", "AR-AMB-24", "A4-PTS")
@pytest.mark.parametrize(
    ("ruleset", "points"), [("star-wars-armada-1.1", "AR-PTS-1"), ("star-wars-armada-400", "A4-PTS")]
)
def test_armada_tournament_points_and_rounds(ruleset: str, points: str) -> None:
    said = blocks("armada_tables")[ruleset]
    held: Any = shipped_swiss(ruleset)
    columns = said[points]["margin of victory"], said[points]["win"], said[points]["loss"]
    bands = [Band(**span(margin), winner=win, loser=loss) for margin, win, loss in zip(*columns, strict=True)]
    assert (held.points.bands, held.points.cites("bands")) == (bands, points)
    days = said["AR-RND-3"]
    rounds = [RoundsBand(**span(row), rounds=n, days=days.get(row, [])) for row, n in said["AR-RND-1"].items()]
    assert held.rounds.table == rounds


@pytest.mark.clause("DW-RND-1", "DW-CUT-1", "DW-CUT-3")
def test_dust_warfare_number_of_rounds_and_cut() -> None:
    said = [
        RoundsBand(**span(players), rounds=rounds, **cut_of(*cut))
        for players, rounds, *cut in blocks("dust_tables")["DW-RND-1"]
    ]
    assert shipped_swiss("dust-warfare-1.0").rounds.table == said


@pytest.mark.clause("RR-RND-1")
def test_round_robin_number_of_rounds() -> None:
    said = [
        RoundsBand(**span(players), rounds=rounds) for players, rounds in blocks("berger_tables")["RR-RND-1"].items()
    ]
    assert shipped_swiss("round-robin").rounds.table == said


def cut_of(top: str = "TOP 0", after: str = "ROUND 0") -> dict[str, int]:
    return {"cut_to": int(top.removeprefix("TOP ")), "cut_after": int(after.removeprefix("ROUND "))}


@pytest.mark.clause("DW-SCN-1", "DW-SCN-4", "DW-SCN-5", "DW-SCN-6", "DW-AMB-13")
def test_dust_warfare_battle_builder() -> None:
    said, builder = blocks("dust_tables"), shipped_swiss("dust-warfare-1.0").builder
    assert builder is not None
    columns = [builder.objectives, builder.deployment, builder.conditions]
    rows_of = {number: [each.name for each in row] for number, row in enumerate(zip(*columns, strict=True))}
    assert rows_of == said["DW-SCN-5"]
    assert {each.name: each.formula for each in builder.objectives} == said["won by"]
    assert missing_words(builder.steps, said["DW-SCN-1"]) == []
    texts = {each.name: each.says.lower() for column in columns for each in column}
    assert set(texts) == set(said["says"])
    missing = {
        name: [words for words in said["says"][name] if not any(word in text for word in words.split(" | "))]
        for name, text in texts.items()
    }
    assert not any(missing.values()), missing


FORMULAS = {
    "Rating of enemy models gone": {"formula": "rating_removed", "fact": "rating_lost"},
    "tokens held at the end": {"formula": "tokens_held"},
    "any claimed and most claimed": {"formula": "most_claims"},
    "each claimed": {"formula": "each_claim"},
    "Rating of own models across": {"formula": "rating_across", "fact": "rating_across"},
    "most claimed and both at the end": {"formula": "claims_race"},
}


@pytest.mark.clause("FF-SCN-1", "FF-SET-4", "FF-RES-1", "FF-AMB-6", "FF-AMB-7", "FF-AMB-17", "FF-AMB-26", "FF-AMB-27")
def test_factions_scenarios() -> None:
    assert shipped_swiss("fallout-factions-comp-1.0").scenarios == [
        scenario_of(row) for row in rows("factions_scenarios")
    ]


def scenario_of(row: dict[str, str]) -> Scenario:
    numbers = {"worth": row["worth"], "tie": row["draw"], "zero_tie": row["draw"], "per": row["Rating per point"]}
    numbers |= {"rating_most": row["Rating of a crew"]}
    board: dict[str, Any] = {name: int(number) for name, number in numbers.items() if number}
    board |= {"scoring_rounds": list(map(int, row["after"].split())), "tokens": list(map(int, row["tokens"].split()))}
    members: dict[str, Any] = {"name": row["chapter"], "clause": "FF-AMB-7", "most": int(row["most"])}
    members["focus"] = {"ranged": "ranged", "melee": "moving"}[row["focus"]]  # or movement, or spreading out
    members |= {"aliases": [row["overview"]] if row["overview"] else [], "step": int(row["step"] or 1)}
    members |= {"sum_most": int(row["both"]) if row["both"] else None}
    formula = BoardFormula(clause=row["clause"], **FORMULAS[row["points by"]], **board)
    return Scenario(board=formula, **members)


@pytest.mark.clause("SEA-PLACE-1")
def test_places_of_a_season() -> None:
    said = [
        span(str(players)) | {"places": [span(str(place)) | {"points": points} for place, points in places.items()]}
        for players, places in blocks("season_places").items()
    ]
    held: Any = shipped_ruleset("season-points")
    assert held.points.fields == msgspec.convert(said, list[FieldClass])


@pytest.mark.clause("AR-ROS-6", "DW-ROS-2", "FF-ROS-2")
@pytest.mark.parametrize(
    "ruleset", ["star-wars-armada-1.1", "star-wars-armada-400", "dust-warfare-1.0", "fallout-factions-comp-1.0"]
)
def test_the_roster_to_copy(ruleset: str) -> None:
    example = shipped_swiss(ruleset).roster.example
    said = blocks("example_rosters")[ruleset]
    shown = {field: ", ".join(map(entry, held)) if isinstance(held, list) else held for field, held in example.items()}
    assert shown == said
    assert list(shown) == list(said)


def entry(held: dict[str, Any]) -> str:
    """Return an entry as a line: section, name, numbers and words; nested entries in brackets."""
    order = ["section", "name", *(field for field in held if field not in ("section", "name"))]
    members = [str(held[field]) for field in order if field in held and not isinstance(held[field], list)]
    nested = [f"({field} {', '.join(map(entry, held[field]))})" for field in order if isinstance(held.get(field), list)]
    return " ".join([*members, *nested])
