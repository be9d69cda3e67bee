"""The shipped tables, and inconsistent tables."""

from __future__ import annotations

import msgspec
import pytest

from shared.campaign.ruleset import CampaignRuleset, Versions, versions_of
from shared.campaign.tables import Rules
from shared.formats.options import apply_options
from shared.formats.packs import load, shipped_ruleset, shipped_text
from shared.rules.model import PackRefused
from tests.campaign.story import SHIPPED, campaign_rules

RULES = campaign_rules({})
INITIATE = "/brotherhood_of_steel/ranks/green"


def with_table(table: str, old: str, new: str) -> str:
    """Return the shipped pack with one text of a table replaced."""
    before, found, after = shipped_text(SHIPPED).partition(f"\n  {table}:\n")
    assert found
    assert old in after
    return before + found + after.replace(old, new, 1)


def refused(table: str, old: str, new: str) -> list[tuple[str, str]]:
    """Return the places of the faults, with lines counted from the head of the table."""
    text = with_table(table, old, new)
    head = text.partition(f"\n  {table}:\n")[0].count("\n") + 2
    with pytest.raises(PackRefused) as no:
        load(text, "own.yaml")
    assert all(fault.said and str(fault.expected) for fault in no.value.faults)
    places = [fault.where.split(":") for fault in no.value.faults]
    return [
        (f"{int(line) - head}:{pointer}", fault.clause)
        for (_, line, pointer), fault in zip(places, no.value.faults, strict=True)
    ]


def test_tables_fit_into_an_event() -> None:
    assert msgspec.json.decode(msgspec.json.encode(RULES), type=Rules) == RULES


@pytest.mark.clause("FS-AUD-3")
def test_versions_of_tables_and_options() -> None:
    shipped = shipped_ruleset(SHIPPED)
    pinned = versions(shipped)
    assert pinned == versions(load(shipped_text(SHIPPED), "own.yaml"))
    other = versions(apply_options(shipped, {"fs.campaign.rounds": 7}))
    assert (other.tables == pinned.tables, other.options == pinned.options) == (True, False)
    changed = load(with_table("core", "starting_caps: 500", "starting_caps: 600"), "own.yaml")
    assert versions(changed).tables != pinned.tables
    assert pinned.named == f"1/{pinned.tables[:16]}/{pinned.options[:16]}"


def versions(ruleset: object) -> Versions:
    assert isinstance(ruleset, CampaignRuleset)
    return versions_of(ruleset)


@pytest.mark.clause("FS-AUD-3")
def test_every_table_and_number_names_its_clause() -> None:
    assert (RULES.cites("turfs"), RULES.core.cites("starting_caps")) == ("FS-TRF-1", "FS-GRP-1")
    assert refused("core", "jam: FS-GAM-3,", "") == [("42:/rules/core/clauses/jam", "FS-AUD-3")]
    assert refused("core", "jam: FS-GAM-3,", "jam: FS-GAM-3, luck: FS-GAM-3,") == [
        ("44:/rules/core/clauses/luck", "FS-AUD-3")
    ]


@pytest.mark.clause("FS-FRC-1", "FS-FRC-2")
@pytest.mark.parametrize("rank", ["green", "experienced", "veteran"])
def test_profiles(rank: str) -> None:
    standard = {"green": "4 4 4 4 4 4 4 1 8", "experienced": "5 5 5 5 5 5 5 2 8", "veteran": "6 6 6 6 6 6 6 3 9"}
    mutant = {"green": "5 3 5 3 4 3 4 2 8", "experienced": "7 4 7 4 5 4 5 3 8", "veteran": "8 5 8 5 6 5 6 4 9"}
    for key, force in RULES.forces.items():
        wanted = (mutant if key == "super_mutants" else standard)[rank]
        assert " ".join(map(str, msgspec.structs.astuple(force.ranks[rank].profile))) == wanted


@pytest.mark.clause("FS-GRP-4", "FS-GRP-5", "FS-GRP-8")
@pytest.mark.parametrize(
    ("force", "start", "caps", "most", "per"),
    [
        ("raiders", [6, 4, 3], [10, 25, 50], 15, 5),
        ("brotherhood_of_steel", [6, 4, 3], [10, 25, 50], 10, 3),
        ("enclave", [5, 4, 2], [10, 25, 50], 10, 4),
        ("talon_company", [6, 5, 3], [10, 25, 50], 12, 4),
        ("super_mutants", [5, 3, 2], [20, 35, 60], 8, 3),
        ("regulators", [5, 5, 2], [10, 25, 50], 10, 5),
        ("vault_residents", [8, 6, 1], [10, 25, 50], 12, 6),
        ("wasteland_survivors", [8, 4, 2], [10, 25, 50], 10, 5),
    ],
)
def test_forces(force: str, start: list[int], caps: list[int], most: int, per: int) -> None:
    entry_of_force = RULES.forces[force]
    assert [entry.start_most for entry in entry_of_force.ranks.values()] == start
    assert [entry.caps for entry in entry_of_force.ranks.values()] == caps
    assert (entry_of_force.most, entry_of_force.big_guns.per) == (most, per)


@pytest.mark.clause("FS-XP-4")
def test_levels() -> None:
    levels = RULES.advancement.levels
    wanted = [3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 35, 40, 45, 50, 55, 60, 70, 80, 90, 100]
    assert [level.xp for level in levels] == wanted
    labels = {level.level: level.label for level in levels if level.label}
    assert labels == {1: "Green", 7: "Experienced", 14: "Veteran", 20: "Ultimate Survivor"}


@pytest.mark.clause("FS-ITM-2")
@pytest.mark.parametrize(
    ("good", "caps"),
    [
        *(("stimpak", 25), ("doctors_bag", 35), ("jet", 10), ("buffout", 15), ("mentats", 15), ("med_x", 20)),
        *(("radaway", 25), ("psycho", 15), ("requirements_dart_gun", 20), ("schematics_dart_gun", 30)),
    ],
)
def test_base_values_of_items(good: str, caps: int) -> None:
    assert RULES.goods[good].caps == caps
    assert RULES.goods[good].single_use is not RULES.goods[good].permanent


@pytest.mark.clause("FS-PRK-3")
def test_nineteen_perks_can_be_chosen() -> None:
    perks = RULES.advancement.perks
    assert sum(not perk.leader_only for perk in perks.values()) == 19
    assert [key for key, perk in perks.items() if perk.shift or perk.buying] == ["explorer", "leader", "master_trader"]


SCAVENGER = "/rules/encounters/cards/dead_scavenger"
ENCOUNTERS = [
    ("encounters", "least: 8, most: 9", "least: 9, most: 9", [(f"21:{SCAVENGER}/treasure/1/least", "FS-ENC-2")]),
    ("encounters", "item: smg_10mm", "item: smg_11mm", [(f"23:{SCAVENGER}/treasure/3/item", "FS-ENC-2")]),
    ("encounters", "caps: 10}", "caps: 0}", [(f"20:{SCAVENGER}/treasure/0", "FS-ENC-2")]),
    ("encounters", '"1D3", copies', '"1D4", copies', [("5:/rules/encounters/cards/giant_ants/number", "FS-ENC-5")]),
    ("encounters", "wounds: 1, ", "", [("5:/rules/encounters/cards/giant_ants", "FS-ENC-5")]),
    ("encounters", "copies: 2", "copies: 9000", [("5:/rules/encounters/cards/giant_ants/copies", "FS-ENC-5")]),
    ("encounters", "[mentats]", "[tea]", [("3:/rules/encounters/sharpens/0", "FS-ENC-1")]),
    ("encounters", "searches_most: 2", "searches_most: 0", [("1:/rules/encounters/searches_most", "FS-ENC-2")]),
]


@pytest.mark.clause("FS-TRF-1", "FS-TRF-2", "FS-INJ-1", "FS-BAR-3", "FS-RAD-1", "FS-FRC-1", "FS-XP-4", "FS-GAM-10")
@pytest.mark.clause("FS-GRP-7", "FS-ENC-1", "FS-ENC-2", "FS-ENC-5")
@pytest.mark.parametrize(
    ("file", "old", "new", "faults"),
    [
        ("turfs", "least: 4, most: 5", "least: 5, most: 5", [("2:/rules/turfs/1/least", "FS-TRF-1")]),
        ("injuries", "least: 5, most: 6", "least: 4, most: 6", [("2:/rules/injuries/1/least", "FS-INJ-1")]),
        ("injuries", "most: 24", "most: 23", [("0:/rules/injuries", "FS-INJ-1")]),
        ("turfs", '"1D3*10"', '"1D8*10"', [("4:/rules/turfs/3/caps", "FS-TRF-2")]),
        ("merchants", "item: smg_10mm", "item: smg_11mm", [("10:/rules/merchants/fixed/goods/4/item", "FS-BAR-3")]),
        ("turfs", "most: 24", "most: 23", [("16:/rules/turfs/15/most", "FS-TRF-1"), ("0:/rules/turfs", "FS-TRF-1")]),
        ("core", "rads: 6", "rads: 16", [("30:/rules/core/bands", "FS-RAD-1")]),
        (
            *("forces", "    green:", "    king:"),
            [("5:/rules/forces/raiders/ranks/king", ""), ("4:/rules/forces/raiders/ranks", "FS-FRC-1")],
        ),
        ("core", "starting_caps: 500", "starting_caps: many", [("1:/rules/core/starting_caps", "")]),
        (
            *("core", "starting_caps: 500", "starting_gold: 500"),
            [("1:/rules/core/starting_gold", ""), ("0:/rules/core/starting_caps", "")],
        ),
        ("advancement", "level: 2, xp: 6", "level: 2, xp: 3", [("2:/rules/advancement/levels", "FS-XP-4")]),
        *ENCOUNTERS,
        ("objectives", "crazy_wolfgang", "wolf", [("7:/rules/objectives/6/reward/merchant", "FS-GAM-10")]),
        ("forces", "of: [recon_armor]", "of: [metal_armor]", [(f"39:/rules/forces{INITIATE}/armor/of/0", "FS-GRP-7")]),
    ],
)  # fmt: skip
def test_inconsistent_tables_are_refused_with_file_and_line(
    file: str, old: str, new: str, faults: list[tuple[str, str]]
) -> None:
    assert refused(file, old, new) == faults
