"""Goods and merchants compared with chapters 12 and 10.6 of the rulebook: prices, rarities, modifiers, effects."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from shared.campaign.tables import Good, Merchant
from tests.campaign.documents import changes, keys, rows
from tests.campaign.story import RULES

USED = {"once": "single_use", "ever": "permanent"}
DOES = {"parts": "parts_for", "schematic": "schematic_for"}


def good_of(row: dict[str, str]) -> Good:
    """Return a good as its row describes it."""
    saves = row["save"].split()
    fields: dict[str, Any] = {"names": row["name"].split("/"), "kind": row["table"], "caps": int(row["caps"] or 0)}
    fields |= {"tags": row["tags"].split(), "sample": int(row["5.5"]) if row["5.5"] else None}
    fields |= {"armor": {force: int(save) for force, save in zip(saves[::2], saves[1::2], strict=True)}}
    fields |= {USED[row["used"]]: True} if row["used"] else {}
    word, _, rest = row["does"].partition(" ")
    if word in DOES:
        fields[DOES[word]] = keys()[rest]
    elif word == "at":
        fields["most"] = int(rest.removeprefix("most "))
    elif word:
        fields[word] = rest if word == "use" else changes(rest)
    return msgspec.convert(fields, Good)


@pytest.mark.clause("FS-RAT-2", "FS-FRC-3", "FS-GRP-8", "FS-GRP-10", "FS-ITM-1", "FS-ITM-2", "FS-BLD-1")
@pytest.mark.clause("FS-AMB-23", "FS-AMB-24", "FS-AMB-41", "FS-AMB-45")
def test_goods() -> None:
    expected = {row["name"]: good_of(row) for row in rows("goods")}
    assert {"/".join(good.names): good for good in RULES.goods.values()} == expected


@pytest.mark.clause("FS-BAR-3", "FS-AMB-22", "FS-AMB-23")
def test_merchants_with_rarity_caps_and_bartering_modifier() -> None:
    printed = {key: name for name, key in keys().items()}
    found = [
        [merchant.name, printed[offer.item], offer.rarity, offer.caps, offer.modifier, offer.sample_rarity]
        for merchant in RULES.merchants.values()
        for offer in merchant.goods
    ]
    expected = [list(row.values()) for row in rows("merchants")]
    assert [[("" if value is None else str(value)) for value in line] for line in found] == expected


@pytest.mark.clause("FS-BAR-2", "FS-BAR-3", "FS-AMB-17")
def test_search_totals_and_charisma_of_merchants() -> None:
    expected = [
        Merchant(row["merchant"], int(row["Charisma"]), (), int(row["found by"] or 0))
        for row in rows("merchants_found")
    ]
    assert [msgspec.structs.replace(each, goods=()) for each in RULES.merchants.values()] == expected
