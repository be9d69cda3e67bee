"""How data written in an older version of an event is read today; stored events are never rewritten."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

Data = dict[str, Any]


def venue_tables_by_number(data: Data) -> Data:
    """VenueOpened 1 -> 2: a count of tables becomes the tables 1, 2, 3 …, none of them marked accessible."""
    return {**data, "tables": [{"table": number} for number in range(1, data.get("tables", 0) + 1)]}


class Gained:
    """A version that only gained members, whose defaults say what was meant before there were any."""

    def __init__(self, *members: str) -> None:
        self.members = members

    def __call__(self, data: Data) -> Data:
        return data


UPCASTS: Mapping[str, tuple[Callable[[Data], Data], ...]] = MappingProxyType(
    {
        "CoopRankingPublished": (Gained("page", "pages"),),
        "PlayerAmended": (Gained("external_id"),),
        "PlayerJoined": (Gained("external_id"),),
        "PlayerWaitlisted": (Gained("external_id"),),
        "ResultCorrected": (Gained("improbable"),),
        "ResultDisputed": (Gained("improbable"),),
        "ResultReported": (Gained("improbable"),),
        "ResultRuled": (Gained("improbable"),),
        "TournamentAnnounced": (Gained("rehearsal"),),
        "VenueOpened": (venue_tables_by_number,),
    }
)
"""Type -> steps from version 1 to 2, 2 to 3 …; an event's version is one more than its number of steps."""


def upcast(type: str, version: int, data: Data) -> Data:
    """The data of `version` as the present version words it."""
    for step in UPCASTS[type][version - 1 :]:
        data = step(data)
    return data
