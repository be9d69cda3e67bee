"""Random encounters compared with chapter 7 of the rulebook: the deck, numbers, wounds, and search tables."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from shared.campaign.tables import Card, Treasure
from tests.campaign.documents import dice, keys, rows, span
from tests.campaign.story import RULES

SUITS, RAREST = 2, "3"
"""Suits of the deck; of a card of this rarity there is one."""


def found(row: dict[str, str], where: str) -> Treasure:
    """Return the find of a total at a place: caps or a good, perhaps with dice for the number."""
    least, most = span(row["D12 + Luck"])
    first, _, rest = row[where].partition(" ")
    if rest == "Caps":
        return Treasure(least, most, caps=int(first))
    if rest in keys():
        return Treasure(least, most, item=keys()[rest], amount=dice(first))
    return Treasure(least, most, item=keys()[row[where]])


def card_of(row: dict[str, str]) -> Card:
    """Return an encounter of the deck."""
    fields: dict[str, Any] = {"name": row["encounter"], "clause": row["clause"], "number": dice(row["number"] or "1")}
    fields |= {"copies": 1 if row["rarity"] == RAREST else SUITS, "wounds": int(row["wounds"] or 0)}
    what, _, rank = row["7.4"].partition(": ")
    fields |= {"joins": rank} if rank else {}
    if what == "searched":
        fields["treasure"] = [found(each, row["encounter"]) for each in rows("encounter_finds")]
    return msgspec.convert(fields, Card)


@pytest.mark.clause("FS-ENC-1", "FS-ENC-2", "FS-ENC-3", "FS-ENC-5")
def test_deck_and_search_tables() -> None:
    assert list(RULES.encounters.cards.values()) == [card_of(row) for row in rows("encounters")]
