"""Made again: what an organiser entered by ruling. What it does follows from the rules. FS-REP-5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from shared.formats.campaign.rules import income_outcomes as earned
from shared.formats.campaign.rules.outcomes import ExperienceChanged
from shared.formats.campaign.rules.redecided import AuditContext, Way, Ways
from shared.formats.campaign.rules.ruled import Entered, LedgerEntry, ruled_entries

ENTERED: Mapping[type[Any], Entered] = {
    earned.CapsMoved: "caps",
    earned.FoodMoved: "food",
    earned.ItemGained: "item_gained",
    earned.ItemLost: "item_lost",
    ExperienceChanged: "experience",
}
"""Kind of outcome -> what was entered."""


def _entry(scene: AuditContext, head: Any) -> Iterator[Way]:
    item: Any = getattr(head, "item", "")
    by_deeds = isinstance(head, ExperienceChanged) and not head.unearned
    entry = LedgerEntry(
        "experience_unearned" if getattr(head, "unearned", False) else ENTERED[type(head)],
        head.reason,
        head.clause,
        0 if by_deeds or item else head.amount,
        getattr(head, "food", "clean"),
        item.good if isinstance(head, earned.ItemGained) else "",
        item if isinstance(head, earned.ItemLost) else "",
        getattr(head, "member", ""),
        head.deeds if by_deeds else {},
    )
    yield lambda: ruled_entries(scene.rules, scene.group, [entry])


RULED: Mapping[type[Any], Ways] = dict.fromkeys(ENTERED, _entry)
"""Kind of head -> how its entry is made again."""
