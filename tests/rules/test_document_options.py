"""Every option of every shipped ruleset, compared with a table: kind, default, choices, bounds, deadline, places."""

from __future__ import annotations

import pytest

from shared.formats.packs import shipped_ids, shipped_ruleset
from shared.rules.parts import Option
from tests.rules.documents import option_of, rows

CAMPAIGN = "fallout-skirmish"  # in tests/campaign/test_document_options.py


def said(ruleset: str) -> list[Option]:
    return [option_of(row) for row in rows("options") if row["ruleset"] == ruleset]


def said_of_season(ruleset: str) -> dict[str, Option]:
    reported = [row | {"default": row[ruleset], "until": "announcement"} for row in rows("season_options")]
    return {row["key"]: option_of(row) for row in reported if row[ruleset] != "-"}


def test_every_ruleset_with_options_is_in_a_table() -> None:
    known = {row["ruleset"] for row in rows("options")} | {"season-points", "season-league", CAMPAIGN}
    assert known == {id for id in shipped_ids() if shipped_ruleset(id).options}


@pytest.mark.clause("AR-AMB-4", "AR-AMB-13", "AR-AMB-14", "AR-AMB-15", "AR-AMB-16", "AR-AMB-18", "AR-AMB-19")
@pytest.mark.clause("AR-AMB-22", "AR-AMB-23")
@pytest.mark.parametrize("ruleset", ["star-wars-armada-1.1", "star-wars-armada-400"])
def test_options_of_armada(ruleset: str) -> None:
    assert shipped_ruleset(ruleset).options == said(ruleset)


@pytest.mark.clause("DW-SET-2", "DW-AMB-2", "DW-AMB-3", "DW-AMB-4", "DW-AMB-6", "DW-AMB-7", "DW-AMB-8", "DW-AMB-9")
@pytest.mark.clause("DW-AMB-10", "DW-AMB-16", "DW-AMB-17", "DW-AMB-19", "DW-AMB-21", "DW-AMB-23", "DW-AMB-25")
def test_options_of_dust_warfare() -> None:
    assert shipped_ruleset("dust-warfare-1.0").options == said("dust-warfare-1.0")


@pytest.mark.clause("FF-AMB-1", "FF-AMB-2", "FF-AMB-4", "FF-AMB-5", "FF-AMB-7", "FF-AMB-8", "FF-AMB-11", "FF-AMB-12")
@pytest.mark.clause("FF-AMB-13", "FF-AMB-14", "FF-AMB-16", "FF-AMB-17", "FF-AMB-18", "FF-AMB-20", "FF-AMB-21")
@pytest.mark.clause("FF-AMB-22", "FF-AMB-23", "FF-AMB-28", "FF-AMB-29", "FF-TIME-7", "FF-REG-3", "FF-SET-4")
def test_options_of_factions() -> None:
    assert shipped_ruleset("fallout-factions-comp-1.0").options == said("fallout-factions-comp-1.0")


@pytest.mark.clause("RR-DBL-1", "RR-NUM-2", "RR-AMB-1", "RR-AMB-2", "RR-AMB-3")
def test_options_of_the_round_robin() -> None:
    assert shipped_ruleset("round-robin").options == said("round-robin")


@pytest.mark.clause("AB-AMB-1", "AB-AMB-2", "AB-AMB-3", "AB-AMB-4", "AB-AMB-5", "AB-AMB-6", "AB-AMB-7", "AB-AMB-8")
@pytest.mark.clause("AB-AMB-9", "AB-AMB-10", "AB-AMB-11", "AB-AMB-12", "AB-AMB-13", "AB-AMB-14", "AB-AMB-15")
@pytest.mark.clause("AB-AMB-16", "AB-AMB-17", "AB-AMB-18", "AB-AMB-19", "AB-AMB-20")
def test_options_of_atomic_bonds() -> None:
    assert shipped_ruleset("atomic-bonds").options == said("atomic-bonds")


@pytest.mark.clause("SEA-BEST", "SEA-MIN", "SEA-LEFT", "SEA-JOIN", "SEA-GAMES", "SEA-END", "SEA-PART", "SEA-WEIGHT")
@pytest.mark.clause("SEA-ELIG", "SEA-DIV-1", "SEA-DIV-2", "SEA-DIV-3", "SEA-FINAL-1", "SEA-FINAL-2", "SEA-RATE-1")
@pytest.mark.clause("SEA-RATE-2", "SEA-RATE-3", "SEA-RESULT", "SEA-PLACE-2", "SEA-PLACE-3")
@pytest.mark.parametrize("ruleset", ["season-points", "season-league"])
def test_options_of_seasons(ruleset: str) -> None:
    assert {option.key: option for option in shipped_ruleset(ruleset).options} == said_of_season(ruleset)
