"""Dice tables, levels, perks and single numbers compared with chapters 4, 6, 9, 10 and 13 of the rulebook."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from shared.campaign.tables import Advance, Find, Injury, Level, Objective, Perk, Turf
from tests.campaign.documents import FOLDER, changes, dice, keys, named, rows, span
from tests.campaign.story import RULES, SHIPPED
from tests.transcribed import of_pack, singles

LETTERS = ("S", "P", "E", "C", "I", "A", "L")
TABLES = (
    *("forces", "goods", "merchants", "turfs", "injuries", "objectives", "finds.scavenging", "finds.special"),
    *("encounters.cards", "finds.buildings", "advancement.levels", "advancement.rows", "advancement.perks"),
)
"""What the tables of these tests hold; all else is single numbers."""
LIMBS = {"Crippled Leg": "leg", "Crippled Arm": "arm", "Eye Wound": "eye"}  # of which a third cannot be had (FS-AMB-6)
LIKE_LIMBS = {"Crippled arms": "arm", "Crippled legs": "leg"}  # FS-AMB-7
CHOSEN = {"Baseball Bat/Sledgehammer/Nail Board": "club", "10mm Pistol/Chinese Pistol": "pistol"}  # FS-AMB-35
REWARDS = {
    "an injury is healed": "heal_injury",
    "a random model gains a level": "gain_level",
    "half the caps for maintenance": "half_maintenance",
    "a weapon of the own list": "own_weapon",
    "a free Green": "recruit",
    "a free roll on the Scavenging table": "scavenge",
}


def besides(printed: str) -> dict[str, Any]:
    """Return the benefits of a turf other than caps and food."""
    what, _, rest = printed.partition(": ")
    goods = keys()
    if printed.startswith("yields"):
        what, sold, made = (part.partition(": ")[2] for part in printed.split(", "))
        return {"feature": {"yields": goods[what], "sells": dice(sold), "becomes": goods[made]}}
    known: dict[str, dict[str, Any]] = {
        "": {},
        "Charisma of the leader at a fixed merchant": {"feature": {"charisma": int(rest or 0)}}
        if rest[:1] == "+"
        else {},
        "always feeds half of the group": {"visited": False, "feature": {"feeds": True}},
        "or an invention on a D12 of up to": {"instead": "invention", "invention_until": rest},
        "or a weapon for half the price": {"instead": "half_price_weapon"},
        "injuries rolled again": {"feature": {"rerolls": rest}},
        "for a double": {"feature": {"double": goods.get(rest, "")}},
    }
    return known[what]


def rowed(printed: str, members: dict[str, Any]) -> dict[str, Any]:
    least, most = span(printed)
    return {"least": least, "most": most, **{name: value for name, value in members.items() if value not in ("", {})}}


@pytest.mark.clause("FS-TRF-1", "FS-TRF-2", "FS-AMB-29", "FS-AMB-30", "FS-AMB-31")
def test_turfs() -> None:
    expected = [
        msgspec.convert(
            rowed(row["2D12"], {"caps": dice(row["caps"]), "food": dice(row["food"]), **besides(row["besides"])})
            | {"turf": row["turf"].lower().replace(" ", "_").replace("-", "_"), "name": row["turf"]},
            Turf,
            strict=False,
        )
        for row in rows("turfs")
    ]
    assert list(RULES.turfs) == expected


@pytest.mark.clause("FS-INJ-1", "FS-INJ-2", "FS-AMB-5", "FS-AMB-6", "FS-AMB-7")
def test_injuries() -> None:
    expected = [
        rowed(row["2D12"], {"name": row["injury"], "changes": changes(row["effect"]), "dies": row["effect"] == "dead"})
        | {"limb": LIMBS.get(row["injury"], ""), "as_limb": LIKE_LIMBS.get(row["injury"], "")}
        for row in rows("injuries")
    ]
    assert [msgspec.structs.replace(row, injury="") for row in RULES.injuries] == [
        msgspec.convert(row | {"injury": ""}, Injury) for row in expected
    ]
    assert [row.injury for row in RULES.injuries] == [
        *("dead", "crippled_leg", "crippled_arm", "eye_wound", "scarred", "crippled_head", "crippled_arms_strength"),
        *("crippled_body", "crippled_legs_agility", "full_recovery"),
    ]


@pytest.mark.clause("FS-XP-4", "FS-ADV-1")
def test_levels_and_their_ranks() -> None:
    ranks = {"Experienced": "experienced", "Veteran": "veteran"}
    expected = [
        msgspec.convert(
            {"level": int(row["level"]), "xp": int(row["xp"]), "label": row["rank"], "rank": ranks.get(row["rank"])},
            Level,
        )
        for row in rows("levels")
    ]
    assert list(RULES.advancement.levels) == expected


@pytest.mark.clause("FS-ADV-1")
def test_advancement_by_two_dice() -> None:
    words = {"perk": "perk", "any perk": "perk_any"}
    expected = []
    for row in rows("advancement"):
        gains = words.get(row["advancement"])
        if gains is None:
            ((gains, by),) = changes(row["advancement"]).items()
            assert by == 1
        expected.append(msgspec.convert(rowed(row["2D12"], {"gains": gains}), Advance))
    assert list(RULES.advancement.rows) == expected


@pytest.mark.clause("FS-ADV-1", "FS-PRK-1", "FS-PRK-3", "FS-LDR-1", "FS-AMB-14", "FS-AMB-16", "FS-SCV-2")
def test_perks() -> None:
    expected = {}
    for row in rows("perks"):
        needs, what = row["needs"], row["perk"]
        fields: dict[str, Any] = {"name": what, "leader_only": needs == "leader"}
        fields |= {"requires": {needs[0]: int(needs[1:])}} if needs[:1] in LETTERS and needs[1:].isdigit() else {}
        fields |= {"shift": int(row["scavenging"] or 0), "buying": row["bartering"]}
        expected[what] = msgspec.convert(fields, Perk)
    assert {perk.name: perk for perk in RULES.advancement.perks.values()} == expected
    assert list(named(RULES.advancement.perks)) == list(expected)


@pytest.mark.clause("FS-SCV-1", "FS-SPC-5", "FS-AMB-35")
@pytest.mark.parametrize(
    ("name", "table"), [("10.4.1", "scavenging"), ("special", "special"), ("building", "buildings")]
)
def test_tables_of_finds(name: str, table: str) -> None:
    expected = [found(row) for row in rows("scavenging") if row["table"] == name]
    assert list(getattr(RULES.finds, table)) == expected


def found(row: dict[str, str]) -> Find:
    """Return a row of finds: an amount of caps or food, a good, or a word."""
    what = row["found"].split()
    members: dict[str, Any] = {"finds": row["found"]}
    if row["found"] in keys():
        chosen = CHOSEN.get(row["found"], "") if row["table"] == "special" else ""
        members = {"finds": "item", "item": keys()[row["found"]], "choice": chosen}
    elif len(what) > 1:
        members = {
            "amount": dice(what[0]),
            "finds": what[1],
            "food": what[2] if what[2:] else "",
            "downed": dice(row["taken down"]),
        }
    return msgspec.convert(rowed(row["roll"], members), Find)


@pytest.mark.clause("FS-GAM-5", "FS-GAM-7", "FS-GAM-10")
def test_objectives_and_their_rewards() -> None:
    goods, merchants = keys(), named(RULES.merchants)
    expected = []
    for row in rows("objectives"):
        what, _, rest = row["reward"].partition(": ")
        reward: dict[str, Any] = {"kind": REWARDS.get(what, "items"), "amount": dice(what) if rest else "1"}
        if what == "caps":
            reward = {"kind": "caps", "amount": rest}
        elif rest in merchants:
            reward = {"kind": "merchant_item", "amount": dice(what.split()[0]), "merchant": merchants[rest]}
        elif rest:
            reward["goods"] = [goods[name] for name in rest.split(" or ")]
        members = {name: row[name] for name in ("objective", "special", "step")}
        expected.append(msgspec.convert(rowed(row["1D12"], members | {"reward": reward}), Objective))
    assert list(RULES.objectives) == expected


@pytest.mark.clause("FS-AUD-3", "FS-LGE-3", "FS-RND-1", "FS-GRP-1", "FS-TRF-1", "FS-GRP-11", "FS-RAT-1", "FS-RAT-2")
@pytest.mark.clause("FS-GAM-3", "FS-GAM-6", "FS-GAM-8", "FS-GAM-10", "FS-REC-1", "FS-REC-2", "FS-REC-4", "FS-RAD-1")
@pytest.mark.clause("FS-UPK-1", "FS-UPK-2", "FS-UPK-3", "FS-UPK-4", "FS-BLD-2", "FS-DOC-1", "FS-AMB-43", "FS-ITM-1")
@pytest.mark.clause(
    "FS-ADD-1", "FS-SPC-5", "FS-XP-1", "FS-ADV-1", "FS-ADV-2", "FS-SCV-1", "FS-BLD-1", "FS-ENC-1", "FS-ENC-5"
)
def test_single_numbers() -> None:
    held = tuple(f"rules.{table}" for table in TABLES)
    assert of_pack(SHIPPED, without=("options", *held)) == singles(FOLDER / "singles.csv")
