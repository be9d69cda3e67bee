"""How data written in an older version of an event is read today; stored events are never rewritten."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

Data = dict[str, Any]


def _venue_tables_by_number(data: Data) -> Data:
    """VenueOpened 1 -> 2: a count of tables becomes the tables 1, 2, 3 …, none of them marked accessible."""
    return {**data, "tables": [{"table": number} for number in range(1, data.get("tables", 0) + 1)]}


def _causes_by_id(data: Data) -> Data:
    """SeasonResultsTaken 1 -> 2: `why` is the `reason`, and `because` the `causes`, each with the `id` of its event."""
    kept = {name: value for name, value in data.items() if name not in ("why", "because", "causes")}
    causes = [_renamed(cause, "event", "id") for cause in data.get("because", [])]
    return {**kept, "reason": data["why"], **({"causes": causes} if causes else {})}


def _renamed(data: Data, old: str, new: str) -> Data:
    return {new if name == old else name: value for name, value in data.items()}


def _nothing_to_change(data: Data) -> Data:
    """A version that only gained members, whose defaults say what was meant before there were any."""
    return data


UPCASTS: Mapping[str, tuple[Callable[[Data], Data], ...]] = MappingProxyType(
    {
        "CoopRankingPublished": (_nothing_to_change,),  # 2: pages, before which there was always one
        "PlayerAmended": (_nothing_to_change,),  # 2: external_id
        "PlayerJoined": (_nothing_to_change,),  # 2: external_id
        "PlayerWaitlisted": (_nothing_to_change,),  # 2: external_id
        "ResultCorrected": (_nothing_to_change,),  # 2: improbable
        "ResultDisputed": (_nothing_to_change,),  # 2: improbable
        "ResultReported": (_nothing_to_change,),  # 2: improbable
        "ResultRuled": (_nothing_to_change,),  # 2: improbable
        "SeasonResultsTaken": (_causes_by_id,),
        "TournamentAnnounced": (_nothing_to_change,),  # 2: rehearsal
        "VenueOpened": (_venue_tables_by_number,),
    }
)
"""Type -> steps from version 1 to 2, 2 to 3 …; an event's version is one more than its number of steps."""


def upcast(type: str, version: int, data: Data) -> Data:
    """The data of `version` as the present version words it."""
    for step in UPCASTS[type][version - 1 :]:
        data = step(data)
    return data
