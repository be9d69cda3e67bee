"""Made again: a step that was closed for a player who was away, where nothing at all was chosen. FS-PGP-5."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from shared.formats.campaign.rules.absent import close_for_absent
from shared.formats.campaign.rules.dice_source import DiceSource
from shared.formats.campaign.rules.income_outcomes import CapsMoved
from shared.formats.campaign.rules.redecided import AuditContext, Way, Ways
from shared.formats.campaign.rules.redecided_income import OF_INCOME


def closed_for_absent(kinds: Collection[type[Any]], prefix: str) -> Mapping[type[Any], Ways]:
    """The one way in which such a step closes, whatever it begins with; captors are paid beside it (FS-INJ-5).

    prefix: of the ids of the service's rolls.
    """

    def closed(scene: AuditContext, head: Any) -> Iterator[Way]:
        """FS-PGP-5, FS-AUD-2."""
        if isinstance(head, CapsMoved) and head.clause == "FS-INJ-5":
            yield from OF_INCOME[CapsMoved](scene, head)
            return
        reading = scene.rules.options.kill == "dead_on_injury_table"
        dice_source = DiceSource(prefix, scene.made, scene.seed, (), versions=scene.versions)
        yield lambda: close_for_absent(scene.rules, scene.group, dice_source, scene.dead if reading else ())

    return dict.fromkeys(kinds, closed)
