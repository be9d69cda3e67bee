"""Every number and word of the shipped rulesets, compared with copies from documents and digests."""

from __future__ import annotations

import pytest

from shared.formats.packs import shipped_ruleset
from tests.rules.documents import FOLDER
from tests.transcribed import Transcribed, of_pack, singles

TABLES = ("forms", "options", "roster.example", "points.bands", "rounds.table", "builder.objectives")
TABLES += ("builder.deployment", "builder.conditions", "builder.steps", "scenarios", "points.fields")
"""What test_document_tables.py, test_document_forms.py and test_document_options.py hold."""

ARMADA, ARMADA_400 = "star-wars-armada-1.1", "star-wars-armada-400"
DUST, FACTIONS, BONDS = "dust-warfare-1.0", "fallout-factions-comp-1.0", "atomic-bonds"
LEAGUE, POINTS, ROUND_ROBIN = "season-league", "season-points", "round-robin"
COPIES = {
    ARMADA: ["armada-1.1"],
    ARMADA_400: ["armada-1.1", "armada-400"],
    DUST: ["dust"],
    FACTIONS: ["factions"],
    BONDS: ["atomic_bonds"],
    LEAGUE: ["season_both", "season_league"],
    POINTS: ["season_both", "season_points"],
    ROUND_ROBIN: ["round_robin"],
}
"""Ruleset -> the tables that were copied, what a later one says in place of what an earlier one does."""

HEAD = ("id", "version", "name", "format", "document", "tiers", "staff", "entry", "advice", "words")
LISTS = ("roster", "legality")
SCORE = ("result", "points", "standings", "round_worth")
PAIRS = ("pairing", "bye", "spare")
ABSENCES = ("concession", "forfeit", "no_show", "disqualification", "drop")
DAY = ("rounds", "cut", "clock", "tables", "builder")


def of_parts(said: Transcribed, parts: tuple[str, ...]) -> Transcribed:
    return {place: value for place, value in said.items() if place.split(".")[0] in parts}


def copied(ruleset: str) -> Transcribed:
    said: Transcribed = {}
    for name in COPIES[ruleset]:
        said |= singles(FOLDER / f"{name}.csv")
    return said


def compare(ruleset: str, *parts: str) -> None:
    """Check that the parts of a ruleset equal the copy, with nothing missing on either side."""
    tables = tuple(table for table in TABLES if ruleset != FACTIONS or table != "rounds.table")  # it has an empty one
    found = of_parts(of_pack(ruleset, without=tables), parts)
    assert found == of_parts(copied(ruleset), parts)
    assert found


@pytest.mark.parametrize("ruleset", [ARMADA, ARMADA_400, DUST, FACTIONS, ROUND_ROBIN])
def test_no_part_of_a_ruleset_is_left_out(ruleset: str) -> None:
    parts = {*HEAD, *LISTS, *SCORE, *PAIRS, *ABSENCES, *DAY, "forms", "options", "scenarios", "chosen"}
    assert set(shipped_ruleset(ruleset).__struct_fields__) - parts == set()
    assert {place.split(".")[0] for place in copied(ruleset)} <= parts


@pytest.mark.clause("AR-SET-1", "AR-SET-2", "AR-RND-1", "AR-RND-2", "AR-ROS-6", "AR-STAFF-1", "AR-STAFF-2")
@pytest.mark.clause("AR-STAFF-3", "AR-PAIR-2", "AR-REG-1", "AR-AMB-20", "AR-AMB-22", "AR-AMB-24", "A4-SET")
@pytest.mark.parametrize("ruleset", [ARMADA, ARMADA_400])
def test_armada_entry_rules(ruleset: str) -> None:
    compare(ruleset, *HEAD)


@pytest.mark.clause("AR-ROS-1", "AR-ROS-2", "AR-ROS-3", "AR-ROS-4", "AR-ROS-6", "AR-ROS-7")
@pytest.mark.clause("AR-TIME-4", "AR-TIME-6", "A4-SET", "A4-SQD", "A4-FAC")
@pytest.mark.parametrize("ruleset", [ARMADA, ARMADA_400])
def test_armada_fleets(ruleset: str) -> None:
    compare(ruleset, *LISTS)


@pytest.mark.clause("AR-RES-1", "AR-RES-2", "AR-RES-3", "AR-RES-4", "AR-RES-5", "AR-RES-6", "AR-RES-7", "AR-RES-8")
@pytest.mark.clause("AR-RES-9", "AR-CON-1", "AR-SCN-1", "AR-DOC-1", "AR-TB-1", "AR-TB-2", "AR-TB-3", "AR-AMB-8")
@pytest.mark.clause("AR-AMB-10", "AR-AMB-15", "AR-AMB-18", "A4-MOV", "A4-SET")
@pytest.mark.parametrize("ruleset", [ARMADA, ARMADA_400])
def test_armada_results_points_and_standings(ruleset: str) -> None:
    compare(ruleset, *SCORE)


@pytest.mark.clause("AR-PAIR-1", "AR-PAIR-3", "AR-PAIR-5", "AR-PAIR-7", "AR-BYE-1", "AR-AMB-12", "AR-AMB-13")
@pytest.mark.clause("AR-AMB-14", "A4-BYE")
@pytest.mark.parametrize("ruleset", [ARMADA, ARMADA_400])
def test_armada_pairing_and_byes(ruleset: str) -> None:
    compare(ruleset, *PAIRS)


@pytest.mark.clause("AR-CON-2", "AR-AMB-10", "AR-AMB-16", "AR-AMB-17", "AR-AMB-18", "A4-FOR")
@pytest.mark.parametrize("ruleset", [ARMADA, ARMADA_400])
def test_armada_games_that_are_not_played(ruleset: str) -> None:
    compare(ruleset, *ABSENCES)


@pytest.mark.clause(
    "AR-TIME-1", "AR-TIME-2", "AR-TIME-3", "AR-TIME-4", "AR-TIME-5", "AR-TBL-1", "AR-RND-1", "AR-AMB-21"
)
@pytest.mark.clause("AR-AMB-23", "AR-AMB-24", "A4-TIME")
@pytest.mark.parametrize("ruleset", [ARMADA, ARMADA_400])
def test_armada_rounds_and_clock(ruleset: str) -> None:
    compare(ruleset, *DAY)


@pytest.mark.clause("DW-SET-1", "DW-SET-2", "DW-SET-3", "DW-SET-4", "DW-SET-5", "DW-STAFF-1", "DW-REG-3", "DW-RND-1")
@pytest.mark.clause("DW-DQ-1", "DW-ROS-5", "DW-RES-1", "DW-TIME-4", "DW-AMB-10", "DW-AMB-15", "DW-AMB-18", "DW-AMB-25")
def test_dust_warfare_entry_rules_and_advice() -> None:
    compare(DUST, *HEAD)


@pytest.mark.clause("DW-ROS-1", "DW-ROS-2", "DW-ROS-3", "DW-ROS-4")
def test_dust_warfare_army_lists() -> None:
    compare(DUST, *LISTS)


@pytest.mark.clause("DW-RES-1", "DW-RES-2", "DW-PTS-1", "DW-TB-1", "DW-AMB-9", "DW-AMB-20")
def test_dust_warfare_results_points_and_standings() -> None:
    compare(DUST, *SCORE)


@pytest.mark.clause("DW-PAIR-1", "DW-PAIR-3", "DW-PAIR-4", "DW-PAIR-5", "DW-BYE-1", "DW-AMB-6", "DW-AMB-7", "DW-AMB-8")
@pytest.mark.clause("DW-AMB-23")
def test_dust_warfare_pairing_and_byes() -> None:
    compare(DUST, *PAIRS)


@pytest.mark.clause("DW-FOR-2", "DW-AMB-1", "DW-AMB-2", "DW-AMB-3", "DW-AMB-17", "DW-AMB-19")
def test_dust_warfare_games_that_are_not_played() -> None:
    compare(DUST, *ABSENCES)


@pytest.mark.clause("DW-TIME-1", "DW-TIME-2", "DW-TIME-3", "DW-TIME-4", "DW-TBL-3", "DW-RND-1", "DW-CUT-1", "DW-SCN-3")
@pytest.mark.clause("DW-SCN-4", "DW-SCN-5", "DW-AMB-4", "DW-AMB-10", "DW-AMB-16", "DW-AMB-21", "DW-AMB-25")
def test_dust_warfare_rounds_clock_and_tables() -> None:
    compare(DUST, *DAY)


@pytest.mark.clause("FF-SET-1", "FF-STAFF-1", "FF-STAFF-2", "FF-STAFF-3", "FF-STAFF-4", "FF-STAFF-5", "FF-REG-3")
@pytest.mark.clause("FF-RND-1", "FF-AMB-21", "FF-AMB-29", "FF-TB-2")
def test_factions_entry_rules() -> None:
    compare(FACTIONS, *HEAD)


@pytest.mark.clause("FF-ROS-1", "FF-ROS-2", "FF-ROS-3", "FF-ROS-4", "FF-ROS-5", "FF-ROS-6", "FF-ROS-7", "FF-ROS-9")
@pytest.mark.clause("FF-ROS-10", "FF-ROS-11", "FF-ROS-12", "FF-ROS-13", "FF-ROS-14", "FF-ROS-15", "FF-ROS-19")
@pytest.mark.clause("FF-ROS-20", "FF-ROS-21", "FF-SET-5", "FF-REG-3", "FF-COND-2", "FF-AMB-5", "FF-AMB-18", "FF-AMB-22")
def test_factions_crews_and_legality() -> None:
    compare(FACTIONS, *LISTS)


@pytest.mark.clause("FF-RES-1", "FF-RES-2", "FF-RES-3", "FF-RES-4", "FF-TB-1", "FF-TB-2", "FF-TB-3", "FF-TB-4")
@pytest.mark.clause("FF-SET-4", "FF-AMB-3", "FF-AMB-4", "FF-AMB-8", "FF-AMB-20")
def test_factions_results_points_and_standings() -> None:
    compare(FACTIONS, *SCORE)


@pytest.mark.clause("FF-PAIR-1", "FF-PAIR-3", "FF-PAIR-4", "FF-PAIR-6", "FF-BYE-1", "FF-BYE-2", "FF-SPARE-1")
@pytest.mark.clause("FF-SPARE-2", "FF-AMB-1", "FF-AMB-10", "FF-AMB-11")
def test_factions_pairing_byes_and_spare_player() -> None:
    compare(FACTIONS, *PAIRS)


@pytest.mark.clause("FF-AMB-2", "FF-AMB-13", "FF-AMB-14")
def test_factions_games_that_are_not_played() -> None:
    compare(FACTIONS, *ABSENCES)


@pytest.mark.clause("FF-RND-1", "FF-RND-2", "FF-CUT-1", "FF-TIME-1", "FF-TIME-3", "FF-TIME-4", "FF-TIME-5", "FF-TIME-7")
@pytest.mark.clause("FF-TIME-9", "FF-AMB-9", "FF-AMB-23", "FF-AMB-28")
def test_factions_rounds_clock_and_tables() -> None:
    compare(FACTIONS, *DAY)


@pytest.mark.clause("RR-SET-1", "RR-TAB-1", "RR-TAB-2", "RR-NUM-1", "RR-RND-1", "RR-PTS-1", "RR-OUT-1", "RR-OUT-2")
@pytest.mark.clause("RR-AMB-1", "RR-AMB-2", "RR-AMB-3", "RR-AMB-4")
def test_round_robin() -> None:
    assert of_pack(ROUND_ROBIN, without=TABLES) == copied(ROUND_ROBIN)


@pytest.mark.clause("AB-OPS-1", "AB-SET-1", "AB-SET-5", "AB-SET-6", "AB-SET-8", "AB-CMP-1", "AB-MUT-1", "AB-PWR-1")
@pytest.mark.clause("AB-GOAL-3", "AB-END-3", "AB-RNK-1", "AB-RNK-8", "AB-SVC-2", "AB-AMB-1", "AB-AMB-2", "AB-AMB-3")
@pytest.mark.clause("AB-AMB-4", "AB-AMB-5", "AB-AMB-6", "AB-AMB-7", "AB-AMB-8", "AB-AMB-9", "AB-AMB-10", "AB-AMB-11")
@pytest.mark.clause("AB-AMB-12", "AB-AMB-13", "AB-AMB-14", "AB-AMB-15", "AB-AMB-16", "AB-AMB-17", "AB-AMB-18")
@pytest.mark.clause("AB-AMB-19", "AB-AMB-20")
def test_atomic_bonds() -> None:
    assert of_pack(BONDS, without=TABLES) == copied(BONDS)


@pytest.mark.clause("SEA-ID", "SEA-JOIN", "SEA-RESULT", "SEA-PART", "SEA-PLACE-1", "SEA-PLACE-2", "SEA-PLACE-3")
@pytest.mark.clause("SEA-WEIGHT", "SEA-BEST", "SEA-MIN", "SEA-LEFT", "SEA-GAMES", "SEA-END", "SEA-RANK", "SEA-TIE-1")
@pytest.mark.clause("SEA-TIE-2", "SEA-TIE-3", "SEA-TIE-4", "SEA-TIE-5", "SEA-TIE-6", "SEA-TIE-7", "SEA-ELIG")
@pytest.mark.clause("SEA-DIV-1", "SEA-DIV-2", "SEA-DIV-3", "SEA-FINAL-1", "SEA-FINAL-2", "SEA-RATE-1", "SEA-RATE-2")
@pytest.mark.clause("SEA-RATE-3")
@pytest.mark.parametrize("ruleset", [LEAGUE, POINTS])
def test_seasons(ruleset: str) -> None:
    assert of_pack(ruleset, without=TABLES) == copied(ruleset)
