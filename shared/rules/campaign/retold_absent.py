"""Made again: a step that was closed for a player who was away, where nothing at all was chosen. FS-PGP-5."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from shared.rules.campaign.absent import close_for_absent
from shared.rules.campaign.income_outcomes import CapsMoved
from shared.rules.campaign.retold import Scene, Way, Ways
from shared.rules.campaign.retold_income import OF_INCOME
from shared.rules.campaign.rolling import Cup


def closed_for_absent(kinds: Collection[type[Any]], prefix: str) -> Mapping[type[Any], Ways]:
    """The one way in which such a step closes, whatever it begins with; captors are paid beside it (FS-INJ-5).

    prefix: of the ids of the service's rolls.
    """

    def closed(scene: Scene, head: Any) -> Iterator[Way]:
        if isinstance(head, CapsMoved) and head.clause == "FS-INJ-5":
            yield from OF_INCOME[CapsMoved](scene, head)
            return
        reading = scene.rules.options.kill == "dead_on_injury_table"
        cup = Cup(prefix, scene.made, scene.seed, (), drawn=True, versions=scene.versions)
        yield lambda: close_for_absent(scene.rules, scene.group, cup, scene.dead if reading else ())

    return dict.fromkeys(kinds, closed)
